//! Rows of folders and files: the contents of one folder. A filter selects files; the numbers of a folder are the sums
//! over its selected files.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::cmp::{Ordering, Reverse};
use std::path::Path;
use std::sync::Arc;

use super::documents::by_share;
use super::list_maker::{Chosen, FilterKey, page};
use super::list_row::{CopySource, ListRow, RowFacts, RowReaders, part};
use super::overview::{FileContents, Overview, documents_of};
use crate::known::Found;
use crate::protocol::{Item, ItemId, ListedFolder, Listing, Sort, View};
use dupi_base::storage::shown;
use dupi_index::index::IndexError;
use dupi_index::query::filter::WordPattern;
use dupi_index::query::page::DocumentReader;
use dupi_judge::folders::{NodeId, Sums};
use dupi_report::{DocumentName, FolderShareRow, ReportRow, rounded};

impl ListedFolder {
    /// How much of it lies in passages, 0 to 1.
    pub fn share(&self) -> f64 {
        part(self.duplicated, self.tokens)
    }
}

impl ListRow for ListedFolder {
    fn id(&self) -> ItemId {
        ItemId::of_folder(&self.path)
    }

    fn text(&self) -> Cow<'_, str> {
        shown(&self.path).text()
    }

    fn facts(&self) -> RowFacts<'_> {
        RowFacts {
            place: Some((&self.path, self.is_folder)),
            tokens: self.duplicated,
            documents: self.documents,
            copies: Some(self.copies),
            share: Some(self.share()),
            source: CopySource::Within(&self.path, None),
            ..RowFacts::default()
        }
    }

    fn export(&self, _: &Found, _: &mut RowReaders) -> Result<Vec<Box<dyn ReportRow>>, IndexError> {
        Ok(vec![Box::new(FolderShareRow::from(self))])
    }
}

impl From<&ListedFolder> for FolderShareRow {
    fn from(row: &ListedFolder) -> Self {
        Self {
            path: DocumentName::new(&row.path, None),
            is_folder: row.is_folder,
            share: rounded(row.share()),
            duplicated: row.duplicated,
            tokens: row.tokens,
            copies: row.copies,
            documents: row.documents,
        }
    }
}

impl Overview {
    /// The row of a folder or file, without a filter; `None` if no document lies there.
    pub fn row(&self, path: &Path) -> Option<ListedFolder> {
        let node = self.known.folders().find(&self.known.snapshot, path)?;
        Some(self.folder(node, self.shares.folders[node.number()]))
    }

    /// Lists the contents of the view's folder; none of one that does not exist.
    pub(super) fn list_files(
        &mut self,
        view: &View,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Listing, IndexError> {
        let by = view.filter_key();
        let filtered = match self.files.take().filter(|filtered| filtered.by == by) {
            Some(filtered) => filtered,
            None => self.filter(by, view, is_cancelled)?,
        };
        let (snapshot, folders) = (&self.known.snapshot, self.known.folders());
        let sums = filtered.of.as_ref().unwrap_or(&self.shares.folders);
        let sums = |node: NodeId| sums[node.number()];
        let folder = folders.find(snapshot, &view.folder);
        let lie_in = folder.into_iter().flat_map(|folder| folders.children(folder));
        let mut all: Vec<NodeId> = lie_in.filter(|&node| sums(node).documents > 0).collect();
        let path = |node: NodeId| folders.path(snapshot, node);
        let sort = view.sort.or_usual(view.of);
        all.sort_by(|&a, &b| order(sort, sums(a), sums(b)).then_with(|| path(a).cmp(path(b))));
        let generation = snapshot.manifest().generation;
        let row = |node| Item::Folder(Arc::new(self.folder(node, sums(node))));
        let listing = page(view, generation, filtered.problems.clone(), &all, row);
        let whole = folder.map(sums).unwrap_or_default();
        self.files = (!is_cancelled()).then_some(filtered);
        Ok(Listing { share: Some((whole.duplicated, whole.tokens)), ..listing })
    }

    fn folder(&self, node: NodeId, sums: Sums) -> ListedFolder {
        let folders = self.known.folders();
        let Sums { documents, tokens, duplicated, copies } = sums;
        let (path, is_folder) =
            (folders.path(&self.known.snapshot, node).to_owned(), folders.is_folder(node));
        ListedFolder { path, is_folder, documents, tokens, duplicated, copies }
    }

    /// Sums the files that a filter selects.
    fn filter(
        &self,
        by: FilterKey,
        view: &View,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Chosen<FilterKey, Option<Vec<Sums>>>, IndexError> {
        let (filter, problems) = view.parsed();
        let (known, folders) = (&*self.known, self.known.folders());
        let blots = documents_of(&filter, &known.snapshot)?;
        let is_meant = |node: NodeId| {
            let (path, sources) = (folders.path(&known.snapshot, node), folders.sources_of(node));
            let sums = self.shares.folders[node.number()];
            let text = OnceCell::new();
            let read = || DocumentReader::new(&known.snapshot).text(path).unwrap_or_default().into_owned();
            let has_text = |_: usize, words: &WordPattern| Some(words.matches(text.get_or_init(read)));
            let lying = FileContents { known, blots: &blots, path, sources, sums, has_text: &has_text };
            !is_cancelled() && filter.verdict(&lying).unwrap_or(false)
        };
        let sums = (!filter.is_empty()).then(|| folders.sums(&self.shares.documents, is_meant));
        Ok(Chosen { by, problems, of: sums })
    }
}

/// The order of two rows whose paths are not compared.
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
