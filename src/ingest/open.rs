//! Opens the index of a corpus, or makes one, as the options ask for it.

use crate::blot::Recipe;
use crate::corpus::{self, Corpus, Formats, WalkRules};
use crate::index::IndexError;
use crate::index::manifest::Manifest;
use crate::index::ranking::Ranking;
use crate::index::snapshot::Snapshot;
use crate::index::writer::{Change, IndexWriter};

use super::options::Options;
use super::progress::Observer;
use super::update::{UpdateError, Updater};

/// What opening came to.
pub enum Opened {
    /// The index, ready to be brought up to date.
    Ready(Box<Updater>),
    /// The index is there, but was built with another recipe than the options ask for. It works on as it is.
    Mismatch {
        /// The index as it is.
        updater: Box<Updater>,
        /// A sentence that names both recipes.
        sentence: String,
    },
}

impl Options {
    /// Opens the index for writing, or makes it.
    pub fn open(&self, corpus: &Corpus) -> Result<Opened, UpdateError> {
        self.check_apart(corpus)?;
        match IndexWriter::open(&self.home) {
            Err(IndexError::Absent(_)) => self.build(corpus, None).map(Opened::Ready),
            opened => self.open_with(corpus, opened?),
        }
    }

    /// Opens the index for writing that somebody made after ours was removed, or makes it as that was.
    pub fn open_after_loss(&self, corpus: &Corpus, old: &Manifest) -> Result<Opened, UpdateError> {
        match IndexWriter::open(&self.home) {
            // Of ours there may be a part left.
            Err(IndexError::Absent(_) | IndexError::Damaged { .. }) => {
                self.build(corpus, Some(old)).map(Opened::Ready)
            }
            opened => self.open_with(corpus, opened?),
        }
    }

    /// Has the index follow the options, as far as that is possible without building it anew.
    fn open_with(&self, corpus: &Corpus, mut writer: IndexWriter) -> Result<Opened, UpdateError> {
        let manifest = writer.snapshot().manifest();
        let rules = self.rules.clone().unwrap_or_else(|| manifest.rules.clone());
        let formats = self.formats.clone().unwrap_or_else(|| manifest.formats.clone());
        if formats != manifest.formats || *corpus != manifest.corpus {
            // Other records or other roots: nothing of the old documents holds.
            let (recipe, old) = (self.recipe.apply(manifest.recipe), manifest.clone());
            drop(writer);
            return self.create(corpus, rules, formats, recipe, Some(&old)).map(Opened::Ready);
        }
        let (has, wants) = (manifest.recipe, self.recipe.apply(manifest.recipe));
        if rules != manifest.rules {
            // Rules that no walk takes must not be remembered: every later run would fail by them.
            corpus::check(corpus, &rules)?;
            writer.commit(Change { rules: Some((rules, formats)), ..Change::default() })?;
        }
        let updater = Box::new(self.updater(writer)?);
        Ok(if has == wants {
            Opened::Ready(updater)
        } else {
            let sentence = format!("the index was built with {has}; you ask for {wants}");
            Opened::Mismatch { updater, sentence }
        })
    }

    /// Builds the index anew with what the options ask for; what they leave open is as the old one had it.
    pub fn build(&self, corpus: &Corpus, old: Option<&Manifest>) -> Result<Box<Updater>, UpdateError> {
        let rules = self.rules.clone().or_else(|| old.map(|old| old.rules.clone())).unwrap_or_default();
        let formats = self.formats.clone().or_else(|| old.map(|old| old.formats.clone())).unwrap_or_default();
        let recipe = self.recipe.apply(old.map_or_else(Recipe::default, |old| old.recipe));
        self.create(corpus, rules, formats, recipe, old)
    }

    /// An index folder within the corpus is left out of it by the walk. But one that holds documents would
    /// have to leave out these.
    fn check_apart(&self, corpus: &Corpus) -> Result<(), UpdateError> {
        // One that is not there yet holds nothing.
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
        let writer = IndexWriter::create(&self.home, manifest)?;
        Ok(Box::new(self.updater(writer)?))
    }

    fn updater(&self, writer: IndexWriter) -> Result<Updater, UpdateError> {
        Updater::new(writer, self.home.clone(), self.memory, self.threads)
    }
}

/// Brings the index up to date once, merges included, and keeps its ranking: what a command does before it answers.
pub fn bring_up_to_date(updater: &mut Updater, observer: &dyn Observer) -> Result<(), UpdateError> {
    let kept = updater.kept_ranking();
    updater.update_all(observer)?;
    if observer.is_cancelled() {
        return Ok(());
    }
    match finish(updater, kept, observer) {
        // All documents are read; the next run goes on from there.
        Err(UpdateError::Index(IndexError::Stopped)) => Ok(()),
        finished => finished,
    }
}

fn finish(
    updater: &mut Updater,
    kept: Option<(Snapshot, Ranking)>,
    observer: &dyn Observer,
) -> Result<(), UpdateError> {
    // Before merging: afterwards, much would look changed.
    let ranking = updater.ranking(kept, observer)?;
    updater.merge_all(observer)?;
    updater.keep_ranking(&ranking)
}
