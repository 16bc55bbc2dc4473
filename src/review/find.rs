//! Reviews a change: finds the passages that it touches and the copies that drifted, and says what each of them is.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::drift::{Drift, drifts};
use super::former::{FormerCopies, former_texts};
use super::places::ChangedDocuments;
use super::verdict::{CopyCounts, Unreported, Verdict};
use crate::change::ChangedLines;
use crate::index::snapshot::Snapshot;
use crate::passage::around::{PassagesAround, find_around};
use crate::passage::aside::AsideRule;
use crate::passage::copy::OpenCopy;
use crate::passage::kind::Kind;
use crate::passage::passages::{Passage, PassageCopy};
use crate::passage::search::{Passages, SearchSettings};
use crate::passage::unit::Unit;
use crate::passage::{PassageError, Tick};
use crate::query::Occurrence;
use crate::query::page::DocumentReader;
use crate::taboo::{AcceptedId, AcceptedSet, CorrectedKinds, TabooSet};
use crate::token::fingerprint;

/// Of a passage so many copies are looked at to find out what it was before the change.
const TRIED: usize = 8;

/// What is reported.
pub struct ReviewCriteria<'a> {
    /// Which passages are searched.
    pub search: &'a SearchSettings,
    /// The taboo list.
    pub taboo: &'a TabooSet,
    /// The accepted list.
    pub accepted: &'a AcceptedSet,
    /// The corrected kinds.
    pub corrected: &'a CorrectedKinds,
    /// Passages of these kinds are set aside.
    pub aside: &'a [Kind],
    /// The least information, in bits, that keeping one copy of a passage would save.
    pub min_worth: u64,
}

/// What a review found.
pub struct Review {
    /// All passages of the search.
    pub passages: Passages,
    /// What is new, the worthiest first.
    pub new: Vec<ReviewedPassage>,
    /// What has drifted, the longest first.
    pub drifted: Vec<Drift>,
    /// What is not reported.
    pub left_out: LeftOut,
}

/// A passage that is new with a change.
#[derive(Clone, Debug)]
pub struct ReviewedPassage {
    /// Its index in the passages.
    pub number: usize,
    /// What it is.
    pub verdict: Verdict,
    /// How many copies it had before the change.
    pub before: usize,
    /// For each copy, whether the change adds a line to it.
    pub touched: Vec<bool>,
    /// The index of the copy to use instead of the new ones, if one was there before.
    pub original: Option<usize>,
}

/// How much is not reported, by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Of kinds that are set aside.
    pub aside: BTreeMap<&'static str, u64>,
    /// Taboo.
    pub taboo: u64,
    /// Accepted with as many copies.
    pub accepted: u64,
    /// Below the least worth.
    pub small: u64,
    /// Moved or edited: with as many copies as before.
    pub as_many: u64,
    /// In the families of others that are reported.
    pub members: u64,
    /// Tiles that stand in too many documents to read them.
    pub frequent: u64,
}

/// Reviews a change, whose paths are relative to the base of the corpus.
///
/// # Errors
/// As [`Passages::find`].
pub fn review(
    snapshot: &Snapshot,
    changed: &ChangedLines,
    criteria: &ReviewCriteria,
    tick: &Tick,
) -> Result<Review, PassageError> {
    let recipe = snapshot.manifest().recipe;
    let measure = criteria.search.measure;
    let documents = ChangedDocuments::open(snapshot, changed);
    let places = documents.places();
    let PassagesAround { passages, frequent } = find_around(snapshot, criteria.search, &places, tick)?;
    let texts = former_texts(changed, &documents, &recipe);
    let judge = Judge {
        snapshot,
        documents: &documents,
        passages: &passages,
        hidden: passages.hidden(measure.least, criteria.taboo, &recipe),
        accepted: passages.accepted(criteria.accepted),
        corrected: passages.corrected(criteria.corrected),
        former: FormerCopies { texts: &texts, measure, recipe },
        criteria,
    };
    let mut left_out = LeftOut { frequent, ..LeftOut::default() };
    let new = judge.new_copies(&mut left_out)?;
    let drifted = drifts(snapshot, &documents, &texts, measure)?;
    let drifted = drifted.into_iter().filter(|drift| judge.reports(drift, &mut left_out)).collect();
    drop(judge);
    Ok(Review { passages, new, drifted, left_out })
}

/// The tokens of a document, and where a copy in it begins and ends.
type OwnCopy = (Vec<u64>, usize, usize);

struct Judge<'a> {
    snapshot: &'a Snapshot,
    documents: &'a ChangedDocuments<'a>,
    passages: &'a Passages,
    /// For each passage, whether it is taboo.
    hidden: Vec<bool>,
    accepted: AcceptedSet,
    corrected: CorrectedKinds,
    former: FormerCopies<'a>,
    criteria: &'a ReviewCriteria<'a>,
}

