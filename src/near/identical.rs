//! Identical documents and folders, from the document table of the index.
//!
//! The table has sizes, and hashes of 64 bits of the bytes of each file and of the text of each document. With them,
//! equal bytes and equal texts are known without reading. Texts that differ can have the same tokens, as they can
//! differ in case and in spaces: these are read, one document of each text, if another text has as many tokens and, as far
//! as sketches are kept, the same shingles, and compared by hashes of 127 bits. Files that changed since they were indexed are read if they seemed to be identical
//! to others, or if they are in a row of folders.
//!
//! Among a million different texts, two have the same hash of 64 bits with a probability of 3 in 100 million, if nobody
//! makes texts for that purpose. So what is identical is not proved here; who deletes files compares their bytes.

use std::collections::{HashMap, HashSet};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::SearchError;
use crate::clusters::Similarity;
use crate::error::NearError;
use crate::found::Found;
use crate::pairs::Equal;
use crate::settings::{Identity, Query};
use crate::trees::{self, Content, TreeCluster};
use dupi_base::corpus::{self, Stamp};
use dupi_base::parallel;
use dupi_index::index::snapshot::{DocumentId, FileId, Snapshot};
use dupi_index::query::documents::{Document, Made, ReadDocument, map};

pub(super) fn find(query: &Query, identity: Identity) -> Result<Found, NearError> {
    let read = read_by(query.snapshot, identity);
    let prints = prints(&Query { tick: &|share| (query.tick)(share * 0.8), ..*query }, &read)?;
    found(query, prints, identity)
}

/// The documents that are read, because the index does not tell whether they are equal to others.
pub(super) fn read_by(snapshot: &Snapshot, identity: Identity) -> HashSet<DocumentId> {
    match identity {
        Identity::Bytes => HashSet::new(),
        Identity::Tokens => {
            let documents = documents(snapshot);
            may_be_equal(snapshot, firsts(&documents).values().copied())
        }
    }
}

/// The contents of some documents by their tokens.
pub(super) fn prints(query: &Query, read: &HashSet<DocumentId>) -> Result<Made<Content>, SearchError> {
    let Query { snapshot, settings, tick } = *query;
    map(snapshot, settings.memory, tick, |id| read.contains(&id), |read| Content::from_tokens(read.tokens))
}

/// What is identical, given the contents of those documents that are read.
pub(super) fn found(query: &Query, prints: Made<Content>, identity: Identity) -> Result<Found, NearError> {
    let Query { snapshot, settings, tick } = *query;
    let Made { documents: prints, mut too_large } = prints;
    let prints: HashMap<DocumentId, Content> =
        prints.into_iter().map(|(document, content)| (document.id, content)).collect();
    let indexed = documents(snapshot);
    let by_index = match identity {
        Identity::Bytes => indexed.iter().map(|of| bytes_of(snapshot, of)).collect(),
        Identity::Tokens => tokens_of(&indexed, &prints),
    };
    let of_groups: Vec<u32> = groups(&indexed, &by_index).into_iter().flatten().collect();
    let mut changed = changed(snapshot, &indexed, of_groups.into_iter());
    // Changed files make other rows of folders, in which more files may have changed.
    let (documents, contents, trees, unread) = loop {
        let (documents, contents, unread) = match changed.is_empty() {
            true => (indexed.clone(), by_index.clone(), 0),
            false => reread(query, identity, (&indexed, &by_index), &changed)?,
        };
        tick(0.9)?;
        let trees = match settings.clusters {
            true => trees::find(&Query { tick: &|_| tick(0.9), ..*query }, &documents, &contents, identity)?,
            false => Vec::new(),
        };
        let of_trees =
            trees.iter().flat_map(|tree| &tree.folders).flat_map(|folder| folder.documents.clone());
        let mut more = self::changed(snapshot, &documents, of_trees);
        more.retain(|file| !changed.contains(file));
        if more.is_empty() {
            break (documents, contents, trees, unread);
        }
        changed.extend(more);
    };
    too_large += unread;
    let equal = Equal { groups: groups(&documents, &contents), ..Equal::default() };
    let none = Similarity { of: &|_, _| 0.0, size: &|_| 1 };
    let query = Query { tick: &|share| tick(0.95 + share * 0.05), ..*query };
    let mut found = Found::new(&query, documents, equal, Vec::new(), &none)?;
    mark_in_trees(snapshot, &mut found, &trees);
    Ok(Found { trees, too_large, ..found })
}

