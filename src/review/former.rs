//! The texts of changed files before the change.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::places::ChangedDocuments;
use crate::blot::{Blot, Recipe, kept_tiles_of};
use crate::change::{ChangedFile, ChangedLines};
use crate::passage::approximate::seeds::SeedLengths;
use crate::passage::approximate::weights::Weights;
use crate::passage::like::pair::Comparison;
use crate::passage::{Measure, PassageError};
use crate::token::{LexState, Token, Tokeniser};

/// A changed file before the change.
pub struct FormerText<'c> {
    /// Its path now, or the former one if it was removed.
    pub path: PathBuf,
    /// Its change.
    pub change: &'c ChangedFile,
    /// Its text then.
    pub text: String,
    /// Its tokens then.
    pub tokens: Vec<Token>,
    /// Their hashes.
    pub hashes: Vec<u64>,
    /// The blots of the tiles that an index of it keeps.
    kept: HashSet<Blot>,
}

/// The files of a change as they were before it, those that existed.
pub fn former_texts<'c>(
    changed: &'c ChangedLines,
    documents: &ChangedDocuments,
    recipe: &Recipe,
) -> Vec<FormerText<'c>> {
    let of = |(path, change): (&Path, &'c ChangedFile)| {
        let text = if change.is_removed {
            change.former_text("")
        } else {
            documents.at(path).and_then(|document| change.former_text(&document.file.text))
        };
        let text = text.filter(|_| change.existed)?;
        let name = change.former.as_deref().unwrap_or(path);
        let tokeniser = Tokeniser::of(recipe.tokens, recipe.comments, name, &text);
        let tokens = tokeniser.tokens(&text, LexState::default());
        let hashes = tokens.iter().map(|token| token.hash).collect();
        let mut kept = HashSet::new();
        kept_tiles_of(tokens.iter().copied(), recipe, |tile| {
            kept.insert(tile.blot);
        });
        Some(FormerText { path: path.to_owned(), change, text, tokens, hashes, kept })
    };
    let files: Vec<_> = changed.files().collect();
    files.into_par_iter().filter_map(of).collect()
}

/// How a passage is looked for in former texts.
pub struct FormerCopies<'a> {
    /// The texts.
    pub texts: &'a [FormerText<'a>],
    /// What a copy is.
    pub measure: Measure,
    /// The recipe of the index.
    pub recipe: Recipe,
}

impl FormerCopies<'_> {
    /// How many copies of a passage the former texts have, by the tokens of its representative.
    ///
    /// # Errors
    /// When a text has too many tokens.
    pub fn count(&self, passage: &[u64]) -> Result<usize, PassageError> {
        let mut kept = Vec::new();
        let tokens = passage.iter().map(|&hash| Token { hash, start: 0, end: 0 });
        kept_tiles_of(tokens, &self.recipe, |tile| kept.push(tile.blot));
        let measure = Measure { least: self.measure.least.min(passage.len() as u32), ..self.measure };
        let seed = match measure.gap {
            0 => SeedLengths { least: measure.least, chained: measure.least },
            _ => SeedLengths::of(&self.recipe, measure.least),
        };
        let may_have = |text: &&FormerText| kept.iter().any(|blot| text.kept.contains(blot));
        let mut count = 0;
        for text in self.texts.iter().filter(may_have) {
            let both = [passage, &text.hashes];
            let weights = Weights::of(both.par_iter().copied());
            let comparison = Comparison { probe: passage, weights: &weights, measure, seed };
            let runs = comparison.runs(std::slice::from_ref(&text.hashes))?;
            let least = (passage.len() as f32 * measure.overlap).ceil() as usize;
            let mut found: Vec<_> =
                runs.into_iter().filter(|run| run.of_probe.len() >= least).map(|run| run.of_page).collect();
            found.sort_by_key(|run| run.end);
            let mut reached = 0;
            for run in found {
                if run.start >= reached {
                    (count, reached) = (count + 1, run.end);
                }
            }
        }
        Ok(count)
    }
}
