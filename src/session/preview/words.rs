//! The words in which two copies differ. A token of code is a lexeme with the operators and brackets behind it: of two such
//! tokens that have no counterpart, only the words and signs that differ are told.

use std::ops::Range;

use super::copy_places::span_of;
use dupi_index::query::ByteSpan;
use dupi_judge::copies::OpenCopy;
use dupi_passage::align::{TABLE, matched_within};
use dupi_text::token::Token;
use xxhash_rust::xxh3::xxh3_64;

/// The words of two copies that differ, as spans of their texts; neighbouring words are one span. `matches` are the
/// ascending pairs of tokens that correspond.
pub(super) fn differing_words(
    one: &OpenCopy,
    other: &OpenCopy,
    matches: &[(u32, u32)],
) -> [Vec<ByteSpan>; 2] {
    words_between((&one.page.file.text, &one.tokens), (&other.page.file.text, &other.tokens), matches)
}

fn words_between(
    (text, tokens): (&str, &[Token]),
    (other_text, other_tokens): (&str, &[Token]),
    matches: &[(u32, u32)],
) -> [Vec<ByteSpan>; 2] {
    let [mut differing, mut other_differing] = [Vec::new(), Vec::new()];
    let (mut first, mut other_first) = (0, 0);
    let end = (tokens.len() as u32, other_tokens.len() as u32);
    for &(next, other_next) in matches.iter().chain([&end]) {
        let (run, other_run) =
            (&tokens[first..next as usize], &other_tokens[other_first..other_next as usize]);
        (first, other_first) = (next as usize + 1, other_next as usize + 1);
        if run.is_empty() && other_run.is_empty() {
            continue;
        }
        let (words, other_words) = (words_of(text, run), words_of(other_text, other_run));
        let hashes = |words: &[(u64, Range<u32>)]| words.iter().map(|word| word.0).collect::<Vec<_>>();
        let pairs = matched_within(&hashes(&words), &hashes(&other_words), TABLE);
        let spans = unmatched(text, &words, pairs.iter().map(|pair| pair.0));
        let other_spans = unmatched(other_text, &other_words, pairs.iter().map(|pair| pair.1));
        if spans.is_empty() && other_spans.is_empty() {
            // They differ in white space only.
            differing.extend((!run.is_empty()).then(|| span_of(run)));
            other_differing.extend((!other_run.is_empty()).then(|| span_of(other_run)));
        }
        differing.extend(spans);
        other_differing.extend(other_spans);
    }
    [differing, other_differing]
}

/// The words and single signs of some tokens, each with its hash.
fn words_of(text: &str, tokens: &[Token]) -> Vec<(u64, Range<u32>)> {
    let is_in_word = |letter: char| letter.is_alphanumeric() || letter == '_' || !letter.is_ascii();
    let mut words: Vec<(u64, Range<u32>)> = Vec::new();
    for token in tokens {
        let part = text.get(token.start as usize..token.end as usize).unwrap_or_default();
        let mut letters = part.char_indices().peekable();
        while let Some((start, letter)) = letters.next() {
            let mut end = start + letter.len_utf8();
            while is_in_word(letter) && letters.next_if(|(_, next)| is_in_word(*next)).is_some() {
                end = letters.peek().map_or(part.len(), |(next, _)| *next);
            }
            if !letter.is_whitespace() {
                let hash = xxh3_64(&part.as_bytes()[start..end]);
                words.push((hash, token.start + start as u32..token.start + end as u32));
            }
        }
    }
    words
}

/// The spans of the words that have no counterpart; neighbouring words of a line are one span.
fn unmatched(text: &str, words: &[(u64, Range<u32>)], matched: impl Iterator<Item = u32>) -> Vec<ByteSpan> {
    let mut is_matched = vec![false; words.len()];
    matched.for_each(|number| is_matched[number as usize] = true);
    let mut spans: Vec<ByteSpan> = Vec::new();
    for (number, (_, word)) in words.iter().enumerate().filter(|(number, _)| !is_matched[*number]) {
        let follows = |last: &&mut ByteSpan| {
            let between = text.get(last.end as usize..word.start as usize).unwrap_or_default();
            number > 0 && !is_matched[number - 1] && !between.contains('\n')
        };
        match spans.last_mut().filter(follows) {
            Some(last) => last.end = u64::from(word.end),
            None => spans.push(ByteSpan { start: u64::from(word.start), end: u64::from(word.end) }),
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tokens that end at each `|`, which is no part of them, and white space.
    fn side(marked: &str) -> (String, Vec<Token>) {
        let (mut text, mut tokens) = (String::new(), Vec::new());
        for part in marked.split('|') {
            let start = text.len() as u32;
            text.push_str(part);
            let end = text.trim_end().len() as u32;
            tokens.push(Token { hash: xxh3_64(part.trim_end().as_bytes()), start, end });
        }
        (text, tokens)
    }

    fn differing(one: &str, other: &str) -> [Vec<String>; 2] {
        let ((text, tokens), (other_text, other_tokens)) = (side(one), side(other));
        let hashes = |tokens: &[Token]| tokens.iter().map(|token| token.hash).collect::<Vec<_>>();
        let matches = matched_within(&hashes(&tokens), &hashes(&other_tokens), TABLE);
        let [ours, theirs] = words_between((&text, &tokens), (&other_text, &other_tokens), &matches);
        let said = |text: &str, spans: Vec<ByteSpan>| -> Vec<String> {
            spans.iter().map(|span| text[span.start as usize..span.end as usize].to_owned()).collect()
        };
        [said(&text, ours), said(&other_text, theirs)]
    }

    #[test]
    fn of_tokens_of_code_only_the_words_and_signs_that_differ_are_told() {
        assert_eq!(
            differing("return (|block_t *)((|char *)|b;", "return (|sysv_zone_t*)((|char *)|b;"),
            [["block_t"], ["sysv_zone_t"]]
        );
        assert_eq!(differing("f(|a);", "f(|a));"), [vec![], vec![")".to_owned()]]);
    }

    #[test]
    fn neighbouring_words_are_one_span_and_what_one_side_lacks_is_told_on_the_other() {
        assert_eq!(differing("the |old |grey |house", "the |house"), [vec!["old grey".to_owned()], vec![]]);
        assert_eq!(differing("a |b |c |d", "a |x |c |y"), [["b", "d"], ["x", "y"]]);
        let lines = differing("a |b\n  |c |d", "a |d");
        assert_eq!(lines, [vec!["b".to_owned(), "c".to_owned()], vec![]], "indentation is no difference");
        assert_eq!(differing("größer |ist", "größe |ist"), [["größer"], ["größe"]]);
    }

    #[test]
    fn what_differs_in_white_space_only_is_told_whole() {
        assert_eq!(differing("'a  b' |c", "'a b' |c"), [["'a  b'"], ["'a b'"]]);
        assert_eq!(differing("a |b", "a |b"), [[""; 0], [""; 0]]);
    }
}
