//! Finds copies of which a change changed only some.
//!
//! The text around each difference is taken as it was before the change, and compared as `like` does with the documents that
//! have a tile near the difference. Where it was a copy of a text that the change leaves as it is, and is less alike to it
//! now but still near, the copies have drifted: what was changed in one of them may be missing in the others. Where the
//! change makes a copy more alike to the other, or replaces it by something else, they have not.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;
use serde::Serialize;
use xxhash_rust::xxh3::Xxh3;

use super::former::{FormerText, Lexed};
use super::places::{ChangedDocument, ChangedDocuments};
use crate::change::Hunk;
use dupi_index::index::search::SearchError;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::Occurrence;
use dupi_index::query::page::DocumentReader;
use dupi_passage::like::{Probe, like_with_tiles};
use dupi_passage::stages::Stages;
use dupi_passage::{Measure, align};
use dupi_text::blot::{Recipe, Tile, kept_tiles_of};
use dupi_text::token::Token;

/// The number of lines around a difference that are looked up with it.
const AROUND: u32 = 40;
/// Documents are compared that have a tile in a difference, or at most this number of tokens before or behind it.
const NEARBY: usize = 40;
/// The most documents that are read for one text.
const DOCUMENTS: usize = 24;
/// The most lines of a change that are kept for people.
const LINES: usize = 12;
/// Texts of which a smaller share of tokens agrees are not near.
const NEAR: f32 = 0.5;

/// Copies of which a change changed only some.
#[derive(Clone, Debug)]
pub struct Drift {
    /// Made from the text before the change and behind it.
    pub id: u64,
    /// How many tokens the copy had before the change.
    pub tokens: u32,
    /// The changed copies as they are now.
    pub changed: Vec<DriftedCopy>,
    /// The others.
    pub others: Vec<Occurrence>,
    /// The longest passage that one of them is in, by its index, once that was looked up.
    pub around: Option<usize>,
}

/// A copy that was changed.
#[derive(Clone, Debug)]
pub struct DriftedCopy {
    /// Where it stands now.
    pub at: Occurrence,
    /// Its text now.
    pub text: String,
    /// What was changed in it.
    pub edits: Vec<LineEdit>,
}

/// Lines that were replaced by others, which the other copies lack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineEdit {
    /// The number of the first added line, or of the line behind the removed ones, from 1.
    pub line: u32,
    /// The first of the lines that the other copies still have.
    pub removed: Vec<String>,
    /// The first of the lines that the other copies lack.
    pub added: Vec<String>,
}

/// What is compared.
struct Comparing<'a> {
    snapshot: &'a Snapshot,
    documents: &'a ChangedDocuments<'a>,
    measure: Measure,
    recipe: Recipe,
}

/// A former copy of a text that the change leaves as it is.
struct Pair {
    /// The index of the former text.
    former: usize,
    /// Its lines there.
    lines: Range<u32>,
    tokens: u32,
    other: Occurrence,
}

/// The copies of which a change changed only some, those with the most tokens first.
///
/// # Errors
/// When the index is damaged.
pub fn drifts(
    snapshot: &Snapshot,
    documents: &ChangedDocuments,
    former: &[FormerText],
    measure: Measure,
    is_stopped: &AtomicBool,
) -> Result<Vec<Drift>, SearchError> {
    let mut stages = Stages::begin();
    let comparing = Comparing { snapshot, documents, measure, recipe: snapshot.manifest().recipe };
    let windows: Vec<(usize, Range<u32>)> = former
        .iter()
        .enumerate()
        .filter(|(_, text)| !text.change.is_removed)
        .flat_map(|(number, text)| windows(&text.change.hunks).into_iter().map(move |lines| (number, lines)))
        .collect();
    let of = |(number, lines): (usize, Range<u32>)| {
        if is_stopped.load(Relaxed) {
            return Err(SearchError::Stopped);
        }
        comparing.pairs(number, &former[number], &lines)
    };
    let pairs: Vec<Vec<Pair>> = windows.into_par_iter().map(of).collect::<Result<_, SearchError>>()?;
    stages.end("texts around differences");
    let mut found: Vec<Drift> = Vec::new();
    for (number, pairs) in grouped(pairs.into_iter().flatten().collect()) {
        if let Some(drift) = comparing.drift(&former[number], &pairs) {
            match found
                .iter_mut()
                .find(|known| known.others.iter().any(|other| meets_any(other, &drift.others)))
            {
                Some(known) => known.join(drift),
                None => found.push(drift),
            }
        }
    }
    found.sort_by(|a, b| b.tokens.cmp(&a.tokens).then_with(|| a.changed[0].at.cmp(&b.changed[0].at)));
    Ok(found)
}

