//! Which documents may be similar to one that came, by their sketches: those that a whole search would compare with it.

use std::collections::HashSet;
use std::ops::Range;

use rayon::prelude::*;

use crate::minhash::{Bands, CROWD, MinHashSettings, band_key, estimate};
use dupi_text::sketch::Sketch;

/// Sketches that are looked at as one task.
const AT_ONCE: usize = 4096;

/// How documents become candidates.
#[derive(Clone, Debug)]
pub(super) enum Candidacy {
    /// By an estimate that is so far below the threshold that every similar pair has it.
    Estimate,
    /// By a band too, as in a search by signatures; for each document whether it is in a crowd.
    Bands(Vec<bool>),
}

/// What is looked up among sketches.
pub(super) struct LookUp<'a> {
    /// The sketches of all documents by their numbers.
    pub(super) sketches: &'a [Option<Sketch>],
    pub(super) candidacy: &'a Candidacy,
    pub(super) threshold: f64,
}

impl LookUp<'_> {
    /// The candidates for a document, ascending, without itself.
    pub(super) fn candidates(&self, number: u32) -> Vec<u32> {
        let Some(own) = &self.sketches[number as usize] else { return Vec::new() };
        let settings = MinHashSettings::default();
        let (bands, floor, sure) = (
            settings.bands(self.threshold),
            settings.floor(self.threshold),
            settings.sure_floor(self.threshold),
        );
        let is_candidate = |at: usize, other: &Sketch| {
            let estimate = estimate(&own.signature, &other.signature);
            estimate >= sure
                && match &self.candidacy {
                    Candidacy::Estimate => true,
                    Candidacy::Bands(crowded) => {
                        (crowded[number as usize] && crowded[at])
                            || (estimate >= floor && shares_band(bands, &own.signature, &other.signature))
                    }
                }
        };
        let of_some = |(part, some): (usize, &[Option<Sketch>])| {
            let numbered = (part * AT_ONCE..).zip(some);
            let near = numbered.filter(|&(at, sketch)| {
                at != number as usize && sketch.as_ref().is_some_and(|other| is_candidate(at, other))
            });
            near.map(|(at, _)| at as u32).collect::<Vec<u32>>()
        };
        let found: Vec<Vec<u32>> = self.sketches.par_chunks(AT_ONCE).enumerate().map(of_some).collect();
        found.concat()
    }
}

fn shares_band(bands: Bands, a: &[u8], b: &[u8]) -> bool {
    let cut = |of: &[u8]| of.len().min(bands.bands * bands.rows);
    a[..cut(a)].chunks(bands.rows).zip(b[..cut(b)].chunks(bands.rows)).any(|(a, b)| a == b)
}

/// The bands, and their keys, that are in a crowd of documents.
type CrowdedKeys = HashSet<(usize, u64)>;

/// For each document whether it shares a band with so many others that a search by signatures compares all of them with
/// each other, whatever their signatures.
pub(super) fn crowded(sketches: &[Option<Sketch>], threshold: f64) -> Vec<bool> {
    let bands = MinHashSettings::default().bands(threshold);
    // One band after the other, for the memory.
    let of_band = |band: usize| crowds(sketches, bands, band..band + 1, |_, _| true);
    let crowds: CrowdedKeys = (0..bands.bands).into_par_iter().flat_map_iter(of_band).collect();
    sketches.par_iter().map(|sketch| is_crowded(sketch, &crowds, bands)).collect()
}

/// The same after a change, `former` and `now` being the sketches before and after it: for each of the sketches `added`
/// whether it is in a crowd; `left` are those that are gone. None if documents that stayed are in a crowd now and were not,
/// or the other way round.
pub(super) fn crowded_of_added(
    former: &[Option<Sketch>],
    now: &[Option<Sketch>],
    added: &[Option<Sketch>],
    left: &[Option<Sketch>],
    threshold: f64,
) -> Option<Vec<bool>> {
    let bands = MinHashSettings::default().bands(threshold);
    let changed_in = |band: usize| {
        let mut keys: Vec<u64> =
            added.iter().chain(left).flatten().map(|sketch| key(sketch, bands, band)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    };
    let changed: Vec<Vec<u64>> = (0..bands.bands).map(changed_in).collect();
    let is_changed = |band: usize, key| changed[band].binary_search(&key).is_ok();
    let all = |sketches| crowds(sketches, bands, 0..bands.bands, is_changed);
    let (before, after) = rayon::join(|| all(former), || all(now));
    (before == after).then(|| added.iter().map(|sketch| is_crowded(sketch, &after, bands)).collect())
}

/// The crowds in some bands among the keys for which `is_wanted` holds: those of more than [`CROWD`] different bags of shingles.
fn crowds(
    sketches: &[Option<Sketch>],
    bands: Bands,
    of: Range<usize>,
    is_wanted: impl Fn(usize, u64) -> bool,
) -> CrowdedKeys {
    let mut bags: Vec<(usize, u64, u128)> = Vec::new();
    for sketch in sketches.iter().flatten() {
        let keys = of.clone().map(|band| (band, key(sketch, bands, band)));
        bags.extend(
            keys.filter(|&(band, key)| is_wanted(band, key)).map(|(band, key)| (band, key, sketch.bag)),
        );
    }
    bags.sort_unstable();
    bags.dedup();
    let of_key = bags.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
    of_key.filter(|bags| bags.len() > CROWD).map(|bags| (bags[0].0, bags[0].1)).collect()
}

fn is_crowded(sketch: &Option<Sketch>, crowds: &CrowdedKeys, bands: Bands) -> bool {
    let is_in =
        |sketch: &Sketch| (0..bands.bands).any(|band| crowds.contains(&(band, key(sketch, bands, band))));
    sketch.as_ref().is_some_and(is_in)
}

fn key(sketch: &Sketch, bands: Bands, band: usize) -> u64 {
    band_key(&sketch.signature[band * bands.rows..][..bands.rows])
}
