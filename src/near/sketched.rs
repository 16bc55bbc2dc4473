//! What the sketches of documents tell, without reading the documents.
//!
//! A sketch that the index keeps stands for a document as long as the size and the time of its file are those that it had
//! when the sketch was made. Other documents are read: those of changed files, of files that had just been written when
//! they were indexed, and of segments without sketches.

use std::collections::HashSet;

use super::document::Document;
use super::documents::{Made, ReadDocument, map};
use dupi_base::corpus;
use dupi_base::parallel;
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::sketches::Sketches;
use dupi_index::index::snapshot::{DocumentId, FileId, Snapshot};
use dupi_index::query::current::CurrentFiles;
use dupi_text::sketch::Sketch;

/// What is made of the sketches that are kept, and of the tokens of the other documents. The same must come of both.
pub(super) struct Making<S, R> {
    /// Whether kept sketches are used.
    pub uses_kept: bool,
    /// What is made of a sketch.
    pub of_sketch: S,
    /// What is made of a document that was read.
    pub of_read: R,
}

/// Makes something of each document of a snapshot. A document without tokens, of which there is no sketch, gives nothing.
/// The result is sorted by path and record, as that of [`map`], and is the same with sketches and without them.
///
/// # Errors
/// When `tick` stops it.
pub(super) fn map_sketched<T: Send>(
    snapshot: &Snapshot,
    memory: u64,
    tick: &Tick,
    making: Making<impl Fn(Sketch) -> T + Sync, impl Fn(&ReadDocument) -> Option<T> + Sync>,
) -> Result<Made<(Document, Option<T>)>, SearchError> {
    let files = CurrentFiles::new(snapshot, memory);
    let sketches = if making.uses_kept { kept(snapshot) } else { vec![None; snapshot.segments().len()] };
    let is_kept = |file: &FileId| sketches[file.segment as usize].is_some();
    let from_sketches = |&file: &FileId| {
        let sketches = sketches[file.segment as usize]?;
        (files.is_read(file) && is_unchanged(snapshot, file)).then_some(())?;
        let table = snapshot.segment(file.segment).table();
        let of = |document| {
            let id = DocumentId { segment: file.segment, document };
            let sketch = match table.document(document).tokens {
                0 => None,
                _ => Some((making.of_sketch)(sketches.of(document)?)),
            };
            Some((id, (Document::indexed(snapshot, id), sketch)))
        };
        // If one of them has no sketch, the file is read.
        table.documents_of(file.file).map(of).collect::<Option<Vec<_>>>()
    };
    let paths: Vec<FileId> = files.files(|_| true);
    let sketched: Vec<Option<Vec<_>>> = if paths.iter().any(is_kept) {
        parallel::map(&paths, from_sketches)
    } else {
        paths.iter().map(|_| None).collect()
    };
    let is_read = |(file, made): (&FileId, &Option<_>)| made.is_none().then_some(*file);
    let read: HashSet<FileId> = paths.iter().zip(&sketched).filter_map(is_read).collect();
    let make = |read: &ReadDocument| (Document::read(snapshot, read), (making.of_read)(read));
    let is_wanted = |id: DocumentId| read.contains(&snapshot.file_of(id));
    let Made { documents: read, too_large } = map(snapshot, memory, tick, is_wanted, make)?;
    // Both have the order of the paths.
    let (mut documents, mut read) = (Vec::new(), read.into_iter().peekable());
    for (file, made) in paths.iter().zip(sketched) {
        documents.extend(made.into_iter().flatten());
        while let Some(next) = read.next_if(|(id, _)| snapshot.file_of(*id) == *file) {
            documents.push(next);
        }
    }
    Ok(Made { documents, too_large })
}

/// The sketches of each segment that has some.
fn kept(snapshot: &Snapshot) -> Vec<Option<Sketches<'_>>> {
    let sketches = snapshot.segments().iter().map(|live| live.sketches());
    sketches.map(|found| found.inspect_err(|error| tracing::warn!("{error}")).ok().flatten()).collect()
}

/// Whether a file has the size and the time that it had when it was indexed, and had not just been written then.
fn is_unchanged(snapshot: &Snapshot, file: FileId) -> bool {
    let row = snapshot.file(file);
    let path = snapshot.manifest().corpus.absolute(snapshot.path(file));
    !row.racy && corpus::stamp(&path) == Some(row.stamp)
}
