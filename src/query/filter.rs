//! The language in which people ask for rows: terms that must all hold.
//!
//! ```text
//! kfree -path:vendor ext:c,h copies:>5 is:near "as it stands" @mine
//! ```
//!
//! A filter is parsed once, without regard to what it is asked of. Rows of any kind answer it through
//! [`Facts`]; what they do not know yet they say so, and the filter says whether it matters. So numbers
//! and paths decide first, and a document is read only when its text must decide.

mod complete;
mod facts;
mod files;
pub mod names;
mod number;
mod parse;
mod pieces;
#[cfg(test)]
mod reference_tests;
mod state;
mod words;

use std::fmt;
use std::ops::Range;
use std::path::Path;

pub use complete::{Candidate, Values, complete};
pub use facts::{Fact, Facts};
pub use files::{FileTest, spelled_glob};
use names::Quality;
pub use number::{NumberRange, Quantity, percent};
pub use parse::{parse, parse_for, syntax};
pub use pieces::quoted;
pub use state::ReviewState;
pub use words::WordPattern;

use crate::blot::Blot;
use crate::storage::spelled;

/// The term that holds for this file, or for all that lies in this folder.
pub fn path_term(path: &Path) -> String {
    let pattern = format!("/{}", files::literally(&spelled(path)));
    let is_plain =
        !pattern.contains(|character: char| character.is_whitespace() || matches!(character, '"' | '\\'));
    format!("path:{}", if is_plain { pattern } else { quoted(&pattern) })
}

/// What rows are asked to be.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Those that are quick to answer first.
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
    Passage(u64),
    Blot(Blot),
    /// The file test with this number.
    File(usize),
    /// The text test, or the file test, with these numbers.
    Word {
        text: usize,
        file: usize,
    },
    /// A saved filter.
    All(Vec<Term>),
}

/// What of a filter cannot be understood. All the rest of it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where the term stands.
    pub span: Range<usize>,
    /// What is wrong, and how it is done.
    pub sentence: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

/// What a stretch of a filter is, to be coloured as such.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxKind {
    /// The minus of a negated term.
    Minus,
    /// The name of a term, with its colon.
    Name,
    /// What stands behind a name.
    Value,
    /// A word.
    Word,
    /// A word or phrase that must stand as it is.
    Exact,
    /// The name of a saved filter, with its @.
    Saved,
    /// A term that cannot be understood.
    Wrong,
}

impl Filter {
    /// Most tests of files, and of texts, that a filter has: the answers to either fit in the bits of an `u64`.
    pub const MAX_TERMS: usize = 64;

    /// Bytes that a filter has at the most: each key that is typed reads all of it anew.
    pub const MAX_BYTES: usize = 4 << 10;

    /// Whether it lets every row through.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// What is asked of files; each test has the number by which [`Facts::has_file`] is asked.
    pub fn files(&self) -> &[FileTest] {
        &self.files
    }

    /// What is asked of texts; each test has the number by which [`Facts::has_text`] is asked.
    pub fn texts(&self) -> &[WordPattern] {
        &self.texts
    }

    /// Whether it asks for taboo rows: then they are shown.
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

    /// The least number that a row may have of something, as far as terms say so outright.
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

    /// The blots that it names.
    pub fn blots(&self) -> Vec<Blot> {
        self.named(&|test| if let Test::Blot(blot) = test { Some(*blot) } else { None })
    }

    /// What its tests name, those of saved filters too.
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
    /// The filter, and below it a line that points at what is wrong.
    pub fn pointed_out(&self, text: &str) -> String {
        let shown: String =
            text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
        let before = text.get(..self.span.start).unwrap_or_default().chars().count();
        let wrong = text.get(self.span.clone()).unwrap_or_default().chars().count().max(1);
        format!("{shown}\n{}{}", " ".repeat(before), "^".repeat(wrong))
    }
}
