//! What the tests of this room share: entries, and a place with folders of decisions.

use super::accepted::AcceptedEntry;
use super::accepted_id::AcceptedId;
use super::entry::{TabooEntry, TabooList};
use super::folders::{DecisionFolders, TabooScope};
use dupi_base::storage::Folder;

/// A taboo text.
pub(super) fn entry(text: &str) -> TabooEntry {
    TabooEntry { text: text.to_owned(), added: jiff::civil::date(2026, 1, 2), reason: None, language: None }
}

/// An accepted passage.
pub(super) fn accepted(passage: u64, copies: u64) -> AcceptedEntry {
    AcceptedEntry {
        of: AcceptedId::Passage(passage),
        text: "x".into(),
        copies,
        fix: false,
        texts: Default::default(),
        added: jiff::civil::date(2026, 1, 2),
        reason: None,
    }
}

/// The folders of a corpus and of its user.
pub(super) struct Place {
    folder: tempfile::TempDir,
    pub(super) folders: DecisionFolders,
}

impl Place {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| Folder::new(folder.path().join(name));
        let folders = DecisionFolders { corpus: at("corpus"), user: Some(at("user")) };
        Self { folder, folders }
    }

    /// With texts in the corpus's taboo list.
    pub(super) fn with(texts: &[&str]) -> Self {
        let place = Self::new();
        texts.iter().for_each(|text| place.add(TabooScope::Corpus, text));
        place
    }

    /// The folders of another corpus of the same user.
    pub(super) fn other_corpus(&self) -> DecisionFolders {
        DecisionFolders { corpus: Folder::new(self.folder.path().join("other")), ..self.folders.clone() }
    }

    /// The folder of all of them.
    pub(super) fn path(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// The folder of the corpus.
    pub(super) fn home(&self) -> &Folder {
        &self.folders.corpus
    }

    pub(super) fn add(&self, scope: TabooScope, text: &str) {
        assert!(self.folders.edit_taboo(scope, |list| list.add(entry(text))).unwrap().1);
    }

    /// Changes the corpus's taboo list.
    pub(super) fn edit<T>(&self, change: impl FnOnce(&mut TabooList) -> T) {
        TabooList::edit(self.home(), change).unwrap();
    }

    /// The texts of the corpus's list and of the user's.
    pub(super) fn texts(&self) -> [String; 2] {
        texts(&self.folders)
    }
}

/// The texts of a corpus's list and of the user's.
pub(super) fn texts(folders: &DecisionFolders) -> [String; 2] {
    [TabooScope::Corpus, TabooScope::User].map(|scope| {
        let list = TabooList::load(folders.folder(scope).unwrap()).unwrap();
        list.entries().iter().map(|entry| entry.text.as_str()).collect::<Vec<_>>().join(" ")
    })
}
