//! The texts of changed files before the change.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::places::ChangedDocuments;
use crate::blot::{Blot, Recipe, kept_tiles_of};
use crate::change::{ChangedFile, ChangedLines};
use crate::passage::approximate::seeds::SeedLengths;
use crate::passage::approximate::weights::Weights;
use crate::passage::like::pair::Comparison;
use crate::passage::{Measure, PassageError};
use crate::taboo::suppressed_texts;
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
    /// The ranges of tokens that marks suppress.
    suppressed: Vec<Range<usize>>,
}

/// The files of a change as they were before it, those that had any text.
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
        // Of a new file there may be lines that are no part of the change.
        let text = text.filter(|text| !text.is_empty())?;
        let name = change.former.as_deref().unwrap_or(path);
        let tokeniser = Tokeniser::of(recipe.tokens, recipe.comments, name, &text);
        let tokens = tokeniser.tokens(&text, LexState::default());
        let hashes = tokens.iter().map(|token| token.hash).collect();
        let mut kept = HashSet::new();
        kept_tiles_of(&tokens, recipe, |tile| {
            kept.insert(tile.blot);
        });
        let number = |at: usize| tokens.partition_point(|token| (token.start as usize) < at);
        let suppressed = suppressed_texts(name, &text).into_iter();
        let suppressed = suppressed.map(|of| number(of.bytes.start)..number(of.bytes.end)).collect();
        Some(FormerText { path: path.to_owned(), change, text, tokens, hashes, kept, suppressed })
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

impl FormerText<'_> {
    /// Whether marks suppress more than half of some tokens.
    fn suppresses(&self, run: &Range<usize>) -> bool {
        let common = |of: &Range<usize>| of.end.min(run.end).saturating_sub(of.start.max(run.start));
        self.suppressed.iter().map(common).sum::<usize>() * 2 > run.len()
    }
}

impl FormerCopies<'_> {
    /// How many copies of a passage the former texts have, by the tokens of its representative.
    ///
    /// # Errors
    /// When a text has too many tokens.
    pub fn count(&self, passage: &[u64]) -> Result<usize, PassageError> {
        let mut kept = Vec::new();
        let tokens: Vec<Token> = passage.iter().map(|&hash| Token { hash, start: 0, end: 0 }).collect();
        kept_tiles_of(&tokens, &self.recipe, |tile| kept.push(tile.blot));
        // Lines that were added since divide a copy.
        let least = self.measure.least.min(self.recipe.guarantee()).min(passage.len() as u32);
        let measure = Measure { least, ..self.measure };
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
            let runs = runs.into_iter().filter(|run| !text.suppresses(&run.of_page));
            let least = (passage.len() as f32 * self.measure.overlap).ceil() as usize;
            count += copies(runs.map(|run| (run.of_probe, run.of_page)).collect(), least, passage.len());
        }
        Ok(count)
    }
}

/// How many copies some runs of a passage, each with its place in a text, make up together: runs that follow each other in
/// both and are at most half a passage apart are parts of one copy, which has at least so many tokens in them. Parts may
/// overlap where a line was added or removed that begins or ends like one beside it; what both have counts once.
fn copies(mut runs: Vec<(Range<usize>, Range<usize>)>, least: usize, length: usize) -> usize {
    runs.sort_by_key(|(_, place)| (place.start, place.end));
    let mut count = 0;
    let mut open: Option<OpenParts> = None;
    for (own, place) in runs {
        match &mut open {
            Some(parts) if parts.go_on_with(&own, &place, length / 2) => {
                let new = own.end - own.start.max(parts.own.end);
                parts.covered += new.min(place.end - place.start.max(parts.place.end));
                (parts.own, parts.place) = (own, place);
            }
            _ => {
                count += usize::from(open.is_some_and(|parts| parts.covered >= least));
                open = Some(OpenParts { covered: own.len(), own, place });
            }
        }
    }
    count + usize::from(open.is_some_and(|parts| parts.covered >= least))
}

/// The parts of a copy so far.
struct OpenParts {
    /// The last part, in the passage.
    own: Range<usize>,
    /// Where that stands in the text.
    place: Range<usize>,
    /// How many tokens of the passage the parts have.
    covered: usize,
}

impl OpenParts {
    /// Whether a run is the next part of the same copy.
    fn go_on_with(&self, own: &Range<usize>, place: &Range<usize>, most_apart: usize) -> bool {
        let is_behind =
            |next: &Range<usize>, last: &Range<usize>| next.start > last.start && next.end > last.end;
        let is_near = place.start.saturating_sub(self.place.end) <= most_apart;
        is_behind(own, &self.own) && is_behind(place, &self.place) && is_near
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_in_order_are_one_copy() {
        assert_eq!(copies(vec![(0..40, 100..140), (50..90, 141..181)], 60, 90), 1);
        assert_eq!(copies(vec![(0..40, 100..140), (50..90, 400..440)], 60, 90), 0, "too far apart");
        assert_eq!(copies(vec![(0..90, 300..390), (0..90, 0..90)], 60, 90), 2);
        assert_eq!(copies(vec![(50..90, 0..40), (0..40, 41..81)], 60, 90), 0, "in another order");
        assert_eq!(copies(Vec::new(), 60, 90), 0);
    }

    #[test]
    fn parts_that_overlap_count_once() {
        // A line was added before one that begins like it: the second part begins with the end of the first one.
        assert_eq!(copies(vec![(0..56, 91..147), (63..104, 146..187)], 63, 104), 1);
        assert_eq!(copies(vec![(0..56, 91..147), (63..104, 146..187)], 97, 104), 0);
        assert_eq!(copies(vec![(0..50, 0..50), (10..55, 10..55)], 56, 90), 0);
        assert_eq!(copies(vec![(0..90, 0..90), (30..60, 95..125)], 60, 90), 1, "a part of another copy");
    }
}
