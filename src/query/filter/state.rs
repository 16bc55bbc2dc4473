//! The decision about a row.

/// The decision about a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ReviewState {
    /// None yet.
    #[default]
    Open,
    /// It was reviewed and stays as it is.
    Accepted,
    /// The taboo list hides it.
    Taboo,
}

impl ReviewState {
    /// The state of a row with `copies` copies now; `accepted` is how many it had when it was accepted, if it was.
    pub fn of(is_taboo: bool, accepted: Option<u64>, copies: u64) -> Self {
        match accepted {
            _ if is_taboo => Self::Taboo,
            Some(then) if copies <= then => Self::Accepted,
            _ => Self::Open,
        }
    }
}
