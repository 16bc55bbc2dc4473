//! Scans of texts, byte by byte, that are asked of every line or every passage.

/// The bytes of text that are compared at once.
const BLOCK: usize = 32;

/// Whether a text has this somewhere, whatever the case; `what` is in small letters and has two bytes or more.
pub(super) fn has(text: &str, what: &str) -> bool {
    /// What makes letters small, and lets no byte that is looked for pass for another one.
    const SMALL: u8 = 0x20;
    let (text, what) = (text.as_bytes(), what.as_bytes());
    let Some(last) = text.len().checked_sub(what.len()) else { return false };
    let (first, second) = (what[0] | SMALL, what[1] | SMALL);
    let is_at = |at: usize| text[at..at + what.len()].eq_ignore_ascii_case(what);
    let mut start = 0;
    // Few blocks have the first two bytes, and a loop without branches is fast.
    while start + BLOCK <= last {
        let both = text[start..start + BLOCK].iter().zip(&text[start + 1..=start + BLOCK]);
        let may_have = both.fold(false, |may, (a, b)| may | (a | SMALL == first) & (b | SMALL == second));
        if may_have && (start..start + BLOCK).any(is_at) {
            return true;
        }
        start += BLOCK;
    }
    (start..=last).any(is_at)
}

/// A set of bytes.
pub(super) struct Bytes([bool; 256]);

impl Bytes {
    /// These bytes.
    pub(super) const fn of(bytes: &[u8]) -> Self {
        let mut has = [false; 256];
        let mut at = 0;
        while at < bytes.len() {
            has[bytes[at] as usize] = true;
            at += 1;
        }
        Self(has)
    }

    /// How many bytes of a text are in the set.
    pub(super) fn count_in(&self, text: &str) -> usize {
        text.bytes().map(|byte| usize::from(self.0[usize::from(byte)])).sum()
    }
}

/// Words of a list, which are looked for in texts: most words of a text are told by their first byte and their length
/// to be others.
pub(super) struct Words {
    words: &'static [&'static str],
    /// For each first byte the lengths of the words that begin with it, by bits, in small and in capital letters.
    lengths: [u32; 256],
    /// For each first byte the words that begin with it, by bits.
    by_first: [u64; 256],
}

impl Words {
    /// Words in small letters, at most 64 and each of 1 to 31 bytes.
    pub(super) const fn of(words: &'static [&'static str]) -> Self {
        let (mut lengths, mut by_first) = ([0; 256], [0; 256]);
        let mut at = 0;
        while at < words.len() {
            let word = words[at].as_bytes();
            assert!(at < 64 && word.len() < 32);
            let both = [word[0], word[0].to_ascii_uppercase()];
            lengths[both[0] as usize] |= 1 << word.len();
            by_first[both[0] as usize] |= 1 << at;
            lengths[both[1] as usize] |= 1 << word.len();
            by_first[both[1] as usize] |= 1 << at;
            at += 1;
        }
        Self { words, lengths, by_first }
    }

    /// Whether a word is one of them, in small letters.
    pub(super) fn has(&self, word: &str) -> bool {
        self.position(word).is_some_and(|at| self.words[at] == word)
    }

    /// Which of them a word is, whatever the case.
    pub(super) fn position(&self, word: &str) -> Option<usize> {
        let first = usize::from(*word.as_bytes().first()?);
        if word.len() > 31 || self.lengths[first] >> word.len() & 1 == 0 {
            return None;
        }
        let mut candidates = self.by_first[first];
        while candidates != 0 {
            let at = candidates.trailing_zeros() as usize;
            if self.words[at].eq_ignore_ascii_case(word) {
                return Some(at);
            }
            candidates &= candidates - 1;
        }
        None
    }
}

/// Signs that are counted in texts. Those with the same first byte are found by it.
pub(super) struct Signs {
    signs: &'static [&'static str],
    /// For each byte, in small and capital letters, the signs that begin with it, by bits; and whether it belongs to
    /// words.
    by_first: [u32; 256],
}

/// Says that a byte belongs to words.
const OF_WORD: u32 = 1 << 31;

