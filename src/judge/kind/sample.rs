//! What is judged, and how much of it belongs to each kind.

use super::file::{FileSigns, SampleFile};
use dupi_index::query::filter::Kind;

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
    /// The file.
    pub file: &'t SampleFile<'t>,
    /// What is true of most files with a copy, where that is known; else what is true of the file counts.
    pub of_most: Option<FileSigns>,
}

impl<'t> Sample<'t> {
    /// The most bytes before a passage at which its first line begins.
    const REACH: usize = 2000;

    /// The text of the passage alone.
    pub(super) fn own(&self) -> &'t str {
        self.text.get(self.start..).unwrap_or_default()
    }

    /// The text of the passage with some bytes before it.
    pub(super) fn with_before(&self, bytes: usize) -> &'t str {
        &self.text[self.text.ceil_char_boundary(self.start.saturating_sub(bytes))..]
    }

    /// Where its first line begins.
    pub(super) fn line_start(&self) -> usize {
        let reach = self.text.floor_char_boundary(self.start.saturating_sub(Self::REACH));
        self.text[reach..self.start].rfind('\n').map_or(reach, |end| reach + end + 1)
    }
}

/// How many letters and digits of a passage belong to each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shares([u32; Kind::ALL.len()]);

impl Shares {
    pub(super) fn tokens(&self, kind: Kind) -> u32 {
        self.0[kind as usize]
    }

    pub(super) fn add(&mut self, kind: Kind, weight: u32) {
        self.0[kind as usize] += weight;
    }

    /// The kind with the greatest share; of equal ones the first. If more than half belongs to kinds that are usually set
    /// aside, it is one of these, else one of the others: a notice of rights and a list of imports do not become code
    /// by the few lines of code between them. Much code with long comments is code, if it is a third of both.
    pub(super) fn greatest(&self) -> Kind {
        /// Some thirty lines, which are more than an example or what a comment explains.
        const MUCH: u32 = 1000;
        let sum = |is_aside| -> u32 {
            let kinds = Kind::ALL.into_iter().filter(|kind| kind.is_aside() == is_aside);
            kinds.map(|kind| self.tokens(kind)).sum()
        };
        let is_aside = sum(true) > sum(false);
        let kinds = Kind::ALL.into_iter().rev().filter(|kind| kind.is_aside() == is_aside);
        match kinds.max_by_key(|kind| self.tokens(*kind)).unwrap_or(Kind::Prose) {
            Kind::Comment if self.tokens(Kind::Code) > MUCH.max(self.tokens(Kind::Comment) / 2) => Kind::Code,
            kind => kind,
        }
    }
}
