//! Compares a probe with one document: searches the passages of the two as `passages` does, and reports those that both
//! have.

use std::cmp::Reverse;
use std::ops::Range;

use super::super::approximate::seeds::SeedLengths;
use super::super::approximate::weights::Weights;
use super::super::bounds::Bounds;
use super::super::consistent::divided;
use super::super::gather::Gathered;
use super::super::group::RunGroup;
use super::super::measure::Measure;
use super::super::{align, approximate, exact};
use crate::measure::TokenRun;
use dupi_index::index::search::SearchError;

/// The memory for one comparison, in bytes.
const MEMORY: u64 = 64 << 20;
/// The most partners of a copy for which similarity is measured when neither is the representative.
const PARTNERS: usize = 4;

/// How texts are compared.
pub struct Comparison<'a> {
    /// The tokens of the probe.
    pub probe: &'a [u64],
    /// The weights of tokens.
    pub weights: &'a Weights,
    /// The criteria for copies.
    pub measure: Measure,
    /// How long seeds are.
    pub seed: SeedLengths,
}

/// Tokens of a page of a document that follow each other.
#[derive(Clone, Copy, Debug)]
pub struct PageText<'t> {
    /// The number of the page.
    pub page: usize,
    /// The number of the first token in it.
    pub first: usize,
    /// The hashes of the tokens.
    pub tokens: &'t [u64],
}

/// A run that the probe and a document share.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedRun {
    /// The tokens of the probe.
    pub of_probe: Range<usize>,
    /// The page of the document.
    pub page: usize,
    /// The tokens of the page.
    pub of_page: Range<usize>,
    /// The number of tokens that agree, as a share of the longer side, or with one-sided criteria of the shorter one.
    pub similarity: f32,
}

impl Comparison<'_> {
    /// The runs that the probe shares with some texts of a document, the longest first.
    ///
    /// # Errors
    /// When both have too many tokens together.
    pub fn runs(&self, of: &[PageText]) -> Result<Vec<PairedRun>, SearchError> {
        let texts = of.iter().map(|text| (1, text.tokens));
        let gathered = Gathered::of_tokens([(0, self.probe)].into_iter().chain(texts))?;
        Ok(self.paired(&gathered, of, self.found(&gathered)?))
    }

    /// The equal runs in which names differ consistently: those of the probe, and those of each page, by their hashes.
    ///
    /// # Errors
    /// When both have too many tokens together.
    pub fn consistent_runs(
        &self,
        of: &[PageText],
        (own, names): (&[u32], &[Vec<u32>]),
    ) -> Result<Vec<PairedRun>, SearchError> {
        let texts = of
            .iter()
            .map(|&PageText { page, first, tokens }| (1, tokens, &names[page][first..first + tokens.len()]));
        let gathered = Gathered::of_named_tokens([(0, self.probe, own)].into_iter().chain(texts))?;
        let found = divided(&gathered, self.found(&gathered)?, self.measure.least);
        Ok(self.paired(&gathered, of, found))
    }

    fn found(&self, gathered: &Gathered) -> Result<Vec<RunGroup>, SearchError> {
        let bounds = Bounds::new(gathered.len(), MEMORY);
        let tick = &|_| Ok(());
        if self.measure.gap > 0 {
            approximate::passages(gathered, self.measure, self.seed, self.weights, &bounds, tick)
        } else {
            exact::passages(gathered, self.measure.least, &bounds, 1, tick)
        }
    }

    fn paired(&self, gathered: &Gathered, of: &[PageText], mut groups: Vec<RunGroup>) -> Vec<PairedRun> {
        groups.sort_by_key(|group| (Reverse(group.tokens()), group.runs[0].place, group.id));
        let taken = vec![false; gathered.len() as usize];
        let mut pairs = RunPairing { comparison: self, gathered, texts: of, taken };
        groups.iter().flat_map(|group| pairs.pairs(group)).collect()
    }
}

/// Makes pairs of the copies of rows.
struct RunPairing<'a> {
    comparison: &'a Comparison<'a>,
    gathered: &'a Gathered,
    texts: &'a [PageText<'a>],
    /// For each token, whether it is in a pair.
    taken: Vec<bool>,
}

impl RunPairing<'_> {
    /// Pairs each copy of a row with one in the other text: the representative if it is there, or else the most similar
    /// one of a few. Copies that lie in pairs already are not paired again.
    fn pairs(&mut self, group: &RunGroup) -> Vec<PairedRun> {
        let split = group.runs.partition_point(|run| self.is_in_probe(run));
        let (of_probe, of_pages) = group.runs.split_at(split);
        if of_probe.is_empty() || of_pages.is_empty() {
            return Vec::new();
        }
        let representative = group.runs[group.representative as usize];
        let (own, others) =
            if self.is_in_probe(&representative) { (of_probe, of_pages) } else { (of_pages, of_probe) };
        let mut pairs = Vec::new();
        for other in others {
            if !(self.is_taken(&representative) && self.is_taken(other)) {
                pairs.push(self.pair(&representative, other, other.similarity));
            }
        }
        for run in own.iter().filter(|run| run.place != representative.place) {
            if self.is_taken(run) {
                continue;
            }
            let similar = others.iter().take(PARTNERS).map(|other| (self.similarity(run, other), other));
            let best = similar.reduce(|best, next| if next.0 > best.0 { next } else { best });
            if let Some((similarity, other)) = best.filter(|best| best.0 >= self.comparison.measure.overlap) {
                pairs.push(self.pair(run, other, similarity));
            }
        }
        pairs
    }

    fn pair(&mut self, one: &TokenRun, other: &TokenRun, similarity: f32) -> PairedRun {
        for run in [one, other] {
            self.taken[run.place as usize..run.end() as usize].fill(true);
        }
        let (of_probe, of_page) = if self.is_in_probe(one) { (one, other) } else { (other, one) };
        let stretch = self.gathered.stretch_at(of_page.place);
        let base = self.gathered.stretches[stretch].base;
        let range = |run: &TokenRun, base: u32| (run.place - base) as usize..(run.end() - base) as usize;
        // The probe is the first stretch, unless it has no tokens; then there are no runs.
        let PageText { page, first, .. } = self.texts[stretch - 1];
        let Range { start, end } = range(of_page, base);
        PairedRun { of_probe: range(of_probe, 0), page, of_page: first + start..first + end, similarity }
    }

    fn is_in_probe(&self, run: &TokenRun) -> bool {
        (run.place as usize) < self.comparison.probe.len()
    }

    fn is_taken(&self, run: &TokenRun) -> bool {
        self.taken[run.place as usize..run.end() as usize].iter().all(|&taken| taken)
    }

    fn similarity(&self, one: &TokenRun, other: &TokenRun) -> f32 {
        let (a, b) = (self.gathered.tokens_of(one), self.gathered.tokens_of(other));
        let matches = if a == b { a.len() } else { align::matched_within(a, b, align::TABLE).len() };
        self.comparison.measure.similarity(matches as u32, [one.tokens, other.tokens])
    }
}
