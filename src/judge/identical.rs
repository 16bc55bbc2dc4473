//! Identical documents. All documents with one text are one group, whose copies are whole documents.
//!
//! Documents are identical if the texts that the search read have the same hash and the same tokens. A hash of the text
//! is needed because the tokens do not tell upper from lower case, or one space from two.
//!
//! The search may find the same group as a passage: then this passage is marked. It may also find the text with more
//! copies, as in a longer document, or in pieces only. Then the group is added.

pub(super) mod folders;

use std::collections::HashMap;

use dupi_base::parallel;
use rayon::prelude::*;

use super::passages::PassageId;
use dupi_passage::TokenRun;
use dupi_passage::gather::{Gathered, TokenStretch};
use dupi_passage::group::RunGroup;
use dupi_passage::unit::Unit;

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
