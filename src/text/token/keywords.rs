//! The reserved words of languages, from `assets/keywords.txt`: what is no name when identifiers are folded.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::Language;

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
