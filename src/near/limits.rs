//! Refuses searches that take more memory than they may. Pairs are counted while they are found, so that a low threshold
//! ends in an error and not without memory.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::NearError;
use dupi_base::config::Size;

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
