//! Takes over the terminal and restores it: at the end, after errors and panics, and while an editor or the shell has it.

use std::env;
use std::io::{self, IsTerminal, Stdout, Write};
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

use super::backend::{GlyphTrails, PositioningBackend};
use super::background_query::QUESTION;
use super::error::TuiError;
use super::input::Gate;

/// Text from right to left would turn whole lines of the screen, with what stands beside it.
const KEEP_ORDER: &str = "\u{1b}[8l";
/// As terminals that do so do from the start.
const TURN_AGAIN: &str = "\u{1b}[8h";

/// The terminal while it is ours; given back when dropped.
pub struct Terminal {
    screen: Ratatui<PositioningBackend<Stdout>>,
    trails: GlyphTrails,
    mouse: bool,
    /// It was stopped and has taken the terminal again, of which the system will tell.
    has_stopped: bool,
    gate: Arc<Gate>,
}

impl Terminal {
    /// Takes the terminal over.
    pub fn enter(mouse: bool) -> Result<Self, TuiError> {
        if !io::stdout().is_terminal() || !is_there() {
            return Err(TuiError::NoTerminal);
        }
        if env::var_os("TERM").is_some_and(|term| term == "dumb") {
            return Err(TuiError::Dumb);
        }
        // Colours are chosen by the theme, which knows NO_COLOR; crossterm's own handling resets a style
        // in the middle of a line.
        crossterm::style::force_color_output(true);
        let gate = Arc::new(Gate::new()?);
        take(mouse)?;
        let screen = Ratatui::new(PositioningBackend::new(io::stdout()));
        match screen {
            Ok(screen) => {
                Ok(Self { screen, trails: GlyphTrails::default(), mouse, has_stopped: false, gate })
            }
            Err(error) => {
                give_back();
                Err(error.into())
            }
        }
    }

    /// Who reads from the terminal.
    pub fn gate(&self) -> Arc<Gate> {
        Arc::clone(&self.gate)
    }

    /// Columns and lines.
    pub fn size(&self) -> io::Result<(u16, u16)> {
        self.screen.size().map(|size| (size.width, size.height))
    }

    /// Draws a frame.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame)) -> io::Result<()> {
        let trails = &mut self.trails;
        let drawn = self.screen.draw(|frame| {
            draw(frame);
            trails.renew(frame.buffer_mut());
        });
        drawn.map(drop)
    }

    /// Forgets what is on the screen, so that the next frame draws all of it.
    pub fn clear(&mut self) -> io::Result<()> {
        // Not `clear`, which asks the terminal where its cursor is.
        let (columns, lines) = self.size()?;
        self.screen.resize(Rect::new(0, 0, columns, lines))
    }

    /// Asks what the background is. The answer comes among the keys, if at all.
    pub fn ask_background(&mut self) -> io::Result<()> {
        execute!(io::stdout(), Print(QUESTION))
    }

    /// Takes the mouse, or leaves it to the terminal.
    pub fn set_mouse(&mut self, mouse: bool) -> io::Result<()> {
        self.mouse = mouse;
        if mouse {
            execute!(io::stdout(), EnableMouseCapture)
        } else {
            execute!(io::stdout(), DisableMouseCapture)
        }
    }

    /// Gives the terminal back while another program has it.
    pub fn suspended<T>(&mut self, run: impl FnOnce() -> T) -> io::Result<T> {
        let gate = self.gate();
        let _quiet = gate.pause();
        give_back();
        let outcome = run();
        self.take_again()?;
        Ok(outcome)
    }

    /// Stops the process as Ctrl-z does elsewhere, until the shell lets it go on.
    pub fn suspend(&mut self) -> io::Result<()> {
        self.has_stopped = true;
        self.suspended(|| signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP))?
    }

    /// Takes the terminal over once more when the process goes on, whoever stopped it.
    pub fn go_on(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.has_stopped) { Ok(()) } else { self.take_again() }
    }

    /// Takes the terminal over once more: whoever had it meanwhile left it as they liked.
    fn take_again(&mut self) -> io::Result<()> {
        // As long as it counts as raw, nothing would be done about it.
        let _ = disable_raw_mode();
        take(self.mouse)?;
        self.clear()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        give_back();
    }
}

/// Whether somebody is still at the other end of standard input.
pub fn is_there() -> bool {
    io::stdin().is_terminal() || std::fs::File::open("/dev/tty").is_ok()
}

fn take(mouse: bool) -> io::Result<()> {
    enable_raw_mode()?;
    write_taking(&mut io::stdout(), mouse)
}

/// Nothing can be done about a terminal that is gone.
pub fn give_back() {
    // First, so that whoever sees the screen go types for the next program.
    let _ = disable_raw_mode();
    let _ = write_giving_back(&mut io::stdout());
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
