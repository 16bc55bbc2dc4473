//! SimHash: 64 bits for each document, which differ in few places for similar documents.
//!
//! [`fingerprint`](dupi_text::sketch::fingerprint) makes the 64 bits. [`find_all`] and [`find_clusters`] find near ones in a
//! list of hashes, `near_pairs` finds the documents that have them. Every search is complete: it finds all pairs within the
//! distance, whatever the number of blocks and of threads.

mod compare;
mod list;
mod pairs;
mod plan;
mod search;
#[cfg(test)]
mod tests;

pub use list::{HashListError, read_hashes};
pub(super) use pairs::near_pairs;
pub use pairs::{HashPairsError, find_all, find_clusters};
pub(super) use plan::tables;
pub use plan::{SimHashSettings, SimHashSettingsError};
pub(super) use search::search_near;
