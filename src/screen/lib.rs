//! The terminal UI.
//!
//! ```text
//!  input thread ─┐                          ┌─ requests ─→ session
//!  signals ──────┼→ one channel → update ───┼─ jobs ─────→ highlighter
//!  session ──────┤      ↓ (Model)           ├─ filters ──→ filter store
//!  highlighter ──┤    view → frame          └─ editor, suspend, quit
//!  filter store ─┘
//! ```
//!
//! `update` is the only place that changes the `Model`, except for messages about effects; it does no input or output.
//! Nothing on this thread waits for a disk, a lock or another program, except for the editor, which has the terminal
//! meanwhile. Views only read. Text of files goes through `cells`, never to the terminal unchanged. The loop draws when
//! something has changed, after it has processed all waiting events.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod action;
mod backend;
mod background_query;
mod cells;
mod clipboard;
mod document;
mod editor;
mod error;
mod event;
mod filter_history;
mod filter_store;
#[cfg(test)]
mod fixture;
mod foreground;
mod frame_log;
mod highlight;
mod input;
mod input_line;
mod marked_rows;
mod model;
mod panics;
mod reader;
mod row_cache;
mod saved_screen;
mod screen_output;
mod settings;
mod terminal;
#[cfg(test)]
mod tests;
mod text;
mod theme;
mod update;
mod update_queue;
mod user_commands;
mod view;
mod views;

use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use background_query::BackgroundQuery;
use event::TuiEvent;
use filter_store::FilterStore;
use foreground::Inbox;
use frame_log::FrameLog;
use highlight::Highlighter;
use input::Gate;
use model::Model;
use screen_output::ScreenOutput;
use terminal::Terminal;
use theme::{TerminalTraits, Theme};
use update::{Effect, update};
use update_queue::UpdateQueue;

use dupi_base::config::{Kind, PassageCriteria, SavedFilters, ThemeName};
use dupi_base::storage::Folder;
use dupi_session::{RowPlace, Session, Subject, Update};

pub use action::keymap::Keymap;
pub use action::{ContextKey, key_table, keys_by_context};
pub use error::TuiError;
pub use saved_screen::SavedScreen;
pub use settings::{ScreenSettings, default_keys, read as settings};
pub use theme::Colours;
pub use user_commands::{CommandPlace, UserCommand, UserCommands};
pub use views::ColumnChoice;
use views::ViewPage;

/// Options of the terminal UI.
#[derive(Clone, Debug)]
pub struct TuiOptions {
    /// The name of the folder, for the header.
    pub title: String,
    /// The corpus folder; paths of documents are relative to it.
    pub base: PathBuf,
    /// The theme.
    pub theme: ThemeName,
    /// Whether the program captures the mouse.
    pub mouse: bool,
    /// The editor command; takes precedence over `$VISUAL` and `$EDITOR`.
    pub editor: Option<String>,
    /// Keys, commands, columns and colours.
    pub screen: ScreenSettings,
    /// Whether the chosen rows are printed at the end. The screen is then drawn on the terminal even if standard output is
    /// none.
    pub prints: bool,
    /// The default folder for files that the user names; empty for the current folder.
    pub files_in: PathBuf,
    /// The kinds of passages that are set aside; `None` for the usual ones.
    pub aside: Option<Vec<Kind>>,
    /// What counts as a passage.
    pub criteria: PassageCriteria,
    /// The usual least similarity of copies in this corpus, in percent.
    pub usual_overlap: u32,
    /// The saved filters.
    pub saved: Arc<SavedFilters>,
    /// The folder where filters are saved; `None` without a home folder.
    pub user: Option<Folder>,
    /// The state of the screen at the end of the last session.
    pub remembered: SavedScreen,
    /// Whether it begins with the view of the review, whatever was shown last.
    pub shows_review: bool,
    /// The file for frame and key times.
    pub frame_log: Option<PathBuf>,
    /// The problems found in the settings, one sentence each.
    pub problems: Vec<String>,
    /// The folder for panic reports.
    pub reports: Option<PathBuf>,
}

