//! Finds the documents that share text with a given one, and where.
//!
//! - [`probe`]: the text.
//! - [`chained`] and [`mod@voted`]: which documents are worth a comparison?
//! - [`near_tiles`]: which parts of one?
//! - [`pair`]: which runs does the text share with one of them?
//!
//! The text is compared with each document as `passages` compares two documents: by the same search, with the same seeds,
//! chains and rules. So what one says of two texts, the other says too. In a small corpus every document that has a chain
//! of seeds in common with the text is a candidate, and the weights of tokens are those of the corpus. In a larger one
//! those are that have most of the tiles that an index of the text would keep, and if too few of them share text with it,
//! those that have most of all its tiles.

pub mod chained;
pub mod near_tiles;
pub mod pair;
pub mod probe;
pub mod voted;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rayon::prelude::*;

use super::approximate::seeds::SeedLengths;
use super::approximate::weights::Weights;
use super::gather::{Gathered, StretchCriteria};
use super::measure::Measure;
use super::search::bytes;
use chained::ProbeWindows;
use dupi_base::corpus::SkipReason;
use dupi_base::parallel;
use dupi_index::index::posting::PartId;
use dupi_index::index::search::SearchError;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::query::page::{DocumentPage, DocumentReader};
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_text::blot::{Blot, Tile};
use near_tiles::NearTiles;
use pair::{Comparison, PageText, PairedRun};
pub use probe::Probe;
use voted::{voted, voted_by_rare};

/// The most bytes of a corpus whose documents are all looked through.
const READ_ALL: u64 = 16 << 20;
/// The memory for such a corpus, in bytes; its tokens take a small part of it.
const MEMORY: u64 = 2 << 30;
/// How many documents are opened at once at most.
const AT_ONCE: usize = 256;
/// The most documents that are compared in a larger corpus, for each that is asked for.
const TRIES: usize = 3;
/// Tiles that more parts of documents have do not say which ones to compare.
const FREQUENT: usize = 256;

/// A document that shares text with the probe.
#[derive(Clone, Debug)]
pub struct Likeness {
    /// The share of the probe's tokens that the document has too, 0 to 1.
    pub covered: f64,
    /// The blots of all tiles of the pages that were compared, sorted and without duplicates.
    pub blots: Vec<Blot>,
    /// The shared runs, in the order of the probe.
    pub shared: Vec<SharedRun>,
}

/// A run of tokens that the probe and a document share.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedRun {
    /// Its range in the probe, in bytes.
    pub span: ByteSpan,
    /// Its occurrence in the document.
    pub occurrence: Occurrence,
    /// How many tokens of the probe it has.
    pub tokens: u32,
    /// The number of tokens that agree, as a share of the longer side, or with one-sided criteria of the shorter one.
    pub similarity: f32,
}

/// The documents that share most text with the probe, best first, at most `limit`.
///
/// # Errors
/// When the index is damaged.
pub fn like(
    snapshot: &Snapshot,
    probe: &Probe,
    measure: Measure,
    limit: usize,
) -> Result<Vec<Likeness>, SearchError> {
    let by = if bytes(snapshot) <= READ_ALL { Candidates::All } else { Candidates::ByTiles };
    find(snapshot, probe, measure, limit, &by)
}

/// The same, with candidates by their tiles in the index however small the corpus is.
///
/// # Errors
/// When the index is damaged.
pub fn like_by_index(
    snapshot: &Snapshot,
    probe: &Probe,
    measure: Measure,
    limit: usize,
) -> Result<Vec<Likeness>, SearchError> {
    find(snapshot, probe, measure, limit, &Candidates::ByTiles)
}

/// The same around some tiles of the probe: in the documents that have most of them, the text that a copy with one of them
/// may have. Tiles that many documents have do not say which ones to compare. The blots of pages are not told.
///
/// # Errors
/// When the index is damaged.
pub fn like_with_tiles(
    snapshot: &Snapshot,
    probe: &Probe,
    tiles: &[Tile],
    measure: Measure,
    limit: usize,
) -> Result<Vec<Likeness>, SearchError> {
    find(snapshot, probe, measure, limit, &Candidates::With(tiles))
}

/// Which documents are compared.
enum Candidates<'a> {
    /// All that have a chain of seeds.
    All,
    /// Those that have most tiles of the probe.
    ByTiles,
    /// Those that have most of some tiles, around these.
    With(&'a [Tile]),
}

