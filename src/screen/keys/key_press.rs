//! One key press with its modifiers, written and parsed as `j`, `Ctrl-d`, `Alt-x`, `Shift-Tab`, `PgDn` or `F5`.

use std::fmt;
use std::str::FromStr;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with what is held down beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyPress {
    code: KeyCode,
    modifiers: KeyModifiers,
}

/// There is no key with this name.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Nor is it written like one.
    #[error("`{0}` is no key; keys are written j, G, Ctrl-d, Alt-x, Shift-Tab, PgDn, F5, Space")]
    Unknown(String),
    /// It is written like one, but what is sent is the same as for another.
    #[error("no terminal sends `{0}`: it is the same as {1} there")]
    NotSent(String, String),
}

/// What terminals send for Ctrl-_ and Ctrl-/, as it is read.
const UNIT_SEPARATOR: char = '7';

const NAMED: [(&str, KeyCode); 15] = [
    ("Up", KeyCode::Up),
    ("Down", KeyCode::Down),
    ("Left", KeyCode::Left),
    ("Right", KeyCode::Right),
    ("PgUp", KeyCode::PageUp),
    ("PgDn", KeyCode::PageDown),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("Ins", KeyCode::Insert),
    ("Del", KeyCode::Delete),
    ("Enter", KeyCode::Enter),
    ("Tab", KeyCode::Tab),
    ("Esc", KeyCode::Esc),
    ("Space", KeyCode::Char(' ')),
    ("Backspace", KeyCode::Backspace),
];

const HELD: [(&str, KeyModifiers); 3] =
    [("Ctrl-", KeyModifiers::CONTROL), ("Alt-", KeyModifiers::ALT), ("Shift-", KeyModifiers::SHIFT)];

impl From<KeyEvent> for KeyPress {
    fn from(event: KeyEvent) -> Self {
        let held = event.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT);
        match event.code {
            KeyCode::BackTab => Self { code: KeyCode::Tab, modifiers: held | KeyModifiers::SHIFT },
            // Shift is part of a character's identity already.
            KeyCode::Char(_) => Self { code: event.code, modifiers: held - KeyModifiers::SHIFT },
            code => Self { code, modifiers: held },
        }
    }
}

impl KeyPress {
    /// The event that pressing it makes.
    pub fn pressed(self) -> KeyEvent {
        KeyEvent::new(self.code, self.modifiers)
    }
}

impl FromStr for KeyPress {
    type Err = KeyError;

    fn from_str(name: &str) -> Result<Self, KeyError> {
        let (mut rest, mut modifiers) = (name, KeyModifiers::NONE);
        while let Some((prefix, held)) =
            HELD.iter().find(|(prefix, _)| rest.len() > prefix.len() && rest.starts_with(prefix))
        {
            rest = &rest[prefix.len()..];
            modifiers |= *held;
        }
        let mut code = code_of(rest).ok_or_else(|| KeyError::Unknown(name.to_owned()))?;
        let is_character = matches!(code, KeyCode::Char(character) if character != ' ');
        if is_character && modifiers.contains(KeyModifiers::SHIFT) {
            return Err(KeyError::Unknown(name.to_owned()));
        }
        if let (KeyCode::Char(character), true) = (code, modifiers.contains(KeyModifiers::CONTROL)) {
            code = KeyCode::Char(sent(character).map_err(|other| KeyError::NotSent(name.to_owned(), other))?);
        }
        Ok(Self { code, modifiers })
    }
}

/// The character that terminals send when Ctrl is held with one; `Err` with the key that it is the same as.
fn sent(character: char) -> Result<char, String> {
    match character {
        'i' => Err("Tab".to_owned()),
        'm' => Err("Enter".to_owned()),
        '[' => Err("Esc".to_owned()),
        'A'..='Z' => Err(format!("Ctrl-{}", character.to_ascii_lowercase())),
        '@' => Ok(' '),
        '_' | '/' => Ok(UNIT_SEPARATOR),
        _ => Ok(character),
    }
}

fn code_of(name: &str) -> Option<KeyCode> {
    if let Some((_, code)) = NAMED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        return Some(*code);
    }
    let number = name.strip_prefix('F').and_then(|digits| digits.parse().ok());
    if let Some(number) = number.filter(|number| (1..=12).contains(number)) {
        return Some(KeyCode::F(number));
    }
    let mut characters = name.chars();
    let character =
        characters.next().filter(|character| !character.is_control() && !character.is_whitespace())?;
    characters.next().is_none().then_some(KeyCode::Char(character))
}

impl fmt::Display for KeyPress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (prefix, held) in HELD {
            if self.modifiers.contains(held) {
                f.write_str(prefix)?;
            }
        }
        match (self.code, NAMED.iter().find(|(_, code)| *code == self.code)) {
            (_, Some((name, _))) => f.write_str(name),
            (KeyCode::Char(UNIT_SEPARATOR), _) if self.modifiers.contains(KeyModifiers::CONTROL) => {
                f.write_str("/")
            }
            (KeyCode::Char(character), _) => write!(f, "{character}"),
            (KeyCode::F(number), _) => write!(f, "F{number}"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_are_written() {
        for name in
            "j G Ctrl-d Alt-x Ctrl-Alt-Del Shift-Tab PgDn F5 Space - Ctrl-- Ctrl-Space Ctrl-/ é".split(' ')
        {
            assert_eq!(name.parse::<KeyPress>().unwrap().to_string(), name);
        }
        for name in ["", "jj", "F13", "Ctrl-", "Strg-x", "Shift-a", "\t"] {
            assert!(name.parse::<KeyPress>().is_err(), "{name}");
        }
    }

    #[test]
    fn a_key_that_no_terminal_sends_is_the_one_that_is_sent_or_none() {
        let sent = |code| KeyEvent::new(code, KeyModifiers::CONTROL);
        for (name, code) in [("Ctrl-@", ' '), ("Ctrl-Space", ' '), ("Ctrl-_", '7'), ("Ctrl-/", '7')] {
            assert_eq!(
                name.parse::<KeyPress>().unwrap(),
                KeyPress::from(sent(KeyCode::Char(code))),
                "{name}"
            );
        }
        for (name, same) in [("Ctrl-i", "Tab"), ("Ctrl-m", "Enter"), ("Ctrl-[", "Esc"), ("Ctrl-G", "Ctrl-g")]
        {
            let error = name.parse::<KeyPress>().unwrap_err().to_string();
            assert_eq!(error, format!("no terminal sends `{name}`: it is the same as {same} there"));
        }
    }

    #[test]
    fn what_the_terminal_sends_is_what_was_written() {
        let sent = |code, modifiers| KeyPress::from(KeyEvent::new(code, modifiers)).to_string();
        assert_eq!(sent(KeyCode::Char('G'), KeyModifiers::SHIFT), "G");
        assert_eq!(sent(KeyCode::BackTab, KeyModifiers::SHIFT), "Shift-Tab");
        assert_eq!(sent(KeyCode::BackTab, KeyModifiers::NONE), "Shift-Tab");
        assert_eq!(sent(KeyCode::Char(' '), KeyModifiers::NONE), "Space");
    }
}
