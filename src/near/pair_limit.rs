//! How many pairs a search may find within the memory. They are counted while they are found, so that a low threshold
//! ends in an error and not without memory.

use std::sync::atomic::{AtomicU64, Ordering};

use super::error::NearError;
use dupi_base::config::Size;

/// Pairs that take less are found whatever the memory limit.
const LEAST_MEMORY: u64 = 64 << 20;

/// What becomes of the pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairUse {
    /// They are listed.
    List,
    /// Clusters are made of them.
    Clusters,
}

impl PairUse {
    /// The bytes that a pair takes: as it is found, as it is sorted or listed, and in clusters as two links and a
    /// possible join.
    const fn bytes(self) -> u64 {
        match self {
            Self::List => 48,
            Self::Clusters => 192,
        }
    }
}

/// Counts pairs from several threads.
#[derive(Debug)]
pub struct PairLimit {
    most: u64,
    memory: u64,
    found: AtomicU64,
    pairs: PairUse,
}

impl PairLimit {
    /// Limits the pairs to those that fit into `memory` bytes.
    pub fn new(memory: u64, pairs: PairUse) -> Self {
        let memory = memory.max(LEAST_MEMORY);
        Self { most: memory / pairs.bytes(), memory, found: AtomicU64::new(0), pairs }
    }

    /// No limit.
    pub fn none() -> Self {
        Self::new(u64::MAX, PairUse::List)
    }

    /// How many pairs there is room for.
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
        let other = match self.pairs {
            PairUse::List => "",
            PairUse::Clusters => ", --pairs, which takes a quarter of it",
        };
        NearError::Pairs { most: self.most, memory: Size(self.memory), other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_up_to_what_the_memory_has_room_for() {
        let limit = PairLimit::new(0, PairUse::Clusters);
        let most = (LEAST_MEMORY / 192) as usize;
        assert!(limit.add(most - 1).is_ok() && limit.add(1).is_ok());
        let said = limit.add(1).unwrap_err().to_string();
        assert!(said.contains("64.0 MiB") && said.contains("--memory") && said.contains("--pairs"), "{said}");
        let said = PairLimit::new(0, PairUse::List).add(4 * most + 1_000).unwrap_err().to_string();
        assert!(!said.contains("--pairs"), "{said}");
        assert!(PairLimit::none().add(usize::MAX >> 8).is_ok());
    }
}
