//! The main loop: processes all waiting events, performs their effects, draws once, and waits for the next event.

use std::env;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use crate::action::ViewPage;
use crate::event::{Effect, TuiEvent, UpdateQueue, teller};
use crate::filters::FilterStore;
use crate::foreground::Inbox;
use crate::gate::Gate;
use crate::highlight::Highlighter;
use crate::input::BackgroundQuery;
use crate::model::Model;
use crate::saved_screen::SavedScreen;
use crate::terminal::{ScreenOutput, Terminal, TuiError};
use crate::theme::{TerminalTraits, Theme};
use crate::update::{begin_at, update};
use crate::{TuiExit, TuiOptions, clipboard, editor, input, settings, terminal, view};
use dupi_base::panics;
use dupi_session::{RowPlace, Session, Subject, Update};

/// The longest wait of the main loop before it checks that the terminal still exists.
const HEARTBEAT: Duration = Duration::from_secs(5);

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
    let output = terminal::find_output(options.settings.prints)?;
    panics::end_process(options.reports.clone(), {
        let output = output.clone();
        move || terminal::give_back(&output)
    });
    show(&options, &output, (&events, &inbox), start)
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
    let mut terminal = Terminal::enter(options.settings.has_mouse, output, gate)?;
    let traits = TerminalTraits::from_environment(|name| env::var(name).ok()).with(options.colours.clone());
    let theme = traits.theme(options.theme);
    let mut model = Model::new(options.title.clone(), terminal.size()?);
    model.settings = options.settings.clone();
    if options.settings.prints {
        model.settings.keymap = options.settings.keymap.clone().for_printing();
    }
    options.remembered.clone().restore(&mut model);
    if options.shows_review {
        begin_at(&mut model, ViewPage::List(Subject::Review));
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
    provoke_panic();
    let filter_store = FilterStore::start(options.user.clone(), teller(events, TuiEvent::FilterOutcome));
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
    Ok(TuiExit { remembered: SavedScreen::save(&model), unread, printed })
}

/// Panics for tests, with `DUPI_PANIC=here` or `DUPI_PANIC=elsewhere`.
#[cfg(debug_assertions)]
fn provoke_panic() {
    match env::var("DUPI_PANIC").as_deref() {
        Ok("here") => panic!("provoked here"),
        Ok("elsewhere") => drop(std::thread::spawn(|| panic!("provoked elsewhere"))),
        _ => {}
    }
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
    let highlighter = Highlighter::start(teller(events, TuiEvent::Highlighted));
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
            if let TuiEvent::Background(ground) = event {
                theme = traits.theme_on_ground(options.theme, ground);
            }
            undrawn.extend(event.failure());
            for effect in update(model, event, started.elapsed()) {
                match effect {
                    Effect::Ask(request) => session.send(request),
                    Effect::Highlight(jobs) => highlighter.send(jobs, theme.paint()),
                    Effect::Edit { path, line, column } => {
                        let file = options.base.join(&path);
                        let editor = options.editor.as_deref();
                        let open = || editor::open(editor, (&file, line, column), output, |it| inbox.run(it));
                        terminal.suspended(open)?.unwrap_or_else(|sentence| model.say(sentence));
                    }
                    Effect::Run { command, place } => {
                        let run = || command.run(&place, &options.base, output, |it| inbox.run(it));
                        terminal.suspended(run)?.unwrap_or_else(|sentence| model.say(sentence));
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
                        clipboard::copy(text, &mut output.clone(), teller(events, TuiEvent::Copied));
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

/// Logs the time of each frame, and the latency of each key until its frame is drawn (`--frame-log FILE`): lines
/// `frame MICROSECONDS` and `key MICROSECONDS`, in order of completion. Without a file nothing is logged.
struct FrameLog {
    file: Option<BufWriter<File>>,
    /// The times of keys whose frame is not drawn yet.
    waiting: Vec<Instant>,
}

impl FrameLog {
    /// Creates a log; without a path nothing is logged.
    fn new(path: Option<&Path>) -> io::Result<Self> {
        let file = path.map(File::create).transpose()?.map(BufWriter::new);
        Ok(Self { file, waiting: Vec::new() })
    }

    /// Records a key.
    fn key(&mut self, read: Instant) {
        if self.file.is_some() {
            self.waiting.push(read);
        }
    }

    /// Logs a frame that was started at this time, with the keys before it.
    fn frame(&mut self, begun: Instant) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let mut line = |what: &str, time: Duration| writeln!(file, "{what} {}", time.as_micros());
        line("frame", begun.elapsed())?;
        for read in self.waiting.drain(..) {
            line("key", read.elapsed())?;
        }
        file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_frame_and_the_keys_before_it_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frames");
        let mut log = FrameLog::new(Some(&path)).unwrap();
        log.key(Instant::now());
        log.frame(Instant::now()).unwrap();
        log.frame(Instant::now()).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let what: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(what, ["frame", "key", "frame"]);
        assert!(text.lines().all(|line| line.split(' ').nth(1).unwrap().parse::<u64>().is_ok()));
    }
}
