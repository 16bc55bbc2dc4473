//! Reads the tokens of representatives from their documents again, for passages that were found earlier.
//!
//! Each file is read once. If it has changed since, another copy takes the place of the representative. A passage has no
//! tokens if neither can be read.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use rayon::prelude::*;

use super::passages::{Passage, PassageCopy, SourceDocument};
use dupi_base::corpus::{self, Records};
use dupi_base::storage::Folder;
use dupi_index::index::snapshot::{FileId, Snapshot};
use dupi_text::token::{LexState, Token, Tokeniser};

/// A copy whose tokens are wanted.
#[derive(Clone, Copy)]
struct WantedCopy {
    source: u32,
    first: u32,
    tokens: u32,
}

/// The representatives of passages, in documents that are not read yet.
pub(super) struct Reread {
    snapshot: Snapshot,
    sources: Vec<SourceDocument>,
    /// For each passage its representative, and the copy that takes its place.
    wanted: Vec<[WantedCopy; 2]>,
    /// How much the tokens may take in memory, in bytes.
    pub(super) memory: u64,
}

/// A copy that is read, with its passage and the place of its tokens.
struct Reading {
    copy: WantedCopy,
    passage: u32,
    at: usize,
}

impl Reread {
    /// The representatives of some passages; `None` if one is longer than its document.
    pub(super) fn of(
        snapshot: &Snapshot,
        sources: &[SourceDocument],
        found: &[Passage],
        memory: u64,
    ) -> Option<Self> {
        let wanted = |copy: &PassageCopy| {
            let is_possible = copy.end_token() <= sources.get(copy.source as usize)?.tokens;
            is_possible.then_some(WantedCopy { source: copy.source, first: copy.first, tokens: copy.tokens })
        };
        let of_passage = |passage: &Passage| {
            let shown = passage.representative();
            let others = [passage.copies.first(), passage.copies.last()].into_iter().flatten();
            let other = others.max_by_key(|copy| copy.source != shown.source);
            Some([wanted(shown)?, wanted(other.unwrap_or(shown))?])
        };
        let wanted = found.par_iter().map(of_passage).collect::<Option<_>>()?;
        Some(Self { snapshot: snapshot.clone(), sources: sources.to_vec(), wanted, memory })
    }

    /// How many passages there are.
    pub(super) fn len(&self) -> usize {
        self.wanted.len()
    }

    /// The folder of the index.
    pub(super) fn folder(&self) -> &Folder {
        self.snapshot.folder()
    }

    /// The tokens, where those of each passage stand, and whether those of all passages could be read.
    pub(super) fn read(&self) -> (Vec<u64>, Vec<Range<usize>>, bool) {
        let mut tokens = Vec::new();
        let mut ranges = vec![0..0; self.wanted.len()];
        let mut missing: Vec<u32> = (0..self.wanted.len() as u32).collect();
        for number in 0..2 {
            let mut at = tokens.len();
            let reading = |&passage: &u32| {
                let copy = self.wanted[passage as usize][number];
                let range = at..at + copy.tokens as usize;
                at = range.end;
                ranges[passage as usize] = range.clone();
                Reading { copy, passage, at: range.start }
            };
            let mut copies: Vec<Reading> = missing.iter().map(reading).collect();
            tokens.resize(at, 0);
            copies.sort_by_key(|reading| (reading.copy.source, reading.copy.first));
            missing = self.fill(&copies, &mut tokens);
        }
        missing.iter().for_each(|&passage| ranges[passage as usize] = 0..0);
        (tokens, ranges, missing.is_empty())
    }

    /// Fills in the tokens of some copies, which are sorted by source. Returns the passages of those that could not be
    /// read.
    ///
    /// Plain threads read: a worker of a pool that waits may begin another job, which would wait for the same tokens.
    fn fill(&self, copies: &[Reading], tokens: &mut [u64]) -> Vec<u32> {
        let file = |reading: &Reading| self.file_of(reading.copy.source);
        let files: Vec<&[Reading]> = copies.chunk_by(|a, b| file(a) == file(b)).collect();
        let (tokens, missing, next) = (Mutex::new(tokens), Mutex::new(Vec::new()), AtomicUsize::new(0));
        let read = || {
            let mut buffers = (Vec::new(), Vec::new());
            while let Some(copies) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                let failed = self.read_file(copies, &mut buffers, |at, text| {
                    let mut tokens = tokens.lock().unwrap_or_else(PoisonError::into_inner);
                    let into = tokens[at..at + text.len()].iter_mut();
                    into.zip(text).for_each(|(hash, token)| *hash = token.hash);
                });
                missing.lock().unwrap_or_else(PoisonError::into_inner).extend(failed);
            }
        };
        thread::scope(|scope| {
            let others = thread::available_parallelism().map_or(0, |threads| threads.get() - 1);
            (0..others.min(files.len())).for_each(|_| drop(scope.spawn(read)));
            read();
        });
        let mut missing = missing.into_inner().unwrap_or_else(PoisonError::into_inner);
        missing.sort_unstable();
        missing
    }

    fn file_of(&self, source: u32) -> FileId {
        self.snapshot.file_of(self.sources[source as usize].id)
    }

    /// Reads copies in one file, and returns the passages of those that could not be read.
    fn read_file(
        &self,
        copies: &[Reading],
        (bytes, tokens): &mut (Vec<u8>, Vec<Token>),
        mut put: impl FnMut(usize, &[Token]),
    ) -> Vec<u32> {
        let manifest = self.snapshot.manifest();
        let path = self.snapshot.path(self.file_of(copies[0].copy.source));
        let read = corpus::read(&manifest.corpus.absolute(path), manifest.rules.max_filesize, bytes);
        let stamp = read.inspect_err(|reason| self.snapshot.unread().note(path, reason)).ok();
        let text = stamp.and_then(|_| corpus::decode(bytes).ok());
        let records = text.as_ref().map(|text| Records::of(path, &text.text, &manifest.formats));
        let mut missing = Vec::new();
        for of_document in copies.chunk_by(|a, b| a.copy.source == b.copy.source) {
            let source = &self.sources[of_document[0].copy.source as usize];
            let record = text.as_ref().zip(records.as_ref()).and_then(|(text, records)| {
                records.get(&text.text, self.snapshot.document(source.id).record)
            });
            tokens.clear();
            if let Some(record) = record.filter(|_| stamp == Some(source.stamp)) {
                let recipe = &manifest.recipe;
                let tokeniser = Tokeniser::of(recipe.tokens, recipe.comments, path, &record.text);
                let text = recipe.ignored.blanked(&record.text);
                tokeniser.tokens_into(&text, LexState::default(), tokens);
            }
            for Reading { copy, passage, at } in of_document {
                match tokens.get(copy.first as usize..(copy.first + copy.tokens) as usize) {
                    Some(text) => put(*at, text),
                    None => missing.push(*passage),
                }
            }
        }
        missing
    }
}
