//! The tokens of the representatives, kept beside the passages: so a taboo decision is applied to all passages without
//! reading a document again.

use rayon::prelude::*;

use super::gather::Gathered;
use super::hidden::is_hidden;
use super::token_run::TokenRun;
use crate::blot::{Blot, Recipe, tiles_of};
use crate::index::map::Scratch;
use crate::storage::Folder;
use crate::taboo::TabooSet;
use crate::token::Token;

/// The tokens of the representatives, one passage after another.
#[derive(Default)]
pub struct RepresentativeTokens {
    tokens: Vec<u64>,
    /// The tokens, when they are in a scratch file.
    scratch: Option<Scratch>,
    /// For each passage, the end of its tokens.
    ends: Vec<usize>,
}

impl RepresentativeTokens {
    /// Copies the tokens of some representatives from the gathered tokens. If they exceed `memory`, in bytes, they go to a
    /// scratch file in the index's folder.
    pub fn new(gathered: &Gathered, representatives: &[TokenRun], memory: u64, folder: &Folder) -> Self {
        let total = representatives.iter().map(|run| run.tokens as usize).sum();
        let (mut tokens, mut ends) = (Vec::with_capacity(total), Vec::with_capacity(representatives.len()));
        for run in representatives {
            tokens.extend_from_slice(gathered.tokens_of(run));
            ends.push(tokens.len());
        }
        let mut texts = Self { tokens, scratch: None, ends };
        if (total * size_of::<u64>()) as u64 > memory {
            texts.spill(folder);
        }
        texts
    }

    fn spill(&mut self, folder: &Folder) {
        let written = folder
            .scratch("passages-texts")
            .map_err(|error| error.to_string())
            .and_then(|file| Scratch::write(file, &self.tokens, &[]).map_err(|error| error.to_string()));
        match written {
            Ok(scratch) => {
                self.tokens = Vec::new();
                self.scratch = Some(scratch);
            }
            Err(error) => {
                tracing::warn!(error, "no scratch file; the texts of passages exceed their memory limit");
            }
        }
    }

    /// The tokens of the representative of the passage with this index.
    pub fn of(&self, number: usize) -> &[u64] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.scratch.as_ref().map_or(&self.tokens[..], Scratch::numbers)[start..self.ends[number]]
    }

    /// Whether the representative of the passage with this index has a blot.
    pub fn has_blot(&self, number: usize, blot: Blot, recipe: &Recipe) -> bool {
        let mut has = false;
        let tokens = self.of(number).iter().map(|&hash| Token { hash, start: 0, end: 0 });
        tiles_of(tokens, recipe, |tile| has |= tile.blot == blot);
        has
    }

    /// For each passage, whether the taboo list hides it. `least` is the fewest tokens of a passage.
    pub fn hidden(&self, least: u32, taboo: &TabooSet, recipe: &Recipe) -> Vec<bool> {
        let numbers = (0..self.ends.len()).into_par_iter().with_min_len(256);
        numbers.map(|number| is_hidden(self.of(number), least, taboo, recipe)).collect()
    }
}
