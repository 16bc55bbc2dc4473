//! What a passage is: code, prose, a licence, a table of constants … A property of its text, of what stands right
//! before it and of the head of its file; never of the path alone.
//!
//! Each line of the passage is given to one kind by the first rule of [`rules::LINES`] that holds for it, else to
//! code, comment or prose. What most letters and digits belong to is the kind of the passage. Then the rules of
//! [`rules::PASSAGES`] may change it, by signs that no single line has: a file that says that it is generated, a test.
//! `words.rs` has the words that they look for, and `assets/phrases.txt` the phrases of licences.

mod lines;
mod phrases;
pub mod read;
mod rules;
mod signs;
mod signs_of_files;
#[cfg(test)]
mod tests;
mod words;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::token::Language;

/// What a passage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

/// A passage and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'t> {
    /// Its file's text up to its end, or as much of that as is known. Only the last few kilobytes before the passage
    /// are looked at.
    pub text: &'t str,
    /// Where it begins in `text`.
    pub start: usize,
    /// Where it begins in the file, in bytes.
    pub offset: usize,
    /// How the file begins; only the first kilobyte is looked at.
    pub head: &'t str,
    /// Where the file lies.
    pub path: &'t Path,
    /// The language of the file, be it source code, markup or data.
    pub language: Option<Language>,
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

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// How many letters and digits of a passage belong to each kind.
#[derive(Clone, Copy, Debug, Default)]
struct Shares([u32; Kind::ALL.len()]);

impl Shares {
    fn of(&self, kind: Kind) -> u32 {
        self.0[kind as usize]
    }

    fn add(&mut self, kind: Kind, weight: u32) {
        self.0[kind as usize] += weight;
    }

    /// The kind with the greatest share; of equal ones the first.
    fn greatest(&self) -> Kind {
        let greatest = Kind::ALL.into_iter().rev().max_by_key(|kind| self.of(*kind));
        greatest.unwrap_or(Kind::Prose)
    }
}

/// The kind of a passage.
pub fn classify(sample: &Sample) -> Kind {
    judge(sample, |_, _| ())
}

/// The kind of a passage, and the names of the rules that held: for each line in it, and for the whole.
pub fn explain(sample: &Sample) -> (Kind, Vec<&'static str>) {
    let mut names = Vec::new();
    let kind = judge(sample, |name, _| names.push(name));
    (kind, names)
}

fn judge(sample: &Sample, mut told: impl FnMut(&'static str, Kind)) -> Kind {
    let mut shares = Shares::default();
    let mut around = signs::Around::default();
    for line in lines::lines(sample) {
        match rules::of_line(&line, &mut around) {
            Some((name, kind)) if line.is_own => {
                // A ruler has no letters, but it is seen.
                shares.add(kind, line.own.max(2));
                told(name, kind);
            }
            Some(_) => {}
            None if line.is_source => {
                shares.add(Kind::Code, line.own_code);
                shares.add(Kind::Comment, line.own_comment);
            }
            None => shares.add(Kind::Prose, line.own),
        }
    }
    let kind = shares.greatest();
    let Some(rule) = rules::of_passage(sample, kind, &shares) else { return kind };
    told(rule.name, rule.kind);
    rule.kind
}
