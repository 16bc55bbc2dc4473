//! The documents that are similar to one given text.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::by_fingerprints::{of_tokens, similarity, threshold};
use super::document::Document;
use super::documents::{Made, ReadDocument, map};
use super::error::NearError;
use super::features::FeatureSets;
use super::settings::{Identity, Method, NearSettings, SignatureRule};
use super::sketch::{add, features};
use super::spotsigs::signatures;
use crate::corpus;
use crate::index::snapshot::{DocumentId, Snapshot};
use crate::passage::Tick;
use crate::token::{LexState, Tokeniser};

/// A text that documents are compared with.
pub struct GivenText<'a> {
    /// The name of its file, by which it is tokenised.
    pub path: &'a Path,
    /// The text.
    pub text: &'a str,
    /// xxh3-64 of the bytes of its file.
    pub bytes: u64,
}

/// The documents that are similar to a given one.
pub struct Alike {
    /// Each with its similarity, the most similar first, and then by path.
    pub documents: Vec<(Document, f32)>,
    /// How many files were skipped because their tokens would take too much memory.
    pub too_large: u64,
}

/// Compares a text with all documents of a snapshot. Each document is read once, and little is kept. `tick` receives the
/// share that is done.
///
/// # Errors
/// When the index is damaged, or when `tick` stops the search.
pub fn like(
    snapshot: &Snapshot,
    settings: &NearSettings,
    given: &GivenText,
    tick: &Tick,
) -> Result<Alike, NearError> {
    let recipe = &snapshot.manifest().recipe;
    let tokeniser = Tokeniser::of(recipe.tokens, recipe.comments, given.path, given.text);
    let tokens: Vec<u64> =
        tokeniser.tokens(given.text, LexState::default()).iter().map(|token| token.hash).collect();
    let all = |_: DocumentId| true;
    let similar = |read: &ReadDocument, similarity: f64, threshold: f64| {
        let is_similar = similarity > 0.0 && similarity >= threshold;
        is_similar.then(|| (Document::read(snapshot, read), similarity as f32))
    };
    let Made { documents, too_large } = match &settings.method {
        Method::Identical(Identity::Bytes) => {
            let table = |id: DocumentId| snapshot.segment(id.segment).table();
            let is_wanted = |id: DocumentId| match snapshot.document(id) {
                row if row.record == 0 => table(id).file(row.file).hash == given.bytes,
                row => row.key == xxh3_64(given.text.as_bytes()),
            };
            map(snapshot, settings.memory, tick, is_wanted, |read| {
                let is_equal = read.text == given.text && has_bytes(snapshot, read.id, given.bytes);
                is_equal.then(|| (Document::read(snapshot, read), 1.0))
            })?
        }
        Method::Identical(Identity::Tokens) => {
            let is_wanted =
                |id: DocumentId| !tokens.is_empty() && snapshot.document(id).tokens as usize == tokens.len();
            map(snapshot, settings.memory, tick, is_wanted, |read| {
                (read.tokens == tokens).then(|| (Document::read(snapshot, read), 1.0))
            })?
        }
        Method::Jaccard(shingling) | Method::MinHash(SignatureRule { shingling, .. }) => {
            let shingling = *shingling;
            let mut given = FeatureSets::default();
            add(&mut given, features(&tokens, shingling), shingling);
            map(snapshot, settings.memory, tick, all, |read| {
                let mut sets = FeatureSets::default();
                add(&mut sets, features(read.tokens, shingling), shingling);
                similar(read, resemblance(&given, &sets, settings.rule.threshold), settings.rule.threshold)
            })?
        }
        Method::SimHash(rule) => {
            let rule = *rule;
            let given = of_tokens(&tokens, rule);
            map(snapshot, settings.memory, tick, all, |read| {
                let similarity = similarity(given?, of_tokens(read.tokens, rule)?);
                similar(read, similarity, threshold(rule.distance))
            })?
        }
        Method::SpotSigs(rule) => {
            let mut given = FeatureSets::default();
            given.add_bag(signatures(&tokens, &rule.antecedents));
            map(snapshot, settings.memory, tick, all, |read| {
                let mut bags = FeatureSets::default();
                bags.add_bag(signatures(read.tokens, &rule.antecedents));
                similar(read, resemblance(&given, &bags, settings.rule.threshold), settings.rule.threshold)
            })?
        }
    };
    let mut documents: Vec<(Document, f32)> = documents.into_iter().filter_map(|(_, found)| found).collect();
    // The sort is stable, and they come sorted by path.
    documents.sort_by(|a, b| b.1.total_cmp(&a.1));
    Ok(Alike { documents, too_large })
}

/// The resemblance of the only documents of two sets, or 0 if their sizes tell that it is below the threshold: the
/// intersection is at most as large as the smaller one, and the union at least as large as the larger one.
fn resemblance(a: &FeatureSets, b: &FeatureSets, threshold: f64) -> f64 {
    let (own, other) = (a.size(0), b.size(0));
    let most = own.min(other) as f64 / own.max(other).max(1) as f64;
    if most < threshold { 0.0 } else { a.resemblance_to(0, b, 0) }
}

/// Whether the file of a document has these bytes now. A record has no bytes of its own.
fn has_bytes(snapshot: &Snapshot, id: DocumentId, bytes: u64) -> bool {
    let manifest = snapshot.manifest();
    let path = manifest.corpus.absolute(snapshot.path(snapshot.file_of(id)));
    snapshot.document(id).record > 0
        || corpus::hash(&path, manifest.rules.max_filesize).is_ok_and(|(hash, _)| hash == bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_resemblance_is_left_out_only_below_the_threshold(
            own in prop::collection::vec(0..9_u64, 0..12),
            other in prop::collection::vec(0..9_u64, 0..12),
            threshold in 0.0..=1.0_f64,
            are_bags in any::<bool>(),
        ) {
            let of = |documents: &[&Vec<u64>]| {
                let mut sets = FeatureSets::default();
                for &features in documents {
                    if are_bags { sets.add_bag(features.clone()) } else { sets.add_set(features.clone()) }
                }
                sets
            };
            let expected = of(&[&own, &other]).resemblance(0, 1);
            let found = resemblance(&of(&[&own]), &of(&[&other]), threshold);
            prop_assert!(found == expected || (found == 0.0 && expected < threshold), "{found} {expected}");
        }
    }
}
