//! How an index is to be opened, built and followed.

use std::thread;
use std::time::Duration;

use crate::blot::RecipeChoice;
use crate::corpus::{Formats, WalkRules};
use crate::storage::Folder;

/// How a session is to work on its corpus.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder that holds the index and the taboo list.
    pub home: Folder,
    /// What was asked of the recipe.
    pub recipe: RecipeChoice,
    /// Which files are documents; `None` as the index remembers it, or the default.
    pub rules: Option<WalkRules>,
    /// How files hold several documents; `None` as the index remembers it, or the default.
    pub formats: Option<Formats>,
    /// Bytes of memory that indexing may take.
    pub memory: u64,
    /// Threads that read and shatter.
    pub threads: usize,
    /// Whether the folder is followed.
    pub watch: Watch,
}

/// Whether and how the folder is followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watch {
    /// Not at all.
    Off,
    /// By what the system reports, or by polling where it cannot.
    #[default]
    Events,
    /// By walking it again each time this has passed.
    Poll(Duration),
}

impl Options {
    /// What is usual for an index in this folder: everything as the index remembers it, 1 GiB of memory, a thread a core.
    pub fn new(home: Folder) -> Self {
        Self {
            home,
            recipe: RecipeChoice::default(),
            rules: None,
            formats: None,
            memory: 1 << 30,
            threads: thread::available_parallelism().map_or(1, usize::from),
            watch: Watch::default(),
        }
    }
}
