//! Why a search for similar documents failed.

use crate::SearchError;
use crate::blocks::BlockError;
use crate::simhash::SimHashSettingsError;
use dupi_base::config::Size;

/// Why a search for similar documents failed.
#[derive(Debug, thiserror::Error)]
pub enum NearError {
    /// The index is damaged, or the caller stopped the search.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A part of a search.
    #[error(transparent)]
    Block(#[from] BlockError),
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
