//! What is made of the tokens of a document, to compare it with others.

use super::settings::Shingling;
use super::shingles::shingles;

/// The shingles of a document; those of a set each once.
pub(super) fn features(tokens: &[u64], shingling: Shingling) -> Vec<u64> {
    let mut features = shingles(tokens, shingling.size);
    if !shingling.bag {
        features.sort_unstable();
        features.dedup();
        features.shrink_to_fit();
    }
    features
}
