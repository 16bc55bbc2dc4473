//! The kinds of passages and their names.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a passage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Source code and configuration.
    Code,
    /// Text for people.
    Prose,
    /// Comments of source code.
    Comment,
    /// A licence, a copyright or a notice of rights.
    Licence,
    /// Lists of what a file includes or imports.
    Imports,
    /// Tables of constants and lists of literals.
    Data,
    /// What a program wrote: lock files, snapshots, minified code.
    Generated,
    /// Tags, table rulers, front matter, templates, mail headers and signatures, quoted mail.
    Markup,
    /// Code that tests other code.
    Test,
}

/// A text that names no kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is no kind; the kinds are {}", Kind::ALL.map(Kind::name).join(", "))]
pub struct ParseKindError {
    given: String,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::Code,
        Self::Prose,
        Self::Comment,
        Self::Licence,
        Self::Imports,
        Self::Data,
        Self::Generated,
        Self::Markup,
        Self::Test,
    ];

    /// The kinds that are usually set aside.
    pub const ASIDES: [Self; 5] = [Self::Licence, Self::Imports, Self::Data, Self::Generated, Self::Markup];

    /// Its name, for people and for files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Prose => "prose",
            Self::Comment => "comment",
            Self::Licence => "licence",
            Self::Imports => "imports",
            Self::Data => "data",
            Self::Generated => "generated",
            Self::Markup => "markup",
            Self::Test => "test",
        }
    }

    /// Whether it is usually set aside.
    pub fn is_aside(self) -> bool {
        Self::ASIDES.contains(&self)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kind {
    type Err = ParseKindError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == text);
        found.ok_or_else(|| ParseKindError { given: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_in_files_is_the_name_for_people() {
        for kind in Kind::ALL {
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{kind}\""));
            assert_eq!(kind.name().parse(), Ok(kind));
        }
    }
}
