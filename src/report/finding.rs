//! What formats for other tools know of a row: a finding with the places that it is about. A verb whose rows are
//! findings says so once, and all these formats write it.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::words::alike;
use crate::words::{DocumentName, OccurrenceRow, Part};
use dupi_base::storage::one_line;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// For information.
    Note,
    /// To be looked at.
    Warning,
}

impl Level {
    /// One of two words, the first for a note.
    pub(super) fn word(self, [note, warning]: [&'static str; 2]) -> &'static str {
        match self {
            Self::Note => note,
            Self::Warning => warning,
        }
    }
}

/// A sort of findings.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name in the output of the formats, which never changes.
    pub id: &'static str,
    /// What was found, in a few words.
    pub title: &'static str,
    /// What was found and what to do, in a sentence or two.
    pub help: &'static str,
    /// How much it matters.
    pub level: Level,
}

impl Rule {
    /// A name for what has no contents of its own: made from the rule and some paths.
    pub(super) fn id_of(&self, paths: &[&DocumentName]) -> String {
        let mut bytes = self.id.as_bytes().to_vec();
        for path in paths {
            bytes.push(0);
            bytes.extend(path.spelled().as_bytes());
        }
        format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&bytes))
    }
}

/// Something that was found, and where.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// What sort of finding it is.
    pub rule: &'static Rule,
    /// Its name, made from the contents as far as there are any, so that it stays when text is moved.
    pub id: Cow<'a, str>,
    /// What was found, in a few words without a place.
    pub summary: String,
    /// The text; empty where a row is not about one.
    pub text: &'a str,
    /// What the text is.
    pub kind: Option<&'static str>,
    /// How many tokens the text has, or of a document or folder, how many it has in all.
    pub tokens: Option<u64>,
    /// The information, in bits, that keeping one copy would save.
    pub worth: Option<u64>,
    /// The duplicated share of a document or folder, 0 to 1.
    pub share: Option<f64>,
    /// How many copies there are; `places` may list fewer.
    pub copies: u64,
    /// The places, the most important first.
    pub places: Vec<Place<'a>>,
}

/// A place of a finding.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// The document or folder.
    pub path: &'a DocumentName,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// The part of the document; `None` for all of it.
    pub part: Option<Part>,
    /// How much of it agrees with what the others are compared with, 0 to 1.
    pub similarity: Option<f64>,
    /// How many tokens it shares, where this is counted for each place.
    pub tokens: Option<u64>,
    /// What it lies in, or what else there is to say.
    pub note: Option<Cow<'a, str>>,
    /// Its text where that differs from the text of the finding and a format needs it.
    pub text: Option<&'a str>,
}

impl<'a> Place<'a> {
    /// A whole document or folder.
    pub fn whole(path: &'a DocumentName) -> Self {
        Self { path, is_folder: false, part: None, similarity: None, tokens: None, note: None, text: None }
    }

    /// A part of a document.
    pub(super) fn of(at: &'a OccurrenceRow) -> Self {
        Self { part: Some(at.part), ..Self::whole(&at.path) }
    }

    /// The line where it begins; the first one of a whole document.
    pub fn line(&self) -> u32 {
        self.part.map_or(1, |part| part.line)
    }

    /// The name of the document or folder for people.
    pub fn name(&self) -> String {
        match (self.is_folder, self.path.spelled()) {
            // The corpus.
            (true, "") => ".".to_owned(),
            (true, _) => format!("{}/", self.path),
            (false, _) => self.path.to_string(),
        }
    }

    /// The place for people: `path:line` or the name alone, and how alike it is where it is not the same.
    pub fn in_words(&self) -> String {
        let alike = self.alike();
        match self.part {
            Some(part) => format!("{}:{}{alike}", self.path, part.line),
            None => format!("{}{alike}", self.name()),
        }
    }

    /// The file or folder as other programs reach it, when the corpus is reached as `base`.
    pub fn below(&self, base: &Path) -> PathBuf {
        let path = base.join(self.path.file());
        match path.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false if self.is_folder => path.join(""),
            false => path,
        }
    }

    /// How alike it is, where it is not the same: ` (97 %)`.
    pub fn alike(&self) -> String {
        alike(self.similarity.unwrap_or(1.0))
    }
}

impl<'a> Finding<'a> {
    /// A finding with nothing but its rule, its name and its words.
    pub(super) fn new(rule: &'static Rule, id: impl Into<Cow<'a, str>>, summary: String) -> Self {
        Self {
            rule,
            id: id.into(),
            summary,
            text: "",
            kind: None,
            tokens: None,
            worth: None,
            share: None,
            copies: 0,
            places: Vec::new(),
        }
    }

    /// What was found, with the first words of the text, in one line of about `limit` characters.
    pub fn headline(&self, limit: usize) -> String {
        let text = one_line(self.text, limit);
        if text.is_empty() { self.summary.clone() } else { format!("{}: {text}", self.summary) }
    }

    /// The copies that are not among the places.
    pub fn unlisted(&self) -> u64 {
        self.copies.saturating_sub(self.places.len() as u64)
    }

    /// Where it stands apart from its first place: at most `most` places, each as `name` writes it with its number, and how
    /// many more there are.
    pub fn others(&self, most: usize, name: impl Fn(usize, &Place) -> String) -> (String, u64) {
        let others = self.places.get(1..).unwrap_or_default();
        let named = others.iter().take(most).enumerate().map(|(at, place)| name(at + 1, place));
        let more = others.len().saturating_sub(most) as u64 + self.unlisted();
        (named.collect::<Vec<_>>().join(", "), more)
    }

    /// The same in words; empty if it stands nowhere else.
    pub fn elsewhere(&self, most: usize) -> String {
        match self.others(most, |_, place| place.in_words()) {
            (words, 0) => words,
            (words, more) if words.is_empty() => format!("{more} more places"),
            (words, more) => format!("{words} and {more} more"),
        }
    }
}

/// A duplicated stretch of text.
pub(super) const PASSAGE: Rule = Rule {
    id: "duplicated-text",
    title: "Duplicated text",
    help: "The same text stands in several places. Keep one copy and refer to it, or accept or hide it in dupi-tui.",
    level: Level::Warning,
};
/// Documents that are the same or similar.
pub(super) const DOCUMENTS: Rule = Rule {
    id: "similar-documents",
    title: "Similar documents",
    help: "Whole documents are the same or similar. Keep one of them where that is enough.",
    level: Level::Warning,
};
/// Folders with the same or similar contents.
pub(super) const FOLDERS: Rule = Rule {
    id: "similar-folders",
    title: "Similar folders",
    help: "Folders have the same documents, or almost. Keep one of them where that is enough.",
    level: Level::Warning,
};
/// The duplicated share of a document or folder.
pub(super) const SHARE: Rule = Rule {
    id: "duplicated-share",
    title: "Duplicated share",
    help: "A part of the document or folder stands elsewhere too. `dupi-tui passages` lists these texts.",
    level: Level::Note,
};
/// A text that a document shares with a given one.
pub(super) const SHARED: Rule = Rule {
    id: "shared-text",
    title: "Shared text",
    help: "The document has text of the file that was given.",
    level: Level::Note,
};
