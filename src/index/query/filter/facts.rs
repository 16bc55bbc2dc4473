//! The facts that a row provides, and the verdict of a filter on them.

use super::names::Quality;
use super::{FileTest, Filter, Kind, Quantity, ReviewState, Since, Term, Test, WordPattern};
use dupi_text::blot::Blot;

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
            Test::Quality(qualities) => any(qualities.iter().map(|quality| || is(row, *quality))),
            Test::Kind(kinds) => row.is_of_kind(kinds),
            Test::Since(since) => row.has_news(*since),
            Test::Passage(passage) => row.belongs_to(*passage),
            Test::Blot(blot) => row.has_blot(*blot),
            Test::File(number) => file(*number),
            Test::Word { file: of_file, text } => {
                let in_file: &dyn Fn() -> Option<bool> = &|| file(*of_file);
                let in_text: &dyn Fn() -> Option<bool> = &|| row.has_text(*text, &self.texts[*text]);
                any([in_file, in_text].into_iter())
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
fn any(answers: impl Iterator<Item = impl Fn() -> Option<bool>>) -> Option<bool> {
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
