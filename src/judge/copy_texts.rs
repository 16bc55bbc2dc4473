//! The texts of the copies of each passage, as fingerprints. Decisions about a passage are found by them when another
//! copy represents it.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::hashed::HashedMap;
use super::passages::{Passage, PassageId};
use dupi_base::parallel;
use dupi_index::taboo::{KeptTexts, TextRow};
use dupi_passage::TokenRun;
use dupi_passage::gather::Gathered;
use dupi_passage::group::RunGroup;
use dupi_passage::unit::Unit;
use dupi_text::token::fingerprint;

/// The texts of copies that are not the one from which the id of their passage is made.
#[derive(Clone, Debug, Default)]
pub struct CopyTexts {
    /// For each passage that has any, where they stand.
    ranges: HashedMap<PassageId, Range<usize>>,
    texts: Vec<u64>,
}

impl CopyTexts {
    /// The texts of the copies of some groups. Takes eight bytes for each text.
    pub(super) fn of(gathered: &Gathered, groups: &[RunGroup]) -> Self {
        let texts: Vec<Vec<u64>> = parallel::map(groups, |group| texts(gathered, group));
        let counts: Vec<usize> = texts.iter().map(Vec::len).collect();
        Self::of_counts(groups.iter().map(|group| group.id).zip(counts), texts.concat())
    }

    /// The texts of some passages, one after another, by the count of each.
    pub(super) fn of_counts(counts: impl Iterator<Item = (PassageId, usize)>, texts: Vec<u64>) -> Self {
        let (mut end, mut ranges) = (0, HashedMap::default());
        ranges.reserve(counts.size_hint().0);
        for (id, count) in counts.filter(|(_, count)| *count > 0) {
            ranges.insert(id, end..end + count);
            end += count;
        }
        Self { ranges, texts }
    }

    /// The texts of a passage besides that of its id, those with the most copies first.
    pub fn others(&self, id: PassageId) -> &[u64] {
        self.ranges.get(&id).map_or(&[], |range| &self.texts[range.clone()])
    }

    /// Adds texts of a passage that it does not have yet.
    pub(super) fn add(&mut self, id: PassageId, texts: impl Iterator<Item = u64>) {
        let mut all = self.others(id).to_vec();
        let known = all.len();
        for text in texts {
            if !all.contains(&text) {
                all.push(text);
            }
        }
        if all.len() > known {
            let start = self.texts.len();
            self.texts.extend(all);
            self.ranges.insert(id, start..self.texts.len());
        }
    }

    /// What a decision about a passage keeps.
    pub fn kept(&self, id: PassageId) -> KeptTexts {
        KeptTexts::of(self.others(id))
    }

    /// A passage as decisions recognise it.
    pub fn row(&self, passage: &Passage) -> TextRow<'_> {
        TextRow {
            id: passage.id.0,
            copies: passage.copies.len() as u64,
            texts: self.others(passage.id),
            is_text: passage.unit == Unit::Passage,
        }
    }
}

/// The texts of the copies of a group. Those of identical documents are one text, but its id is made from more.
fn texts(gathered: &Gathered, group: &RunGroup) -> Vec<u64> {
    let print = |run: &TokenRun| fingerprint(gathered.tokens_of(run)) as u64;
    let representative = &group.runs[group.representative as usize];
    if group.unit != Unit::Passage {
        return vec![print(representative)];
    }
    let is_equal = |run: &&TokenRun| run.similarity >= 1.0 && run.tokens == representative.tokens;
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for run in group.runs.iter().filter(|run| !is_equal(run)) {
        *counts.entry(print(run)).or_default() += 1;
    }
    counts.remove(&group.id.0);
    let mut texts: Vec<(u64, usize)> = counts.into_iter().collect();
    texts.sort_unstable_by_key(|&(text, count)| (Reverse(count), text));
    texts.into_iter().map(|(text, _)| text).collect()
}
