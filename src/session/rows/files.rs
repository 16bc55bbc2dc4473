//! Files → rows: what lies in one folder, sorted as a view asks for it. A filter chooses files; folders are
//! shown with what is left of them.

use std::cmp::{Ordering, Reverse};
use std::path::Path;
use std::sync::Arc;

use super::documents::by_share;
use super::file_filter::{Lying, documents_of};
use super::known::Known;
use super::shares::Shares;
use crate::config::SavedFilters;
use crate::index::IndexError;
use crate::passage::folders::{NodeId, Sums};
use crate::query::filter::Problem;
use crate::session::protocol::{FolderRow, Item, Listing, Sort, View};

/// The rows of folders and files, for one state of the taboo list.
pub struct FileRows {
    known: Arc<Known>,
    shares: Arc<Shares>,
    filtered: Option<Filtered>,
}

/// What a filter leaves.
struct Filtered {
    /// The filter, and the saved ones that it may name.
    by: (String, Arc<SavedFilters>),
    problems: Vec<Problem>,
    /// What lies in each folder and file, when it is not all.
    sums: Option<Vec<Sums>>,
}

impl FileRows {
    /// Nothing filtered yet.
    pub fn new(known: Arc<Known>, shares: Arc<Shares>) -> Self {
        Self { known, shares, filtered: None }
    }

    /// Lists the rows of a view. In a folder that is not there, nothing lies. What `is_cancelled` ends early
    /// holds for nothing.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn list(
        &mut self,
        view: &View,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Listing, IndexError> {
        self.filter(view, is_cancelled)?;
        let (snapshot, folders) = (&self.known.snapshot, self.known.folders());
        let filtered = self.filtered.as_ref();
        let sums = filtered.and_then(|filtered| filtered.sums.as_ref()).unwrap_or(&self.shares.folders);
        let of = |node: NodeId| sums[node.number()];
        let folder = folders.find(snapshot, &view.folder);
        let lie_in = folder.into_iter().flat_map(|folder| folders.children(folder));
        let mut found: Vec<NodeId> = lie_in.filter(|&node| of(node).documents > 0).collect();
        let path = |node: NodeId| folders.path(snapshot, node);
        let sort = view.sort.or_usual(view.of);
        found.sort_by(|&a, &b| order(sort, of(a), of(b)).then_with(|| path(a).cmp(path(b))));
        let row = |&node: &NodeId| Item::Folder(Arc::new(self.row(node, of(node))));
        let all = folder.map(of).unwrap_or_default();
        Ok(Listing {
            view: view.clone(),
            generation: snapshot.manifest().generation,
            rows: found.iter().take(view.wanted).map(row).collect(),
            problems: filtered.map(|filtered| filtered.problems.clone()).unwrap_or_default(),
            complete: found.len() <= view.wanted,
            searched: 1.0,
            share: Some((all.duplicated, all.tokens)),
            ..Listing::default()
        })
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

    fn filter(&mut self, view: &View, is_cancelled: &(dyn Fn() -> bool + Sync)) -> Result<(), IndexError> {
        let asked = (view.filter.clone(), Arc::clone(&view.saved));
        if self.filtered.as_ref().is_some_and(|filtered| filtered.by == asked) {
            return Ok(());
        }
        let (filter, problems) = view.parsed();
        let (known, folders) = (&*self.known, self.known.folders());
        let blots = documents_of(&filter, &known.snapshot)?;
        let is_meant = |node: NodeId| {
            let (path, sources) = (folders.path(&known.snapshot, node), folders.sources_of(node));
            let sums = self.shares.folders[node.number()];
            let lying = Lying { known, blots: &blots, path, sources, sums };
            !is_cancelled() && lying.passes(&filter)
        };
        let sums = (!filter.is_empty()).then(|| folders.sums(&self.shares.documents, is_meant));
        self.filtered = (!is_cancelled()).then_some(Filtered { by: asked, problems, sums });
        Ok(())
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
