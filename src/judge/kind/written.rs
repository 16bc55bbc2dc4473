//! The table of rules as it is written: `assets/kinds.toml`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;

use dupi_base::config::{KindCondition, KindRule};
use dupi_text::token::Language;

pub(super) const TABLE: &str = include_str!("../../../assets/kinds.toml");

/// The table as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    pub(super) languages: BTreeMap<String, Vec<String>>,
    pub(super) lists: BTreeMap<String, Vec<String>>,
    pub(super) pieces: BTreeMap<String, String>,
    pub(super) measures: BTreeMap<String, WrittenCount>,
    pub(super) file: BTreeMap<String, KindCondition>,
    pub(super) condition: BTreeMap<String, KindCondition>,
    pub(super) block: Vec<WrittenBlock>,
    pub(super) line: Vec<KindRule>,
    pub(super) passage: Vec<KindRule>,
}

/// A count of what stands in texts.
#[derive(Deserialize)]
pub(super) struct WrittenCount {
    pub(super) of: Vec<Subject>,
    #[serde(default)]
    pub(super) before: usize,
    pub(super) but: Option<String>,
    #[serde(flatten)]
    pub(super) what: WrittenCounted,
}

/// What is counted: an expression, bytes, or the name of a list.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum WrittenCounted {
    Bytes(String),
    Matches(String),
    Covered(String),
    Like(String),
    Words(String),
    Which(String),
    Different(String),
    Signs(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenBlock {
    pub(super) name: String,
    pub(super) goes_on: GoesOn,
    pub(super) when: KindCondition,
}

/// How far a block goes on.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum GoesOn {
    Brackets,
    Paragraph,
    Same,
}

/// What a condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    File,
    Passage,
    Line,
}

impl Scope {
    /// Whether a condition on one of these may ask for something of another scope.
    pub(super) fn allows(self, other: Self) -> bool {
        other == self || other == Self::File
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File => "files",
            Self::Passage => "passages",
            Self::Line => "lines",
        })
    }
}

/// A text of which something is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Subject {
    Line,
    Text,
    Lines,
    Rest,
    Head,
    HeadLine,
    Name,
    Path,
}

impl Subject {
    /// What it is a text of.
    pub(super) fn scope(self) -> Scope {
        match self {
            Self::Line => Scope::Line,
            Self::Text | Self::Lines | Self::Rest => Scope::Passage,
            Self::Head | Self::HeadLine | Self::Name | Self::Path => Scope::File,
        }
    }
}

/// The class of all source code.
pub(super) const SOURCE: u32 = 1 << 31;

/// The table, read once.
pub(super) fn written() -> &'static Written {
    static WRITTEN: LazyLock<Written> =
        LazyLock::new(|| toml::from_str(TABLE).unwrap_or_else(|error| panic!("assets/kinds.toml: {error}")));
    &WRITTEN
}

impl Written {
    /// The number of a condition on files.
    pub(super) fn file_condition(&self, name: &str) -> Option<usize> {
        self.file.keys().position(|known| known == name)
    }

    /// The classes that a language belongs to.
    pub(super) fn classes_of(&self, language: Language) -> u32 {
        let has = |names: &[String]| names.iter().any(|name| name == language.name());
        let bits = self.languages.values().enumerate().filter(|(_, names)| has(names));
        bits.fold(if language.is_source() { SOURCE } else { 0 }, |bits, (bit, _)| bits | 1 << bit)
    }

    /// The bit of a class of languages.
    pub(super) fn class(&self, name: &str) -> Option<u32> {
        if name == "source" {
            return Some(SOURCE);
        }
        self.languages.keys().position(|class| class == name).map(|bit| 1 << bit)
    }
}
