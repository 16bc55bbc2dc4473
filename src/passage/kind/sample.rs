//! What is judged, and how much of it belongs to each kind.

use super::file::SampleFile;
use crate::query::filter::Kind;

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

    /// The kind with the greatest share; of equal ones the first.
    pub(super) fn greatest(&self) -> Kind {
        let greatest = Kind::ALL.into_iter().rev().max_by_key(|kind| self.of(*kind));
        greatest.unwrap_or(Kind::Prose)
    }
}
