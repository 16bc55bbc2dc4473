//! Amends the passages of an earlier generation by what has changed since, without a search of the whole corpus.
//!
//! 1. `documents`: which documents are the same, which files are new, which are gone?
//! 2. `earlier`: which earlier rows stay, which lose copies, and which must be searched again, because the texts that
//!    remain may have more in common than what is gone had?
//!    The same of the passages with copies that marks suppress.
//! 3. The text of new files, and around the copies that remain of rows to be searched again, is searched as
//!    [`find_around_by_index`] does.
//! 4. `join`: what was found there joins the earlier row that has most of the same copies, or is a new row.
//! 5. The families of rows that lost their head, and of new rows.
//!
//! Exact passages are those of a whole search, as long as no text of a new file stands in so many documents that these
//! are not read: all copies of a text share its tiles, so all of them are read. What depends on the whole corpus is
//! taken over or estimated until the next whole search: the worth of rows with more or fewer copies is scaled by them,
//! a new row is valued by the text that was read, and copies with differences are compared with fewer others. Rows of
//! identical folders in which something changed are left out, and new ones are not looked for.

mod documents;
mod earlier;
mod join;

use std::collections::BTreeMap;
use std::ops::Range;

pub use self::documents::DocumentChanges;
use self::documents::MergedSources;
use self::earlier::{Fates, SuppressedFates};
use self::join::{FoundRows, join, mend_families};
use super::around::{PassagesAround, SEARCH_ALL, find_around_by_index};
use super::kept;
use super::search::{Passages, SearchSettings, TEXTS_SHARE};
use super::sort::{self, PassageOrder};
use super::texts::{RepresentativeTokens, Reread};
use crate::identical::Trees;
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::{DocumentId, FileId, Snapshot};
use dupi_passage::search::bytes;
use dupi_passage::stages::Stages;

/// The passages of the later generation, given those that a search with the same settings found in the earlier one. `None` when
/// a search of the whole corpus is the better answer: the corpus is small, has another recipe, or much of it has changed.
///
/// # Errors
/// As [`Passages::find`].
pub fn amend(
    known: &Passages,
    changes: &DocumentChanges,
    settings: &SearchSettings,
    tick: &Tick,
) -> Result<Option<Passages>, SearchError> {
    if bytes(changes.now) <= SEARCH_ALL { Ok(None) } else { amend_by_index(known, changes, settings, tick) }
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
    let changes = DocumentChanges::since_kept(&latest.files, now);
    let amended = amend(&latest.passages, &changes, settings, tick)?;
    amended.iter().for_each(|amended| kept::save(now, settings, amended));
    Ok(amended)
}

/// As [`amend`], however small the corpus is.
///
/// # Errors
/// As [`Passages::find`].
pub fn amend_by_index(
    known: &Passages,
    changes: &DocumentChanges,
    settings: &SearchSettings,
    tick: &Tick,
) -> Result<Option<Passages>, SearchError> {
    let now = changes.now;
    let order = PassageOrder::default();
    if known.order != order || !known.texts.can_be_amended() || !changes.are_few() {
        return Ok(None);
    }
    let mut stages = Stages::begin();
    let documents = changes.of_sources(&known.sources);
    let mut fates = Fates::decide(known, &documents, changes, settings.across);
    let mut suppressed = SuppressedFates::find(known, &documents, &mut fates);
    let mut again = std::mem::take(&mut fates.again);
    again.append(&mut suppressed.again);
    let places = places(changes, &again, &documents);
    stages.end("rows that changed");
    let PassagesAround { passages: around, .. } = find_around_by_index(now, settings, &places, tick)?;
    stages.end("search around the changes");
    let merged = MergedSources::merge(now, (&known.sources, &documents), &around.sources);
    let mut rows = fates.rows(known, &merged);
    let earlier = rows.len();
    stages.end("rows that stay");
    let found = FoundRows::choose(&around, &merged, changes, &again);
    let Some(suppressed) = suppressed.with_found(known, &around, &merged, &found) else { return Ok(None) };
    let mut copy_texts = known.copy_texts.clone();
    let same = join(&mut rows, found, now, (&merged.sources, &settings.measure), &mut copy_texts);
    stages.end("joining");
    mend_families(&mut rows, earlier, &same);
    stages.end("mending families");
    let (sources, mut found) = (merged.sources, rows);
    sort::sort(&mut found, &sources, now, order);
    let id = |number: &u32| known.found[*number as usize].id;
    let trees = known.trees.iter().filter_map(|(row, tree)| Some((id(&row), changes.tree(tree, id)?)));
    let trees = Trees::new(trees.collect(), &found);
    // Kept rows have no tokens in memory: those of all rows are read when they are needed.
    let texts = match known.texts.are_absent() {
        true => {
            let unread = Reread::new(now, &sources, &found, settings.memory / TEXTS_SHARE);
            let Some(unread) = unread else { return Ok(None) };
            RepresentativeTokens::unread(unread)
        }
        false => known.texts.amended(&around.texts),
    };
    stages.end("assembling");
    Ok(Some(Passages {
        sources,
        found,
        order,
        texts,
        copy_texts,
        trees,
        suppressed,
        omissions: known.omissions,
        is_settled: false,
        ..Passages::default()
    }))
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
    places.extend(changes.new.iter().map(|file| (*file, vec![whole.clone()])));
    places.into_iter().collect()
}
