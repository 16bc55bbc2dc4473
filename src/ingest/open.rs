//! Opens or builds the index of a corpus according to the options.

use std::collections::{HashMap, HashSet};

use super::progress::{Observer, Options};
use super::update::{UpdateError, Updater};

use dupi_base::corpus::{self, Corpus, Formats, WalkRules};
use dupi_index::index::IndexError;
use dupi_index::index::manifest::Manifest;
use dupi_index::index::ranking::Ranking;
use dupi_index::index::search::SearchError;
use dupi_index::index::sketches::SketchRows;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::index::writer::{Commit, IndexWriter};
use dupi_index::query::documents::{ReadDocument, map, sketch_of};
use dupi_text::blot::Recipe;
use dupi_text::sketch::Sketch;
use dupi_text::token::LEXING_VERSION;

/// The result of opening an index.
pub enum Opened {
    /// The index, ready to be brought up to date.
    Ready(Box<Updater>),
    /// The index was built with another recipe than the requested one. It can be used as it is.
    Mismatch {
        /// The existing index.
        updater: Box<Updater>,
        /// A sentence that names both recipes.
        sentence: String,
    },
}

impl Options {
    /// Opens the index for writing, or builds it if there is none.
    pub fn open(&self, corpus: &Corpus) -> Result<Opened, UpdateError> {
        self.check_apart(corpus)?;
        match IndexWriter::open(&self.home) {
            Err(IndexError::Absent(_)) => self.build(corpus, None).map(Opened::Ready),
            opened => self.open_with(corpus, opened?),
        }
    }

    /// After the index was removed: opens the one that another process built since then, or builds one like the old
    /// one.
    pub fn open_after_loss(&self, corpus: &Corpus, old: &Manifest) -> Result<Opened, UpdateError> {
        match IndexWriter::open(&self.home) {
            // Parts of the removed index may be left.
            Err(IndexError::Absent(_) | IndexError::Damaged { .. }) => {
                self.build(corpus, Some(old)).map(Opened::Ready)
            }
            opened => self.open_with(corpus, opened?),
        }
    }

    /// Applies the options to an existing index, and rebuilds it only if the corpus, the formats or the lexers changed.
    fn open_with(&self, corpus: &Corpus, mut writer: IndexWriter) -> Result<Opened, UpdateError> {
        let manifest = writer.snapshot().manifest();
        let rules = self.rules.clone().unwrap_or_else(|| manifest.rules.clone());
        let formats = self.formats.clone().unwrap_or_else(|| manifest.formats.clone());
        let is_lexed = manifest.lexing == LEXING_VERSION;
        if formats != manifest.formats || *corpus != manifest.corpus || !is_lexed {
            // With other formats, other roots or other tokens, the old documents are invalid.
            let (recipe, old) = (self.recipe.apply(manifest.recipe), manifest.clone());
            drop(writer);
            return self.create(corpus, rules, formats, recipe, Some(&old)).map(Opened::Ready);
        }
        let (has, wants) = (manifest.recipe, self.recipe.apply(manifest.recipe));
        if rules != manifest.rules {
            // Invalid rules must not be saved: every later run would fail.
            corpus::check(corpus, &rules)?;
            writer.commit(Commit { rules: Some((rules, formats)), ..Commit::default() })?;
        }
        if self.sketches.is_some_and(|sketches| sketches != writer.snapshot().manifest().sketches) {
            writer.commit(Commit { sketches: self.sketches, ..Commit::default() })?;
        }
        let updater = Box::new(Updater::new(writer, self)?);
        Ok(if has == wants {
            Opened::Ready(updater)
        } else {
            let sentence = format!("the index was built with {has}; you ask for {wants}");
            Opened::Mismatch { updater, sentence }
        })
    }

    /// Builds a new index with the options, and with the settings of the old index where they are open.
    pub fn build(&self, corpus: &Corpus, old: Option<&Manifest>) -> Result<Box<Updater>, UpdateError> {
        let rules = self.rules.clone().or_else(|| old.map(|old| old.rules.clone())).unwrap_or_default();
        let formats = self.formats.clone().or_else(|| old.map(|old| old.formats.clone())).unwrap_or_default();
        let recipe = self.recipe.apply(old.map_or_else(Recipe::default, |old| old.recipe));
        self.create(corpus, rules, formats, recipe, old)
    }

    /// The walk skips an index folder within the corpus. But an index folder that contains the corpus is an error.
    pub(super) fn check_apart(&self, corpus: &Corpus) -> Result<(), UpdateError> {
        // A folder that does not exist contains nothing.
        let Ok(home) = self.home.path().canonicalize() else { return Ok(()) };
        match corpus.roots.iter().find(|root| root.starts_with(&home)) {
            Some(root) => Err(UpdateError::Around { home, root: root.clone() }),
            None => Ok(()),
        }
    }

