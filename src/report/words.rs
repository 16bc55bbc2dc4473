//! Numbers, shares and days as people read them.

/// A number as people read it where there is little room: 950, `1.2k`, `34k`, `5.6M`.
pub fn in_short(number: u64) -> String {
    const UNITS: [(u64, &str); 4] =
        [(1_000_000_000_000, "T"), (1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")];
    // What rounds to a thousand of a unit is one of the next.
    let unit = UNITS.iter().find(|(unit, _)| number.saturating_mul(2_000) >= unit.saturating_mul(1_999));
    match unit {
        None => number.to_string(),
        Some((unit, sign)) => {
            let tenths = (u128::from(number) * 10 + u128::from(*unit) / 2) / u128::from(*unit);
            if tenths < 100 {
                format!("{}.{}{sign}", tenths / 10, tenths % 10)
            } else {
                format!("{}{sign}", (u128::from(number) + u128::from(*unit) / 2) / u128::from(*unit))
            }
        }
    }
}

/// How alike a copy is, to stand behind its place; nothing when it is equal. What differs is never 100 %.
pub(super) fn alike(similarity: f64) -> String {
    if similarity < 1.0 { format!(" ({:.0} %)", (similarity * 100.0).floor()) } else { String::new() }
}

/// A share, for people; what is not all is never 100 %.
pub(super) fn percent(part: u64, of: u64) -> String {
    tenths(part * 1000 / of.max(1))
}

/// Thousandths as per cent.
pub(super) fn tenths(thousandths: u64) -> String {
    format!("{}.{} %", thousandths / 10, thousandths % 10)
}

/// A share, to four digits.
pub fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

/// The day of a time in seconds since 1970, in UTC: `2026-03-01`.
pub fn day(seconds: i64) -> String {
    let time = jiff::Timestamp::from_second(seconds).unwrap_or_default();
    time.strftime("%Y-%m-%d").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_shortened() {
        let shortened = |numbers: &[u64]| numbers.iter().map(|&number| in_short(number)).collect::<Vec<_>>();
        assert_eq!(shortened(&[0, 7, 998, 1_000, 1_249]), ["0", "7", "998", "1.0k", "1.2k"]);
        assert_eq!(shortened(&[9_949, 9_999, 10_499, 345_678]), ["9.9k", "10k", "10k", "346k"]);
        assert_eq!(shortened(&[999_499, 999_900, 1_250_000]), ["999k", "1.0M", "1.3M"]);
        assert_eq!(shortened(&[u64::MAX]), ["18446744T"]);
    }
}
