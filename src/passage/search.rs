//! The whole way from a snapshot to its passages.

use std::collections::HashMap;

use super::bounds::{Bounds, LeftOut};
use super::found::{Passage, PassageId, Source};
use super::gather::{Gathered, Wanted};
use super::group::{Group, passages_of};
use super::measure::Measure;
use super::run::Run;
use super::sort::{self, Order};
use super::texts::Texts;
use super::{PassageError, Tick, approximate, exact, hidden, nested, worth};
use crate::blot::Recipe;
use crate::index::repeated::Repeated;
use crate::index::snapshot::Snapshot;
use crate::taboo::TabooSet;

/// The part of the memory that the texts which stay may take.
const TEXTS_SHARE: u64 = 16;

/// The part of the memory that the tokens which are searched may take.
const HELD_SHARE: u64 = 2;

/// Which passages are looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// What a passage is, and what copies of it are. Taboo tokens do not count towards its length.
    pub measure: Measure,
    /// Only passages that stand in two documents or more.
    pub across: bool,
    /// Bytes of texts that are held in memory; more goes to scratch files in the index's folder.
    pub memory: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { measure: Measure::default(), across: false, memory: 1 << 30 }
    }
}

/// The passages of a snapshot.
pub struct Passages {
    /// The documents that they stand in.
    pub sources: Vec<Source>,
    /// The passages that are not hidden, sorted.
    pub found: Vec<Passage>,
    /// How they are sorted.
    pub order: Order,
    /// What is compared with the taboo list.
    pub texts: Texts,
    /// What is not told, because it would take too much memory or time.
    pub left_out: LeftOut,
}

impl Passages {
    /// Finds the passages of a snapshot.
    pub fn find(
        snapshot: &Snapshot,
        settings: &Settings,
        taboo: &TabooSet,
        order: Order,
        tick: &Tick,
    ) -> Result<Self, PassageError> {
        let recipe = &snapshot.manifest().recipe;
        let Settings { measure, memory, .. } = *settings;
        // What the index promises is longer than what is looked for: then it cannot say where to look.
        let says_where = recipe.guarantee() <= measure.least;
        let repeated = says_where.then(|| Repeated::scan(snapshot)).transpose()?;
        let is_approximate = measure.gap > 0;
        let wanted = if is_approximate {
            Wanted::approximate(recipe, &measure)
        } else {
            Wanted::exact(recipe, measure.least)
        };
        // Reading takes about a third of the time.
        let (reading, searching) = (|share| tick(share * 0.3), |share| tick(0.3 + share * 0.7));
        let (mut gathered, too_large) =
            Gathered::read(snapshot, repeated.as_ref(), wanted, memory / HELD_SHARE, &reading)?;
        drop(repeated);
        let bounds = Bounds::new(gathered.len(), memory);
        let mut found = if is_approximate {
            let seed = approximate::seed_tokens(recipe, measure.least);
            approximate::passages(&gathered, measure, seed, &bounds, &searching)?
        } else {
            exact::passages(&gathered, measure.least, &bounds, 1, &searching)?
        };
        found.retain(|group| !settings.across || group.documents(&gathered) > 1);
        found.retain(|group| !is_hidden(&gathered, group, measure.least, taboo, recipe));
        nested::name_parents(&mut found);
        let representative = |group: &Group| (group.id, group.runs[group.representative as usize]);
        let runs: HashMap<PassageId, Run> = found.iter().map(representative).collect();
        let worths = worth::of(&gathered, &found, memory);
        let mut found = passages_of(&gathered, found, worths);
        let sources = std::mem::take(&mut gathered.sources);
        sort::sort(&mut found, &sources, snapshot, order);
        let left_out = LeftOut { files: too_large, ..bounds.left_out() };
        let runs: Vec<Run> = found.iter().map(|passage| runs[&passage.id]).collect();
        let texts = Texts::new(&gathered, &runs, memory / TEXTS_SHARE, snapshot.folder());
        Ok(Self { sources, found, order, texts, left_out })
    }

    /// The numbers of the passages as they would be sorted.
    pub fn sorted(&self, snapshot: &Snapshot, order: Order) -> Vec<u32> {
        if order == self.order {
            return (0..self.found.len() as u32).collect();
        }
        sort::sorted(&self.found, &self.sources, snapshot, order)
    }
}

/// Whether too few tokens of a passage are left when what is taboo does not count.
fn is_hidden(gathered: &Gathered, group: &Group, least: u32, taboo: &TabooSet, recipe: &Recipe) -> bool {
    let tokens = gathered.tokens_of(&group.runs[group.representative as usize]);
    hidden::is_hidden(tokens, least, taboo, recipe)
}
