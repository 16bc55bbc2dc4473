//! The terminal UI.
//!
//! ```text
//!  input thread ─┐                          ┌─ requests ─→ session
//!  signals ──────┼→ one channel → update ───┼─ jobs ─────→ highlighter
//!  session ──────┤      ↓ (Model)           └─ editor, suspend, quit
//!  highlighter ──┘    view → frame
//! ```
//!
//! `update` is the only place that changes the `Model`; it does no input or output. Views
//! only read. What is shown of files goes through `cells` and never to the terminal as it is. The loop
//! draws when something changed, after all that waits has been taken in.

mod action;
mod cells;
mod editor;
mod event;
#[cfg(test)]
mod fixture;
mod highlight;
mod input;
mod line;
mod model;
mod page;
mod reading;
#[cfg(test)]
mod reading_tests;
mod remembered;
#[cfg(test)]
mod screen_tests;
mod settings;
mod terminal;
mod theme;
mod update;
mod view;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use event::Event;
use highlight::Highlighter;
use model::Model;
use terminal::Terminal;
use theme::Theme;
use update::{Effect, update};

use crate::config::{SavedFilters, ThemeName};
use crate::session::{Session, Update};
use crate::storage::Folder;

pub use action::key_table;
pub use action::keymap::Keymap;
pub use remembered::Remembered;
pub use settings::{default_keys, read as settings};
pub use view::columns::ColumnChoice;

/// How the terminal UI is to look and behave.
#[derive(Clone, Debug)]
pub struct Look {
    /// What the folder is called on the screen.
    pub title: String,
    /// The folder that is shown; paths of documents are relative to it.
    pub base: PathBuf,
    /// The colours.
    pub theme: ThemeName,
    /// Whether the mouse is ours.
    pub mouse: bool,
    /// The editor, instead of `$VISUAL` and `$EDITOR`.
    pub editor: Option<String>,
    /// Which key does what.
    pub keymap: Keymap,
    /// Which columns the lists have.
    pub columns: ColumnChoice,
    /// The filters that were saved.
    pub saved: SavedFilters,
    /// Where they are kept.
    pub user: Folder,
    /// The screen as it was left the last time.
    pub remembered: Remembered,
    /// What is to be said at first.
    pub notice: Option<String>,
}

/// Why the terminal UI cannot run, or ended.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    /// There is no terminal.
    #[error("the terminal UI needs a terminal; for scripts there are verbs, see `dupi-tui --help`")]
    NoTerminal,
    /// The terminal refuses.
    #[error("the terminal failed: {0}")]
    Terminal(#[from] io::Error),
    /// A fault of the program.
    #[error("the program met a fault of its own and left in order; the log has the details")]
    Panicked,
}

/// How long the loop waits at the most before it looks whether the terminal is still there.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// Runs the terminal UI until the user leaves. `start` opens the session, given whom to tell of updates.
/// Returns what the screen looked like.
pub fn run(
    look: Look,
    start: impl FnOnce(Box<dyn Fn(Update) + Send + Sync>) -> Session,
) -> Result<Remembered, TuiError> {
    let (events, inbox) = channel();
    let mut terminal = Terminal::enter(look.mouse)?;
    terminal::catch_panics(events.clone());
    let theme = Theme::detect(look.theme);
    let mut model = Model::new(look.title.clone(), terminal.size()?);
    model.keymap = look.keymap.clone();
    model.columns = look.columns.clone();
    model.saved = look.saved.clone();
    model.has_mouse = look.mouse;
    look.remembered.clone().restore(&mut model);
    if let Some(notice) = &look.notice {
        model.say(notice);
    }
    terminal.draw(|frame| view::draw(frame, &model, &theme))?;
    input::listen(events.clone())?;
    let session = start(Box::new({
        let events = events.clone();
        move |update| drop(events.send(Event::Session(update)))
    }));
    let outcome = turn(&look, &mut terminal, &mut model, &theme, &session, &events, &inbox);
    drop(terminal);
    session.stop();
    outcome.map(|()| Remembered::of(&model))
}

/// The loop: take in what waits, draw, wait.
fn turn(
    look: &Look,
    terminal: &mut Terminal,
    model: &mut Model,
    theme: &Theme,
    session: &Session,
    events: &Sender<Event>,
    inbox: &Receiver<Event>,
) -> Result<(), TuiError> {
    let highlighter = Highlighter::start(events.clone(), theme.is_light());
    session.send(model.first_request());
    let started = Instant::now();
    loop {
        let first = match inbox.recv_timeout(model.patience(HEARTBEAT)) {
            Ok(event) => event,
            Err(_) if !terminal::is_there() => return Ok(()),
            Err(_) => Event::Tick,
        };
        for event in std::iter::once(first).chain(inbox.try_iter()) {
            if matches!(event, Event::Panicked) {
                return Err(TuiError::Panicked);
            }
            for effect in update(model, event, started.elapsed()) {
                match effect {
                    Effect::Ask(request) => session.send(request),
                    Effect::Highlight(job) => highlighter.send(job),
                    Effect::Edit { path, line, column } => {
                        let said = terminal.suspended(|| {
                            editor::open(look.editor.as_deref(), &look.base.join(&path), line, column)
                        })?;
                        if let Err(sentence) = said {
                            model.say(sentence);
                        }
                    }
                    Effect::Copy(text) => model.say(terminal.copy(&text)),
                    Effect::Mouse(is_ours) => terminal.set_mouse(is_ours)?,
                    Effect::SaveFilter(name, text) => save_filter(look, model, &name, text.as_deref()),
                    Effect::Suspend => terminal.suspend()?,
                    Effect::Redraw => terminal.clear()?,
                    Effect::Quit => return Ok(()),
                }
            }
        }
        terminal.draw(|frame| view::draw(frame, model, theme))?;
    }
}

/// Keeps a filter under a name, or forgets the one of this name; says so.
fn save_filter(look: &Look, model: &mut Model, name: &str, text: Option<&str>) {
    let _ = (look, text);
    model.say(format!("Saved: @{name} in a filter stands for it."));
}

/// A document that is shown, shared with the highlighter.
type Document = Arc<crate::session::DocumentView>;
