//! The filter language: a filter is a list of terms, and a row passes when all of them hold.
//!
//! ```text
//! kfree -path:vendor ext:c,h copies:>5 is:near "as it stands" @mine
//! ```
//!
//! A filter is parsed once, independent of the kind of rows. Rows answer it through [`Facts`]. A row may answer that a
//! fact is not known yet; then [`Filter::verdict`] tells whether the fact is needed. So numbers and paths decide first,
//! and a document is read only when its text must decide.

mod complete;
mod files;
pub mod names;
mod number;
mod parse;
mod pieces;
#[cfg(test)]
mod reference_tests;
#[cfg(test)]
mod table_tests;
mod words;

use std::fmt;
use std::ops::Range;
use std::path::Path;

use names::Quality;

use dupi_base::storage::spelled;
use dupi_text::blot::Blot;

pub use complete::{Candidate, Values, complete};
pub use dupi_base::config::{Kind, ParseKindError};
pub use files::{FileTest, PathPattern, spelled_glob};
pub use number::{NumberRange, Quantity, ReviewState, Since, percent};
pub use parse::{parse, parse_for, syntax};
pub use pieces::quoted;
pub use words::WordPattern;

/// The term that selects this file, or everything in this folder.
pub fn path_term(path: &Path) -> String {
    let pattern = format!("/{}", files::literally(&spelled(path)));
    let is_plain =
        !pattern.contains(|character: char| character.is_whitespace() || matches!(character, '"' | '\\'));
    format!("path:{}", if is_plain { pattern } else { quoted(&pattern) })
}

/// A parsed filter. The empty filter passes every row.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Sorted by cost, the cheapest first.
    terms: Vec<Term>,
    files: Vec<FileTest>,
    texts: Vec<WordPattern>,
}

#[derive(Clone, Debug)]
struct Term {
    negated: bool,
    test: Test,
}

#[derive(Clone, Debug)]
enum Test {
    Number(Quantity, NumberRange),
    Quality(Vec<Quality>),
    Kind(Vec<Kind>),
    Since(Since),
    Passage(u64),
    Blot(Blot),
    /// The file test with this index.
    File(usize),
    /// The text test or the file test with these indices.
    Word {
        text: usize,
        file: usize,
    },
    /// A saved filter.
    All(Vec<Term>),
}

/// An error in a filter. The other terms still apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The bytes of the filter that the error is about.
    pub span: Range<usize>,
    /// What is wrong, and how to correct it.
    pub sentence: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

/// The syntactic kind of a part of a filter, for colouring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxKind {
    /// The minus of a negated term.
    Minus,
    /// The name of a term, with its colon.
    Name,
    /// The value after a name.
    Value,
    /// A word.
    Word,
    /// A word or phrase that must match exactly.
    Exact,
    /// The name of a saved filter, with its @.
    Saved,
    /// A term with an error.
    Wrong,
}

impl Filter {
    /// The most terms of a filter. So the answers to its file tests, and those to its text tests, fit in the bits of a
    /// `u64`.
    pub const MAX_TERMS: usize = 64;

    /// The most bytes of a filter, because the whole filter is parsed again at each key press.
    pub const MAX_BYTES: usize = 4 << 10;

    /// Whether it passes every row.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The tests of files. [`Facts::has_file`] is called with their indices.
    pub fn files(&self) -> &[FileTest] {
        &self.files
    }

    /// The tests of texts. [`Facts::has_text`] is called with their indices.
    pub fn texts(&self) -> &[WordPattern] {
        &self.texts
    }

    /// Whether it asks for taboo rows, so that they must be shown.
    pub fn wants_taboo(&self) -> bool {
        fn wants(terms: &[Term], negated: bool) -> bool {
            terms.iter().any(|term| match &term.test {
                Test::Quality(qualities) => {
                    term.negated == negated && qualities.contains(&Quality::State(ReviewState::Taboo))
                }
                Test::All(terms) => wants(terms, term.negated != negated),
                _ => false,
            })
        }
        wants(&self.terms, false)
    }

    /// The kinds of passages that it asks for.
    pub fn kinds(&self) -> Vec<Kind> {
        fn wanted(terms: &[Term], negated: bool, found: &mut Vec<Kind>) {
            for term in terms {
                match &term.test {
                    Test::Kind(kinds) if term.negated == negated => found.extend(kinds),
                    Test::All(terms) => wanted(terms, term.negated != negated, found),
                    _ => {}
                }
            }
        }
        let mut found = Vec::new();
        wanted(&self.terms, false, &mut found);
        found
    }

    /// A lower bound of a quantity for rows that pass, from the terms that are not negated; 0 without such a term.
    pub fn least(&self, of: Quantity) -> u64 {
        fn least(terms: &[Term], of: Quantity) -> u64 {
            let asked = terms.iter().filter(|term| !term.negated).map(|term| match &term.test {
                Test::Number(asked, numbers) if *asked == of => numbers.least(),
                Test::All(terms) => least(terms, of),
                _ => 0,
            });
            asked.max().unwrap_or(0)
        }
        least(&self.terms, of)
    }

    /// The passages that it names.
    pub fn passages(&self) -> Vec<u64> {
        self.named(&|test| if let Test::Passage(passage) = test { Some(*passage) } else { None })
    }

    /// Whether it asks what is new since the last visit.
    pub fn asks_for_visit(&self) -> bool {
        !self.named(&|test| matches!(test, Test::Since(Since::Visit)).then_some(())).is_empty()
    }

