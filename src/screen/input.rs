//! Reads keys, mouse and signals on threads of their own and sends them to the one channel of events.
//!
//! The terminal's bytes are read and decoded here rather than by crossterm: its parser waits without limit for the rest
//! of an incomplete sequence and reads nothing else meanwhile.
//!
//! The terminal's answer to the question for its background colour (OSC 11) arrives among the keys. The program does not
//! wait for it: it is used if it arrives within [`PATIENCE`] and ignored otherwise.

pub(crate) mod decode;
pub(crate) mod sequence;

use std::fs::File;
use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use crossterm::event::Event as Input;
use crossterm::event::KeyEventKind;
use crossterm::terminal::is_raw_mode_enabled;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{
    SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2, SIGVTALRM,
    SIGWINCH, SIGXCPU,
};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::raw::WithRawSiginfo;

use crate::event::TuiEvent;
use crate::gate::{Gate, WAIT};
use crate::input::decode::{Decoder, TerminalInput};
use crate::terminal;
use crate::terminal::ScreenOutput;
use crate::theme::Rgb;
use dupi_base::storage::end_in_time;

/// The signals that would kill the process and leave the terminal in raw mode. They end it in order.
const ENDING: [i32; 11] =
    [SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO];

/// The source of keys: standard input, or the terminal that the program was started from.
fn keyboard() -> io::Result<File> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        stdin.as_fd().try_clone_to_owned().map(File::from)
    } else {
        File::open("/dev/tty")
    }
}

/// The result of waiting for input.
enum WaitOutcome {
    /// This number of bytes was read.
    Bytes(usize),
    /// A timeout, or a pause was requested.
    Nothing,
    /// End of input.
    End,
}

/// Starts the thread that sends signals as events. The process ends a moment after a signal that ends it, with the
/// terminal given back, whatever waits for what.
pub(crate) fn listen_to_signals(
    events: Sender<TuiEvent>,
    gate: Arc<Gate>,
    output: ScreenOutput,
) -> io::Result<()> {
    let all = ENDING.into_iter().chain([SIGCONT, SIGTSTP, SIGWINCH]);
    let mut signals = SignalsInfo::<WithRawSiginfo>::new(all)?;
    thread::spawn(move || {
        for info in signals.forever() {
            let signal = info.si_signo;
            // In raw mode the terminal sends no signals: one that it sent then was typed before, for an editor.
            let is_typed = info.si_code > 0 && is_raw_mode_enabled().unwrap_or(false);
            let event = match signal {
                SIGCONT => TuiEvent::Continued,
                SIGTSTP => TuiEvent::Stop,
                SIGWINCH => match crossterm::terminal::size() {
                    Ok((columns, lines)) => TuiEvent::Resize(columns, lines),
                    Err(_) => continue,
                },
                // Typed for the program that has the terminal.
                SIGINT | SIGQUIT if gate.is_paused() || is_typed => continue,
                _ => {
                    let output = output.clone();
                    end_in_time(signal, move || terminal::give_back(&output));
                    TuiEvent::Terminate
                }
            };
            // When nobody listens any more, the screen has ended, but not the process.
            let _ = events.send(event);
        }
    });
    Ok(())
}

/// Starts the thread that sends input as events.
pub(crate) fn listen(
    events: Sender<TuiEvent>,
    gate: Arc<Gate>,
    background: BackgroundQuery,
) -> io::Result<()> {
    let keyboard = keyboard()?;
    thread::spawn(move || {
        if let Err(error) = read(&keyboard, &events, &gate, background) {
            tracing::warn!("input has ended: {error}");
        }
        let _ = events.send(TuiEvent::Terminate);
    });
    Ok(())
}

/// Reads until the terminal is closed or the receiver is gone.
fn read(
    keyboard: &File,
    events: &Sender<TuiEvent>,
    gate: &Gate,
    mut background: BackgroundQuery,
) -> io::Result<()> {
    let mut decoder = Decoder::default();
    let mut bytes = vec![0; 1 << 16];
    loop {
        let turn = gate.turn();
        let patience = decoder.patience(Instant::now()).unwrap_or(WAIT);
        let (waited, at) = wait(keyboard, gate, patience, &mut bytes)?;
        drop(turn);
        let heard = match waited {
            // A closed terminal is always readable and empty.
            WaitOutcome::End => return Ok(()),
            _ if !terminal::is_there() => return Ok(()),
            WaitOutcome::Bytes(count) => decoder.take(&bytes[..count], at),
            WaitOutcome::Nothing => decoder.expire(Instant::now()),
        };
        for heard in heard {
            let event = match heard {
                TerminalInput::Input(input) => event_of(input),
                TerminalInput::Answer(answer) => background.take(&answer, at).map(TuiEvent::Background),
            };
            let Some(event) = event else { continue };
            if events.send(TuiEvent::Read(Instant::now(), event.into())).is_err() {
                return Ok(());
            }
        }
    }
}

