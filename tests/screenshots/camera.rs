//! Takes pictures of a program and holds them against those that are kept.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use avt::Terminal;

use crate::colours::Palette;
use crate::film::{Film, Picture};
use crate::support::Screen;
use crate::window::Window;

/// The variable that has the pictures made anew.
const WRITE: &str = "DUPI_SCREENSHOTS";

/// How long is waited for the screen to become what is kept.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long a screen is silent that has become calm: the colours of code come late.
const CALM: Duration = Duration::from_secs(2);

/// A picture, or a film, that is being made.
pub struct Camera {
    name: &'static str,
    tolerance: f64,
    terminal: Terminal,
    /// How many of the program's bytes the terminal has had.
    taken: usize,
    window: Window,
    last: Picture,
    film: Film,
    kept: Film,
    kept_picture: Picture,
    stale: Option<String>,
}

impl Camera {
    /// For a terminal of so many columns and lines. `tolerance` is the share of pixels that may differ.
    pub fn new(name: &'static str, size: (u16, u16), palette: &'static Palette, tolerance: f64) -> Self {
        let window = Window::new(size, palette);
        let last = Picture::new(window.picture.width, window.picture.height);
        let terminal = Terminal::new(size.0.into(), size.1.into()).unwrap();
        let kept = if is_writing() { None } else { Film::read(&kept_at(name)) };
        Self {
            name,
            tolerance,
            terminal,
            taken: 0,
            window,
            kept_picture: last.clone(),
            last,
            film: Film::default(),
            kept: kept.unwrap_or_default(),
            stale: None,
        }
    }

    /// Takes a picture that is shown for so many milliseconds: of what is kept as soon as the screen shows it,
    /// else of what the screen shows when it has become calm.
    pub fn shoot(&mut self, screen: &mut Screen, stays: u16) {
        if is_writing() || self.stale.is_some() || !self.comes(screen) {
            while screen.take_in(CALM).is_ok() {}
            self.look(screen);
        }
        self.film.push(&mut self.last, &self.window.picture, stays);
    }

    /// Whether the screen becomes what is kept.
    fn comes(&mut self, screen: &mut Screen) -> bool {
        let number = self.film.len();
        self.kept.turn(number, &mut self.kept_picture);
        let deadline = Instant::now() + PATIENCE;
        loop {
            self.look(screen);
            let difference = self.window.picture.difference(&self.kept_picture);
            if difference <= self.tolerance {
                return true;
            }
            if screen.take_in(deadline.saturating_duration_since(Instant::now())).is_err() {
                let share = difference * 100.0;
                self.stale = Some(format!("{share:.2} % of the pixels of picture {} differ", number + 1));
                return false;
            }
            while screen.take_in(Duration::ZERO).is_ok() {}
        }
    }

    /// Paints what the screen shows now.
    fn look(&mut self, screen: &Screen) {
        let new = &screen.bytes[self.taken..];
        let whole = std::str::from_utf8(new)
            .unwrap_or_else(|error| std::str::from_utf8(&new[..error.valid_up_to()]).unwrap_or_default());
        self.terminal.feed(whole);
        self.taken += whole.len();
        self.window.show(&self.terminal);
    }

    /// Keeps the film, or says that the one that is kept is stale.
    pub fn finish(self) -> Result<(), String> {
        if is_writing() {
            self.film.write(&kept_at(self.name));
            return Ok(());
        }
        let more =
            (self.film.len() != self.kept.len()).then(|| "there are more or fewer pictures".to_owned());
        let Some(why) = self.stale.or(more) else { return Ok(()) };
        let fresh = Path::new(env!("CARGO_TARGET_TMPDIR")).join(self.name);
        self.film.write(&fresh);
        Err(format!(
            "screenshots/{} is not what the program shows ({why}; see {}). To make the pictures anew: \
             {WRITE}=write cargo test --test screenshots",
            self.name,
            fresh.display()
        ))
    }
}

fn is_writing() -> bool {
    std::env::var(WRITE).is_ok_and(|value| value == "write")
}

fn kept_at(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots").join(name)
}