    fn create(
        &self,
        corpus: &Corpus,
        rules: WalkRules,
        formats: Formats,
        recipe: Recipe,
        old: Option<&Manifest>,
    ) -> Result<Box<Updater>, UpdateError> {
        self.check_apart(corpus)?;
        corpus::check(corpus, &rules)?;
        let mut manifest = Manifest::empty(corpus.clone(), rules, formats, recipe);
        if let Some(old) = old {
            (manifest.generation, manifest.next_file) = (old.generation + 1, old.next_file);
        }
        manifest.sketches = self.sketches.or_else(|| old.map(|old| old.sketches)).unwrap_or(true);
        let writer = IndexWriter::create(&self.home, manifest)?;
        Ok(Box::new(Updater::new(writer, self)?))
    }
}

/// Brings the index up to date once, merges it, and saves its ranking: what a verb does before it answers.
pub fn bring_up_to_date(updater: &mut Updater, observer: &dyn Observer) -> Result<(), UpdateError> {
    let kept = updater.saved_ranking();
    updater.update_all(observer)?;
    if observer.is_cancelled() {
        return Ok(());
    }
    match finish(updater, kept, observer) {
        // All documents are committed; the next run does the rest.
        Err(UpdateError::Index(IndexError::Stopped)) => Ok(()),
        finished => finished,
    }
}

fn finish(
    updater: &mut Updater,
    kept: Option<(Snapshot, Ranking)>,
    observer: &dyn Observer,
) -> Result<(), UpdateError> {
    // Before merging, because merged segments would be counted again.
    let ranking = updater.ranking(kept, observer)?;
    updater.merge_all(observer)?;
    updater.save_ranking(&ranking)
}

// Makes the sketches of segments that have none: those of an older program, of a time when the index kept none, and those
// whose file is missing or damaged. A search that needs sketches asks for it.

impl Updater {
    /// Makes missing and damaged sketches anew, if the index keeps sketches. A document that cannot be read, or changed since
    /// it was indexed, gets none.
    pub fn sketch(&mut self, observer: &dyn Observer) -> Result<(), UpdateError> {
        let snapshot = self.snapshot().clone();
        let segments = (0..).zip(snapshot.segments());
        let missing: HashSet<u32> = segments
            .filter(|(_, live)| !matches!(live.sketches(), Ok(Some(_))))
            .map(|(number, _)| number)
            .collect();
        if missing.is_empty() || !snapshot.manifest().sketches {
            return Ok(());
        }
        let tick = |_| if observer.is_cancelled() { Err(SearchError::Stopped) } else { Ok(()) };
        let make = |read: &ReadDocument| {
            let is_as_indexed = read.document.text == snapshot.document(read.document.id).key;
            sketch_of(read.tokens).filter(|_| is_as_indexed)
        };
        let is_missing = |id: DocumentId| missing.contains(&id.segment);
        let made = self.install(|memory| map(&snapshot, memory, &tick, is_missing, make));
        let made = match made {
            Err(SearchError::Index(error)) => return Err(error.into()),
            Err(_) => return Err(IndexError::Stopped.into()),
            Ok(made) => made,
        };
        let sketches: HashMap<_, Sketch> =
            made.documents.into_iter().filter_map(|(of, sketch)| Some((of.id, sketch?))).collect();
        let rows = |&segment: &u32| {
            let mut rows = SketchRows::default();
            for document in 0..snapshot.segment(segment).table().document_count() as u32 {
                let id = DocumentId { segment, document };
                rows.push(sketches.get(&id));
            }
            (segment, rows)
        };
        let mut made: Vec<(u32, SketchRows)> = missing.iter().map(rows).collect();
        made.sort_by_key(|(segment, _)| *segment);
        Ok(self.writer().add_sketches(&made)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use dupi_base::storage::Folder;

    #[test]
    fn an_index_with_the_tokens_of_an_older_program_is_built_anew() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("corpus");
        std::fs::create_dir(&root).unwrap();
        std::fs::write(root.join("a.txt"), "one two three four five six seven").unwrap();
        let corpus = Corpus::resolve(&[root]).unwrap();
        let home = Folder::new(place.path().join("index"));
        let segments = || {
            let options = Options { memory: 1 << 24, threads: 1, ..Options::new(home.clone()) };
            let Opened::Ready(mut updater) = options.open(&corpus).unwrap() else { panic!() };
            let segments = updater.snapshot().manifest().segments.len();
            bring_up_to_date(&mut updater, &Silent).unwrap();
            segments
        };
        assert_eq!([segments(), segments()], [0, 1]);
        let older = Manifest { lexing: LEXING_VERSION - 1, ..Manifest::read(&home).unwrap() };
        older.commit(&home).unwrap();
        assert_eq!([segments(), segments()], [0, 1]);
    }
}
