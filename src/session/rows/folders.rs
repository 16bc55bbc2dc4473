//! Rows of folders and files: the contents of one folder. A filter selects files; the numbers of a folder are the sums
//! over its selected files.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::cmp::{Ordering, Reverse};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::documents::by_share;
use super::file_filter::{FileContents, documents_of};
use super::known_passages::KnownPassages;
use super::list_maker::{ListMaker, ListRequest};
use super::list_row::{FILE_IS_UNREADABLE, ListRow, PlaceSource, RowReaders, RowSource, part};
use super::shares::Shares;
use crate::preview::copy_places::CopyPlaces;
use crate::protocol::{ItemId, RowList, Sort, View};
use dupi_base::config::SavedFilters;
use dupi_base::storage::shown;
use dupi_index::index::IndexError;
use dupi_index::query::filter::{Problem, WordPattern};
use dupi_index::query::page::DocumentReader;
use dupi_passage::folders::{NodeId, Sums};
use dupi_report::{DocumentName, FolderShareRow, ReportRow, rounded};

/// A folder or file with the share of its tokens that lies in passages.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedFolder {
    /// Relative to the corpus's base.
    pub path: PathBuf,
    /// Whether it can be entered.
    pub is_folder: bool,
    /// The number of documents in it.
    pub documents: u64,
    /// The number of their tokens.
    pub tokens: u64,
    /// The number of their tokens that lie in passages.
    pub duplicated: u64,
    /// The number of copies of passages in it, without those that lie within longer ones.
    pub copies: u64,
}

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

    fn place(&self) -> Option<(&Path, bool)> {
        Some((&self.path, self.is_folder))
    }

    fn token_count(&self) -> u64 {
        self.duplicated
    }

    fn documents(&self) -> u64 {
        self.documents
    }

    fn copies(&self) -> Option<u64> {
        Some(self.copies)
    }

    fn share(&self) -> Option<f64> {
        Some(Self::share(self))
    }

    fn is_from_passages(&self) -> bool {
        true
    }

    fn needs_shares(&self) -> bool {
        true
    }

    fn places(&self, source: PlaceSource) -> Result<CopyPlaces, IndexError> {
        Ok(CopyPlaces::within(source.known, source.shares, &self.path, None))
    }

    fn why_empty(&self) -> Option<&'static str> {
        (!self.is_folder).then_some(FILE_IS_UNREADABLE)
    }

    fn export(&self, _: &RowSource, _: &mut RowReaders) -> Result<Vec<ReportRow>, IndexError> {
        Ok(vec![ReportRow::Folder(self.into())])
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

/// The rows of all folders and files, for one state of the taboo list.
pub(super) struct FolderRows {
    known: Arc<KnownPassages>,
    shares: Arc<Shares>,
    filtered: Option<FilteredFolders>,
}

/// What a filter selects.
struct FilteredFolders {
    /// The filter, and the saved filters that it can refer to.
    by: (String, Arc<SavedFilters>),
    problems: Vec<Problem>,
    /// The sums of each folder and file; `None` if all files are selected.
    sums: Option<Vec<Sums>>,
}

/// Makes the lists of folders and files.
#[derive(Default)]
pub(super) struct FolderListMaker(Option<FolderRows>);

impl<I: From<Arc<ListedFolder>>> ListMaker<I> for FolderListMaker {
    fn list(&mut self, request: &ListRequest<I>) -> Result<(), IndexError> {
        let Some((known, shares)) = request.shares_or_wait() else { return Ok(()) };
        let last = self.0.take().filter(|rows| Arc::ptr_eq(&rows.shares, &shares));
        let rows = self.0.insert(last.unwrap_or_else(|| FolderRows::new(known, shares)));
        request.send_newest(rows.list(request.view, request.is_overtaken)?);
        Ok(())
    }

    fn forget_passages(&mut self) {
        self.0 = None;
    }
}

impl FolderRows {
    /// Rows of which no list was made yet.
    pub(super) fn new(known: Arc<KnownPassages>, shares: Arc<Shares>) -> Self {
        Self { known, shares, filtered: None }
    }

    /// Lists the rows of a view; none for a folder that does not exist. A list that `is_cancelled` ends early is of no
    /// use.
    ///
    /// # Errors
    /// When the index is damaged.
    pub(super) fn list<I: From<Arc<ListedFolder>>>(
        &mut self,
        view: &View,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<RowList<I>, IndexError> {
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
        if view.is_reversed {
            found.reverse();
        }
        let row = |&node: &NodeId| I::from(Arc::new(self.row(node, of(node))));
        let all = folder.map(of).unwrap_or_default();
        Ok(RowList {
            view: view.clone(),
            generation: snapshot.manifest().generation,
            rows: found.iter().take(view.wanted).map(row).collect(),
            problems: filtered.map(|filtered| filtered.problems.clone()).unwrap_or_default(),
            complete: found.len() <= view.wanted,
            total: Some(found.len() as u64),
            searched: 1.0,
            share: Some((all.duplicated, all.tokens)),
            hidden: self.shares.hides,
            ..RowList::default()
        })
    }

    /// The row of a folder or file, without a filter; `None` if no document lies there.
    pub(super) fn row_at(&self, path: &Path) -> Option<ListedFolder> {
        let node = self.known.folders().find(&self.known.snapshot, path)?;
        Some(self.row(node, self.shares.folders[node.number()]))
    }

    fn row(&self, node: NodeId, sums: Sums) -> ListedFolder {
        let folders = self.known.folders();
        let Sums { documents, tokens, duplicated, copies } = sums;
        let (path, is_folder) =
            (folders.path(&self.known.snapshot, node).to_owned(), folders.is_folder(node));
        ListedFolder { path, is_folder, documents, tokens, duplicated, copies }
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
            let text = OnceCell::new();
            let read = || DocumentReader::new(&known.snapshot).text(path).unwrap_or_default().into_owned();
            let has_text = |_: usize, words: &WordPattern| Some(words.matches(text.get_or_init(read)));
            let lying = FileContents { known, blots: &blots, path, sources, sums, has_text: &has_text };
            !is_cancelled() && filter.verdict(&lying).unwrap_or(false)
        };
        let sums = (!filter.is_empty()).then(|| folders.sums(&self.shares.documents, is_meant));
        self.filtered = (!is_cancelled()).then_some(FilteredFolders { by: asked, problems, sums });
        Ok(())
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
