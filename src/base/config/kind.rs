//! The kinds of passages and their names.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use toml::Spanned;

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

// Rules for kinds as they are written, in `assets/kinds.toml` and in the settings. The head of that file says what the
// parts mean; the judge compiles them.

/// Texts with their positions.
pub type Texts = Vec<Spanned<String>>;

/// A rule: passages, or lines of them, that meet a condition are of a kind.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindRule {
    /// What it looks for.
    pub name: Spanned<String>,
    /// The kind of what meets the condition.
    pub kind: Kind,
    /// The kinds of passages, by their lines, of which it is asked; empty for all of them, before their lines are read.
    #[serde(default)]
    pub of: Vec<Kind>,
    /// The condition.
    pub when: Spanned<KindCondition>,
    /// Examples, each with a path and a text.
    #[serde(default)]
    pub holds: Vec<Spanned<(String, String)>>,
    /// Counter-examples.
    #[serde(default)]
    pub fails: Vec<Spanned<(String, String)>>,
}

/// A condition. All of its parts must hold.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "the head of assets/kinds.toml tells what each means")]
pub struct KindCondition {
    pub language: Texts,
    pub other_than: Texts,
    pub line: Texts,
    pub text: Texts,
    pub head: Texts,
    pub head_line: Texts,
    pub name: Texts,
    pub path: Texts,
    pub files: Texts,
    pub phrases: Texts,
    pub measure: Texts,
    pub is: Texts,
    pub most_files: Texts,
    pub within: Texts,
    pub after: Vec<Kind>,
    pub lines_are: Vec<Kind>,
    pub all: Vec<Self>,
    pub any: Vec<Self>,
    pub not: Vec<Self>,
}

/// The rules of a user.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KindRules {
    /// Those for lines.
    pub line: Vec<KindRule>,
    /// Those for passages.
    pub passage: Vec<KindRule>,
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
