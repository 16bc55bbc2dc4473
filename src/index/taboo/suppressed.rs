//! What the marks in a document suppress: `dupi:ignore-start` to `dupi:ignore-end`, and the lines of `dupi:ignore`.
//!
//! The marks are read from the text when it is searched, so a change of the file changes what they suppress. A copy is
//! suppressed by the rule of the taboo list: when too little of it is outside of what is suppressed.

use std::ops::Range;
use std::path::Path;

use dupi_text::token::{MarkKind, Token, marks};

/// A stretch of a document that a mark suppresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuppressedText {
    /// Its bytes.
    pub bytes: Range<usize>,
    /// The line of the mark, from 1.
    pub line: u32,
    /// Whether it is open: it ends with the document, because a start has no end.
    pub is_open: bool,
}

/// The stretches of a document that its marks suppress, in order; they may overlap.
pub fn suppressed_texts(path: &Path, text: &str) -> Vec<SuppressedText> {
    let mut found: Vec<SuppressedText> = Vec::new();
    let (mut begun, mut counted, mut number) = (None, 0, 1);
    for mark in marks(path, text) {
        number += text[counted..mark.at].matches('\n').count() as u32;
        counted = mark.at;
        let (bytes, line) = match mark.kind {
            MarkKind::Start => {
                begun = begun.or(Some((mark.line.start, number)));
                continue;
            }
            MarkKind::End => match begun.take() {
                Some((start, line)) => (start..mark.line.end, line),
                None => continue,
            },
            MarkKind::ThisLine => (mark.line, number),
            MarkKind::NextLine => {
                let next = mark.line.end;
                let end = text[next..].find('\n').map_or(text.len(), |end| next + end + 1);
                (next..end, number)
            }
        };
        found.push(SuppressedText { bytes, line, is_open: false });
    }
    if let Some((start, line)) = begun {
        found.push(SuppressedText { bytes: start..text.len(), line, is_open: true });
    }
    found.sort_by_key(|of| (of.bytes.start, of.line));
    found
}

/// The tokens with which some stretch of a text begins and ends, by their indices.
pub fn tokens_in(tokens: &[Token], bytes: &Range<usize>) -> Range<u32> {
    let number = |at: usize| tokens.partition_point(|token| (token.start as usize) < at) as u32;
    number(bytes.start)..number(bytes.end)
}

/// The number of the mark that suppresses most of a copy, if the copy is suppressed: of its tokens some are suppressed, and
/// fewer than `least` are left. The marks are told by the tokens that they suppress, in order; they may overlap.
pub fn suppressing_mark(
    copy: Range<u32>,
    marks: impl IntoIterator<Item = Range<u32>>,
    least: u32,
) -> Option<usize> {
    let (mut covered, mut reached, mut most) = (0, copy.start, None);
    for (number, of) in marks.into_iter().enumerate().take_while(|(_, of)| of.start < copy.end) {
        let end = of.end.min(copy.end);
        let common = end.saturating_sub(of.start.max(copy.start));
        if common > most.map_or(0, |(most, _)| most) {
            most = Some((common, number));
        }
        covered += end.saturating_sub(of.start.max(reached));
        reached = reached.max(of.end);
    }
    let left = (copy.end - copy.start).saturating_sub(covered);
    most.filter(|_| left < least).map(|(_, number)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, u32, bool)> {
        let of = |of: SuppressedText| (&text[of.bytes], of.line, of.is_open);
        suppressed_texts(Path::new("a.c"), text).into_iter().map(of).collect()
    }

    #[test]
    fn from_a_start_to_its_end_with_both_lines() {
        let text = "a;\n/* dupi:ignore-start */\nb;\n// dupi:ignore-start\n// dupi:ignore-end\nc;\n// dupi:ignore-end\n";
        let all = "/* dupi:ignore-start */\nb;\n// dupi:ignore-start\n// dupi:ignore-end\n";
        assert_eq!(
            found(text),
            [(all, 2, false)],
            "starts do not nest, and an end without a start is nothing"
        );
    }

    #[test]
    fn a_start_without_an_end_holds_to_the_end_of_the_text() {
        assert_eq!(found("a;\n// dupi:ignore-start\nb;\nc;"), [("// dupi:ignore-start\nb;\nc;", 2, true)]);
    }

    #[test]
    fn one_line_or_the_next() {
        assert_eq!(found("a; // dupi:ignore\nb;\n"), [("a; // dupi:ignore\n", 1, false)]);
        assert_eq!(found("a;\n\t// dupi:ignore\nb;\nc;"), [("b;\n", 2, false)]);
        assert_eq!(found("// dupi:ignore"), [("", 1, false)]);
    }

    #[test]
    fn a_copy_is_suppressed_when_too_little_is_left() {
        let mark = |copy, marks: &[Range<u32>], least| suppressing_mark(copy, marks.iter().cloned(), least);
        assert_eq!((mark(0..60, &[0..10, 0..11], 50), mark(0..40, &[0..40, 0..1], 25)), (Some(1), Some(0)));
        assert_eq!(mark(0..60, &[0..10, 0..9], 50), None);
        assert_eq!(mark(0..20, &[20..40, 50..60], 25), None, "no mark is on it");
        assert_eq!(mark(10..60, &[0..20, 5..20, 40..50], 40), Some(0));
        assert_eq!(mark(10..60, &[0..30, 5..20], 30), None, "what two marks suppress counts once");
    }
}
