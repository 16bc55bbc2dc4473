//! A search for similar documents that is brought to a later generation: what holds of the pairs and clusters stays, and
//! only documents that came are looked up and compared.
//!
//! What comes of it is what a whole search finds. The pairs of documents that stayed stay. A document that came is compared,
//! by its shingles, with all that its sketch lets expect to be similar: with `jaccard` by so low an estimate that fewer than
//! one in 100,000 million pairs at the threshold is missed, with `minhash` by the bands and estimates of a whole search.
//! Clusters whose pairs and documents are the same stay; those that are connected with a change are made again, from their
//! pairs. Numbers of documents change, but keep their order, on which the clusters depend where similarities are equal.
//!
//! Where this could give another result than a whole search, or would hardly take less time, it gives none.

mod candidates;
mod numbering;
mod pieces;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::Arc;

use super::clusters::Similarity;
use super::compared::FeatureReader;
use super::document::Document;
use super::documents::{Made, ReadDocument, map};
use super::equal::Equal;
use super::error::NearError;
use super::found::{Found, NearCluster, near_clusters};
use super::jaccard;
use super::memory::check_memory;
use super::minhash::estimate;
use super::pair::{Pair, numbers_of};
use super::settings::{Method, NearSettings, Shingling, SignatureRule};
use super::sketch_table::{SketchTable, sketch_of};
use super::threshold::Threshold;
use super::{by_shingles, by_signatures};
use candidates::{Candidacy, LookUp, crowded, crowded_of_added};
use dupi_index::index::changes::FileChanges;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_passage::Tick;
use dupi_text::sketch::Sketch;
use numbering::Numbering;
use pieces::Pieces;

/// If more than this many documents came, and more than a share of all, a whole search takes hardly more time.
const MANY: usize = 64;
/// The share: 1 / this.
const MANY_SHARE: usize = 16;

/// A search for similar documents of one generation, with what is needed to bring it to a later one.
pub struct StandingSearch {
    snapshot: Snapshot,
    settings: NearSettings,
    found: Arc<Found>,
    /// The sketches of its documents.
    sketches: Vec<Option<Sketch>>,
    candidacy: Candidacy,
}

impl StandingSearch {
    /// From what a whole search found. None if it was not by `jaccard` or `minhash` with the usual shingles, or if not all
    /// documents could be read or all pairs kept. `tick` receives the share that is done.
    ///
    /// # Errors
    /// When `tick` stops it.
    pub fn new(
        snapshot: &Snapshot,
        settings: &NearSettings,
        found: Arc<Found>,
        tick: &Tick,
    ) -> Result<Option<Self>, NearError> {
        // Below that threshold the rounding of similarities could depend on documents that are not connected.
        let is_fit = is_usual(&settings.method) && settings.clusters && settings.rule.threshold >= 0.5;
        if !is_fit || found.too_large > 0 || found.omitted > 0 {
            return Ok(None);
        }
        let SketchTable { documents, sketches, too_large } =
            SketchTable::read(snapshot, settings.memory, tick)?;
        let is_read = snapshot.totals().documents == found.documents.len() as u64 && too_large == 0;
        if !is_read || documents != found.documents {
            return Ok(None);
        }
        let candidacy = match &settings.method {
            Method::MinHash(_) => Candidacy::Bands(crowded(&sketches, settings.rule.threshold)),
            _ => Candidacy::Estimate,
        };
        Ok(Some(Self { snapshot: snapshot.clone(), settings: settings.clone(), found, sketches, candidacy }))
    }

    /// What was found.
    pub fn found(&self) -> &Arc<Found> {
        &self.found
    }

