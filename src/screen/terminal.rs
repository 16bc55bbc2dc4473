//! Takes over the terminal and restores it: at the end, after errors and panics, and while an editor or the shell has it.
//!
//! The screen is drawn on standard output, or, while that is redirected and the chosen rows are printed there, on the
//! terminal itself.

use std::env;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Command, Stdio};
use std::sync::Arc;

use crossterm::cursor::{Hide, Show};
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::style::Print;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{execute, queue};
use ratatui::Frame;
use ratatui::Terminal as Ratatui;
use ratatui::layout::Rect;
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

use crate::backend::{GlyphTrails, PositioningBackend};
use crate::gate::Gate;
use dupi_base::storage::in_words;

/// Disables bidirectional reordering, which would turn whole screen lines.
const QUESTION: &str = "\u{1b}]11;?\u{7}";
const KEEP_ORDER: &str = "\u{1b}[8l";
/// Enables it again, which is the default of such terminals.
const TURN_AGAIN: &str = "\u{1b}[8h";

/// The terminal while the program has it; restored when dropped.
pub(crate) struct Terminal {
    screen: Ratatui<PositioningBackend<BufWriter<ScreenOutput>>>,
    output: ScreenOutput,
    trails: GlyphTrails,
    mouse: bool,
    /// The shell has the terminal, until SIGCONT was received.
    is_given_back: bool,
    gate: Arc<Gate>,
}

impl Terminal {
    /// Takes over the terminal.
    pub(crate) fn enter(mouse: bool, output: &ScreenOutput, gate: Arc<Gate>) -> Result<Self, TuiError> {
        if !is_there() {
            return Err(TuiError::NoTerminal);
        }
        if env::var_os("TERM").is_some_and(|term| term == "dumb") {
            return Err(TuiError::Dumb);
        }
        // The theme handles NO_COLOR; crossterm's own handling resets a style in the middle of a line.
        crossterm::style::force_color_output(true);
        take(mouse, output)?;
        // The frames are buffered: a terminal that is a file would get each cell by itself.
        let screen = Ratatui::new(PositioningBackend::new(BufWriter::new(output.clone())));
        match screen {
            Ok(screen) => {
                let output = output.clone();
                Ok(Self { screen, output, trails: GlyphTrails::default(), mouse, is_given_back: false, gate })
            }
            Err(error) => {
                give_back(output);
                Err(error.into())
            }
        }
    }

    /// The gate for reading from the terminal.
    pub(crate) fn gate(&self) -> Arc<Gate> {
        Arc::clone(&self.gate)
    }

    /// Columns and lines.
    pub(crate) fn size(&self) -> io::Result<(u16, u16)> {
        self.screen.size().map(|size| (size.width, size.height))
    }

    /// Draws a frame, unless the terminal is given back.
    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Frame)) -> io::Result<()> {
        if self.is_given_back {
            return Ok(());
        }
        let trails = &mut self.trails;
        let drawn = self.screen.draw(|frame| {
            draw(frame);
            trails.renew(frame.buffer_mut());
        });
        drawn.map(drop)
    }

    /// Makes the next frame draw the whole screen.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        // ratatui's `clear` would ask the terminal for the cursor position.
        let (columns, lines) = self.size()?;
        self.screen.resize(Rect::new(0, 0, columns, lines))
    }

    /// Asks for the background colour. An answer arrives among the keys.
    pub(crate) fn ask_background(&mut self) -> io::Result<()> {
        execute!(self.output, Print(QUESTION))
    }

    /// Captures or releases the mouse.
    pub(crate) fn set_mouse(&mut self, mouse: bool) -> io::Result<()> {
        self.mouse = mouse;
        if self.is_given_back {
            return Ok(());
        }
        if mouse {
            execute!(self.output, EnableMouseCapture)
        } else {
            execute!(self.output, DisableMouseCapture)
        }
    }

    /// Restores the terminal while another program has it.
    pub(crate) fn suspended<T>(&mut self, run: impl FnOnce() -> T) -> io::Result<T> {
        let gate = self.gate();
        let _quiet = gate.pause();
        give_back(&self.output);
        let modes = tcgetattr(&self.output);
        let outcome = run();
        // A program that was killed leaves its own.
        if let Ok(modes) = modes {
            let _ = tcsetattr(&self.output, OptionalActions::Now, &modes);
        }
        self.take_again()?;
        Ok(outcome)
    }

    /// Suspends the process like Ctrl-z in other programs. The terminal is taken over again by `take_again`, when
    /// SIGCONT was received: two that follow closely are received as one, so that to ignore the first would ignore both.
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        let gate = self.gate();
        let _quiet = gate.pause();
        self.is_given_back = true;
        give_back(&self.output);
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)
    }

    /// Takes over the terminal again, whatever state it is in.
    pub(crate) fn take_again(&mut self) -> io::Result<()> {
        self.is_given_back = false;
        // Otherwise crossterm assumes raw mode and does nothing.
        let _ = disable_raw_mode();
        take(self.mouse, &self.output)?;
        self.clear()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        give_back(&self.output);
    }
}

