//! Identical folders: their trees have the same documents with the same texts under the same names. Files that hold no
//! document, such as binary ones, do not count.
//!
//! A tree is identified by a hash over the names, record numbers and hashes of text of all its documents, sorted by name. The
//! texts that the search read count; of documents that it did not read, because nothing in them is repeated or they are
//! too short, the index has the hash. Folders with fewer than two documents are left out, and those that are identical
//! only because the folders around them are.
//!
//! A row of folders has the same document of each tree as its copies: the one that is worth most. So whatever reads the
//! copies of a passage reads these. Its worth is the sum over its documents. It has no kind, as the document that is shown does
//! not tell what the others are; unless licences, or what programs wrote, have most of its tokens.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;

use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3Default;

use crate::identical::TreeDocuments;
use crate::kind::Kind;
use crate::passages::{Passage, PassageCopy, PassageId, SourceDocument};
use dupi_index::index::snapshot::{DocumentId, FileId, Snapshot};
use dupi_passage::unit::{Tree, Unit};

/// For each source in identical folders, the rows of these folders, those of larger folders first.
pub(crate) type TreePlaces = HashMap<u32, Vec<PassageId>>;

/// A row of identical folders.
pub(crate) struct FolderRow {
    pub(crate) row: Passage,
    /// The row of the documents that are its copies.
    pub(crate) shown: PassageId,
    /// What lies in the folders.
    pub(crate) tree: TreeDocuments<PassageId>,
}

/// A document of which the text is another one's too.
struct Entry<'a> {
    path: &'a [u8],
    record: u32,
    id: DocumentId,
    source: Option<u32>,
    text: u64,
}

/// A folder with its documents.
struct FolderDocuments {
    documents: Range<usize>,
    path_len: usize,
    parent: Option<usize>,
    digest: u128,
}

/// A row for each set of identical folders, those of larger folders first; and which documents lie in them. `found` has
/// the rows of identical documents.
pub(crate) fn folders(
    snapshot: &Snapshot,
    sources: &[SourceDocument],
    found: &[Passage],
) -> (Vec<FolderRow>, TreePlaces) {
    let mut documents: HashMap<u32, &Passage> = HashMap::new();
    for passage in found.iter().filter(|passage| passage.unit == Unit::Document) {
        documents.extend(passage.copies.iter().map(|copy| (copy.source, passage)));
    }
    let (mut rows, mut places) = (Vec::new(), TreePlaces::new());
    if documents.is_empty() {
        return (rows, places);
    }
    let (entries, with_others) = entries(snapshot, sources);
    for set in sets(&entries, &with_others) {
        let trees: Vec<&[Entry]> = set.iter().map(|folder| &entries[folder.documents.clone()]).collect();
        let Some((row, shown)) = row(snapshot, sources, &documents, &set, &trees) else { continue };
        for source in trees.iter().copied().flatten().filter_map(|entry| entry.source) {
            places.entry(source).or_default().push(row.id);
        }
        rows.push(FolderRow { row, shown, tree: tree_documents(&documents, &trees) });
    }
    (rows, places)
}

/// The documents whose text another one has too, sorted by path and record, so that those of a folder follow each other;
/// and the folders in which any other document lies, which are identical to none. Only these documents take 48 bytes
/// each; all others eight, and twelve if the search read them.
fn entries<'a>(snapshot: &'a Snapshot, sources: &[SourceDocument]) -> (Vec<Entry<'a>>, HashSet<&'a [u8]>) {
    let mut read: Vec<(DocumentId, u32)> =
        (0..).zip(sources).map(|(number, source)| (source.id, number)).collect();
    read.par_sort_unstable();
    let of_file = |file: FileId| {
        let table = snapshot.segment(file.segment).table();
        let (path, read) = (snapshot.path(file).as_os_str().as_bytes(), &read);
        table.documents_of(file.file).map(move |document| {
            let id = DocumentId { segment: file.segment, document };
            let source = read.binary_search_by_key(&id, |(id, _)| *id).ok().map(|at| read[at].1);
            let row = table.document(document);
            let text = source.map_or(row.key, |source| sources[source as usize].text);
            Entry { path, record: row.record, id, source, text }
        })
    };
    let all = || snapshot.texts().flat_map(&of_file);
    let repeated = repeated(all().map(|entry| entry.text).collect());
    let (mut entries, mut with_others) = (Vec::new(), HashSet::new());
    for entry in all() {
        if repeated.binary_search(&entry.text).is_ok() {
            entries.push(entry);
            continue;
        }
        let mut folder = around(entry.path);
        while let Some(path) = folder.filter(|path| with_others.insert(*path)) {
            folder = around(path);
        }
    }
    entries.par_sort_unstable_by_key(|entry| (entry.path, entry.record));
    (entries, with_others)
}

