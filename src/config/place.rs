//! Where in a text something is, as people count.

/// Line and column, both from 1, of what stands behind some text.
pub fn line_and_column(before: &str) -> (usize, usize) {
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (before.matches('\n').count() + 1, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        assert_eq!(line_and_column("ab\ncé "), (2, 4));
        assert_eq!(line_and_column(""), (1, 1));
    }
}
