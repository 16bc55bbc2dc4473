//! SimHash: 64 bits for each document, which differ in few places for similar documents.
//!
//! [`fingerprint`](dupi_text::sketch::fingerprint) makes the 64 bits. [`find_all`] and [`find_clusters`] find near ones in a list of hashes,
//! [`near_fingerprints`] finds the documents that have them. Every search is complete: it finds all pairs within the
//! distance, equal ones included, whatever the number of blocks and of threads.

mod compare;
mod divide;
mod documents;
mod hashes;
mod list;
mod plan;
mod search;
mod settings;
pub(super) mod tables;
#[cfg(test)]
mod tests;

pub(super) use documents::of_pairs;
pub use documents::{NearFingerprints, near_fingerprints};
pub use hashes::{HashPairsError, find_all, find_clusters};
pub use list::{HashListError, read_hashes};
pub use settings::{SimHashSettings, SimHashSettingsError};
