//! Handles panics of all threads: the terminal is restored, a report is written to a file, and the program ends with
//! an error that names the file.

use std::backtrace::Backtrace;
use std::fmt::Write;
use std::io::Write as _;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::event::TuiEvent;
use crate::terminal;
use crate::terminal::{ReportPlace, ScreenOutput, TuiError};
use dupi_base::storage::{Folder, create_private};

/// The error of the first panic.
type FirstPanic = Arc<Mutex<Option<TuiError>>>;

/// Runs a function and catches panics of all threads. They are reported in `folder` and announced on `events`; the first
/// is returned as the error. The function must return when a panic is announced. `output` is where the screen is drawn.
pub(super) fn caught<T>(
    folder: Option<PathBuf>,
    events: Sender<TuiEvent>,
    output: ScreenOutput,
    run: impl FnOnce() -> Result<T, TuiError>,
) -> Result<T, TuiError> {
    let noted: FirstPanic = Arc::default();
    let before = panic::take_hook();
    panic::set_hook(Box::new({
        let noted = Arc::clone(&noted);
        let main = thread::current().id();
        move |panic| {
            if thread::current().id() == main {
                // A second panic during unwinding would abort before the terminal is restored.
                terminal::give_back(&output);
            }
            let mut noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
            let text = report(panic, &Backtrace::force_capture());
            tracing::error!("{text}");
            if noted.is_none() {
                let path = folder.as_deref().and_then(|folder| write(folder, &text));
                *noted = Some(TuiError::Panicked { message: message(panic), report: ReportPlace(path) });
            }
            let _ = events.send(TuiEvent::Panicked);
        }
    }));
    let outcome = panic::catch_unwind(AssertUnwindSafe(run));
    panic::set_hook(before);
    let first = noted.lock().unwrap_or_else(PoisonError::into_inner).take();
    match (first, outcome) {
        (Some(error), _) => Err(error),
        (None, Ok(outcome)) => outcome,
        // A payload that the hook has not seen is not ours.
        (None, Err(panic)) => panic::resume_unwind(panic),
    }
}

/// The message and location of a panic.
fn message(panic: &PanicHookInfo<'_>) -> String {
    let said = panic.payload_as_str().unwrap_or("something that is no text");
    match panic.location() {
        Some(place) => format!("{said} ({}:{})", place.file(), place.line()),
        None => said.to_owned(),
    }
}

fn report(panic: &PanicHookInfo<'_>, trace: &Backtrace) -> String {
    let variable = |name| std::env::var(name).unwrap_or_else(|_| "not set".to_owned());
    let size =
        crossterm::terminal::size().map_or_else(|error| error.to_string(), |(x, y)| format!("{x} × {y}"));
    let mut text = String::new();
    let _ = writeln!(text, "dupi-tui {} panicked: {}", env!("CARGO_PKG_VERSION"), message(panic));
    for (name, value) in [
        ("time", jiff::Timestamp::now().to_string()),
        ("thread", thread::current().name().unwrap_or("without a name").to_owned()),
        ("system", format!("{} on {}", std::env::consts::OS, std::env::consts::ARCH)),
        ("terminal", size),
        ("TERM", variable("TERM")),
        ("COLORTERM", variable("COLORTERM")),
        ("LANG", variable("LANG")),
    ] {
        let _ = writeln!(text, "{name}: {value}");
    }
    let _ = write!(text, "\n{trace}");
    text
}

/// Writes a report and returns its path. The log has it in any case.
fn write(folder: &Path, text: &str) -> Option<PathBuf> {
    Folder::new(folder).create_private().ok()?;
    let now = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ");
    let path = folder.join(format!("panic-{now}-{}.txt", std::process::id()));
    create_private(&path).and_then(|mut file| file.write_all(text.as_bytes())).ok()?;
    Some(path)
}

/// Panics for tests, with `DUPI_PANIC=here` or `DUPI_PANIC=elsewhere`.
#[cfg(debug_assertions)]
pub(super) fn provoke() {
    match std::env::var("DUPI_PANIC").as_deref() {
        Ok("here") => panic!("provoked here"),
        Ok("elsewhere") => drop(thread::spawn(|| panic!("provoked elsewhere"))),
        _ => {}
    }
}
