//! Words: maximal runs of letters, digits and the combining marks that follow them, lower-cased.
//!
//! A character of a script that is written without spaces between words is a token of its own, with the
//! marks that follow it. Text is compared as it is encoded: composed and decomposed letters differ.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};
use xxhash_rust::xxh3::xxh3_64;

use super::{LexState, Lexer, Token};

/// The words of a text.
pub struct Words<'t> {
    text: &'t str,
    at: usize,
    folded: Folded,
}

impl<'t> Words<'t> {
    /// The words of a text, from its beginning.
    pub fn new(text: &'t str) -> Self {
        Self { text, at: 0, folded: Folded::default() }
    }
}

impl Lexer for Words<'_> {
    fn state(&self) -> LexState {
        LexState::default()
    }
}

impl Iterator for Words<'_> {
    type Item = Token;

    #[inline]
    fn next(&mut self) -> Option<Token> {
        let (token, at) = next_word(self.text, self.at, self.text.len(), &mut self.folded)?;
        self.at = at;
        Some(token)
    }
}

/// The first word of `text[at..limit]`, and where to go on.
#[inline]
pub(super) fn next_word(
    text: &str,
    mut at: usize,
    limit: usize,
    folded: &mut Folded,
) -> Option<(Token, usize)> {
    let bytes = text.as_bytes();
    while at < limit {
        let byte = bytes[at];
        if byte.is_ascii_alphanumeric() {
            return Some(word_from(text, at, limit, folded));
        }
        if byte.is_ascii() {
            at += 1;
            continue;
        }
        let character = text[at..].chars().next()?;
        match Kind::of(character) {
            Kind::Letter => return Some(word_from(text, at, limit, folded)),
            Kind::Ideograph => return Some(ideograph_from(text, at, limit, folded)),
            Kind::Mark | Kind::Other => at += character.len_utf8(),
        }
    }
    None
}

/// The word that begins at `start`.
#[inline]
fn word_from(text: &str, start: usize, limit: usize, folded: &mut Folded) -> (Token, usize) {
    let bytes = text.as_bytes();
    let mut at = start;
    while at < limit && bytes[at].is_ascii_alphanumeric() {
        at += 1;
    }
    if at < limit && !bytes[at].is_ascii() {
        return unicode_word_from(text, start, limit, folded);
    }
    let hash = folded.hash_ascii(&bytes[start..at]);
    (Token { hash, start: start as u32, end: at as u32 }, at)
}

#[cold]
fn unicode_word_from(text: &str, start: usize, limit: usize, folded: &mut Folded) -> (Token, usize) {
    folded.spill.clear();
    let mut end = start;
    for (offset, character) in text[start..limit].char_indices() {
        match Kind::of(character) {
            Kind::Letter => folded.spill.extend(character.to_lowercase()),
            Kind::Mark => folded.spill.push(character),
            Kind::Ideograph | Kind::Other => break,
        }
        end = start + offset + character.len_utf8();
    }
    let hash = xxh3_64(folded.spill.as_bytes());
    (Token { hash, start: start as u32, end: end as u32 }, end)
}

#[cold]
fn ideograph_from(text: &str, start: usize, limit: usize, folded: &mut Folded) -> (Token, usize) {
    let mut end = start;
    folded.spill.clear();
    for (offset, character) in text[start..limit].char_indices() {
        if offset > 0 && Kind::of(character) != Kind::Mark {
            break;
        }
        folded.spill.push(character);
        end = start + offset + character.len_utf8();
    }
    let hash = xxh3_64(folded.spill.as_bytes());
    (Token { hash, start: start as u32, end: end as u32 }, end)
}

/// Scratch space in which words are folded: no allocation per word.
#[derive(Default)]
pub(super) struct Folded {
    spill: String,
}

impl Folded {
    const SHORT: usize = 32;

    /// The hash of an ASCII word in lower case. Setting one bit lowers a letter and leaves a digit alone.
    #[inline]
    fn hash_ascii(&mut self, word: &[u8]) -> u64 {
        if word.len() <= Self::SHORT {
            let mut buffer = [0; Self::SHORT];
            let short = &mut buffer[..word.len()];
            for (folded, byte) in short.iter_mut().zip(word) {
                *folded = byte | 0x20;
            }
            return xxh3_64(short);
        }
        self.spill.clear();
        self.spill.extend(word.iter().map(|byte| char::from(byte | 0x20)));
        xxh3_64(self.spill.as_bytes())
    }
}

/// What a character is to words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Letter,
    Mark,
    /// Of a script written without spaces.
    Ideograph,
    Other,
}

impl Kind {
    pub(super) fn of(character: char) -> Self {
        if character.is_ascii() {
            return if character.is_ascii_alphanumeric() { Self::Letter } else { Self::Other };
        }
        match character.general_category_group() {
            GeneralCategoryGroup::Mark => Self::Mark,
            GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number if is_unspaced(character) => {
                Self::Ideograph
            }
            GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number => Self::Letter,
            _ => Self::Other,
        }
    }
}

/// Han, kana, bopomofo, Thai, Lao, Tibetan, Myanmar, Khmer and their neighbours.
fn is_unspaced(character: char) -> bool {
    matches!(u32::from(character),
        0x0E00..=0x0EFF | 0x0F00..=0x109F | 0x1780..=0x17FF | 0x1950..=0x19FF | 0x1A20..=0x1AAF
        | 0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3021..=0x312F | 0x31A0..=0x31FF | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF | 0xA9E0..=0xA9FF | 0xAA60..=0xAA7F | 0xF900..=0xFAFF | 0xFF66..=0xFF9F
        | 0x1B000..=0x1B16F | 0x20000..=0x3FFFF)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<&str> {
        Words::new(text).map(|token| &text[token.start as usize..token.end as usize]).collect()
    }

    fn hashes(text: &str) -> Vec<u64> {
        Words::new(text).map(|token| token.hash).collect()
    }

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        assert_eq!(words("It's 3pm, foo_bar!"), ["It", "s", "3pm", "foo", "bar"]);
        assert_eq!(words("naïve e\u{301}te\u{301}"), ["naïve", "e\u{301}te\u{301}"]);
        assert_eq!(words(" \u{301}, "), [""; 0]);
    }

    #[test]
    fn scripts_without_spaces_give_a_token_a_character() {
        assert_eq!(words("東京 tower 9時"), ["東", "京", "tower", "9", "時"]);
        assert_eq!(words("ภาษา"), ["ภ", "า", "ษ", "า"]);
    }

    #[test]
    fn case_does_not_matter_and_length_does_not_either() {
        let long = "ABCDEFGHIJ".repeat(9);
        for text in ["Straße ÄÖÜ", "ΑΒΓ", "I", long.as_str()] {
            assert_eq!(hashes(text), hashes(&text.to_lowercase()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn spans_ascend_and_cover_all_letters(text in "\\PC{0,60}") {
            let mut before = 0;
            for token in Words::new(&text) {
                let (start, end) = (token.start as usize, token.end as usize);
                prop_assert!(before <= start && start < end);
                prop_assert!(text[before..start].chars().all(|c| matches!(Kind::of(c), Kind::Mark | Kind::Other)));
                before = end;
            }
            prop_assert!(text[before..].chars().all(|c| matches!(Kind::of(c), Kind::Mark | Kind::Other)));
        }
    }
}