/// The longest wait of the main loop before it checks that the terminal still exists.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// The result of a run of the terminal UI.
#[derive(Debug)]
pub struct TuiExit {
    /// The state of the screen at the end.
    pub remembered: SavedScreen,
    /// Failures of the user's last requests that were not shown any more, one sentence each.
    pub unread: Vec<String>,
    /// The places to print; `None` if the user left without choosing any.
    pub printed: Option<Vec<RowPlace>>,
}

/// How the main loop ended.
#[derive(Default)]
struct Ending {
    /// Failures that were not drawn yet.
    undrawn: Vec<String>,
    printed: Option<Vec<RowPlace>>,
}

/// Runs the terminal UI until the user quits. `start` opens the session, given the callback for its updates.
pub fn run(
    options: TuiOptions,
    start: impl FnOnce(Box<dyn Fn(Update) + Send + Sync>) -> Session,
) -> Result<TuiExit, TuiError> {
    let (events, inbox) = channel();
    let output = ScreenOutput::find(options.prints)?;
    panics::caught(options.reports.clone(), events.clone(), output.clone(), || {
        show(&options, &output, (&events, &inbox), start)
    })
}

fn show(
    options: &TuiOptions,
    output: &ScreenOutput,
    (events, inbox): (&Sender<TuiEvent>, &Receiver<TuiEvent>),
    start: impl FnOnce(Box<dyn Fn(Update) + Send + Sync>) -> Session,
) -> Result<TuiExit, TuiError> {
    let inbox = &Inbox::new(events, inbox);
    let gate = Arc::new(Gate::new()?);
    // Before anything is written: a terminal may take nothing.
    input::listen_to_signals(events.clone(), Arc::clone(&gate), output.clone())?;
    let mut terminal = Terminal::enter(options.mouse, output, gate)?;
    let traits = TerminalTraits::of(|name| env::var(name).ok()).with(options.screen.colours.clone());
    let theme = traits.theme(options.theme);
    let mut model = Model::new(options.title.clone(), terminal.size()?);
    let keymap = options.screen.keymap.clone();
    model.settings.keymap = if options.prints { keymap.for_printing() } else { keymap };
    model.settings.prints = options.prints;
    model.settings.commands = options.screen.commands.clone();
    model.settings.columns = options.screen.columns.clone();
    model.settings.saved = options.saved.clone();
    model.settings.criteria = options.criteria;
    model.settings.usual_overlap = options.usual_overlap;
    model.settings.aside.clone_from(&options.aside);
    model.settings.has_mouse = options.mouse;
    model.settings.files_in.clone_from(&options.files_in);
    model.settings.home = env::home_dir();
    options.remembered.clone().restore(&mut model);
    if options.shows_review {
        update::begin_at(&mut model, ViewPage::List(Subject::Review));
    }
    if let Some(notice) = settings::notice(&options.problems, &model.settings.keymap) {
        model.say(notice);
    }
    terminal.draw(|frame| view::draw(frame, &model, &theme))?;
    let is_asked = traits.wants_ground(options.theme);
    if is_asked {
        terminal.ask_background()?;
    }
    input::listen(events.clone(), terminal.gate(), BackgroundQuery::new(is_asked))?;
    let queue = Arc::<UpdateQueue>::default();
    let session = start(Box::new(queue.listener(events.clone())));
    options.problems.iter().for_each(|problem| session.note_failure(problem));
    #[cfg(debug_assertions)]
    panics::provoke();
    let filter_store = FilterStore::start(options.user.clone(), events.clone());
    let outcome = turn(
        options,
        (&mut terminal, output),
        &mut model,
        (&traits, theme),
        (&session, &queue, &filter_store),
        (events, inbox),
    );
    // The user quits by closing the terminal.
    let outcome = match outcome {
        Err(TuiError::Terminal(_)) if !terminal::is_there() => Ok(Ending::default()),
        outcome => outcome,
    };
    drop(terminal);
    filter_store.stop();
    session.stop();
    let Ending { undrawn: mut unread, printed } = outcome?;
    unread.extend(
        inbox.try_iter().flat_map(|event| queue.events_of(event)).filter_map(|event| event.failure()),
    );
    Ok(TuiExit { remembered: SavedScreen::of(&model), unread, printed })
}

