//! Applies a filter to passages.

use std::sync::Arc;

use rayon::prelude::*;

use super::{bits, file_bits, is_set, matches_row_text, text_of};
use crate::blot::{Blot, Recipe};
use crate::index::snapshot::Snapshot;
use crate::passage::kind::Kind;
use crate::passage::passages::Passage;
use crate::passage::search::Passages;
use crate::query::filter::{Fact, Facts, FileTest, Filter, Quantity, ReviewState, WordPattern, percent};
use crate::query::page::DocumentReader;
use crate::taboo::CorrectedKinds;

/// Which passages pass a filter.
pub struct PassageSieve {
    filter: Filter,
    recipe: Recipe,
    kinds: Arc<CorrectedKinds>,
    /// The file tests that hold for each source.
    files: Vec<u64>,
    /// The word patterns that match each passage, for passages that were not decided without them.
    texts: Vec<u64>,
    verdicts: Vec<Option<bool>>,
}

/// The facts of a passage.
struct PassageFacts<'a> {
    passages: &'a Passages,
    /// The index of the passage.
    number: u32,
    recipe: &'a Recipe,
    kinds: &'a CorrectedKinds,
    files: &'a [u64],
    texts: Option<u64>,
    state: Option<ReviewState>,
}

impl PassageSieve {
    /// Tests all passages, their kinds as corrected. Reads documents when their texts must decide. `is_cancelled` ends that early; then the results
    /// are invalid.
    pub fn new(
        filter: Filter,
        snapshot: &Snapshot,
        passages: &Passages,
        kinds: Arc<CorrectedKinds>,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let path = |source: u32| snapshot.path(snapshot.file_of(passages.sources[source as usize].id));
        let asked = if filter.files().is_empty() { 0 } else { passages.sources.len() as u32 };
        let of_source = |reader: &mut DocumentReader, source: u32| {
            let path = path(source);
            file_bits(&filter, path, &mut || text_of(reader, path).into_owned())
        };
        let files: Vec<u64> =
            (0..asked).into_par_iter().map_init(|| DocumentReader::new(snapshot), of_source).collect();
        let recipe = snapshot.manifest().recipe;
        let verdict = |number: u32, texts: Option<u64>| {
            filter.verdict(&PassageFacts {
                passages,
                number,
                recipe: &recipe,
                kinds: &kinds,
                files: &files,
                texts,
                state: None,
            })
        };
        let numbers = 0..passages.found.len() as u32;
        let mut verdicts: Vec<Option<bool>> =
            numbers.into_par_iter().map(|number| verdict(number, None)).collect();
        let mut texts = Vec::new();
        if !filter.texts().is_empty() {
            texts = vec![0; passages.found.len()];
            for (number, found) in texts_of(&filter, snapshot, passages, &verdicts, is_cancelled) {
                texts[number as usize] = found;
                verdicts[number as usize] = verdict(number, Some(found));
            }
        }
        Self { filter, recipe, kinds, files, texts, verdicts }
    }

    /// Whether a passage passes; `None` when that depends on the decision about it.
    pub fn passes(&self, number: u32) -> Option<bool> {
        self.verdicts[number as usize]
    }

    /// Whether a passage with this decision passes.
    pub fn passes_as(&self, passages: &Passages, number: u32, state: ReviewState) -> bool {
        let texts = self.texts.get(number as usize).copied().unwrap_or(0);
        let Self { recipe, kinds, files, .. } = self;
        let (texts, state) = (Some(texts), Some(state));
        let known = PassageFacts { passages, number, recipe, kinds, files, texts, state };
        self.passes(number).or_else(|| self.filter.verdict(&known)).unwrap_or(false)
    }
}

/// The word patterns that match the undecided passages. Each document is read once, for all passages whose representative
/// it contains.
fn texts_of(
    filter: &Filter,
    snapshot: &Snapshot,
    passages: &Passages,
    verdicts: &[Option<bool>],
    is_cancelled: &(dyn Fn() -> bool + Sync),
) -> Vec<(u32, u64)> {
    let open = (0..).zip(&passages.found).filter(|(number, _)| verdicts[*number as usize].is_none());
    let mut open: Vec<(u32, u32)> = open.map(|(number, of)| (of.representative().source, number)).collect();
    open.par_sort_unstable();
    let groups: Vec<&[(u32, u32)]> = open.chunk_by(|a, b| a.0 == b.0).collect();
    let of_group = |reader: &mut DocumentReader, group: &&[(u32, u32)]| {
        let source = passages.sources[group[0].0 as usize];
        let file = if is_cancelled() { None } else { source.open(snapshot, reader) };
        let of_passage = |&(_, number): &(u32, u32)| {
            let spot = passages.found[number as usize].representative();
            let span = spot.start as usize..spot.end as usize;
            let text = file.as_ref().and_then(|(file, _)| file.text.get(span)).unwrap_or_default();
            (number, bits(filter.texts().iter().map(|words| matches_row_text(words, text))))
        };
        group.iter().map(of_passage).collect::<Vec<_>>()
    };
    groups.par_iter().map_init(|| DocumentReader::new(snapshot), of_group).flatten_iter().collect()
}

impl PassageFacts<'_> {
    fn passage(&self) -> &Passage {
        &self.passages.found[self.number as usize]
    }
}

impl Facts for PassageFacts<'_> {
    fn number(&self, of: Quantity) -> Fact<u64> {
        let passage = self.passage();
        Fact::Is(match of {
            Quantity::Copies => passage.copies.len() as u64,
            Quantity::Documents => u64::from(passage.documents),
            Quantity::Tokens => u64::from(passage.tokens()),
            Quantity::Score => passage.score(),
            Quantity::Alike => percent(passage.similarity()),
            Quantity::Share => return Fact::Nothing,
        })
    }

    fn state(&self) -> Fact<ReviewState> {
        self.state.map_or(Fact::Unknown, Fact::Is)
    }

    fn kind(&self) -> Fact<Kind> {
        self.passage().kind_by(self.kinds).into()
    }

    fn belongs_to(&self, passage: u64) -> Option<bool> {
        let own = self.passage();
        Some(own.id.0 == passage || own.parent.is_some_and(|parent| parent.0 == passage))
    }

    fn has_blot(&self, blot: Blot) -> Option<bool> {
        Some(self.passages.texts.has_blot(self.number as usize, blot, self.recipe))
    }

    fn has_file(&self, number: usize, _: &FileTest) -> Option<bool> {
        Some(self.passage().copies.iter().any(|spot| is_set(self.files[spot.source as usize], number)))
    }

    fn has_text(&self, number: usize, _: &WordPattern) -> Option<bool> {
        self.texts.map(|texts| is_set(texts, number))
    }
}
