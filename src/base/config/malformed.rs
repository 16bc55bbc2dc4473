//! Parsing of TOML files, with errors by line and column.

use std::str::Utf8Error;

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
    /// An error at a byte of a file. Counts lines and columns of characters.
    pub fn at(bytes: &[u8], byte: usize, detail: &str) -> Self {
        let before = String::from_utf8_lossy(bytes.get(..byte).unwrap_or_default());
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let line = before.matches('\n').count() + 1;
        Self { line, column, detail: detail.lines().collect::<Vec<_>>().join(" ") }
    }

    /// The error of bytes that are not UTF-8.
    pub(super) fn not_utf8(bytes: &[u8], error: Utf8Error) -> Self {
        Self::at(bytes, error.valid_up_to(), "not UTF-8")
    }
}

/// Parses a TOML file.
pub fn from_toml<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Malformed> {
    let text = std::str::from_utf8(bytes).map_err(|error| Malformed::not_utf8(bytes, error))?;
    toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        Malformed::at(bytes, start, error.message())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let place = |before: &str| {
            let error = Malformed::at(format!("{before}x").as_bytes(), before.len(), "wrong");
            (error.line, error.column)
        };
        assert_eq!((place("ab\ncé "), place("")), ((2, 4), (1, 1)));
    }
}
