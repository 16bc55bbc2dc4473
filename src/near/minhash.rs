//! Pairs of documents whose Jaccard resemblance may reach a threshold, by MinHash: a short signature of each document
//! stands for its features (Broder, “On the resemblance and containment of documents”, 1997), and only documents that agree
//! in a band of their signatures are compared.

use rayon::prelude::*;

use crate::Tick;
use crate::error::{NearError, PairLimit};
use crate::pairs::{Pair, sort_pairs};
use dupi_base::parallel;
use dupi_text::sketch::{HASHES, scatter};

/// The least expected recall of pairs whose resemblance is just the threshold.
const RECALL: f64 = 0.99;
/// Steps of an integral from the threshold to 1.
const STEPS: u32 = 1000;
/// How far below the threshold an estimate may be, in standard deviations, for the pair to be compared.
const DEVIATIONS: f64 = 4.0;
/// A bucket with more documents is not compared each with each.
pub(super) const CROWD: usize = 256;

/// A signature is cut into `bands` of `rows` hashes. Two documents are candidates if they agree in all rows of a band, which
/// two of resemblance s do with probability 1 − (1 − s^rows)^bands (Indyk and Motwani, “Approximate nearest neighbors”,
/// 1998; Leskovec, Rajaraman and Ullman, “Mining of massive datasets”, 3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bands {
    /// The number of bands of a signature.
    pub bands: usize,
    /// The number of hashes of a band.
    pub rows: usize,
}

impl Bands {
    /// The bands with the most rows, and so the fewest candidates, that are expected to find 99 of 100 pairs whose
    /// resemblance is just the threshold, and more of all others. With one row each if no bands find so many.
    pub fn choose(threshold: f64) -> Self {
        let cut = |rows: usize| Self { bands: HASHES / rows, rows };
        (1..=HASHES).rev().map(cut).find(|bands| bands.probability(threshold) >= RECALL).unwrap_or(cut(1))
    }

    /// The bytes that are kept of each hash. Bands of one row have so few values of 8 bits that most documents would agree
    /// in one by chance.
    pub fn width(self) -> usize {
        if self.rows > 1 { 1 } else { 2 }
    }

    /// The probability that two documents of this resemblance are candidates.
    pub fn probability(self, resemblance: f64) -> f64 {
        let band = resemblance.clamp(0.0, 1.0).powf(self.rows as f64);
        1.0 - (1.0 - band).powf(self.bands as f64)
    }

    /// The curve of that probability: for each resemblance 0, 0.05, … 1.
    pub fn curve(self) -> Vec<(f64, f64)> {
        (0..=20).map(|step| f64::from(step) / 20.0).map(|at| (at, self.probability(at))).collect()
    }

    /// The share of pairs at or above a threshold that is expected to be found, if they are spread evenly over all
    /// resemblances from the threshold to 1.
    pub fn expected_recall(self, threshold: f64) -> f64 {
        let from = threshold.clamp(0.0, 1.0);
        let at = |step: u32| from + (1.0 - from) * (f64::from(step) + 0.5) / f64::from(STEPS);
        (0..STEPS).map(|step| self.probability(at(step))).sum::<f64>() / f64::from(STEPS)
    }

    /// The hashes of the bands of a signature, by band.
    pub(super) fn split(self, signature: &[u8]) -> impl Iterator<Item = &[u8]> {
        signature.chunks_exact(self.rows * self.width()).take(self.bands)
    }

    /// A number for the rows of a band; equal rows have equal numbers, and others hardly ever.
    pub(super) fn key(self, rows: &[u8]) -> u64 {
        let number = |row: &[u8]| row.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        rows.chunks_exact(self.width()).fold(0, |key, row| scatter(key.rotate_left(16)) ^ number(row))
    }
}

/// The least estimate of a candidate. If candidates are compared, it is so far below the threshold that of pairs at the
/// threshold fewer than one in 10,000 is lost by it.
pub fn floor(threshold: f64, are_compared: bool) -> f64 {
    let deviation = (threshold * (1.0 - threshold) / HASHES as f64).max(0.0).sqrt();
    threshold - if are_compared { DEVIATIONS * deviation } else { 0.0 }
}

