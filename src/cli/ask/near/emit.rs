//! `near --emit`: the files to keep or to drop, for other programs.
//!
//! What is printed may be deleted by them. So a file is printed to be dropped only if each document in it is in a cluster
//! that another file represents, if it is not the file of the representative under another name, and if it did not change
//! since it was indexed: it may have records then that were compared with nothing.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::cli::args::{Emit, NearArgs};
use crate::cli::error::CliError;
use crate::cli::messages::tell;
use crate::cli::output::print_bytes;
use crate::corpus;
use crate::index::snapshot::{FileId, Snapshot};
use crate::near::document::Document;
use crate::near::found::Found;
use crate::storage::shown;

/// Prints the files of clusters with a document that `is_meant`, by path, and returns whether there were none.
pub(super) fn emit(
    args: &NearArgs,
    emit: Emit,
    snapshot: &Snapshot,
    found: &Found,
    is_meant: impl Fn(&Document) -> bool,
) -> Result<bool, CliError> {
    let document = |number: u32| &found.documents[number as usize];
    let meant = found
        .clusters
        .iter()
        .filter(|cluster| cluster.members.iter().any(|member| is_meant(document(member.document))));
    let base = &snapshot.manifest().corpus;
    let (mut kept, mut dropped) = (HashSet::new(), HashMap::new());
    for cluster in meant.take(args.top.unwrap_or(usize::MAX)) {
        let mut files = cluster.members.iter().map(|member| snapshot.file_of(document(member.document).id));
        let Some(first) = files.next() else { continue };
        kept.insert(first);
        if emit == Emit::Drop {
            let inode = inode(&base.absolute(snapshot.path(first)));
            let others = files.filter(|&file| {
                file != first && inode.is_some() && self::inode(&base.absolute(snapshot.path(file))) != inode
            });
            others.for_each(|file| *dropped.entry(file).or_insert(0_usize) += 1);
        }
    }
    let mut files: Vec<FileId> = match emit {
        Emit::Keep => kept.into_iter().collect(),
        Emit::Drop => whole(snapshot, dropped),
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

/// The device and the number of a file.
fn inode(path: &Path) -> Option<(u64, u64)> {
    let metadata = path.metadata().ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// The files of which all documents are to be dropped, given the number of these.
fn whole(snapshot: &Snapshot, dropped: HashMap<FileId, usize>) -> Vec<FileId> {
    let skipped: HashSet<&OsStr> =
        snapshot.manifest().skipped.iter().map(|skipped| skipped.path.as_os_str()).collect();
    let is_whole = |(file, count): &(FileId, usize)| {
        let documents = snapshot.segment(file.segment).table().documents_of(file.file);
        documents.len() == *count && !skipped.contains(snapshot.path(*file).as_os_str())
    };
    let (whole, parts): (Vec<_>, Vec<_>) = dropped.into_iter().partition(is_whole);
    let records: usize = parts.iter().map(|(_, count)| count).sum();
    if records > 0 {
        tell(format_args!(
            "{records} records to drop are not printed, because their files have other records too; \
             --json names them"
        ));
    }
    let base = &snapshot.manifest().corpus;
    let is_as_indexed = |(file, _): &(FileId, usize)| {
        let table = snapshot.segment(file.segment).table();
        corpus::stamp(&base.absolute(snapshot.path(*file))) == Some(table.stamp(file.file))
    };
    let (whole, changed): (Vec<_>, Vec<_>) = whole.into_iter().partition(is_as_indexed);
    match changed.len() {
        0 => {}
        1 => tell(format_args!("1 file to drop is not printed, because it changed since it was indexed")),
        many => tell(format_args!(
            "{many} files to drop are not printed, because they changed since they were indexed"
        )),
    }
    whole.into_iter().map(|(file, _)| file).collect()
}
