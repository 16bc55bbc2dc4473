//! Folders with the same contents, or almost: a folder is the set of its documents, each with its path in the folder,
//! and folders are compared by the resemblance of these sets.
//!
//! A row of folders stands for what lies in them: folders in similar folders have no row of their own, unless they are
//! similar to each other within one of these too.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsStr;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::clusters::{Similarity, clusters_with_equal};
use crate::error::{NearError, check_memory};
use crate::features::{FeatureSets, Features};
use crate::jaccard;
use crate::pairs::{Equal, write_features};
use crate::settings::{Identity, Keep, Query};
use dupi_base::{corpus, parallel};
use dupi_index::index::snapshot::{FileId, Snapshot};
use dupi_index::query::documents::Document;

/// What documents and files are identical by: they are identical if their contents are equal. Contents of tokens, texts
/// and files are never equal to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Content(pub(super) u128);

impl Content {
    /// Marks the contents of tokens.
    const TOKENS: u128 = 1 << 127;
    /// Marks the contents of files.
    const FILE: u128 = 1 << 126;

    /// A text by its tokens: a hash of 127 bits.
    pub(super) fn from_tokens(tokens: &[u64]) -> Self {
        let mut bytes = Vec::new();
        write_features(Features { features: tokens, counts: &[] }, &mut bytes);
        Self(Self::TOKENS | xxh3_128(&bytes))
    }

    /// A text by its number of tokens and its xxh3-64.
    pub(super) fn from_text(tokens: u32, hash: u64) -> Self {
        Self(u128::from(tokens) << 64 | u128::from(hash))
    }

    /// A file by its size in bytes, of which 62 bits count, and its xxh3-64.
    pub(super) fn from_file(size: u64, hash: u64) -> Self {
        Self(Self::FILE | u128::from(size & (u64::MAX >> 2)) << 64 | u128::from(hash))
    }
}

/// The memory that a document takes for each folder in which it lies: its feature, and that in the index of features.
const BYTES_A_FEATURE: u64 = 24;

/// Folders that are similar to each other.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeCluster {
    /// Made from the texts of the first folder.
    pub id: u64,
    /// The folder that represents the others, then these, the most similar first.
    pub folders: Vec<TreeFolder>,
    /// The bytes of all folders but the first one.
    pub saving: u64,
}

/// A folder.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeFolder {
    /// Relative to the corpus's base.
    pub path: PathBuf,
    /// How many files lie in it, at any depth.
    pub files: u32,
    /// Their size.
    pub bytes: u64,
    /// Which share of the documents of it and of the first folder are the same: the size of the intersection divided by
    /// the size of the union.
    pub share: f32,
    /// What differs from the first folder, sorted by path.
    pub differences: Vec<TreeDifference>,
    /// The numbers of the documents in it.
    pub documents: Range<u32>,
}

/// A document in which a folder differs from the first one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeDifference {
    /// Its path in the folder.
    pub path: PathBuf,
    /// Which record of the file.
    pub record: Option<u32>,
    /// How.
    pub kind: DifferenceKind,
}

/// How a document of a folder differs from that in the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
    /// Both have it, with different contents.
    Changed,
    /// The first folder has none.
    Added,
    /// Only the first folder has it.
    Missing,
}

/// A document, or a file that is none.
#[derive(Clone, Copy)]
struct Entry<'a> {
    path: &'a [u8],
    record: u32,
    content: Content,
    /// What names it: its text, or all its bytes.
    name: Content,
    /// The size of the file, at its first document; else 0.
    bytes: u64,
    is_first: bool,
}

struct Folder<'a> {
    path: &'a [u8],
    entries: Range<usize>,
}

/// The similar folders among all that contain two documents or more, those first that would save the most bytes.
/// `documents` are all documents of the snapshot, sorted by path and record, and `contents` what they are identical by.
///
/// # Errors
/// When the folders need more memory than there is, or when `tick` stops the search.
pub(super) fn find(
    query: &Query,
    documents: &[Document],
    contents: &[Content],
    identity: Identity,
) -> Result<Vec<TreeCluster>, NearError> {
    let Query { snapshot, settings, tick } = *query;
    let rule = settings.rule;
    let entries = entries(snapshot, documents, contents, identity);
    let folders = folders(&entries);
    let features = folders.iter().map(|folder| folder.entries.len() as u64).sum::<u64>();
    check_memory(BYTES_A_FEATURE * features, settings.memory, "")?;
    let mut sets = FeatureSets::default();
    for folder in &folders {
        let own = entries[folder.entries.clone()].iter();
        sets.add_set(own.map(|entry| feature(folder, entry, entry.content)).collect());
    }
    let equal = Equal::find(&sets);
    let pairs = jaccard::pairs(&sets, &equal, rule.threshold, &settings.pair_limit(), tick)?;
    let similarity = Similarity {
        of: &|a, b| sets.resemblance(a as usize, b as usize),
        size: &|of| sets.features(of as usize).len() as u64,
    };
    let (count, linkage) = (folders.len(), rule.linkage);
    let different = clusters_with_equal(count, &equal, &pairs, rule.threshold, linkage, &similarity, tick)?;
    let groups = equal.by_first();
    let of = |first: &u32| groups.get(first).map_or(vec![*first], |group| group.to_vec());
    let mut found: Vec<Vec<u32>> =
        different.iter().map(|cluster| cluster.members.iter().flat_map(of).collect()).collect();
    keep_outermost(&folders, &mut found);
    let maker = Maker { documents, snapshot, entries: &entries, folders: &folders, sets: &sets };
    let mut trees: Vec<TreeCluster> = found.iter().map(|members| maker.tree(members, rule.keep)).collect();
    trees.sort_by(|a, b| {
        (Reverse(a.saving), &a.folders[0].path).cmp(&(Reverse(b.saving), &b.folders[0].path))
    });
    Ok(trees)
}

