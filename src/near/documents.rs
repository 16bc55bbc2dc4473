//! Reads all documents of a snapshot once, for what is made of the tokens of each.

use dupi_base::corpus::{Stamp, portions};
use dupi_base::parallel;
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::{DocumentId, FileId, Snapshot};
use dupi_index::query::current::{CurrentDocument, CurrentFiles};
use dupi_text::token::{LexState, Token, Tokeniser};

/// The bytes of files that are read as one task.
const PORTION: u64 = 1 << 20;

/// A document that was read.
pub struct ReadDocument<'a> {
    /// Its number in the snapshot.
    pub id: DocumentId,
    /// Its text.
    pub text: &'a str,
    /// The hashes of its tokens.
    pub tokens: &'a [u64],
    /// The stamp of its file when it was read.
    pub stamp: Stamp,
}

/// What was made of the documents of a snapshot.
pub struct Made<T> {
    /// For each document its number in the snapshot, and what was made of it. They are sorted by path and record.
    pub documents: Vec<(DocumentId, T)>,
    /// How many files were skipped because their tokens would take too much memory.
    pub too_large: u64,
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
                let tokeniser = Tokeniser::of(recipe.tokens, recipe.comments, path, &record.text);
                let text = recipe.ignored.blanked(&record.text);
                tokeniser.tokens_into(&text, LexState::default(), tokens);
                hashes.clear();
                hashes.extend(tokens.iter().map(|token| token.hash));
                made.push((id, make(&ReadDocument { id, text: &record.text, tokens: hashes, stamp })));
            });
        }
        Ok::<_, SearchError>(made)
    };
    let made: Vec<Vec<(DocumentId, T)>> = parallel::try_map_init(&portions, Buffers::default, read)?;
    let documents = made.into_iter().flatten().collect();
    Ok(Made { documents, too_large: reader.too_large() })
}
