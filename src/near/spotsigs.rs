//! SpotSigs: documents that resemble each other by their spot signatures (Theobald, Siddharth, Paepcke, “SpotSigs:
//! robust and efficient near duplicate detection in large web collections”, SIGIR 2008).
//!
//! Running text has stop words, and banners, menus and lists of links have few. So a signature is a stop word with the
//! content words behind it, and what surrounds a text hardly counts. [`signatures`] makes the signatures of a document,
//! [`IdfBounds`] leaves out those that are too frequent or too rare.
//!
//! The paper compares documents by an inverted index of their rarest signatures, and skips those whose lengths exclude
//! a match. [`jaccard`](super::jaccard) does the same for any bags, so [`pairs_within`](super::jaccard::pairs_within)
//! finds the pairs: all with a resemblance of at least a threshold, like a comparison of each document with each.
//! [`intersections`] and [`pairs_in_block`] find the same pairs by parts.

mod antecedents;
mod idf;
mod signatures;
mod split;
#[cfg(test)]
mod tests;

pub use antecedents::{Antecedents, AntecedentsError, Spot};
pub use idf::IdfBounds;
pub use signatures::signatures;
pub use split::{Intersection, intersections, pairs_in_block, pairs_of};

/// The threshold with the best results in the paper.
pub const USUAL_THRESHOLD: f64 = 0.44;
