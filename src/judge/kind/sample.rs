//! What is judged, and how much of it belongs to each kind.

use super::file::{FileSigns, SampleFile, is_named_as_licence};
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

impl Sample<'_> {
    /// Whether the heads of most files say that a program wrote them.
    pub(super) fn says_generated(&self) -> bool {
        self.of_most.map_or_else(|| self.file.says_generated(), |most| most.head.is_generated)
    }

    /// Whether most files lie with tests, by a part of their paths.
    pub(super) fn lies_with_tests(&self) -> bool {
        self.of_most.map_or_else(|| self.file.lies_with_tests(), |most| most.lies_with_tests)
    }

    /// Whether it stands in a file that is named as licences are, or another copy does.
    pub(super) fn stands_in_licence(&self) -> bool {
        self.of_most.map_or_else(|| is_named_as_licence(self.file.path), |most| most.is_licence)
    }

    /// Whether the heads of most files speak of tests.
    pub(super) fn says_test(&self) -> bool {
        self.of_most.map_or_else(|| self.file.says_test(), |most| most.head.names_tests)
    }
}

/// How many letters and digits of a passage belong to each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shares([u32; Kind::ALL.len()]);

impl Shares {
    pub(super) fn of(&self, kind: Kind) -> u32 {
        self.0[kind as usize]
    }

    pub(super) fn add(&mut self, kind: Kind, weight: u32) {
        self.0[kind as usize] += weight;
    }

    /// The kind with the greatest share; of equal ones the first. If more than half belongs to kinds that are usually set
    /// aside, it is one of these, else one of the others: a notice of rights and a list of imports do not become code
    /// by the few lines of code between them.
    pub(super) fn greatest(&self) -> Kind {
        let sum = |is_aside| -> u32 {
            let kinds = Kind::ALL.into_iter().filter(|kind| kind.is_aside() == is_aside);
            kinds.map(|kind| self.of(kind)).sum()
        };
        let is_aside = sum(true) > sum(false);
        let kinds = Kind::ALL.into_iter().rev().filter(|kind| kind.is_aside() == is_aside);
        kinds.max_by_key(|kind| self.of(*kind)).unwrap_or(Kind::Prose)
    }
}
