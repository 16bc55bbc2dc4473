//! The parser of lists of kinds.

use dupi_judge::kind::{Kind, ParseKindError};

/// The word for an empty list.
const NONE: &str = "none";

/// Kinds of passages, separated by commas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindList(pub Vec<Kind>);

impl KindList {
    /// Reads a list of one kind or more.
    pub(super) fn parse(given: &str) -> Result<Self, ParseKindError> {
        given.split(',').map(|kind| kind.trim().to_lowercase().parse()).collect::<Result<_, _>>().map(Self)
    }

    /// The kinds with some names.
    pub fn named(names: &[String]) -> Result<Vec<Kind>, ParseKindError> {
        names.iter().map(|name| name.trim().to_lowercase().parse()).collect()
    }

    /// Reads a list of kinds, or `none`.
    pub(super) fn parse_or_none(given: &str) -> Result<Self, String> {
        if given.trim().eq_ignore_ascii_case(NONE) {
            return Ok(Self(Vec::new()));
        }
        Self::parse(given).map_err(|error| format!("{error}; {NONE} stands alone"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_kinds_or_none() {
        let list = |kinds: &[Kind]| Ok(KindList(kinds.to_vec()));
        assert_eq!(KindList::parse("data, Code"), list(&[Kind::Data, Kind::Code]));
        assert!(KindList::parse("none").is_err() && KindList::parse("").is_err());
        assert_eq!(KindList::parse_or_none("none"), Ok(KindList(Vec::new())));
        assert_eq!(KindList::parse_or_none("test"), Ok(KindList(vec![Kind::Test])));
        let said = KindList::parse_or_none("none,data").unwrap_err();
        assert!(said.contains("the kinds are code, prose") && said.ends_with("none stands alone"), "{said}");
    }
}
