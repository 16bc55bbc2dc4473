//! `near --emit`: the files to keep or to drop, for other programs.
//!
//! What is printed may be deleted by them. So a file is printed to be dropped only if each document in it is in a cluster
//! that another file represents, if it is not the file of the representative under another name, and if it did not change
//! since it was indexed: it may have records then that were compared with nothing. What is identical by hashes is compared
//! byte by byte.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;

use super::proof::{LastFile, are_identical};
use crate::cli::args::{Emit, NearArgs};
use crate::cli::error::CliError;
use crate::cli::messages::tell;
use crate::cli::output::print_bytes;
use crate::corpus::{self, SkipReason};
use crate::index::snapshot::{DocumentId, FileId, Snapshot};
use crate::near::document::Document;
use crate::near::found::Found;
use crate::near::settings::{Method, NearSettings};
use crate::storage::shown;

/// The documents of files that are to be dropped, each with that which is kept.
type Dropped = HashMap<FileId, Vec<(DocumentId, DocumentId)>>;

/// Prints the files of clusters with a document that `is_meant`, by path, and returns whether there were none.
pub(super) fn emit(
    args: &NearArgs,
    emit: Emit,
    snapshot: &Snapshot,
    wanted: &NearSettings,
    found: &Found,
    is_meant: impl Fn(&Document) -> bool,
) -> Result<bool, CliError> {
    let document = |number: u32| &found.documents[number as usize];
    let meant = found
        .clusters
        .iter()
        .filter(|cluster| cluster.members.iter().any(|member| is_meant(document(member.document))));
    let base = &snapshot.manifest().corpus;
    let (mut kept, mut dropped) = (HashSet::new(), Dropped::new());
    for cluster in meant.take(args.top.unwrap_or(usize::MAX)) {
        let mut members = cluster.members.iter().map(|member| document(member.document).id);
        let Some(represents) = members.next() else { continue };
        let first = snapshot.file_of(represents);
        kept.insert(first);
        if emit == Emit::Drop {
            let inode = inode(snapshot, first);
            for other in members {
                let file = snapshot.file_of(other);
                if file != first && inode.is_some() && self::inode(snapshot, file) != inode {
                    dropped.entry(file).or_default().push((other, represents));
                }
            }
        }
    }
    let mut files: Vec<FileId> = match emit {
        Emit::Keep => kept.into_iter().collect(),
        Emit::Drop => whole(snapshot, wanted, dropped),
    };
    files.sort_by_cached_key(|&file| snapshot.path(file).as_os_str());
    let end = if args.null { 0 } else { b'\n' };
    let mut bytes = Vec::new();
    for &file in &files {
        let path = base.absolute(snapshot.path(file));
        if !args.null && path.as_os_str().as_bytes().contains(&b'\n') {
            return Err(CliError::Usage(format!("the path {} has a line break; use -0", shown(&path))));
        }
        if io::stdout().is_terminal() {
            bytes.extend_from_slice(shown(&path).text().as_bytes());
        } else {
            bytes.extend_from_slice(path.as_os_str().as_bytes());
        }
        bytes.push(end);
    }
    print_bytes(&bytes)?;
    Ok(files.is_empty())
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

/// The files of which all documents are to be dropped.
fn whole(snapshot: &Snapshot, wanted: &NearSettings, dropped: Dropped) -> Vec<FileId> {
    let skipped: HashSet<&OsStr> =
        snapshot.manifest().skipped.iter().map(|skipped| skipped.path.as_os_str()).collect();
    let is_whole = |(file, pairs): &(FileId, Vec<_>)| {
        let documents = snapshot.segment(file.segment).table().documents_of(file.file);
        documents.len() == pairs.len() && !skipped.contains(snapshot.path(*file).as_os_str())
    };
    let (whole, parts): (Vec<_>, Vec<_>) = dropped.into_iter().partition(is_whole);
    let records: usize = parts.iter().map(|(_, pairs)| pairs.len()).sum();
    if records > 0 {
        tell(format_args!(
            "{records} records to drop are not printed, because their files have other records too; \
             --json names them"
        ));
    }
    let base = &snapshot.manifest().corpus;
    let is_as_indexed = |(file, _): &(FileId, Vec<_>)| {
        let table = snapshot.segment(file.segment).table();
        corpus::stamp(&base.absolute(snapshot.path(*file))) == Some(table.stamp(file.file))
    };
    let (mut whole, changed): (Vec<_>, Vec<_>) = whole.into_iter().partition(is_as_indexed);
    let mut last = LastFile::default();
    // Those that are compared with the same file come together.
    whole.sort_by_key(|(file, pairs)| (pairs.first().map(|&(_, kept)| snapshot.file_of(kept)), *file));
    let is_proved = |(_, pairs): &(FileId, Vec<(DocumentId, DocumentId)>)| match wanted.method {
        Method::Identical(identity) => are_identical(snapshot, identity, wanted.memory, pairs, &mut last),
        _ => true,
    };
    let (whole, unproved): (Vec<_>, Vec<_>) = whole.into_iter().partition(is_proved);
    tell_left_out(changed.len(), "changed since they were indexed");
    tell_left_out(unproved.len(), "could not be shown to be identical to those that are kept");
    whole.into_iter().map(|(file, _)| file).collect()
}

fn tell_left_out(files: usize, why: &str) {
    if files > 0 {
        tell(format_args!("{files} files to drop are not printed, because they {why}"));
    }
}