impl Signs {
    /// Signs in small letters, at most 31; none begins with white space.
    pub(super) const fn of(signs: &'static [&'static str]) -> Self {
        let mut by_first = [0; 256];
        let mut byte = 0;
        while byte < by_first.len() {
            by_first[byte] = if (byte as u8).is_ascii_alphanumeric() { OF_WORD } else { 0 };
            byte += 1;
        }
        let mut at = 0;
        while at < signs.len() {
            let first = signs[at].as_bytes()[0];
            by_first[first as usize] |= 1 << at;
            if first.is_ascii_lowercase() {
                by_first[first.to_ascii_uppercase() as usize] |= 1 << at;
            }
            at += 1;
        }
        Self { signs, by_first }
    }

    /// How often one of the signs begins a word of a text, or stands before one, whatever the case.
    pub(super) fn count(&self, text: &str) -> usize {
        let text = text.as_bytes();
        let (mut count, mut before) = (0, 0);
        for (at, byte) in text.iter().enumerate() {
            let entry = self.by_first[usize::from(*byte)];
            let is_within = entry & std::mem::replace(&mut before, entry) & OF_WORD != 0;
            let mut begin = entry & !OF_WORD;
            if (begin == 0) | is_within {
                continue;
            }
            while begin != 0 {
                let sign = self.signs[begin.trailing_zeros() as usize].as_bytes();
                let here = text[at..].get(..sign.len());
                count += usize::from(here.is_some_and(|here| here.eq_ignore_ascii_case(sign)));
                begin &= begin - 1;
            }
        }
        count
    }
}

/// Whether a text ends behind `/*` and no `*/` behind it.
pub(super) fn ends_in_comment(text: &str) -> bool {
    let text = text.as_bytes();
    // A mark that ends here.
    let ends = |at: usize| match (text[at - 1], text[at]) {
        (b'/', b'*') => Some(true),
        (b'*', b'/') => Some(false),
        _ => None,
    };
    (1..text.len()).rev().find_map(ends) == Some(true)
}

/// Whether a text begins before a `*/` and no `/*` before it; `None` if it has no `*/`.
pub(super) fn begins_in_comment(text: &str) -> Option<bool> {
    let text = text.as_bytes();
    let mut marks = text.windows(2).filter_map(mark);
    match marks.next()? {
        Mark::Close => Some(true),
        Mark::Open => marks.any(|mark| mark == Mark::Close).then_some(false),
    }
}

/// A mark of block comments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Open,
    Close,
}

fn mark(two: &[u8]) -> Option<Mark> {
    match two {
        b"/*" => Some(Mark::Open),
        b"*/" => Some(Mark::Close),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn naive_count(text: &str, signs: &[&str]) -> usize {
        let text = text.to_ascii_lowercase();
        let begins = |at: usize| {
            let is_letter = |at: usize| text.as_bytes()[at].is_ascii_alphanumeric();
            !(at > 0 && is_letter(at) && is_letter(at - 1))
        };
        let places = (0..text.len()).filter(|&at| begins(at));
        places
            .map(|at| signs.iter().filter(|sign| text.as_bytes()[at..].starts_with(sign.as_bytes())).count())
            .sum()
    }

    const SIGNS: [&str; 5] = ["ab", "@a\n", ".b(", "a", "b "];
    static TABLE: Signs = Signs::of(&SIGNS);

    proptest! {
        #[test]
        fn has_finds_what_a_naive_search_finds(text in "[abAB@`é \n]{0,120}", what in "[ab@ ]{2,4}") {
            prop_assert_eq!(has(&text, &what), text.to_ascii_lowercase().contains(&what));
        }

        #[test]
        fn signs_are_counted_as_by_a_naive_count(text in "[abAB@.( \n7é]{0,80}") {
            prop_assert_eq!(TABLE.count(&text), naive_count(&text, &SIGNS));
            let named = text.bytes().filter(|byte| b"@.7".contains(byte)).count();
            prop_assert_eq!(Bytes::of(b"@.7").count_in(&text), named);
        }

        #[test]
        fn words_are_found_as_in_their_list(word in "[abAB.]{0,4}") {
            const LIST: [&str; 5] = ["ab", "a", "bab", ".a", "aab"];
            static WORDS: Words = Words::of(&LIST);
            prop_assert_eq!(WORDS.has(&word), LIST.contains(&&*word));
            prop_assert_eq!(WORDS.position(&word), LIST.iter().position(|known| known.eq_ignore_ascii_case(&word)));
        }

        #[test]
        fn comments_open_and_close_as_by_naive_searches(text in "[/*a]{0,12}") {
            let (open, close) = (text.rfind("/*"), text.rfind("*/"));
            prop_assert_eq!(ends_in_comment(&text), open.is_some_and(|open| close.is_none_or(|close| open > close)));
            let begins = text.find("*/").map(|close| text.find("/*").is_none_or(|open| close < open));
            prop_assert_eq!(begins_in_comment(&text), begins);
        }
    }
}
