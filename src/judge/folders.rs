//! The folders and files of a snapshot as a tree, with sums over the contents of each.
//!
//! The nodes are sorted by path, each folder before its contents. So the contents of a folder are a range of nodes, and
//! all sums are computed in one pass from the last node to the first.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::ops::{AddAssign, Range};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rayon::prelude::*;

use super::passages::SourceDocument;
use super::shares::Share;
use dupi_base::parallel;
use dupi_index::index::snapshot::{DocumentId, FileId, Snapshot};

/// The tree of folders and files that contain documents.
pub struct Folders {
    nodes: Vec<Node>,
    /// The node of each source's file.
    of_source: Vec<u32>,
}

/// The number of a folder or file in its tree. The root is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(u32);

struct Node {
    /// The file, or a file in the folder.
    file: FileId,
    /// The length in bytes of the prefix of that file's path that is the path of this node.
    path_len: u32,
    parent: u32,
    /// The number after its last descendant.
    end: u32,
    documents: u32,
    tokens: u64,
    is_folder: bool,
}

/// Sums over a folder or file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// How many documents.
    pub documents: u64,
    /// How many tokens they have.
    pub tokens: u64,
    /// How many of the tokens are in passages.
    pub duplicated: u64,
    /// How many copies of passages the documents have.
    pub copies: u64,
}

impl Sums {
    /// The share of the tokens that are in passages.
    pub fn share(&self) -> f64 {
        self.duplicated as f64 / self.tokens.max(1) as f64
    }
}

impl AddAssign for Sums {
    fn add_assign(&mut self, other: Self) {
        self.documents += other.documents;
        self.tokens += other.tokens;
        self.duplicated += other.duplicated;
        self.copies += other.copies;
    }
}

impl Folders {
    /// The tree of a snapshot. For documents that were read for a search, the token counts of that reading are used.
    pub fn new(snapshot: &Snapshot, sources: &[SourceDocument]) -> Self {
        let read: HashMap<DocumentId, u32> =
            sources.iter().map(|source| (source.id, source.tokens)).collect();
        let table = |file: FileId| snapshot.segments()[file.segment as usize].segment().table();
        let has_documents = |file: &FileId| !table(*file).documents_of(file.file).is_empty();
        let mut files: Vec<FileId> = snapshot.files().filter(has_documents).collect();
        let bytes = |file: FileId| snapshot.path(file).as_os_str().as_bytes();
        files.par_sort_unstable_by_key(|&file| bytes(file));
        let Some(&first) = files.first() else { return Self { nodes: Vec::new(), of_source: Vec::new() } };
        let folder = |file, path_len, parent| Node {
            file,
            path_len,
            parent,
            end: 0,
            documents: 0,
            tokens: 0,
            is_folder: true,
        };
        let mut nodes = vec![folder(first, 0, 0)];
        let mut numbers: HashMap<FileId, u32> = HashMap::with_capacity(files.len());
        let mut open = vec![0_u32];
        for file in files {
            let path = bytes(file);
            let mut parent;
            loop {
                parent = open[open.len() - 1];
                let node = &nodes[parent as usize];
                let len = node.path_len as usize;
                if len == 0 || (path.get(len) == Some(&b'/') && path[..len] == bytes(node.file)[..len]) {
                    break;
                }
                open.pop();
                nodes[parent as usize].end = nodes.len() as u32;
            }
            let below = nodes[parent as usize].path_len as usize + 1;
            for (at, _) in path.iter().enumerate().skip(below).filter(|(_, byte)| **byte == b'/') {
                nodes.push(folder(file, at as u32, parent));
                parent = nodes.len() as u32 - 1;
                open.push(parent);
            }
            let documents = table(file).documents_of(file.file);
            let tokens = documents.clone().map(|document| {
                let id = DocumentId { segment: file.segment, document };
                u64::from(read.get(&id).copied().unwrap_or_else(|| snapshot.document(id).tokens))
            });
            let end = nodes.len() as u32 + 1;
            numbers.insert(file, end - 1);
            let (tokens, documents) = (tokens.sum(), documents.len() as u32);
            let path_len = path.len() as u32;
            nodes.push(Node { file, path_len, parent, end, documents, tokens, is_folder: false });
        }
        let end = nodes.len() as u32;
        open.into_iter().for_each(|folder| nodes[folder as usize].end = end);
        let of_source = sources.iter().map(|source| numbers[&snapshot.file_of(source.id)]).collect();
        Self { nodes, of_source }
    }

    /// The sums of each folder and file, over the files for which `meant` is true.
    pub fn sums(&self, shares: &[Share], meant: impl Fn(NodeId) -> bool + Sync) -> Vec<Sums> {
        let is_meant = |number: usize| !self.nodes[number].is_folder && meant(NodeId(number as u32));
        let is_meant: Vec<bool> = parallel::map_numbers(self.nodes.len(), is_meant);
        let mut sums = vec![Sums::default(); self.nodes.len()];
        for (share, &node) in shares.iter().zip(&self.of_source) {
            let sum = &mut sums[node as usize];
            sum.duplicated += u64::from(share.duplicated);
            sum.copies += u64::from(share.copies);
        }
        for (number, node) in self.nodes.iter().enumerate().rev() {
            if !node.is_folder {
                if !is_meant[number] {
                    sums[number] = Sums::default();
                    continue;
                }
                sums[number].documents = u64::from(node.documents);
                sums[number].tokens = node.tokens;
            }
            if number > 0 {
                let sum = sums[number];
                sums[node.parent as usize] += sum;
            }
        }
        sums
    }

    /// The folder or file at a path; the empty path is the root.
    pub fn find(&self, snapshot: &Snapshot, path: &Path) -> Option<NodeId> {
        let wanted = path.as_os_str().as_bytes();
        let mut at = NodeId(0);
        (!self.nodes.is_empty()).then_some(())?;
        while self.path(snapshot, at).as_os_str().len() < wanted.len() {
            at = self.children(at).find(|&child| {
                let path = self.path(snapshot, child).as_os_str().as_bytes();
                wanted.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
            })?;
        }
        Some(at)
    }

    /// The direct contents of a folder.
    pub fn children(&self, of: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut next = of.0 + 1;
        let end = self.nodes[of.0 as usize].end;
        std::iter::from_fn(move || {
            let child = NodeId(next);
            (next < end).then(|| {
                next = self.nodes[next as usize].end;
                child
            })
        })
    }

    /// The path of a folder or file, relative to the corpus's base.
    pub fn path<'s>(&self, snapshot: &'s Snapshot, of: NodeId) -> &'s Path {
        let node = &self.nodes[of.0 as usize];
        let bytes = snapshot.path(node.file).as_os_str().as_bytes();
        Path::new(OsStr::from_bytes(&bytes[..node.path_len as usize]))
    }

    /// Whether it is a folder.
    pub fn is_folder(&self, of: NodeId) -> bool {
        self.nodes[of.0 as usize].is_folder
    }

    /// The numbers of the sources in a file.
    pub fn sources_of(&self, file: NodeId) -> Range<u32> {
        // Nodes and sources are both sorted by path.
        let start = self.of_source.partition_point(|&of| of < file.0);
        let end = self.of_source.partition_point(|&of| of <= file.0);
        start as u32..end as u32
    }
}

impl NodeId {
    /// The index of its sums.
    pub fn number(self) -> usize {
        self.0 as usize
    }
}
