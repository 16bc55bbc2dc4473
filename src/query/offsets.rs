//! What the bytes between two places of a text come to: characters, or bytes of the file that it was decoded from.
//!
//! A file that is one line of many megabytes may hold a hundred thousand copies, and each of them is said with its
//! column.

use std::sync::OnceLock;

use crate::corpus::Encoding;

/// So many bytes are counted at a time, and what they come to is remembered.
const STEP: usize = 1 << 10;

/// The counts of one text, made when they are first needed.
#[derive(Debug, Default)]
pub struct PrefixCounts {
    /// For each step, what all before it comes to.
    before: OnceLock<Vec<u32>>,
}

impl PrefixCounts {
    /// What the bytes between two places come to: always of the same text, and each byte to the same.
    pub fn between(&self, text: &str, from: usize, to: usize, of: impl Fn(u8) -> usize) -> usize {
        if to.saturating_sub(from) <= STEP {
            return count(text, from, to, of);
        }
        self.before(text, to, &of) - self.before(text, from, &of)
    }

    fn before(&self, text: &str, at: usize, of: &impl Fn(u8) -> usize) -> usize {
        let before = self.before.get_or_init(|| {
            let mut sum = 0;
            let steps = (0..text.len()).step_by(STEP).map(|from| {
                let before = sum;
                sum += count(text, from, from + STEP, of) as u32;
                before
            });
            steps.collect()
        });
        let step = (at / STEP).min(before.len().saturating_sub(1));
        before.get(step).map_or(0, |&known| known as usize) + count(text, step * STEP, at, of)
    }
}

/// The way from places in a text to the bytes of the file that it was decoded from.
#[derive(Debug)]
pub struct FileOffsets {
    encoding: Encoding,
    bytes: PrefixCounts,
}

impl FileOffsets {
    /// Those of one text, which was decoded so.
    pub fn new(encoding: Encoding) -> Self {
        Self { encoding, bytes: PrefixCounts::default() }
    }

    /// Where in the file the character lies that begins at `at` in its text.
    pub fn get(&self, text: &str, at: usize) -> u64 {
        let encoding = self.encoding;
        let bytes = match encoding {
            Encoding::Utf8 | Encoding::Utf8Bom => at,
            _ => self.bytes.between(text, 0, at, |byte| encoding.file_bytes(byte)),
        };
        (encoding.mark() + bytes) as u64
    }
}

/// For [`PrefixCounts::between`]: how many characters begin.
pub fn character(byte: u8) -> usize {
    // All bytes of a character but the first are of the form 10xxxxxx.
    usize::from(byte & 0xc0 != 0x80)
}

fn count(text: &str, from: usize, to: usize, of: impl Fn(u8) -> usize) -> usize {
    let bytes = text.as_bytes().get(from..to.min(text.len())).unwrap_or_default();
    bytes.iter().map(|&byte| of(byte)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_what_is_counted() {
        let text = "aé東𝄞".repeat(STEP / 4);
        let counted = PrefixCounts::default();
        for (from, to) in [(0, text.len()), (1, STEP * 2 + 1), (STEP - 10, STEP * 2), (STEP, STEP), (10, 20)]
        {
            let expected = text[text.floor_char_boundary(from)..text.floor_char_boundary(to)].chars().count();
            let (from, to) = (text.floor_char_boundary(from), text.floor_char_boundary(to));
            assert_eq!(counted.between(&text, from, to, character), expected, "{from}..{to}");
        }
    }
}
