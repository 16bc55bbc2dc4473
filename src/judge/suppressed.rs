//! Takes the copies out of passages that marks in the source suppress (`dupi:ignore`), and tells which these are.
//!
//! The search itself knows nothing of marks: it finds the passages of the whole text. Then each copy is judged by the rule
//! of the taboo list, and a passage of which fewer than two copies remain is no longer one. A passage that lost copies is
//! left out too when the rest of it is in a longer passage with the same copies.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::passages::{PassageCopy, PassageId};
use dupi_index::taboo::{suppressed_texts, suppressing_mark, tokens_in};
use dupi_passage::TokenRun;
use dupi_passage::approximate::pair_counts::PairCounts;
use dupi_passage::approximate::representative::Chooser;
use dupi_passage::gather::{Gathered, SuppressedTokens};
use dupi_passage::group::name_parents;
use dupi_passage::group::{RunGroup, spots_of, united};
use dupi_passage::unit::Unit;
use dupi_text::blot::Recipe;
use dupi_text::token::{LexState, Tokeniser};

/// What the marks in the documents of a search suppress.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suppressions {
    /// The marks in the documents that were read, sorted by source and line.
    pub marks: Vec<SuppressingMark>,
    /// The passages with suppressed copies, by id.
    pub passages: Vec<SuppressedPassage>,
}

/// A mark that suppresses text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuppressingMark {
    /// The index of its document in the sources.
    pub source: u32,
    /// Its line, from 1.
    pub line: u32,
    /// Whether it is a start without an end.
    pub is_open: bool,
}

/// A passage with suppressed copies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuppressedPassage {
    /// Its id, before the copies were taken out.
    pub id: PassageId,
    /// Whether fewer than two copies remained, so that it is not listed.
    pub is_gone: bool,
    /// Its copies, also those that are not suppressed.
    pub copies: Vec<SuppressedCopy>,
}

impl SuppressedPassage {
    /// How many of its copies are suppressed.
    pub fn suppressed(&self) -> usize {
        self.copies.iter().filter(|copy| copy.mark.is_some()).count()
    }
}

/// A copy of a passage with suppressed copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuppressedCopy {
    /// The index of its document in the sources.
    pub source: u32,
    /// Its first byte in the file's text.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// Which of the marks of its document suppresses most of it; `None` if it is not suppressed.
    pub mark: Option<u32>,
}

impl Suppressions {
    /// How many passages are not listed because of the marks.
    pub fn gone(&self) -> u64 {
        self.passages.iter().filter(|passage| passage.is_gone).count() as u64
    }

    /// The index of the mark that suppresses a copy.
    pub fn mark_of(&self, copy: &SuppressedCopy) -> Option<usize> {
        let first = self.marks.partition_point(|mark| mark.source < copy.source);
        let of_source = self.marks[first..].iter().take_while(|mark| mark.source == copy.source).count();
        copy.mark.map(|mark| mark as usize).filter(|mark| *mark < of_source).map(|mark| first + mark)
    }

    /// Whether what it names is there: its sources, of which there are so many, and its marks.
    pub(super) fn is_sound(&self, sources: usize) -> bool {
        let is_source = |source: u32| (source as usize) < sources;
        let is_copy = |copy: &SuppressedCopy| {
            let is_mark = copy.mark.is_none() || self.mark_of(copy).is_some();
            is_source(copy.source) && copy.start <= copy.end && is_mark
        };
        self.marks.is_sorted_by_key(|mark| mark.source)
            && self.marks.iter().all(|mark| is_source(mark.source))
            && self.passages.iter().all(|passage| passage.copies.iter().all(is_copy))
    }

    /// Whether no mark was met.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }
}

