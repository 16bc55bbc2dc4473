//! Which whole lines a stretch of a text covers: lines of which no letter or digit lies outside the stretch.

use std::ops::Range;

/// The lines of a stretch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeLines {
    /// From the beginning of the first line to the end of the last one, without its line break.
    pub span: Range<usize>,
    /// Whether letters or digits of the first line stand before the stretch.
    pub begins_inside: bool,
    /// Whether letters or digits of the last line stand behind the stretch.
    pub ends_inside: bool,
}

impl WholeLines {
    /// The lines that a stretch touches. `span` must lie on character boundaries of `text`.
    pub fn of(text: &str, span: Range<usize>) -> Self {
        let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at);
        let says = |part: &str| part.contains(char::is_alphanumeric);
        let (begins_inside, ends_inside) = (says(&text[start..span.start]), says(&text[span.end..end]));
        Self { span: start..end, begins_inside, ends_inside }
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
    use super::*;

    #[test]
    fn a_line_is_whole_if_only_signs_of_it_are_left_out() {
        let text = "x\n#include <a.h>;\ny";
        let span = text.find("include").unwrap()..text.find(">;").unwrap();
        let lines = WholeLines::of(text, span);
        assert_eq!(&text[lines.span.clone()], "#include <a.h>;");
        assert!(!lines.begins_inside && !lines.ends_inside);
        assert_eq!(lines.inner(text), lines.span);
    }

    #[test]
    fn lines_that_are_begun_inside_are_marked_and_not_inner() {
        let text = "one two\nthree\nfour five\n";
        let lines = WholeLines::of(text, 4..18);
        assert_eq!(&text[lines.span.clone()], "one two\nthree\nfour five");
        assert!(lines.begins_inside && lines.ends_inside);
        assert_eq!(&text[lines.inner(text)], "three");
        let one = WholeLines::of(text, 4..5);
        assert!(one.inner(text).is_empty());
    }
}