fn find(
    snapshot: &Snapshot,
    probe: &Probe,
    measure: Measure,
    limit: usize,
    by: &Candidates,
) -> Result<Vec<Likeness>, SearchError> {
    let recipe = &snapshot.manifest().recipe;
    let seed = match measure.gap {
        0 => SeedLengths { least: measure.least, chained: measure.least },
        _ => SeedLengths::for_recipe(recipe, measure.least),
    };
    let windows = ProbeWindows::new(probe.hashes(), seed, measure.gap);
    let near = match by {
        Candidates::With(tiles) => Some(NearTiles::new(tiles, probe.hashes().len(), recipe)),
        _ => None,
    };
    let question = Question { snapshot, probe, windows, measure, seed, limit, near };
    let mut found = BTreeMap::new();
    let parts = |voted: Vec<(DocumentId, Vec<PartId>)>| -> Vec<Candidate> {
        voted.into_iter().map(Candidate::Parts).collect()
    };
    match by {
        Candidates::All => {
            let (candidates, weights) = looked_through(&question)?;
            question.compare(&candidates, Some(&weights), &mut found)?;
        }
        Candidates::ByTiles => {
            let first = parts(voted(snapshot, probe.kept(), limit)?);
            question.compare(&first, None, &mut found)?;
            if found.len() < limit {
                // Looking up the other tiles takes several times as long.
                let mut more = parts(voted(snapshot, probe.blots(), limit.saturating_mul(TRIES))?);
                more.retain(|candidate| {
                    !found.contains_key(&candidate.document()) && !first.contains(candidate)
                });
                question.compare(&more, None, &mut found)?;
            }
        }
        Candidates::With(tiles) => {
            let mut blots: Vec<Blot> = tiles.iter().map(|tile| tile.blot).collect();
            blots.sort_unstable();
            blots.dedup();
            let some = parts(voted_by_rare(snapshot, &blots, limit, FREQUENT)?);
            question.compare(&some, None, &mut found)?;
        }
    }
    let mut found: Vec<Likeness> = found.into_values().collect();
    found.sort_by(|a, b| {
        b.covered.total_cmp(&a.covered).then_with(|| a.shared[0].occurrence.cmp(&b.shared[0].occurrence))
    });
    found.truncate(limit);
    Ok(found)
}

/// What is asked for.
struct Question<'a> {
    snapshot: &'a Snapshot,
    probe: &'a Probe,
    windows: ProbeWindows,
    measure: Measure,
    seed: SeedLengths,
    limit: usize,
    /// Around which tiles documents are compared, if not as a whole.
    near: Option<NearTiles>,
}

impl Question<'_> {
    /// Compares candidates with the probe, those that have the most in common with it first, until enough are found.
    /// Without `weights` they are counted in the candidates.
    fn compare(
        &self,
        candidates: &[Candidate],
        weights: Option<&Weights>,
        found: &mut BTreeMap<DocumentId, Likeness>,
    ) -> Result<(), SearchError> {
        for some in candidates.chunks(self.limit.clamp(1, AT_ONCE)) {
            if found.len() >= self.limit {
                break;
            }
            let opened: Vec<Vec<DocumentPage>> = parallel::map_init(
                some,
                || DocumentReader::new(self.snapshot),
                |reader, _, candidate| self.pages(reader, candidate).unwrap_or_default(),
            );
            let hashes =
                |page: &DocumentPage| page.tokens.iter().map(|token| token.hash).collect::<Vec<u64>>();
            let texts: Vec<Vec<Vec<u64>>> =
                parallel::map(&opened, |pages| pages.iter().map(hashes).collect());
            let counted = weights.is_none().then(|| {
                let all = texts.iter().flatten().map(Vec::as_slice).chain([self.probe.hashes()]);
                let all: Vec<&[u64]> = all.collect();
                Weights::of(all.par_iter().with_min_len(all.len()).copied())
            });
            let Some(weights) = weights.or(counted.as_ref()) else { continue };
            let Self { measure, seed, .. } = *self;
            let comparison = Comparison { probe: self.probe.hashes(), weights, measure, seed };
            let likeness = |_: &mut (), number: usize, pages: &Vec<DocumentPage>| {
                let compared = self.compared(pages, &texts[number]);
                let is_chained = compared.iter().any(|text| self.windows.chained(text.tokens) > 0);
                let runs = match self.probe.names() {
                    _ if !is_chained => Vec::new(),
                    None => comparison.runs(&compared)?,
                    Some(own) => {
                        let names: Vec<_> = pages.iter().map(|page| page.names(&page.tokens)).collect();
                        comparison.consistent_runs(&compared, (own, &names))?
                    }
                };
                Ok::<_, SearchError>((!runs.is_empty()).then(|| likeness(self.probe, pages, &runs)))
            };
            let of_batch: Vec<Option<Likeness>> = parallel::try_map_init(&opened, || (), likeness)?;
            let numbered = some.iter().zip(of_batch);
            found
                .extend(numbered.filter_map(|(candidate, likeness)| Some((candidate.document(), likeness?))));
        }
        Ok(())
    }

    fn pages(
        &self,
        reader: &mut DocumentReader,
        candidate: &Candidate,
    ) -> Result<Vec<DocumentPage>, SkipReason> {
        match candidate {
            Candidate::Whole(document) => reader.whole(self.snapshot, *document).map(|page| vec![page]),
            Candidate::Parts((document, parts)) if self.near.is_some() => {
                reader.pages_without_tiles(self.snapshot, *document, parts)
            }
            Candidate::Parts((document, parts)) => reader.pages(self.snapshot, *document, parts),
        }
    }

    /// What is compared of some pages with these hashes.
    fn compared<'t>(&self, pages: &[DocumentPage], texts: &'t [Vec<u64>]) -> Vec<PageText<'t>> {
        let of_page = |(page, (own, text)): (usize, (&DocumentPage, &'t Vec<u64>))| {
            let whole = || std::iter::once(0..text.len()).collect();
            let ranges = self.near.as_ref().map_or_else(whole, |near| near.ranges(&own.tokens));
            ranges.into_iter().map(move |range| PageText { page, first: range.start, tokens: &text[range] })
        };
        pages.iter().zip(texts).enumerate().flat_map(of_page).collect()
    }
}

