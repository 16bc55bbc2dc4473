//! Large numbers in few characters.

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
