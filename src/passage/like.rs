//! Finds the documents that share text with a given one, and where.
//!
//! Every kept tile of the text is looked up in the index. The documents that have most of them are opened and compared
//! with the text like approximate passages: from a few equal tokens outwards, as far as both agree.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::approximate::extend::{Agreement, Pair};
use super::approximate::seeds::SeedLengths;
use super::approximate::weights::Weights;
use super::measure::Measure;
use crate::blot::{Blot, Recipe, Tile, kept_tiles_of, tiles_of};
use crate::index::IndexError;
use crate::index::posting::PartId;
use crate::index::snapshot::{DocumentId, LivePart, LiveSegment, Snapshot};
use crate::query::page::{DocumentPage, DocumentReader};
use crate::query::{ByteSpan, Occurrence};
use crate::token::Token;

/// The most places in the text at which a tile is tried. A more frequent tile says little about where a copy is.
const MANY: usize = 16;

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

/// A text to compare with the corpus.
pub struct Probe {
    tokens: Vec<Token>,
    hashes: Vec<u64>,
    /// All tiles.
    tiles: Vec<Tile>,
    /// The blots of the tiles that an index keeps, sorted and without duplicates.
    kept: Vec<Blot>,
}

impl Probe {
    /// A probe with these tokens.
    pub fn new(tokens: Vec<Token>, recipe: &Recipe) -> Self {
        let (mut tiles, mut kept) = (Vec::with_capacity(tokens.len()), Vec::new());
        tiles_of(tokens.iter().copied(), recipe, |tile| tiles.push(tile));
        kept_tiles_of(tokens.iter().copied(), recipe, |tile| kept.push(tile.blot));
        let hashes = tokens.iter().map(|token| token.hash).collect();
        Self { tokens, hashes, tiles, kept: sorted(kept) }
    }

    /// The blots of all its tiles, sorted and without duplicates.
    pub fn blots(&self) -> Vec<Blot> {
        sorted(self.tiles.iter().map(|tile| tile.blot).collect())
    }

    /// The positions of each tile, as indices of first tokens.
    fn starts(&self) -> HashMap<Blot, Vec<u32>> {
        let mut starts: HashMap<Blot, Vec<u32>> = HashMap::new();
        for tile in &self.tiles {
            starts.entry(tile.blot).or_default().push(tile.first);
        }
        starts
    }
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
) -> Result<Vec<Likeness>, IndexError> {
    let candidates = candidates(snapshot, &probe.kept, limit)?;
    let opened: Vec<Vec<DocumentPage>> = candidates
        .par_iter()
        .map_init(
            || DocumentReader::new(snapshot),
            |reader, (document, parts)| reader.pages(snapshot, *document, parts).unwrap_or_default(),
        )
        .collect();
    let hashes = |page: &DocumentPage| page.tokens.iter().map(|token| token.hash).collect::<Vec<u64>>();
    let texts: Vec<Vec<Vec<u64>>> =
        opened.par_iter().map(|pages| pages.iter().map(hashes).collect()).collect();
    let all: Vec<&[u64]> = texts.iter().flatten().chain([&probe.hashes]).map(Vec::as_slice).collect();
    let weights = Weights::of(all.par_iter().with_min_len(all.len()).copied());
    let seed = SeedLengths::of(&snapshot.manifest().recipe, measure.least).least as usize;
    let comparison = PageComparison { probe, starts: &probe.starts(), weights: &weights, measure, seed };
    let likeness = |(pages, texts): (&Vec<DocumentPage>, &Vec<Vec<u64>>)| {
        let runs = pages.iter().zip(texts).flat_map(|(page, hashes)| comparison.runs(page, hashes));
        let mut shared: Vec<SharedRun> = runs.collect();
        shared.sort_by(|a, b| (a.span, &a.occurrence).cmp(&(b.span, &b.occurrence)));
        let blots = || sorted(pages.iter().flat_map(|page| &page.tiles).map(|tile| tile.blot).collect());
        (!shared.is_empty()).then(|| Likeness { covered: covered(probe, &shared), blots: blots(), shared })
    };
    let mut found: Vec<Likeness> = opened.par_iter().zip(&texts).filter_map(likeness).collect();
    found.sort_by(|a, b| {
        b.covered.total_cmp(&a.covered).then_with(|| a.shared[0].occurrence.cmp(&b.shared[0].occurrence))
    });
    Ok(found)
}

fn sorted(mut blots: Vec<Blot>) -> Vec<Blot> {
    blots.sort_unstable();
    blots.dedup();
    blots
}

