//! Decodes the bytes of a terminal into keys, mouse events, pastes and answers.
//!
//! Bytes can arrive in pieces of any size. An incomplete sequence is waited for, but only for a limited time: after it
//! [`Decoder::expire`] interprets what there is, as a key or as nothing, so that a truncated sequence cannot block the
//! input. For the same reason every sequence has a maximum length, and a control character such as Ctrl-C ends the
//! sequence that it interrupts.
//!
//! The sequences are those of xterm; see <https://invisible-island.net/xterm/ctlseqs/ctlseqs.html>.

use std::time::{Duration, Instant};

use crossterm::event::Event as Input;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::input::sequence::{Paste, character, control, csi, old_mouse, single_shift};

/// How long a lone Escape can be the start of a sequence. A terminal sends a sequence at once; a network can split it.
const ESCAPE: Duration = Duration::from_millis(25);
/// How long any other incomplete sequence is waited for.
const SEQUENCE: Duration = Duration::from_millis(200);
/// How long a paste can pause before its text is delivered.
pub(super) const PASTE: Duration = Duration::from_millis(400);
/// The longest sequence.
const LONGEST: usize = 64;
/// The longest answer.
const LONGEST_ANSWER: usize = 256;

/// Decoded input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TerminalInput {
    /// A key, a mouse event or a paste.
    Input(Input),
    /// The answer to a query (OSC), such as `11;rgb:ffff/ffff/ffff`.
    Answer(String),
}

/// What was started:
#[derive(Debug, Default)]
enum DecoderState {
    /// Nothing.
    #[default]
    Ground,
    /// `ESC`
    Escape,
    /// `ESC [`
    Csi,
    /// `ESC [ [`, function keys of the Linux console
    Console,
    /// `ESC [ M`, a legacy mouse report: three bytes follow
    OldMouse,
    /// `ESC O`
    SingleShift,
    /// `ESC ]`
    Answer,
    /// An answer and `ESC`, which ends it together with `\\`
    AnswerEnd,
    /// A multi-byte character, with or without Alt.
    Character(KeyModifiers),
    /// `ESC [ 200 ~`
    Paste(Paste),
}

/// The decoder.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    state: DecoderState,
    /// The bytes since the state was entered.
    bytes: Vec<u8>,
    /// The time of the last bytes.
    at: Option<Instant>,
    /// A paste timed out before its end.
    is_torn: bool,
    heard: Vec<TerminalInput>,
}

impl Decoder {
    /// Decodes bytes that arrived at a time.
    pub(super) fn take(&mut self, bytes: &[u8], at: Instant) -> Vec<TerminalInput> {
        let mut heard = self.expire(at);
        self.at = Some(at);
        if !bytes.is_empty() && std::mem::take(&mut self.is_torn) && !is_typed(bytes) {
            self.state = DecoderState::Paste(Paste::default());
        }
        for byte in bytes {
            self.step(*byte);
        }
        heard.append(&mut self.heard);
        heard
    }

    /// How long the rest of a sequence can still be waited for; `None` if none was started.
    pub(super) fn patience(&self, now: Instant) -> Option<Duration> {
        let most = match self.state {
            DecoderState::Ground => return None,
            DecoderState::Escape => ESCAPE,
            DecoderState::Paste(_) => PASTE,
            _ => SEQUENCE,
        };
        Some((self.at? + most).saturating_duration_since(now))
    }

    /// Interprets an incomplete sequence that has timed out.
    pub(super) fn expire(&mut self, now: Instant) -> Vec<TerminalInput> {
        if self.patience(now) == Some(Duration::ZERO) {
            self.give_up();
        }
        std::mem::take(&mut self.heard)
    }

    /// Ends an incomplete sequence: a key if that is all it needs, otherwise nothing.
    fn give_up(&mut self) {
        let alt = |character| KeyEvent::new(KeyCode::Char(character), KeyModifiers::ALT);
        let is_bare = self.bytes.is_empty();
        match std::mem::take(&mut self.state) {
            DecoderState::Escape => self.key(KeyCode::Esc.into()),
            DecoderState::Csi if is_bare => self.key(alt('[')),
            DecoderState::Answer if is_bare => self.key(alt(']')),
            DecoderState::SingleShift => {
                self.key(KeyEvent::new(KeyCode::Char('O'), KeyModifiers::ALT | KeyModifiers::SHIFT));
            }
            DecoderState::Paste(paste) => {
                self.is_torn = true;
                self.paste(paste);
            }
            _ => {}
        }
        self.bytes.clear();
    }

    /// Gives up the sequence and decodes the byte by itself.
    fn begin_anew(&mut self, byte: u8) {
        self.give_up();
        self.step(byte);
    }