    /// The same search of a later generation; none if a whole search is needed. `tick` receives the share that is done.
    ///
    /// # Errors
    /// When there are too many pairs for the memory, and when `tick` stops it.
    pub fn renewed(&self, after: &Snapshot, tick: &Tick) -> Result<Option<Self>, NearError> {
        let Self { settings, found: former, .. } = self;
        let (before, now) = (self.snapshot.manifest(), after.manifest());
        let is_same = (&before.corpus, &before.recipe, &before.formats, &before.rules)
            == (&now.corpus, &now.recipe, &now.formats, &now.rules);
        let threshold = Threshold::new(settings.rule.threshold).filter(|_| is_same && self.has_room(after));
        let Some(threshold) = threshold else { return Ok(None) };
        let changes = FileChanges::between(&self.snapshot, after);
        let kept: Vec<Option<DocumentId>> = former.documents.iter().map(|of| changes.later(of.id)).collect();
        let added: HashSet<DocumentId> = changes.new_documents().collect();
        if added.len() > MANY.max(former.documents.len() / MANY_SHARE) {
            return Ok(None);
        }
        tick(0.1)?;
        let make = |read: &ReadDocument| (Document::read(after, read), sketch_of(read.tokens));
        let Made { documents: made, too_large } =
            map(after, settings.memory, &|_| tick(0.2), |id| added.contains(&id), make)?;
        if made.len() != added.len() || too_large > 0 {
            return Ok(None);
        }
        let (came, sketches_of_added): (Vec<Document>, Vec<Option<Sketch>>) =
            made.into_iter().map(|(_, made)| made).unzip();
        let Numbering { documents, of_former, of_added } =
            Numbering::new(after, &former.documents, &kept, &came);
        if documents.len() as u64 != after.totals().documents {
            return Ok(None);
        }
        let sketches =
            renumbered(&self.sketches, &of_former, documents.len(), (&of_added, &sketches_of_added));
        let candidacy = match &self.candidacy {
            Candidacy::Estimate => Candidacy::Estimate,
            Candidacy::Bands(crowded) => {
                let gone = of_former.iter().zip(&self.sketches).filter(|(number, _)| number.is_none());
                let left: Vec<Option<Sketch>> = gone.map(|(_, sketch)| *sketch).collect();
                let of_added_crowds = crowded_of_added(
                    &self.sketches,
                    &sketches,
                    &sketches_of_added,
                    &left,
                    settings.rule.threshold,
                );
                let Some(crowds) = of_added_crowds else { return Ok(None) };
                Candidacy::Bands(renumbered(crowded, &of_former, documents.len(), (&of_added, &crowds)))
            }
        };
        tick(0.3)?;
        // The documents that came, compared with one of each set of equal ones.
        let mut pieces = Pieces::new(former, &of_former, documents.len());
        let look_up =
            LookUp { sketches: &sketches, candidacy: &candidacy, threshold: settings.rule.threshold };
        let mut wanted: Vec<(u32, u32)> = Vec::new();
        for &number in &of_added {
            let near = look_up.candidates(number).into_iter().map(|other| pieces.first_of(other));
            wanted.extend(near.map(|other| (number.min(other), number.max(other))));
        }
        wanted.sort_unstable();
        wanted.dedup();
        tick(0.4)?;
        let reader = FeatureReader {
            snapshot: after,
            documents: &documents,
            shingling: Shingling::default(),
            memory: settings.memory,
        };
        let mut numbers: Vec<u32> = wanted.iter().flat_map(|&(a, b)| [a, b]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        if !reader.has_room(&numbers) {
            return Ok(None);
        }
        let compared = reader.features(&numbers, &|_| tick(0.5))?;
        let mut pairs = Vec::new();
        for &(a, b) in &wanted {
            let (Some(own), Some(other)) = (compared.at(a), compared.at(b)) else { return Ok(None) };
            if compared.sets.of(own as usize) == compared.sets.of(other as usize) {
                pieces.join(a, b);
            } else if let Some(similarity) = jaccard::compare(&compared.sets, own, other, threshold) {
                pairs.push(Pair { a, b, similarity });
            }
        }
        drop(compared);
        let (groups, pairs, dirty) = pieces.joined(pairs, &of_added);
        settings.pair_limit().add(pairs.len())?;
        tick(0.6)?;
        let affected = pieces::connected(documents.len(), &groups, &pairs, &dirty);
        let clusters = self.clusters(&reader, &groups, &pairs, (&of_former, &affected), &sketches, tick)?;
        let Some(clusters) = clusters else { return Ok(None) };
        let distinct = (0..documents.len() as u32)
            .filter(|&number| sketches[number as usize].is_some() && pieces.first_of(number) == number)
            .collect();
        let equal = Equal { distinct, groups };
        let found = Arc::new(Found { documents, equal, pairs, clusters, ..Found::default() });
        let (snapshot, settings) = (after.clone(), settings.clone());
        Ok(Some(Self { snapshot, settings, found, sketches, candidacy }))
    }

    /// Whether a whole search would have the memory that it needs.
    fn has_room(&self, after: &Snapshot) -> bool {
        let (totals, memory) = (after.totals(), self.settings.memory);
        let needed = match &self.settings.method {
            Method::MinHash(_) => totals.documents * by_signatures::BYTES_A_DOCUMENT,
            _ => totals.tokens * by_shingles::BYTES_A_TOKEN,
        };
        check_memory(needed, memory).is_ok()
    }

    /// The clusters of a later generation: those in which nothing changed, and those that are made again of the affected
    /// documents. None if what is known of similarities below the threshold is not what a whole search would know.
    fn clusters(
        &self,
        reader: &FeatureReader,
        groups: &[Vec<u32>],
        pairs: &[Pair],
        (of_former, affected): (&[Option<u32>], &[bool]),
        sketches: &[Option<Sketch>],
        tick: &Tick,
    ) -> Result<Option<Vec<NearCluster>>, NearError> {
        let is_affected = |number: &u32| affected[*number as usize];
        let own_pairs: Vec<Pair> = pairs.iter().copied().filter(|pair| is_affected(&pair.a)).collect();
        let own_groups: Vec<Vec<u32>> =
            groups.iter().filter(|group| is_affected(&group[0])).cloned().collect();
        let numbers = numbers_of(&own_pairs);
        let is_signed = matches!(self.settings.method, Method::MinHash(_));
        // As a whole search does.
        let is_estimated = is_signed && !reader.has_room(&numbers_of(pairs));
        if is_estimated != (is_signed && !self.had_room()) {
            return Ok(None);
        }
        let compared = match is_estimated {
            true => Default::default(),
            false => reader.features(&numbers, &|share| tick(0.6 + share * 0.2))?,
        };
        if !is_estimated && compared.numbers.len() != numbers.len() {
            return Ok(None);
        }
        let similarity = |a: u32, b: u32| {
            compared.resemblance(a, b).unwrap_or_else(|| {
                match (&sketches[a as usize], &sketches[b as usize]) {
                    (Some(a), Some(b)) => estimate(&a.signature, &b.signature),
                    _ => 0.0,
                }
            })
        };
        let size = |of: u32| match compared.at(of) {
            Some(at) if !is_signed => compared.sets.of(at as usize).len() as u64,
            _ => reader.tokens(of),
        };
        let similarity = Similarity { of: &similarity, size: &size };
        let made = near_clusters(
            reader.snapshot,
            reader.documents,
            &own_groups,
            &own_pairs,
            &self.settings,
            &similarity,
            &|share| tick(0.8 + share * 0.2),
        )?;
        let stays = |cluster: &NearCluster| {
            let mut cluster = cluster.clone();
            for member in &mut cluster.members {
                let number = of_former[member.document as usize].filter(|number| !is_affected(number))?;
                member.document = number;
            }
            Some(cluster)
        };
        let stayed = self.found.clusters.iter().filter_map(stays);
        let mut clusters: Vec<NearCluster> = stayed.chain(made).collect();
        NearCluster::sort(&mut clusters);
        Ok(Some(clusters))
    }

    /// Whether the shingles of all similar documents had room in the memory.
    fn had_room(&self) -> bool {
        let reader = FeatureReader {
            snapshot: &self.snapshot,
            documents: &self.found.documents,
            shingling: Shingling::default(),
            memory: self.settings.memory,
        };
        reader.has_room(&numbers_of(&self.found.pairs))
    }
}

/// Whether documents are compared by the shingles that sketches are made of.
fn is_usual(method: &Method) -> bool {
    match method {
        Method::Jaccard(shingling) | Method::MinHash(SignatureRule { shingling, verify: true }) => {
            *shingling == Shingling::default()
        }
        _ => false,
    }
}

/// What belongs to the documents of the earlier generation, and to those that came, by their new numbers.
fn renumbered<T: Copy + Default>(
    former: &[T],
    of_former: &[Option<u32>],
    documents: usize,
    (of_added, added): (&[u32], &[T]),
) -> Vec<T> {
    let mut all = vec![T::default(); documents];
    for (number, value) in of_former.iter().zip(former) {
        if let Some(number) = number {
            all[*number as usize] = *value;
        }
    }
    for (number, value) in of_added.iter().zip(added) {
        all[*number as usize] = *value;
    }
    all
}
