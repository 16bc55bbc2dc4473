//! Reads hashes from text: decimal numbers, one a line.

use std::io::{self, Read};

use dupi_base::parallel;
use dupi_base::storage::{in_words, one_line};

/// The number of bytes that are read at once.
const AT_ONCE: usize = 16 << 20;
/// The number of bytes that one thread parses at once.
const PIECE: usize = 256 << 10;
/// The most bytes of a line that a message quotes.
const QUOTED: usize = 60;

/// Why a list of hashes cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum HashListError {
    /// The system refused to read.
    #[error("{}", in_words(.0))]
    Read(#[from] io::Error),
    /// A line is no hash.
    #[error("line {line} is no decimal number of 64 bits, 0 to {}: {text}", u64::MAX)]
    Line {
        /// The number of the line, from 1.
        line: u64,
        /// How the line begins.
        text: String,
    },
}

/// Reads a list of hashes: decimal numbers below 2^64, one a line. White space around a number is skipped, and so are
/// lines without anything else.
///
/// # Errors
///
/// A failure to read, and the first line that is no such number.
pub fn read_hashes(mut input: impl Read) -> Result<Vec<u64>, HashListError> {
    let (mut hashes, mut lines, mut text) = (Vec::new(), 0, Vec::new());
    loop {
        let room = AT_ONCE as u64 - text.len() as u64;
        let is_end = (&mut input).take(room).read_to_end(&mut text)? < room as usize;
        let whole = match text.iter().rposition(|&byte| byte == b'\n') {
            Some(last) if !is_end => last + 1,
            _ => text.len(),
        };
        parse(&text[..whole], &mut hashes, &mut lines)?;
        if is_end {
            return Ok(hashes);
        }
        text.drain(..whole);
    }
}

/// Adds the hashes of whole lines, and counts the lines.
fn parse(text: &[u8], hashes: &mut Vec<u64>, lines: &mut u64) -> Result<(), HashListError> {
    let parsed: Vec<_> = parallel::map(&pieces(text), |piece| parse_piece(piece));
    for piece in parsed {
        let failed = |(line, text)| HashListError::Line { line: *lines + line, text };
        let (some, count) = piece.map_err(failed)?;
        hashes.extend(some);
        *lines += count;
    }
    Ok(())
}

/// The text in pieces that end with lines.
fn pieces(mut text: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    while let Some((_, behind)) = text.split_at_checked(PIECE) {
        let end = behind.iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| PIECE + at + 1);
        let (piece, rest) = text.split_at(end);
        pieces.push(piece);
        text = rest;
    }
    pieces.push(text);
    pieces
}

/// The hashes of some lines and the number of lines; or the number and the text of the first line that is no hash.
fn parse_piece(text: &[u8]) -> Result<(Vec<u64>, u64), (u64, String)> {
    let (mut hashes, mut lines) = (Vec::new(), 0);
    for line in text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::trim_ascii) {
        lines += 1;
        if !line.is_empty() {
            hashes.push(number(line).ok_or_else(|| {
                let quoted = String::from_utf8_lossy(&line[..line.len().min(4 * QUOTED)]).into_owned();
                (lines, one_line(&quoted, QUOTED))
            })?);
        }
    }
    Ok((hashes, lines))
}

/// A decimal number below 2^64, without a sign.
fn number(line: &[u8]) -> Option<u64> {
    line.iter().try_fold(0_u64, |number, byte| {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 { None } else { number.checked_mul(10)?.checked_add(u64::from(digit)) }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: impl AsRef<[u8]>) -> Result<Vec<u64>, String> {
        read_hashes(text.as_ref()).map_err(|error| error.to_string())
    }

    #[test]
    fn each_line_is_a_number() {
        for (text, hashes) in [
            ("", &[][..]),
            ("\n\n", &[]),
            ("7", &[7]),
            ("7\n", &[7]),
            (
                "18446744073709551615\r\n 0 \n\t12345678\n\n00000000000000000000012\n",
                &[u64::MAX, 0, 12_345_678, 12],
            ),
            (
                "1234567890123456789\n12345678901234567890",
                &[1_234_567_890_123_456_789, 12_345_678_901_234_567_890],
            ),
        ] {
            assert_eq!(read(text).as_deref(), Ok(hashes), "{text}");
        }
    }

    #[test]
    fn a_line_that_is_no_number_is_named() {
        for wrong in "-1|+1|1 2|0x1f|1.5|18446744073709551616|99999999999999999999|1,|é|1_0".split('|') {
            let said = read(format!("1\n\n3\n{wrong}\n5\n")).unwrap_err();
            assert!(said.starts_with("line 4 is") && said.ends_with(&format!(": {wrong}")), "{said}");
        }
        let said = read([b"5\n\x1b[2J\xff".as_slice(), &[b'x'; 5000]].concat()).unwrap_err();
        assert!(said.len() < 400 && !said.contains('\x1b'), "{said}");
    }

    #[test]
    fn a_long_list_is_read_by_pieces_and_its_lines_are_counted() {
        let hashes: Vec<u64> =
            (0..1_100_000_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let mut text = hashes.iter().map(|hash| format!("{hash}\n")).collect::<String>().into_bytes();
        assert!(text.len() > AT_ONCE + PIECE);
        assert!(read(&text).unwrap() == hashes);
        text.extend_from_slice(b"12x\n");
        assert!(read(&text).unwrap_err().starts_with("line 1100001 is"));
    }

    proptest! {
        #[test]
        fn numbers_are_read_as_they_are_written(
            hashes in prop::collection::vec(
                prop_oneof![any::<u64>(), 0..99_999_u64, any::<u64>().prop_map(|hash| hash >> 30)],
                0..40,
            ),
            ending in prop_oneof![Just("\n"), Just("\r\n"), Just(" \n\n")],
        ) {
            let text: String = hashes.iter().map(|hash| format!("{hash}{ending}")).collect();
            prop_assert_eq!(read(text.trim_end()), Ok(hashes.clone()));
            prop_assert_eq!(read(text), Ok(hashes));
        }
    }
}
