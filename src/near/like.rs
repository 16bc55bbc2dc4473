//! The documents that are similar to one given text.

use std::collections::HashSet;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::by_fingerprints::{of_tokens, similarity, threshold};
use super::document::Document;
use super::documents::{Made, map};
use super::error::NearError;
use super::features::FeatureSets;
use super::jaccard::compare_with;
use super::minhash;
use super::settings::{Identity, Method, NearSettings, SignatureRule};
use super::sketch::features;
use super::sketch_table::{SketchTable, sketch_of};
use super::spotsigs::signatures;
use super::threshold::Threshold;
use dupi_base::corpus;
use dupi_index::index::search::Tick;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
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

/// The documents that are similar to a given one.
pub struct Alike {
    /// Each with its similarity, the most similar first, and then by path.
    pub documents: Vec<(Document, f32)>,
    /// How many files were skipped because their tokens would take too much memory.
    pub too_large: u64,
}

/// What makes the features of a document from its tokens.
type Make<'a> = &'a (dyn Fn(&[u64]) -> Vec<u64> + Sync);
/// Which documents are compared.
type IsWanted<'a> = &'a (dyn Fn(DocumentId) -> bool + Sync);

/// Compares a text with all documents of a snapshot. Each document is read once, and little is kept. Where sketches are used,
/// only those are read that have none, and those that their sketches let expect to be similar. `tick` receives the share that
/// is done.
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
    let read = recipe.ignored.blanked(given.text);
    let tokens: Vec<u64> =
        tokeniser.tokens(&read, LexState::default()).iter().map(|token| token.hash).collect();
    let all = |_: DocumentId| true;
    let with_features = |given: Vec<u64>, is_bag: bool, make: Make, is_wanted: IsWanted| {
        let Some(threshold) = Threshold::new(settings.rule.threshold) else {
            return Ok(Made { documents: Vec::new(), too_large: 0 });
        };
        let given = FeatureSets::of_one(given, is_bag);
        map(snapshot, settings.memory, tick, is_wanted, |read| {
            let other = FeatureSets::of_one(make(read.tokens), is_bag);
            Some((Document::read(snapshot, read), compare_with(&given, 0, &other, 0, threshold)?))
        })
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
        Method::MinHash(rule) if settings.uses_sketches() => {
            let table = SketchTable::read(snapshot, settings.memory, tick)?;
            let floor = minhash::MinHashSettings::default().floor(settings.rule.threshold);
            let near = sketch_of(&tokens).map_or(Vec::new(), |own| table.near_signatures(&own, floor));
            let near: HashSet<DocumentId> =
                near.iter().map(|&number| table.documents[number as usize].id).collect();
            let make = |tokens: &[u64]| features(tokens, rule.shingling);
            let made = with_features(make(&tokens), false, &make, &|id| near.contains(&id))?;
            Made { too_large: table.too_large, ..made }
        }
        Method::SimHash(rule) if settings.uses_sketches() => {
            let table = SketchTable::read(snapshot, settings.memory, tick)?;
            let own = sketch_of(&tokens);
            let near = own.map_or(Vec::new(), |own| table.near_fingerprints(&own, rule.distance));
            let found = near.into_iter().filter_map(|number| {
                let (document, other) = (table.documents[number as usize], table.sketches[number as usize]?);
                let similarity = similarity(own?.fingerprint, other.fingerprint);
                Some((document.id, (similarity > 0.0).then_some((document, similarity as f32))))
            });
            Made { documents: found.collect(), too_large: table.too_large }
        }
        Method::Jaccard(shingling) | Method::MinHash(SignatureRule { shingling, .. }) => {
            let make = |tokens: &[u64]| features(tokens, *shingling);
            with_features(make(&tokens), shingling.bag, &make, &all)?
        }
        Method::SimHash(rule) => {
            let rule = *rule;
            let given = of_tokens(&tokens, rule);
            map(snapshot, settings.memory, tick, all, |read| {
                let similarity = similarity(given?, of_tokens(read.tokens, rule)?);
                let is_similar = similarity > 0.0 && similarity >= threshold(rule.distance);
                is_similar.then(|| (Document::read(snapshot, read), similarity as f32))
            })?
        }
        Method::SpotSigs(rule) => {
            let make = |tokens: &[u64]| signatures(tokens, &rule.antecedents);
            with_features(make(&tokens), true, &make, &all)?
        }
    };
    let mut documents: Vec<(Document, f32)> = documents.into_iter().filter_map(|(_, found)| found).collect();
    // The sort is stable, and they come sorted by path.
    documents.sort_by(|a, b| b.1.total_cmp(&a.1));
    Ok(Alike { documents, too_large })
}

/// Whether the file of a document has these bytes now. A record has no bytes of its own.
fn has_bytes(snapshot: &Snapshot, id: DocumentId, bytes: u64) -> bool {
    let manifest = snapshot.manifest();
    let path = manifest.corpus.absolute(snapshot.path(snapshot.file_of(id)));
    snapshot.document(id).record > 0
        || corpus::hash(&path, manifest.rules.max_filesize).is_ok_and(|(hash, _)| hash == bytes)
}
