//! Checks JSON against a JSON schema: the words of draft 7 that the schemas of the tests use.

use regex::Regex;
use serde_json::Value;

/// What does not agree with a schema, each with its place.
pub fn offences(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, schema, value, "", &mut found);
    found
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(path) = schema["$ref"].as_str() {
        let target = root.pointer(path.strip_prefix('#').unwrap()).unwrap_or_else(|| panic!("{path}"));
        return check(root, target, value, at, found);
    }
    let mut refuse = |what: String| found.push(format!("{at}: {what}"));
    if let Some(wanted) = schema.get("type") {
        let names: Vec<&Value> = wanted.as_array().map_or(vec![wanted], |names| names.iter().collect());
        if !names.iter().any(|name| is_of_type(value, name.as_str().unwrap())) {
            return refuse(format!("is no {wanted}"));
        }
    }
    if let Some(values) = schema["enum"].as_array().filter(|values| !values.contains(value)) {
        refuse(format!("{value} is none of {values:?}"));
    }
    if let (Some(least), Some(number)) = (schema["minimum"].as_f64(), value.as_f64())
        && number < least
    {
        refuse(format!("{number} is less than {least}"));
    }
    if let (Some(most), Some(number)) = (schema["maximum"].as_f64(), value.as_f64())
        && number > most
    {
        refuse(format!("{number} is more than {most}"));
    }
    if let (Some(pattern), Some(text)) = (schema["pattern"].as_str(), value.as_str())
        && !Regex::new(pattern).unwrap().is_match(text)
    {
        refuse(format!("{text} does not match {pattern}"));
    }
    for (word, least) in [("anyOf", 1..=usize::MAX), ("oneOf", 1..=1)] {
        let Some(choices) = schema[word].as_array() else { continue };
        let fits = |choice: &&Value| {
            let mut found = Vec::new();
            check(root, choice, value, at, &mut found);
            found.is_empty()
        };
        if !least.contains(&choices.iter().filter(fits).count()) {
            refuse(format!("{value} fits not as {word} of {choices:?}"));
        }
    }
    match value {
        Value::Object(fields) => {
            for name in schema["required"].as_array().into_iter().flatten() {
                if !fields.contains_key(name.as_str().unwrap()) {
                    refuse(format!("lacks {name}"));
                }
            }
            for (name, value) in fields {
                let at = format!("{at}/{name}");
                match (schema["properties"].get(name), &schema["additionalProperties"]) {
                    (Some(of), _) => check(root, of, value, &at, found),
                    (None, Value::Bool(false)) => found.push(format!("{at}: is not a field")),
                    (None, of @ Value::Object(_)) => check(root, of, value, &at, found),
                    _ => {}
                }
            }
        }
        Value::Array(items) => {
            if schema["minItems"].as_u64().is_some_and(|least| (items.len() as u64) < least) {
                refuse(format!("has {} items", items.len()));
            }
            let is_twice = |(number, item): (usize, &Value)| items[..number].contains(item);
            if schema["uniqueItems"] == true && items.iter().enumerate().any(is_twice) {
                refuse("has an item twice".to_owned());
            }
            if let Some(of) = schema.get("items") {
                for (number, item) in items.iter().enumerate() {
                    check(root, of, item, &format!("{at}/{number}"), found);
                }
            }
        }
        _ => {}
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("{other}"),
    }
}