/// Whether the terminal still exists.
pub(crate) fn is_there() -> bool {
    io::stdin().is_terminal() || std::fs::File::open("/dev/tty").is_ok()
}

fn take(mouse: bool, output: &ScreenOutput) -> io::Result<()> {
    enable_raw_mode()?;
    write_taking(&mut BufWriter::new(output.clone()), mouse)
}

/// Restores the terminal. Errors are ignored: the terminal may be gone.
pub(crate) fn give_back(output: &ScreenOutput) {
    // First, so that keys typed after the screen is restored go to the next program.
    let _ = disable_raw_mode();
    let _ = write_giving_back(&mut BufWriter::new(output.clone()));
}

fn write_taking(terminal: &mut impl Write, mouse: bool) -> io::Result<()> {
    queue!(terminal, EnterAlternateScreen, EnableBracketedPaste, Print(KEEP_ORDER), Hide)?;
    if mouse {
        queue!(terminal, EnableMouseCapture)?;
    }
    terminal.flush()
}

fn write_giving_back(terminal: &mut impl Write) -> io::Result<()> {
    execute!(
        terminal,
        DisableMouseCapture,
        DisableBracketedPaste,
        Print(TURN_AGAIN),
        LeaveAlternateScreen,
        Show
    )
}

/// The terminal to draw on.
pub(crate) type ScreenOutput = Arc<File>;

/// Finds the terminal to draw on: standard output or, if that is none and `prints` is set, the terminal that the program
/// was started from, or standard error.
pub(crate) fn find_output(prints: bool) -> Result<ScreenOutput, TuiError> {
    let terminal_of = |stream: BorrowedFd<'_>| {
        stream.try_clone_to_owned().ok().filter(IsTerminal::is_terminal).map(File::from)
    };
    let elsewhere =
        || File::options().write(true).open("/dev/tty").ok().or_else(|| terminal_of(io::stderr().as_fd()));
    let terminal = terminal_of(io::stdout().as_fd()).or_else(|| if prints { elsewhere() } else { None });
    terminal.map(Arc::new).ok_or(TuiError::NoTerminal)
}

/// A program that is run in the foreground: its input and output are the terminal, even if this program's are not.
pub(crate) fn command(output: &ScreenOutput, program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    if !io::stdin().is_terminal()
        && let Ok(terminal) = File::open("/dev/tty")
    {
        command.stdin(terminal);
    }
    if let Ok(terminal) = output.try_clone() {
        command.stdout(Stdio::from(terminal));
    }
    command
}

/// Why the terminal UI cannot run, or failed.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    /// Standard input or output is not a terminal.
    #[error("the terminal UI needs a terminal; for scripts there are verbs, see `dupi-tui --help`")]
    NoTerminal,
    /// The terminal has no cursor movement.
    #[error(
        "the terminal UI needs a terminal that moves its cursor, and TERM is dumb; \
         `dupi-tui passages`, `documents` and `files` print the same lists, see `dupi-tui --help`"
    )]
    Dumb,
    /// The terminal reported an error.
    #[error("the terminal failed: {}", in_words(.0))]
    Terminal(#[from] io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_taken_is_given_back() {
        let mut written = Vec::new();
        write_taking(&mut written, true).unwrap();
        let taken = String::from_utf8(std::mem::take(&mut written)).unwrap();
        write_giving_back(&mut written).unwrap();
        let given = String::from_utf8(written).unwrap();
        let modes = taken.split('\u{1b}').filter(|mode| !mode.is_empty());
        for mode in modes {
            let (name, set) = mode.split_at(mode.len() - 1);
            let opposite = if set == "h" { "l" } else { "h" };
            assert!(given.contains(&format!("\u{1b}{name}{opposite}")), "{mode} stays: {given:?}");
        }
        assert!(given.ends_with("\u{1b}[?25h"));
    }
}
