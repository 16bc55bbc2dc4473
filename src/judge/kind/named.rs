//! The tests in Rust that conditions name: what no expression or measure tells.

use super::lines::{Line, solid};
use super::sample::Sample;

/// Whether all that a line of a page says stands in links, but for addresses and signs between them: bars of navigation,
/// indexes, cross-references.
pub(super) fn is_links(text: &str) -> bool {
    /// Letters between links: `Next`, a number.
    const BETWEEN: u32 = 4;
    let (mut linked, mut others, mut is_linked) = (0, 0, false);
    for (number, piece) in text.split('<').enumerate() {
        let (tag, text) = match piece.split_once('>') {
            Some(parts) if number > 0 => parts,
            // Before the first tag, or in one that ends in another line.
            _ if number == 0 => ("", piece),
            _ => (piece, ""),
        };
        match tag {
            _ if tag.starts_with("a ") => is_linked = tag.contains("href"),
            "/a" => is_linked = false,
            _ => {}
        }
        if is_linked {
            linked += solid(text);
        } else {
            let words = text.split_whitespace().filter(|word| !word.contains("://") && !is_sign(word));
            others += words.map(solid).sum::<u32>();
        }
    }
    linked > 0 && others <= BETWEEN && others < linked
}

/// Whether a word is nothing but named signs: `&nbsp;&rarr;`.
fn is_sign(word: &str) -> bool {
    word.starts_with('&') && word.split(';').all(|part| part.is_empty() || part.starts_with('&'))
}

/// Whether a passage is a list of records: its lines are fields, and the same few names of fields come again and again,
/// between marks of items.
pub(super) fn has_repeated_fields(sample: &Sample) -> bool {
    /// Names of fields.
    const MOST: usize = 12;
    /// Bytes before the passage that are read too: it may be shorter than two records.
    const BEFORE: usize = 400;
    let is_name =
        |key: &&str| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let (mut lines, mut fields, mut items) = (0, 0, 0);
    let mut keys: Vec<(&str, u32)> = Vec::new();
    for line in sample.with_before(BEFORE).lines().skip(1) {
        let line = line.trim();
        let field = line.strip_prefix("- ").unwrap_or(line);
        lines += u32::from(!line.is_empty());
        items += u32::from(line == "-" || field.len() < line.len());
        let Some(key) = field.split_once(": ").map(|(key, _)| key).filter(is_name) else { continue };
        fields += 1;
        match keys.iter().position(|(known, _)| *known == key) {
            Some(at) => keys[at].1 += 1,
            None if keys.len() < MOST => keys.push((key, 1)),
            None => return false,
        }
    }
    let again = keys.iter().filter(|(_, count)| *count > 1).count();
    items >= 2 && again >= 2 && (fields + items) * 5 >= lines * 4 && fields >= keys.len() as u32 * 2 - 1
}

/// Marks the two lines that together keep a header from being included twice, whatever the name that they test and
/// define.
pub(super) fn mark_guards(lines: &mut [Line]) {
    for at in 1..lines.len() {
        if defined(lines[at].text).is_some_and(|name| tested(lines[at - 1].text) == Some(name)) {
            lines[at - 1].guards = true;
            lines[at].guards = true;
        }
    }
}

/// The word of a directive for a preprocessor, and what follows.
fn directive(text: &str) -> Option<(&str, &str)> {
    let directive = text.strip_prefix('#')?.trim_start();
    let (word, rest) = directive.split_once([' ', '\t']).unwrap_or((directive, ""));
    Some((word, rest.trim()))
}

/// The name that must not be defined.
fn tested(text: &str) -> Option<&str> {
    match directive(text)? {
        ("ifndef", name) => Some(name),
        ("if", test) => Some(test.strip_prefix("!defined")?.trim_matches(['(', ')', ' '])),
        _ => None,
    }
}

/// The name that is defined as nothing.
fn defined(text: &str) -> Option<&str> {
    let (word, name) = directive(text)?;
    (word == "define" && !name.contains([' ', '\t', '('])).then_some(name)
}
