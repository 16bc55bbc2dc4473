//! Folding: names or literals of source code become one token each, so that a copy with other names is equal.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use super::Language;

/// What becomes one token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Folding {
    /// Identifiers: words of code that are not reserved in the language.
    pub identifiers: bool,
    /// Literals: numbers, characters, and strings as a whole.
    pub literals: bool,
}

/// Stands for an identifier in the text that a token's hash is made of. No source has it.
pub(super) const IDENTIFIER: u8 = 0x01;
/// Stands for a literal.
pub(super) const LITERAL: u8 = 0x02;

impl Folding {
    /// Nothing is folded.
    pub const NONE: Self = Self { identifiers: false, literals: false };

    /// Whether anything is folded.
    pub fn is_any(self) -> bool {
        self.identifiers || self.literals
    }
}

/// The end of a number whose first run of digits and letters is `first`: a fraction and an exponent with a sign belong to
/// it, and, where `'` opens no string (`has_quotes`), the digits behind a `'`.
pub(super) fn number_end(
    bytes: &[u8],
    first: Range<usize>,
    has_quotes: bool,
    lexeme_end: impl Fn(usize) -> usize,
) -> usize {
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    // A hexadecimal `e` is a digit: `0x1e+5` is a sum.
    let is_hexadecimal = matches!(&bytes[first.start..first.end], [b'0', b'x' | b'X', ..]);
    let exponent = if is_hexadecimal { b'p' } else { b'e' };
    let mut end = first.end;
    loop {
        let is_fraction = bytes.get(end) == Some(&b'.') && is_digit(end + 1);
        let is_exponent = matches!(bytes.get(end), Some(b'+' | b'-'))
            && bytes[end - 1].eq_ignore_ascii_case(&exponent)
            && is_digit(end + 1);
        let is_group = has_quotes
            && bytes.get(end) == Some(&b'\'')
            && bytes.get(end + 1).is_some_and(u8::is_ascii_hexdigit)
            && bytes.get(end + 2) != Some(&b'\'');
        if !is_fraction && !is_exponent && !is_group {
            return end;
        }
        end = lexeme_end(end + 1);
    }
}

/// The end of a character literal that begins at `at`, such as `'a'` or `'\n'`; `None` if there is none.
pub(super) fn character_end(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at + 1..)?;
    let first = rest.chars().next()?;
    let length = match first {
        '\\' => {
            1 + rest[1..]
                .find('\'')
                .filter(|end| *end <= MOST_ESCAPED && !rest[1..=*end].contains('\n'))?
                .max(1)
        }
        '\'' | '\n' => return None,
        _ => first.len_utf8(),
    };
    rest[length..].starts_with('\'').then_some(at + 1 + length + 1)
}

/// Characters of an escape such as `\u{10ffff}`.
const MOST_ESCAPED: usize = 10;

// The reserved words of languages, from `assets/keywords.txt`: what is no name when identifiers are folded.

const TEXT: &str = include_str!("../../../assets/keywords.txt");

/// The reserved words of a language.
pub(super) type Keywords = HashSet<&'static [u8]>;

/// The reserved words of a language; those of all languages if it has none of its own.
pub(super) fn keywords(language: Language) -> &'static Keywords {
    static TABLE: LazyLock<(HashMap<&'static str, usize>, Vec<Keywords>)> = LazyLock::new(|| read(TEXT));
    let (languages, sets) = &*TABLE;
    &sets[languages.get(language.name()).copied().unwrap_or(0)]
}

/// The numbers of the sets of languages, and the sets. The first one has all words.
fn read(text: &'static str) -> (HashMap<&'static str, usize>, Vec<Keywords>) {
    let (mut languages, mut sets) = (HashMap::new(), vec![Keywords::default()]);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some(names) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            languages.extend(names.split('\t').map(|name| (name, sets.len())));
            sets.push(Keywords::default());
            continue;
        }
        for word in line.split_ascii_whitespace() {
            sets[0].insert(word.as_bytes());
            if let Some(last) = sets.last_mut() {
                last.insert(word.as_bytes());
            }
        }
    }
    (languages, sets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_end_where_the_table_says() {
        crate::script::table("cases/folding.txt", |word, text| {
            let bytes = text.as_bytes();
            let lexeme_end =
                |at: usize| at + bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            let end = match word {
                "number" => Some(number_end(bytes, 0..lexeme_end(0), true, lexeme_end)),
                _ => character_end(text, 0),
            };
            vec![end.map_or("none", |end| &text[..end]).to_owned()]
        });
    }

    #[test]
    fn every_language_of_the_table_is_known() {
        let (languages, sets) = read(TEXT);
        for name in languages.keys() {
            assert!(Language::from_name(name).is_some(), "{name}");
        }
        assert!(languages.len() >= 30 && sets.iter().all(|words| words.len() >= 15));
    }

    #[test]
    fn a_language_has_its_own_words_or_those_of_all() {
        let is =
            |language, word: &str| keywords(Language::from_name(language).unwrap()).contains(word.as_bytes());
        assert!(is("C", "while") && !is("C", "elsif") && !is("C", "count"));
        assert!(is("Ruby", "elsif") && is("Zig", "elsif") && !is("Zig", "count"));
    }
}
