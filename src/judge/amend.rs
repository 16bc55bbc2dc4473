//! Amends the passages of an earlier generation by what has changed since, without a search of the whole corpus.
//!
//! 1. `documents`: which documents are the same, which files are new, which are gone?
//! 2. `earlier`: which earlier rows stay, which lose copies, and which must be searched again, because the texts that
//!    remain may have more in common than what is gone had?
//!    `suppressed`: the same of the passages with copies that marks suppress.
//! 3. The text of new files, and around the copies that remain of rows to be searched again, is searched as
//!    [`find_around_by_index`] does.
//! 4. `join`: what was found there joins the earlier row that has most of the same copies, or is a new row.
//! 5. `families`: the families of rows that lost their head, and of new rows.
//!
//! Exact passages are those of a whole search, as long as no text of a new file stands in so many documents that these
//! are not read: all copies of a text share its tiles, so all of them are read. What depends on the whole corpus is
//! taken over or estimated until the next whole search: the worth of rows with more or fewer copies is scaled by them,
//! a new row is valued by the text that was read, and copies with differences are compared with fewer others. Rows of
//! identical folders in which something changed are left out, and new ones are not looked for.

mod documents;
mod earlier;
mod families;
mod join;
mod sources;
mod suppressed;

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use self::documents::DocumentChanges;
use self::earlier::Fates;
use self::families::mend_families;
use self::join::{FoundRows, join};
use self::sources::AmendedRow;
use self::sources::MergedSources;
use self::suppressed::SuppressedFates;
use super::HashedMap;
use super::around::{PassagesAround, SEARCH_ALL, find_around_by_index};
use super::copy_texts::CopyTexts;
use super::kept::{self, LatestPassages};
use super::kept_as::KeptAs;
use super::passages::{Passage, PassageId, SourceDocument};
use super::reread::Reread;
use super::search::{Passages, SearchSettings, TEXTS_SHARE};
use super::since_visit::SinceVisit;
use super::sort::{self, PassageOrder};
use super::suppressed::Suppressions;
use super::texts::{RepresentativeTokens, TextOf};
use super::trees::Trees;
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::{DocumentId, FileId, Snapshot};
use dupi_passage::search::bytes;
use dupi_passage::stages::Stages;

/// When more than 1 / this of the files are new or gone, the whole corpus is searched.
const SHARE: usize = 5;

/// The passages of `now`, given those that a search with the same settings found in `before`. `None` when a search of the
/// whole corpus is the better answer: the corpus is small, has another recipe, or much of it has changed.
///
/// # Errors
/// As [`Passages::find`].
pub fn amend(
    before: &Snapshot,
    known: &Passages,
    now: &Snapshot,
    settings: &SearchSettings,
    tick: &Tick,
) -> Result<Option<Passages>, SearchError> {
    if bytes(now) <= SEARCH_ALL {
        return Ok(None);
    }
    amend_by_index(before, known, now, settings, tick)
}

/// The same, however small the corpus is.
///
/// # Errors
/// As [`Passages::find`].
pub fn amend_by_index(
    before: &Snapshot,
    known: &Passages,
    now: &Snapshot,
    settings: &SearchSettings,
    tick: &Tick,
) -> Result<Option<Passages>, SearchError> {
    if before.manifest().recipe != now.manifest().recipe {
        return Ok(None);
    }
    amend_by_changes(known, &DocumentChanges::between(before, now), settings, tick)
}

/// The passages that are kept of a snapshot, also if they were amended, or those that were kept last, which are amended and
/// kept. `None` if there are none, or as for [`amend`].
///
/// # Errors
/// As [`Passages::find`].
pub fn load_or_amend(
    now: &Snapshot,
    settings: &SearchSettings,
    tick: &Tick,
) -> Result<Option<Passages>, SearchError> {
    let Some(latest) = kept::load_latest(now, settings) else { return Ok(None) };
    if latest.are_unchanged() {
        return Ok(latest.unchanged());
    }
    let amended = amend_kept(&latest, now, settings, tick)?;
    if let Some(amended) = &amended {
        kept::save(now, settings, amended);
    }
    Ok(amended)
}

/// The passages of `now`, given those that were kept last, with the same settings. `None` as for [`amend`].
///
/// # Errors
/// As [`Passages::find`].
pub fn amend_kept(
    known: &LatestPassages,
    now: &Snapshot,
    settings: &SearchSettings,
    tick: &Tick,
) -> Result<Option<Passages>, SearchError> {
    if bytes(now) <= SEARCH_ALL {
        return Ok(None);
    }
    amend_kept_by_index(known, now, settings, tick)
}

/// The same, however small the corpus is.
///
/// # Errors
/// As [`Passages::find`].
pub fn amend_kept_by_index(
    known: &LatestPassages,
    now: &Snapshot,
    settings: &SearchSettings,
    tick: &Tick,
) -> Result<Option<Passages>, SearchError> {
    amend_by_changes(&known.passages, &DocumentChanges::since_kept(&known.files, now), settings, tick)
}

