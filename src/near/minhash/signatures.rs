//! The signatures of many documents, and the pairs of them that may resemble each other.

use rayon::prelude::*;

use super::bands::Bands;
use crate::error::NearError;
use crate::pair::{Pair, sort_pairs};
use crate::pair_limit::PairLimit;
use dupi_base::parallel;
use dupi_index::index::search::Tick;
use dupi_text::sketch::mix::scatter;

/// A bucket with more documents is not compared each with each.
pub(crate) const CROWD: usize = 256;

/// The lower bits of a hash of a signature (b-bit minwise hashing: Li and König, “b-Bit minwise hashing”, 2010). With b bits
/// unequal hashes agree once in 2^b times, which estimates take into account.
pub trait KeptHash: Copy + Default + Eq + Into<u64> + Send + Sync {
    /// How many values it has.
    const VALUES: f64;

    /// The lower bits of a hash.
    fn of(hash: u32) -> Self;
}

impl KeptHash for u8 {
    const VALUES: f64 = 256.0;

    fn of(hash: u32) -> Self {
        hash as Self
    }
}

impl KeptHash for u16 {
    const VALUES: f64 = 65_536.0;

    fn of(hash: u32) -> Self {
        hash as Self
    }
}

/// The resemblance that two signatures of the same length let expect, from 0 to 1.
pub fn estimate<H: KeptHash>(a: &[H], b: &[H]) -> f64 {
    // Few enough for a byte, so that many are compared at once.
    const AT_ONCE: usize = 128;
    let agreeing = |(a, b): (&[H], &[H])| {
        let agreeing: u8 = a.iter().zip(b).map(|(a, b)| u8::from(a == b)).sum();
        u32::from(agreeing)
    };
    let agreeing: u32 = a.chunks(AT_ONCE).zip(b.chunks(AT_ONCE)).map(agreeing).sum();
    let share = f64::from(agreeing) / a.len().max(1) as f64;
    ((share - 1.0 / H::VALUES) / (1.0 - 1.0 / H::VALUES)).max(0.0)
}

/// Signatures of documents, which are numbered from 0.
#[derive(Clone, Debug)]
pub struct Signatures<H> {
    /// The hashes of a signature, at least one.
    len: usize,
    hashes: Vec<H>,
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

impl<H: KeptHash> Signatures<H> {
    /// Signatures of `len` hashes each, one after the other.
    pub fn new(len: usize, hashes: Vec<H>) -> Self {
        Self { len: len.max(1), hashes }
    }

    /// How many documents they are of.
    fn documents(&self) -> u32 {
        (self.hashes.len() / self.len) as u32
    }

    fn of(&self, document: u32) -> &[H] {
        &self.hashes[document as usize * self.len..][..self.len]
    }

    /// The estimated resemblance of two documents, from 0 to 1.
    pub fn estimate(&self, a: u32, b: u32) -> f64 {
        estimate(self.of(a), self.of(b))
    }

    /// The pairs of documents that share a band and whose estimate is at least `floor`. One band after the other is
    /// sorted, which takes 16 bytes a document beside the signatures.
    ///
    /// # Errors
    /// When there are more pairs than `limit` allows, and the error of `tick`, which gets the progress, 0 to 1.
    pub fn candidates(
        &self,
        bands: Bands,
        floor: f64,
        limit: &PairLimit,
        tick: &Tick<'_>,
    ) -> Result<Candidates, NearError> {
        let mut found = Candidates::default();
        for band in 0..bands.bands {
            tick(band as f64 / bands.bands as f64)?;
            let key = |document: usize| (key(self.rows(document as u32, bands, band)), document as u32);
            let mut keys: Vec<(u64, u32)> = parallel::map_numbers(self.documents() as usize, key);
            keys.par_sort_unstable();
            let buckets: Vec<&[(u64, u32)]> =
                keys.chunk_by(|(a, _), (b, _)| a == b).filter(|bucket| bucket.len() > 1).collect();
            let (crowds, small): (Vec<_>, Vec<_>) =
                buckets.into_iter().partition(|bucket| bucket.len() > CROWD);
            found.crowded.extend(crowds.into_iter().flatten().map(|&(_, document)| document));
            let compare = |mut pairs: Vec<Pair>, bucket: &[(u64, u32)]| {
                let before = pairs.len();
                self.compare(bucket, bands, band, floor, &mut pairs);
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
    fn rows(&self, document: u32, bands: Bands, band: usize) -> &[H] {
        &self.of(document)[band * bands.rows..][..bands.rows]
    }

    /// Adds the pairs of a bucket that no band before reported.
    fn compare(&self, bucket: &[(u64, u32)], bands: Bands, band: usize, floor: f64, pairs: &mut Vec<Pair>) {
        for (at, &(_, a)) in bucket.iter().enumerate() {
            for &(_, b) in &bucket[at + 1..] {
                let estimate = self.estimate(a, b);
                let is_reported = |before: usize| self.rows(a, bands, before) == self.rows(b, bands, before);
                if estimate >= floor && !(0..band).any(is_reported) {
                    pairs.push(Pair { a, b, similarity: estimate as f32 });
                }
            }
        }
    }
}

/// A number for the rows of a band; equal rows have equal numbers, and others hardly ever.
pub(crate) fn key<H: KeptHash>(rows: &[H]) -> u64 {
    rows.iter().fold(0, |key, &row| scatter(key.rotate_left(16)) ^ row.into())
}
