//! Blots and recipes as people write them.

use std::fmt;
use std::str::FromStr;

use super::{BLOT_BITS, Blot, Blotter, Recipe, Selection};
use crate::token::UnknownChoice;

/// Text that is no blot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no blot: a blot is one to eleven hexadecimal digits, as `extract` and `blot` print them")]
pub struct BadBlot(String);

/// A recipe with a number that is out of range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} must be a number from {min} to {max}, not {given}")]
pub struct BadRecipe {
    name: &'static str,
    min: u32,
    max: u32,
    given: u32,
}

impl fmt::Display for Blot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:0width$x}", self.0, width = BLOT_BITS.div_ceil(4) as usize)
    }
}

impl FromStr for Blot {
    type Err = BadBlot;

    fn from_str(given: &str) -> Result<Self, BadBlot> {
        let digits = !given.is_empty() && given.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = u64::from_str_radix(given, 16).ok().filter(|_| digits);
        value.and_then(Self::new).ok_or_else(|| BadBlot(given.to_owned()))
    }
}

impl FromStr for Blotter {
    type Err = UnknownChoice;

    fn from_str(given: &str) -> Result<Self, UnknownChoice> {
        let streams = given.strip_prefix("interleaved").and_then(|rest| {
            rest.strip_prefix(':').or_else(|| rest.strip_prefix('(')?.strip_suffix(')'))?.parse().ok()
        });
        match (given, streams) {
            ("circular", _) => Ok(Self::Circular),
            ("ordered", _) => Ok(Self::Ordered),
            (_, Some(n)) => Ok(Self::Interleaved(n)),
            _ => Err(UnknownChoice { given: given.to_owned(), choices: "ordered, circular, interleaved:N" }),
        }
    }
}

impl Recipe {
    /// Checks that every number is in its range.
    pub fn validate(self) -> Result<Self, BadRecipe> {
        let check = |name, given, min, max| {
            if (min..=max).contains(&given) { Ok(()) } else { Err(BadRecipe { name, min, max, given }) }
        };
        check("-k", self.k, 1, 64)?;
        check("the streams of the blotter", self.blotter.stride(), 1, 15)?;
        if let Selection::Winnow(width) = self.selection {
            check("--window", width, 1, 256)?;
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blot_is_read_as_it_is_written() {
        for hash in [0, 1 << 30, u64::MAX] {
            let blot = Blot::from_hash(hash);
            assert_eq!(blot.to_string().len(), 11);
            assert_eq!(blot.to_string().parse(), Ok(blot));
        }
        for bad in ["", "xyz", "+1", "100000000000", "fffffffffffffffffff"] {
            assert!(bad.parse::<Blot>().unwrap_err().to_string().contains("no blot"), "{bad}");
        }
    }

    #[test]
    fn a_blotter_is_read_as_it_is_written() {
        for blotter in [Blotter::Circular, Blotter::Ordered, Blotter::Interleaved(3)] {
            assert_eq!(blotter.to_string().parse(), Ok(blotter));
        }
        assert_eq!("interleaved:2".parse(), Ok(Blotter::Interleaved(2)));
        assert!("interleaved".parse::<Blotter>().is_err());
    }

    #[test]
    fn numbers_out_of_range_are_named() {
        let recipe = Recipe { k: 65, ..Recipe::default() };
        assert_eq!(recipe.validate().unwrap_err().to_string(), "-k must be a number from 1 to 64, not 65");
        assert!(Recipe { selection: Selection::Winnow(0), ..Recipe::default() }.validate().is_err());
        assert!(Recipe { blotter: Blotter::Interleaved(16), ..Recipe::default() }.validate().is_err());
        assert_eq!(Recipe::default().validate(), Ok(Recipe::default()));
    }
}
