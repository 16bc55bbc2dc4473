//! What a panic does: a report is written, the user is told where it is, and the process ends. Nothing is unwound, so
//! that no thread goes on with half of the others. What is on the disk survives it, as it survives a loss of power.

use std::backtrace::Backtrace;
use std::fmt::Write;
use std::io::{self, Write as _};
use std::panic::{self, PanicHookInfo};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::termios::tcgetwinsize;

use crate::storage::{Folder, create_private, printable, shown};

/// The exit code after a panic: that of other failures.
const FAILURE: i32 = 2;

/// From now on a panic of any thread calls `before`, writes a report into `folder`, says so on standard error, and ends
/// the process.
pub fn end_process(folder: Option<PathBuf>, before: impl Fn() + Send + Sync + 'static) {
    static ENDING: Once = Once::new();
    panic::set_hook(Box::new(move |panic| {
        // A second thread that panics waits here for the end.
        ENDING.call_once(|| {
            before();
            let (message, report) = (message(panic), report(panic, &Backtrace::force_capture()));
            tracing::error!("{report}");
            let place = match folder.as_deref().and_then(|folder| write(folder, &report)) {
                Some(path) => format!("a report for its developers is in {}", shown(&path)),
                None => "no report could be written".to_owned(),
            };
            let message = printable(&message);
            let _ = writeln!(io::stderr(), "dupi-tui: a fault of the program: {message}; {place}");
            #[expect(clippy::exit, reason = "no thread can go on")]
            std::process::exit(FAILURE);
        });
    }));
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
    let size = tcgetwinsize(io::stdin())
        .map_or_else(|error| error.to_string(), |size| format!("{} × {}", size.ws_col, size.ws_row));
    let mut text = String::new();
    let _ = writeln!(text, "dupi-tui {} panicked: {}", env!("CARGO_PKG_VERSION"), message(panic));
    for (name, value) in [
        ("time", format!("{} s after 1970", seconds())),
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

fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Writes a report and returns its path. The log has it in any case.
fn write(folder: &Path, text: &str) -> Option<PathBuf> {
    Folder::new(folder).create_private().ok()?;
    let path = folder.join(format!("panic-{}-{}.txt", seconds(), std::process::id()));
    create_private(&path).and_then(|mut file| file.write_all(text.as_bytes())).ok()?;
    Some(path)
}
