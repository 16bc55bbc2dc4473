//! Days, as reports name them.

/// The day of a time in seconds since 1970, in UTC: `2026-03-01`.
pub fn day(seconds: i64) -> String {
    let time = jiff::Timestamp::from_second(seconds).unwrap_or_default();
    time.strftime("%Y-%m-%d").to_string()
}
