//! The table of term names and their meanings. Parsing, completion and messages read it.

use strsim::osa_distance;

use super::number::{Quantity, ReviewState};

/// A kind of named term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// The path of a document.
    Path,
    /// The extension of its file.
    Extension,
    /// The language of a document.
    Language,
    /// A quantity.
    Number(Quantity),
    /// What the text of a passage is.
    Kind,
    /// Since when it has news.
    Since,
    /// The decision about a row.
    State,
    /// The decision about a row, or whether its copies differ.
    Is,
    /// The passage that a row belongs to.
    Passage,
    /// A blot of a row.
    Blot,
}

/// The name of a kind of term.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// The name, without its colon.
    pub name: &'static str,
    /// The kind of term.
    pub kind: TermKind,
    /// A short description.
    pub about: &'static str,
    /// An example of such a term.
    pub example: &'static str,
    /// The message for an invalid value.
    pub wants: &'static str,
    /// The rows that the term applies to.
    pub of: &'static str,
}

const fn name(
    name: &'static str,
    kind: TermKind,
    about: &'static str,
    example: &'static str,
    wants: &'static str,
    of: &'static str,
) -> Name {
    Name { name, kind, about, example, wants, of }
}

const KINDS: &str = "expected code, prose, comment, licence, imports, data, generated, markup or test";
const NUMBER: &str = "expected a number";
const ALL: &str = "every row";
const FILES: &str = "rows that occur in documents";
const TEXTS: &str = "passages and blots";
const PLACES: &str = "documents and files";
const PASSAGES: &str = "passages";

/// All names, the most useful first.
#[rustfmt::skip]
pub const NAMES: [Name; 15] = [
    name("path", TermKind::Path, "path of one of its documents", "path:src/**", "expected a name or a pattern", FILES),
    name("ext", TermKind::Extension, "extension of a document's file", "ext:c,h", "expected an extension", FILES),
    name("lang", TermKind::Language, "language of a document", "lang:rust", "expected the name of a language", ALL),
    name("kind", TermKind::Kind, "what a passage is", "kind:code,test", KINDS, PASSAGES),
    name("copies", TermKind::Number(Quantity::Copies), "number of copies", "copies:>5", NUMBER, ALL),
    name("docs", TermKind::Number(Quantity::Documents), "number of documents", "docs:>2", NUMBER, ALL),
    name("tokens", TermKind::Number(Quantity::Tokens), "length in tokens", "tokens:>50", NUMBER, ALL),
    name("score", TermKind::Number(Quantity::Score), "tokens saved if one copy were kept", "score:>1000", NUMBER, TEXTS),
    name("alike", TermKind::Number(Quantity::Alike), "similarity of the copies, in percent", "alike:<90", NUMBER, TEXTS),
    name("share", TermKind::Number(Quantity::Share), "duplicated share, in percent", "share:>50", NUMBER, PLACES),
    name("state", TermKind::State, "the decision", "state:open", "expected open, fix, accepted or taboo", TEXTS),
    name("is", TermKind::Is, "near, equal, or the decision", "is:near", "expected near, equal, open, fix, accepted or taboo", TEXTS),
    name("since", TermKind::Since, "new, or with a file modified since", "since:visit", "expected visit, a day or a time such as 2h", PASSAGES),
    name("passage", TermKind::Passage, "rows of a passage", "passage:0123456789abcdef", "expected the sixteen digits of a passage", FILES),
    name("blot", TermKind::Blot, "rows with a blot", "blot:0123456789a", "expected the digits of a blot, eleven at most", FILES),
];

/// A property of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// What was decided about it.
    State(ReviewState),
    /// Its copies differ.
    Near,
    /// Its copies are equal.
    Equal,
}

/// The properties of rows, each with its name and a short description.
pub const QUALITIES: [(&str, Quality, &str); 6] = [
    ("open", Quality::State(ReviewState::Open), "no decision yet"),
    ("fix", Quality::State(ReviewState::Fix), "reviewed, and to be fixed"),
    ("accepted", Quality::State(ReviewState::Accepted), "reviewed, and stays as it is"),
    ("taboo", Quality::State(ReviewState::Taboo), "hidden by the taboo list"),
    ("near", Quality::Near, "its copies differ"),
    ("equal", Quality::Equal, "its copies are equal"),
];

impl TermKind {
    /// The properties that terms of this kind can ask for.
    pub fn qualities(self) -> impl Iterator<Item = &'static (&'static str, Quality, &'static str)> {
        QUALITIES.iter().filter(move |(_, quality, _)| match self {
            Self::Is => true,
            Self::State => matches!(quality, Quality::State(_)),
            _ => false,
        })
    }
}

/// The known name nearest to a misspelt one by edit distance, if one is near enough.
pub fn nearest<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    let length = given.chars().count();
    let far = length.div_ceil(3).min(2);
    // A difference in length is a lower bound of the distance.
    let close = names.filter(|name| name.chars().count().abs_diff(length) <= far + 1);
    let distances = close.map(|name| (osa_distance(&given, &name.to_lowercase()), name));
    distances
        .filter(|(distance, _)| *distance <= far)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_what_differs_least() {
        let names = || NAMES.iter().map(|name| name.name);
        for (given, meant) in [("pth", "path"), ("Paht", "path"), ("copis", "copies"), ("doc", "docs")] {
            assert_eq!(nearest(given, names()), Some(meant), "{given}");
        }
        assert_eq!(nearest("https", names()), None);
        assert_eq!(
            [("kitten", "sitting"), ("", "ab"), ("ab", "ba")].map(|(a, b)| osa_distance(a, b)),
            [3, 2, 1]
        );
    }
}