/// The lines around differences of a former text, in ranges that do not overlap.
fn windows(hunks: &[Hunk]) -> Vec<Range<u32>> {
    let mut windows: Vec<Range<u32>> = Vec::new();
    for hunk in hunks {
        let next = hunk.removed.start.saturating_sub(AROUND)..hunk.removed.end + AROUND;
        match windows.last_mut() {
            Some(last) if next.start <= last.end => last.end = next.end,
            _ => windows.push(next),
        }
    }
    windows
}

/// Pairs of each former text whose lines overlap, the longest first.
fn grouped(mut pairs: Vec<Pair>) -> Vec<(usize, Vec<Pair>)> {
    pairs.sort_by(|a, b| {
        (a.former, a.lines.start, a.lines.end, &a.other).cmp(&(
            b.former,
            b.lines.start,
            b.lines.end,
            &b.other,
        ))
    });
    let mut groups: Vec<(usize, u32, Vec<Pair>)> = Vec::new();
    for pair in pairs {
        match groups.last_mut() {
            Some((former, end, group)) if *former == pair.former && pair.lines.start < *end => {
                *end = pair.lines.end.max(*end);
                group.push(pair);
            }
            _ => groups.push((pair.former, pair.lines.end, vec![pair])),
        }
    }
    let longest_first = |(former, _, mut group): (usize, u32, Vec<Pair>)| {
        group.sort_by(|a, b| b.tokens.cmp(&a.tokens).then_with(|| a.other.cmp(&b.other)));
        (former, group)
    };
    groups.into_iter().map(longest_first).collect()
}

impl Comparing<'_> {
    /// What some lines of a former text were copies of and are less alike to now.
    fn pairs(
        &self,
        number: usize,
        former: &FormerText,
        lines: &Range<u32>,
    ) -> Result<Vec<Pair>, SearchError> {
        let Some(document) = self.documents.at(&former.path) else { return Ok(Vec::new()) };
        let tokens = former.lexed.tokens(lines);
        if tokens.len() < self.measure.least as usize {
            return Ok(Vec::new());
        }
        let probe = Probe::new(tokens.to_vec(), &self.recipe);
        let mut reader = DocumentReader::new(self.snapshot);
        let mut texts: BTreeMap<std::path::PathBuf, Option<Lexed>> = BTreeMap::new();
        let mut pairs = Vec::new();
        // Most differences are in no copy of another text.
        let now =
            LazyCell::new(|| Lexed::read(&document.file.path, Arc::clone(&document.file.text), &self.recipe));
        let inside = document.change.hunks.iter().filter(|hunk| is_near(hunk, lines));
        let tiles = self.tiles(tokens, inside.map(|hunk| former.lexed.bytes(&hunk.removed)));
        for likeness in like_with_tiles(self.snapshot, &probe, &tiles, self.measure, DOCUMENTS)? {
            for run in likeness.shared {
                let line =
                    |byte: u64| former.lexed.starts.partition_point(|start| u64::from(*start) <= byte) as u32;
                let lines = line(run.span.start) - 1..line(run.span.end - 1);
                let other = &run.occurrence;
                if !document.change.hunks.iter().any(|hunk| is_in(hunk, &lines))
                    || self.is_changed(former, document, &lines, other)
                {
                    continue;
                }
                let theirs = texts.entry(other.path.clone()).or_insert_with_key(|path| {
                    let file = reader.file(path).ok()?;
                    Some(Lexed::read(path, Arc::clone(&file.text), &self.recipe))
                });
                let Some(theirs) = theirs else { continue };
                let theirs = theirs.hashes(&(other.line - 1..other.end_line));
                let before = former.lexed.hashes(&lines);
                let after = now.hashes(&document.change.new_lines(&lines));
                let (before, after) = (alike(&before, &theirs), alike(&after, &theirs));
                if after < before && after >= NEAR {
                    pairs.push(Pair { former: number, lines, tokens: run.tokens, other: run.occurrence });
                }
            }
        }
        Ok(pairs)
    }

    /// The tiles that an index keeps of some tokens and that are near a difference. A text that was a copy there has one
    /// of them, unless it differs within fewer tokens than the index guarantees to find.
    fn tiles(&self, tokens: &[Token], differences: impl Iterator<Item = Range<u32>>) -> Vec<Tile> {
        let near = |Range { start, end }: Range<u32>| {
            let first = tokens.partition_point(|token| token.end <= start);
            let behind = tokens.partition_point(|token| token.start < end).max(first);
            (first.saturating_sub(NEARBY) as u32, (behind + NEARBY) as u32)
        };
        let near: Vec<(u32, u32)> = differences.map(near).collect();
        let length = self.recipe.tile_tokens();
        let mut tiles = Vec::new();
        kept_tiles_of(tokens, &self.recipe, |tile| {
            if near.iter().any(|(start, end)| tile.first < *end && *start < tile.first + length) {
                tiles.push(tile);
            }
        });
        tiles
    }

    /// Whether a copy of some lines is changed too, or is what became of these lines.
    fn is_changed(
        &self,
        former: &FormerText,
        document: &ChangedDocument,
        lines: &Range<u32>,
        other: &Occurrence,
    ) -> bool {
        let theirs = other.line - 1..other.end_line;
        let own = former.change.new_lines(lines);
        let is_itself = other.path == former.path && own.start < theirs.end && theirs.start < own.end;
        let changed = if other.path == former.path { Some(document) } else { self.documents.at(&other.path) };
        let bytes = other.text_span.start as u32..other.text_span.end as u32;
        is_itself || changed.is_some_and(|document| document.is_changed(bytes))
    }

    /// What some pairs of one former text say together.
    fn drift(&self, former: &FormerText, pairs: &[Pair]) -> Option<Drift> {
        let document = self.documents.at(&former.path)?;
        let longest = pairs.first()?;
        let lines = &longest.lines;
        let now = former.change.new_lines(lines);
        let bytes = document.bytes(&now);
        let text = document.file.text.get(bytes.start as usize..bytes.end as usize)?;
        let at = document.file.occurrence(None, bytes.start as usize, bytes.end as usize);
        let mut id = Xxh3::new();
        for token in former.lexed.tokens(lines) {
            id.update(&token.hash.to_le_bytes());
        }
        text.split_whitespace().for_each(|word| id.update(word.as_bytes()));
        let mut others: Vec<Occurrence> = Vec::new();
        for pair in pairs {
            if !meets_any(&pair.other, &others) {
                others.push(pair.other.clone());
            }
        }
        let edits = document.change.hunks.iter().filter(|hunk| is_in(hunk, lines));
        let edits = edits.map(|hunk| edit(hunk, document)).collect();
        let changed = vec![DriftedCopy { at, text: text.to_owned(), edits }];
        Some(Drift { id: id.digest(), tokens: longest.tokens, changed, others, around: None })
    }
}

