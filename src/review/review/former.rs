//! The texts of changed files before the change.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::places::ChangedDocuments;
use crate::change::{ChangedFile, ChangedLines};
use dupi_index::index::search::SearchError;
use dupi_index::query::page::line_starts;
use dupi_index::taboo::{suppressed_texts, suppressing_mark, tokens_in};
use dupi_judge::copies::OpenCopy;
use dupi_passage::Measure;
use dupi_passage::approximate::seeds::SeedLengths;
use dupi_passage::approximate::weights::Weights;
use dupi_passage::consistent::consistent_len;
use dupi_passage::like::chained::ProbeWindows;
use dupi_passage::like::near_tiles::NearTiles;
use dupi_passage::like::pair::{Comparison, PageText};
use dupi_text::blot::{Recipe, Tile, kept_tiles_of, tiles_of};
use dupi_text::token::{LexState, Token, Tokeniser, folded_name};

/// A changed file before the change.
pub struct FormerText<'c> {
    /// Its path now, or the former one if it was removed.
    pub path: PathBuf,
    /// Its change.
    pub change: &'c ChangedFile,
    /// Its text then.
    pub lexed: Lexed,
    /// Their hashes.
    pub hashes: Vec<u64>,
    /// The hashes of their names, where these are folded; empty if they are not compared.
    names: Vec<u32>,
    /// The tiles that an index of it keeps.
    kept: Vec<Tile>,
    /// The ranges of tokens that marks suppress, in order.
    suppressed: Vec<Range<u32>>,
}

/// A text with its tokens and the first bytes of its lines.
pub struct Lexed {
    text: Arc<String>,
    /// The first byte of each line.
    pub starts: Vec<u32>,
    tokens: Vec<Token>,
    tokeniser: Tokeniser,
}

impl Lexed {
    /// Reads the tokens of a text with a path.
    pub fn read(path: &Path, text: Arc<String>, recipe: &Recipe) -> Self {
        let tokeniser = Tokeniser::for_file(recipe.tokens, recipe.comments, path, &text);
        let tokens = tokeniser.tokens(&recipe.ignored.blanked(&text), LexState::default());
        Self { starts: line_starts(&text), tokens, tokeniser, text }
    }

    /// The bytes of some lines.
    pub fn bytes(&self, lines: &Range<u32>) -> Range<u32> {
        let start = |line: u32| self.starts.get(line as usize).copied().unwrap_or(self.text.len() as u32);
        start(lines.start)..start(lines.end)
    }

    /// The tokens of some lines.
    pub fn tokens(&self, lines: &Range<u32>) -> &[Token] {
        let bytes = self.bytes(lines);
        let first = self.tokens.partition_point(|token| token.start < bytes.start);
        let end = self.tokens.partition_point(|token| token.end <= bytes.end);
        self.tokens.get(first..end).unwrap_or_default()
    }

    /// The hashes of the tokens of some lines.
    pub fn hashes(&self, lines: &Range<u32>) -> Vec<u64> {
        self.tokens(lines).iter().map(|token| token.hash).collect()
    }
}

/// The files of a change as they were before it, those that had any text. `with_names` are the names of their tokens
/// compared.
pub fn former_texts<'c>(
    changed: &'c ChangedLines,
    documents: &ChangedDocuments,
    recipe: &Recipe,
    with_names: bool,
) -> Vec<FormerText<'c>> {
    let of = |(path, change): (&Path, &'c ChangedFile)| {
        let text = if change.is_removed {
            change.former_text("")
        } else {
            documents.at(path).and_then(|document| change.former_text(&document.file.text))
        };
        // Of a new file there may be lines that are no part of the change.
        let text = text.filter(|text| !text.is_empty())?;
        let name = change.former.as_deref().unwrap_or(path);
        let lexed = Lexed::read(name, Arc::new(text), recipe);
        let Lexed { text, tokens, tokeniser, .. } = &lexed;
        let hashes = tokens.iter().map(|token| token.hash).collect();
        let read = with_names.then(|| recipe.ignored.blanked(text));
        let names =
            |read: Cow<str>| tokens.iter().map(|token| folded_name(&read, token, *tokeniser)).collect();
        let names = read.map(names).unwrap_or_default();
        let mut kept = Vec::new();
        kept_tiles_of(tokens, recipe, |tile| kept.push(tile));
        let marks = suppressed_texts(name, text).into_iter();
        let suppressed = marks.map(|of| tokens_in(tokens, &of.bytes)).collect();
        Some(FormerText { path: path.to_owned(), change, lexed, hashes, names, kept, suppressed })
    };
    let files: Vec<_> = changed.files().collect();
    files.into_par_iter().filter_map(of).collect()
}

