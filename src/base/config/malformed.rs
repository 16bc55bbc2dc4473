//! Values of the user: TOML files, with errors by line and column, and sizes with units.

use std::fmt;
use std::str::{FromStr, Utf8Error};

use serde::Deserialize;
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

// Sizes in bytes, parsed from and printed for people: `64M`, `1GiB`, `512k`, `4096`.

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Size(pub u64);

/// A text that is not a size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a size; write a number of bytes, or one followed by k, M, G or T, as in 64M")]
pub struct SizeError(String);

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(given: &str) -> Result<Self, SizeError> {
        let error = || SizeError(given.to_owned());
        let digits = given.find(|character: char| !character.is_ascii_digit()).unwrap_or(given.len());
        let (number, unit) = given.split_at(digits);
        let shift = match unit.trim().trim_end_matches(['B', 'b']).trim_end_matches('i') {
            "" => 0,
            "k" | "K" => 10,
            "m" | "M" => 20,
            "g" | "G" => 30,
            "t" | "T" => 40,
            _ => return Err(error()),
        };
        let number: u64 = number.parse().map_err(|_| error())?;
        number.checked_mul(1 << shift).map(Self).ok_or_else(error)
    }
}

impl TryFrom<String> for Size {
    type Error = SizeError;

    fn try_from(given: String) -> Result<Self, SizeError> {
        given.parse()
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut value, mut unit) = (self.0 as f64, 0);
        while value >= 1000.0 && unit < 4 {
            value /= 1024.0;
            unit += 1;
        }
        let digits = if unit == 0 || value >= 100.0 { 0 } else { 1 };
        write!(f, "{value:.digits$} {}", ["B", "KiB", "MiB", "GiB", "TiB"][unit])
    }
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

    #[test]
    fn sizes_are_read_in_powers_of_1024() {
        for (text, bytes) in
            [("0", 0), ("12", 12), ("64M", 64 << 20), ("1GiB", 1 << 30), ("2 kB", 2048), ("3t", 3 << 40)]
        {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
        }
        for bad in ["", "M", "-1", "1.5G", "9x", "99999999999T"] {
            assert!(bad.parse::<Size>().unwrap_err().to_string().contains("is not a size"), "{bad}");
        }
    }

    #[test]
    fn sizes_are_shown_short() {
        let shown = [0, 999, 1024, 1 << 20, 150 << 20, 5 << 30].map(|bytes| Size(bytes).to_string());
        assert_eq!(shown, ["0 B", "999 B", "1.0 KiB", "1.0 MiB", "150 MiB", "5.0 GiB"]);
    }
}
