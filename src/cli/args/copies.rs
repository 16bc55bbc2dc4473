//! The parser of `--copies`.

/// The word for no limit.
const ALL: &str = "all";

/// How many copies of a passage are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyLimit(pub usize);

impl CopyLimit {
    /// The limit on a terminal, where a passage with many copies would push the others off the screen.
    pub const ON_TERMINAL: Self = Self(5);
    /// No limit.
    pub const NONE: Self = Self(usize::MAX);

    /// Reads a number from 1, or `all`.
    pub(super) fn parse(given: &str) -> Result<Self, String> {
        if given.trim().eq_ignore_ascii_case(ALL) {
            return Ok(Self::NONE);
        }
        let number = given.parse().ok().filter(|&number| number > 0).map(Self);
        number.ok_or_else(|| format!("`{given}` is not a number of copies; write 1, 2, … or {ALL}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_a_number_or_all() {
        assert_eq!(CopyLimit::parse("7"), Ok(CopyLimit(7)));
        assert_eq!(CopyLimit::parse("ALL"), Ok(CopyLimit::NONE));
        for wrong in ["0", "-1", "", "some"] {
            assert!(CopyLimit::parse(wrong).unwrap_err().contains("or all"), "{wrong}");
        }
    }
}