impl Drift {
    /// Adds what is about the same copies.
    fn join(&mut self, other: Self) {
        self.id ^= other.id;
        self.tokens = self.tokens.max(other.tokens);
        self.changed.extend(other.changed);
        for occurrence in other.others {
            if !meets_any(&occurrence, &self.others) {
                self.others.push(occurrence);
            }
        }
    }
}

/// Whether a difference is in some lines of a former text, or at an end of them.
fn is_near(hunk: &Hunk, lines: &Range<u32>) -> bool {
    hunk.removed.start <= lines.end && lines.start <= hunk.removed.end
}

/// Whether a difference is in some lines of a former text. What is added before or behind them is not.
fn is_in(hunk: &Hunk, lines: &Range<u32>) -> bool {
    if hunk.removed.is_empty() {
        return lines.start < hunk.removed.start && hunk.removed.start < lines.end;
    }
    lines.start < hunk.removed.end && hunk.removed.start < lines.end
}

fn edit(hunk: &Hunk, document: &ChangedDocument) -> LineEdit {
    let bytes = document.bytes(&hunk.added);
    let added = document.file.text.get(bytes.start as usize..bytes.end as usize).unwrap_or_default();
    let first = |text: &str| text.lines().take(LINES).map(str::to_owned).collect();
    LineEdit { line: hunk.added.start + 1, removed: first(&hunk.text), added: first(added) }
}

fn meets_any(one: &Occurrence, others: &[Occurrence]) -> bool {
    others.iter().any(|other| {
        let (a, b) = (one.text_span, other.text_span);
        one.path == other.path && a.start < b.end && b.start < a.end
    })
}

/// The share of tokens that agree, of the longer text.
fn alike(a: &[u64], b: &[u64]) -> f32 {
    let matches = if a == b { a.len() } else { align::matched_within(a, b, align::TABLE).len() };
    matches as f32 / a.len().max(b.len()).max(1) as f32
}
