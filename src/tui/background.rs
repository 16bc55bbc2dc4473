//! What the terminal's background is: one question, and the answer, which comes among the keys.
//!
//! Nobody waits for it. An answer within [`PATIENCE`] counts, a later one is only kept from being taken
//! for keys; so is every part of one. Keys that are pressed meanwhile go their way.

use std::time::{Duration, Instant};

use crossterm::event::{Event as Input, KeyCode, KeyModifiers};

use super::theme::depth::Rgb;

/// OSC 11.
pub const QUESTION: &str = "\u{1b}]11;?\u{7}";
/// A later answer would change the colours under the eyes of the reader.
const PATIENCE: Duration = Duration::from_millis(150);
/// How the answer begins.
const BEGINNING: &str = "\u{1b}]11;";
/// A longer answer is none.
const LONGEST: usize = 40;

/// Listens for the answer.
pub struct Listening {
    asked: Instant,
    is_over: bool,
    held: Vec<Input>,
    heard: String,
}

/// What the keys so far are.
enum Heard {
    Keys,
    Beginning,
    Answer(Option<Rgb>),
}

impl Listening {
    /// To the answer to a question that is asked now, or not at all.
    pub fn new(is_asked: bool) -> Self {
        Self { asked: Instant::now(), is_over: !is_asked, held: Vec::new(), heard: String::new() }
    }

    /// How long what is held may be part of an answer whose rest is under way.
    pub fn patience(&self) -> Option<Duration> {
        let is_unmistakable = self.heard.starts_with(BEGINNING);
        (!self.held.is_empty()).then_some(Duration::from_millis(if is_unmistakable { 1000 } else { 50 }))
    }

    /// Takes an event in: those that are no part of an answer, and the background, once it is told.
    pub fn take(&mut self, event: Input, now: Instant) -> (Vec<Input>, Option<Rgb>) {
        let Some(words) = words(&event).filter(|_| !self.is_over) else {
            // The mouse is not in the way of an answer.
            return (vec![event], None);
        };
        // A lone Escape is a key, unless the question was just asked.
        if self.held.is_empty() && words == "\u{1b}" && now > self.asked + 10 * PATIENCE {
            return (vec![event], None);
        }
        self.held.push(event);
        self.heard += &words;
        match hear(&self.heard) {
            Heard::Beginning => (Vec::new(), None),
            Heard::Answer(colour) => {
                self.is_over = true;
                self.held.clear();
                (Vec::new(), colour.filter(|_| now <= self.asked + PATIENCE))
            }
            Heard::Keys => {
                let last = self.held.pop();
                let mut released = self.release();
                if released.is_empty() {
                    return (last.into_iter().collect(), None);
                }
                // The last one may be where the answer begins.
                let (others, colour) = last.map_or((Vec::new(), None), |last| self.take(last, now));
                released.extend(others);
                (released, colour)
            }
        }
    }

    /// Gives up what is held: keys after all.
    pub fn release(&mut self) -> Vec<Input> {
        self.heard.clear();
        std::mem::take(&mut self.held)
    }
}

/// The bytes of which the parser of the terminal's input made a key, as far as an answer may have them.
fn words(event: &Input) -> Option<String> {
    let Input::Key(key) = event else { return None };
    match key.code {
        KeyCode::Esc => Some("\u{1b}".to_owned()),
        KeyCode::Char('g') if key.modifiers.contains(KeyModifiers::CONTROL) => Some("\u{7}".to_owned()),
        KeyCode::Char(character) if key.modifiers.contains(KeyModifiers::ALT) => {
            Some(format!("\u{1b}{character}"))
        }
        KeyCode::Char(character) if !key.modifiers.contains(KeyModifiers::CONTROL) => {
            Some(character.to_string())
        }
        _ => Some(String::new()),
    }
}

fn hear(heard: &str) -> Heard {
    if BEGINNING.starts_with(heard) && !heard.is_empty() {
        return Heard::Beginning;
    }
    let Some(rest) = heard.strip_prefix(BEGINNING) else { return Heard::Keys };
    match rest.strip_suffix('\u{7}').or_else(|| rest.strip_suffix("\u{1b}\\")) {
        Some(colour) => Heard::Answer(parse(colour)),
        None if rest.len() <= LONGEST => Heard::Beginning,
        None => Heard::Keys,
    }
}

