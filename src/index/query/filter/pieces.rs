//! Splits a filter into its terms. Each has its position, so that a message can point at it.

use std::borrow::Cow;
use std::ops::Range;

/// A term as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    /// Its bytes, including the minus.
    pub span: Range<usize>,
    /// Whether it begins with a minus.
    pub negated: bool,
    /// What kind of term it is.
    pub form: Form<'a>,
    /// The bytes of the word, the value or the name, including quotes.
    pub body: Range<usize>,
    /// The offset of a quote that is not closed.
    pub open_quote: Option<usize>,
}

/// The form of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form<'a> {
    /// A plain word.
    Word(&'a str),
    /// `'word` or `"a phrase"`.
    Exact(Cow<'a, str>),
    /// `name:value`.
    Named(&'a str, Cow<'a, str>),
    /// `@name`.
    Saved(&'a str),
}

/// The term that matches a text exactly.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The terms of a text, in order. Each is read once, and only to its end.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let skipped = text[at..].find(|character: char| !character.is_whitespace())?;
        let piece = piece(text, at + skipped);
        at = piece.span.end;
        Some(piece)
    })
}

fn piece(text: &str, start: usize) -> Piece<'_> {
    let negated = text[start..].starts_with('-');
    let head = start + usize::from(negated);
    let rest = &text[head..];
    // Evaluated only for forms that extend to the next white space: otherwise a text of many quotes takes quadratic time.
    let word = || &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
    let mut open_quote = None;
    let mut quoted_from = |from: usize| {
        let Quoted { inner, length, is_open } = unquoted(&text[from..]);
        open_quote = is_open.then_some(from);
        (inner, length)
    };
    let (form, body) = if rest.starts_with('"') {
        let (phrase, length) = quoted_from(head);
        (Form::Exact(phrase), head..head + length)
    } else if rest.starts_with('\'') {
        (Form::Exact(word()[1..].into()), head + 1..head + word().len())
    } else if rest.starts_with('@') {
        (Form::Saved(&word()[1..]), head + 1..head + word().len())
    } else if let Some(name) = name_of(rest) {
        let from = head + name.len() + 1;
        let (value, length) = if text[from..].starts_with('"') {
            quoted_from(from)
        } else {
            let value = &word()[name.len() + 1..];
            (value.into(), value.len())
        };
        (Form::Named(name, value), from..from + length)
    } else {
        (Form::Word(word()), head..head + word().len())
    };
    Piece { span: start..body.end, negated, form, body, open_quote }
}

/// The name of a term such as `path:src`. URLs and paths in code (`https://…`, `std::mem`) are words.
fn name_of(text: &str) -> Option<&str> {
    let length = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (name, rest) = text.split_at(length);
    let value = rest.strip_prefix(':').filter(|_| length > 0)?;
    (!value.starts_with(':') && !value.starts_with("//")).then_some(name)
}

/// A quoted text.
struct Quoted<'a> {
    inner: Cow<'a, str>,
    /// In bytes, including the quotes.
    length: usize,
    is_open: bool,
}

/// Reads the quoted text at the beginning of a text. A backslash escapes a quote or a backslash. A quote that is not
/// closed extends to the end of the text.
fn unquoted(text: &str) -> Quoted<'_> {
    let mut inner = String::new();
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Quoted { inner: inner.into(), length: at + 1, is_open: false },
            '\\' => match characters.next_if(|(_, next)| matches!(next, '"' | '\\')) {
                Some((_, next)) => inner.push(next),
                None => inner.push('\\'),
            },
            other => inner.push(other),
        }
    }
    Quoted { inner: inner.into(), length: text.len(), is_open: true }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn forms(text: &str) -> Vec<(bool, Form<'_>)> {
        pieces(text).map(|piece| (piece.negated, piece.form)).collect()
    }

    #[test]
    fn terms_are_found_in_one_pass() {
        for text in ["\"\"", "a:\"\"", "-\"", "x ", "' ", "a:"] {
            let long = text.repeat(1 << 17);
            // Quadratic, this would take minutes.
            assert_eq!(
                pieces(&long).last().map(|piece| piece.span.end),
                Some(long.trim_end().len()),
                "{text}"
            );
        }
    }

    proptest! {
        #[test]
        fn a_quoted_text_is_one_term(text in any::<String>()) {
            let typed = quoted(&text);
            prop_assert_eq!(forms(&typed), [(false, Form::Exact(text.into()))]);
        }

        #[test]
        fn terms_follow_each_other_and_hold_all_that_is_no_white_space(text in r#"[-a:@'"\\ é\t]{0,20}"#) {
            let mut end = 0;
            for piece in pieces(&text) {
                prop_assert!(text[end..piece.span.start].trim().is_empty());
                prop_assert!(piece.span.start < piece.span.end);
                prop_assert!(piece.span.start <= piece.body.start && piece.body.end == piece.span.end);
                prop_assert!(text.is_char_boundary(piece.body.start) && text.is_char_boundary(piece.body.end));
                end = piece.span.end;
            }
            prop_assert!(text[end..].trim().is_empty());
        }
    }
}
