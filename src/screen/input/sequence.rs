//! Decodes single escape sequences: keys with their modifiers, mouse reports, and the text of a bracketed paste.

use crossterm::event::Event as Input;
use crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// The offset of numbers in a legacy mouse report, which avoids control characters.
const OLD_OFFSET: u8 = 32;
/// Private-use characters that stand for keys in the kitty protocol, which is not requested.
const PRIVATE: std::ops::RangeInclusive<u32> = 0xe000..=0xf8ff;

/// The key of a control character.
pub(crate) fn control(byte: u8) -> Option<KeyEvent> {
    let held = |character| KeyEvent::new(KeyCode::Char(char::from(character)), KeyModifiers::CONTROL);
    Some(match byte {
        b'\r' => KeyCode::Enter.into(),
        b'\t' => KeyCode::Tab.into(),
        0x7f => KeyCode::Backspace.into(),
        0 => held(b' '),
        0x01..=0x1a => held(byte - 1 + b'a'),
        0x1c..=0x1f => held(byte - 0x1c + b'4'),
        _ => return None,
    })
}

/// The key of a character.
pub(crate) fn character(character: char) -> KeyEvent {
    let modifiers = if character.is_uppercase() { KeyModifiers::SHIFT } else { KeyModifiers::NONE };
    KeyEvent::new(KeyCode::Char(character), modifiers)
}

/// The key of the byte after `ESC O`.
pub(crate) fn single_shift(byte: u8) -> Option<KeyCode> {
    match byte {
        b'P'..=b'S' => Some(KeyCode::F(byte - b'P' + 1)),
        _ => cursor_key(byte),
    }
}

fn cursor_key(last: u8) -> Option<KeyCode> {
    Some(match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        _ => return None,
    })
}

/// Decodes what follows `ESC [`: parameters and the final byte; `None` if it is unknown.
pub(crate) fn csi(parameters: &[u8], last: u8) -> Option<Input> {
    let text = str::from_utf8(parameters).ok()?;
    match last {
        b'M' | b'm' => return mouse(text, last == b'm').map(Input::Mouse),
        b'I' if text.is_empty() => return Some(Input::FocusGained),
        b'O' if text.is_empty() => return Some(Input::FocusLost),
        _ => {}
    }
    let mut numbers = text.split(';');
    let first = numbers.next().unwrap_or_default();
    let (held, kind) = numbers.next().map_or((KeyModifiers::NONE, KeyEventKind::Press), held);
    let code = match last {
        b'~' => numbered_key(first.parse().ok()?)?,
        b'u' => return coded_key(first, held, kind),
        b'Z' => return Some(Input::Key(KeyEvent::new(KeyCode::BackTab, held | KeyModifiers::SHIFT))),
        b'P'..=b'S' => KeyCode::F(last - b'P' + 1),
        _ => cursor_key(last)?,
    };
    // The first number has no meaning here, and some terminals omit it.
    let is_plain = first.bytes().all(|byte| byte.is_ascii_digit());
    is_plain.then_some(Input::Key(KeyEvent::new_with_kind(code, held, kind)))
}

/// Decodes modifiers: `2`, or `2:1` with the kind of event.
fn held(text: &str) -> (KeyModifiers, KeyEventKind) {
    let (mask, kind) = text.split_once(':').unwrap_or((text, ""));
    let mask = mask.parse::<u8>().unwrap_or(1).saturating_sub(1);
    let all = [
        KeyModifiers::SHIFT,
        KeyModifiers::ALT,
        KeyModifiers::CONTROL,
        KeyModifiers::SUPER,
        KeyModifiers::HYPER,
        KeyModifiers::META,
    ];
    let of = (0..).zip(all).filter(|(bit, _)| mask & (1 << bit) != 0);
    let kind = match kind {
        "2" => KeyEventKind::Repeat,
        "3" => KeyEventKind::Release,
        _ => KeyEventKind::Press,
    };
    (of.fold(KeyModifiers::NONE, |held, (_, modifier)| held | modifier), kind)
}

fn numbered_key(number: u8) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F(number - 10),
        17..=21 => KeyCode::F(number - 11),
        23..=26 => KeyCode::F(number - 12),
        28..=29 => KeyCode::F(number - 15),
        31..=34 => KeyCode::F(number - 17),
        _ => return None,
    })
}

