//! The documents of a snapshot, read once each for what is made of their tokens, or known by the sketches that the index
//! keeps.
//!
//! A sketch that the index keeps stands for a document as long as the size and the time of its file are those that it had
//! when the sketch was made. Other documents are read: those of changed files, of files that had just been written when
//! they were indexed, and of segments without sketches.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::current::{CurrentDocument, CurrentFiles};
use crate::index::posting::PartId;
use crate::index::search::{SearchError, Tick};
use crate::index::sketches::Sketches;
use crate::index::snapshot::{DocumentId, FileId, LiveSegment, Snapshot};
use dupi_base::corpus::{self, Stamp, portions};
use dupi_base::parallel;
use dupi_text::sketch::{Sketch, Sketcher, USUAL_SHINGLE};
use dupi_text::token::{LexState, Token, Tokeniser};

/// The bytes of files that are read as one task.
const PORTION: u64 = 1 << 20;

/// A document that is compared with others as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Its number in the snapshot.
    pub id: DocumentId,
    /// The number of its tokens.
    pub tokens: u32,
    /// Its size: of a file in bytes, of a record the length of its text.
    pub bytes: u64,
    /// xxh3-64 of its text.
    pub text: u64,
    /// When its file was modified, in nanoseconds since 1970.
    pub mtime: i64,
}

impl Document {
    /// A document as the index has it.
    pub fn indexed(snapshot: &Snapshot, id: DocumentId) -> Self {
        let row = snapshot.document(id);
        let table = snapshot.segment(id.segment).table();
        let stamp = table.stamp(row.file);
        let bytes = match row.record {
            0 => stamp.size,
            // The parts of a document cover its text.
            _ => table.parts_of(id.document).last().map_or(0, |part| u64::from(table.part(PartId(part)).end)),
        };
        Self { id, tokens: row.tokens, bytes, text: row.key, mtime: stamp.mtime }
    }
}

/// A document that was read.
pub struct ReadDocument<'a> {
    /// The document as it is now.
    pub document: Document,
    /// Its text.
    pub text: &'a str,
    /// The hashes of its tokens.
    pub tokens: &'a [u64],
    /// The stamp of its file when it was read.
    pub stamp: Stamp,
}

/// What was made of the documents of a snapshot.
pub struct Made<T> {
    /// The documents with what was made of them, sorted by path and record.
    pub documents: Vec<(Document, T)>,
    /// The number of files that were skipped because their tokens would take too much memory.
    pub too_large: u64,
}

impl<T> Made<T> {
    /// Makes something else of what was made.
    pub fn map<U>(self, mut make: impl FnMut(T) -> U) -> Made<U> {
        let documents = self.documents.into_iter().map(|(document, made)| (document, make(made))).collect();
        Made { documents, too_large: self.too_large }
    }
}

/// What one thread reads into.
#[derive(Default)]
struct Buffers {
    bytes: Vec<u8>,
    tokens: Vec<Token>,
    hashes: Vec<u64>,
}

/// Makes something of each document of a snapshot that is wanted: all files and records, in parallel, each read once.
/// Only what is made stays in memory. A document that changed since it was indexed is read as it is now, one that
/// vanished is left out, and a file that cannot be read is noted in the snapshot's list of unread files.
///
/// The result is sorted by path and record, whatever the number of threads and the order in which the index was built.
/// `memory` is in bytes. `tick` receives the share that is done.
///
/// # Errors
/// When `tick` stops it.
pub fn map<T: Send>(
    snapshot: &Snapshot,
    memory: u64,
    tick: &Tick,
    is_wanted: impl Fn(DocumentId) -> bool + Sync,
    make: impl Fn(&ReadDocument) -> T + Sync,
) -> Result<Made<T>, SearchError> {
    let reader = CurrentFiles::new(snapshot, memory);
    let files = reader.files(&is_wanted);
    let portions = portions(&files, PORTION, |&file| reader.size(file));
    let total = portions.len() as f64;
    let recipe = &snapshot.manifest().recipe;
    let read = |buffers: &mut Buffers, number: usize, files: &&[FileId]| {
        tick(number as f64 / total)?;
        let mut made = Vec::new();
        for &file in *files {
            let Buffers { bytes, tokens, hashes } = buffers;
            reader.read(file, bytes, &is_wanted, |CurrentDocument { id, path, record, stamp }| {
                let tokeniser = Tokeniser::for_file(recipe.tokens, recipe.comments, path, &record.text);
                let text = recipe.ignored.blanked(&record.text);
                tokeniser.tokens_into(&text, LexState::default(), tokens);
                hashes.clear();
                hashes.extend(tokens.iter().map(|token| token.hash));
                let text: &str = &record.text;
                let document = Document {
                    id,
                    tokens: hashes.len() as u32,
                    bytes: if snapshot.document(id).record == 0 { stamp.size } else { text.len() as u64 },
                    text: xxh3_64(text.as_bytes()),
                    mtime: stamp.mtime,
                };
                made.push((document, make(&ReadDocument { document, text, tokens: hashes, stamp })));
            });
        }
        Ok::<_, SearchError>(made)
    };
    let made: Vec<Vec<(Document, T)>> = parallel::try_map_init(&portions, Buffers::default, read)?;
    let documents = made.into_iter().flatten().collect();
    Ok(Made { documents, too_large: reader.too_large() })
}

