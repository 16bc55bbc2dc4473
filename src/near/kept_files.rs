//! Which files to keep of clusters and which to drop, for other programs, with the proof that dropped files are identical.
//!
//! What is listed may be deleted by them. So a file is to be dropped only if each document in it is in a cluster that
//! another file represents, if it is not the file of the representative under another name, and if it did not change since
//! it was indexed: it may have records then that were compared with nothing. What is identical by hashes is compared byte
//! by byte.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::settings::Identity;

use dupi_base::corpus::{self, SkipReason};
use dupi_index::index::snapshot::{DocumentId, FileId, Snapshot};
use dupi_index::query::current::{CurrentDocument, CurrentFiles};
use dupi_text::token::{LexState, Tokeniser};

/// Which files of clusters are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedFiles {
    /// Those of the representatives.
    Keep,
    /// Those of all others.
    Drop,
}

/// The documents of a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptGroup {
    /// The one that is kept.
    pub kept: DocumentId,
    /// The others.
    pub others: Vec<DocumentId>,
    /// What all of them have in common if they are identical: this is proved before one is dropped.
    pub identity: Option<Identity>,
}

/// The files to keep or to drop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileList {
    /// Their absolute paths, sorted.
    pub files: Vec<PathBuf>,
    /// How many records are to be dropped of files that have other records too. Their files are not listed.
    pub records: usize,
    /// How many files are not listed because they changed since they were indexed.
    pub changed: usize,
    /// How many are not listed because they could not be shown to be identical to those that are
    /// kept.
    pub unproved: usize,
}

impl FileList {
    /// What is left out of those to be dropped, and why: sentences without a full stop. `done` is what was done with the
    /// others, and `named` says what names the records.
    pub fn left_out(&self, done: &str, named: &str) -> Vec<String> {
        let of = |count: usize, why: &str| {
            (count > 0).then(|| format!("{count} files to drop are not {done}, because they {why}"))
        };
        let records = (self.records > 0).then(|| {
            let count = self.records;
            format!(
                "{count} records to drop are not {done}, because their files have other records too; {named} them"
            )
        });
        let unproved = "could not be shown to be identical to those that are kept";
        let changed = of(self.changed, "changed since they were indexed");
        [records, changed, of(self.unproved, unproved)].into_iter().flatten().collect()
    }
}

/// A document to be dropped, the one that is kept, and what they have in common if they are identical.
type Pair = (DocumentId, DocumentId, Option<Identity>);

/// The files of some clusters to keep or to drop. Documents are read within `memory` bytes to prove that they are
/// identical.
pub fn kept_files(
    snapshot: &Snapshot,
    groups: impl IntoIterator<Item = KeptGroup>,
    listed: ListedFiles,
    memory: u64,
) -> FileList {
    let base = &snapshot.manifest().corpus;
    let path = |file: FileId| base.absolute(snapshot.path(file));
    let (mut kept, mut dropped) = (HashSet::new(), HashMap::<FileId, Vec<Pair>>::new());
    for group in groups {
        let first = snapshot.file_of(group.kept);
        kept.insert(first);
        if listed == ListedFiles::Drop {
            let own = inode(snapshot, first);
            for other in group.others {
                let file = snapshot.file_of(other);
                if file != first && own.is_some() && inode(snapshot, file) != own {
                    dropped.entry(file).or_default().push((other, group.kept, group.identity));
                }
            }
        }
    }
    let mut list = FileList::default();
    let mut files: Vec<FileId> = match listed {
        ListedFiles::Keep => kept.into_iter().collect(),
        ListedFiles::Drop => whole(snapshot, dropped, memory, &mut list),
    };
    files.sort_by_cached_key(|&file| snapshot.path(file).as_os_str().as_bytes().to_vec());
    list.files = files.into_iter().map(path).collect();
    list
}

/// The device and the number of a file; `None` if it is gone, or if the system refuses, which the snapshot notes.
fn inode(snapshot: &Snapshot, file: FileId) -> Option<(u64, u64)> {
    let path = snapshot.path(file);
    match snapshot.manifest().corpus.absolute(path).metadata() {
        Ok(metadata) => Some((metadata.dev(), metadata.ino())),
        Err(error) => {
            snapshot.unread().note(path, &SkipReason::from_io(&error));
            None
        }
    }
}

/// The files of which all documents are to be dropped. Those that are left out are counted.
fn whole(
    snapshot: &Snapshot,
    dropped: HashMap<FileId, Vec<Pair>>,
    memory: u64,
    list: &mut FileList,
) -> Vec<FileId> {
    let skipped: HashSet<&OsStr> =
        snapshot.manifest().skipped.iter().map(|skipped| skipped.path.as_os_str()).collect();
    let is_whole = |(file, pairs): &(FileId, Vec<Pair>)| {
        let documents = snapshot.segment(file.segment).table().documents_of(file.file);
        documents.len() == pairs.len() && !skipped.contains(snapshot.path(*file).as_os_str())
    };
    let (whole, parts): (Vec<_>, Vec<_>) = dropped.into_iter().partition(is_whole);
    list.records = parts.iter().map(|(_, pairs)| pairs.len()).sum();
    let base = &snapshot.manifest().corpus;
    let is_as_indexed = |(file, _): &(FileId, Vec<Pair>)| {
        let table = snapshot.segment(file.segment).table();
        corpus::stamp(&base.absolute(snapshot.path(*file))) == Some(table.stamp(file.file))
    };
    let (mut whole, changed): (Vec<_>, Vec<_>) = whole.into_iter().partition(is_as_indexed);
    list.changed = changed.len();
    let mut last = LastFile::default();
    // Those that are compared with the same file come together.
    whole.sort_by_key(|(file, pairs)| (pairs.first().map(|&(_, kept, _)| snapshot.file_of(kept)), *file));
    let is_proved = |(_, pairs): &(FileId, Vec<Pair>)| {
        [Identity::Tokens, Identity::Bytes].into_iter().all(|identity| {
            let of = pairs.iter().filter(|(.., by)| *by == Some(identity));
            let pairs: Vec<(DocumentId, DocumentId)> = of.map(|&(own, kept, _)| (own, kept)).collect();
            pairs.is_empty() || are_identical(snapshot, identity, memory, &pairs, &mut last)
        })
    };
    let (whole, unproved): (Vec<_>, Vec<_>) = whole.into_iter().partition(is_proved);
    list.unproved = unproved.len();
    whole.into_iter().map(|(file, _)| file).collect()
}

// Whether documents that are identical by their hashes are equal. Different texts can be made that have the same hash,
// so the documents are read and compared before other programs may delete one of them.

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
                let tokeniser = Tokeniser::for_file(recipe.tokens, recipe.comments, path, &record.text);
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