    fn step(&mut self, byte: u8) {
        match &mut self.state {
            DecoderState::Paste(paste) => {
                if paste.take(byte)
                    && let DecoderState::Paste(paste) = std::mem::take(&mut self.state)
                {
                    self.paste(paste);
                }
            }
            DecoderState::Ground => self.first(byte, KeyModifiers::NONE),
            DecoderState::Escape => self.second(byte),
            DecoderState::AnswerEnd => match byte {
                b'\\' => self.answer(),
                _ => {
                    self.state = DecoderState::Escape;
                    self.step(byte);
                }
            },
            // A control character interrupts any sequence.
            DecoderState::Answer if byte == 0x07 => self.answer(),
            DecoderState::Answer if byte == 0x1b => self.state = DecoderState::AnswerEnd,
            _ if byte < 0x20 => self.begin_anew(byte),
            DecoderState::Answer => self.of_answer(byte),
            DecoderState::Csi => self.of_csi(byte),
            DecoderState::Console => {
                let key = byte.checked_sub(b'A').filter(|number| *number < 5);
                self.end(key.map(|number| Input::Key(KeyCode::F(number + 1).into())));
            }
            DecoderState::OldMouse => {
                self.bytes.push(byte);
                if let Ok(report) = <[u8; 3]>::try_from(&self.bytes[..]) {
                    self.end(old_mouse(report));
                }
            }
            DecoderState::SingleShift => match single_shift(byte) {
                Some(key) => self.end(Some(Input::Key(key.into()))),
                None => self.begin_anew(byte),
            },
            DecoderState::Character(modifiers) => {
                let modifiers = *modifiers;
                self.of_character(byte, modifiers);
            }
        }
    }

    /// The first byte of a sequence, or the byte after Escape, which means Alt.
    fn first(&mut self, byte: u8, modifiers: KeyModifiers) {
        self.state = DecoderState::Ground;
        match byte {
            0x1b => self.state = DecoderState::Escape,
            0xc2..=0xf4 => {
                self.bytes.push(byte);
                self.state = DecoderState::Character(modifiers);
            }
            _ if byte.is_ascii() => {
                let mut key = control(byte).unwrap_or_else(|| character(char::from(byte)));
                key.modifiers |= modifiers;
                self.key(key);
            }
            // A continuation byte without a first byte.
            _ => {}
        }
    }

    fn second(&mut self, byte: u8) {
        match byte {
            0x1b => self.key(KeyCode::Esc.into()),
            b'[' => self.state = DecoderState::Csi,
            b'O' => self.state = DecoderState::SingleShift,
            b']' => self.state = DecoderState::Answer,
            _ => self.first(byte, KeyModifiers::ALT),
        }
    }

    fn of_csi(&mut self, byte: u8) {
        match (byte, self.bytes.is_empty()) {
            (b'M', true) => self.state = DecoderState::OldMouse,
            (b'[', true) => self.state = DecoderState::Console,
            (b'~', _) if self.bytes == b"200" => {
                self.bytes.clear();
                self.state = DecoderState::Paste(Paste::default());
            }
            (0x40..=0x7e, _) => {
                let input = if self.bytes.len() > LONGEST { None } else { csi(&self.bytes, byte) };
                self.end(input);
            }
            // One byte too many is stored, so that the sequence is unknown.
            (0x20..=0x3f, _) if self.bytes.len() <= LONGEST => self.bytes.push(byte),
            (0x20..=0x3f, _) => {}
            _ => self.end(None),
        }
    }

    fn of_answer(&mut self, byte: u8) {
        match self.bytes.is_empty() && !byte.is_ascii_digit() {
            // Alt with a key, then another key.
            true => self.begin_anew(byte),
            false if self.bytes.len() < LONGEST_ANSWER => self.bytes.push(byte),
            false => self.end(None),
        }
    }

    fn of_character(&mut self, byte: u8, modifiers: KeyModifiers) {
        if !(0x80..0xc0).contains(&byte) {
            return self.begin_anew(byte);
        }
        self.bytes.push(byte);
        let length = match self.bytes[0] {
            ..0xe0 => 2,
            0xe0..0xf0 => 3,
            _ => 4,
        };
        if self.bytes.len() == length {
            let read = str::from_utf8(&self.bytes).ok().and_then(|text| text.chars().next());
            let key = read.map(|read| {
                let mut key = character(read);
                key.modifiers |= modifiers;
                key
            });
            self.end(key.map(Input::Key));
        }
    }

    fn answer(&mut self) {
        let text = String::from_utf8_lossy(&self.bytes).into_owned();
        self.end(None);
        self.heard.push(TerminalInput::Answer(text));
    }

    /// Ends a complete sequence, known or not.
    fn end(&mut self, input: Option<Input>) {
        self.state = DecoderState::Ground;
        self.bytes.clear();
        self.heard.extend(input.map(TerminalInput::Input));
    }

    fn key(&mut self, key: KeyEvent) {
        self.heard.push(TerminalInput::Input(Input::Key(key)));
    }

    fn paste(&mut self, paste: Paste) {
        let text = paste.into_text();
        if !text.is_empty() {
            self.heard.push(TerminalInput::Input(Input::Paste(text)));
        }
    }
}

/// Whether bytes after an interrupted paste are a key or a mouse event; otherwise they belong to the paste. Text taken
/// for keys could take a decision, while a key taken for text is only pressed again.
fn is_typed(bytes: &[u8]) -> bool {
    let is_character = str::from_utf8(bytes).is_ok_and(|text| text.chars().count() == 1);
    // Pasted text contains tabs and line ends too.
    let is_control = bytes[0].is_ascii_control() && !bytes[0].is_ascii_whitespace();
    is_character || is_control && !Paste::ends_in(bytes)
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;
