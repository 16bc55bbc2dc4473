//! Which whole lines a stretch of a text covers: lines of which no letter or digit lies outside the stretch.

use std::ops::Range;

/// So many bytes before and behind a stretch are looked through for the end of its line. A file can be one long line
/// with many copies.
const REACH: usize = 4 << 10;

/// A stretch, extended to the beginning and to the end of its lines where it covers these lines whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineStretch {
    /// The bytes. Without the last line break.
    pub span: Range<usize>,
    /// Whether letters or digits of the first line stand before the stretch, which therefore begins where it did.
    pub begins_inside: bool,
    /// Whether letters or digits of the last line stand behind the stretch, which therefore ends where it did.
    pub ends_inside: bool,
}

impl LineStretch {
    /// Extends a stretch. `span` must lie on character boundaries of `text`.
    pub fn of(text: &str, span: Range<usize>) -> Self {
        let from = text.ceil_char_boundary(span.start.saturating_sub(REACH));
        let to = text.floor_char_boundary(span.end.saturating_add(REACH));
        let (before, behind) = (&text[from..span.start], &text[span.end..to]);
        let is_edge = |letter: char| letter == '\n' || letter.is_alphanumeric();
        let start = match before.rfind(is_edge) {
            None => (from == 0).then_some(0),
            Some(at) => before[at..].starts_with('\n').then_some(from + at + 1),
        };
        let end = match behind.find(is_edge) {
            None => (to == text.len()).then_some(to),
            Some(at) => behind[at..].starts_with('\n').then_some(span.end + at),
        };
        let without_return = |end: usize| if text[span.end..end].ends_with('\r') { end - 1 } else { end };
        Self {
            span: start.unwrap_or(span.start)..end.map_or(span.end, without_return),
            begins_inside: start.is_none(),
            ends_inside: end.is_none(),
        }
    }
    /// The lines that are covered whole; an empty range when there are none.
    pub fn inner(&self, text: &str) -> Range<usize> {
        let lines = &text[self.span.clone()];
        let skipped = if self.begins_inside { lines.find('\n').map_or(lines.len(), |at| at + 1) } else { 0 };
        let kept = if self.ends_inside { lines.rfind('\n').unwrap_or(0) } else { lines.len() };
        let start = self.span.start + skipped;
        start..(self.span.start + kept).max(start)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same, line by line.
    fn naive(text: &str, span: Range<usize>) -> LineStretch {
        let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at);
        let says = |part: &str| part.contains(char::is_alphanumeric);
        let (begins_inside, ends_inside) = (says(&text[start..span.start]), says(&text[span.end..end]));
        let end = (start + text[start..end].trim_end_matches('\r').len()).max(span.end);
        let first = if begins_inside { span.start } else { start };
        LineStretch { span: first..if ends_inside { span.end } else { end }, begins_inside, ends_inside }
    }

    proptest! {
        #[test]
        fn a_stretch_is_extended_to_the_lines_that_it_covers_whole(
            text in "([a-b .{};\n\t0é漢。]|\r\n){0,40}",
            cut in any::<(prop::sample::Index, prop::sample::Index)>(),
        ) {
            let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let (a, b) = (*cut.0.get(&bounds), *cut.1.get(&bounds));
            let span = a.min(b)..a.max(b);
            prop_assert_eq!(LineStretch::of(&text, span.clone()), naive(&text, span));
        }
    }

    #[test]
    fn the_end_of_an_endless_line_is_not_sought() {
        let signs = "-".repeat(2 * REACH);
        let text = format!("{signs}word{signs}");
        let span = signs.len()..signs.len() + 4;
        let stretch = LineStretch::of(&text, span.clone());
        assert_eq!(stretch, LineStretch { span, begins_inside: true, ends_inside: true });
    }

    #[test]
    fn a_line_is_whole_if_only_signs_of_it_are_left_out() {
        let text = "x\n#include <a.h>;\ny";
        let span = text.find("include").unwrap()..text.find(">;").unwrap();
        let lines = LineStretch::of(text, span);
        assert_eq!(&text[lines.span.clone()], "#include <a.h>;");
        assert!(!lines.begins_inside && !lines.ends_inside);
        assert_eq!(lines.inner(text), lines.span);
    }

    #[test]
    fn lines_that_are_begun_inside_are_marked_and_not_inner() {
        let text = "one two\nthree\nfour five\n";
        let lines = LineStretch::of(text, 4..18);
        assert!(lines.begins_inside && lines.ends_inside);
        assert_eq!(&text[lines.inner(text)], "three");
        let one = LineStretch::of(text, 4..5);
        assert!(one.inner(text).is_empty());
    }
}
