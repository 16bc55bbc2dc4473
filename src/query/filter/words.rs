//! Words that are looked for in texts and names: as they stand, or nearly so.
//!
//! Nearly means that a word has all the letters in their order, that of four letters at most one is left
//! out between two others, and that else only the rest of a part is skipped: so `ffmpg` finds `ffmpeg`, and
//! `kfree` finds `kernel_free`. It is sought in one word of a text or one piece of a path, because in a whole
//! text the letters of any word stand somewhere one behind the other. Only `drv/net/e1000`, which is a path
//! by its slashes, is sought in a path as a whole.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use nucleo_matcher::chars::to_lower_case;
use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use regex::{Regex, RegexBuilder};

/// A shorter word is nearly every word.
const SHORTEST: usize = 4;
/// A longer word is sought as it stands: it has no misspelt twin, and a pattern for one would take a gigabyte.
const LONGEST_WORD: usize = 64;
/// Bytes of a word that are looked at closely before a row is made.
const LONGEST: usize = 4 << 10;
/// Of so many letters of a word one may be missing.
const MISSING: usize = 4;

thread_local! {
    /// The room that matching takes, and nothing that lasts.
    static ROOM: RefCell<Room> = RefCell::new(Room {
        matcher: Matcher::new(Config::DEFAULT.match_paths()),
        letters: Vec::new(),
        found: Vec::new(),
    });
}

struct Room {
    matcher: Matcher,
    letters: Vec<char>,
    found: Vec<u32>,
}

/// Some words that must stand in a text or a path.
#[derive(Clone, Debug)]
pub struct WordPattern {
    exactly: Regex,
    nearly: Option<Near>,
}

/// A word that may be misspelt.
#[derive(Clone, Debug)]
struct Near {
    atom: Atom,
    letters: usize,
    is_path: bool,
    /// Matches in all words of a text that are nearly this one, and in some others; none for what is no word.
    rough: Option<Arc<Rough>>,
}

/// A pattern that is made when it is needed first: a filter is read anew with every letter that is typed, and
/// this takes longer than all the rest.
#[derive(Debug)]
struct Rough {
    pattern: String,
    made: OnceLock<Option<Regex>>,
}

impl Rough {
    fn made(&self) -> Option<&Regex> {
        self.made.get_or_init(|| folded(&self.pattern)).as_ref()
    }
}

impl WordPattern {
    /// Words as they stand, whatever their case and the white space between them; `None` when there are none.
    pub fn exact(text: &str) -> Option<Self> {
        let words: Vec<String> = text.split_whitespace().map(regex::escape).collect();
        if words.is_empty() {
            return None;
        }
        Some(Self { exactly: folded(&words.join(r"\s+"))?, nearly: None })
    }

    /// A word as it stands, or nearly.
    pub fn fuzzy(word: &str) -> Option<Self> {
        Some(Self { nearly: Near::new(word), ..Self::exact(word)? })
    }

    /// Whether they stand in a text as they are.
    pub fn matches_exactly(&self, text: &str) -> bool {
        self.exactly.is_match(text)
    }

    /// Whether they stand in a text, or nearly.
    pub fn matches(&self, text: &str) -> bool {
        let nearly = |near: &Near| near.candidates(text).any(|word| near.is(&text[word]));
        self.matches_exactly(text) || self.nearly.as_ref().is_some_and(nearly)
    }

    /// Whether they stand in a path, or nearly.
    pub fn matches_path(&self, path: &str) -> bool {
        let nearly = |near: &Near| match near.is_path {
            true => near.is(path),
            false => path.split('/').any(|piece| near.is(piece)),
        };
        self.matches_exactly(path) || self.nearly.as_ref().is_some_and(nearly)
    }

    /// Where in a text they, or words that are [like](Self::matches) them in a part of it, stand, in no order: at
    /// least the first of those that overlap, and now and then one too many.
    pub fn ranges_in(&self, text: &str) -> Vec<Range<usize>> {
        let mut places: Vec<Range<usize>> = self.exactly.find_iter(text).map(|found| found.range()).collect();
        if let Some(near) = &self.nearly {
            places.extend(near.candidates(text).filter(|word| near.may_be(&text[word.clone()])));
        }
        places
    }

    /// Whether some part of a text can be [like](Self::matches) them. Quick, and now and then too often true.
    pub fn may_match(&self, text: &str) -> bool {
        let nearly = |near: &Near| near.candidates(text).any(|word| near.may_be(&text[word]));
        self.matches_exactly(text) || self.nearly.as_ref().is_some_and(nearly)
    }
}

/// A pattern of escaped words without regard to case; too large a one is no pattern.
fn folded(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).case_insensitive(true).build().ok()
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

