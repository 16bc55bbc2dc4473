//! A line editor: the typed text and its cursor.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::cells::cells;

/// The typed text and the cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputLine {
    text: String,
    /// A byte offset between two grapheme clusters.
    cursor: usize,
}

impl InputLine {
    /// The largest number of bytes: the whole line is processed with every key and frame.
    pub const MOST: usize = 4 << 10;

    /// A line with the cursor at its end.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { cursor: text.len(), text }
    }

    /// The typed text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The byte offset of the cursor.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Inserts pasted text as one line, as much as fits; `false` if that is not all.
    pub fn insert(&mut self, text: &str) -> bool {
        let room = text.floor_char_boundary(Self::MOST.saturating_sub(self.text.len()));
        let clean: String = text[..room].chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.text.insert_str(self.cursor, &clean);
        self.cursor += clean.len();
        room == text.len()
    }

    /// Replaces a range of bytes and puts the cursor after the new text.
    pub fn replace(&mut self, bytes: std::ops::Range<usize>, text: &str) {
        if self.text.get(bytes.clone()).is_some() {
            self.cursor = bytes.start + text.len();
            self.text.replace_range(bytes, text);
        }
    }

    /// Processes an editing key; `false` if the key is none.
    pub fn take(&mut self, key: KeyEvent) -> bool {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        let is_alt = key.modifiers.contains(KeyModifiers::ALT);
        match key.code {
            KeyCode::Char('a') if is_control => self.cursor = 0,
            KeyCode::Char('e') if is_control => self.cursor = self.text.len(),
            KeyCode::Char('u') if is_control => self.replace(0..self.cursor, ""),
            KeyCode::Char('k') if is_control => self.text.truncate(self.cursor),
            KeyCode::Char('w') if is_control => self.replace(self.word_before()..self.cursor, ""),
            KeyCode::Backspace if is_alt || is_control => self.replace(self.word_before()..self.cursor, ""),
            KeyCode::Char(character) if !is_control && !is_alt && !character.is_control() => {
                self.insert(character.encode_utf8(&mut [0; 4]));
            }
            KeyCode::Backspace => self.replace(self.before()..self.cursor, ""),
            KeyCode::Delete => {
                let cursor = self.cursor;
                self.replace(cursor..self.after(), "");
            }
            KeyCode::Left => self.cursor = if is_control { self.word_before() } else { self.before() },
            KeyCode::Right => self.cursor = self.after(),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.text.len(),
            _ => return false,
        }
        true
    }

    fn before(&self) -> usize {
        cells(&self.text[..self.cursor]).last().map_or(0, |cell| cell.byte)
    }

    fn after(&self) -> usize {
        let next = cells(&self.text[self.cursor..]).nth(1);
        next.map_or(self.text.len(), |next| self.cursor + next.byte)
    }

    fn word_before(&self) -> usize {
        let before = self.text[..self.cursor].trim_end();
        before
            .rfind(char::is_whitespace)
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &[(KeyCode, KeyModifiers)]) -> (String, usize) {
        let mut line = InputLine::default();
        for (code, modifiers) in keys {
            line.take(KeyEvent::new(*code, *modifiers));
        }
        (line.text.clone(), line.cursor)
    }

    #[test]
    fn a_line_is_edited_as_everywhere() {
        use KeyCode as C;
        let (plain, held) = (KeyModifiers::NONE, KeyModifiers::CONTROL);
        let word =
            [(C::Char('a'), plain), (C::Char(' '), plain), (C::Char('é'), plain), (C::Char('c'), plain)];
        let then = |more: &[(KeyCode, KeyModifiers)]| typed(&[&word[..], more].concat());
        assert_eq!(then(&[]), ("a éc".into(), 5));
        assert_eq!(then(&[(C::Left, plain), (C::Backspace, plain)]), ("a c".into(), 2));
        assert_eq!(then(&[(C::Char('w'), held)]), ("a ".into(), 2));
        assert_eq!(then(&[(C::Home, plain), (C::Delete, plain)]), (" éc".into(), 0));
        assert_eq!(then(&[(C::Left, held), (C::Char('k'), held)]), ("a ".into(), 2));
        assert_eq!(then(&[(C::Left, plain), (C::Char('u'), held)]), ("c".into(), 0));
        assert_eq!(then(&[(C::Right, plain), (C::Delete, plain), (C::Tab, plain)]), ("a éc".into(), 5));
    }

    #[test]
    fn a_line_takes_what_there_is_room_for() {
        let mut line = InputLine::new("x");
        assert!(!line.insert(&"é".repeat(1 << 20)));
        assert_eq!((line.text().len(), line.cursor()), (InputLine::MOST - 1, InputLine::MOST - 1));
        assert!(line.insert("y") && !line.insert("z"));
        assert_eq!(line.text().len(), InputLine::MOST);
        line.take(KeyEvent::from(KeyCode::Backspace));
        assert!(line.insert("z"));
    }

    #[test]
    fn what_is_pasted_is_one_line() {
        let mut line = InputLine::new("xy");
        line.take(KeyEvent::new(KeyCode::Left, KeyModifiers::NONE));
        line.insert("a\nb\u{1b}");
        assert_eq!((line.text(), line.cursor()), ("xa b y", 5));
    }
}
