//! Words: maximal runs of letters, digits and the marks that follow them, in lower case.
//!
//! A token's hash is xxh3-64 of its folded UTF-8, in the fast and in the slow path, so equal folded text has equal
//! hashes. Folding is `char::to_lowercase` character by character; composed and decomposed forms (NFC, NFD) stay
//! different. Each letter of a script written without spaces is a word of its own, with its marks. A mark without a
//! letter before it belongs to no word.
//!
//! A word does not depend on the text before it, so the lexer has only one state.

use xxhash_rust::xxh3::xxh3_64;

use super::class::Class;
use super::{LexState, Lexer, Token, swar};

/// The longest ASCII word, in bytes, that is folded without using the heap.
const SHORT: usize = 64;

/// The words of a text.
#[derive(Clone, Debug)]
pub struct Words<'t> {
    text: &'t str,
    at: usize,
    folder: CaseFolder,
}

impl<'t> Words<'t> {
    /// The words of `text`, which must be shorter than 4 GiB.
    pub fn new(text: &'t str) -> Self {
        Self { text, at: 0, folder: CaseFolder::default() }
    }
}

impl Iterator for Words<'_> {
    type Item = Token;

    #[inline]
    fn next(&mut self) -> Option<Token> {
        loop {
            self.at = candidate(self.text.as_bytes(), self.at);
            if let Some(word) = self.folder.word(self.text, self.at) {
                self.at = word.end as usize;
                return Some(word);
            }
            self.at += char_at(self.text, self.at)?.len_utf8();
        }
    }
}

impl Lexer for Words<'_> {
    fn state(&self) -> LexState {
        LexState::default()
    }
}

/// The position of the next byte, at or after `at`, that may begin a word.
#[inline]
pub(super) fn candidate(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = swar::load(bytes, at) {
        let skipped = swar::before(swar::alnum(chunk) | swar::high(chunk));
        at += skipped;
        if skipped < 8 {
            return at;
        }
    }
    while bytes.get(at).is_some_and(|b| b.is_ascii() && !b.is_ascii_alphanumeric()) {
        at += 1;
    }
    at
}

/// The character at `at`; `None` at the end of the text.
#[inline]
pub(super) fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

#[inline]
fn token(hash: u64, start: usize, end: usize) -> Token {
    Token { hash, start: start as u32, end: end as u32 }
}

/// Folds and hashes one word at a time. It uses a buffer on the heap only for words that are not short ASCII.
#[derive(Clone, Debug, Default)]
pub(super) struct CaseFolder {
    spill: String,
}

impl CaseFolder {
    /// The word that begins at `start`; `None` if no word begins there.
    #[inline]
    pub(super) fn word(&mut self, text: &str, start: usize) -> Option<Token> {
        let bytes = text.as_bytes();
        let mut folded = [0; SHORT];
        let mut len = 0;
        // Write whole chunks, never single bytes: the hash function reads machine words, and a wide read after
        // narrow writes stalls the processor.
        for slot in folded.as_chunks_mut::<8>().0 {
            let Some(chunk) = swar::load(bytes, start + len) else {
                return self.fold_slowly(text, start);
            };
            *slot = swar::fold(chunk).to_le_bytes();
            let run = swar::before(swar::invert(swar::alnum(chunk)));
            len += run;
            if run < 8 {
                let end = start + len;
                if bytes[end].is_ascii() || !continues(text, end, len > 0) {
                    let hash = || xxh3_64(&folded[..len]);
                    return (len > 0).then(|| token(hash(), start, end));
                }
                break;
            }
        }
        self.fold_slowly(text, start)
    }

