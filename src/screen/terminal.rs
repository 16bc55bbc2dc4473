//! Takes over the terminal and restores it: at the end, after errors and panics, and while an editor or the shell has it.

use std::env;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::Arc;

use crossterm::cursor::{Hide, Show};
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::style::Print;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{execute, queue};
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal as Ratatui};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

use super::backend::{GlyphTrails, PositioningBackend};
use super::background_query::QUESTION;
use super::error::TuiError;
use super::input::Gate;
use super::screen_output::ScreenOutput;

/// Disables bidirectional reordering, which would turn whole screen lines.
const KEEP_ORDER: &str = "\u{1b}[8l";
/// Enables it again, which is the default of such terminals.
const TURN_AGAIN: &str = "\u{1b}[8h";

/// The terminal while the program has it; restored when dropped.
pub(super) struct Terminal {
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
    pub(super) fn enter(mouse: bool, output: &ScreenOutput, gate: Arc<Gate>) -> Result<Self, TuiError> {
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
    pub(super) fn gate(&self) -> Arc<Gate> {
        Arc::clone(&self.gate)
    }

    /// Columns and lines.
    pub(super) fn size(&self) -> io::Result<(u16, u16)> {
        self.screen.size().map(|size| (size.width, size.height))
    }

    /// Draws a frame, unless the terminal is given back.
    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut Frame)) -> io::Result<()> {
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
    pub(super) fn clear(&mut self) -> io::Result<()> {
        // ratatui's `clear` would ask the terminal for the cursor position.
        let (columns, lines) = self.size()?;
        self.screen.resize(Rect::new(0, 0, columns, lines))
    }

    /// Asks for the background colour. An answer arrives among the keys.
    pub(super) fn ask_background(&mut self) -> io::Result<()> {
        execute!(self.output, Print(QUESTION))
    }

    /// Captures or releases the mouse.
    pub(super) fn set_mouse(&mut self, mouse: bool) -> io::Result<()> {
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
    pub(super) fn suspended<T>(&mut self, run: impl FnOnce() -> T) -> io::Result<T> {
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
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        let gate = self.gate();
        let _quiet = gate.pause();
        self.is_given_back = true;
        give_back(&self.output);
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)
    }

    /// Takes over the terminal again, whatever state it is in.
    pub(super) fn take_again(&mut self) -> io::Result<()> {
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
pub(super) fn is_there() -> bool {
    io::stdin().is_terminal() || std::fs::File::open("/dev/tty").is_ok()
}

fn take(mouse: bool, output: &ScreenOutput) -> io::Result<()> {
    enable_raw_mode()?;
    write_taking(&mut BufWriter::new(output.clone()), mouse)
}

/// Restores the terminal. Errors are ignored: the terminal may be gone.
pub(super) fn give_back(output: &ScreenOutput) {
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
