//! Counts what each entry of the taboo list hides, for all entries in one pass.

use std::collections::{BTreeSet, HashMap, HashSet};

use rayon::prelude::*;

use crate::known::passages::KnownPassages;
use crate::protocol::{HiddenCounts, Subject, TabooDifference};
use dupi_index::index::IndexError;
use dupi_index::index::ranking::Ranking;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::taboo::TabooSet;
use dupi_judge::identical::TreeDocuments;
use dupi_judge::search::{Passages, SearchSettings};
use dupi_text::blot::{Blot, tiles_of};
use dupi_text::token::Token;

/// The numbers of the entries that have each blot.
pub(super) fn entries_of(sets: &[TabooSet]) -> HashMap<Blot, Vec<u32>> {
    let mut entries: HashMap<Blot, Vec<u32>> = HashMap::new();
    for (number, set) in (0..).zip(sets) {
        for blot in set.blots() {
            entries.entry(blot).or_default().push(number);
        }
    }
    entries
}

/// The entries that hide a passage, sorted.
#[derive(Clone, Debug, Default)]
struct HidingEntries {
    /// Those that hide it alone.
    alone: Vec<u32>,
    /// Those without which it would not be hidden.
    needed: Vec<u32>,
}

/// Counts the passages that each entry hides: those that it hides alone, and those that all entries together hide but not
/// without it. `is_cancelled` ends it early; then the counts are invalid.
pub(crate) fn of_passages(
    known: &KnownPassages,
    sets: &[TabooSet],
    is_cancelled: &(dyn Fn() -> bool + Sync),
) -> Vec<HiddenCounts> {
    let entries = entries_of(sets);
    let mut of_texts: HashMap<u64, Vec<u32>> = HashMap::new();
    for (number, set) in (0..).zip(sets) {
        set.texts().for_each(|text| of_texts.entry(text).or_default().push(number));
    }
    let numbers = (0..known.passages.found.len()).into_par_iter().with_min_len(256);
    let numbers = numbers.filter(|_| !is_cancelled());
    let hiding =
        numbers.filter_map(|number| Some((number as u32, hiding(known, &entries, &of_texts, number)?)));
    let mut hiding: HashMap<u32, HidingEntries> = hiding.collect();
    // Folders are hidden when all rows of their documents are.
    let of_tree = |tree: &TreeDocuments<u32>| {
        let all: Option<Vec<&HidingEntries>> = tree.rows.iter().map(|row| hiding.get(row)).collect();
        let (first, others) = all.as_deref()?.split_first()?;
        let is_alone = |entry: &&u32| others.iter().all(|of| of.alone.binary_search(entry).is_ok());
        let alone = first.alone.iter().filter(is_alone).copied().collect();
        let needed: BTreeSet<u32> = all.iter().flatten().flat_map(|of| &of.needed).copied().collect();
        Some(HidingEntries { alone, needed: needed.into_iter().collect() })
    };
    let of_trees: Vec<(u32, Option<HidingEntries>)> =
        known.passages.trees.iter().map(|(folder, tree)| (folder, of_tree(tree))).collect();
    for (folder, of_tree) in of_trees {
        match of_tree {
            Some(of_tree) => drop(hiding.insert(folder, of_tree)),
            None => drop(hiding.remove(&folder)),
        }
    }
    let mut hidden: Vec<(u32, usize)> = Vec::new();
    for (number, HidingEntries { alone, needed }) in hiding {
        let counts: BTreeSet<u32> = alone.into_iter().chain(needed).collect();
        hidden.extend(counts.into_iter().map(|entry| (entry, number as usize)));
    }
    hidden.par_sort_unstable();
    let mut sums = vec![HiddenCounts::default(); sets.len()];
    for group in hidden.chunk_by(|a, b| a.0 == b.0) {
        sums[group[0].0 as usize] = known.sum(group.iter().map(|(_, number)| *number));
    }
    sums
}

