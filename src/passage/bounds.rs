//! The limits of a search for passages, and what the search omits because of them.
//!
//! The passages of a very repetitive text can be larger than the text: each of n similar lines matches every other one,
//! and so does each sequence of lines. So for n gathered tokens
//!
//! - a search keeps `FEW_COPIES` copies and one for each `TOKENS_A_COPY` tokens, but at most one for each `BYTES_A_COPY`
//!   bytes of its memory. Exact passages that contain a token of no other passage are always kept, so that every
//!   repeated run is reported;
//! - the copies of one representative have together at most n equal runs;
//! - comparisons take at most the steps that [`super::approximate::step_budgets`] grants to each document.
//!
//! So the result takes at most 64 bytes per token, and the windows, seeds and suffixes of the search take about 128. What
//! exceeds a limit is omitted, counted and reported. Ordinary texts are far below all limits.

use serde::{Deserialize, Serialize};

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Tokens for each copy that is kept.
const TOKENS_A_COPY: usize = 8;
/// The number of copies that are kept in the smallest corpus.
const FEW_COPIES: usize = 1 << 16;
/// The memory that a copy takes while it is searched, sorted and reported.
const BYTES_A_COPY: u64 = 256;
/// What two searches at the same time take for each gathered token, in bytes.
const TWO_SEARCHES: u64 = 6;

/// The limits of one search, and the counts of what was omitted.
pub struct Bounds {
    /// The memory limit in bytes.
    pub memory: u64,
    /// The number of gathered tokens.
    tokens: usize,
    copies: usize,
    passages: AtomicU64,
    near: AtomicU64,
    places: AtomicU64,
}

impl Bounds {
    /// The limits for a number of gathered tokens and bytes of memory.
    pub fn new(tokens: u32, memory: u64) -> Self {
        let tokens = tokens as usize;
        let by_memory = usize::try_from(memory / BYTES_A_COPY).unwrap_or(usize::MAX);
        let copies = (tokens / TOKENS_A_COPY + FEW_COPIES).min(by_memory.max(FEW_COPIES));
        let (passages, near, places) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        Self { memory, tokens, copies, passages, near, places }
    }

    /// The bytes of windows that each of `searches` concurrent searches may sort at a time.
    pub fn windows(&self, searches: u64) -> u64 {
        self.memory / 4 / searches
    }

    /// Whether two searches at the same time would take more memory than there is.
    pub fn is_tight(&self) -> bool {
        self.memory < self.tokens as u64 * TWO_SEARCHES
    }

    /// The most copies of all passages together.
    pub fn copies(&self) -> usize {
        self.copies
    }

    /// The most equal runs of the copies of one representative.
    pub fn equal_runs(&self) -> usize {
        self.tokens
    }

    /// Counts omitted passages whose text is in other passages.
    pub fn omit_passages(&self, count: usize) {
        self.passages.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// Counts omitted approximate passages. Their text may not be in other passages.
    pub fn omit_near(&self, count: usize) {
        self.near.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// Counts places that were not compared.
    pub fn omit_places(&self, count: usize) {
        self.places.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// Everything omitted so far.
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
    /// Limits for a number of copies.
    pub fn of_copies(copies: usize) -> Self {
        // Windows that have no memory would be read once each.
        Self { copies, ..Self::new(0, 1 << 20) }
    }
}

/// What a search omitted because of its limits of memory and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Omissions {
    /// Passages whose text is in other passages.
    pub passages: u64,
    /// Approximate passages above the limit of copies.
    pub near: u64,
    /// Places that were not compared with their possible copies.
    pub places: u64,
    /// Files that were too large to be searched.
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
            (self.files, "files too large for the memory limit"),
            (self.passages, "passages whose text is in other passages"),
            (self.near, "near passages above the limit of copies"),
            (self.places, "places in very repetitive text"),
        ];
        let said: Vec<String> =
            parts.iter().filter(|part| part.0 > 0).map(|(count, what)| format!("{count} {what}")).collect();
        write!(f, "the list of passages is incomplete; omitted: {}", said.join(", "))
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
    fn searches_follow_each_other_when_memory_is_short() {
        assert!(Bounds::new(1000, 5000).is_tight());
        assert!(!Bounds::new(1000, 6000).is_tight());
    }

    #[test]
    fn what_is_omitted_is_reported() {
        let bounds = Bounds::new(100, 100);
        assert!(bounds.omissions().is_empty());
        bounds.omit_passages(3);
        bounds.omit_passages(2);
        let said = bounds.omissions().to_string();
        assert_eq!(
            said,
            "the list of passages is incomplete; omitted: 5 passages whose text is in other passages"
        );
        let bounds = Bounds::new(100, 100);
        bounds.omit_near(4);
        bounds.omit_near(3);
        bounds.omit_places(2);
        let said = bounds.omissions().to_string();
        assert_eq!(
            said,
            "the list of passages is incomplete; omitted: 7 near passages above the limit of copies, 2 places in very repetitive text"
        );
    }
}
