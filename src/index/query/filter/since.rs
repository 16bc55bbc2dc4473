//! Since when a row has news.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

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
        let of = |value| match Since::parse_at(value, now, &TimeZone::UTC) {
            Some(Since::Time(time)) => Timestamp::from_nanosecond(time.into()).unwrap().to_string(),
            other => format!("{other:?}"),
        };
        assert_eq!(of("visit"), "Some(Visit)");
        assert_eq!(Since::parse_at("2999-01-01", now, &TimeZone::UTC), Some(Since::Time(i64::MAX)));
        assert_eq!(of("2026-03-01"), "2026-03-01T00:00:00Z");
        assert_eq!(of("30m"), "2026-03-05T11:30:00Z");
        assert_eq!(of("2H"), "2026-03-05T10:00:00Z");
        assert_eq!(of("1w"), "2026-02-26T12:00:00Z");
        for value in
            ["", "h", "2", "2x", "-2h", "2.5h", "2026-13-01", "99999999999999999999d", "9999999999999d", "2é"]
        {
            assert_eq!(of(value), "None", "{value}");
        }
    }
}