/// The numbers that occur more than once, in order.
fn repeated(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.par_sort_unstable();
    let mut repeated: Vec<u64> =
        numbers.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]).collect();
    repeated.dedup();
    repeated
}

/// The path of the folder around a path; `None` for the root.
fn around(path: &[u8]) -> Option<&[u8]> {
    path.iter().rposition(|byte| *byte == b'/').map(|slash| &path[..slash])
}

/// The sets of identical folders, the largest folders first. Those `with_others` are identical to none.
fn sets(entries: &[Entry], with_others: &HashSet<&[u8]>) -> Vec<Vec<FolderDocuments>> {
    let all = all_folders(entries);
    let may_be_identical = |folder: &FolderDocuments| {
        let path = &entries[folder.documents.start].path[..folder.path_len];
        folder.documents.len() > 1 && !with_others.contains(path)
    };
    let mut order: Vec<usize> = (0..all.len()).filter(|&number| may_be_identical(&all[number])).collect();
    order.par_sort_unstable_by_key(|&number| (all[number].digest, number));
    let same: Vec<&[usize]> =
        order.chunk_by(|&a, &b| all[a].digest == all[b].digest).filter(|set| set.len() > 1).collect();
    let mut set_of: Vec<Option<usize>> = vec![None; all.len()];
    for (set, folders) in same.iter().enumerate() {
        folders.iter().for_each(|&folder| set_of[folder] = Some(set));
    }
    let lies_in_identical = |set: &[usize]| {
        let mut parents: Vec<Option<usize>> = set.iter().map(|&folder| all[folder].parent).collect();
        let of_first = parents[0].and_then(|parent| set_of[parent]);
        let is_one = parents.iter().all(|parent| parent.and_then(|parent| set_of[parent]) == of_first);
        parents.sort_unstable();
        parents.dedup();
        // Otherwise there are others, or several in one parent.
        is_one && of_first.is_some_and(|of| same[of].len() == set.len()) && parents.len() == set.len()
    };
    let mut kept: Vec<Vec<usize>> =
        same.iter().filter(|set| !lies_in_identical(set)).map(|set| set.to_vec()).collect();
    kept.sort_by_key(|set| (Reverse(all[set[0]].documents.len()), set[0]));
    let mut all: Vec<Option<FolderDocuments>> = all.into_iter().map(Some).collect();
    kept.into_iter().map(|set| set.into_iter().filter_map(|folder| all[folder].take()).collect()).collect()
}

/// The folders of these documents but the root, each before its contents.
fn all_folders(entries: &[Entry]) -> Vec<FolderDocuments> {
    let mut folders: Vec<FolderDocuments> = Vec::new();
    // The folders around the current document: their numbers, and the hashes of their documents so far.
    let mut open: Vec<(usize, Xxh3Default)> = Vec::new();
    let close = |folders: &mut Vec<FolderDocuments>, (number, hash): (usize, Xxh3Default), end: usize| {
        folders[number].documents.end = end;
        folders[number].digest = hash.digest128();
    };
    for (at, entry) in entries.iter().enumerate() {
        while let Some((number, _)) = open.last() {
            let FolderDocuments { documents, path_len, .. } = &folders[*number];
            let is_within = entry.path.get(*path_len) == Some(&b'/')
                && entry.path[..*path_len] == entries[documents.start].path[..*path_len];
            if is_within {
                break;
            }
            open.pop().into_iter().for_each(|last| close(&mut folders, last, at));
        }
        let below = open.last().map_or(0, |(number, _)| folders[*number].path_len + 1);
        let slashes = entry.path[below..].iter().enumerate().filter(|(_, byte)| **byte == b'/');
        for (slash, _) in slashes {
            let parent = open.last().map(|(number, _)| *number);
            open.push((folders.len(), Xxh3Default::new()));
            folders.push(FolderDocuments { documents: at..at, path_len: below + slash, parent, digest: 0 });
        }
        for (number, hash) in &mut open {
            hash.update(&entry.path[folders[*number].path_len..]);
            hash.update(&[0]);
            hash.update(&entry.record.to_le_bytes());
            hash.update(&entry.text.to_le_bytes());
        }
    }
    open.into_iter().for_each(|last| close(&mut folders, last, entries.len()));
    folders
}