/// The entries that hide a passage, by its representative or as the text of another copy; `None` if all together do not.
fn hiding(
    known: &KnownPassages,
    entries: &HashMap<Blot, Vec<u32>>,
    of_texts: &HashMap<u64, Vec<u32>>,
    number: usize,
) -> Option<HidingEntries> {
    let recipe = &known.snapshot.manifest().recipe;
    let (span, least) = (recipe.tile_tokens() as usize, known.settings.measure.least as usize);
    let id = known.passages.found[number].id;
    let tokens = known.passages.texts.get(id);
    let mut touched: Vec<(u32, usize)> = Vec::new();
    let all = tokens.iter().map(|&hash| Token { hash, start: 0, end: 0 });
    tiles_of(all, recipe, |tile| {
        let having = entries.get(&tile.blot).into_iter().flatten();
        touched.extend(having.map(|&entry| (entry, tile.first as usize)));
    });
    let others = known.passages.copy_texts.others(id);
    let as_copies: Vec<u32> =
        others.iter().filter_map(|text| of_texts.get(text)).flatten().copied().collect();
    let is_hidden_by = |meant: &dyn Fn(u32) -> bool| {
        if as_copies.iter().any(|entry| meant(*entry)) {
            return true;
        }
        let mut is_taboo = vec![false; tokens.len()];
        for &(_, first) in touched.iter().filter(|(entry, _)| meant(*entry)) {
            is_taboo[first..][..span].fill(true);
        }
        let left = is_taboo.iter().filter(|taboo| !**taboo).count();
        left < tokens.len() && left < least
    };
    if (touched.is_empty() && as_copies.is_empty()) || !is_hidden_by(&|_| true) {
        return None;
    }
    let mut those: Vec<u32> =
        touched.iter().map(|(entry, _)| *entry).chain(as_copies.iter().copied()).collect();
    those.sort_unstable();
    those.dedup();
    let alone = those.iter().copied().filter(|&own| is_hidden_by(&|entry| entry == own)).collect();
    let needed = those.into_iter().filter(|&own| !is_hidden_by(&|entry| entry != own)).collect();
    Some(HidingEntries { alone, needed })
}

/// Counts the rows of blots of a ranking that each entry hides.
pub(crate) fn of_blots(
    snapshot: &Snapshot,
    ranking: &Ranking,
    sets: &[TabooSet],
) -> Result<Vec<HiddenCounts>, IndexError> {
    let entries = entries_of(sets);
    of_groups(snapshot, ranking, sets.len(), |blot| entries.get(&blot).map_or(&[], Vec::as_slice))
}

/// Counts the blots of a ranking that `more` hides and `less` does not.
pub(crate) fn difference(
    snapshot: &Snapshot,
    ranking: &Ranking,
    less: &TabooSet,
    more: &TabooSet,
) -> Result<TabooDifference, IndexError> {
    let is_newly = |blot| more.contains(blot) && !less.contains(blot);
    let sums = of_groups(snapshot, ranking, 1, |blot| if is_newly(blot) { &[0] } else { &[] })?;
    Ok(TabooDifference { of: Subject::Blots, sum: sums[0], is_least: !ranking.is_complete() })
}

/// Counts the rows of blots of a ranking by what `hiders` returns for a blot: numbers below `count`.
fn of_groups<'a>(
    snapshot: &Snapshot,
    ranking: &Ranking,
    count: usize,
    hiders: impl Fn(Blot) -> &'a [u32],
) -> Result<Vec<HiddenCounts>, IndexError> {
    let mut sums = vec![HiddenCounts::default(); count];
    let mut documents: Vec<HashSet<DocumentId>> = vec![HashSet::new(); count];
    for group in ranking.groups() {
        let mut hiding: Vec<(u32, Blot)> = Vec::new();
        for entry in group {
            hiding.extend(hiders(entry.blot()).iter().map(|&number| (number, entry.blot())));
        }
        hiding.sort_by_key(|(number, _)| *number);
        hiding.dedup_by_key(|(number, _)| *number);
        for (number, blot) in hiding {
            let number = number as usize;
            sums[number].rows += 1;
            sums[number].copies += u64::from(group[0].documents());
            let places = snapshot.find(blot)?;
            documents[number].extend(places.into_iter().map(|place| snapshot.document_at(place)));
        }
    }
    for (sum, documents) in sums.iter_mut().zip(documents) {
        sum.documents = documents.len() as u64;
    }
    Ok(sums)
}

/// How many passages the taboo list hides.
#[derive(Clone, Debug)]
pub struct Hiding {
    /// What each entry hides, alone or as one without which a passage would not be hidden.
    pub entries: Vec<HiddenCounts>,
    /// What all of them hide together.
    pub together: HiddenCounts,
    /// How many passages there are, hidden ones too.
    pub passages: u64,
}

impl Hiding {
    /// Counts what each set hides of some passages, and what all of them hide.
    pub fn new(
        snapshot: Snapshot,
        passages: Passages,
        settings: SearchSettings,
        sets: &[TabooSet],
        all: &TabooSet,
    ) -> Self {
        let known = KnownPassages::new(snapshot, passages, settings);
        let hidden = known.hidden(all);
        let numbers = hidden.iter().enumerate().filter(|(_, is)| **is).map(|(number, _)| number);
        Self {
            entries: of_passages(&known, sets, &|| false),
            together: known.sum(numbers),
            passages: hidden.len() as u64,
        }
    }
}
