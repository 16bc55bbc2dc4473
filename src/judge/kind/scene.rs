//! What conditions are asked of: a file, a passage, a line, with the texts of each.

use std::cell::Cell;

use super::around::Around;
use super::file::SampleFile;
use super::lines::Line;
use super::sample::{Sample, Shares};
use super::written::Subject;
use dupi_base::config::Kind;

/// What conditions are asked of: a file, and in it perhaps a passage, and in that a line.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a, 't> {
    pub(super) file: &'a SampleFile<'t>,
    pub(super) sample: Option<&'a Sample<'t>>,
    /// The kinds of its lines.
    pub(super) shares: Option<&'a Shares>,
    pub(super) line: Option<&'a Line<'t>>,
    pub(super) around: Option<&'a Around>,
    /// What was counted of the passage.
    pub(super) memo: &'a [Cell<Option<usize>>],
}

impl<'a, 't> Scene<'a, 't> {
    /// A file alone.
    pub(super) fn file(file: &'a SampleFile<'t>) -> Self {
        Self { file, sample: None, shares: None, line: None, around: None, memo: &[] }
    }

    // What a condition asks for was checked against its scope when it was read.
    pub(super) fn line(&self) -> &'a Line<'t> {
        self.line.expect("a condition on lines")
    }

    pub(super) fn sample(&self) -> &'a Sample<'t> {
        self.sample.expect("a condition on passages")
    }

    pub(super) fn share(&self, kind: Kind) -> usize {
        self.shares.map_or(0, |shares| shares.tokens(kind) as usize)
    }

    /// A text, of a passage with some bytes before it.
    pub(super) fn text(&self, subject: Subject, before: usize) -> &'a str {
        match subject {
            Subject::Line => self.line().text,
            Subject::Text => self.sample().with_before(before),
            Subject::Lines => &self.sample().text[self.sample().line_start()..],
            Subject::Rest => {
                let lines = self.text(Subject::Lines, 0);
                lines.find('\n').map_or("", |end| &lines[end + 1..])
            }
            Subject::Head | Subject::HeadLine => self.file.head,
            Subject::Name => self.file.name(),
            Subject::Path => self.file.whole_path(),
        }
    }

    /// A count of the table with a number; of passages it is done once.
    pub(super) fn once(&self, number: usize, count: impl Fn() -> usize) -> usize {
        let Some(memo) = self.memo.get(number).filter(|_| self.line.is_none()) else { return count() };
        memo.get().unwrap_or_else(|| {
            memo.set(Some(count()));
            memo.get().unwrap_or(0)
        })
    }
}
