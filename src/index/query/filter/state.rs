//! The decision about a row.

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
    pub fn of(is_taboo: bool, accepted: Option<u64>, copies: u64) -> Self {
        match accepted {
            _ if is_taboo => Self::Taboo,
            Some(then) if copies <= then => Self::Accepted,
            _ => Self::Open,
        }
    }
}
