//! Programs that have the terminal while the screen waits for them: editors and the user's commands.
//!
//! The program stays in this process's group, so that the keys of the terminal that end or suspend programs reach it. What
//! else reaches this process meanwhile is held until the program has ended, except for what ends or suspends this
//! process: the program is told, and killed if it does not end soon, so that nothing of it is left on the terminal.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::process::{Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use std::{io, thread};

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::SIGTSTP;
use signal_hook::low_level::emulate_default_handler;

use crate::event::TuiEvent;
use crate::terminal;

/// How often it is checked that the terminal still exists.
const HEARTBEAT: Duration = Duration::from_millis(250);
/// How a program is asked to end, and how long each is waited for. A hang-up is first, as editors save at one what is not
/// saved, and interactive shells ignore SIGTERM.
const ENDINGS: [(Signal, Duration); 3] = [
    (Signal::HUP, Duration::from_millis(400)),
    (Signal::TERM, Duration::from_millis(100)),
    (Signal::KILL, Duration::from_millis(100)),
];

/// The channel of events, with those that arrived while another program had the terminal.
pub(super) struct Inbox<'a> {
    events: &'a Sender<TuiEvent>,
    inbox: &'a Receiver<TuiEvent>,
    held: RefCell<VecDeque<TuiEvent>>,
}

impl<'a> Inbox<'a> {
    /// An inbox that holds nothing.
    pub(super) fn new(events: &'a Sender<TuiEvent>, inbox: &'a Receiver<TuiEvent>) -> Self {
        Self { events, inbox, held: RefCell::default() }
    }

    /// Waits for an event.
    pub(super) fn recv_timeout(&self, patience: Duration) -> Result<TuiEvent, RecvTimeoutError> {
        let held = self.held.borrow_mut().pop_front();
        held.map_or_else(|| self.inbox.recv_timeout(patience), Ok)
    }

    /// The events that are there.
    pub(super) fn try_iter(&self) -> impl Iterator<Item = TuiEvent> {
        std::iter::from_fn(|| self.recv_timeout(Duration::ZERO).ok())
    }

    /// Runs a program that has the terminal, and waits for its end.
    pub(super) fn run(&self, command: &mut Command) -> io::Result<ExitStatus> {
        let mut held = self.held.borrow_mut();
        held.extend(self.inbox.try_iter());
        if held.iter().any(|event| matches!(event, TuiEvent::Terminate)) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let mut child = command.spawn()?;
        let process = Pid::from_child(&child);
        let events = self.events.clone();
        let waiting = thread::spawn(move || {
            let status = child.wait();
            let _ = events.send(TuiEvent::Returned);
            status
        });
        let (mut endings, mut at) = (ENDINGS.iter(), None::<Instant>);
        loop {
            let patience = at.map_or(HEARTBEAT, |at| at.saturating_duration_since(Instant::now()));
            let is_to_end = match self.inbox.recv_timeout(patience) {
                Ok(TuiEvent::Returned) => break,
                Ok(TuiEvent::Stop) => emulate_default_handler(SIGTSTP).is_err(),
                // The terminal is taken again when the program has ended.
                Ok(TuiEvent::Continued) => false,
                Ok(event) => {
                    held.push_back(event);
                    at.is_none() && matches!(held.back(), Some(TuiEvent::Terminate))
                }
                Err(_) => at.is_some() || !terminal::is_there(),
            };
            if is_to_end {
                let Some((signal, patience)) = endings.next() else {
                    // The system does not end it; the terminal is not waited for.
                    return Err(io::ErrorKind::TimedOut.into());
                };
                tell(process, *signal);
                at = Some(Instant::now() + *patience);
            }
        }
        waiting.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
    }
}

/// Sends a signal to a process and, where the system tells, to those that it has started: an editor may be a script that
/// starts another one. A suspended one goes on, as it would not end.
fn tell(process: Pid, signal: Signal) {
    let mut told = vec![process];
    let mut next = 0;
    while let Some(parent) = told.get(next) {
        told.extend(children(*parent));
        next += 1;
    }
    for process in told {
        // It may have ended.
        let _ = kill_process(process, signal);
        let _ = kill_process(process, Signal::CONT);
    }
}

/// The children of a process; none where the system does not tell.
fn children(process: Pid) -> Vec<Pid> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let told = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    told.flat_map(|told| {
        let numbers = told.split_whitespace().filter_map(|number| number.parse().ok());
        numbers.filter_map(Pid::from_raw).collect::<Vec<Pid>>()
    })
    .collect()
}
