//! The language table, `assets/languages.txt`, which describes its own format. It is compiled in and parsed once a
//! process.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::token::EmbeddedBy;
use crate::token::syntax::{OpenerPlace, Rule, StringSyntax};

const TEXT: &str = include_str!("../../../../assets/languages.txt");

/// The definition of a language.
#[derive(Debug)]
pub(super) struct LanguageDefinition {
    /// Its name.
    pub(super) name: &'static str,
    /// Whether it is read as words.
    pub(super) is_text: bool,
    /// What embeds other languages in it.
    pub(super) embeds: Option<EmbeddedBy>,
    /// Its comments and strings.
    pub(super) rules: Vec<Rule>,
}

/// All languages. The maps have row numbers as values.
#[derive(Debug, Default)]
pub(super) struct LanguageTable {
    /// The languages, by name.
    pub(super) rows: Vec<LanguageDefinition>,
    /// Row number by extension, in lower case.
    pub(super) extensions: HashMap<&'static str, u16>,
    /// Row number by whole file name, in lower case.
    pub(super) names: HashMap<&'static str, u16>,
    /// Row number by interpreter.
    pub(super) programs: HashMap<&'static str, u16>,
}

impl LanguageTable {
    /// The compiled-in table.
    pub(super) fn get() -> &'static Self {
        // A test checks that every row is valid.
        static TABLE: LazyLock<LanguageTable> = LazyLock::new(|| LanguageTable::read(TEXT).0);
        &TABLE
    }

    /// Parses a table. Also returns the numbers of invalid lines.
    fn read(text: &'static str) -> (Self, Vec<usize>) {
        let mut table = Self::default();
        let mut wrong = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let is_valid = line.is_empty() || line.starts_with("# ") || line == "#" || table.take(line);
            wrong.extend((!is_valid).then_some(number));
        }
        (table, wrong)
    }

    /// Parses a line. Returns whether it is valid.
    fn take(&mut self, line: &'static str) -> bool {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            self.rows.push(LanguageDefinition { name, is_text: false, embeds: None, rules: Vec::new() });
            return true;
        }
        let number = self.rows.len().wrapping_sub(1) as u16;
        let Some(row) = self.rows.last_mut() else { return false };
        let fields: Vec<&'static str> = line.split('\t').collect();
        let (kind, values) = (fields[0], &fields[1..]);
        let known = match kind {
            "extensions" => &mut self.extensions,
            "names" => &mut self.names,
            "programs" => &mut self.programs,
            "text" => {
                row.is_text = true;
                return values.is_empty();
            }
            "embeds" => {
                row.embeds = match values {
                    ["tags"] => Some(EmbeddedBy::Tags),
                    ["fences"] => Some(EmbeddedBy::Fences),
                    _ => None,
                };
                return row.embeds.is_some();
            }
            _ => {
                let Some(rule) = rule(kind, values) else { return false };
                row.rules.push(rule);
                return true;
            }
        };
        values.iter().all(|value| known.insert(value, number).is_none())
    }
}

fn rule(kind: &str, values: &[&'static str]) -> Option<Rule> {
    match (kind, values) {
        ("line", [open, place @ ..]) => Some(Rule::Line { open, place: self::place(place)? }),
        ("block" | "nested", [open, close, place @ ..]) => {
            Some(Rule::Block { open, close, nested: kind == "nested", place: self::place(place)? })
        }
        ("string", [open, close, traits @ ..]) => {
            string(open, StringSyntax { close, ..StringSyntax::default() }, traits)
        }
        ("tagged", [open, open_end, close, close_end, traits @ ..]) => {
            let tag = Some((*open_end, *close_end));
            string(open, StringSyntax { close, tag, ..StringSyntax::default() }, traits)
        }
        ("here", [open, traits @ ..]) => {
            let has_blanks = *traits == ["blanks"];
            let string = StringSyntax { here: Some(has_blanks), multi_line: true, ..StringSyntax::default() };
            self::string(open, string, if has_blanks { &[] } else { traits })
        }
        ("plain", [open]) => Some(Rule::Plain { open }),
        ("escape", [open]) => Some(Rule::Escape { open }),
        _ => None,
    }
}

/// A string with its traits.
fn string(open: &'static str, mut string: StringSyntax, traits: &[&'static str]) -> Option<Rule> {
    let (mut behind, mut place) = (Vec::new(), OpenerPlace::Anywhere);
    for given in traits {
        match (*given, given.split_once('=')) {
            ("multi-line", _) => string.multi_line = true,
            ("escapes", _) => string.escapes = true,
            ("doubled", _) => string.doubled = true,
            ("twice", _) => string.twice = true,
            ("class", _) => string.has_class = true,
            ("nests", _) => string.nests = open.bytes().last(),
            ("operand", _) => place = OpenerPlace::Operand,
            (_, Some(("tag", mark))) => string.tag_mark = mark.bytes().next(),
            (_, Some(("hole", hole))) => string.hole = Some(hole),
            (_, Some(("behind", words))) => behind = words.split(',').collect(),
            _ => return None,
        }
    }
    Some(Rule::String { open, behind, place, string })
}

fn place(given: &[&str]) -> Option<OpenerPlace> {
    match given {
        [] => Some(OpenerPlace::Anywhere),
        ["first-column"] => Some(OpenerPlace::FirstColumn),
        ["line-start"] => Some(OpenerPlace::LineStart),
        ["detached"] => Some(OpenerPlace::Detached),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_valid_and_no_name_belongs_to_two_languages() {
        let (table, wrong) = LanguageTable::read(TEXT);
        assert_eq!(wrong, [0; 0]);
        assert!(table.rows.len() > 300 && table.extensions.len() > 500);
    }

    #[test]
    fn invalid_lines_are_reported_by_number() {
        let (table, wrong) = LanguageTable::read(
            "line\t//\n[A]\nline\t//\tnowhere\nstring\t\"\t\"\todd\nblock\t/*\nline\t#\n",
        );
        assert_eq!((table.rows.len(), wrong), (1, vec![1, 3, 4, 5]));
        assert_eq!(table.rows[0].rules.len(), 1);
    }
}