/// The documents with their contents, as the index has them except for those of changed files, which are read. Also how
/// many files were too large to read.
fn reread(
    query: &Query,
    identity: Identity,
    (documents, contents): (&[Document], &[Content]),
    changed: &HashSet<FileId>,
) -> Result<(Vec<Document>, Vec<Content>, u64), SearchError> {
    let Query { snapshot, settings, tick } = *query;
    let is_changed = |id: DocumentId| changed.contains(&snapshot.file_of(id));
    let make = |read: &ReadDocument| content_now(snapshot, read, identity);
    let now = map(snapshot, settings.memory, &|_| tick(0.8), is_changed, make)?;
    let known: HashMap<u64, Content> = known_texts(documents, contents, is_changed);
    let read: HashMap<DocumentId, (Document, Content)> = now
        .documents
        .into_iter()
        .filter_map(|(document, read)| Some((document.id, (document, read?))))
        .collect();
    let of = |(before, content): (&Document, &Content)| match read.get(&before.id) {
        None => (!is_changed(before.id)).then_some((*before, *content)),
        Some((now, by_reading)) if identity == Identity::Tokens => {
            Some((*now, known.get(&now.text).copied().unwrap_or(*by_reading)))
        }
        Some((now, by_reading)) => Some((*now, *by_reading)),
    };
    let (documents, contents) = documents.iter().zip(contents).filter_map(of).unzip();
    Ok((documents, contents, now.too_large))
}

/// All documents, sorted by path and record.
fn documents(snapshot: &Snapshot) -> Vec<Document> {
    let mut files: Vec<FileId> = snapshot.texts().collect();
    parallel::sort_by_cached_key(&mut files, |&file| snapshot.path(file).as_os_str());
    let of = |file: FileId| {
        let segment = file.segment;
        let numbers = snapshot.segment(segment).table().documents_of(file.file);
        numbers.map(move |document| Document::indexed(snapshot, DocumentId { segment, document }))
    };
    files.into_iter().flat_map(of).collect()
}

/// The documents with equal contents, ascending, and the groups by their first document. Those without tokens are in
/// none.
fn groups(documents: &[Document], contents: &[Content]) -> Vec<Vec<u32>> {
    let mut order: Vec<u32> =
        (0..documents.len() as u32).filter(|&number| documents[number as usize].tokens > 0).collect();
    order.par_sort_unstable_by_key(|&number| (contents[number as usize], number));
    let equal = order.chunk_by(|&a, &b| contents[a as usize] == contents[b as usize]);
    let mut groups: Vec<Vec<u32>> = equal.filter(|group| group.len() > 1).map(<[u32]>::to_vec).collect();
    groups.par_sort_unstable();
    groups
}

fn bytes_of(snapshot: &Snapshot, of: &Document) -> Content {
    let row = snapshot.document(of.id);
    match row.record {
        0 => Content::from_file(of.bytes, snapshot.segment(of.id.segment).table().file(row.file).hash),
        _ => Content::from_text(row.tokens, row.key),
    }
}

/// The contents of documents by their tokens, given those of the documents that were read. Equal texts have equal contents.
fn tokens_of(documents: &[Document], prints: &HashMap<DocumentId, Content>) -> Vec<Content> {
    let firsts = firsts(documents);
    let of = |document: &Document| {
        let by_text = Content::from_text(document.tokens, document.text);
        firsts.get(&document.text).and_then(|first| prints.get(&first.id)).copied().unwrap_or(by_text)
    };
    documents.iter().map(of).collect()
}

/// The first document of each text.
fn firsts(documents: &[Document]) -> HashMap<u64, &Document> {
    let mut firsts: HashMap<u64, &Document> = HashMap::new();
    for document in documents {
        firsts.entry(document.text).or_insert(document);
    }
    firsts
}

/// Those of some documents with different texts that may have the same tokens as another one: they have as many, and the
/// same bag of shingles as far as sketches tell it.
fn may_be_equal<'a>(
    snapshot: &Snapshot,
    documents: impl Iterator<Item = &'a Document> + Clone,
) -> HashSet<DocumentId> {
    let sketches: Vec<_> = snapshot.segments().iter().map(|live| live.sketches().ok().flatten()).collect();
    let bag = |of: &Document| {
        let sketch = sketches[of.id.segment as usize]?.get(of.id.document)?;
        Some((of.tokens, sketch.bag))
    };
    let with_tokens = documents.filter(|of| of.tokens > 0);
    // For each number of tokens how many texts have it, and how many of these have no sketch.
    let mut counts: HashMap<u32, (u32, u32)> = HashMap::new();
    let mut bags: HashMap<(u32, u128), u32> = HashMap::new();
    for of in with_tokens.clone() {
        let bag = bag(of);
        let (all, unknown) = counts.entry(of.tokens).or_default();
        *all += 1;
        *unknown += u32::from(bag.is_none());
        if let Some(bag) = bag {
            *bags.entry(bag).or_default() += 1;
        }
    }
    let is_read = |of: &&Document| {
        let (all, unknown) = counts[&of.tokens];
        all > 1 && (unknown > 0 || bag(of).is_none_or(|bag| bags[&bag] > 1))
    };
    with_tokens.filter(is_read).map(|of| of.id).collect()
}

