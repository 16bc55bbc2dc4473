//! Counts what a taboo decision would hide: the chosen rows, and others.

use std::collections::HashSet;

use super::taboo::taboo_entries;
use crate::known::Found;
use crate::known::decisions::Decisions;
use crate::known::passages::KnownPassages;
use crate::known::taboo_counts::difference;
use crate::protocol::{Item, ItemId, Subject, TabooDifference, TabooPreview};
use crate::rows::list_row::beginning;
use dupi_index::index::ranking::Ranking;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::index::{IndexError, IsStopped};
use dupi_index::query::blot_rows::RowMaker;
use dupi_index::query::page::DocumentReader;
use dupi_index::taboo::TabooSet;
use dupi_judge::copy::OpenCopy;

/// How many of the other rows are shown.
const SHOWN: usize = 50;

/// Counts what would be hidden if the texts of these rows were taboo.
pub(crate) fn taboo_preview(
    found: &Found,
    decisions: &Decisions,
    rows: Vec<Item>,
    is_stopped: IsStopped,
) -> Result<TabooPreview, IndexError> {
    let (entries, _) = taboo_entries(found, &rows, None);
    let mut more = TabooSet::clone(&decisions.set);
    for entry in &entries {
        more.add(entry, &decisions.recipe);
    }
    let less = &decisions.set;
    let asked = TabooPreview { rows, ..TabooPreview::default() };
    if let Some(known) = &found.known
        && asked.rows.first().map(Item::subject) == Some(Subject::Passages)
    {
        return Ok(of_passages(known, less, &more, asked));
    }
    // Only the rows that would be newly hidden are counted.
    let newly = more.blots().filter(|&blot| !less.contains(blot));
    let ranking = Ranking::of_blots(&found.snapshot, newly, is_stopped)?;
    of_blots(&found.snapshot, &ranking, less, &more, asked)
}

fn of_passages(
    known: &KnownPassages,
    less: &TabooSet,
    more: &TabooSet,
    mut asked: TabooPreview,
) -> TabooPreview {
    let (less, more) = (known.hidden(less), known.hidden(more));
    let mut chosen: HashSet<usize> = HashSet::new();
    for row in &asked.rows {
        let ItemId::Passage(id) = row.id() else { continue };
        // The documents of folders are meant with these.
        let documents = known.tree(id).into_iter().flat_map(|tree| tree.rows.iter().copied());
        chosen.extend(documents.chain(known.number(id)).map(|number| number as usize));
    }
    let is_chosen = |number: usize| chosen.contains(&number);
    let newly: Vec<usize> = (0..more.len()).filter(|&number| more[number] && !less[number]).collect();
    let others: Vec<usize> = newly.iter().copied().filter(|&number| !is_chosen(number)).collect();
    let mut reader = DocumentReader::new(&known.snapshot);
    let mut first = |number: usize| {
        let passage = &known.passages.found[number];
        let standing = OpenCopy::of(&known.snapshot, &mut reader, &known.passages.sources, passage)?;
        Some((beginning(standing.text()).to_owned(), passage.copies.len() as u64))
    };
    // The passages are sorted by copies.
    asked.first = others.iter().filter_map(|&number| first(number)).take(SHOWN).collect();
    asked.all = TabooDifference { of: Subject::Passages, sum: known.sum(newly.into_iter()), is_least: false };
    asked.others =
        TabooDifference { of: Subject::Passages, sum: known.sum(others.into_iter()), is_least: false };
    asked.complete = true;
    asked
}

fn of_blots(
    snapshot: &Snapshot,
    ranking: &Ranking,
    less: &TabooSet,
    more: &TabooSet,
    mut asked: TabooPreview,
) -> Result<TabooPreview, IndexError> {
    let mut chosen = TabooSet::clone(less);
    for row in &asked.rows {
        chosen.extend(row.row().facts().blots());
    }
    let mut maker = RowMaker::new(snapshot, more, false);
    for group in ranking.groups() {
        if asked.first.len() >= SHOWN {
            break;
        }
        let others: Vec<_> = group
            .iter()
            .filter(|entry| more.contains(entry.blot()) && !chosen.contains(entry.blot()))
            .copied()
            .collect();
        for row in maker.rows(&others)? {
            let copies = row.copies.unwrap_or(u64::from(row.documents));
            asked.first.push((row.text, copies));
        }
    }
    asked.first.truncate(SHOWN);
    asked.all = difference(snapshot, ranking, less, more)?;
    asked.others = difference(snapshot, ranking, &chosen, more)?;
    asked.complete = ranking.is_complete();
    Ok(asked)
}
