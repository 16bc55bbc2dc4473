//! Reviews a change: finds the passages that it touches and the copies that drifted, and how many copies of each there were
//! before. What was decided about them is put to it later ([`judge`](super::judge)), so that a decision needs no search.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use super::drift::{Drift, drifts};
use super::former::{FormerCopies, former_texts};
use super::places::ChangedDocuments;
use super::verdict::{CopyCounts, LeftOut, ReviewRules};
use crate::change::ChangedLines;
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::{FileId, Snapshot};
use dupi_index::query::Occurrence;
use dupi_index::query::page::DocumentReader;
use dupi_index::taboo::{AcceptedSet, CorrectedKinds};
use dupi_judge::around::{PassagesAround, find_around};
use dupi_judge::copies::OpenCopy;
use dupi_judge::passages::{Passage, PassageCopy};
use dupi_judge::search::{Passages, SearchSettings};
use dupi_judge::suppressed::{SuppressedCopy, is_copy_suppressed};
use dupi_passage::stages::Stages;
use dupi_passage::unit::Unit;
use dupi_text::token::fingerprint;

/// The most copies of a passage that are read to find what it was before the change.
const TRIED: usize = 8;

/// What a change touches, of the passages that were found near it.
pub struct FoundReview {
    /// The passages that the change adds a line to and that have more copies than before.
    pub touched: Vec<TouchedPassage>,
    /// The copies that have drifted, the longest first.
    pub drifts: Vec<Drift>,
    /// The fewest tokens of a passage.
    pub least: u32,
    /// What is left out already.
    pub left_out: LeftOut,
}

/// A passage that a change touches.
#[derive(Clone, Debug)]
pub struct TouchedPassage {
    /// Its index in the passages.
    pub number: usize,
    /// Its copies, not looking at what was accepted.
    pub counts: CopyCounts,
    /// For each copy, whether the change adds a line to it.
    pub touched: Vec<bool>,
    /// The index of the copy to use instead of the new ones, if one was there before.
    pub original: Option<usize>,
    /// The ids of longer passages that the copies had together before the change. A new copy makes a group end where it
    /// ends, even if the others agree for a few more tokens.
    pub longer: Vec<u64>,
}

/// Finds what a change touches, whose paths are relative to the base of the corpus. What the rules leave out already is not
/// looked at closely.
///
/// # Errors
/// As [`Passages::find`].
pub fn find(
    snapshot: &Snapshot,
    changed: &ChangedLines,
    search: &SearchSettings,
    rules: &ReviewRules,
    tick: &Tick,
) -> Result<(Passages, FoundReview), SearchError> {
    let recipe = snapshot.manifest().recipe;
    let measure = search.measure;
    let mut stages = Stages::begin();
    let documents = ChangedDocuments::open(snapshot, changed);
    let texts = former_texts(changed, &documents, &recipe, search.consistent);
    let places = documents.places();
    stages.end("texts of changed files");
    // The search for passages leaves a core idle from time to time; that for drifts uses it.
    let is_stopped = AtomicBool::new(false);
    let (around, drifted) = rayon::join(
        || find_around(snapshot, search, &places, tick).inspect_err(|_| is_stopped.store(true, Relaxed)),
        || drifts(snapshot, &documents, &texts, measure, &is_stopped),
    );
    let PassagesAround { passages, frequent } = around?;
    stages.end("passages and drifts");
    let finder = Finder {
        snapshot,
        documents: &documents,
        passages: &passages,
        hidden: passages.hidden(measure.least, rules.decisions.taboo, &recipe),
        accepted: passages.accepted(rules.decisions.accepted),
        corrected: passages.corrected(rules.decisions.corrected),
        former: FormerCopies::new(&texts, measure, recipe, search.consistent),
        rules,
    };
    let mut left_out = LeftOut { frequent, ..LeftOut::default() };
    left_out.suppressed = finder.suppressed();
    let touched = finder.touched(&mut left_out)?;
    stages.end("passages that are touched");
    let drifts = finder.kept(drifted?, &mut left_out);
    drop(finder);
    stages.end("drifts that are kept");
    tick(1.0)?;
    Ok((passages, FoundReview { touched, drifts, least: measure.least, left_out }))
}

/// The tokens of a document, and where a copy in it begins and ends.
type OwnCopy = (Vec<u64>, usize, usize);

