//! Asks the terminal for its background colour (OSC 11). The answer arrives among the keys.
//!
//! The program does not wait for the answer. It is used if it arrives within [`PATIENCE`] and ignored otherwise.

use std::time::{Duration, Instant};

use super::theme::depth::Rgb;

/// OSC 11.
pub(super) const QUESTION: &str = "\u{1b}]11;?\u{7}";
/// A later answer would change the colours visibly.
const PATIENCE: Duration = Duration::from_millis(150);
/// The prefix of the answer.
const BEGINNING: &str = "11;";

/// Waits for the answer.
pub(super) struct BackgroundQuery {
    asked: Option<Instant>,
}

impl BackgroundQuery {
    /// Starts waiting, if the question was asked.
    pub(super) fn new(is_asked: bool) -> Self {
        Self { asked: is_asked.then(Instant::now) }
    }

    /// The background colour, if this is the first answer and in time.
    pub(super) fn take(&mut self, answer: &str, now: Instant) -> Option<Rgb> {
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
