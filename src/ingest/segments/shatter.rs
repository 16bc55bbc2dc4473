//! The blots of documents in a stream, for programs that shuffle them.
//!
//! ```text
//! document   length of the path, path · number of its record, 0 of a file that is one document · count of blots ·
//!            (blot · first token of its tile, less that of the one before) …
//! ```
//!
//! Numbers are varints of the integer-encoding crate (LEB128); a blot is the number that it is printed as. The path is relative to the root. The blots are those that an
//! index with this recipe keeps, in the order of the text; a document without any is left out.

use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use integer_encoding::VarIntWriter;

use super::SegmentError;
use super::build::{Documents, SegmentTask};
use super::frames::Frame;
use crate::priority::{self, Nice};
use crate::rounds::{most_of_round, rounds_from};
use crate::update::{UpdateError, fitting};
use dupi_base::corpus::{self, FoundFile, Record, Records, SkipReason, portions};
use dupi_base::parallel;
use dupi_text::blot::{Tile, shatter};
use dupi_text::token::{LexState, Tokeniser};

/// Bytes of documents that a thread reads at a time.
const PORTION: u64 = 4 << 20;

impl SegmentTask {
    /// Writes the blots of these documents. Documents that are too large or no text are left out.
    ///
    /// # Errors
    /// [`SegmentError::Unread`] if a document is not there or cannot be read.
    pub fn write_blots(&self, documents: Documents, out: &mut dyn Write) -> Result<(), SegmentError> {
        let pool = priority::pool(self.threads, Nice::Answering).map_err(UpdateError::Threads)?;
        let write = |out: &mut dyn Write, blots: Vec<Vec<u8>>| {
            blots.iter().try_for_each(|of| out.write_all(of)).map_err(SegmentError::Output)
        };
        // What is read at once, and its blots, fit into the memory.
        let most = most_of_round(&self.manifest.recipe, self.memory).min(self.memory / 4);
        match documents {
            Documents::Files(paths) => {
                let (files, _) = fitting(self.found(paths)?, self.memory);
                let enough = most.min(PORTION * self.threads.max(1) as u64);
                for round in rounds_from(enough, &files, enough) {
                    let some = portions(round, PORTION, |file| file.stamp.size);
                    let of_files = || parallel::try_map(&some, |files| self.blots_of_files(files));
                    let blots: Result<Vec<Vec<u8>>, SegmentError> = pool.install(of_files);
                    write(out, blots?)?;
                }
            }
            Documents::Framed(stream) => {
                self.each_round(stream, PORTION * self.threads as u64, |round| {
                    let blots = |frame: &Frame| {
                        frame.bytes.as_ref().map_or(Vec::new(), |bytes| self.blots(&frame.path, bytes))
                    };
                    write(out, pool.install(|| parallel::map(&round, blots)))
                })?;
            }
        }
        out.flush().map_err(SegmentError::Output)
    }

    fn blots_of_files(&self, files: &[FoundFile]) -> Result<Vec<u8>, SegmentError> {
        let (mut bytes, mut blots) = (Vec::new(), Vec::new());
        for FoundFile { path, .. } in files {
            let absolute = self.manifest.corpus.absolute(path);
            match corpus::read(&absolute, self.manifest.rules.max_filesize, &mut bytes) {
                Ok(_) => blots.extend(self.blots(path, &bytes)),
                Err(reason) if reason.is_refusal() || reason == SkipReason::Vanished => {
                    return Err(SegmentError::Unread { path: absolute, reason });
                }
                Err(_) => {}
            }
        }
        Ok(blots)
    }

    /// The blots of all documents of a file.
    fn blots(&self, path: &Path, bytes: &[u8]) -> Vec<u8> {
        let Ok(text) = corpus::decode(bytes) else { return Vec::new() };
        let records = Records::split(path, &text.text, &self.manifest.formats);
        records.iter(&text.text).flatten().flat_map(|record| self.blots_of(path, &record)).collect()
    }

    fn blots_of(&self, path: &Path, record: &Record) -> Vec<u8> {
        let recipe = &self.manifest.recipe;
        let tokeniser = Tokeniser::for_file(recipe.tokens, recipe.comments, path, &record.text);
        let read = recipe.ignored.blanked(&record.text);
        let mut tiles: Vec<Tile> = Vec::new();
        shatter(&read, tokeniser, LexState::default(), recipe, |tile| tiles.push(tile));
        if tiles.is_empty() {
            return Vec::new();
        }
        let (mut blots, path) = (Vec::new(), path.as_os_str().as_bytes());
        put(&mut blots, path.len() as u64);
        blots.extend_from_slice(path);
        put(&mut blots, record.number.unwrap_or(0).into());
        put(&mut blots, tiles.len() as u64);
        let mut last = 0;
        for Tile { blot, first, .. } in tiles {
            put(&mut blots, blot.get());
            put(&mut blots, u64::from(first - last));
            last = first;
        }
        blots
    }
}

fn put(bytes: &mut Vec<u8>, number: u64) {
    // Writing to memory cannot fail.
    let _ = bytes.write_varint(number);
}
