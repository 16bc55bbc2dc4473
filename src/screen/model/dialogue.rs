//! Dialogue with the user: the prompt, overlays with their forms and menus, messages, and keys that are held until the
//! rows they refer to have arrived.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::KeyEvent;

use crate::action::KeyContext;
use crate::filters::{FilterHistory, HistoryWalk};
use crate::input_line::InputLine;
use dupi_base::config::PassageCriteria;
use dupi_base::corpus::Skipped;
use dupi_index::query::Occurrence;
use dupi_index::taboo::{TabooEntry, TabooScope};
use dupi_session::{BlameAnswer, Item, Names, Request, TabooPreview, TrialState};

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
    pub fn new(context: KeyContext) -> Self {
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

/// An open prompt.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// Its purpose.
    pub ask: Ask,
    /// The typed text.
    pub line: InputLine,
    /// For a filter: the names for completions, once they are known.
    pub names: Arc<Names>,
    /// For a filter: the steps to an earlier one that is shown in place of the typed text.
    pub walk: Option<HistoryWalk>,
}

/// The purpose of a prompt.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// A filter of the rows.
    Filter,
    /// A search in the document.
    Search,
    /// A line number.
    GoToLine,
    /// The reason of an entry of a taboo list.
    Reason(TabooScope, TabooEntry),
    /// The file to export rows to.
    Export(Vec<Item>),
    /// The file to import taboo entries from.
    Import,
    /// The name for a filter.
    SaveFilter(String),
}

impl Ask {
    /// The problem with a typed text, as a sentence.
    pub fn problem(&self, text: &str) -> Option<&'static str> {
        let (text, is_name) = (text.trim(), matches!(self, Self::SaveFilter(_)));
        let name = text.trim_start_matches('@');
        let is_word = !name.is_empty() && !name.contains(char::is_whitespace);
        (is_name && !is_word && !text.is_empty()).then_some("A filter's name is one word.")
    }
}

impl Prompt {
    /// A prompt without completions.
    pub fn new(ask: Ask, line: InputLine) -> Self {
        Self { ask, line, names: Arc::default(), walk: None }
    }
}

/// A taboo decision that is not taken yet.
#[derive(Clone, Debug)]
pub struct TabooDialog {
    /// The chosen rows.
    pub rows: Vec<Item>,
    /// The typed reason.
    pub reason: InputLine,
    /// What the decision would hide, once it is known.
    pub hides: Option<Arc<TabooPreview>>,
    /// The first visible line.
    pub first: usize,
    /// In which corpora it hides.
    pub scope: TabooScope,
}

impl TabooDialog {
    /// The dialog about some rows, before anything was counted or typed.
    pub fn new(rows: Vec<Item>) -> Self {
        let (reason, scope) = (InputLine::default(), TabooScope::Corpus);
        Self { rows, reason, hides: None, first: 0, scope }
    }

    /// Changes whether it hides in this corpus or in all.
    pub fn turn_scope(&mut self) {
        self.scope = match self.scope {
            TabooScope::Corpus => TabooScope::User,
            TabooScope::User => TabooScope::Corpus,
        };
    }
}

/// The form: criteria that are not applied yet.
#[derive(Clone, Debug, PartialEq)]
pub struct CriteriaForm {
    /// The criteria.
    pub criteria: PassageCriteria,
    /// The chosen line.
    pub line: usize,
    /// The usual least similarity in this corpus, in percent.
    pub usual_overlap: u32,
    /// How far the search with them is; `None` while they are those that are applied.
    pub trial: Option<TrialState>,
}

/// The number of lines of the form.
pub(crate) const CRITERIA: usize = 4;
/// The numbers where nothing else is said.
const TOKENS: u32 = 25;
const GAP: u32 = 8;

impl CriteriaForm {
    /// The form with the criteria that are applied.
    pub fn new(criteria: PassageCriteria, usual_overlap: u32) -> Self {
        Self { criteria, line: 0, usual_overlap, trial: None }
    }

    /// What each line says, and its value.
    pub fn words(&self) -> [(&'static str, String); CRITERIA] {
        let PassageCriteria { min_tokens, gap, min_overlap, across } = self.criteria;
        let gap = match gap.unwrap_or(GAP) {
            0 => "0, equal copies only".to_owned(),
            gap => gap.to_string(),
        };
        let percent = min_overlap.map(|percent| format!("{percent} %"));
        let is_across = across.unwrap_or(false);
        [
            ("fewest tokens", min_tokens.unwrap_or(TOKENS).to_string()),
            ("most tokens that differ in a row", gap),
            ("least similarity", percent.unwrap_or_else(|| "as usual".to_owned())),
            ("only with copies in two documents", if is_across { "yes" } else { "no" }.to_owned()),
        ]
    }

    /// Changes the value of the chosen line by `steps`; the least similarity by 5 %, or 10 % for more steps.
    pub fn step(&mut self, steps: i32) {
        let moved = |number: &mut Option<u32>, usual: u32, by: i32, least: u32, most: u32| {
            *number = Some(number.unwrap_or(usual).saturating_add_signed(by).clamp(least, most));
        };
        let PassageCriteria { min_tokens, gap, min_overlap, across } = &mut self.criteria;
        match self.line {
            0 => moved(min_tokens, TOKENS, steps, 1, PassageCriteria::MOST_TOKENS),
            1 => moved(gap, GAP, steps, 0, PassageCriteria::MOST_GAP),
            2 => moved(min_overlap, self.usual_overlap, steps.clamp(-2, 2) * 5, 0, 100),
            _ => *across = Some(!across.unwrap_or(false)),
        }
    }

    /// Sets the value of the chosen line to the usual one.
    pub fn clear(&mut self) {
        let PassageCriteria { min_tokens, gap, min_overlap, across } = &mut self.criteria;
        match self.line {
            0 => *min_tokens = None,
            1 => *gap = None,
            2 => *min_overlap = None,
            _ => *across = None,
        }
    }
}

/// Keys that wait for rows.
#[derive(Debug, Default)]
pub struct HeldKeys {
    keys: Vec<KeyEvent>,
    since: Duration,
    /// One of them opens a prompt: the keys after it can be text.
    pub is_typed: bool,
}

/// The largest number of held keys.
const MOST: usize = 64;

/// How long keys wait before a message says so.
const SILENT: Duration = Duration::from_secs(1);

impl HeldKeys {
    /// Whether no key is held.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Holds one more key, unless there are too many.
    pub fn add(&mut self, key: KeyEvent, now: Duration) {
        if self.is_empty() {
            self.since = now;
        }
        if self.keys.len() < MOST {
            self.keys.push(key);
        }
    }

    /// Takes all keys in order.
    pub fn take(&mut self) -> Vec<KeyEvent> {
        std::mem::take(self).keys
    }

    /// When to report that keys are waiting.
    pub fn said_at(&self) -> Option<Duration> {
        (!self.is_empty()).then_some(self.since + SILENT)
    }

    /// The message that keys are waiting.
    pub fn words(&self) -> String {
        match self.keys.len() {
            1 => "Looking; 1 key waits.".to_owned(),
            count => format!("Looking; {count} keys wait."),
        }
    }
}

/// The message when an action needs a row and there is none.
pub(crate) const NO_ROW: &str = "No row is selected.";

/// The message until two copies are read that can be compared.
pub(crate) const COMPARED_LATER: &str = "Two copies are compared as soon as they are read.";

/// The message when a key is refused because the rows have not arrived.
pub(crate) const NOT_YET: &str = "The rows are not there yet.";
