//! Whether documents that are identical by their hashes are equal. Different texts can be made that have the same hash,
//! so the documents are read and compared before other programs may delete one of them.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use crate::settings::Identity;
use dupi_base::corpus::SkipReason;
use dupi_index::index::snapshot::{DocumentId, FileId, Snapshot};
use dupi_index::query::current::{CurrentDocument, CurrentFiles};
use dupi_text::token::{LexState, Tokeniser};

/// How many bytes of a file are compared at a time.
const PIECE: usize = 1 << 16;

/// A document as it is now.
struct Content {
    text: String,
    /// The hashes of its tokens, if they count.
    tokens: Vec<u64>,
}

/// The documents of the file that was read last.
#[derive(Default)]
pub(super) struct LastFile {
    file: Option<FileId>,
    contents: HashMap<DocumentId, Content>,
}

/// Whether the documents of each pair are identical as they are now. The first ones are documents of one file. A document
/// that cannot be read, or not within `memory` bytes, is identical to none; the snapshot notes what cannot be read. `last` saves reading a file of many records
/// again for each file that is compared with it.
pub(super) fn are_identical(
    snapshot: &Snapshot,
    identity: Identity,
    memory: u64,
    pairs: &[(DocumentId, DocumentId)],
    last: &mut LastFile,
) -> bool {
    let is_file = |id: DocumentId| snapshot.document(id).record == 0;
    let path = |id: DocumentId| snapshot.manifest().corpus.absolute(snapshot.path(snapshot.file_of(id)));
    // The partners of the documents of each file.
    let mut partners: HashMap<FileId, Vec<(DocumentId, DocumentId)>> = HashMap::new();
    for &(own, other) in pairs {
        if is_file(own) && is_file(other) {
            match have_equal_bytes(&path(own), &path(other)) {
                Ok(true) => continue,
                // Of files all bytes count. For tokens the files are read again, one after the other.
                equal if identity == Identity::Bytes => {
                    for reason in equal.err().iter().map(SkipReason::from_io) {
                        snapshot.unread().note(snapshot.path(snapshot.file_of(own)), &reason);
                    }
                    return false;
                }
                _ => {}
            }
        }
        partners.entry(snapshot.file_of(other)).or_default().push((own, other));
    }
    let Some(&(first, _)) = pairs.first() else { return true };
    let reader = CurrentFiles::new(snapshot, memory);
    let own: HashSet<DocumentId> = partners.values().flatten().map(|&(own, _)| own).collect();
    let own = contents(snapshot, &reader, identity, snapshot.file_of(first), &own);
    partners.into_iter().all(|(file, pairs)| {
        if last.file != Some(file) {
            let table = snapshot.segment(file.segment).table();
            let id = |document| DocumentId { segment: file.segment, document };
            let all = table.documents_of(file.file).map(id).collect();
            *last =
                LastFile { file: Some(file), contents: contents(snapshot, &reader, identity, file, &all) };
        }
        let others = &last.contents;
        pairs.iter().all(|(a, b)| match (own.get(a), others.get(b)) {
            (Some(a), Some(b)) => a.text == b.text || (!a.tokens.is_empty() && a.tokens == b.tokens),
            _ => false,
        })
    })
}

/// Some documents of a file.
fn contents(
    snapshot: &Snapshot,
    reader: &CurrentFiles,
    identity: Identity,
    file: FileId,
    wanted: &HashSet<DocumentId>,
) -> HashMap<DocumentId, Content> {
    let mut found = HashMap::new();
    if wanted.is_empty() {
        return found;
    }
    let recipe = &snapshot.manifest().recipe;
    let take = |CurrentDocument { id, path, record, .. }: CurrentDocument| {
        let tokens = match identity {
            Identity::Bytes => Vec::new(),
            Identity::Tokens => {
                let tokeniser = Tokeniser::of(recipe.tokens, recipe.comments, path, &record.text);
                let tokens = tokeniser.tokens(&recipe.ignored.blanked(&record.text), LexState::default());
                tokens.iter().map(|token| token.hash).collect()
            }
        };
        found.insert(id, Content { text: record.text.into_owned(), tokens });
    };
    reader.read(file, &mut Vec::new(), |id| wanted.contains(&id), take);
    found
}

fn have_equal_bytes(a: &Path, b: &Path) -> io::Result<bool> {
    // A FIFO in the place of a file does not block.
    let open = |path: &Path| OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path);
    let (a, b) = (open(a)?, open(b)?);
    if !a.metadata()?.is_file() || !b.metadata()?.is_file() || a.metadata()?.len() != b.metadata()?.len() {
        return Ok(false);
    }
    let reader = |file: File| BufReader::with_capacity(PIECE, file);
    let (mut a, mut b) = (reader(a), reader(b));
    loop {
        let (own, other) = (a.fill_buf()?, b.fill_buf()?);
        let len = own.len().min(other.len());
        if own[..len] != other[..len] {
            return Ok(false);
        }
        if len == 0 {
            return Ok(own.is_empty() && other.is_empty());
        }
        a.consume(len);
        b.consume(len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_equal_bytes_if_all_are_equal() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: Vec<u8>| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let long = vec![b'a'; 3 * PIECE + 1];
        let a = file("a", long.clone());
        let other = file("other", [&long[..3 * PIECE], b"b"].concat());
        assert!(have_equal_bytes(&a, &file("b", long.clone())).unwrap());
        assert!(!have_equal_bytes(&a, &other).unwrap());
        assert!(!have_equal_bytes(&a, &file("short", long[1..].to_vec())).unwrap());
        assert!(have_equal_bytes(&file("empty", vec![]), &file("none", vec![])).unwrap());
        assert!(have_equal_bytes(&a, &folder.path().join("away")).is_err());
    }
}
