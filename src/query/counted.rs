//! How many characters stand between two places of a text, however long a line is.
//!
//! A file that is one line of many megabytes may hold thousands of copies, and each of them is said with its column.

use std::sync::OnceLock;

/// So many bytes are counted at a time, and what they come to is remembered.
const STEP: usize = 64 << 10;

/// The counts of one text, made when they are first needed.
#[derive(Debug, Default)]
pub struct Counted {
    /// For each step, how many characters begin before it.
    before: OnceLock<Vec<u32>>,
}

impl Counted {
    /// How many characters begin between two bytes of the text that this is always asked about.
    pub fn characters(&self, text: &str, from: usize, to: usize) -> usize {
        if to.saturating_sub(from) <= STEP {
            return count(text, from, to);
        }
        self.before(text, to) - self.before(text, from)
    }

    fn before(&self, text: &str, at: usize) -> usize {
        let before = self.before.get_or_init(|| {
            let mut sum = 0;
            let steps = (0..text.len()).step_by(STEP).map(|from| {
                let before = sum;
                sum += count(text, from, from + STEP) as u32;
                before
            });
            steps.collect()
        });
        let step = (at / STEP).min(before.len().saturating_sub(1));
        before.get(step).map_or(0, |&known| known as usize) + count(text, step * STEP, at)
    }
}

/// How many characters begin between two bytes.
fn count(text: &str, from: usize, to: usize) -> usize {
    let bytes = text.as_bytes().get(from..to.min(text.len())).unwrap_or_default();
    // All bytes of a character but the first are of the form 10xxxxxx.
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_what_is_counted() {
        let text = "aé東𝄞".repeat(STEP / 4);
        let counted = Counted::default();
        for (from, to) in [(0, text.len()), (1, STEP * 2 + 1), (STEP - 10, STEP * 2), (STEP, STEP), (10, 20)]
        {
            let expected = text[text.floor_char_boundary(from)..text.floor_char_boundary(to)].chars().count();
            let (from, to) = (text.floor_char_boundary(from), text.floor_char_boundary(to));
            assert_eq!(counted.characters(&text, from, to), expected, "{from}..{to}");
        }
    }
}