impl Near {
    fn new(word: &str) -> Option<Self> {
        if !(SHORTEST..=LONGEST_WORD).contains(&word.chars().count()) {
            return None;
        }
        let atom = Atom::new(word, CaseMatching::Ignore, Normalization::Never, AtomKind::Fuzzy, false);
        let letters: Vec<String> =
            word.chars().map(|letter| regex::escape(letter.encode_utf8(&mut [0; 4]))).collect();
        let pattern = letters.join(r"[\p{Alphabetic}\p{N}_]*?");
        let is_word = word.chars().all(is_of_word);
        let rough = is_word.then(|| Arc::new(Rough { pattern, made: OnceLock::new() }));
        let letters = word.chars().filter(|letter| *letter != '/').count();
        Some(Self { atom, letters, is_path: word.contains('/'), rough })
    }

    /// The words of a text, as names in source code are written, that have all the letters in their order.
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

    /// Whether a word, or what is left of it where a row begins or ends, may be nearly this one.
    fn may_be(&self, other: &str) -> bool {
        if other.len() > LONGEST {
            return true;
        }
        let mut room = Vec::new();
        let other = Utf32Str::new(other, &mut room);
        // For each letter of the other word how many are left out at least when it is the one that was found last.
        let mut least: Vec<Option<usize>> = vec![None; other.len()];
        for (number, wanted) in self.atom.needle_text().chars().enumerate() {
            // Of all those found before: the least as it is, and with what is left out between counted.
            let (mut behind, mut beside): (Option<usize>, Option<usize>) = (None, None);
            for (at, least) in (0..).zip(&mut least) {
                let before = if begins_part(other, at) { behind } else { beside };
                let reached = if number == 0 { Some(0) } else { before };
                behind = smaller(behind, *least);
                beside = smaller(beside.map(|left_out| left_out + 1), *least);
                *least = reached.filter(|_| to_lower_case(other.get(at)) == wanted);
            }
        }
        least.into_iter().flatten().any(|left_out| left_out <= self.letters / MISSING)
    }

    /// Whether a word, or a path, is nearly this one.
    fn is(&self, other: &str) -> bool {
        ROOM.with_borrow_mut(|Room { matcher, letters, found }| {
            found.clear();
            let other = Utf32Str::new(other, letters);
            let is_there = self.atom.indices(other, matcher, found).is_some();
            is_there && missing(other, found).is_some_and(|missing| missing <= self.letters / MISSING)
        })
    }
}

fn smaller(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    a.into_iter().chain(b).min()
}

/// How many letters are left out between those that were found, the rests of parts not counted; `None` when
/// the first one does not begin a part.
fn missing(of: Utf32Str, found: &[u32]) -> Option<usize> {
    let (&first, _) = found.split_first()?;
    let gaps = found.windows(2).filter(|pair| !begins_part(of, pair[1]));
    begins_part(of, first).then(|| gaps.map(|pair| (pair[1] - pair[0]) as usize - 1).sum())
}

/// Whether a part of a name begins at a letter: behind `_` or `/` or such, or as in `partName` and `part2`.
fn begins_part(of: Utf32Str, at: u32) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| of.get(before)) else { return true };
    let letter = of.get(at);
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
    fn a_misspelt_word_is_found_and_a_mere_sequence_of_letters_is_not() {
        let is_like = |word: &str, text: &str| WordPattern::fuzzy(word).unwrap().matches(text);
        for (word, text) in [
            ("kfre", "kfree(x)"),
            ("ffmpg", "run ffmpeg now"),
            ("Permision", "permission is granted"),
            ("prntk", "PRINTK"),
            ("kfree", "kernel_free"),
            ("findNam", "findByName"),
        ] {
            assert!(is_like(word, text), "{word} {text}");
        }
        let prose = "redistribution and use in source and binary forms, with or without modification, are \
            permitted provided that the following conditions are met: redistributions of source code must retain \
            the above copyright notice, this list of conditions and the following disclaimer";
        for word in ["kfre", "ffmpg", "main", "rust", "sort", "tree", "note", "drop", "cope", "best", "bread"]
        {
            assert!(!is_like(word, prose), "{word}");
        }
        assert!(!is_like("int", "insert it"), "a short word is taken as it stands");
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
    fn pieces_of_a_path_are_enough() {
        let path = "drivers/net/ethernet/intel/e1000/e1000_main.c";
        let names = |word: &str, path: &str| WordPattern::fuzzy(word).unwrap().matches_path(path);
        for word in ["drv/net/e1000", "intel/e1000", "ethrnet", "e1000main", "drivers/e1000_main.c"] {
            assert!(names(word, path), "{word}");
        }
        for word in ["fs/ext4", "drv/usb", "drain", "dice", "mine/in"] {
            assert!(!names(word, path), "{word}");
        }
        assert!(!names("main", "media/mac80211/in.c"), "not across pieces");
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
