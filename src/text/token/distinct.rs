//! Where folded source code says too little, its tokens are left as they are: tables of numbers and lists of names are
//! copies of each other only if they are equal.
//!
//! A folded token counts only in some run of [`WINDOW`] tokens of its document with at least [`LEAST`] different ones, where
//! numbers make no difference. The others have the hash that they would have if nothing were folded, so comments that are
//! dropped make no difference either.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use super::{Code, LexState, Lexer, Token};

/// How many consecutive tokens are looked at.
const WINDOW: usize = 25;
/// How many of them must be different.
const LEAST: usize = 10;

/// The tokens of a folded document.
pub(super) struct DistinctTokens {
    tokens: std::vec::IntoIter<(Token, LexState)>,
    state: LexState,
}

impl DistinctTokens {
    /// The tokens of a text, as a lexer folds them, where they say enough.
    pub(super) fn new(text: &str, mut lexer: Code<'_>) -> Self {
        let (mut tokens, mut kinds, mut unfolded) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(token) = lexer.next() {
            let state = lexer.state();
            // Words of comments are never folded.
            let own = if state.is_in_comment() {
                &text.as_bytes()[token.start as usize..token.end as usize]
            } else {
                lexer.unfolded()
            };
            kinds.push(kind(own, token.hash));
            unfolded.push(xxh3_64(own));
            tokens.push((token, state));
        }
        let says_enough = say_enough(&kinds);
        for (((token, _), unfolded), says_enough) in tokens.iter_mut().zip(unfolded).zip(says_enough) {
            if !says_enough {
                token.hash = unfolded;
            }
        }
        Self { tokens: tokens.into_iter(), state: LexState::default() }
    }
}

impl Iterator for DistinctTokens {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let (token, state) = self.tokens.next()?;
        self.state = state;
        Some(token)
    }
}

impl Lexer for DistinctTokens {
    fn state(&self) -> LexState {
        self.state
    }
}

/// What is different of a token with such a text, not folded, and such a hash: all numbers are one, whether they are
/// folded or not.
fn kind(own: &[u8], hash: u64) -> u64 {
    if !own.first().is_some_and(u8::is_ascii_digit) {
        return hash;
    }
    let is_of_number = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'.' | b'_');
    let end = own.iter().take_while(is_of_number).count();
    !xxh3_64(&own[end..])
}

/// For each token, whether it is in a run with enough different ones.
fn say_enough(hashes: &[u64]) -> Vec<bool> {
    let mut enough = vec![false; hashes.len()];
    let (mut counts, mut reached) = (HashMap::<u64, u32>::new(), 0);
    for (end, hash) in (1_usize..).zip(hashes) {
        *counts.entry(*hash).or_default() += 1;
        let start = end.saturating_sub(WINDOW);
        if let Some(before) = start.checked_sub(1)
            && let Some(count) = counts.get_mut(&hashes[before])
        {
            *count -= 1;
            if *count == 0 {
                counts.remove(&hashes[before]);
            }
        }
        if counts.len() >= LEAST {
            enough[start.max(reached)..end].fill(true);
            reached = end;
        }
    }
    enough
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::token::{Comments, Folding, Language, Tokeniser};

    /// The hashes of the tokens of C with names and literals folded, and without comments.
    fn folded(text: &str) -> Vec<u64> {
        let c = Language::from_name("C").expect("C");
        let folding = Folding { identifiers: true, literals: true };
        let tokens = Tokeniser::Folded(c, Comments::Drop, folding).tokens(text, LexState::default());
        tokens.iter().map(|token| token.hash).collect()
    }

    #[test]
    fn dropped_comments_make_no_difference_where_nothing_is_folded() {
        let plain = "int a[][2] = { { 1, 2 }, { 3, 4 } };";
        let commented = "int a[][2] = { { 1, 2 }, /* second row */ { 3, // three\n 4 } };";
        assert_eq!(folded(commented), folded(plain));
        assert_ne!(folded("{ { 1, 2 }, /* 3 */ { 4 } }"), folded("{ { 1, 2 }, /* 3 */ { 5 } }"));
        assert_eq!(folded("break; // why\n}"), folded("break;\n}"));
        assert_eq!(folded("f(\"a b\", /* why */ (x));"), folded("f(\"a b\", (x));"));
        assert_ne!(folded("f(\"a b\");"), folded("f(\"a c\");"));
    }

    fn naive(hashes: &[u64]) -> Vec<bool> {
        let is_rich = |start: usize| {
            let run = &hashes[start..hashes.len().min(start + WINDOW)];
            run.iter().collect::<std::collections::HashSet<_>>().len() >= LEAST
        };
        let starts: Vec<usize> = (0..hashes.len()).filter(|start| is_rich(*start)).collect();
        (0..hashes.len())
            .map(|at| starts.iter().any(|start| (*start..start + WINDOW).contains(&at)))
            .collect()
    }

    proptest! {
        #[test]
        fn a_token_counts_in_a_run_with_enough_different_ones(
            parts in prop::collection::vec((1..14_u64, 1..40_usize), 0..6),
        ) {
            let hashes: Vec<u64> =
                parts.iter().flat_map(|(different, length)| (0..*length as u64).map(move |at| at % different)).collect();
            prop_assert_eq!(say_enough(&hashes), naive(&hashes));
        }
    }
}
