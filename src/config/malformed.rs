//! Parsing of TOML files, with errors by line and column.

use serde::de::DeserializeOwned;

/// An error in a TOML file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {detail}")]
pub struct Malformed {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// The error.
    pub detail: String,
}

impl Malformed {
    /// An error at the position right after `before`.
    pub fn behind(before: &str, detail: &str) -> Self {
        let (line, column) = line_and_column(before);
        Self { line, column, detail: detail.lines().collect::<Vec<_>>().join(" ") }
    }
}

/// Parses a TOML file.
pub fn from_toml<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Malformed> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        Malformed::behind(&String::from_utf8_lossy(valid), "not UTF-8")
    })?;
    toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        Malformed::behind(before, error.message())
    })
}

/// Line and column, both from 1, of the position right after `before`.
pub(super) fn line_and_column(before: &str) -> (usize, usize) {
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
