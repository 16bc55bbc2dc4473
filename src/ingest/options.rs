//! Options for opening, building and following an index.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use dupi_base::config::PassageCriteria;
use dupi_base::corpus::{Formats, WalkRules};
use dupi_base::storage::Folder;
use dupi_judge::kind::patterns::KindPatterns;
use dupi_text::blot::RecipeChoice;

/// How an index is opened, built and kept up to date.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of the index.
    pub home: Folder,
    /// The folder of the decisions: that of the index, or of the index beside which this one is.
    pub decisions: Folder,
    /// The folder of the user's settings, with the taboo list for all corpora.
    pub user: Option<Folder>,
    /// The requested recipe parameters.
    pub recipe: RecipeChoice,
    /// Which files are documents; `None` for those of the index, or the defaults.
    pub rules: Option<WalkRules>,
    /// Formats of files with several documents; `None` for those of the index, or the defaults.
    pub formats: Option<Formats>,
    /// Whether sketches of documents are kept; `None` for what the index does, which keeps them at first.
    pub sketches: Option<bool>,
    /// Bytes of memory that indexing may use.
    pub memory: u64,
    /// Threads that read and shatter.
    pub threads: usize,
    /// The user's patterns for kinds of passages.
    pub patterns: Arc<KindPatterns>,
    /// What counts as a passage, where no verb says it.
    pub criteria: PassageCriteria,
    /// Whether and how the corpus is watched.
    pub watch: Watch,
}

/// Whether and how the corpus is watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watch {
    /// Not at all.
    Off,
    /// By file events of the system, or by polling if that fails.
    #[default]
    Events,
    /// By a walk at this interval.
    Poll(Duration),
}

impl Options {
    /// The defaults for an index in this folder: the settings of the index, 1 GiB of memory, one thread per core.
    pub fn new(home: Folder) -> Self {
        Self {
            decisions: home.clone(),
            home,
            user: None,
            recipe: RecipeChoice::default(),
            rules: None,
            formats: None,
            sketches: None,
            memory: 1 << 30,
            threads: thread::available_parallelism().map_or(1, usize::from),
            patterns: Arc::default(),
            criteria: PassageCriteria::default(),
            watch: Watch::default(),
        }
    }
}