struct Finder<'a> {
    snapshot: &'a Snapshot,
    documents: &'a ChangedDocuments<'a>,
    passages: &'a Passages,
    /// For each passage, whether it is taboo.
    hidden: Vec<bool>,
    accepted: AcceptedSet,
    corrected: CorrectedKinds,
    former: FormerCopies<'a>,
    rules: &'a ReviewRules<'a>,
}

impl Finder<'_> {
    /// The passages that have more copies than before.
    fn touched(&self, left_out: &mut LeftOut) -> Result<Vec<TouchedPassage>, SearchError> {
        let mut wanted = Vec::new();
        for (number, passage) in self.passages.found.iter().enumerate() {
            // The documents of folders are rows of their own.
            if matches!(passage.unit, Unit::Folder(_)) {
                continue;
            }
            let touched: Vec<bool> = passage.copies.iter().map(|copy| self.is_touched(copy)).collect();
            if touched.contains(&true) && !self.is_left_out(number, left_out) {
                wanted.push((number, touched));
            }
        }
        let of = |reader: &mut DocumentReader, (number, touched)| self.passage(reader, number, touched);
        let all = wanted.into_par_iter().map_init(|| DocumentReader::new(self.snapshot), of);
        let all: Vec<Option<TouchedPassage>> = all.collect::<Result<_, SearchError>>()?;
        left_out.as_many += all.iter().filter(|found| found.is_none()).count() as u64;
        Ok(all.into_iter().flatten().collect())
    }

    /// A passage that the change adds a line to; `None` if it has as many copies as before.
    fn passage(
        &self,
        reader: &mut DocumentReader,
        number: usize,
        touched: Vec<bool>,
    ) -> Result<Option<TouchedPassage>, SearchError> {
        let passage = &self.passages.found[number];
        let counts = self.counts(reader, passage, &touched)?;
        if counts.verdict(None).is_none() {
            return Ok(None);
        }
        let longer = self.longer(reader, passage, &touched);
        let original = original(passage, &touched);
        Ok(Some(TouchedPassage { number, counts, touched, original, longer }))
    }

    /// Whether the change adds a line to a copy.
    fn is_touched(&self, copy: &PassageCopy) -> bool {
        self.documents
            .get(self.file_of(copy))
            .is_some_and(|document| document.has_added(copy.start..copy.end))
    }

    fn file_of(&self, copy: &PassageCopy) -> FileId {
        self.snapshot.file_of(self.passages.sources[copy.source as usize].id)
    }

    /// Whether the rules leave a passage out.
    fn is_left_out(&self, number: usize, left_out: &mut LeftOut) -> bool {
        let passage = &self.passages.found[number];
        self.rules.leave_out((passage, self.hidden[number]), &self.corrected, left_out)
    }

    /// The copies of a passage now and before.
    fn counts(
        &self,
        reader: &mut DocumentReader,
        passage: &Passage,
        touched: &[bool],
    ) -> Result<CopyCounts, SearchError> {
        let is_changed = |copy: &&PassageCopy| self.documents.get(self.file_of(copy)).is_some();
        let now = passage.copies.iter().filter(is_changed).count();
        let text = OpenCopy::new(self.snapshot, reader, &self.passages.sources, passage);
        let before = text.map_or(Ok(0), |copy| self.former.count(&copy))?;
        Ok(CopyCounts {
            elsewhere: passage.copies.len() - now,
            now,
            touched: touched.iter().filter(|touched| **touched).count(),
            before,
        })
    }

    /// The ids of longer passages that the copies had together before the change.
    fn longer(&self, reader: &mut DocumentReader, passage: &Passage, touched: &[bool]) -> Vec<u64> {
        if self.accepted.is_empty() {
            return Vec::new();
        }
        let mut own: Vec<OwnCopy> = Vec::new();
        for (copy, _) in passage.copies.iter().zip(touched).filter(|(_, touched)| !**touched).take(TRIED) {
            let id = self.passages.sources[copy.source as usize].id;
            let Ok(page) = reader.whole(self.snapshot, id) else { return Vec::new() };
            let tokens: Vec<u64> = page.tokens.iter().map(|token| token.hash).collect();
            own.push((tokens, copy.first as usize, copy.end_token() as usize));
        }
        let [(first, start, _), others @ ..] = &own[..] else { return Vec::new() };
        if others.is_empty() {
            return Vec::new();
        }
        let before = |(tokens, start, _): &OwnCopy, at: usize| {
            start.checked_sub(at).and_then(|at| tokens.get(at)).copied()
        };
        let behind = |(tokens, _, end): &OwnCopy, at: usize| tokens.get(end + at).copied();
        let agree = |one: Option<u64>, other: &dyn Fn(&OwnCopy) -> Option<u64>| {
            one.is_some() && others.iter().all(|copy| other(copy) == one)
        };
        let of = &own[0];
        let left = (1..=*start).take_while(|&at| agree(before(of, at), &|copy| before(copy, at))).count();
        let right =
            (0..first.len()).take_while(|&at| agree(behind(of, at), &|copy| behind(copy, at))).count();
        if left + right == 0 {
            return Vec::new();
        }
        // The longer passage may have had another copy as its representative.
        let text =
            |(tokens, start, end): &OwnCopy| Some(fingerprint(tokens.get(start - left..end + right)?) as u64);
        let mut ids: Vec<u64> = own.iter().filter_map(text).collect();
        ids.dedup();
        ids
    }

    /// How many passages with a copy that the change touches marks suppress.
    fn suppressed(&self) -> u64 {
        let is_touched = |copy: &SuppressedCopy| {
            let file = self.snapshot.file_of(self.passages.sources[copy.source as usize].id);
            self.documents.get(file).is_some_and(|document| document.has_added(copy.start..copy.end))
        };
        let passages = &self.passages.suppressed.passages;
        passages.iter().filter(|passage| passage.is_gone && passage.copies.iter().any(is_touched)).count()
            as u64
    }

    /// Whether marks suppress all copies of a drift on one side.
    fn is_suppressed(&self, reader: &mut DocumentReader, drift: &Drift) -> bool {
        let least = self.former.measure.least;
        let mut is = |at: &Occurrence| {
            let copy = at.text_span.start as usize..at.text_span.end as usize;
            let file = reader.file(&at.path);
            file.is_ok_and(|file| is_copy_suppressed(&at.path, &file.text, copy, least, &self.former.recipe))
        };
        drift.changed.iter().all(|copy| is(&copy.at)) || drift.others.iter().all(is)
    }

    /// The drifts that neither the rules nor marks leave out, with the passages around them.
    fn kept(&self, drifts: Vec<Drift>, left_out: &mut LeftOut) -> Vec<Drift> {
        let of = |reader: &mut DocumentReader, drift: Drift| {
            let is_suppressed = self.is_suppressed(reader, &drift);
            let around = drift.others.first().and_then(|other| self.around(other));
            (Drift { around, ..drift }, is_suppressed)
        };
        let reader = || DocumentReader::new(self.snapshot);
        let all: Vec<(Drift, bool)> = drifts.into_par_iter().map_init(reader, of).collect();
        let stays = |(found, is_suppressed): (Drift, bool)| {
            if is_suppressed {
                left_out.suppressed += 1;
                return None;
            }
            let small = left_out.small;
            let is_left_out = found.around.is_some_and(|number| self.is_left_out(number, left_out));
            // The worth of a passage around it says nothing of what was changed.
            let is_small = left_out.small > small;
            left_out.small = small;
            (!is_left_out || is_small).then_some(found)
        };
        all.into_iter().filter_map(stays).collect()
    }

    /// The longest passage that has a copy on an occurrence, by its index.
    fn around(&self, other: &Occurrence) -> Option<usize> {
        let holds =
            |(_, passage): &(usize, &Passage)| passage.copies.iter().any(|copy| self.is_on(copy, other));
        let found = self.passages.found.iter().enumerate().filter(holds);
        found.max_by_key(|(_, passage)| passage.tokens()).map(|(number, _)| number)
    }

    /// Whether a copy overlaps an occurrence.
    fn is_on(&self, copy: &PassageCopy, other: &Occurrence) -> bool {
        let (start, end) = (other.text_span.start as u32, other.text_span.end as u32);
        copy.start < end && start < copy.end && self.snapshot.path(self.file_of(copy)) == other.path
    }
}

/// The copy that was there before: the representative, or the first one without an added line.
fn original(passage: &Passage, touched: &[bool]) -> Option<usize> {
    let representative = passage.representative as usize;
    let is_there = |number: &usize| !touched[*number];
    Some(representative).filter(is_there).or_else(|| (0..touched.len()).find(is_there))
}