/// Takes the suppressed copies out of all groups. `chooser` finds another representative in groups with differences.
pub(super) fn suppress(
    gathered: &Gathered,
    found: &mut Vec<RunGroup>,
    least: u32,
    chooser: Option<&Chooser>,
) -> Suppressions {
    if gathered.suppressed.is_empty() {
        return Suppressions::default();
    }
    let (mut passages, mut touched) = (Vec::new(), Vec::new());
    let mut counts = PairCounts::default();
    found.retain_mut(|group| {
        let marks: Vec<Option<u32>> = group.runs.iter().map(|run| mark_of(gathered, run, least)).collect();
        if marks.iter().all(Option::is_none) {
            return true;
        }
        let id = group.id;
        let rest = without(gathered, group, &marks, &mut counts, chooser);
        let is_gone = rest.is_empty();
        let copies = spots_of(gathered, &group.runs).into_iter().zip(marks);
        let copies = copies.map(|(PassageCopy { source, start, end, .. }, mark)| SuppressedCopy {
            source,
            start,
            end,
            mark,
        });
        passages.push(SuppressedPassage { id, is_gone, copies: copies.collect() });
        touched.extend(rest);
        false
    });
    let mut touched = united(touched);
    let ids: HashSet<PassageId> = found.iter().map(|group| group.id).collect();
    touched.retain(|group| !ids.contains(&group.id));
    let ids: HashSet<PassageId> = touched.iter().map(|group| group.id).collect();
    found.append(&mut touched);
    drop_held(found, &ids);
    passages.sort_by_key(|passage| passage.id);
    let mark =
        |of: &SuppressedTokens| SuppressingMark { source: of.document, line: of.line, is_open: of.is_open };
    Suppressions { marks: gathered.suppressed.iter().map(mark).collect(), passages }
}

/// Whether a copy in the text of a file is suppressed.
pub fn is_copy_suppressed(path: &Path, text: &str, copy: Range<usize>, least: u32, recipe: &Recipe) -> bool {
    let suppressed = suppressed_texts(path, text);
    if suppressed.is_empty() {
        return false;
    }
    let tokeniser = Tokeniser::for_file(recipe.tokens, recipe.comments, path, text);
    let tokens = tokeniser.tokens(&recipe.ignored.blanked(text), LexState::default());
    let marks = suppressed.iter().map(|of| tokens_in(&tokens, &of.bytes));
    suppressing_mark(tokens_in(&tokens, &copy), marks, least).is_some()
}

/// Which of the marks of its document suppresses most of a run, if the run is suppressed.
fn mark_of(gathered: &Gathered, run: &TokenRun, least: u32) -> Option<u32> {
    let stretch = &gathered.stretches[gathered.stretch_at(run.place)];
    let first = stretch.first + (run.place - stretch.base);
    let from = gathered.suppressed.partition_point(|of| of.document < stretch.document);
    let of_document = gathered.suppressed[from..].iter().take_while(|of| of.document == stretch.document);
    let marks = of_document.map(|of| of.tokens.clone());
    suppressing_mark(first..first + run.tokens, marks, least).map(|number| number as u32)
}

/// The groups of the copies of a group without a mark.
fn without(
    gathered: &Gathered,
    group: &RunGroup,
    marks: &[Option<u32>],
    counts: &mut PairCounts,
    chooser: Option<&Chooser>,
) -> Vec<RunGroup> {
    let is_left = |number: &usize| marks[*number].is_none();
    let runs: Vec<TokenRun> = (0..marks.len()).filter(is_left).map(|number| group.runs[number]).collect();
    if runs.len() < 2 {
        return Vec::new();
    }
    let shown = group.representative as usize;
    if is_left(&shown) || chooser.is_none() || group.unit == Unit::Document {
        let representative = if is_left(&shown) { (0..shown).filter(is_left).count() as u32 } else { 0 };
        let of = RunGroup::new(gathered, runs, representative);
        // The id of identical documents is not made of tokens alone.
        let id = if group.unit == Unit::Document { group.id } else { of.id };
        return vec![RunGroup { id, unit: group.unit, ..of }];
    }
    chooser.map_or(Vec::new(), |chooser| chooser.led_anew(counts, runs))
}

/// Drops the groups with some ids of which all copies are in those of a longer one that has no more.
fn drop_held(found: &mut Vec<RunGroup>, ids: &HashSet<PassageId>) {
    name_parents(found);
    let held: HashSet<PassageId> = {
        let by_id: super::HashedMap<PassageId, &RunGroup> =
            found.iter().map(|group| (group.id, group)).collect();
        let is_held = |group: &&RunGroup| {
            let parent = group.parent.and_then(|parent| by_id.get(&parent));
            ids.contains(&group.id)
                && group.unit == Unit::Passage
                && parent.is_some_and(|parent| {
                    let both = parent.runs.iter().zip(&group.runs);
                    parent.runs.len() == group.runs.len()
                        && both
                            .into_iter()
                            .all(|(outer, run)| outer.place <= run.place && run.end() <= outer.end())
                })
        };
        found.iter().filter(is_held).map(|group| group.id).collect()
    };
    found.retain(|group| !held.contains(&group.id));
    found.iter_mut().for_each(|group| group.parent = None);
}
