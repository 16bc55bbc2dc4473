//! The texts of the copies of each passage, as fingerprints. Decisions about a passage are found by them when another
//! copy represents it.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::hashed::HashedMap;
use super::passages::{Passage, PassageId};
use dupi_base::parallel;
use dupi_index::taboo::{KeptTexts, TextRow};
use dupi_passage::TokenRun;
use dupi_passage::gather::Gathered;
use dupi_passage::group::RunGroup;
use dupi_passage::unit::Unit;
use dupi_text::token::fingerprint;

/// For each passage that has any, the texts of copies that are not the one from which its id is made.
#[derive(Clone, Debug, Default)]
pub struct CopyTexts(HashedMap<PassageId, Box<[u64]>>);

impl CopyTexts {
    /// The texts of the copies of some groups.
    pub(super) fn new(gathered: &Gathered, groups: &[RunGroup]) -> Self {
        let texts = parallel::map(groups, |group| (group.id, texts(gathered, group)));
        Self::of_passages(texts)
    }

    /// The texts of some passages.
    pub(super) fn of_passages(texts: impl IntoIterator<Item = (PassageId, Vec<u64>)>) -> Self {
        let some = texts.into_iter().filter(|(_, texts)| !texts.is_empty());
        Self(some.map(|(id, texts)| (id, texts.into())).collect())
    }

    /// The texts of a passage besides that of its id, those with the most copies first.
    pub fn others(&self, id: PassageId) -> &[u64] {
        self.0.get(&id).map_or(&[], |texts| texts)
    }

    /// Adds texts of a passage that it does not have yet.
    pub(super) fn add(&mut self, id: PassageId, texts: impl Iterator<Item = u64>) {
        let mut all = self.others(id).to_vec();
        for text in texts {
            if !all.contains(&text) {
                all.push(text);
            }
        }
        if !all.is_empty() {
            self.0.insert(id, all.into());
        }
    }

    /// What a decision about a passage keeps.
    pub fn kept(&self, id: PassageId) -> KeptTexts {
        KeptTexts::new(self.others(id))
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