/// How a passage is looked for in former texts.
pub struct FormerCopies<'a> {
    texts: &'a [FormerText<'a>],
    /// What a copy is.
    pub measure: Measure,
    /// The recipe of the index.
    pub recipe: Recipe,
    /// Whether names must differ consistently.
    consistent: bool,
    /// The tiles that an index keeps of the texts, sorted by their blots, the number of the text and the place there.
    tiles: Vec<(u32, Tile)>,
}

impl FormerText<'_> {
    /// The stretches of a part in which names differ consistently, one behind the other; the part itself if names are not
    /// compared.
    fn consistent_parts(&self, names: &[u32], (own, place): Part) -> Vec<Part> {
        if names.is_empty() {
            return vec![(own, place)];
        }
        let (mut start, mut parts) = (0, Vec::new());
        while start < own.len().min(place.len()) {
            let rest = (own.start + start..own.end, place.start + start..place.end);
            let count = consistent_len(self.named(names, &rest));
            if count > 0 {
                parts.push((rest.0.start..rest.0.start + count, rest.1.start..rest.1.start + count));
            }
            start += count.max(1);
        }
        parts
    }

    /// Whether names differ consistently in all of some parts together, or are not compared.
    fn is_consistent(&self, names: &[u32], parts: &[Part]) -> bool {
        let all = || parts.iter().flat_map(|part| self.named(names, part));
        names.is_empty() || consistent_len(all()) == all().count()
    }

    /// The names of a part of a passage, each with the one that stands for it here.
    fn named<'n>(
        &'n self,
        names: &'n [u32],
        (own, place): &Part,
    ) -> impl Iterator<Item = (&'n u32, &'n u32)> {
        names[own.clone()].iter().zip(&self.names[place.clone()])
    }

    /// Whether marks suppress a copy, by the rule for copies as they are now.
    fn suppresses(&self, copy: &Range<usize>, least: u32) -> bool {
        let tokens = copy.start as u32..copy.end as u32;
        suppressing_mark(tokens, self.suppressed.iter().cloned(), least).is_some()
    }
}

impl<'a> FormerCopies<'a> {
    /// Of some texts.
    pub fn new(texts: &'a [FormerText<'a>], measure: Measure, recipe: Recipe, consistent: bool) -> Self {
        let of_text = |(number, text): (usize, &'a FormerText)| {
            text.kept.iter().map(move |tile| (number as u32, *tile))
        };
        let mut tiles: Vec<(u32, Tile)> = texts.par_iter().enumerate().flat_map_iter(of_text).collect();
        tiles.par_sort_unstable_by_key(|(number, tile)| (tile.blot, *number, tile.first));
        Self { texts, measure, recipe, consistent, tiles }
    }

    /// How many copies of a passage the former texts have, by one of its copies. They are looked for in the texts that have
    /// a tile that an index keeps of both, around all tiles of the passage that it keeps of the text.
    ///
    /// # Errors
    /// When a text has too many tokens.
    pub fn count(&self, copy: &OpenCopy) -> Result<usize, SearchError> {
        let passage: &[u64] = &copy.hashes();
        let names = if self.consistent { copy.names() } else { Vec::new() };
        let tokens: Vec<Token> = passage.iter().map(|&hash| Token { hash, start: 0, end: 0 }).collect();
        let (mut tiles, mut kept) = (Vec::new(), HashSet::new());
        tiles_of(tokens.iter().copied(), &self.recipe, |tile| tiles.push(tile));
        kept_tiles_of(&tokens, &self.recipe, |tile| {
            kept.insert(tile.blot);
        });
        let near = NearTiles::new(&tiles, passage.len(), &self.recipe);
        tiles.sort_unstable_by_key(|tile| tile.blot);
        tiles.dedup_by_key(|tile| tile.blot);
        let mut shared: Vec<&(u32, Tile)> = tiles.iter().flat_map(|tile| self.with_blot(tile)).collect();
        shared.sort_unstable_by_key(|(number, tile)| (*number, tile.first));
        // Lines that were added since divide a copy.
        let least = self.measure.least.min(self.recipe.guarantee()).min(passage.len() as u32);
        let measure = Measure { least, ..self.measure };
        let seed = match measure.gap {
            0 => SeedLengths { least: measure.least, chained: measure.least },
            _ => SeedLengths::for_recipe(&self.recipe, measure.least),
        };
        let windows = ProbeWindows::new(passage, seed, measure.gap);
        let mut count = 0;
        for shared in shared.chunk_by(|one, other| one.0 == other.0) {
            if !shared.iter().any(|(_, tile)| kept.contains(&tile.blot)) {
                continue;
            }
            let text = &self.texts[shared[0].0 as usize];
            let mut ranges = Vec::new();
            shared.iter().for_each(|(_, tile)| near.add(&mut ranges, tile, text.hashes.len()));
            let part =
                |range: Range<usize>| PageText { page: 0, first: range.start, tokens: &text.hashes[range] };
            let compared: Vec<PageText> = ranges.into_iter().map(part).collect();
            if compared.iter().all(|part| windows.chained(part.tokens) == 0) {
                continue;
            }
            let both = [passage, &text.hashes];
            let weights = Weights::of(both.par_iter().with_min_len(both.len()).copied());
            let comparison = Comparison { probe: passage, weights: &weights, measure, seed };
            let runs = comparison.runs(&compared)?;
            let runs = runs.into_iter().map(|run| (run.of_probe, run.of_page));
            let runs = runs.flat_map(|part| text.consistent_parts(&names, part)).collect();
            let least = (passage.len() as f32 * self.measure.overlap).ceil() as usize;
            let is_copy =
                |of: &JoinedParts| of.covered >= least && !text.suppresses(&of.whole, self.measure.least);
            count += joined(runs, passage.len(), |parts| text.is_consistent(&names, parts))
                .iter()
                .filter(|of| is_copy(of))
                .count();
        }
        Ok(count)
    }

    /// The tiles of texts with the blot of a tile.
    fn with_blot(&self, tile: &Tile) -> &[(u32, Tile)] {
        let start = self.tiles.partition_point(|(_, other)| other.blot < tile.blot);
        let rest = &self.tiles[start..];
        &rest[..rest.partition_point(|(_, other)| other.blot == tile.blot)]
    }
}

