//! Rules for kinds as they are written, in `assets/kinds.toml` and in the settings. The head of that file says what the
//! parts mean; the judge compiles them.

use serde::Deserialize;
use toml::Spanned;

use super::Kind;

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
