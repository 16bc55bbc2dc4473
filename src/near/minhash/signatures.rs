//! The signatures of many documents, and the pairs of them that may resemble each other.

use rayon::prelude::*;

use super::bands::Bands;
use super::signer::Signer;
use crate::near::error::NearError;
use crate::near::mix::scatter;
use crate::near::pair::{Pair, sort_pairs};
use crate::near::pair_limit::PairLimit;
use crate::passage::Tick;

/// Values of a hash that is kept.
const VALUES: f64 = 65_536.0;

/// A bucket with more documents is not compared each with each.
const CROWD: usize = 256;

/// Signatures of documents, which are numbered from 0. The lower 16 bits of each hash are kept (b-bit minwise hashing: Li and
/// König 2010): 256 bytes a document with 128 hashes. Unequal hashes agree in them once in 65,536 times, which estimates
/// take into account.
#[derive(Clone, Debug)]
pub struct Signatures {
    signer: Signer,
    hashes: Vec<u16>,
    /// For each document, whether it has no features.
    empty: Vec<bool>,
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
    /// No documents yet, with signatures of so many hashes, at least one.
    pub fn new(hashes: usize) -> Self {
        Self { signer: Signer::new(hashes), hashes: Vec::new(), empty: Vec::new() }
    }

    /// Adds documents, given by their features and counts, which are none for sets.
    pub fn extend<'a>(
        &mut self,
        documents: impl IntoParallelIterator<Item = (&'a [u64], &'a [u32]), Iter: IndexedParallelIterator>,
    ) {
        let documents = documents.into_par_iter();
        let (first, len) = (self.empty.len(), self.signer.hashes());
        let count = first + documents.len();
        self.hashes.resize(count * len, 0);
        self.empty.resize(count, false);
        let out = self.hashes[first * len..].par_chunks_mut(len).zip(&mut self.empty[first..]);
        let signer = &self.signer;
        documents.zip(out).for_each_init(
            || vec![0; len],
            |signature, ((features, counts), (out, empty))| {
                signer.sign(features, counts, signature);
                *empty = features.is_empty();
                for (kept, hash) in out.iter_mut().zip(signature) {
                    *kept = *hash as u16;
                }
            },
        );
    }

    fn of(&self, document: u32) -> &[u16] {
        let len = self.signer.hashes();
        &self.hashes[document as usize * len..][..len]
    }

    /// The estimated resemblance of two documents, from 0 to 1.
    pub fn estimate(&self, a: u32, b: u32) -> f64 {
        let agreeing: usize = self.of(a).iter().zip(self.of(b)).map(|(a, b)| usize::from(a == b)).sum();
        let share = agreeing as f64 / self.signer.hashes() as f64;
        ((share - 1.0 / VALUES) / (1.0 - 1.0 / VALUES)).max(0.0)
    }

    /// The pairs of documents that share a band and whose estimate is at least `floor`. One band after the other is
    /// sorted, which takes 16 bytes a document beside the signatures. Documents without features are in no pair.
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
            let mut keys: Vec<(u64, u32)> = (0..self.empty.len() as u32)
                .into_par_iter()
                .filter(|&document| !self.empty[document as usize])
                .map(|document| (key(self.rows(document, bands, band)), document))
                .collect();
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
    fn rows(&self, document: u32, bands: Bands, band: usize) -> &[u16] {
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
fn key(rows: &[u16]) -> u64 {
    rows.iter().fold(0, |key, &row| scatter(key.rotate_left(16)) ^ u64::from(row))
}