/// A part of a copy: its tokens in the passage, and in a text.
type Part = (Range<usize>, Range<usize>);

/// The copies that some runs of a passage, each with its place in a text, make up together: runs that follow each other in
/// both, are at most half a passage apart and fit together are parts of one copy. Parts may overlap where a line was added
/// or removed that begins or ends like one beside it; what both have counts once.
fn joined(mut runs: Vec<Part>, length: usize, fit: impl Fn(&[Part]) -> bool) -> Vec<JoinedParts> {
    runs.sort_by_key(|(_, place)| (place.start, place.end));
    let mut all: Vec<JoinedParts> = Vec::new();
    for part in runs {
        let is_next = all.last_mut().is_some_and(|last| last.take(&part, length / 2, &fit));
        if !is_next {
            all.push(JoinedParts { covered: part.0.len(), whole: part.1.clone(), parts: vec![part] });
        }
    }
    all
}

/// The parts of a copy so far.
struct JoinedParts {
    parts: Vec<Part>,
    /// Where all of them stand in the text.
    whole: Range<usize>,
    /// How many tokens of the passage they have.
    covered: usize,
}

impl JoinedParts {
    /// Adds a part if it is the next one and all of them fit together. Returns whether that is so.
    fn take(&mut self, part: &Part, most_apart: usize, fit: impl Fn(&[Part]) -> bool) -> bool {
        let Some(last) = self.parts.last().filter(|last| is_next(last, part, most_apart)).cloned() else {
            return false;
        };
        self.parts.push(part.clone());
        if !fit(&self.parts) {
            self.parts.pop();
            return false;
        }
        let (own, place) = part;
        let new = own.end - own.start.max(last.0.end);
        self.covered += new.min(place.end - place.start.max(last.1.end));
        self.whole.end = place.end;
        true
    }
}

/// Whether a part may be the next one of the same copy.
fn is_next(before: &Part, (own, place): &Part, most_apart: usize) -> bool {
    let is_behind = |next: &Range<usize>, last: &Range<usize>| next.start > last.start && next.end > last.end;
    let is_near = place.start.saturating_sub(before.1.end) <= most_apart;
    is_behind(own, &before.0) && is_behind(place, &before.1) && is_near
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many copies have at least `least` tokens of a passage.
    fn copies(runs: Vec<(Range<usize>, Range<usize>)>, least: usize, length: usize) -> usize {
        joined(runs, length, |_| true).iter().filter(|of| of.covered >= least).count()
    }

    #[test]
    fn parts_in_order_are_one_copy() {
        assert_eq!(copies(vec![(0..40, 100..140), (50..90, 141..181)], 60, 90), 1);
        assert_eq!(copies(vec![(0..40, 100..140), (50..90, 400..440)], 60, 90), 0, "too far apart");
        assert_eq!(copies(vec![(0..90, 300..390), (0..90, 0..90)], 60, 90), 2);
        assert_eq!(copies(vec![(50..90, 0..40), (0..40, 41..81)], 60, 90), 0, "in another order");
        assert_eq!(copies(Vec::new(), 60, 90), 0);
    }

    #[test]
    fn parts_that_overlap_count_once() {
        // A line was added before one that begins like it: the second part begins with the end of the first one.
        assert_eq!(copies(vec![(0..56, 91..147), (63..104, 146..187)], 63, 104), 1);
        assert_eq!(copies(vec![(0..56, 91..147), (63..104, 146..187)], 97, 104), 0);
        assert_eq!(copies(vec![(0..50, 0..50), (10..55, 10..55)], 56, 90), 0);
        assert_eq!(copies(vec![(0..90, 0..90), (30..60, 95..125)], 60, 90), 1, "a part of another copy");
    }
}