/// `rgb:1e1e/1e1e/2e2e`, with one to four digits each, or `#1e1e2e`.
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
    use crossterm::event::{KeyEvent, MouseEvent, MouseEventKind};

    use super::*;

    /// Keys, as the parser makes them of bytes.
    fn keys(bytes: &str) -> Vec<Input> {
        let mut characters = bytes.chars().peekable();
        let mut keys = Vec::new();
        while let Some(character) = characters.next() {
            let key = match character {
                '\u{1b}' => match characters.next() {
                    Some(next) => KeyEvent::new(KeyCode::Char(next), KeyModifiers::ALT),
                    None => KeyEvent::from(KeyCode::Esc),
                },
                '\u{7}' => KeyEvent::new(KeyCode::Char('g'), KeyModifiers::CONTROL),
                character => KeyEvent::from(KeyCode::Char(character)),
            };
            keys.push(Input::Key(key));
        }
        keys
    }

    fn heard(listening: &mut Listening, events: Vec<Input>, now: Instant) -> (Vec<Input>, Option<Rgb>) {
        let mut passed = Vec::new();
        let mut colour = None;
        for event in events {
            let (others, told) = listening.take(event, now);
            passed.extend(others);
            colour = colour.or(told);
        }
        (passed, colour)
    }

    #[test]
    fn an_answer_is_told_from_the_keys_around_it() {
        for end in ["\u{7}", "\u{1b}\\"] {
            let mut listening = Listening::new(true);
            let now = listening.asked;
            let typed =
                [keys("jk"), keys(&format!("\u{1b}]11;rgb:fafa/fbfb/FCFC{end}")), keys("n]1")].concat();
            let (passed, colour) = heard(&mut listening, typed, now);
            assert_eq!((passed, colour), (keys("jkn]1"), Some(Rgb(0xfa, 0xfb, 0xfc))));
            assert_eq!(listening.patience(), None);
        }
    }

    #[test]
    fn an_answer_that_comes_in_pieces_or_behind_escape_is_one() {
        let mut listening = Listening::new(true);
        let now = listening.asked;
        let pieces =
            [keys("\u{1b}"), keys("\u{1b}"), keys("]11;rgb:0/0/0"), keys("\u{1b}"), keys("\\q")].concat();
        assert_eq!(
            heard(&mut listening, pieces, now),
            ([keys("\u{1b}"), keys("q")].concat(), Some(Rgb(0, 0, 0)))
        );
    }

    #[test]
    fn a_late_answer_is_neither_a_background_nor_keys() {
        let mut listening = Listening::new(true);
        let late = listening.asked + Duration::from_secs(3);
        assert_eq!(heard(&mut listening, keys("\u{1b}]11;rgb:f/f/f\u{7}x"), late), (keys("x"), None));
    }

    #[test]
    fn keys_that_look_like_an_answer_are_given_back() {
        let mut listening = Listening::new(true);
        let now = listening.asked;
        assert_eq!(heard(&mut listening, keys("\u{1b}]1j"), now), (keys("\u{1b}]1j"), None));
        assert_eq!(heard(&mut listening, keys("\u{1b}"), now), (Vec::new(), None));
        assert_eq!(listening.patience(), Some(Duration::from_millis(50)));
        assert_eq!(listening.release(), keys("\u{1b}"));
        assert_eq!(
            heard(&mut listening, keys("\u{1b}"), now + Duration::from_secs(2)),
            (keys("\u{1b}"), None)
        );
        let mouse =
            MouseEvent { kind: MouseEventKind::Moved, column: 1, row: 1, modifiers: KeyModifiers::NONE };
        assert_eq!(listening.take(Input::Mouse(mouse), now).0, [Input::Mouse(mouse)]);
        assert_eq!(heard(&mut Listening::new(false), keys("\u{1b}]11;rgb:f/f/f\u{7}"), now).0.len(), 14);
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
