//! Offsets in a text, converted to characters or to bytes of the file that the text was decoded from.
//!
//! A file may be a single line of many megabytes with a hundred thousand copies, and each copy is reported with its
//! column. So counts are remembered at fixed steps of the text.

use std::sync::OnceLock;

use dupi_base::corpus::Encoding;

/// The distance in bytes between two remembered counts.
const STEP: usize = 1 << 10;

/// Counts over the prefixes of one text. They are computed on first use.
#[derive(Debug, Default)]
pub struct PrefixCounts {
    /// For each step, the count of everything before it.
    before: OnceLock<Vec<u32>>,
}

impl PrefixCounts {
    /// The sum of `of` over the bytes from `from` to `to`. All calls must pass the same text and the same `of`.
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

/// Converts offsets in a decoded text to offsets in its file.
#[derive(Debug)]
pub struct FileOffsets {
    encoding: Encoding,
    bytes: PrefixCounts,
}

impl FileOffsets {
    /// For a text that was decoded from this encoding.
    pub fn new(encoding: Encoding) -> Self {
        Self { encoding, bytes: PrefixCounts::default() }
    }

    /// The offset in the file of the character that begins at `at` in the text.
    pub fn get(&self, text: &str, at: usize) -> u64 {
        let encoding = self.encoding;
        let bytes = match encoding {
            Encoding::Utf8 | Encoding::Utf8Bom => at,
            _ => self.bytes.between(text, 0, at, |byte| encoding.file_bytes(byte)),
        };
        (encoding.mark() + bytes) as u64
    }
}

/// For [`PrefixCounts::between`]: 1 for a byte that begins a character, otherwise 0.
pub fn character(byte: u8) -> usize {
    // Every byte of a character except the first has the form 10xxxxxx.
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
    fn remembered_counts_equal_direct_counts() {
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
