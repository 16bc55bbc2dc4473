//! Tags: the words by which a string or here-document is closed.

use xxhash_rust::xxh3::xxh3_64;

use super::super::mode::MAX_DEPTH;

/// The longest tag.
pub(super) const MOST_TAG: usize = 64;

/// A number of as many bits as a fence has, and not 0.
pub(super) fn hash(tag: &[u8]) -> u32 {
    (xxh3_64(tag) as u32 & MAX_DEPTH).max(1)
}
