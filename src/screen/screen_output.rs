//! Where the screen is drawn: on standard output, or while that is redirected and the chosen rows are printed there, on
//! the terminal itself.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Command, Stdio};
use std::sync::Arc;

use super::error::TuiError;

/// The terminal to draw on.
#[derive(Clone, Debug)]
pub(super) enum ScreenOutput {
    /// Standard output.
    Stdout,
    /// The controlling terminal, or standard error.
    Terminal(Arc<File>),
}

impl ScreenOutput {
    /// Standard output, if it is a terminal. Otherwise, if `prints` is set, the terminal that the program was started
    /// from, or standard error.
    pub(super) fn find(prints: bool) -> Result<Self, TuiError> {
        if io::stdout().is_terminal() {
            return Ok(Self::Stdout);
        }
        if !prints {
            return Err(TuiError::NoTerminal);
        }
        let of_errors = || {
            let errors = io::stderr();
            errors.is_terminal().then(|| errors.as_fd().try_clone_to_owned().ok()).flatten().map(File::from)
        };
        let terminal = File::options().write(true).open("/dev/tty").ok().or_else(of_errors);
        terminal.map(|file| Self::Terminal(Arc::new(file))).ok_or(TuiError::NoTerminal)
    }

    /// A program that is run in the foreground: its input and output are the terminal, even if this program's are not.
    pub(super) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        if !io::stdin().is_terminal()
            && let Ok(terminal) = File::open("/dev/tty")
        {
            command.stdin(terminal);
        }
        if let Self::Terminal(file) = self
            && let Ok(terminal) = file.try_clone()
        {
            command.stdout(Stdio::from(terminal));
        }
        command
    }
}

impl AsFd for ScreenOutput {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            // Standard output stays open as long as the process.
            Self::Stdout => rustix::stdio::stdout(),
            Self::Terminal(file) => file.as_fd(),
        }
    }
}

impl Write for ScreenOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout => io::stdout().write(bytes),
            Self::Terminal(file) => (&**file).write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout => io::stdout().flush(),
            Self::Terminal(file) => (&**file).flush(),
        }
    }
}