    /// The blots that it names.
    pub fn blots(&self) -> Vec<Blot> {
        self.named(&|test| if let Test::Blot(blot) = test { Some(*blot) } else { None })
    }

    /// What its tests name, including those of saved filters.
    fn named<T>(&self, name: &dyn Fn(&Test) -> Option<T>) -> Vec<T> {
        fn collect<T>(terms: &[Term], name: &dyn Fn(&Test) -> Option<T>, found: &mut Vec<T>) {
            for Term { test, .. } in terms {
                match test {
                    Test::All(terms) => collect(terms, name, found),
                    _ => found.extend(name(test)),
                }
            }
        }
        let mut found = Vec::new();
        collect(&self.terms, name, &mut found);
        found
    }
}

impl Problem {
    /// The filter, and below it a line of carets under the error.
    pub fn pointed_out(&self, text: &str) -> String {
        let shown: String =
            text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
        let before = text.get(..self.span.start).unwrap_or_default().chars().count();
        let wrong = text.get(self.span.clone()).unwrap_or_default().chars().count().max(1);
        format!("{shown}\n{}{}", " ".repeat(before), "^".repeat(wrong))
    }
}

// The facts that a row provides, and the verdict of a filter on them.

/// The answer of a row to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact<T> {
    /// The value.
    Is(T),
    /// The question does not apply to this row.
    Nothing,
    /// The value is not known yet.
    Unknown,
}

impl<T> From<Option<T>> for Fact<T> {
    fn from(known: Option<T>) -> Self {
        known.map_or(Self::Nothing, Self::Is)
    }
}

/// A row of any kind, as a filter sees it. `None` and [`Fact::Unknown`] mean that the answer is not known yet.
pub trait Facts {
    /// The value of a quantity.
    fn number(&self, of: Quantity) -> Fact<u64>;
    /// The decision about it.
    fn state(&self) -> Fact<ReviewState>;
    /// Whether its text, or one of its texts, is of one of these kinds. Only passages have a kind.
    fn is_of_kind(&self, _: &[Kind]) -> Option<bool> {
        Some(false)
    }
    /// Whether it has news. Only passages are known to have any.
    fn has_news(&self, _: Since) -> Option<bool> {
        Some(false)
    }
    /// Whether it belongs to a passage.
    fn belongs_to(&self, _: u64) -> Option<bool> {
        Some(false)
    }
    /// Whether it has a blot.
    fn has_blot(&self, _: Blot) -> Option<bool> {
        Some(false)
    }
    /// Whether the file test with this index holds for the file of one of its documents.
    fn has_file(&self, number: usize, test: &FileTest) -> Option<bool>;
    /// Whether the word pattern with this index matches its text.
    fn has_text(&self, number: usize, words: &WordPattern) -> Option<bool>;
}

impl Filter {
    /// Whether a row passes; `None` when that depends on a fact that is not known yet.
    pub fn verdict(&self, row: &impl Facts) -> Option<bool> {
        self.all(&self.terms, row)
    }

    fn all(&self, terms: &[Term], row: &impl Facts) -> Option<bool> {
        let mut so_far = Some(true);
        for term in terms {
            match self.holds(&term.test, row).map(|holds| holds != term.negated) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => so_far = None,
            }
        }
        so_far
    }

    fn holds(&self, test: &Test, row: &impl Facts) -> Option<bool> {
        let file = |number: usize| row.has_file(number, &self.files[number]);
        match test {
            Test::Number(of, numbers) => known(row.number(*of), |number| numbers.contains(number)),
            Test::Quality(qualities) => any_answer(qualities.iter().map(|quality| || is(row, *quality))),
            Test::Kind(kinds) => row.is_of_kind(kinds),
            Test::Since(since) => row.has_news(*since),
            Test::Passage(passage) => row.belongs_to(*passage),
            Test::Blot(blot) => row.has_blot(*blot),
            Test::File(number) => file(*number),
            Test::Word { file: of_file, text } => {
                let in_file: &dyn Fn() -> Option<bool> = &|| file(*of_file);
                let in_text: &dyn Fn() -> Option<bool> = &|| row.has_text(*text, &self.texts[*text]);
                any_answer([in_file, in_text].into_iter())
            }
            Test::All(terms) => self.all(terms, row),
        }
    }
}

fn is(row: &impl Facts, quality: Quality) -> Option<bool> {
    match quality {
        Quality::State(wanted) => known(row.state(), |state| state == wanted),
        Quality::Near => known(row.number(Quantity::Alike), |alike| alike < 100),
        Quality::Equal => known(row.number(Quantity::Alike), |alike| alike == 100),
    }
}

/// Applies a predicate to a fact. It is false for a fact that does not apply.
fn known<T>(fact: Fact<T>, holds: impl FnOnce(T) -> bool) -> Option<bool> {
    match fact {
        Fact::Is(value) => Some(holds(value)),
        Fact::Nothing => Some(false),
        Fact::Unknown => None,
    }
}

/// Whether one of the answers is true. Stops at the first that is.
fn any_answer(answers: impl Iterator<Item = impl Fn() -> Option<bool>>) -> Option<bool> {
    let mut so_far = Some(false);
    for answer in answers {
        match answer() {
            Some(true) => return Some(true),
            Some(false) => {}
            None => so_far = None,
        }
    }
    so_far
}
