//! The whole way from a snapshot to its passages.

use super::found::{Order, Passage, Source, sort};
use super::gather::{Gathered, Wanted};
use super::group::{Group, passages_of};
use super::near::grow::Measure;
use super::{PassageError, Tick, exact, hidden, near, nested};
use crate::blot::Recipe;
use crate::index::repeated::Repeated;
use crate::index::snapshot::Snapshot;
use crate::taboo::TabooSet;

/// Which passages are looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The fewest tokens of a passage that are not taboo.
    pub min_tokens: u32,
    /// How many tokens that differ may stand between tokens that agree; 0 for copies that are equal.
    pub gap: u32,
    /// The least share of two copies that agrees, 0 to 1; rare tokens count more than frequent ones.
    pub overlap: f32,
    /// Whether it is the share of the copy of which more agrees.
    pub one_sided: bool,
    /// Only passages that stand in two documents or more.
    pub across: bool,
    /// Bytes of texts that are held in memory; more goes to scratch files in the index's folder.
    pub memory: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { min_tokens: 25, gap: 8, overlap: 0.6, one_sided: false, across: false, memory: 1 << 30 }
    }
}

/// The passages of a snapshot.
pub struct Passages {
    /// The documents that they stand in.
    pub sources: Vec<Source>,
    /// The passages that are not hidden, sorted.
    pub found: Vec<Passage>,
    /// How many are hidden by the taboo list.
    pub hidden: usize,
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
        let repeated = Repeated::scan(snapshot)?;
        // What the index promises is longer than what is looked for: then it cannot say where to look.
        let repeated = (recipe.guarantee() <= settings.min_tokens).then_some(&repeated);
        let memory = settings.memory / 4;
        // Reading takes about a third of the time.
        let (reading, searching) = (|share| tick(share * 0.3), |share| tick(0.3 + share * 0.7));
        let (gathered, mut found) = if settings.gap == 0 {
            let wanted = Wanted::exact(recipe, settings.min_tokens);
            let gathered = Gathered::read(snapshot, repeated, wanted, settings.memory, &reading)?;
            let found = exact::passages(&gathered, settings.min_tokens, memory, &searching)?;
            (gathered, found)
        } else {
            let wanted = Wanted::near(recipe, settings.min_tokens, settings.gap);
            let gathered = Gathered::read(snapshot, repeated, wanted, settings.memory, &reading)?;
            let measure = Measure {
                least: settings.min_tokens,
                overlap: settings.overlap,
                one_sided: settings.one_sided,
                gap: settings.gap,
            };
            let seed = near::seed_tokens(recipe, settings.min_tokens);
            let found = near::passages(&gathered, measure, seed, memory, &searching)?;
            (gathered, found)
        };
        found.retain(|group| !settings.across || group.documents(&gathered) > 1);
        let all = found.len();
        found.retain(|group| !is_hidden(&gathered, group, settings.min_tokens, taboo, recipe));
        let hidden = all - found.len();
        nested::name_parents(&mut found);
        let mut found = passages_of(&gathered, found);
        sort(&mut found, order);
        Ok(Self { sources: gathered.sources, found, hidden })
    }
}

/// Whether too few tokens of a passage are left when what is taboo does not count.
fn is_hidden(gathered: &Gathered, group: &Group, least: u32, taboo: &TabooSet, recipe: &Recipe) -> bool {
    let tokens = gathered.tokens_of(&group.runs[group.representative as usize]);
    hidden::is_hidden(tokens, least, taboo, recipe)
}
