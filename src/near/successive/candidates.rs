//! Which documents may be similar to one that came, by their sketches: those that a whole search would compare with it.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use crate::near::minhash::{Bands, CROWD, MinHashSettings, band_key, estimate};
use crate::sketch::Sketch;

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

/// The keys of a signature's bands that are in a crowd of documents.
type CrowdedKeys = Vec<HashSet<u64>>;

/// For each document whether it shares a band with so many others that a search by signatures compares all of them with
/// each other, whatever their signatures.
pub(super) fn crowded(sketches: &[Option<Sketch>], threshold: f64) -> Vec<bool> {
    let bands = MinHashSettings::default().bands(threshold);
    let distinct = distinct(sketches);
    let crowds = |band: usize| {
        let mut counts: HashMap<u64, usize> = HashMap::new();
        for sketch in &distinct {
            *counts.entry(key(sketch, bands, band)).or_default() += 1;
        }
        counts.into_iter().filter(|(_, count)| *count > CROWD).map(|(key, _)| key).collect()
    };
    let crowds: CrowdedKeys = (0..bands.bands).into_par_iter().map(crowds).collect();
    let is_crowded = |sketch: &Option<Sketch>| {
        sketch.as_ref().is_some_and(|sketch| {
            (0..bands.bands).any(|band| crowds[band].contains(&key(sketch, bands, band)))
        })
    };
    sketches.par_iter().map(is_crowded).collect()
}

/// The same after a change, `former` and `now` being the sketches before and after it: for each of the sketches `added`
/// whether it is in a crowd. None if documents that stayed are in a crowd now and were not, or the other way round.
pub(super) fn crowded_of_added(
    former: &[Option<Sketch>],
    now: &[Option<Sketch>],
    added: &[Option<Sketch>],
    threshold: f64,
) -> Option<Vec<bool>> {
    let bands = MinHashSettings::default().bands(threshold);
    let (before, after) = (distinct(former), distinct(now));
    let bags = |of: &[&Sketch]| of.iter().map(|sketch| sketch.bag).collect::<HashSet<u128>>();
    let (bags_before, bags_after) = (bags(&before), bags(&after));
    let came: Vec<&Sketch> = after.iter().copied().filter(|of| !bags_before.contains(&of.bag)).collect();
    let left: Vec<&Sketch> = before.iter().copied().filter(|of| !bags_after.contains(&of.bag)).collect();
    // For each band, the keys of what changed that are in a crowd; none if a crowd formed or dissolved.
    let crowds = |band: usize| {
        let key = |sketch: &Sketch| key(sketch, bands, band);
        let changed =
            came.iter().chain(&left).map(|sketch| key(sketch)).chain(added.iter().flatten().map(key));
        let mut counts: HashMap<u64, Count> = changed.map(|key| (key, Count::default())).collect();
        let mut count = |of: &[&Sketch], add: fn(&mut Count)| {
            of.iter().for_each(|sketch| counts.get_mut(&key(sketch)).into_iter().for_each(add));
        };
        count(&after, |count| count.now += 1);
        count(&came, |count| count.came += 1);
        count(&left, |count| count.left += 1);
        let stays = |of: &Count| (of.now + of.left - of.came > CROWD) == (of.now > CROWD);
        let now = |(key, count): (u64, Count)| (count.now > CROWD).then_some(key);
        counts.values().all(stays).then(|| counts.into_iter().filter_map(now).collect())
    };
    let crowds: Option<CrowdedKeys> = (0..bands.bands).into_par_iter().map(crowds).collect();
    let crowds = crowds?;
    let is_crowded = |sketch: &Option<Sketch>| {
        sketch.as_ref().is_some_and(|sketch| {
            (0..bands.bands).any(|band| crowds[band].contains(&key(sketch, bands, band)))
        })
    };
    Some(added.iter().map(is_crowded).collect())
}

/// How many different documents have a key.
#[derive(Clone, Copy, Default)]
struct Count {
    now: usize,
    /// Of these, how many came.
    came: usize,
    /// How many left.
    left: usize,
}

fn key(sketch: &Sketch, bands: Bands, band: usize) -> u64 {
    band_key(&sketch.signature[band * bands.rows..][..bands.rows])
}

/// One sketch of each bag of shingles.
fn distinct(sketches: &[Option<Sketch>]) -> Vec<&Sketch> {
    let mut seen = HashSet::with_capacity(sketches.len());
    sketches.iter().flatten().filter(|sketch| seen.insert(sketch.bag)).collect()
}
