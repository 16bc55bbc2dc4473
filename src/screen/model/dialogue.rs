//! Dialogue with the user: the prompt, the overlay, and the last message.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::{CriteriaForm, Prompt, TabooDialog};
use crate::action::KeyContext;
use crate::filter_history::FilterHistory;
use crate::input_line::InputLine;
use dupi_base::corpus::Skipped;
use dupi_index::query::Occurrence;
use dupi_session::{BlameAnswer, Item, Request};

/// Dialogue with the user.
#[derive(Default)]
pub struct Dialogue {
    /// The open prompt.
    pub prompt: Option<Prompt>,
    /// The filters that were typed earlier.
    pub filters: FilterHistory,
    /// The last export, as a request that overwrites an existing file.
    pub writing: Option<Request>,
    /// The overlay on the screen.
    pub overlay: Option<Overlay>,
    /// Overlays to show once no prompt and no other overlay is open.
    pub waiting: Vec<Overlay>,
    /// The last message, and its time.
    pub message: Option<(String, Duration)>,
}

/// An overlay.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// The keys of a context.
    Help(HelpPage),
    /// Skipped files, and the first visible line; `None` until they are known.
    Skipped(Option<Arc<Vec<Skipped>>>, usize),
    /// Which commits the lines of a copy come from, and the first visible line; `None` until it is known.
    Blame(Occurrence, Option<Arc<BlameAnswer>>, usize),
    /// The question what to do with an index that does not fit the options.
    Mismatch(String),
    /// The palette: the typed text, and the index of the chosen match.
    Palette(InputLine, usize),
    /// A menu, and the index of the chosen line.
    Menu(Menu, usize),
    /// The preview of a taboo decision.
    Before(TabooDialog),
    /// The form that changes what counts as a passage.
    Criteria(CriteriaForm),
    /// The question whether to overwrite a file.
    Replace(Request, PathBuf),
}

/// What the help shows.
#[derive(Clone, Debug)]
pub struct HelpPage {
    /// Whose keys.
    pub context: KeyContext,
    /// The first visible line.
    pub first: usize,
    /// The text that is searched for; only what has it is shown.
    pub search: Option<InputLine>,
}

impl HelpPage {
    /// The whole help of a context, from its first line on.
    pub fn of(context: KeyContext) -> Self {
        Self { context, first: 0, search: None }
    }
}

/// What a menu is for.
#[derive(Clone, Debug)]
pub enum Menu {
    /// The saved filters.
    Filters,
    /// The kinds that some passages can be set to.
    Kinds(Vec<Item>),
    /// The sort orders of the list.
    Orders,
    /// What can be left out of the corpus.
    Exclude(Vec<ExcludeChoice>),
}

/// Files and folders that can be left out of the corpus together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExcludeChoice {
    /// Their paths, relative to the corpus's base.
    pub paths: Vec<PathBuf>,
    /// How many of them are folders.
    pub folders: usize,
    /// Whether it is a file with several documents.
    pub has_records: bool,
}