/// What lies in some identical folders.
fn tree_documents(documents: &HashMap<u32, &Passage>, trees: &[&[Entry]]) -> TreeDocuments<PassageId> {
    let (mut rows, mut others) = (Vec::new(), Vec::new());
    for entry in trees[0] {
        match entry.source.and_then(|source| documents.get(&source)) {
            Some(passage) => rows.push(passage.id),
            None => others.push(entry.id),
        }
    }
    rows.sort_unstable();
    rows.dedup();
    let documents = trees.iter().copied().flatten().map(|entry| entry.id).collect();
    TreeDocuments { documents, rows, others }
}

/// The row of some identical folders, and that of the documents that are its copies; `None` if all their documents are
/// too short for a passage.
fn row(
    snapshot: &Snapshot,
    sources: &[SourceDocument],
    documents: &HashMap<u32, &Passage>,
    folders: &[FolderDocuments],
    trees: &[&[Entry]],
) -> Option<(Passage, PassageId)> {
    let of_entry = |entry: &Entry| documents.get(&entry.source?).copied();
    // What a document tells: what one copy of it saves.
    let bits = |entry: &Entry| {
        of_entry(entry).map_or(0.0, |passage| passage.worth as f64 / (passage.copies.len() - 1) as f64)
    };
    let (mut sum, mut most) = (0.0, (0, -1.0));
    for (number, entry) in trees[0].iter().enumerate() {
        sum += bits(entry);
        if of_entry(entry).is_some() && bits(entry) > most.1 {
            most = (number, bits(entry));
        }
    }
    let shown: Vec<&Entry> = trees.iter().map(|tree| &tree[most.0]).collect();
    let of_documents = of_entry(shown[0])?;
    let copy = |entry: &&Entry| {
        let at = of_documents.copies.binary_search_by_key(&entry.source?, |copy| copy.source).ok()?;
        Some(of_documents.copies[at])
    };
    let copies: Vec<PassageCopy> = shown.iter().map(copy).collect::<Option<_>>()?;
    let tokens = |entry: &Entry| match entry.source {
        Some(source) => u64::from(sources[source as usize].tokens),
        None => u64::from(snapshot.document(entry.id).tokens),
    };
    let total: u64 = trees[0].iter().map(tokens).sum();
    let has_most = |kind: &Kind| {
        let is_of = |entry: &&Entry| of_entry(entry).is_some_and(|row| row.kind == Some(*kind));
        trees[0].iter().filter(is_of).map(tokens).sum::<u64>() * 2 > total
    };
    let below = &shown[0].path[folders[0].path_len + 1..];
    let tree = Tree {
        documents: trees[0].len() as u32,
        tokens: u32::try_from(total).unwrap_or(u32::MAX),
        depth: below.iter().filter(|byte| **byte == b'/').count() as u32 + 1,
    };
    let id = PassageId(folders[0].digest as u64);
    let lines = |passage: &Passage| passage.lines / (passage.copies.len() as u64 - 1);
    let lines: u64 = trees[0].iter().filter_map(of_entry).map(lines).sum();
    let row = Passage {
        id,
        documents: copies.len() as u32,
        representative: 0,
        parent: None,
        unit: Unit::Folder(tree),
        family: id,
        members: 0,
        kind: [Kind::Licence, Kind::Generated].into_iter().find(has_most),
        worth: (sum * (copies.len() - 1) as f64).round() as u64,
        lines: lines * (copies.len() as u64 - 1),
        copies,
    };
    Some((row, of_documents.id))
}