/// The main loop: processes waiting events, draws, waits.
fn turn(
    options: &TuiOptions,
    (terminal, output): (&mut Terminal, &ScreenOutput),
    model: &mut Model,
    (traits, mut theme): (&TerminalTraits, Theme),
    (session, queue, filter_store): (&Session, &UpdateQueue, &FilterStore),
    (events, inbox): (&Sender<TuiEvent>, &Inbox),
) -> Result<Ending, TuiError> {
    let highlighter = Highlighter::start(events.clone());
    session.send(model.first_request());
    let started = Instant::now();
    let mut log = FrameLog::new(options.frame_log.as_deref())?;
    loop {
        let first = match inbox.recv_timeout(model.patience(HEARTBEAT)) {
            Ok(event) => event,
            Err(_) if !terminal::is_there() => return Ok(Ending::default()),
            Err(_) => TuiEvent::Tick,
        };
        let mut undrawn = Vec::new();
        let waiting = std::iter::once(first).chain(inbox.try_iter());
        for event in waiting.flat_map(|event| queue.events_of(event)) {
            let event = match event {
                TuiEvent::Read(at, event) => {
                    log.key(at);
                    *event
                }
                event => event,
            };
            match event {
                // The panic hook has recorded the cause.
                TuiEvent::Panicked => return Ok(Ending::default()),
                TuiEvent::Background(ground) => theme = traits.theme_on_ground(options.theme, ground),
                _ => {}
            }
            undrawn.extend(event.failure());
            for effect in update(model, event, started.elapsed()) {
                match effect {
                    Effect::Ask(request) => session.send(request),
                    Effect::Highlight(jobs) => highlighter.send(jobs, theme.paint()),
                    Effect::Edit { path, line, column } => {
                        let said = terminal.suspended(|| {
                            let file = options.base.join(&path);
                            let run = |command: &mut Command| inbox.run(command);
                            editor::open(options.editor.as_deref(), (&file, line, column), output, run)
                        })?;
                        if let Err(sentence) = said {
                            model.say(sentence);
                        }
                    }
                    Effect::Run { command, place } => {
                        let run = |command: &mut Command| inbox.run(command);
                        let said = terminal.suspended(|| command.run(&place, &options.base, output, run))?;
                        if let Err(sentence) = said {
                            model.say(sentence);
                        }
                    }
                    Effect::Print { places, left_out } => {
                        if left_out > 0 {
                            undrawn.push(format!(
                                "{left_out} of the chosen rows are left out: their texts have changed"
                            ));
                        }
                        return Ok(Ending { undrawn, printed: Some(places) });
                    }
                    Effect::Copy(text) => {
                        let events = events.clone();
                        clipboard::copy(text, &mut output.clone(), move |sentence| {
                            drop(events.send(TuiEvent::Copied(sentence)));
                        });
                    }
                    Effect::Mouse(is_ours) => terminal.set_mouse(is_ours)?,
                    Effect::SaveFilter(name, text) => filter_store.send(name, text),
                    Effect::Suspend => terminal.suspend()?,
                    Effect::Take => {
                        terminal.take_again()?;
                        // No resize is signalled to a stopped process.
                        let (columns, lines) = terminal.size()?;
                        let _ = events.send(TuiEvent::Resize(columns, lines));
                    }
                    Effect::Redraw => terminal.clear()?,
                    Effect::Quit => return Ok(Ending { undrawn, printed: None }),
                }
            }
        }
        let begun = Instant::now();
        terminal.draw(|frame| view::draw(frame, model, &theme))?;
        log.frame(begun)?;
    }
}
