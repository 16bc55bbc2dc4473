//! Files → rows: what lies in one folder, sorted as a view asks for it. A filter chooses files; folders are
//! shown with what is left of them.

use std::cmp::{Ordering, Reverse};
use std::path::Path;
use std::sync::Arc;

use super::documents::by_share;
use super::item::{FolderRow, Item};
use super::passages::Known;
use super::shares::Shares;
use super::{Listing, Sort, View};
use crate::passage::filter::pattern;
use crate::passage::folders::{NodeId, Sums};

/// The rows of folders and files, for one state of the taboo list.
pub struct FileRows {
    known: Arc<Known>,
    shares: Arc<Shares>,
    /// What lies in each folder and file of what passes the filter.
    filtered: Option<(String, Vec<Sums>)>,
}

impl FileRows {
    /// Nothing filtered yet.
    pub fn new(known: Arc<Known>, shares: Arc<Shares>) -> Self {
        Self { known, shares, filtered: None }
    }

    /// Lists the rows of a view. In a folder that is not there, nothing lies.
    pub fn list(&mut self, view: &View) -> Listing {
        self.filter(&view.filter);
        let (snapshot, folders) = (&self.known.snapshot, self.known.folders());
        let sums = self.filtered.as_ref().map_or(&self.shares.folders, |(_, sums)| sums);
        let of = |node: NodeId| sums[node.number()];
        let folder = folders.find(snapshot, &view.folder);
        let lie_in = folder.into_iter().flat_map(|folder| folders.children(folder));
        let mut found: Vec<NodeId> = lie_in.filter(|&node| of(node).documents > 0).collect();
        let path = |node: NodeId| folders.path(snapshot, node);
        let sort = view.sort.or_usual(view.of);
        found.sort_by(|&a, &b| order(sort, of(a), of(b)).then_with(|| path(a).cmp(path(b))));
        let row = |&node: &NodeId| Item::Folder(Arc::new(self.row(node, of(node))));
        let all = folder.map(of).unwrap_or_default();
        Listing {
            view: view.clone(),
            generation: snapshot.manifest().generation,
            rows: found.iter().take(view.wanted).map(row).collect(),
            complete: found.len() <= view.wanted,
            searched: 1.0,
            share: Some((all.duplicated, all.tokens)),
            ..Listing::default()
        }
    }

    /// The row of a folder or file, whatever the filter; none where no document lies.
    pub fn row_at(&self, path: &Path) -> Option<FolderRow> {
        let node = self.known.folders().find(&self.known.snapshot, path)?;
        Some(self.row(node, self.shares.folders[node.number()]))
    }

    fn row(&self, node: NodeId, sums: Sums) -> FolderRow {
        let folders = self.known.folders();
        let Sums { documents, tokens, duplicated, copies } = sums;
        let (path, is_folder) =
            (folders.path(&self.known.snapshot, node).to_owned(), folders.is_folder(node));
        FolderRow { path, is_folder, documents, tokens, duplicated, copies }
    }

    fn filter(&mut self, filter: &str) {
        if self.filtered.as_ref().is_some_and(|(of, _)| of == filter) {
            return;
        }
        self.filtered = pattern(filter).map(|words| {
            let (snapshot, folders) = (&self.known.snapshot, self.known.folders());
            let is_meant = |node| words.is_match(&folders.path(snapshot, node).to_string_lossy());
            (filter.to_owned(), folders.sums(&self.shares.documents, is_meant))
        });
    }
}

/// What comes first, but for the path.
fn order(sort: Sort, a: Sums, b: Sums) -> Ordering {
    let tokens = |sums: Sums| Reverse(sums.duplicated);
    let first = match sort {
        Sort::Tokens => Ordering::Equal,
        Sort::Copies => b.copies.cmp(&a.copies),
        Sort::Documents => b.documents.cmp(&a.documents),
        Sort::Path => return Ordering::Equal,
        _ => by_share((a.duplicated, a.tokens), (b.duplicated, b.tokens)),
    };
    first.then_with(|| tokens(a).cmp(&tokens(b)))
}