/// A hash of the place of a document in a folder, and of its content.
fn feature(folder: &Folder, entry: &Entry, content: Content) -> u64 {
    let below = &entry.path[folder.path.len()..];
    xxh3_64(&[below, &[0], &entry.record.to_le_bytes(), &content.0.to_le_bytes()].concat())
}

/// All documents, sorted by path and record; by bytes also the files that are not text.
fn entries<'a>(
    snapshot: &'a Snapshot,
    documents: &[Document],
    contents: &[Content],
    identity: Identity,
) -> Vec<Entry<'a>> {
    let table = |file: FileId| snapshot.segment(file.segment).table();
    let path = |file: FileId| snapshot.path(file).as_os_str().as_bytes();
    let mut last = None;
    let of_document = |(document, &content): (&Document, &Content)| {
        let file = snapshot.file_of(document.id);
        let is_first = last.replace(file) != Some(file);
        let bytes = match (is_first, snapshot.document(document.id).record) {
            (false, _) => 0,
            (true, 0) => document.bytes,
            (true, _) => table(file).stamp(file.file).size,
        };
        let name = match identity {
            Identity::Tokens => Content::from_text(document.tokens, document.text),
            Identity::Bytes => content,
        };
        Entry {
            path: path(file),
            record: snapshot.document(document.id).record,
            content,
            name,
            bytes,
            is_first,
        }
    };
    let mut entries: Vec<Entry> = documents.iter().zip(contents).map(of_document).collect();
    if identity == Identity::Bytes {
        let manifest = snapshot.manifest();
        let is_in_folder = |file: &FileId| table(*file).is_binary(file.file) && path(*file).contains(&b'/');
        let binary: Vec<FileId> = snapshot.files().filter(is_in_folder).collect();
        let entry = |file: FileId| {
            let row = table(file).file(file.file);
            let at = manifest.corpus.absolute(snapshot.path(file));
            let (hash, stamp) = match corpus::stamp(&at)? {
                stamp if stamp == row.stamp => (row.hash, stamp),
                // It changed since it was indexed.
                _ => corpus::hash(&at, manifest.rules.max_filesize).ok()?,
            };
            let content = Content::from_file(stamp.size, hash);
            Some(Entry {
                path: path(file),
                record: 0,
                content,
                name: content,
                bytes: stamp.size,
                is_first: true,
            })
        };
        entries.extend(parallel::flat_map(&binary, |&file| entry(file)));
        entries.sort_by_key(|entry| (entry.path, entry.record));
    }
    entries
}

/// All folders with two documents or more, except the corpus itself, sorted by path.
fn folders<'a>(entries: &[Entry<'a>]) -> Vec<Folder<'a>> {
    let mut folders: BTreeMap<&[u8], Range<usize>> = BTreeMap::new();
    for (number, entry) in entries.iter().enumerate() {
        let slashes = entry.path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        for (slash, _) in slashes {
            folders.entry(&entry.path[..slash]).or_insert(number..number).end = number + 1;
        }
    }
    let large = folders.into_iter().filter(|(_, entries)| entries.len() > 1);
    large.map(|(path, entries)| Folder { path, entries }).collect()
}

/// Drops the clusters of folders that lie, each in another one, in the folders of one cluster.
fn keep_outermost(folders: &[Folder], found: &mut Vec<Vec<u32>>) {
    let mut cluster_of: HashMap<&[u8], usize> = HashMap::new();
    for (number, members) in found.iter().enumerate() {
        cluster_of.extend(members.iter().map(|&member| (folders[member as usize].path, number)));
    }
    let parent = |path: &mut &[u8]| match path.iter().rposition(|&byte| byte == b'/') {
        Some(slash) => {
            *path = &path[..slash];
            true
        }
        None => false,
    };
    let is_inside = |members: &Vec<u32>| {
        let mut paths: Vec<&[u8]> = members.iter().map(|&member| folders[member as usize].path).collect();
        while paths.iter_mut().all(parent) {
            let around = cluster_of.get(paths[0]);
            let is_one = around.is_some() && paths.iter().all(|path| cluster_of.get(path) == around);
            if is_one && paths.iter().collect::<HashSet<_>>().len() == paths.len() {
                return true;
            }
        }
        false
    };
    let inside: Vec<bool> = found.iter().map(is_inside).collect();
    let mut inside = inside.into_iter();
    found.retain(|_| inside.next() == Some(false));
}

