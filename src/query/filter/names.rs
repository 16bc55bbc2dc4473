//! The names of the terms, with what they mean: the one table that parsing, completion and messages read.

use super::number::Quantity;
use super::state::ReviewState;

/// A kind of term that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// Where a document lies.
    Path,
    /// The extension of its file.
    Extension,
    /// Its language.
    Language,
    /// How many or how much.
    Number(Quantity),
    /// What was decided.
    State,
    /// What was decided, or whether the copies differ.
    Is,
    /// Which passage it belongs to.
    Passage,
    /// Which blot it has.
    Blot,
}

/// A name of terms.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// The name, without its colon.
    pub name: &'static str,
    /// What stands behind it.
    pub kind: TermKind,
    /// What it asks for, in a few words.
    pub about: &'static str,
    /// A term with it.
    pub example: &'static str,
    /// What must stand behind it.
    pub wants: &'static str,
    /// What has such a thing, where not every row does.
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

const NUMBER: &str = "a number is wanted";
const ALL: &str = "every row";
const FILES: &str = "what stands in documents";
const TEXTS: &str = "passages and blots";
const PLACES: &str = "documents and files";

/// All names, the most useful first.
#[rustfmt::skip]
pub const NAMES: [Name; 13] = [
    name("path", TermKind::Path, "one of its documents lies there", "path:src/**", "a name or a pattern is wanted", FILES),
    name("ext", TermKind::Extension, "extensions of a document's file", "ext:c,h", "an extension is wanted", FILES),
    name("lang", TermKind::Language, "languages of a document", "lang:rust", "the name of a language is wanted", ALL),
    name("copies", TermKind::Number(Quantity::Copies), "how many copies", "copies:>5", NUMBER, ALL),
    name("docs", TermKind::Number(Quantity::Documents), "in how many documents", "docs:>2", NUMBER, ALL),
    name("tokens", TermKind::Number(Quantity::Tokens), "how long it is", "tokens:>50", NUMBER, ALL),
    name("score", TermKind::Number(Quantity::Score), "tokens saved if one copy were kept", "score:>1000", NUMBER, TEXTS),
    name("alike", TermKind::Number(Quantity::Alike), "how alike the copies are, in percent", "alike:<90", NUMBER, TEXTS),
    name("share", TermKind::Number(Quantity::Share), "how much is duplicated, in percent", "share:>50", NUMBER, PLACES),
    name("state", TermKind::State, "what was decided", "state:open", "open, accepted or taboo is wanted", TEXTS),
    name("is", TermKind::Is, "near, equal, or what was decided", "is:near", "near, equal, open, accepted or taboo is wanted", TEXTS),
    name("passage", TermKind::Passage, "what belongs to a passage", "passage:0123456789abcdef", "the sixteen digits of a passage are wanted", FILES),
    name("blot", TermKind::Blot, "what has a blot", "blot:0123456789a", "the digits of a blot are wanted, eleven at most", FILES),
];

/// What a row can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// What was decided about it.
    State(ReviewState),
    /// Its copies differ.
    Near,
    /// Its copies are equal.
    Equal,
}

/// What rows can be, each with a few words about it.
pub const QUALITIES: [(&str, Quality, &str); 5] = [
    ("open", Quality::State(ReviewState::Open), "nothing was decided"),
    ("accepted", Quality::State(ReviewState::Accepted), "looked at, and left as it is"),
    ("taboo", Quality::State(ReviewState::Taboo), "hidden by the taboo list"),
    ("near", Quality::Near, "its copies differ"),
    ("equal", Quality::Equal, "its copies are equal"),
];

impl TermKind {
    /// What terms of this kind can ask a row to be.
    pub fn qualities(self) -> impl Iterator<Item = &'static (&'static str, Quality, &'static str)> {
        QUALITIES.iter().filter(move |(_, quality, _)| match self {
            Self::Is => true,
            Self::State => matches!(quality, Quality::State(_)),
            _ => false,
        })
    }
}

/// The name that was meant by one that is none: that of which the fewest letters differ.
pub fn nearest<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    let length = given.chars().count();
    let far = length.div_ceil(3).min(2);
    // What is longer or shorter by more letters differs in as many.
    let close = names.filter(|name| name.chars().count().abs_diff(length) <= far + 1);
    let distances = close.map(|name| (distance(&given, name), name));
    distances
        .filter(|(distance, _)| *distance <= far)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// How many letters must be put in, left out, changed, or put for the one before them.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.to_lowercase().chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for row in 0..=a.len() {
        for column in 0..=b.len() {
            rows[row][column] = if row == 0 || column == 0 {
                row + column
            } else {
                let changed = rows[row - 1][column - 1] + usize::from(a[row - 1] != b[column - 1]);
                let moved = changed.min(rows[row - 1][column] + 1).min(rows[row][column - 1] + 1);
                let is_swapped = row > 1 && column > 1 && a[row - 2..row] == [b[column - 1], b[column - 2]];
                if is_swapped { moved.min(rows[row - 2][column - 2] + 1) } else { moved }
            };
        }
    }
    rows[a.len()][b.len()]
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
        assert_eq!([("kitten", "sitting"), ("", "ab"), ("ab", "ba")].map(|(a, b)| distance(a, b)), [3, 2, 1]);
    }
}