/// The sketch of a document with these tokens, as an index keeps it.
pub fn sketch_of(tokens: &[u64]) -> Option<Sketch> {
    Sketcher::new(USUAL_SHINGLE).sketch(tokens).map(|whole| whole.kept())
}

/// Makes something of each document of a snapshot: of its kept sketch, if `from_sketch` is given, or of its tokens; both
/// must give the same. A document without tokens, which has no sketch, gives nothing. The result is sorted as that of
/// [`map`].
///
/// # Errors
/// When `tick` stops it.
pub fn map_sketched<T: Send>(
    snapshot: &Snapshot,
    memory: u64,
    tick: &Tick,
    from_sketch: Option<impl Fn(Sketch) -> T + Sync>,
    from_tokens: impl Fn(&[u64]) -> Option<T> + Sync,
) -> Result<Made<Option<T>>, SearchError> {
    let files = CurrentFiles::new(snapshot, memory);
    let sketches: Vec<Option<Sketches>> = match &from_sketch {
        Some(_) => snapshot.segments().iter().map(kept).collect(),
        None => vec![None; snapshot.segments().len()],
    };
    let from_sketches = |&file: &FileId| {
        let sketches = sketches[file.segment as usize]?;
        (files.is_read(file) && is_unchanged(snapshot, file)).then_some(())?;
        let table = snapshot.segment(file.segment).table();
        let of = |document| {
            let id = DocumentId { segment: file.segment, document };
            let sketch = match table.document(document).tokens {
                0 => None,
                _ => Some((from_sketch.as_ref()?)(sketches.get(document)?)),
            };
            Some((Document::indexed(snapshot, id), sketch))
        };
        // If one of them has no sketch, the file is read.
        table.documents_of(file.file).map(of).collect::<Option<Vec<_>>>()
    };
    let paths: Vec<FileId> = files.files(|_| true);
    let sketched: Vec<Option<Vec<_>>> = parallel::map(&paths, from_sketches);
    let is_read = |(file, made): (&FileId, &Option<_>)| made.is_none().then_some(*file);
    let read: HashSet<FileId> = paths.iter().zip(&sketched).filter_map(is_read).collect();
    let is_wanted = |id: DocumentId| read.contains(&snapshot.file_of(id));
    let Made { documents: read, too_large } =
        map(snapshot, memory, tick, is_wanted, |read| from_tokens(read.tokens))?;
    // Both have the order of the paths.
    let (mut documents, mut read) = (Vec::new(), read.into_iter().peekable());
    for (file, made) in paths.iter().zip(sketched) {
        documents.extend(made.into_iter().flatten());
        while let Some(next) = read.next_if(|(document, _)| snapshot.file_of(document.id) == *file) {
            documents.push(next);
        }
    }
    Ok(Made { documents, too_large })
}

/// The sketches of a segment, if they are kept and can be read.
fn kept(live: &LiveSegment) -> Option<Sketches<'_>> {
    live.sketches().inspect_err(|error| tracing::warn!("{error}")).ok().flatten()
}

/// Whether a file has the size and the time that it had when it was indexed, and had not just been written then.
fn is_unchanged(snapshot: &Snapshot, file: FileId) -> bool {
    let row = snapshot.file(file);
    let path = snapshot.manifest().corpus.absolute(snapshot.path(file));
    !row.racy && corpus::stamp(&path) == Some(row.stamp)
}
