//! What a search for passages may take, and what it leaves out because of that.
//!
//! Of a text that repeats itself again and again, more can be told than the text has tokens: each of n lines is like
//! each other, and with every line that follows, once more. So of n gathered tokens
//!
//! - a search keeps one copy for each `TOKENS_A_COPY` tokens, `FEW_COPIES` more, and never more than one for
//!   `BYTES_A_COPY` bytes of its memory; of equal passages those stay in any case that hold what no other holds, so
//!   that every repeated run is told;
//! - the approximate passages around one representative keep in all as many equal runs as there are tokens;
//! - to compare what may be a copy takes as many steps as [`super::approximate::step_budgets`] grants each document.
//!
//! That makes 64 bytes a token at the most for what is found, beside some 128 for the windows, seeds and suffixes that
//! it is found by. What is above a bound is left out, counted, and said; ordinary texts are far below all of them.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Of so many tokens one may begin a copy.
const TOKENS_A_COPY: usize = 8;
/// So many copies are kept of the smallest corpus.
const FEW_COPIES: usize = 1 << 16;
/// What a copy takes while it is looked for, sorted and told.
const BYTES_A_COPY: u64 = 256;

/// The bounds of one search.
pub struct Bounds {
    /// Bytes that it may take.
    pub memory: u64,
    /// Gathered tokens.
    tokens: usize,
    copies: usize,
    passages: AtomicU64,
    near: AtomicU64,
    places: AtomicU64,
}

impl Bounds {
    /// For so many tokens and bytes.
    pub fn new(tokens: u32, memory: u64) -> Self {
        let tokens = tokens as usize;
        let by_memory = usize::try_from(memory / BYTES_A_COPY).unwrap_or(usize::MAX);
        let copies = (tokens / TOKENS_A_COPY + FEW_COPIES).min(by_memory.max(FEW_COPIES));
        let (passages, near, places) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        Self { memory, tokens, copies, passages, near, places }
    }

    /// Bytes of the windows that are sorted at a time, by each of so many searches at once.
    pub fn windows(&self, searches: u64) -> u64 {
        self.memory / 4 / searches
    }

    /// How many copies all passages may have.
    pub fn copies(&self) -> usize {
        self.copies
    }

    /// How many equal runs the copies of one representative may have.
    pub fn equal_runs(&self) -> usize {
        self.tokens
    }

    /// Counts passages that are left out, and whose text others tell.
    pub fn omit_passages(&self, count: usize) {
        self.passages.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// Counts near passages that are left out. What they tell others may not tell.
    pub fn omit_near(&self, count: usize) {
        self.near.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// Counts places that are not compared.
    pub fn omit_places(&self, count: usize) {
        self.places.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// All that was left out so far.
    pub fn omissions(&self) -> Omissions {
        Omissions {
            passages: self.passages.load(Ordering::Relaxed),
            near: self.near.load(Ordering::Relaxed),
            places: self.places.load(Ordering::Relaxed),
            files: 0,
        }
    }
}

#[cfg(test)]
impl Bounds {
    /// For so many copies.
    pub fn of_copies(copies: usize) -> Self {
        Self { copies, ..Self::new(0, 0) }
    }
}

/// What a search left out, because it would take more memory or time than a search may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Omissions {
    /// Passages that repeat, with more text or less, what others tell.
    pub passages: u64,
    /// Near passages above the number of copies that a search keeps.
    pub near: u64,
    /// Places that were not compared with what may be their copies.
    pub places: u64,
    /// Files that were not searched.
    pub files: u64,
}

impl Omissions {
    /// Whether the answer is complete.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Omissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.files, "files that are too large for the memory"),
            (self.passages, "passages that say once more what others say"),
            (self.near, "near passages that there was no room for"),
            (self.places, "places of a text that repeats itself"),
        ];
        let said: Vec<String> =
            parts.iter().filter(|part| part.0 > 0).map(|(count, what)| format!("{count} {what}")).collect();
        write!(f, "left out of the passages: {}", said.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_bounded_by_tokens_and_by_memory() {
        let copies = |tokens, memory| Bounds::new(tokens, memory).copies();
        assert_eq!(copies(0, 1 << 30), FEW_COPIES);
        assert_eq!(copies(8_000_000, 1 << 30), 1_000_000 + FEW_COPIES);
        assert_eq!(copies(u32::MAX, 1 << 30), 1 << 22);
        assert_eq!(copies(u32::MAX, 1 << 20), FEW_COPIES);
    }

    #[test]
    fn what_is_left_out_is_said() {
        let bounds = Bounds::new(100, 100);
        assert!(bounds.omissions().is_empty());
        bounds.omit_passages(3);
        bounds.omit_passages(2);
        let said = bounds.omissions().to_string();
        assert_eq!(said, "left out of the passages: 5 passages that say once more what others say");
        let bounds = Bounds::new(100, 100);
        bounds.omit_near(4);
        bounds.omit_near(3);
        bounds.omit_places(2);
        let said = bounds.omissions().to_string();
        assert_eq!(
            said,
            "left out of the passages: 7 near passages that there was no room for, 2 places of a text that repeats itself"
        );
    }
}
