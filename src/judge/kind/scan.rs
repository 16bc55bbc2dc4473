//! Scans of texts, byte by byte, that are asked of every line or every passage.

/// A set of bytes.
#[derive(Clone, Debug)]
pub(super) struct Bytes {
    all: Vec<u8>,
    has: [bool; 256],
}

impl Bytes {
    /// These bytes.
    pub(super) fn new(bytes: &[u8]) -> Self {
        let mut has = [false; 256];
        bytes.iter().for_each(|byte| has[usize::from(*byte)] = true);
        Self { all: bytes.to_vec(), has }
    }

    /// How many bytes of a text are in the set.
    pub(super) fn count_in(&self, text: &str) -> usize {
        // Of a long text a loop for each byte is the faster one: many bytes are compared at once.
        if text.len() > 256 && self.all.len() <= 6 {
            let count = |byte: &u8| text.bytes().filter(|other| other == byte).count();
            return self.all.iter().map(count).sum();
        }
        text.bytes().map(|byte| usize::from(self.has[usize::from(byte)])).sum()
    }
}

/// Words of a list, which are looked for in texts: most words of a text are told by their first byte and their length
/// to be others.
#[derive(Clone, Debug)]
pub(super) struct Words {
    words: Vec<String>,
    /// For each first byte, in small and in capital letters, the words that begin with it, by bits.
    by_first: [u64; 256],
    /// For each length the words that have it, by bits.
    by_length: [u64; 32],
}

impl Words {
    /// Words in small letters, at most 64 and each of 1 to 31 bytes.
    pub(super) fn new(words: Vec<String>) -> Result<Self, String> {
        if words.len() > 64 || words.iter().any(|word| !(1..32).contains(&word.len())) {
            return Err("a list has at most 64 words, each of 1 to 31 bytes".to_owned());
        }
        let (mut by_first, mut by_length) = ([0; 256], [0; 32]);
        for (at, word) in words.iter().enumerate() {
            let first = word.as_bytes()[0];
            by_first[usize::from(first)] |= 1 << at;
            by_first[usize::from(first.to_ascii_uppercase())] |= 1 << at;
            by_length[word.len()] |= 1 << at;
        }
        Ok(Self { words, by_first, by_length })
    }

    /// Which of them a word is, whatever the case.
    pub(super) fn position(&self, word: &str) -> Option<usize> {
        let first = usize::from(*word.as_bytes().first()?);
        let mut candidates = self.by_first[first] & self.by_length.get(word.len())?;
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
#[derive(Clone, Debug)]
pub(super) struct Signs {
    signs: Vec<String>,
    /// For each byte, in small and capital letters, the signs that begin with it, by bits; and whether it belongs to
    /// words.
    by_first: [u32; 256],
}

/// Says that a byte belongs to words.
const OF_WORD: u32 = 1 << 31;

impl Signs {
    /// Signs in small letters, at most 31; none begins with white space.
    pub(super) fn new(signs: Vec<String>) -> Result<Self, String> {
        if signs.len() > 31 || signs.iter().any(String::is_empty) {
            return Err("a list has at most 31 signs, and none is empty".to_owned());
        }
        let mut by_first = [0; 256];
        for byte in (0..=u8::MAX).filter(u8::is_ascii_alphanumeric) {
            by_first[usize::from(byte)] = OF_WORD;
        }
        for (at, sign) in signs.iter().enumerate() {
            let first = sign.as_bytes()[0];
            by_first[usize::from(first)] |= 1 << at;
            by_first[usize::from(first.to_ascii_uppercase())] |= 1 << at;
        }
        Ok(Self { signs, by_first })
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
    let last =
        text.rmatch_indices('*').find_map(|(at, _)| marks_at(text, at).into_iter().flatten().next_back());
    last == Some(Mark::Open)
}

/// Whether a text begins before a `*/` and no `/*` before it; `None` if it has no `*/`.
pub(super) fn begins_in_comment(text: &str) -> Option<bool> {
    let mut marks = text.match_indices('*').flat_map(|(at, _)| marks_at(text, at)).flatten();
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

/// The marks that an asterisk belongs to, in order.
fn marks_at(text: &str, asterisk: usize) -> [Option<Mark>; 2] {
    let is_slash = |at: usize| text.as_bytes().get(at) == Some(&b'/');
    [is_slash(asterisk.wrapping_sub(1)).then_some(Mark::Open), is_slash(asterisk + 1).then_some(Mark::Close)]
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

    fn list(texts: &[&str]) -> Vec<String> {
        texts.iter().map(ToString::to_string).collect()
    }

    proptest! {
        #[test]
        fn signs_are_counted_as_by_a_naive_count(text in "[abAB@.( \n7é]{0,80}") {
            prop_assert_eq!(Signs::new(list(&SIGNS)).unwrap().count(&text), naive_count(&text, &SIGNS));
            let named = text.bytes().filter(|byte| b"@.7".contains(byte)).count();
            prop_assert_eq!(Bytes::new(b"@.7").count_in(&text), named);
            prop_assert_eq!(Bytes::new(b"@.7").count_in(&text.repeat(20)), named * 20);
        }

        #[test]
        fn words_are_found_as_in_their_list(word in "[abAB.]{0,4}") {
            const LIST: [&str; 5] = ["ab", "a", "bab", ".a", "aab"];
            prop_assert_eq!(Words::new(list(&LIST)).unwrap().position(&word), LIST.iter().position(|known| known.eq_ignore_ascii_case(&word)));
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