/// The resemblance that two signatures let expect, from 0 to 1. Their hashes have `width` bytes: the lower bits of the
/// whole hashes (b-bit minwise hashing: Li and König, “b-Bit minwise hashing”, 2010). With b bits unequal hashes agree once
/// in 2^b times, which is taken into account.
pub fn estimate(a: &[u8], b: &[u8], width: usize) -> f64 {
    // They are few enough for a byte, so that many are compared at once.
    const { assert!(HASHES <= u8::MAX as usize) };
    let agreeing: u8 = match width {
        1 => a.iter().zip(b).map(|(a, b)| u8::from(a == b)).sum(),
        _ => a.as_chunks::<2>().0.iter().zip(b.as_chunks::<2>().0).map(|(a, b)| u8::from(a == b)).sum(),
    };
    let chance = 1.0 / f64::from(1_u32 << (8 * width));
    ((f64::from(agreeing) / HASHES as f64 - chance) / (1.0 - chance)).max(0.0)
}

/// The lower bytes of hashes, as many as the bands need.
pub fn kept_bytes(hashes: &[u32; HASHES], width: usize) -> Box<[u8]> {
    hashes.iter().flat_map(|hash| hash.to_le_bytes().into_iter().take(width)).collect()
}

/// Signatures of documents, which are numbered from 0.
#[derive(Clone, Debug)]
pub struct Signatures {
    bands: Bands,
    bytes: Vec<u8>,
}

/// Pairs of documents that share a band.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidates {
    /// Sorted; the similarity is the estimate.
    pub pairs: Vec<Pair>,
    /// Documents that share a band with so many that these were not compared with each other, ascending. Any two of them
    /// may be similar.
    pub crowded: Vec<u32>,
}

impl Signatures {
    /// Signatures, one after the other, that are compared by these bands.
    pub fn new(bands: Bands, bytes: Vec<u8>) -> Self {
        Self { bands, bytes }
    }

    fn get(&self, document: u32) -> &[u8] {
        let len = HASHES * self.bands.width();
        &self.bytes[document as usize * len..][..len]
    }

    /// The estimated resemblance of two documents, from 0 to 1.
    pub fn estimate(&self, a: u32, b: u32) -> f64 {
        estimate(self.get(a), self.get(b), self.bands.width())
    }

    /// The pairs of documents that share a band and whose estimate is at least `floor`. One band after the other is
    /// sorted, which takes 16 bytes a document beside the signatures.
    ///
    /// # Errors
    /// When there are more pairs than `limit` allows, and the error of `tick`, which gets the progress, 0 to 1.
    pub fn candidates(&self, floor: f64, limit: &PairLimit, tick: &Tick) -> Result<Candidates, NearError> {
        let mut found = Candidates::default();
        let documents = self.bytes.len() / (HASHES * self.bands.width());
        for band in 0..self.bands.bands {
            tick(band as f64 / self.bands.bands as f64)?;
            let key = |document| (self.bands.key(self.rows(document as u32, band)), document as u32);
            let mut keys: Vec<(u64, u32)> = parallel::map_numbers(documents, key);
            keys.par_sort_unstable();
            let buckets = keys.chunk_by(|(a, _), (b, _)| a == b).filter(|bucket| bucket.len() > 1);
            let (crowds, small): (Vec<_>, Vec<_>) = buckets.partition(|bucket| bucket.len() > CROWD);
            found.crowded.extend(crowds.into_iter().flatten().map(|&(_, document)| document));
            let compare = |mut pairs: Vec<Pair>, bucket: &[(u64, u32)]| {
                let before = pairs.len();
                self.compare(bucket, band, floor, &mut pairs);
                limit.add(pairs.len() - before)?;
                Ok(pairs)
            };
            let pairs: Result<Vec<Vec<Pair>>, NearError> =
                small.into_par_iter().try_fold(Vec::new, compare).collect();
            found.pairs.extend(pairs?.into_iter().flatten());
            found.crowded.par_sort_unstable();
            found.crowded.dedup();
        }
        sort_pairs(&mut found.pairs);
        Ok(found)
    }

    /// The hashes of a band.
    fn rows(&self, document: u32, band: usize) -> &[u8] {
        let len = self.bands.rows * self.bands.width();
        &self.get(document)[band * len..][..len]
    }

    /// Adds the pairs of a bucket that no band before reported.
    fn compare(&self, bucket: &[(u64, u32)], band: usize, floor: f64, pairs: &mut Vec<Pair>) {
        for (at, &(_, a)) in bucket.iter().enumerate() {
            for &(_, b) in &bucket[at + 1..] {
                let estimate = self.estimate(a, b);
                let is_reported = |before: usize| self.rows(a, before) == self.rows(b, before);
                if estimate >= floor && !(0..band).any(is_reported) {
                    pairs.push(Pair { a, b, similarity: estimate as f32 });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
