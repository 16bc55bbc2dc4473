//! Identical documents. All documents with one text are one group, whose copies are whole documents. What lies in identical
//! folders is in [`Trees`]: the row of such folders stands for all of their documents.
//!
//! Documents are identical if the texts that the search read have the same hash and the same tokens. A hash of the text
//! is needed because the tokens do not tell upper from lower case, or one space from two.
//!
//! The search may find the same group as a passage: then this passage is marked. It may also find the text with more
//! copies, as in a longer document, or in pieces only. Then the group is added.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::passages::{Passage, PassageId};
use dupi_base::parallel;
use dupi_index::index::snapshot::DocumentId;
use dupi_passage::TokenRun;
use dupi_passage::gather::{Gathered, TokenStretch};
use dupi_passage::group::RunGroup;
use dupi_passage::unit::Unit;

/// For each row of identical folders, by its number, what lies in these.
#[derive(Clone, Debug, Default)]
pub struct Trees(HashMap<u32, TreeDocuments<u32>>);

/// The documents of some identical folders. `R` names the rows of identical documents.
#[derive(Clone, Debug)]
pub struct TreeDocuments<R> {
    /// The documents, one folder after another.
    pub documents: Vec<DocumentId>,
    /// The rows of identical documents that those of a folder belong to, each once.
    pub rows: Vec<R>,
    /// The documents of the first folder that belong to none because they are too short.
    pub others: Vec<DocumentId>,
}

impl Trees {
    /// What lies in the folders of some rows. Those are left out that are not among the passages found, or name such rows.
    pub(super) fn new(trees: Vec<(PassageId, TreeDocuments<PassageId>)>, found: &[Passage]) -> Self {
        let ids = trees.iter().flat_map(|(id, tree)| tree.rows.iter().chain([id])).copied();
        let mut numbers: HashMap<PassageId, Option<u32>> = ids.map(|id| (id, None)).collect();
        for (number, passage) in (0..).zip(found) {
            numbers.entry(passage.id).and_modify(|of| *of = Some(number));
        }
        let numbered = |(id, TreeDocuments { documents, rows, others }): (PassageId, TreeDocuments<_>)| {
            let rows = rows.iter().map(|row| numbers[row]).collect::<Option<_>>()?;
            Some((numbers[&id]?, TreeDocuments { documents, rows, others }))
        };
        Self(trees.into_iter().filter_map(numbered).collect())
    }

    /// What lies in the folders of some rows, by their numbers.
    pub(super) fn of_rows(rows: HashMap<u32, TreeDocuments<u32>>) -> Self {
        Self(rows)
    }

    /// What lies in the folders of the row with a number; `None` if it is not a row of folders.
    pub fn get(&self, number: u32) -> Option<&TreeDocuments<u32>> {
        self.0.get(&number)
    }

    /// All rows of folders.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &TreeDocuments<u32>)> {
        self.0.iter().map(|(number, tree)| (*number, tree))
    }
}

pub(super) mod folders;

/// Marks the groups that are identical documents of at least `least` tokens, and adds those that were not found.
pub(super) fn add_documents(gathered: &Gathered, least: u32, found: &mut Vec<RunGroup>) {
    let documents = documents(gathered, least);
    if documents.is_empty() {
        return;
    }
    let numbers: HashMap<PassageId, usize> =
        found.iter().enumerate().map(|(number, group)| (group.id, number)).collect();
    for mut group in documents {
        let same_text = numbers.get(&group.id).copied();
        // The tokens and the text make the id, whether or not a longer document has the text too. There may be a passage
        // with the same tokens, and other documents that differ from these in case only.
        group.id.0 ^= text_at(gathered, &group.runs[0]);
        match same_text {
            Some(number) if is_same(&found[number].runs, &group.runs) => found[number] = group,
            _ => found.push(group),
        }
    }
}

/// The groups of identical documents that were gathered as a whole, sorted by the place of the first copy.
fn documents(gathered: &Gathered, least: u32) -> Vec<RunGroup> {
    let text = |stretch: &TokenStretch| gathered.sources[stretch.document as usize].text;
    let is_whole = |stretch: &&TokenStretch| {
        let tokens = gathered.sources[stretch.document as usize].tokens;
        stretch.first == 0 && stretch.len == tokens && tokens >= least
    };
    let mut whole: Vec<&TokenStretch> = gathered.stretches.iter().filter(is_whole).collect();
    whole.par_sort_unstable_by_key(|stretch| (text(stretch), stretch.base));
    let is_identical =
        |a: &&TokenStretch, b: &&TokenStretch| text(a) == text(b) && gathered.tokens(a) == gathered.tokens(b);
    let sets: Vec<&[&TokenStretch]> = whole.chunk_by(is_identical).filter(|set| set.len() > 1).collect();
    let group = |set: &&[&TokenStretch]| {
        let run =
            |stretch: &&TokenStretch| TokenRun { place: stretch.base, tokens: stretch.len, similarity: 1.0 };
        RunGroup { unit: Unit::Document, ..RunGroup::new(gathered, set.iter().map(run).collect(), 0) }
    };
    let mut groups: Vec<RunGroup> = parallel::map(&sets, group);
    groups.sort_unstable_by_key(|group| group.runs[0].place);
    groups
}

/// The hash of the text of the document in which a run lies.
fn text_at(gathered: &Gathered, run: &TokenRun) -> u64 {
    let stretch = &gathered.stretches[gathered.stretch_at(run.place)];
    gathered.sources[stretch.document as usize].text
}

/// Whether two groups have the same copies.
fn is_same(a: &[TokenRun], b: &[TokenRun]) -> bool {
    a.iter().map(|run| (run.place, run.tokens)).eq(b.iter().map(|run| (run.place, run.tokens)))
}