fn amend_by_changes(
    known: &Passages,
    changes: &DocumentChanges,
    settings: &SearchSettings,
    tick: &Tick,
) -> Result<Option<Passages>, SearchError> {
    let now = changes.now;
    if known.order != PassageOrder::default() || !known.texts.can_be_amended() {
        return Ok(None);
    }
    if changes.count() * SHARE > changes.files() {
        return Ok(None);
    }
    let mut stages = Stages::begin();
    let documents = changes.of_sources(&known.sources);
    let mut fates = Fates::of(known, &documents, changes, settings.across);
    let mut suppressed = SuppressedFates::of(known, &documents, &mut fates);
    let mut again = std::mem::take(&mut fates.again);
    again.append(&mut suppressed.again);
    let places = places(changes, &again, &documents);
    stages.end("rows that changed");
    let PassagesAround { passages: around, .. } = find_around_by_index(now, settings, &places, tick)?;
    stages.end("search around the changes");
    let merged = MergedSources::of(now, (&known.sources, &documents), &around.sources);
    let mut rows = fates.rows(known, &merged);
    stages.end("rows that stay");
    let found = FoundRows::of(&around, &merged, changes, &again);
    let Some(suppressed) = suppressed.with_found(known, &around, &merged, &found) else { return Ok(None) };
    let mut copy_texts = known.copy_texts.clone();
    let same = join(&mut rows, found, now, (&merged.sources, &settings.measure), &mut copy_texts);
    stages.end("joining");
    mend_families(&mut rows, &fates.changed(known), &same);
    stages.end("mending families");
    let amended = assemble((known, around), rows, merged.sources, copy_texts, (changes, settings.memory));
    stages.end("assembling");
    Ok(amended.map(|amended| Passages { suppressed, ..amended }))
}

/// The places to search around: new files as a whole, and the copies that remain of rows to be searched again.
fn places(
    changes: &DocumentChanges,
    again: &[(u32, Range<u32>)],
    documents: &[Option<DocumentId>],
) -> Vec<(FileId, Vec<Range<u32>>)> {
    let mut places: BTreeMap<FileId, Vec<Range<u32>>> = BTreeMap::new();
    for (source, span) in again {
        if let Some(document) = documents[*source as usize] {
            places.entry(changes.now.file_of(document)).or_default().push(span.clone());
        }
    }
    let whole = 0..u32::MAX;
    places.extend(changes.new_files().iter().map(|file| (*file, vec![whole.clone()])));
    places.into_iter().collect()
}

/// Sorts the rows, and gathers what belongs to them. `None` if the texts of kept rows are not where they should be.
fn assemble(
    (known, around): (&Passages, Passages),
    rows: Vec<AmendedRow>,
    sources: Vec<SourceDocument>,
    copy_texts: CopyTexts,
    (changes, memory): (&DocumentChanges, u64),
) -> Option<Passages> {
    let now = changes.now;
    let (mut unsorted, texts): (Vec<Passage>, Vec<TextOf>) =
        rows.into_iter().map(|row| (row.passage, row.text)).unzip();
    let order = PassageOrder::default();
    let sorted = sort::sorted(&unsorted, &sources, now, order);
    let taken = |number: &u32| {
        let passage = &mut unsorted[*number as usize];
        let copies = std::mem::take(&mut passage.copies);
        Passage { copies, ..*passage }
    };
    let found: Vec<Passage> = sorted.iter().map(taken).collect();
    // Only the rows in folders are named by their numbers.
    let in_trees: HashSet<PassageId> = known
        .trees
        .iter()
        .flat_map(|(number, tree)| tree.rows.iter().copied().chain([number]))
        .map(|number| known.found[number as usize].id)
        .collect();
    let numbered = (0..).zip(&found).filter(|(_, passage)| in_trees.contains(&passage.id));
    let numbers: HashedMap<PassageId, u32> = numbered.map(|(number, passage)| (passage.id, number)).collect();
    let trees = known.trees.iter().filter_map(|(number, tree)| {
        let number = numbers.get(&known.found[number as usize].id)?;
        let row = |row: &u32| numbers.get(&known.found[*row as usize].id).copied();
        Some((*number, changes.tree(tree, row)?))
    });
    let trees = Trees::of_rows(trees.collect());
    // Kept rows have no tokens in memory: those of all rows are read when they are needed.
    let texts = match known.texts.are_absent() {
        true => RepresentativeTokens::unread(Reread::of(now, &sources, &found, memory / TEXTS_SHARE)?),
        false => known.texts.amended(&around.texts, sorted.iter().map(|&number| texts[number as usize])),
    };
    Some(Passages {
        trees,
        texts,
        sources,
        found,
        order,
        copy_texts,
        suppressed: Suppressions::default(),
        omissions: known.omissions,
        is_settled: false,
        kept: KeptAs::default(),
        since_visit: SinceVisit::default(),
    })
}
