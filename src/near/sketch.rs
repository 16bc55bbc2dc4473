//! What is made of the tokens of a document, to compare it with others.

use super::features::FeatureSets;
use super::settings::Shingling;
use dupi_text::sketch::shingles;

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

/// Adds the features of a document to those of others.
pub(super) fn add(sets: &mut FeatureSets, features: Vec<u64>, shingling: Shingling) {
    if shingling.bag { sets.add_bag(features) } else { sets.add_set(features) }
}
