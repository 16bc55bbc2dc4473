//! The documents that are similar to one given text.

use std::collections::HashSet;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use crate::Tick;
use crate::by_fingerprints::{from_tokens, similarity, threshold};
use crate::error::NearError;
use crate::features::{FeatureSets, Threshold};
use crate::minhash::{estimate, floor};
use crate::settings::{FeatureRule, Identity, Method, NearSettings, SignatureRule};
use dupi_base::corpus;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::documents::{Document, Made, map, map_sketched, sketch_of};
use dupi_text::sketch::Sketch;
use dupi_text::token::{LexState, Tokeniser};

/// A text that documents are compared with.
pub struct GivenText<'a> {
    /// The name of its file, by which it is tokenised.
    pub path: &'a Path,
    /// The text.
    pub text: &'a str,
    /// xxh3-64 of the bytes of its file.
    pub bytes: u64,
}

/// Compares a text with all documents of a snapshot: each similar one with its similarity, the most similar first, and then
/// by path. Each document is read once, and little is kept. Where sketches are used, only those are read that have none, and
/// those that their sketches let expect to be similar. `tick` receives the share that is done.
///
/// # Errors
/// When the index is damaged, or when `tick` stops the search.
pub fn like(
    snapshot: &Snapshot,
    settings: &NearSettings,
    given: &GivenText,
    tick: &Tick,
) -> Result<Made<f32>, NearError> {
    let recipe = &snapshot.manifest().recipe;
    let tokeniser = Tokeniser::for_file(recipe.tokens, recipe.comments, given.path, given.text);
    let read = recipe.ignored.blanked(given.text);
    let tokens: Vec<u64> =
        tokeniser.tokens(&read, LexState::default()).iter().map(|token| token.hash).collect();
    let memory = settings.memory;
    let Made { documents, too_large } = match &settings.method {
        Method::Identical(Identity::Bytes) => {
            let table = |id: DocumentId| snapshot.segment(id.segment).table();
            let is_wanted = |id: DocumentId| match snapshot.document(id) {
                row if row.record == 0 => table(id).file(row.file).hash == given.bytes,
                row => row.key == xxh3_64(given.text.as_bytes()),
            };
            map(snapshot, memory, tick, is_wanted, |read| {
                let is_equal = read.text == given.text && has_bytes(snapshot, read.document.id, given.bytes);
                is_equal.then_some(1.0)
            })?
        }
        Method::Identical(Identity::Tokens) => {
            let count = |id: DocumentId| snapshot.document(id).tokens as usize;
            let is_wanted = |id: DocumentId| !tokens.is_empty() && count(id) == tokens.len();
            map(snapshot, memory, tick, is_wanted, |read| (read.tokens == tokens).then_some(1.0))?
        }
        Method::SimHash(rule) => {
            let own = from_tokens(&tokens, *rule);
            let of_print = |print: u64| {
                let similarity = similarity(own?, print);
                let is_similar = similarity > 0.0 && similarity >= threshold(rule.distance);
                is_similar.then_some(similarity as f32)
            };
            let from_sketch =
                settings.uses_sketches().then_some(|sketch: Sketch| of_print(sketch.fingerprint));
            let of_tokens = |tokens: &[u64]| Some(of_print(from_tokens(tokens, *rule)?));
            map_sketched(snapshot, memory, tick, from_sketch, of_tokens)?.map(Option::flatten)
        }
        Method::MinHash(rule) if settings.uses_sketches() => {
            let least = floor(settings.rule.threshold, true);
            let own = sketch_of(&tokens);
            let is_near =
                |other: Sketch| own.is_some_and(|own| estimate(&own.signature, &other.signature, 1) >= least);
            let made =
                map_sketched(snapshot, memory, tick, Some(is_near), |tokens| sketch_of(tokens).map(is_near))?;
            let near = made.documents.iter().filter(|(_, is_near)| *is_near == Some(true));
            let near: HashSet<DocumentId> = near.map(|(document, _)| document.id).collect();
            let rule = FeatureRule::Shingles(rule.shingling);
            let found = by_features(snapshot, rule, settings, &tokens, |id| near.contains(&id), tick)?;
            Made { too_large: made.too_large, ..found }
        }
        Method::MinHash(SignatureRule { shingling, .. }) | Method::Jaccard(shingling) => {
            let rule = FeatureRule::Shingles(*shingling);
            by_features(snapshot, rule, settings, &tokens, |_| true, tick)?
        }
        Method::SpotSigs(rule) => {
            by_features(snapshot, FeatureRule::Spots(rule), settings, &tokens, |_| true, tick)?
        }
    };
    let similar = |(document, similarity): (Document, Option<f32>)| Some((document, similarity?));
    let mut documents: Vec<(Document, f32)> = documents.into_iter().filter_map(similar).collect();
    // The sort is stable, and they come sorted by path.
    documents.sort_by(|a, b| b.1.total_cmp(&a.1));
    Ok(Made { documents, too_large })
}

/// Compares the features of a text with those of some documents.
fn by_features(
    snapshot: &Snapshot,
    rule: FeatureRule,
    settings: &NearSettings,
    tokens: &[u64],
    is_wanted: impl Fn(DocumentId) -> bool + Sync,
    tick: &Tick,
) -> Result<Made<Option<f32>>, NearError> {
    let Some(threshold) = Threshold::new(settings.rule.threshold) else {
        return Ok(Made { documents: Vec::new(), too_large: 0 });
    };
    let features = |tokens: &[u64]| FeatureSets::of_one(rule.make(tokens), rule.is_bag());
    let given = features(tokens);
    Ok(map(snapshot, settings.memory, tick, is_wanted, |read| {
        threshold.compare(given.get(0), features(read.tokens).get(0))
    })?)
}

/// Whether the file of a document has these bytes now. A record has no bytes of its own.
fn has_bytes(snapshot: &Snapshot, id: DocumentId, bytes: u64) -> bool {
    let manifest = snapshot.manifest();
    let path = manifest.corpus.absolute(snapshot.path(snapshot.file_of(id)));
    snapshot.document(id).record > 0
        || corpus::hash(&path, manifest.rules.max_filesize).is_ok_and(|(hash, _)| hash == bytes)
}