    /// The slow path for any word, character by character.
    #[cold]
    #[inline(never)]
    fn fold_slowly(&mut self, text: &str, start: usize) -> Option<Token> {
        self.spill.clear();
        let rest = text.get(start..)?;
        let mut end = start;
        for c in rest.chars() {
            let class = Class::from_char(c);
            let first = end == start;
            if first && !class.is_letter() {
                return None;
            }
            let ends_here = if class.is_unspaced() { !first } else { !class.is_letter() && !class.is_mark() };
            if ends_here {
                break;
            }
            if class.is_cased() {
                self.spill.extend(c.to_lowercase());
            } else {
                self.spill.push(c);
            }
            end += c.len_utf8();
            if first && class.is_unspaced() {
                end = self.marks(text, end);
                break;
            }
        }
        (end > start).then(|| token(xxh3_64(self.spill.as_bytes()), start, end))
    }

    /// Adds the marks at `end` to the word. Returns the end of the marks.
    fn marks(&mut self, text: &str, mut end: usize) -> usize {
        while let Some(mark) = char_at(text, end).filter(|&c| Class::from_char(c).is_mark()) {
            self.spill.push(mark);
            end += mark.len_utf8();
        }
        end
    }
}

/// Whether the character at `at` begins a word or, if `inside`, continues one.
fn continues(text: &str, at: usize, inside: bool) -> bool {
    char_at(text, at).is_some_and(|c| {
        let class = Class::from_char(c);
        if inside { class.is_mark() || class.is_letter() && !class.is_unspaced() } else { class.is_letter() }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<(&str, u64)> {
        Words::new(text).map(|t| (&text[t.start as usize..t.end as usize], t.hash)).collect()
    }

    #[test]
    fn texts_have_the_words_of_the_table() {
        crate::script::table("cases/words.txt", |_, text| {
            vec![words(text).into_iter().map(|(word, _)| word).collect::<Vec<_>>().join(" · ")]
        });
    }

    #[test]
    fn folding_gives_equal_hashes_whichever_path_folds() {
        // The Kelvin sign folds to an ASCII k, so both paths hash the same text.
        assert_eq!(words("\u{212a}elvin")[0].1, words("Kelvin ")[0].1);
        assert_eq!(words("ÉTÉ")[0].1, words("été")[0].1);
        assert_eq!(words("İ")[0].1, xxh3_64("i\u{307}".as_bytes()));
        let long = "Ab9".repeat(50);
        assert_eq!(words(&long)[0].1, xxh3_64(long.to_lowercase().as_bytes()));
    }

    /// The definition, implemented naively.
    fn reference(text: &str) -> Vec<(usize, String)> {
        let mut found: Vec<(usize, String)> = Vec::new();
        let mut open = false;
        let mut single = false;
        for (at, c) in text.char_indices() {
            let class = Class::from_char(c);
            let joins = open && (class.is_mark() || class.is_letter() && !single);
            if joins && !class.is_unspaced() {
                found.last_mut().expect("an open word").1.extend(c.to_lowercase());
            } else {
                open = class.is_letter();
                single = class.is_unspaced();
                if open {
                    found.push((at, c.to_lowercase().collect()));
                }
            }
        }
        found
    }

    proptest! {
        #[test]
        fn words_are_what_their_definition_says(text in "([a-zA-Z0-9]{0,20}|[ .,_'\u{301}éΣß漢かก\u{e48}İ😀—]|[aZ9]{60,70}|.){0,24}") {
            let found: Vec<_> = Words::new(&text).map(|t| (t.start as usize, t.hash)).collect();
            let expected: Vec<_> = reference(&text)
                .into_iter()
                .map(|(at, word)| (at, xxh3_64(word.as_bytes())))
                .collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn lexing_goes_on_from_the_end_of_any_word(text in "([a-zA-Z]{1,9}|[ .,\u{301}é漢]){0,24}") {
            let tokens: Vec<_> = Words::new(&text).collect();
            for (i, token) in tokens.iter().enumerate() {
                let rest = &text[token.end as usize..];
                let hashes: Vec<_> = Words::new(rest).map(|t| (t.hash, t.start + token.end)).collect();
                let expected: Vec<_> = tokens[i + 1..].iter().map(|t| (t.hash, t.start)).collect();
                prop_assert_eq!(hashes, expected);
            }
        }
    }
}