struct Maker<'a> {
    snapshot: &'a Snapshot,
    documents: &'a [Document],
    entries: &'a [Entry<'a>],
    folders: &'a [Folder<'a>],
    sets: &'a FeatureSets,
}

impl Maker<'_> {
    fn tree(&self, members: &[u32], keep: Keep) -> TreeCluster {
        let path = |member: u32| self.folders[member as usize].path;
        let first = members.iter().copied().min_by_key(|&member| match keep {
            Keep::ShortestPath => (Reverse(0), path(member).len(), path(member)),
            _ => (Reverse(self.folders[member as usize].entries.len()), 0, path(member)),
        });
        let first = first.unwrap_or_default();
        let mut folders: Vec<TreeFolder> = members.iter().map(|&member| self.folder(member, first)).collect();
        folders.sort_by(|a, b| {
            let is_other = |folder: &TreeFolder| folder.path.as_os_str().as_bytes() != path(first);
            let by_share = b.share.total_cmp(&a.share);
            is_other(a).cmp(&is_other(b)).then(by_share).then_with(|| a.path.cmp(&b.path))
        });
        // Which contents are known by their tokens depends on other documents, so a name is made of texts.
        let first = &self.folders[first as usize];
        let own = self.entries[first.entries.clone()].iter();
        let mut names: Vec<u64> = own.map(|entry| feature(first, entry, entry.name)).collect();
        names.sort_unstable();
        let content: Vec<u8> = names.iter().flat_map(|of| of.to_le_bytes()).collect();
        let saving = folders[1..].iter().map(|folder| folder.bytes).sum();
        TreeCluster { id: xxh3_64(&content), folders, saving }
    }

    fn folder(&self, member: u32, first: u32) -> TreeFolder {
        let folder = &self.folders[member as usize];
        let entries = &self.entries[folder.entries.clone()];
        let number = |end: u8| {
            let bound = [folder.path, &[end]].concat();
            self.documents.partition_point(|document| {
                self.snapshot.path(self.snapshot.file_of(document.id)).as_os_str().as_bytes() < &bound[..]
            }) as u32
        };
        TreeFolder {
            path: PathBuf::from(OsStr::from_bytes(folder.path)),
            files: entries.iter().filter(|entry| entry.is_first).count() as u32,
            bytes: entries.iter().map(|entry| entry.bytes).sum(),
            share: self.sets.resemblance(member as usize, first as usize) as f32,
            differences: self.differences(folder, &self.folders[first as usize]),
            documents: number(b'/')..number(b'/' + 1),
        }
    }

    fn differences(&self, folder: &Folder, first: &Folder) -> Vec<TreeDifference> {
        let of = |folder: &Folder| -> BTreeMap<(&[u8], u32), Content> {
            let entries = self.entries[folder.entries.clone()].iter();
            entries
                .map(|entry| ((&entry.path[folder.path.len() + 1..], entry.record), entry.content))
                .collect()
        };
        let (own, other) = (of(folder), of(first));
        let keys: std::collections::BTreeSet<_> = own.keys().chain(other.keys()).copied().collect();
        let difference = |(path, record): (&[u8], u32)| {
            let kind = match (own.get(&(path, record)), other.get(&(path, record))) {
                (Some(a), Some(b)) if a == b => return None,
                (Some(_), Some(_)) => DifferenceKind::Changed,
                (Some(_), None) => DifferenceKind::Added,
                _ => DifferenceKind::Missing,
            };
            let path = PathBuf::from(OsStr::from_bytes(path));
            Some(TreeDifference { path, record: (record > 0).then_some(record), kind })
        };
        keys.into_iter().filter_map(difference).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Content;

    #[test]
    fn equal_hashes_of_texts_and_files_of_other_sizes_are_other_contents() {
        let texts = [(3, 7), (4, 7), (3, 8), (u32::MAX, u64::MAX)];
        let files = [(3, 7), (4, 7), (3, 8), (u64::MAX, 7)];
        let texts = texts.map(|(tokens, hash)| Content::from_text(tokens, hash));
        let files = files.map(|(size, hash)| Content::from_file(size, hash));
        let tokens = [&[7][..], &[7, 7]].map(Content::from_tokens);
        let all = [&texts[..], &files, &tokens].concat();
        for (at, content) in all.iter().enumerate() {
            assert!(!all[..at].contains(content), "{at}");
        }
    }
}