impl Judge<'_> {
    /// What is new, one passage of each family, the worthiest first.
    fn new_copies(&self, left_out: &mut LeftOut) -> Result<Vec<ReviewedPassage>, PassageError> {
        let mut reader = DocumentReader::new(self.snapshot);
        let mut found = Vec::new();
        for (number, passage) in self.passages.found.iter().enumerate() {
            // The documents of folders are rows of their own.
            if matches!(passage.unit, Unit::Folder(_)) {
                continue;
            }
            let touched: Vec<bool> = passage.copies.iter().map(|copy| self.is_touched(copy)).collect();
            if !touched.contains(&true) || self.is_left_out(number, left_out) {
                continue;
            }
            match self.judged(&mut reader, number, touched)? {
                Ok(reviewed) => found.push(reviewed),
                Err(Unreported::Untouched) => {}
                Err(Unreported::AsMany) => left_out.as_many += 1,
                Err(Unreported::Accepted) => left_out.accepted += 1,
            }
        }
        let rule = AsideRule { kinds: Vec::new(), members: false };
        let numbers = found.iter().map(|reviewed| reviewed.number as u32);
        let listed = rule.split(&self.passages.found, &self.corrected, numbers).listed;
        let all = found.len();
        found.retain(|reviewed| listed.contains(&(reviewed.number as u32)));
        left_out.members += (all - found.len()) as u64;
        let key = |reviewed: &ReviewedPassage| {
            let passage = &self.passages.found[reviewed.number];
            (Reverse(passage.worth), Reverse(passage.score()), passage.id)
        };
        found.sort_by_key(key);
        Ok(found)
    }

    /// Whether the change adds a line to a copy.
    fn is_touched(&self, copy: &PassageCopy) -> bool {
        self.documents
            .get(self.file_of(copy))
            .is_some_and(|document| document.has_added(copy.start..copy.end))
    }

    fn file_of(&self, copy: &PassageCopy) -> crate::index::snapshot::FileId {
        self.snapshot.file_of(self.passages.sources[copy.source as usize].id)
    }

    /// Whether a passage is hidden, set aside, or not worth a row.
    fn is_left_out(&self, number: usize, left_out: &mut LeftOut) -> bool {
        let passage = &self.passages.found[number];
        let aside = passage.kind_by(&self.corrected).filter(|kind| self.criteria.aside.contains(kind));
        if self.hidden[number] {
            left_out.taboo += 1;
        } else if let Some(kind) = aside {
            *left_out.aside.entry(kind.name()).or_default() += 1;
        } else if passage.worth < self.criteria.min_worth {
            left_out.small += 1;
        } else {
            return false;
        }
        true
    }

    fn judged(
        &self,
        reader: &mut DocumentReader,
        number: usize,
        touched: Vec<bool>,
    ) -> Result<Result<ReviewedPassage, Unreported>, PassageError> {
        let passage = &self.passages.found[number];
        let is_changed = |copy: &&PassageCopy| self.documents.get(self.file_of(copy)).is_some();
        let now = passage.copies.iter().filter(is_changed).count();
        let text = OpenCopy::of(self.snapshot, reader, &self.passages.sources, passage);
        let before = text.map_or(Ok(0), |copy| self.former.count(&copy.hashes()))?;
        let accepted = self.accepted.copies(AcceptedId::Passage(passage.id.0));
        let counts = CopyCounts {
            elsewhere: passage.copies.len() - now,
            now,
            touched: touched.iter().filter(|touched| **touched).count(),
            before,
            accepted: accepted.or_else(|| self.accepted_longer(reader, passage, &touched)),
        };
        Ok(counts.verdict().map(|verdict| ReviewedPassage {
            number,
            verdict,
            before: counts.elsewhere + before,
            original: original(passage, &touched),
            touched,
        }))
    }

    /// With how many copies a longer passage was accepted that the copies had together before the change. A new copy makes
    /// a group end where it ends, even if the others agree for a few more tokens.
    fn accepted_longer(
        &self,
        reader: &mut DocumentReader,
        passage: &Passage,
        touched: &[bool],
    ) -> Option<u64> {
        let mut own: Vec<OwnCopy> = Vec::new();
        for (copy, _) in passage.copies.iter().zip(touched).filter(|(_, touched)| !**touched).take(TRIED) {
            let id = self.passages.sources[copy.source as usize].id;
            let tokens: Vec<u64> =
                reader.whole(self.snapshot, id).ok()?.tokens.iter().map(|token| token.hash).collect();
            own.push((tokens, copy.first as usize, copy.end_token() as usize));
        }
        let [(first, start, _), others @ ..] = &own[..] else { return None };
        if others.is_empty() {
            return None;
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
        // The longer passage may have had another copy as its representative.
        own.iter().find_map(|(tokens, start, end)| {
            let text = tokens.get(start - left..end + right)?;
            self.accepted.copies(AcceptedId::Passage(fingerprint(text) as u64))
        })
    }

    /// Whether a drift is reported: of the passages that its copies are in, none is hidden or set aside.
    fn reports(&self, drift: &Drift, left_out: &mut LeftOut) -> bool {
        if let Some(copies) = self.accepted_drift(drift)
            && (drift.changed.len() + drift.others.len()) as u64 <= copies
        {
            left_out.accepted += 1;
            return false;
        }
        let Some(other) = drift.others.first() else { return false };
        let holds =
            |(_, passage): &(usize, &Passage)| passage.copies.iter().any(|copy| self.is_on(copy, other));
        let around =
            self.passages.found.iter().enumerate().filter(holds).max_by_key(|(_, passage)| passage.tokens());
        let Some((number, _)) = around else { return true };
        let small = left_out.small;
        let is_left_out = self.is_left_out(number, left_out);
        if left_out.small > small {
            // The worth of a passage around it says nothing of what was changed.
            left_out.small = small;
            return true;
        }
        !is_left_out
    }

    fn accepted_drift(&self, drift: &Drift) -> Option<u64> {
        self.criteria.accepted.copies(AcceptedId::Passage(drift.id))
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