/// A key by its code point, as terminals send it in a mode that another program has set.
fn coded_key(first: &str, held: KeyModifiers, kind: KeyEventKind) -> Option<Input> {
    let number: u32 = first.split(':').next()?.parse().ok()?;
    let code = match char::from_u32(number).filter(|_| !PRIVATE.contains(&number))? {
        '\u{1b}' => KeyCode::Esc,
        '\r' => KeyCode::Enter,
        '\t' if held.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
        '\t' => KeyCode::Tab,
        '\u{7f}' => KeyCode::Backspace,
        character if character.is_control() => return None,
        character => KeyCode::Char(character),
    };
    Some(Input::Key(KeyEvent::new_with_kind(code, held, kind)))
}

/// Decodes `<0;10;20` of SGR, or `32;10;20` of rxvt: button, column and line.
fn mouse(text: &str, is_release: bool) -> Option<MouseEvent> {
    let (numbers, offset) = text.strip_prefix('<').map_or((text, OLD_OFFSET), |numbers| (numbers, 0));
    let mut numbers = numbers.split(';');
    let button = numbers.next()?.parse::<u8>().ok()?.checked_sub(offset)?;
    let mut place = || numbers.next()?.parse::<u16>().ok()?.checked_sub(1);
    let report = report(button, place()?, place()?)?;
    Some(match report.kind {
        MouseEventKind::Down(button) if is_release => {
            MouseEvent { kind: MouseEventKind::Up(button), ..report }
        }
        _ => report,
    })
}

/// Decodes a legacy mouse report of three bytes.
pub(crate) fn old_mouse([button, column, line]: [u8; 3]) -> Option<Input> {
    let place = |byte: u8| byte.checked_sub(OLD_OFFSET + 1).map(u16::from);
    report(button.checked_sub(OLD_OFFSET)?, place(column)?, place(line)?).map(Input::Mouse)
}

fn report(button: u8, column: u16, row: u16) -> Option<MouseEvent> {
    let is_moved = button & 32 != 0;
    let buttons = [MouseButton::Left, MouseButton::Middle, MouseButton::Right];
    let kind = match (button & 0b11) | ((button & 0b1100_0000) >> 4) {
        number @ 0..=2 if is_moved => MouseEventKind::Drag(buttons[usize::from(number)]),
        number @ 0..=2 => MouseEventKind::Down(buttons[usize::from(number)]),
        3 if !is_moved => MouseEventKind::Up(MouseButton::Left),
        3..=5 if is_moved => MouseEventKind::Moved,
        4 => MouseEventKind::ScrollUp,
        5 => MouseEventKind::ScrollDown,
        6 => MouseEventKind::ScrollLeft,
        7 => MouseEventKind::ScrollRight,
        _ => return None,
    };
    let all = [(4, KeyModifiers::SHIFT), (8, KeyModifiers::ALT), (16, KeyModifiers::CONTROL)];
    let held = all.into_iter().filter(|(bit, _)| button & bit != 0);
    let modifiers = held.fold(KeyModifiers::NONE, |held, (_, modifier)| held | modifier);
    Some(MouseEvent { kind, column, row, modifiers })
}

/// The end marker of a bracketed paste.
const END: &[u8] = b"\x1b[201~";
/// The largest number of bytes that is kept; no prompt takes more.
const MOST: usize = 1 << 20;

/// A paste that is being received.
#[derive(Debug, Default)]
pub(crate) struct Paste {
    text: Vec<u8>,
    /// How many bytes of the end marker came last.
    ending: usize,
}

impl Paste {
    /// Whether bytes contain the end marker.
    pub(crate) fn ends_in(bytes: &[u8]) -> bool {
        bytes.windows(END.len()).any(|window| window == END)
    }

    /// Adds a byte; returns whether the paste is complete.
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        if byte == END[self.ending] {
            self.ending += 1;
            return self.ending == END.len();
        }
        // The first byte of the marker does not occur in it again.
        let was_text = std::mem::take(&mut self.ending);
        self.keep(&END[..was_text]);
        if byte == END[0] {
            self.ending = 1;
        } else {
            self.keep(&[byte]);
        }
        false
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = MOST - self.text.len();
        self.text.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// The text, with invalid UTF-8 replaced.
    pub(crate) fn into_text(self) -> String {
        String::from_utf8_lossy(&self.text).into_owned()
    }
}