/// The contents of texts in files that did not change.
fn known_texts(
    documents: &[Document],
    contents: &[Content],
    is_changed: impl Fn(DocumentId) -> bool,
) -> HashMap<u64, Content> {
    let unchanged = documents.iter().zip(contents).filter(|(of, _)| !is_changed(of.id));
    unchanged.map(|(of, content)| (of.text, *content)).collect()
}

/// The content of a document as it is now; `None` if its file changed again since it was read.
fn content_now(snapshot: &Snapshot, read: &ReadDocument, identity: Identity) -> Option<Content> {
    let manifest = snapshot.manifest();
    match identity {
        Identity::Tokens => Some(Content::from_tokens(read.tokens)),
        Identity::Bytes if snapshot.document(read.document.id).record == 0 => {
            let path = manifest.corpus.absolute(snapshot.path(snapshot.file_of(read.document.id)));
            file_now(&path, manifest.rules.max_filesize, read.stamp)
        }
        Identity::Bytes => Some(Content::from_text(read.document.tokens, read.document.text)),
    }
}

/// The content of a file of at most `max` bytes, if it has this stamp.
fn file_now(path: &Path, max: u64, stamp: Stamp) -> Option<Content> {
    let (hash, now) = corpus::hash(path, max).ok()?;
    (now == stamp).then(|| Content::from_file(stamp.size, hash))
}

/// The files of some documents, given by their numbers, that changed since they were indexed.
fn changed(
    snapshot: &Snapshot,
    documents: &[Document],
    numbers: impl Iterator<Item = u32>,
) -> HashSet<FileId> {
    let mut files: Vec<FileId> =
        numbers.map(|number| snapshot.file_of(documents[number as usize].id)).collect();
    files.sort_unstable();
    files.dedup();
    let corpus = &snapshot.manifest().corpus;
    let is_changed = |file: &FileId| {
        let table = snapshot.segment(file.segment).table();
        corpus::stamp(&corpus.absolute(snapshot.path(*file))) != Some(table.stamp(file.file))
    };
    parallel::flat_map(&files, |file| is_changed(file).then_some(*file)).into_iter().collect()
}

/// Marks the clusters that say nothing which the rows of folders do not say: all members lie in the folders of one row,
/// at the same place in each.
fn mark_in_trees(snapshot: &Snapshot, found: &mut Found, trees: &[TreeCluster]) {
    // For each document the rows in whose folders it lies, and its place in these.
    let mut places: HashMap<u32, Vec<(usize, u64)>> = HashMap::new();
    for (row, tree) in trees.iter().enumerate() {
        for folder in &tree.folders {
            let len = folder.path.as_os_str().len() + 1;
            for number in folder.documents.clone() {
                let id = found.documents[number as usize].id;
                let below = &snapshot.path(snapshot.file_of(id)).as_os_str().as_bytes()[len..];
                let place = [below, &[0], &snapshot.document(id).record.to_le_bytes()].concat();
                places.entry(number).or_default().push((row, xxh3_64(&place)));
            }
        }
    }
    for cluster in &mut found.clusters {
        let mut members = cluster.members.iter().map(|member| places.get(&member.document));
        let first = members.next().flatten();
        let mut shared: Vec<(usize, u64)> = first.cloned().unwrap_or_default();
        members.for_each(|others| shared.retain(|place| others.is_some_and(|others| others.contains(place))));
        cluster.is_in_trees = !shared.is_empty();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changed_again_since_it_was_read_has_no_content() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().join("file");
        std::fs::write(&at, "text").unwrap();
        let stamp = corpus::stamp(&at).unwrap();
        assert_eq!(file_now(&at, 100, stamp), Some(Content::from_file(4, xxh3_64(b"text"))));
        assert_eq!(file_now(&at, 3, stamp), None);
        std::fs::write(&at, "other text").unwrap();
        assert_eq!(file_now(&at, 100, stamp), None);
        std::fs::remove_file(&at).unwrap();
        assert_eq!(file_now(&at, 100, stamp), None);
    }
}
