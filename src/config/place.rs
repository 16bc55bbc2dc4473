//! Where in a text something is, as people count.

use std::ops::Range;

/// Line and column, both from 1, of the beginning of a stretch of a text; of the text's own when there is none.
pub fn line_and_column(text: &str, span: Option<Range<usize>>) -> (usize, usize) {
    let before = span.and_then(|span| text.get(..span.start)).unwrap_or_default();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (before.matches('\n').count() + 1, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        assert_eq!(line_and_column("ab\ncé d", Some(7..8)), (2, 4));
        assert_eq!(line_and_column("ab", None), (1, 1));
    }
}
