//! Patterns of words that are searched in texts and paths, exactly or fuzzily.
//!
//! A fuzzy match contains all letters of the pattern in order. Between them it may skip one letter for each four of the
//! pattern, and it may skip to the beginning of the next part of a name: so `ffmpg` finds `ffmpeg`, and `kfree` finds
//! `kernel_free`. A match lies within one word of a text or one component of a path, because the letters of any word
//! occur in order somewhere in a long text. Only a pattern with slashes, such as `drv/net/e1000`, is matched against a
//! whole path.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use regex::{Regex, RegexBuilder};

/// Letters of the shortest fuzzy pattern: a shorter one would match nearly every word.
const SHORTEST: usize = 4;
/// Letters of the longest fuzzy pattern. A longer one is searched exactly: its regular expression could take a gigabyte.
const LONGEST_WORD: usize = 64;
/// Bytes of the longest word that [`FuzzyWord::may_match_cut`] checks; a longer one is a candidate without a check.
const LONGEST: usize = 4 << 10;
/// The number of letters of the pattern for each letter that a match may skip.
const MISSING: usize = 4;

/// A pattern of words for texts and paths.
#[derive(Clone, Debug)]
pub struct WordPattern {
    exactly: Regex,
    nearly: Option<FuzzyWord>,
}

/// A pattern for a word that may be misspelt.
#[derive(Clone, Debug)]
struct FuzzyWord {
    /// Its letters without their case, and how many of them are no slashes.
    pattern: Vec<char>,
    letters: usize,
    is_path: bool,
    /// Matches within every word that matches fuzzily, and within some others; `None` when the pattern is not a word.
    rough: Option<Arc<LazyRegex>>,
}

/// A regular expression that is compiled on first use: a filter is parsed again at each key press, and compiling takes
/// longer than everything else.
#[derive(Debug)]
struct LazyRegex {
    pattern: String,
    made: OnceLock<Option<Regex>>,
}

impl LazyRegex {
    fn made(&self) -> Option<&Regex> {
        self.made.get_or_init(|| folded(&self.pattern)).as_ref()
    }
}

impl WordPattern {
    /// Matches words exactly, ignoring case and the amount of white space; `None` without a word.
    pub fn exact(text: &str) -> Option<Self> {
        let words: Vec<String> = text.split_whitespace().map(regex::escape).collect();
        if words.is_empty() {
            return None;
        }
        Some(Self { exactly: folded(&words.join(r"\s+"))?, nearly: None })
    }

    /// Matches a word exactly or fuzzily.
    pub fn fuzzy(word: &str) -> Option<Self> {
        Some(Self { nearly: FuzzyWord::new(word), ..Self::exact(word)? })
    }

    /// Whether a text contains an exact match.
    pub fn matches_exactly(&self, text: &str) -> bool {
        self.exactly.is_match(text)
    }

    /// Whether a text contains an exact or fuzzy match.
    pub fn matches(&self, text: &str) -> bool {
        let nearly = |near: &FuzzyWord| near.candidates(text).any(|word| near.matches(&text[word]));
        self.matches_exactly(text) || self.nearly.as_ref().is_some_and(nearly)
    }

    /// Whether a path contains an exact or fuzzy match.
    pub fn matches_path(&self, path: &str) -> bool {
        let nearly = |near: &FuzzyWord| match near.is_path {
            true => near.matches(path),
            false => path.split('/').any(|piece| near.matches(piece)),
        };
        self.matches_exactly(path) || self.nearly.as_ref().is_some_and(nearly)
    }

    /// The ranges of a text that [match](Self::matches), alone or cut off by the end of a part of the text, in no order.
    /// Of overlapping ones at least the first is returned. Some of the ranges may not match.
    pub fn ranges_in(&self, text: &str) -> Vec<Range<usize>> {
        let mut places: Vec<Range<usize>> = self.exactly.find_iter(text).map(|found| found.range()).collect();
        if let Some(near) = &self.nearly {
            places.extend(near.candidates(text).filter(|word| near.may_match_cut(&text[word.clone()])));
        }
        places
    }

    /// Whether some part of a text may [match](Self::matches). Quick; it may be true without a match.
    pub fn may_match(&self, text: &str) -> bool {
        let nearly = |near: &FuzzyWord| near.candidates(text).any(|word| near.may_match_cut(&text[word]));
        self.matches_exactly(text) || self.nearly.as_ref().is_some_and(nearly)
    }
}

/// Compiles a case-insensitive regular expression; `None` when it is too large.
fn folded(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).case_insensitive(true).build().ok()
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

impl FuzzyWord {
    fn new(word: &str) -> Option<Self> {
        if !(SHORTEST..=LONGEST_WORD).contains(&word.chars().count()) {
            return None;
        }
        let letters: Vec<String> =
            word.chars().map(|letter| regex::escape(letter.encode_utf8(&mut [0; 4]))).collect();
        let pattern = letters.join(r"[\p{Alphabetic}\p{N}_]*?");
        let is_word = word.chars().all(is_of_word);
        let rough = is_word.then(|| Arc::new(LazyRegex { pattern, made: OnceLock::new() }));
        let letters = word.chars().filter(|letter| *letter != '/').count();
        let pattern = word.chars().map(lower).collect();
        Some(Self { pattern, letters, is_path: word.contains('/'), rough })
    }