/// The documents that have the most of the blots, each with the parts that have them. A blot is weighted by its inverse
/// document frequency, in bits (Spärck Jones, “A statistical interpretation of term specificity”, 1972).
fn candidates(
    snapshot: &Snapshot,
    blots: &[Blot],
    limit: usize,
) -> Result<Vec<(DocumentId, Vec<PartId>)>, IndexError> {
    let segments = snapshot.segments();
    let all: u32 = segments.iter().map(|segment| segment.segment().parts()).sum();
    let none = |segment: &LiveSegment| (0..segment.segment().parts()).map(|_| AtomicU32::new(0)).collect();
    let votes: Vec<Vec<AtomicU32>> = segments.iter().map(none).collect();
    blots.par_iter().try_for_each(|&blot| {
        let places = snapshot.find(blot)?;
        let bits = 1 + (all / (places.len() as u32).max(1)).checked_ilog2().unwrap_or(0);
        for LivePart { segment, place } in places {
            votes[segment as usize][place.part().0 as usize].fetch_add(bits, Ordering::Relaxed);
        }
        Ok::<_, IndexError>(())
    })?;
    let of = |segment: u32, part: u32| votes[segment as usize][part as usize].load(Ordering::Relaxed);
    let table = |segment: u32| segments[segment as usize].segment().table();
    let mut ranked: Vec<(DocumentId, u32)> = Vec::new();
    for segment in 0..segments.len() as u32 {
        let table = table(segment);
        for part in (0..segments[segment as usize].segment().parts()).filter(|&part| of(segment, part) > 0) {
            let document = DocumentId { segment, document: table.document_of(PartId(part)) };
            match ranked.last_mut() {
                Some((last, count)) if *last == document => *count += of(segment, part),
                _ => ranked.push((document, of(segment, part))),
            }
        }
    }
    let name = |document: DocumentId| {
        (snapshot.path(snapshot.file_of(document)).as_os_str(), snapshot.document(document).record)
    };
    if limit < ranked.len() {
        ranked.select_nth_unstable_by(limit, |a, b| {
            (Reverse(a.1)).cmp(&Reverse(b.1)).then_with(|| name(a.0).cmp(&name(b.0)))
        });
        ranked.truncate(limit);
    }
    let with_parts = |(document, _): (DocumentId, u32)| {
        let parts = table(document.segment).parts_of(document.document);
        (document, parts.filter(|&part| of(document.segment, part) > 0).map(PartId).collect())
    };
    Ok(ranked.into_iter().map(with_parts).collect())
}

/// The inputs for the comparison of pages with the probe.
struct PageComparison<'a> {
    probe: &'a Probe,
    starts: &'a HashMap<Blot, Vec<u32>>,
    weights: &'a Weights,
    measure: Measure,
    /// The fewest equal tokens at which a comparison starts.
    seed: usize,
}

impl PageComparison<'_> {
    /// The runs that a page shares with the probe. A place where both tokens are already in runs is not compared again.
    fn runs(&self, page: &DocumentPage, hashes: &[u64]) -> Vec<SharedRun> {
        let pair =
            Pair { a: &self.probe.hashes, b: hashes, measure: self.measure.roughly(), weights: self.weights };
        let mut runs = Vec::new();
        let (mut taken_a, mut taken_b) = (vec![false; pair.a.len()], vec![false; pair.b.len()]);
        // For each diagonal, the end in the page of what was compared.
        let mut walked = vec![0; pair.a.len() + pair.b.len()];
        for tile in &page.tiles {
            let starts = self.starts.get(&tile.blot).map_or(&[][..], Vec::as_slice);
            if starts.len() > MANY && taken_b[tile.first as usize] {
                continue;
            }
            for &first in starts.iter().take(MANY) {
                let (a, b) = (first as usize, tile.first as usize);
                let until = &mut walked[pair.b.len() + a - b];
                if b < *until || (taken_a[a] && taken_b[b]) {
                    continue;
                }
                let alike = pair.a[a..].iter().zip(&pair.b[b..]).take_while(|(a, b)| a == b).count();
                *until = b + alike;
                if alike < self.seed {
                    continue;
                }
                // As in `passages`, the longer side is a passage, and the other one may be a little shorter.
                let agreement = pair.met(pair.extend(a, b, alike), a);
                let is_passage =
                    |found: &Agreement| found.lengths().iter().any(|&len| len >= self.measure.least);
                if let Some(agreement) = agreement.filter(is_passage) {
                    for (taken, range) in [(&mut taken_a, &agreement.a), (&mut taken_b, &agreement.b)] {
                        taken[range.start as usize..range.end as usize].fill(true);
                    }
                    runs.push(self.run(page, &agreement));
                }
            }
        }
        runs
    }

    fn run(&self, page: &DocumentPage, agreement: &Agreement) -> SharedRun {
        let span = |tokens: &[Token], range: &Range<u32>| {
            (tokens[range.start as usize].start as usize, tokens[range.end as usize - 1].end as usize)
        };
        let (start, end) = span(&self.probe.tokens, &agreement.a);
        let (from, to) = span(&page.tokens, &agreement.b);
        SharedRun {
            span: ByteSpan { start: start as u64, end: end as u64 },
            occurrence: page.file.occurrence(page.record, from, to),
            tokens: agreement.a.len() as u32,
            similarity: self.measure.similarity(agreement.matches, agreement.lengths()),
        }
    }
}

/// The share of the probe's tokens that are in one of the runs, weighted by similarity.
fn covered(probe: &Probe, runs: &[SharedRun]) -> f64 {
    let mut reached = 0;
    let mut sum = 0.0;
    for run in runs {
        let inside = |token: &&Token| u64::from(token.start) < run.span.end;
        let from = probe.tokens.partition_point(|token| u64::from(token.start) < run.span.start.max(reached));
        let count = probe.tokens[from..].iter().take_while(inside).count();
        sum += count as f64 * f64::from(run.similarity);
        reached = reached.max(run.span.end);
    }
    sum / probe.tokens.len().max(1) as f64
}
