//! The terminal, taken over and given back: at the end, on errors, on panics, for the editor and the shell.

use std::io::{self, IsTerminal, Stdout};
use std::panic;
use std::sync::mpsc::Sender;

use crossterm::cursor::{Hide, Show};
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::execute;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal as Ratatui};

use super::event::Event;
use super::{TuiError, input};

/// The terminal while it is ours; given back when dropped.
pub struct Terminal {
    screen: Ratatui<CrosstermBackend<Stdout>>,
    mouse: bool,
}

impl Terminal {
    /// Takes the terminal over.
    pub fn enter(mouse: bool) -> Result<Self, TuiError> {
        if !io::stdout().is_terminal() || !is_there() {
            return Err(TuiError::NoTerminal);
        }
        // Colours are chosen by the theme, which knows NO_COLOR; crossterm's own handling resets a style
        // in the middle of a line.
        crossterm::style::force_color_output(true);
        take(mouse)?;
        let screen = Ratatui::new(CrosstermBackend::new(io::stdout()));
        match screen {
            Ok(screen) => Ok(Self { screen, mouse }),
            Err(error) => {
                give_back();
                Err(error.into())
            }
        }
    }

    /// Columns and lines.
    pub fn size(&self) -> io::Result<(u16, u16)> {
        self.screen.size().map(|size| (size.width, size.height))
    }

    /// Draws a frame.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame)) -> io::Result<()> {
        self.screen.draw(draw).map(drop)
    }

    /// Forgets what is on the screen, so that the next frame draws all of it.
    pub fn clear(&mut self) -> io::Result<()> {
        // Not `clear`, which asks the terminal where its cursor is.
        let (columns, lines) = self.size()?;
        self.screen.resize(Rect::new(0, 0, columns, lines))
    }

    /// Takes the mouse, or leaves it to the terminal.
    pub fn set_mouse(&mut self, is_ours: bool) -> io::Result<()> {
        self.mouse = is_ours;
        if is_ours {
            execute!(io::stdout(), EnableMouseCapture)
        } else {
            execute!(io::stdout(), DisableMouseCapture)
        }
    }

    /// C.
    pub fn copy(&mut self, _text: &str) -> String {
        String::new()
    }

    /// Gives the terminal back while another program has it.
    pub fn suspended<T>(&mut self, run: impl FnOnce() -> T) -> io::Result<T> {
        let _quiet = input::pause();
        give_back();
        let outcome = run();
        take(self.mouse)?;
        self.clear()?;
        Ok(outcome)
    }

    /// Stops the process as Ctrl-z does elsewhere, until the shell lets it go on.
    pub fn suspend(&mut self) -> io::Result<()> {
        self.suspended(|| signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP))?
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
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, Hide)?;
    if mouse {
        execute!(io::stdout(), EnableMouseCapture)?;
    }
    Ok(())
}

/// Nothing can be done about a terminal that is gone.
fn give_back() {
    let _ = execute!(io::stdout(), DisableMouseCapture, DisableBracketedPaste, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

/// A panic in any thread is logged and ends the program in order, instead of writing over the screen.
pub fn catch_panics(events: Sender<Event>) {
    panic::set_hook(Box::new(move |panic| {
        let trace = std::backtrace::Backtrace::force_capture();
        tracing::error!("{panic}\n{trace}");
        if events.send(Event::Panicked).is_err() || std::thread::current().name() == Some("main") {
            give_back();
            eprintln!("dupi-tui: {panic}");
        }
    }));
}