    /// The words of a text that contain all letters of the pattern in order. A name in source code is one word.
    fn candidates<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
        let rough = self.rough.as_ref().and_then(|rough| rough.made());
        let mut last = 0;
        rough.into_iter().flat_map(|rough| rough.find_iter(text)).filter_map(move |found| {
            if found.start() < last {
                return None;
            }
            let start = text[..found.start()].trim_end_matches(is_of_word).len();
            last = text.len() - text[found.end()..].trim_start_matches(is_of_word).len();
            Some(start..last)
        })
    }

    /// Whether a word, or a part of it that a row was cut to, may match fuzzily.
    fn may_match_cut(&self, other: &str) -> bool {
        if other.len() > LONGEST {
            return true;
        }
        self.skips_few(other, true)
    }

    /// Whether a word or path matches fuzzily.
    fn matches(&self, other: &str) -> bool {
        self.skips_few(other, false)
    }

    /// Whether a match skips few letters, apart from those skipped to the next part of the name. It begins with a part of the
    /// name, or `anywhere`.
    fn skips_few(&self, other: &str, anywhere: bool) -> bool {
        let other: Vec<char> = other.chars().collect();
        // For each letter of the other word: the fewest skipped letters when it matches the current pattern letter.
        let mut least: Vec<Option<usize>> = vec![None; other.len()];
        for (number, wanted) in self.pattern.iter().enumerate() {
            // The minimum over earlier letters, without and with the letters skipped since.
            let (mut behind, mut beside): (Option<usize>, Option<usize>) = (None, None);
            for (at, least) in least.iter_mut().enumerate() {
                let begins = begins_part(&other, at);
                let before = if begins { behind } else { beside };
                let reached = if number == 0 { (anywhere || begins).then_some(0) } else { before };
                behind = smaller(behind, *least);
                beside = smaller(beside.map(|left_out| left_out + 1), *least);
                *least = reached.filter(|_| lower(other[at]) == *wanted);
            }
        }
        least.into_iter().flatten().any(|left_out| left_out <= self.letters / MISSING)
    }
}

/// A letter without its case.
fn lower(letter: char) -> char {
    letter.to_lowercase().next().unwrap_or(letter)
}

fn smaller(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    a.into_iter().chain(b).min()
}

/// Whether a part of a name begins at a letter: after `_`, `/` or another separator, or as in `partName` and `part2`.
fn begins_part(of: &[char], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| of[before]) else { return true };
    let letter = of[at];
    !before.is_alphanumeric()
        || !letter.is_alphanumeric()
        || (letter.is_uppercase() && !before.is_uppercase())
        || (letter.is_numeric() && !before.is_numeric())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_stand_whatever_their_case_and_the_white_space() {
        let words = WordPattern::exact("  Größe\n ZWEI. ").unwrap();
        assert!(words.matches_exactly("die größe\t\n zwei."));
        assert!(!words.matches_exactly("größe zweiX"));
        assert!(WordPattern::exact(" \n").is_none());
        assert!(!WordPattern::exact("ffmpg").unwrap().matches("ffmpeg"));
    }

    #[test]
    fn a_mere_sequence_of_letters_is_no_misspelt_word() {
        let is_like = |word: &str, text: &str| WordPattern::fuzzy(word).unwrap().matches(text);
        let prose = "redistribution and use in source and binary forms, with or without modification, are \
            permitted provided that the following conditions are met: redistributions of source code must retain \
            the above copyright notice, this list of conditions and the following disclaimer";
        for word in ["kfre", "ffmpg", "main", "rust", "sort", "tree", "note", "drop", "cope", "best", "bread"]
        {
            assert!(!is_like(word, prose), "{word}");
        }
    }

    #[test]
    fn a_word_longer_than_any_is_sought_as_it_stands() {
        for length in [LONGEST_WORD, LONGEST_WORD + 1, LONGEST_WORD + 2, 1000] {
            let word = "ab".repeat(length)[..length].to_owned();
            let words = WordPattern::fuzzy(&word).unwrap();
            assert!(words.matches(&format!("x {} y", word.to_uppercase())) && words.matches_path(&word));
            let misspelt = format!("{}{}", &word[..1], &word[2..]);
            let is_like = WordPattern::fuzzy(&misspelt).unwrap().matches(&word);
            assert_eq!(is_like, misspelt.len() <= LONGEST_WORD, "{length}");
        }
    }

    #[test]
    fn what_is_like_a_word_is_never_passed_over_in_haste() {
        for (word, text) in
            [("ffmpg", "x ffMPEG"), ("strße", "Straße"), ("abcd", "a_b_c_d"), ("ΣΑΣΑ", "σασα")]
        {
            let words = WordPattern::fuzzy(word).unwrap();
            assert!(!words.matches(text) || words.may_match(text), "{word} {text}");
        }
        assert!(WordPattern::fuzzy("strße").unwrap().matches("Straße"));
        for far in ["UVD_NAME_PORT_RESET_ECHO_DEFAULT_ENABLE_NOTED", "functionalityeverywhere"] {
            assert!(!WordPattern::fuzzy("unprecedented").unwrap().may_match(far), "{far}");
        }
    }

    proptest! {
        #[test]
        fn what_is_like_a_word_in_a_part_of_a_text_has_a_place_in_all_of_it(
            word in "[ab_C1]{4,7}",
            text in "[ab_C1 .]{0,40}",
            cut in (0..40_usize, 0..40_usize),
        ) {
            let words = WordPattern::fuzzy(&word).unwrap();
            let part = cut.0.min(text.len())..cut.1.min(text.len()).max(cut.0.min(text.len()));
            if words.matches(&text[part.clone()]) {
                let is_there = |place: Range<usize>| place.start < part.end && part.start < place.end;
                prop_assert!(words.ranges_in(&text).into_iter().any(is_there));
                prop_assert!(words.may_match(&text));
            }
        }
    }
}