/// Waits for bytes. Returns also the latest time at which they were there.
fn wait(
    keyboard: &File,
    gate: &Gate,
    patience: Duration,
    bytes: &mut [u8],
) -> io::Result<(WaitOutcome, Instant)> {
    let mut sources =
        [PollFd::new(keyboard, PollFlags::IN), PollFd::from_borrowed_fd(gate.waker(), PollFlags::IN)];
    let patience = Timespec::try_from(patience).unwrap_or_default();
    let polled = poll(&mut sources, Some(&patience));
    // Taken before reading, so that input known to be read is never dated later.
    let at = Instant::now();
    let waited = match polled {
        Err(rustix::io::Errno::INTR) | Ok(0) => WaitOutcome::Nothing,
        Err(error) => return Err(error.into()),
        Ok(_) if !sources[1].revents().is_empty() => {
            gate.drain(bytes);
            WaitOutcome::Nothing
        }
        Ok(_) => match rustix::io::read(keyboard, bytes) {
            Ok(0) if sources[0].revents().contains(PollFlags::HUP) => WaitOutcome::End,
            Ok(0) | Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => WaitOutcome::Nothing,
            Ok(count) => WaitOutcome::Bytes(count),
            Err(error) => return Err(error.into()),
        },
    };
    Ok((waited, at))
}

fn event_of(input: Input) -> Option<TuiEvent> {
    match input {
        Input::Key(key) if key.kind != KeyEventKind::Release => Some(TuiEvent::Key(key)),
        Input::Mouse(mouse) => Some(TuiEvent::Mouse(mouse)),
        Input::Paste(text) => Some(TuiEvent::Paste(text)),
        _ => None,
    }
}

/// A later answer would change the colours visibly.
const PATIENCE: Duration = Duration::from_millis(150);
/// The prefix of the answer.
const BEGINNING: &str = "11;";

/// Waits for the answer.
pub(crate) struct BackgroundQuery {
    asked: Option<Instant>,
}

impl BackgroundQuery {
    /// Starts waiting, if the question was asked.
    pub(crate) fn new(is_asked: bool) -> Self {
        Self { asked: is_asked.then(Instant::now) }
    }

    /// The background colour, if this is the first answer and in time.
    pub(crate) fn take(&mut self, answer: &str, now: Instant) -> Option<Rgb> {
        let colour = answer.strip_prefix(BEGINNING)?;
        let asked = self.asked.take()?;
        parse(colour).filter(|_| now <= asked + PATIENCE)
    }
}

/// Parses `rgb:1e1e/1e1e/2e2e`, with one to four digits each, or `#1e1e2e`.
fn parse(colour: &str) -> Option<Rgb> {
    let channel = |digits: &str| {
        let is_plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let value = u32::from_str_radix(digits, 16).ok().filter(|_| is_plain)?;
        let most = 16_u32.checked_pow(digits.len().try_into().ok()?)? - 1;
        u8::try_from(value * 255 / most).ok()
    };
    let of = |channels: &[&str]| match channels {
        [red, green, blue, ..] => Some(Rgb(channel(red)?, channel(green)?, channel(blue)?)),
        _ => None,
    };
    if let Some(digits) = colour.strip_prefix('#') {
        let size = (digits.len() / 3).max(1);
        let channels: Option<Vec<&str>> =
            (0..3).map(|number| digits.get(number * size..(number + 1) * size)).collect();
        return of(&channels?);
    }
    let channels = colour.strip_prefix("rgb:").or_else(|| colour.strip_prefix("rgba:"))?;
    of(&channels.split('/').filter(|digits| (1..=4).contains(&digits.len())).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_answer_counts_when_it_comes_in_time() {
        let mut query = BackgroundQuery::new(true);
        let now = query.asked.unwrap();
        assert_eq!(query.take("10;rgb:f/f/f", now), None);
        assert_eq!(query.take("11;rgb:fafa/fbfb/FCFC", now + PATIENCE), Some(Rgb(0xfa, 0xfb, 0xfc)));
        assert_eq!(query.take("11;rgb:0/0/0", now), None);
    }

    #[test]
    fn a_late_answer_and_one_to_no_question_are_no_background() {
        let mut query = BackgroundQuery::new(true);
        let late = query.asked.unwrap() + PATIENCE + Duration::from_millis(1);
        assert_eq!(query.take("11;rgb:f/f/f", late), None);
        assert_eq!(BackgroundQuery::new(false).take("11;rgb:f/f/f", late), None);
    }

    #[test]
    fn colours_are_read_in_all_their_forms() {
        assert_eq!(parse("rgb:ffff/8080/0000"), Some(Rgb(255, 128, 0)));
        assert_eq!(parse("rgba:ff/80/00/ffff"), Some(Rgb(255, 128, 0)));
        assert_eq!(parse("#ff8000"), Some(Rgb(255, 128, 0)));
        for nonsense in ["rgb:", "rgb:ff/ff", "rgb:xx/00/00", "#", "#é8", "rgb:+f/0/0", "cmyk"] {
            assert_eq!(parse(nonsense), None, "{nonsense}");
        }
    }
}
