//! Which documents share text with a given one, and where.
//!
//! Every tile of the text is looked up; a document that has one of them is a candidate. The best
//! candidates, by how many tiles they share, are opened, and shared runs are verified token by token.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::page::{Page, Reader};
use super::unblot::documents_of;
use super::{ByteSpan, Occurrence};
use crate::blot::{Blot, Tile};
use crate::index::IndexError;
use crate::index::posting::PartId;
use crate::index::snapshot::{DocumentId, LivePlace, Snapshot};
use crate::token::Token;

/// A document that shares text with the one asked about.
#[derive(Clone, Debug)]
pub struct Likeness {
    /// The share of the text's tokens that stand in this document too, 0 to 1.
    pub covered: f64,
    /// Every tile of the stretches of the document that were compared.
    pub blots: HashSet<Blot>,
    /// The shared runs, in the order of the text.
    pub shared: Vec<SharedRun>,
}

/// A run of tokens that the text and a document share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedRun {
    /// Where it stands in the text asked about, in bytes.
    pub span: ByteSpan,
    /// Where it stands in the document.
    pub occurrence: Occurrence,
    /// How many tokens long it is.
    pub tokens: u32,
}

/// A text to compare with the corpus: its tokens and every tile of them.
pub struct Probe {
    tokens: Vec<Token>,
    tiles: Vec<Tile>,
}

impl Probe {
    /// From tokens and the tiles made of them.
    pub fn new(tokens: Vec<Token>, tiles: Vec<Tile>) -> Self {
        Self { tokens, tiles }
    }

    /// How many tokens it has.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The blots of its tiles.
    pub fn blots(&self) -> HashSet<Blot> {
        self.tiles.iter().map(|tile| tile.blot).collect()
    }
}

/// The documents most like the probe, best first, at most `limit` of them.
///
/// # Errors
/// When the index is damaged.
pub fn like(snapshot: &Snapshot, probe: &Probe, limit: usize) -> Result<Vec<Likeness>, IndexError> {
    let mut starts: HashMap<Blot, Vec<u32>> = HashMap::new();
    for tile in &probe.tiles {
        starts.entry(tile.blot).or_default().push(tile.first);
    }
    let mut reader = Reader::new(snapshot);
    let mut found = Vec::new();
    for (document, parts) in candidates(snapshot, starts.keys().copied(), limit)? {
        let Ok(pages) = reader.pages(snapshot, document, &parts) else { continue };
        let shared: Vec<SharedRun> =
            pages.iter().flat_map(|page| shared_runs(probe, &starts, page)).collect();
        if !shared.is_empty() {
            let blots = pages.iter().flat_map(|page| &page.tiles).map(|tile| tile.blot).collect();
            found.push(Likeness { covered: covered(probe, &shared), blots, shared });
        }
    }
    found.sort_by(|a, b| {
        b.covered.total_cmp(&a.covered).then_with(|| a.shared[0].occurrence.cmp(&b.shared[0].occurrence))
    });
    Ok(found)
}

/// The documents that have the most of the blots, in an order of their own, each with the parts that have them.
fn candidates(
    snapshot: &Snapshot,
    blots: impl Iterator<Item = Blot>,
    limit: usize,
) -> Result<Vec<(DocumentId, Vec<PartId>)>, IndexError> {
    let mut votes: HashMap<DocumentId, (u32, Vec<LivePlace>)> = HashMap::new();
    for blot in blots {
        for place in snapshot.find(blot)? {
            let (count, places) = votes.entry(snapshot.document_at(place)).or_default();
            *count += 1;
            if !places.iter().any(|known| known.place.part() == place.place.part()) {
                places.push(place);
            }
        }
    }
    let mut ranked: Vec<(DocumentId, u32, Vec<LivePlace>)> =
        votes.into_iter().map(|(document, (count, places))| (document, count, places)).collect();
    ranked.sort_by_cached_key(|&(document, count, _)| {
        (
            Reverse(count),
            snapshot.path(snapshot.file_of(document)).to_owned(),
            snapshot.document(document).record,
        )
    });
    ranked.truncate(limit);
    let places: Vec<LivePlace> = ranked
        .into_iter()
        .flat_map(|(_, _, mut places)| {
            places.sort_unstable();
            places
        })
        .collect();
    Ok(documents_of(snapshot, &places))
}

/// The maximal runs that begin with a shared tile, each diagonal walked once.
fn shared_runs(probe: &Probe, starts: &HashMap<Blot, Vec<u32>>, page: &Page) -> Vec<SharedRun> {
    let mut runs = Vec::new();
    let mut walked: HashMap<i64, u32> = HashMap::new();
    for tile in &page.tiles {
        for &first in starts.get(&tile.blot).into_iter().flatten() {
            let diagonal = i64::from(first) - i64::from(tile.first);
            if walked.get(&diagonal).is_some_and(|&until| tile.first < until) {
                continue;
            }
            let (ours, theirs) = (&probe.tokens[first as usize..], &page.tokens[tile.first as usize..]);
            let alike = ours.iter().zip(theirs).take_while(|(a, b)| a.hash == b.hash).count();
            let Some(last) = alike.checked_sub(1) else { continue };
            walked.insert(diagonal, tile.first + alike as u32);
            runs.push(SharedRun {
                span: ByteSpan { start: u64::from(ours[0].start), end: u64::from(ours[last].end) },
                occurrence: page.file.occurrence(page.record, tile.start as usize, theirs[last].end as usize),
                tokens: alike as u32,
            });
        }
    }
    runs.sort_by(|a, b| (a.span, &a.occurrence).cmp(&(b.span, &b.occurrence)));
    runs
}

/// The share of the probe's tokens that lie in one of the runs.
fn covered(probe: &Probe, runs: &[SharedRun]) -> f64 {
    let mut reached = 0;
    let mut count = 0;
    for run in runs {
        let inside = |token: &&Token| {
            let start = u64::from(token.start);
            start >= run.span.start.max(reached) && start < run.span.end
        };
        let from = probe.tokens.partition_point(|token| u64::from(token.start) < run.span.start.max(reached));
        count += probe.tokens[from..].iter().take_while(inside).count();
        reached = reached.max(run.span.end);
    }
    count as f64 / probe.tokens.len().max(1) as f64
}
