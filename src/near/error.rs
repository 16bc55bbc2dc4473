//! Why a search for similar documents failed, and the limits of its memory and its pairs.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::SearchError;
use crate::simhash::SimHashSettingsError;

use dupi_base::config::Size;
use dupi_base::corpus::SkipReason;
use dupi_base::storage::sealed::SealedError;
use dupi_base::storage::{StorageError, in_words, shown};

/// Why a search for similar documents failed.
#[derive(Debug, thiserror::Error)]
pub enum NearError {
    /// The index is damaged, or the caller stopped the search.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A file or folder of our own.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A file of a part of a search is damaged, or of another version of the program.
    #[error(transparent)]
    File(#[from] SealedError),
    /// A part of a search failed: a sentence that says why.
    #[error("{0}")]
    Part(String),
    /// The distance of fingerprints.
    #[error(transparent)]
    Distance(#[from] SimHashSettingsError),
    /// More pairs were found than the memory has room for.
    #[error(
        "more than {most} pairs are similar, and {memory} of memory has no room for them; use a higher --threshold \
         (with simhash a smaller --distance or --linkage single){other}, or allow more with --memory"
    )]
    Pairs {
        /// How many there is room for.
        most: u64,
        /// The memory that they may take.
        memory: Size,
        /// Other advice, after a comma.
        other: &'static str,
    },
    /// The method compares all documents in memory, and they are too large for it.
    #[error("the documents take about {needed} of memory to compare; allow as much with --memory{other}")]
    Memory {
        /// What they take.
        needed: Size,
        /// Other advice, after a comma.
        other: &'static str,
    },
}

impl NearError {
    /// There is no such task of a search in parts.
    pub(super) fn no_task(task: u64, tasks: u64) -> Self {
        Self::Part(format!("there is no task {task}; there are {tasks}, from 0"))
    }

    /// A document cannot be read. Another attempt, or another machine, may read it.
    pub(super) fn unread(path: &Path, reason: &SkipReason) -> Self {
        Self::Part(format!(
            "cannot read the document {}: {reason}; a task must see the corpus where the index was built; what is away \
             for good leaves the index when it is brought up to date",
            shown(path)
        ))
    }

    /// Standard input or output failed.
    pub(super) fn stream(error: &io::Error) -> Self {
        Self::Part(format!("the stream of features or links is faulty: {}", in_words(error)))
    }
}

// Refuses searches that take more memory than they may. Pairs are counted while they are found, so that a low threshold
// ends in an error and not without memory.

/// Documents and pairs that take less are compared whatever the memory limit.
const LEAST_MEMORY: u64 = 64 << 20;

/// Advice: methods that need less memory than jaccard and spotsigs.
pub(super) const LESS_MEMORY: &str = ", or use --method minhash or simhash";
/// Advice: the method that needs the least memory.
pub(super) const LEAST_METHOD: &str = ", or use --method simhash";

/// Refuses a search that needs more memory than it may take, both in bytes. `advice` follows --memory in the error.
pub(super) fn check_memory(needed: u64, memory: u64, advice: &'static str) -> Result<(), NearError> {
    let error = NearError::Memory { needed: Size(needed), other: advice };
    if needed > memory.max(LEAST_MEMORY) { Err(error) } else { Ok(()) }
}

/// Counts pairs from several threads.
#[derive(Debug)]
pub struct PairLimit {
    most: u64,
    memory: u64,
    found: AtomicU64,
    advice: &'static str,
}

impl PairLimit {
    /// Limits pairs that are listed to those that fit into `memory` bytes, as they are found, sorted and listed.
    pub fn for_list(memory: u64) -> Self {
        Self::new(memory, 48, "")
    }

    /// Limits pairs of which clusters are made: there a pair is also two links and a possible join.
    pub fn for_clusters(memory: u64) -> Self {
        Self::new(memory, 192, ", --pairs, which takes a quarter of it")
    }

    fn new(memory: u64, bytes_a_pair: u64, advice: &'static str) -> Self {
        let memory = memory.max(LEAST_MEMORY);
        Self { most: memory / bytes_a_pair, memory, found: AtomicU64::new(0), advice }
    }

    /// The number of pairs that there is room for.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// Counts pairs that were found.
    ///
    /// # Errors
    /// [`NearError::Pairs`] when there are more than the memory has room for.
    pub fn add(&self, pairs: usize) -> Result<(), NearError> {
        let found = self.found.fetch_add(pairs as u64, Ordering::Relaxed).saturating_add(pairs as u64);
        if found > self.most { Err(self.error()) } else { Ok(()) }
    }

    /// That there are more pairs than the memory has room for.
    pub(super) fn error(&self) -> NearError {
        NearError::Pairs { most: self.most, memory: Size(self.memory), other: self.advice }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_up_to_what_the_memory_has_room_for() {
        let limit = PairLimit::for_clusters(0);
        let most = (LEAST_MEMORY / 192) as usize;
        assert!(limit.add(most - 1).is_ok() && limit.add(1).is_ok());
        let said = limit.add(1).unwrap_err().to_string();
        assert!(said.contains("64.0 MiB") && said.contains("--memory") && said.contains("--pairs"), "{said}");
        let said = PairLimit::for_list(0).add(4 * most + 1_000).unwrap_err().to_string();
        assert!(!said.contains("--pairs"), "{said}");
        assert!(PairLimit::for_list(u64::MAX).add(usize::MAX >> 8).is_ok());
    }

    #[test]
    fn what_needs_too_much_memory_is_refused_with_the_amount() {
        assert!(check_memory(LEAST_MEMORY, 0, "").is_ok());
        assert!(check_memory(2 << 30, 2 << 30, "").is_ok());
        let said = check_memory(3 << 30, 2 << 30, "").unwrap_err().to_string();
        assert!(said.contains("3.0 GiB") && said.contains("--memory"), "{said}");
        assert!(!said.contains("--method"), "{said}");
        let said = check_memory(3 << 30, 2 << 30, LESS_MEMORY).unwrap_err().to_string();
        assert!(said.contains("--method minhash"), "{said}");
    }
}
