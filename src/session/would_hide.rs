//! What a taboo decision would hide, told before it is taken: with the chosen rows, and beyond them.

use std::collections::HashSet;
use std::sync::Arc;

use super::decide::taboo_entries;
use super::decisions::{Decisions, Difference};
use super::item::{Item, ItemId};
use super::passages::Known;
use super::shared::Shared;
use super::texts::Texts;
use super::{Subject, Update};
use crate::index::IndexError;
use crate::index::ranking::Ranking;
use crate::index::snapshot::Snapshot;
use crate::passage::copy::Standing;
use crate::passage::rows::{RowMaker, TEXT_LIMIT};
use crate::query::page::Reader;
use crate::taboo::TabooSet;

/// Of the other rows that would vanish so many are shown.
const SHOWN: usize = 50;

/// What a decision would hide.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WouldHide {
    /// The chosen rows.
    pub rows: Vec<Item>,
    /// All that would vanish, the chosen rows with it.
    pub all: Difference,
    /// What would vanish beyond the chosen rows.
    pub others: Difference,
    /// The first of these: the beginnings of their texts, and how many copies they have.
    pub first: Vec<(String, u64)>,
    /// All rows were looked at.
    pub complete: bool,
}

/// Tells what taking these rows for taboo would hide.
pub fn would_hide(
    shared: &Shared,
    texts: &Texts,
    known: Option<&Known>,
    decisions: &Decisions,
    rows: Vec<Item>,
) -> Result<(), IndexError> {
    let (entries, _) = taboo_entries(texts, &rows, None);
    let mut more = TabooSet::clone(decisions.set());
    for entry in &entries {
        more.add(entry, decisions.recipe());
    }
    let less = decisions.set();
    let asked = WouldHide { rows, ..WouldHide::default() };
    let tell = |told: WouldHide| shared.tell(Update::WouldHide(Arc::new(told)));
    if let Some(known) = known
        && matches!(asked.rows.first(), Some(Item::Passage(_)))
    {
        tell(of_passages(known, less, &more, asked));
        return Ok(());
    }
    // Only of what would be hidden newly anything is said.
    let newly = more.blots().filter(|&blot| !less.contains(blot));
    let ranking = Ranking::of_blots(texts.snapshot, newly, &|| shared.is_stopped())?;
    tell(of_blots(texts.snapshot, &ranking, less, &more, asked)?);
    Ok(())
}

fn of_passages(known: &Known, less: &TabooSet, more: &TabooSet, mut asked: WouldHide) -> WouldHide {
    let (less, more) = (known.hidden(less), known.hidden(more));
    let chosen: HashSet<ItemId> = asked.rows.iter().map(Item::id).collect();
    let is_chosen = |number: usize| chosen.contains(&ItemId::Passage(known.passages.found[number].id));
    let newly: Vec<usize> = (0..more.len()).filter(|&number| more[number] && !less[number]).collect();
    let others: Vec<usize> = newly.iter().copied().filter(|&number| !is_chosen(number)).collect();
    let mut reader = Reader::new(&known.snapshot);
    let mut first = |number: usize| {
        let passage = &known.passages.found[number];
        let standing = Standing::of(&known.snapshot, &mut reader, &known.passages.sources, passage)?;
        let text = standing.text();
        Some((text[..text.floor_char_boundary(TEXT_LIMIT)].to_owned(), passage.copies.len() as u64))
    };
    // They are sorted by copies.
    asked.first = others.iter().filter_map(|&number| first(number)).take(SHOWN).collect();
    asked.all = Difference { of: Subject::Passages, sum: known.sum(newly.into_iter()), is_least: false };
    asked.others = Difference { of: Subject::Passages, sum: known.sum(others.into_iter()), is_least: false };
    asked.complete = true;
    asked
}

fn of_blots(
    snapshot: &Snapshot,
    ranking: &Ranking,
    less: &TabooSet,
    more: &TabooSet,
    mut asked: WouldHide,
) -> Result<WouldHide, IndexError> {
    let mut chosen = TabooSet::clone(less);
    for row in &asked.rows {
        if let Item::Row(row) = row {
            chosen.extend(&row.blots);
        }
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
    asked.all = Difference::between(snapshot, ranking, less, more)?;
    asked.others = Difference::between(snapshot, ranking, &chosen, more)?;
    asked.complete = ranking.is_complete();
    Ok(asked)
}
