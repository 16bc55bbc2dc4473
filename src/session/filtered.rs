//! A filter asked of rows that know all of themselves: documents, folders and taboo texts; and what
//! belongs to the passages that it names, for rows of any kind.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::item::{DocumentRow, Item};
use super::passages::Known;
use crate::blot::{Blot, tiles_of};
use crate::passage::copy::Standing;
use crate::passage::filter::BlotsOf;
use crate::passage::found::{Passage, PassageId};
use crate::query::filter::{Fact, Facts, FileTest, Filter, Quantity, State, Words, percent};
use crate::query::page::Reader;

/// The documents of the passages that a filter names, by file and record.
#[derive(Debug, Default)]
pub struct Belonging {
    documents: HashMap<u64, HashSet<(PathBuf, u32)>>,
}

/// A row, and what belongs to passages.
struct Whole<'a> {
    item: &'a Item,
    belonging: &'a Belonging,
}

impl Belonging {
    /// What belongs to the passages that a filter names, as far as they are found.
    pub fn of(filter: &Filter, known: Option<&Known>) -> Self {
        let documents = |known: &Known, passage: &Passage| {
            let document = |source: u32| {
                let id = known.passages.sources[source as usize].id;
                let path = known.snapshot.path(known.snapshot.file_of(id));
                (path.to_owned(), known.snapshot.document(id).record)
            };
            passage.copies.iter().map(|spot| document(spot.source)).collect()
        };
        Self { documents: of_each(filter, known, documents) }
    }

    /// The blots of the passages that a filter names, as far as they are found.
    pub fn blots_of(filter: &Filter, known: Option<&Known>) -> BlotsOf {
        of_each(filter, known, |known, passage| {
            let (snapshot, mut reader) = (&known.snapshot, Reader::new(&known.snapshot));
            let mut blots: HashSet<Blot> = HashSet::new();
            if let Some(standing) = Standing::of(snapshot, &mut reader, &known.passages.sources, passage) {
                tiles_of(standing.tokens.into_iter(), &snapshot.manifest().recipe, |tile| {
                    blots.insert(tile.blot);
                });
            }
            blots
        })
    }

    fn has(&self, passage: u64, is_it: impl Fn(&Path, u32) -> bool) -> bool {
        let documents = self.documents.get(&passage);
        documents.is_some_and(|documents| documents.iter().any(|(path, record)| is_it(path, *record)))
    }
}

fn of_each<T>(filter: &Filter, known: Option<&Known>, of: impl Fn(&Known, &Passage) -> T) -> HashMap<u64, T> {
    let found = |known: &Known, id: u64| Some((id, of(known, known.get(PassageId(id))?)));
    filter.passages().into_iter().filter_map(|id| found(known?, id)).collect()
}

/// Whether a document, a folder or a taboo text passes a filter. Its text is the text of a taboo entry;
/// documents and folders have none but their path.
pub fn passes(filter: &Filter, item: &Item, belonging: &Belonging) -> bool {
    filter.verdict(&Whole { item, belonging }).unwrap_or(false)
}

impl Whole<'_> {
    fn path(&self) -> Option<&Path> {
        match self.item {
            Item::Document(document) => Some(&document.path),
            Item::Folder(folder) => Some(&folder.path),
            Item::Row(_) | Item::Passage(_) | Item::Taboo(_) => None,
        }
    }
}

impl Facts for Whole<'_> {
    fn number(&self, of: Quantity) -> Fact<u64> {
        match of {
            Quantity::Copies => self.item.copies().into(),
            Quantity::Documents => Fact::Is(self.item.documents()),
            Quantity::Tokens => Fact::Is(self.item.tokens()),
            Quantity::Share => self.item.share().map(percent).into(),
            Quantity::Score | Quantity::Alike => Fact::Nothing,
        }
    }

    fn state(&self) -> Fact<State> {
        Fact::Is(if matches!(self.item, Item::Taboo(_)) { State::Taboo } else { self.item.state() })
    }

    fn belongs_to(&self, passage: u64) -> Option<bool> {
        Some(match self.item {
            Item::Passage(row) => row.id == PassageId(passage),
            Item::Document(document) => {
                let DocumentRow { path, record, .. } = &**document;
                self.belonging.has(passage, |of, number| of == path && number == record.unwrap_or(0))
            }
            Item::Folder(folder) => self.belonging.has(passage, |of, _| of.starts_with(&folder.path)),
            Item::Row(_) | Item::Taboo(_) => false,
        })
    }

    fn has_file(&self, _: usize, test: &FileTest) -> Option<bool> {
        let Some(path) = self.path() else {
            // Of a taboo text, the language it was found in is known, and no file.
            let FileTest::Language(wanted) = test else { return Some(false) };
            return Some(wanted.iter().any(|language| self.item.language() == Some(language.name())));
        };
        let language = || match (self.item.language(), test) {
            (Some(own), FileTest::Language(wanted)) => wanted.iter().any(|language| language.name() == own),
            _ => false,
        };
        Some(language() || test.holds(path, &mut String::new))
    }

    fn has_text(&self, _: usize, words: &Words) -> Option<bool> {
        Some(match self.item {
            Item::Taboo(taboo) => words.are_like(&taboo.entry.text),
            Item::Row(row) => words.are_like(&row.text),
            Item::Passage(passage) => words.are_like(&passage.text),
            Item::Document(_) | Item::Folder(_) => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::SavedFilters;
    use crate::query::filter::parse;
    use crate::session::item::{FolderRow, TabooRow};
    use crate::taboo::Entry;

    #[test]
    fn documents_folders_and_taboo_texts_pass_by_what_they_are() {
        let path = PathBuf::from("src/fs/inode.c");
        let document = Item::Document(Arc::new(DocumentRow {
            path: path.clone(),
            record: Some(2),
            tokens: 100,
            duplicated: 60,
            copies: 3,
            partner: None,
            language: Some("C".to_owned()),
        }));
        let folder = Item::Folder(Arc::new(FolderRow {
            path: "src/fs".into(),
            is_folder: true,
            documents: 7,
            tokens: 100,
            duplicated: 20,
            copies: 9,
        }));
        let entry = Entry {
            text: "all rights reserved".to_owned(),
            added: jiff::civil::date(2026, 1, 2),
            reason: None,
            language: None,
        };
        let taboo = Item::Taboo(Arc::new(TabooRow { entry, tokens: 3, hides: None }));
        let belonging = Belonging { documents: [(7, [(path, 2)].into())].into() };
        for (filter, expected) in [
            ("path:src", [true, true, false]),
            ("share:>50", [true, false, false]),
            ("lang:c", [true, false, false]),
            ("docs:>5 copies:9", [false, true, false]),
            ("passage:0000000000000007", [true, true, false]),
            ("passage:0000000000000008", [false, false, false]),
            ("is:taboo rigts", [false, false, true]),
            ("copies:<5", [true, false, false]),
            ("-is:near -is:equal -src", [false, false, true]),
        ] {
            let (filter, problems) = parse(filter, &SavedFilters::default());
            assert_eq!(problems, []);
            let found = [&document, &folder, &taboo].map(|item| passes(&filter, item, &belonging));
            assert_eq!(found, expected, "{filter:?}");
        }
    }
}
