//! Keys, mouse and signals, each from a thread of its own into the one channel.

use std::io;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::event::{self, Event as Input, KeyEventKind};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;

use super::background::Listening;
use super::event::Event;
use super::terminal;

/// How long the thread waits for input at a time: so long a terminal that is gone may go unnoticed.
const WAIT: Duration = Duration::from_millis(250);

/// Lets one read the terminal at a time: us, or the program that we gave it to.
#[derive(Default)]
pub struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    is_paused: bool,
    is_read: bool,
}

impl Gate {
    /// Leaves input alone until what is returned is dropped.
    pub fn pause(&self) -> Pause<'_> {
        let mut state = self.lock();
        state.is_paused = true;
        if state.is_read {
            // The thread looks up when the window might have another size.
            let _ = signal_hook::low_level::raise(SIGWINCH);
        }
        // Input that came in part may keep the thread; then it is not worth waiting for.
        let waited = self.changed.wait_timeout_while(state, 2 * WAIT, |state| state.is_read);
        drop(waited);
        Pause(self)
    }

    /// The turn to read, once nobody else has it.
    fn turn(&self) -> Turn<'_> {
        let state = self.lock();
        let mut state =
            self.changed.wait_while(state, |state| state.is_paused).unwrap_or_else(PoisonError::into_inner);
        state.is_read = true;
        Turn(self)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// While it lives, input is left alone.
pub struct Pause<'g>(&'g Gate);

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        self.0.change(|state| state.is_paused = false);
    }
}

struct Turn<'g>(&'g Gate);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.change(|state| state.is_read = false);
    }
}

/// Sends what the user and the system do, and the background, when the terminal tells it.
pub fn listen(events: Sender<Event>, gate: Arc<Gate>, background: Listening) -> io::Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM, SIGCONT, SIGTSTP])?;
    let of_signals = events.clone();
    thread::spawn(move || {
        for signal in signals.forever() {
            let event = match signal {
                SIGCONT => Event::Continued,
                SIGTSTP => Event::Stop,
                _ => Event::Terminate,
            };
            if of_signals.send(event).is_err() {
                return;
            }
        }
    });
    thread::spawn(move || {
        if let Err(error) = read(&events, &gate, background) {
            tracing::warn!("input has ended: {error}");
        }
        let _ = events.send(Event::Terminate);
    });
    Ok(())
}

/// Reads until the terminal is gone or nobody listens.
fn read(events: &Sender<Event>, gate: &Gate, mut background: Listening) -> io::Result<()> {
    loop {
        let turn = gate.turn();
        let input =
            if event::poll(background.patience().unwrap_or(WAIT))? { Some(event::read()?) } else { None };
        drop(turn);
        // A terminal that is gone has no input, and never lets wait for some.
        if !terminal::is_there() {
            return Ok(());
        }
        let (inputs, colour) = match input {
            Some(input) => background.take(input, Instant::now()),
            None => (background.release(), None),
        };
        let told = inputs.into_iter().filter_map(event_of).chain(colour.map(Event::Background));
        let at = Instant::now();
        for event in told.map(|event| Event::Read(at, event.into())) {
            if events.send(event).is_err() {
                return Ok(());
            }
        }
    }
}

fn event_of(input: Input) -> Option<Event> {
    match input {
        Input::Key(key) if key.kind != KeyEventKind::Release => Some(Event::Key(key)),
        Input::Mouse(mouse) => Some(Event::Mouse(mouse)),
        Input::Paste(text) => Some(Event::Paste(text)),
        Input::Resize(columns, lines) => Some(Event::Resize(columns, lines)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn nobody_reads_while_another_program_has_the_terminal() {
        let gate = Gate::default();
        let (told, turns) = channel();
        thread::scope(|scope| {
            let pause = gate.pause();
            scope.spawn(|| {
                let _turn = gate.turn();
                told.send(()).unwrap();
            });
            assert!(turns.recv_timeout(Duration::from_millis(20)).is_err());
            drop(pause);
            turns.recv_timeout(Duration::from_secs(30)).unwrap();
        });
        assert!(!gate.lock().is_read);
    }
}
