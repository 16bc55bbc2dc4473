//! Why a search for similar documents failed.

use super::simhash::SimHashSettingsError;
use crate::config::Size;
use crate::passage::PassageError;

/// Why a search for similar documents failed.
#[derive(Debug, thiserror::Error)]
pub enum NearError {
    /// The index is damaged, or the caller stopped the search.
    #[error(transparent)]
    Search(#[from] PassageError),
    /// The distance of fingerprints.
    #[error(transparent)]
    Distance(#[from] SimHashSettingsError),
    /// More pairs were found than clusters can be made of within the memory.
    #[error(
        "{pairs} pairs are similar, and their clusters take about {needed} of memory; use a higher --threshold, list \
         --pairs, or allow as much with --memory"
    )]
    Pairs {
        /// How many.
        pairs: usize,
        /// What their clusters take.
        needed: Size,
    },
    /// The method compares all documents in memory, and they are too large for it.
    #[error("the documents take about {} of memory to compare; allow as much with --memory, or use --method minhash or simhash", .0)]
    Memory(Size),
}
