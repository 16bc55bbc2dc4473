//! Amends the passages of an earlier generation by what has changed since, without a search of the whole corpus.
//!
//! 1. `documents`: which documents are the same, which files are new, which are gone?
//! 2. `earlier`: which earlier rows stay, which lose copies, and which must be searched again, because the texts that
//!    remain may have more in common than what is gone had?
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
mod row;
mod sources;

use std::collections::BTreeMap;
use std::ops::Range;

use self::documents::DocumentChanges;
use self::earlier::Fates;
use self::families::mend_families;
use self::join::{FoundRows, join};
use self::row::AmendedRow;
use self::sources::MergedSources;
use super::around::{PassagesAround, SEARCH_ALL, find_around_by_index};
use super::copy_texts::CopyTexts;
use super::kept_as::KeptAs;
use super::passages::{Passage, PassageId, SourceDocument};
use super::search::{Passages, SearchSettings, bytes};
use super::sort::{self, PassageOrder};
use super::texts::TextOf;
use super::trees::Trees;
use super::{HashedMap, PassageError, Tick};
use crate::index::snapshot::{DocumentId, FileId, Snapshot};

/// When more than one part in so many of the files are new or gone, the whole corpus is searched.
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
) -> Result<Option<Passages>, PassageError> {
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
) -> Result<Option<Passages>, PassageError> {
    let is_same_index = before.manifest().recipe == now.manifest().recipe;
    if !is_same_index || known.order != PassageOrder::default() || !known.texts.can_be_amended() {
        return Ok(None);
    }
    let changes = DocumentChanges::between(before, now);
    if changes.count() * SHARE > changes.files() {
        return Ok(None);
    }
    let documents = changes.of_sources(&known.sources);
    let fates = Fates::of(known, &documents, &changes, settings.across);
    let places = places(&changes, &fates, &documents);
    let PassagesAround { passages: around, .. } = find_around_by_index(now, settings, &places, tick)?;
    let merged = MergedSources::of(now, (&known.sources, &documents), &around.sources);
    let mut rows = fates.rows(known, &merged);
    let found = FoundRows::of(&around, &merged, &changes, &fates);
    let mut copy_texts = known.copy_texts.clone();
    let same = join(&mut rows, found, now, (&merged.sources, &settings.measure), &mut copy_texts);
    mend_families(&mut rows, &same);
    Ok(Some(assemble((known, around), rows, merged.sources, copy_texts, (&changes, now))))
}

/// The places to search around: new files as a whole, and the copies that remain of rows to be searched again.
fn places(
    changes: &DocumentChanges,
    fates: &Fates,
    documents: &[Option<DocumentId>],
) -> Vec<(FileId, Vec<Range<u32>>)> {
    let mut places: BTreeMap<FileId, Vec<Range<u32>>> = BTreeMap::new();
    for (source, span) in &fates.again {
        if let Some(document) = documents[*source as usize] {
            places.entry(changes.now.file_of(document)).or_default().push(span.clone());
        }
    }
    let whole = 0..u32::MAX;
    places.extend(changes.new.iter().map(|file| (*file, vec![whole.clone()])));
    places.into_iter().collect()
}

/// Sorts the rows, and gathers what belongs to them.
fn assemble(
    (known, around): (&Passages, Passages),
    rows: Vec<AmendedRow>,
    sources: Vec<SourceDocument>,
    copy_texts: CopyTexts,
    (changes, now): (&DocumentChanges, &Snapshot),
) -> Passages {
    let texts: HashedMap<PassageId, TextOf> = rows.iter().map(|row| (row.passage.id, row.text)).collect();
    let mut found: Vec<Passage> = rows.into_iter().map(|row| row.passage).collect();
    let order = PassageOrder::default();
    sort::sort(&mut found, &sources, now, order);
    let numbers: HashedMap<PassageId, u32> =
        (0..).zip(&found).map(|(number, passage)| (passage.id, number)).collect();
    let trees = known.trees.iter().filter_map(|(number, tree)| {
        let number = numbers.get(&known.found[number as usize].id)?;
        let row = |row: &u32| numbers.get(&known.found[*row as usize].id).copied();
        Some((*number, changes.tree(tree, row)?))
    });
    Passages {
        trees: Trees::of_rows(trees.collect()),
        texts: known.texts.amended(&around.texts, found.iter().map(|passage| texts[&passage.id])),
        sources,
        found,
        order,
        copy_texts,
        omissions: known.omissions,
        kept: KeptAs::default(),
    }
}