/// A document that may share text with the probe.
#[derive(PartialEq)]
enum Candidate {
    /// All of it is compared.
    Whole(DocumentId),
    /// Only these parts are.
    Parts((DocumentId, Vec<PartId>)),
}

impl Candidate {
    fn document(&self) -> DocumentId {
        match self {
            Self::Whole(document) | Self::Parts((document, _)) => *document,
        }
    }
}

/// Reads all documents as the search for passages does: those with a chain of seeds, the one with the most first, and the
/// weights of all tokens.
fn looked_through(question: &Question) -> Result<(Vec<Candidate>, Weights), SearchError> {
    let Question { snapshot, probe, windows, measure, .. } = question;
    let wanted = StretchCriteria::approximate(&snapshot.manifest().recipe, measure);
    let (gathered, _) = Gathered::read(snapshot, None, wanted, |_| 0, MEMORY, &|_| Ok(()))?;
    // Without repeated tiles to look for, each document is one stretch.
    let texts = gathered.stretches.par_iter().map(|stretch| gathered.tokens(stretch));
    let is_known = texts.clone().any(|text| text == probe.hashes());
    let counts: Vec<usize> = texts.clone().map(|text| windows.chained(text)).collect();
    let weights = Weights::of(texts.with_min_len(1 << 14).chain((!is_known).then(|| probe.hashes())));
    let mut order: Vec<usize> = (0..counts.len()).filter(|&number| counts[number] > 0).collect();
    order.sort_by_key(|&number| Reverse(counts[number]));
    let document = |number: usize| gathered.sources[gathered.stretches[number].document as usize].id;
    Ok((order.into_iter().map(|number| Candidate::Whole(document(number))).collect(), weights))
}

/// What a document shares with the probe, by their runs.
fn likeness(probe: &Probe, pages: &[DocumentPage], runs: &[PairedRun]) -> Likeness {
    let shared = |run: &PairedRun| {
        let page = &pages[run.page];
        let (first, last) = (&page.tokens[run.of_page.start], &page.tokens[run.of_page.end - 1]);
        SharedRun {
            span: probe.span(run.of_probe.clone()),
            occurrence: page.file.occurrence(page.record, first.start as usize, last.end as usize),
            tokens: run.of_probe.len() as u32,
            similarity: run.similarity,
        }
    };
    let mut shared: Vec<SharedRun> = runs.iter().map(shared).collect();
    shared.sort_by(|a, b| (a.span, &a.occurrence).cmp(&(b.span, &b.occurrence)));
    let mut blots: Vec<Blot> = pages.iter().flat_map(|page| &page.tiles).map(|tile| tile.blot).collect();
    blots.sort_unstable();
    blots.dedup();
    Likeness { covered: covered(probe, &shared), blots, shared }
}

/// The share of the probe's tokens that are in one of the runs, weighted by similarity.
fn covered(probe: &Probe, runs: &[SharedRun]) -> f64 {
    let mut reached = 0;
    let mut sum = 0.0;
    for run in runs {
        let from = probe.tokens_before(run.span.start.max(reached));
        let count = probe.tokens_before(run.span.end).saturating_sub(from);
        sum += count as f64 * f64::from(run.similarity);
        reached = reached.max(run.span.end);
    }
    sum / probe.hashes().len().max(1) as f64
}
