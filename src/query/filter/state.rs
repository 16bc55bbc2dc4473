//! What was decided about a row.

/// What was decided about a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ReviewState {
    /// Nothing yet.
    #[default]
    Open,
    /// It was looked at, and is left as it is.
    Accepted,
    /// The taboo list hides it.
    Taboo,
}

impl ReviewState {
    /// The state of what has so many copies now, and had so many when it was accepted, if it was.
    pub fn of(is_taboo: bool, accepted: Option<u64>, copies: u64) -> Self {
        match accepted {
            _ if is_taboo => Self::Taboo,
            Some(then) if copies <= then => Self::Accepted,
            _ => Self::Open,
        }
    }
}
