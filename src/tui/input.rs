//! Keys, mouse and signals, each from a thread of its own into the one channel.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use crossterm::event::{self, Event as Input, KeyEventKind};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::event::Event;
use super::terminal;

/// While another program has the terminal, its keys are not ours.
static PAUSED: AtomicBool = AtomicBool::new(false);

/// How long the thread waits for input at a time, and so an editor for the thread. Each time costs a
/// little, also when nothing happens.
const WAIT: Duration = Duration::from_millis(200);

/// Input is left alone until this is dropped.
pub struct Pause;

/// Leaves input alone.
pub fn pause() -> Pause {
    PAUSED.store(true, Ordering::SeqCst);
    thread::sleep(WAIT);
    Pause
}

impl Drop for Pause {
    fn drop(&mut self) {
        PAUSED.store(false, Ordering::SeqCst);
    }
}

/// Sends what the user and the system do.
pub fn listen(events: Sender<Event>) -> io::Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM, SIGCONT])?;
    let of_signals = events.clone();
    thread::spawn(move || {
        for signal in signals.forever() {
            let event = if signal == SIGCONT { Event::Continued } else { Event::Terminate };
            if of_signals.send(event).is_err() {
                return;
            }
        }
    });
    thread::spawn(move || {
        if let Err(error) = read(&events) {
            tracing::warn!("input has ended: {error}");
        }
        let _ = events.send(Event::Terminate);
    });
    Ok(())
}

/// Reads until the terminal is gone or nobody listens.
fn read(events: &Sender<Event>) -> io::Result<()> {
    loop {
        if PAUSED.load(Ordering::SeqCst) {
            thread::sleep(WAIT);
            continue;
        }
        if !event::poll(WAIT)? {
            continue;
        }
        if !terminal::is_there() {
            return Ok(());
        }
        let event = match event::read()? {
            Input::Key(key) if key.kind != KeyEventKind::Release => Event::Key(key),
            Input::Mouse(mouse) => Event::Mouse(mouse),
            Input::Paste(text) => Event::Paste(text),
            Input::Resize(columns, lines) => Event::Resize(columns, lines),
            _ => continue,
        };
        if events.send(event).is_err() {
            return Ok(());
        }
    }
}
