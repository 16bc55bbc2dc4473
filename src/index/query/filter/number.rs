//! The values of terms: quantities and ranges of numbers such as `>5`, `<=3`, `7`, `2..10`, review states, and times.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// A quantity of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// Copies.
    Copies,
    /// Documents.
    Documents,
    /// Tokens.
    Tokens,
    /// Tokens saved if one copy were kept.
    Score,
    /// The similarity of the copies, in percent; 100 only when they are equal.
    Alike,
    /// The duplicated share of a document or folder, in percent.
    Share,
}

/// A share as whole percent, rounded down: only a share of 1 is 100.
pub fn percent(share: f64) -> u64 {
    (share * 100.0).floor() as u64
}

/// A range of numbers. Both ends are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberRange {
    least: u64,
    most: u64,
}

impl NumberRange {
    /// Reads a range; `None` when the value is not a number or range.
    pub fn parse(value: &str) -> Option<Self> {
        let (least, most) = if let Some((least, most)) = value.split_once("..") {
            if least.is_empty() && most.is_empty() {
                return None;
            }
            let bound = |text: &str, open| if text.is_empty() { Some(open) } else { number(text) };
            (bound(least, 0)?, bound(most, u64::MAX)?)
        } else if let Some(than) = value.strip_prefix(">=") {
            (number(than)?, u64::MAX)
        } else if let Some(than) = value.strip_prefix("<=") {
            (0, number(than)?)
        } else if let Some(than) = value.strip_prefix('>') {
            // No number is greater than the greatest one.
            number(than)?.checked_add(1).map_or((1, 0), |least| (least, u64::MAX))
        } else if let Some(than) = value.strip_prefix('<') {
            number(than)?.checked_sub(1).map_or((1, 0), |most| (0, most))
        } else {
            let equal = number(value.strip_prefix('=').unwrap_or(value))?;
            (equal, equal)
        };
        Some(Self { least, most })
    }

    /// Whether it contains no number, as in `5..2`.
    pub fn is_empty(self) -> bool {
        self.least > self.most
    }

    /// Its lower bound.
    pub fn least(self) -> u64 {
        self.least
    }

    /// Whether it contains a number.
    pub fn contains(self, number: u64) -> bool {
        self.least <= number && number <= self.most
    }
}

/// One number: with a percent sign, in thousands (`2k`) or millions (`1M`), or with commas as on the screen.
fn number(text: &str) -> Option<u64> {
    let text = text.strip_suffix('%').unwrap_or(text);
    let in_units = |unit: &[char], times: u64| text.strip_suffix(unit).map(|text| (text, times));
    let (text, times) =
        in_units(&['k', 'K'], 1000).or_else(|| in_units(&['m', 'M'], 1_000_000)).unwrap_or((text, 1));
    let mut groups = text.split(',');
    let first = groups.next().unwrap_or_default();
    let rest: Vec<&str> = groups.collect();
    let is_grouped =
        rest.is_empty() || ((1..=3).contains(&first.len()) && rest.iter().all(|group| group.len() == 3));
    let digits = first.to_owned() + &rest.concat();
    let is_number = is_grouped && digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse::<u64>().ok().filter(|_| is_number)?.checked_mul(times)
}

// The decision about a row.

/// The decision about a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ReviewState {
    /// None yet.
    #[default]
    Open,
    /// It was reviewed and is to be fixed.
    Fix,
    /// It was reviewed and stays as it is.
    Accepted,
    /// The taboo list hides it.
    Taboo,
}

impl ReviewState {
    /// All of them, in the order in which they are gone through.
    pub const ALL: [Self; 4] = [Self::Open, Self::Fix, Self::Accepted, Self::Taboo];

    /// Its name in filters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Fix => "fix",
            Self::Accepted => "accepted",
            Self::Taboo => "taboo",
        }
    }

    /// Its name for people.
    pub fn words(self) -> &'static str {
        if self == Self::Fix { "to fix" } else { self.name() }
    }

    /// The same; of an open row that is marked to be fixed, that.
    #[must_use]
    pub fn or_fix(self, is_to_fix: bool) -> Self {
        if self == Self::Open && is_to_fix { Self::Fix } else { self }
    }

    /// The state of a row with `copies` copies now; `accepted` is how many it had when it was accepted, if it was.
    pub fn judge(is_taboo: bool, accepted: Option<u64>, copies: u64) -> Self {
        match accepted {
            _ if is_taboo => Self::Taboo,
            Some(then) if copies <= then => Self::Accepted,
            _ => Self::Open,
        }
    }
}

// Since when a row has news.

/// Since when a row has news.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// Since the screen of the corpus was left: the row is new, or has gained copies.
    Visit,
    /// Since this time, in nanoseconds since 1970: one of its files was modified.
    Time(i64),
}

impl Since {
    /// Reads `visit`, a day such as `2026-03-01` in the user's time zone, or a time before now such as `2h`, `3d` or `1w`.
    pub fn parse(value: &str) -> Option<Self> {
        Self::parse_at(value, Timestamp::now(), &TimeZone::system())
    }

    fn parse_at(value: &str, now: Timestamp, zone: &TimeZone) -> Option<Self> {
        if value.eq_ignore_ascii_case("visit") {
            return Some(Self::Visit);
        }
        let time = match value.parse::<Date>() {
            Ok(day) => day.to_zoned(zone.clone()).ok()?.timestamp(),
            Err(_) => now.checked_sub(duration(value)?).ok()?,
        };
        let furthest = if time.as_second() < 0 { i64::MIN } else { i64::MAX };
        Some(Self::Time(i64::try_from(time.as_nanosecond()).unwrap_or(furthest)))
    }
}

/// A number of minutes, hours, days or weeks.
fn duration(value: &str) -> Option<SignedDuration> {
    let (number, unit) = value.split_at_checked(value.len().checked_sub(1)?)?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let minutes = match unit.to_ascii_lowercase().as_str() {
        "m" => 1,
        "h" => 60,
        "d" => 24 * 60,
        "w" => 7 * 24 * 60,
        _ => return None,
    };
    let number: i64 = number.parse().ok().filter(|_| is_number)?;
    number.checked_mul(minutes)?.checked_mul(60).map(SignedDuration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_times_before_now_are_read() {
        let now: Timestamp = "2026-03-05T12:00:00Z".parse().unwrap();
        crate::script::table("cases/since.txt", |_, value| {
            vec![match Since::parse_at(value, now, &TimeZone::UTC) {
                Some(Since::Time(i64::MAX)) => "never".to_owned(),
                Some(Since::Time(at)) => Timestamp::from_nanosecond(at.into()).unwrap().to_string(),
                other => format!("{other:?}"),
            }]
        });
    }

    #[test]
    fn only_what_is_equal_is_alike_to_a_hundred_percent() {
        assert_eq!([1.0, 0.999_999, 0.905, 0.0].map(percent), [100, 99, 90, 0]);
    }
}
