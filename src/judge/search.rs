//! The search for the passages of a snapshot, from reading the documents to the sorted result.

use std::sync::Arc;

use super::copy_texts::CopyTexts;
use super::family;
use super::identical::folders::{FolderRow, folders};
use super::kind::patterns::KindPatterns;
use super::kind::read::kinds_of;
use super::kind::{HeadSigns, Kind};
use super::known::{News, SinceVisit};
use super::passages::{Passage, SourceDocument, passages_of};
use super::sort::{self, PassageOrder};
use super::suppressed::{Suppressions, suppress};
use super::texts::{HeldTokens, RepresentativeTokens};
use super::{identical, worth};
use crate::identical::Trees;
use crate::known::KeptAs;
use dupi_base::storage::Folder;
use dupi_base::storage::memory::trim;
use dupi_index::index::repeated::Repeated;
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::taboo::{AcceptedSet, CorrectedKinds, TabooSet};
use dupi_passage::approximate::representative::Chooser;
use dupi_passage::blocks::BlockSearch;
use dupi_passage::bounds::Omissions;
use dupi_passage::gather::Gathered;
use dupi_passage::group::name_parents;
use dupi_passage::search::{FoundGroups, SearchScope};
use dupi_passage::stages::Stages;
use dupi_passage::{BlockError, Measure};
use dupi_text::blot::Recipe;

/// The texts of representatives may take 1 / this of the memory.
pub(super) const TEXTS_SHARE: u64 = 16;

/// Reading takes about a third of the time, and the kinds a tenth.
const READING: f64 = 0.3;
const JUDGING: f64 = 0.9;

/// The settings of a search for passages.
#[derive(Clone, Debug)]
pub struct SearchSettings {
    /// The criteria for passages and copies.
    pub measure: Measure,
    /// Only passages with copies in two documents or more.
    pub across: bool,
    /// Names must differ consistently: between two copies each name stands for one other. Only for equal runs.
    pub consistent: bool,
    /// The memory limit in bytes. Tokens and texts beyond it go to scratch files in the index's folder.
    pub memory: u64,
    /// The user's patterns for kinds.
    pub patterns: Arc<KindPatterns>,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            measure: Measure::default(),
            across: false,
            consistent: false,
            memory: 1 << 30,
            patterns: Arc::default(),
        }
    }
}

impl SearchSettings {
    /// What a search of all documents reads.
    pub fn scope(&self, snapshot: &Snapshot) -> SearchScope {
        SearchScope::new(snapshot, &self.measure, self.consistent)
    }

    /// A search of which the text is gathered in blocks of a folder, by processes of their own.
    pub fn in_blocks<'a>(&self, snapshot: &'a Snapshot, folder: &'a Folder) -> BlockSearch<'a> {
        let (scope, memory) = (self.scope(snapshot), self.memory);
        BlockSearch { snapshot, scope, flags_of: HeadSigns::flags_of, memory, folder }
    }
}

/// The passages of a snapshot.
#[derive(Default)]
pub struct Passages {
    /// The documents that contain them.
    pub sources: Vec<SourceDocument>,
    /// The passages, sorted. Taboo ones are among them: a decision about one text changes nothing about the others.
    pub found: Vec<Passage>,
    /// How they are sorted.
    pub order: PassageOrder,
    /// The tokens of the representatives, which are compared with the taboo list.
    pub texts: RepresentativeTokens,
    /// The other texts of their copies, by which decisions are recognised.
    pub copy_texts: CopyTexts,
    /// What lies in identical folders.
    pub trees: Trees,
    /// What marks in the documents suppress.
    pub suppressed: Suppressions,
    /// What the search omitted because of its limits of memory and time.
    pub omissions: Omissions,
    /// Whether a search of all documents found them; otherwise they were amended since.
    pub is_settled: bool,
    /// What is known of the file that keeps them.
    pub kept: KeptAs,
    /// What is new in them since the screen was left.
    pub since_visit: SinceVisit,
}

impl Passages {
    /// Finds the passages of a snapshot.
    pub fn find(
        snapshot: &Snapshot,
        settings: &SearchSettings,
        order: PassageOrder,
        tick: &Tick,
    ) -> Result<Self, SearchError> {
        Self::find_in(snapshot, settings, order, None, tick)
    }

    /// Finds the passages of a snapshot in the blocks of a folder.
    ///
    /// # Errors
    /// [`BlockError`] unless all blocks of one division are there, whole, and of this snapshot and these settings.
    pub fn find_in_blocks(
        snapshot: &Snapshot,
        settings: &SearchSettings,
        order: PassageOrder,
        folder: &Folder,
        tick: &Tick,
    ) -> Result<Self, BlockError> {
        let search = settings.in_blocks(snapshot, folder);
        let gathered = search.read()?;
        Ok(Self::find_gathered(snapshot, settings, order, &search.scope, gathered, tick)?)
    }

    /// Finds the passages of the text around some blots, as if no others were repeated; without them, all passages.
    pub(super) fn find_in(
        snapshot: &Snapshot,
        settings: &SearchSettings,
        order: PassageOrder,
        around: Option<Repeated>,
        tick: &Tick,
    ) -> Result<Self, SearchError> {
        let scope = settings.scope(snapshot);
        let scope = SearchScope { is_located: scope.is_located || around.is_some(), ..scope };
        let repeated = match around {
            None => scope.repeated(snapshot, None)?,
            around => around,
        };
        let mut stages = Stages::begin();
        let reading = |share| tick(share * READING);
        let gathered = Gathered::read(
            snapshot,
            repeated.as_ref(),
            scope.wanted,
            HeadSigns::flags_of,
            settings.memory,
            &reading,
        )?;
        drop(repeated);
        stages.end("reading");
        Self::find_gathered(snapshot, settings, order, &scope, gathered, tick)
    }

    /// Finds the passages in what was gathered of a snapshot. Also given is how many files were too large to be read.
    fn find_gathered(
        snapshot: &Snapshot,
        settings: &SearchSettings,
        order: PassageOrder,
        scope: &SearchScope,
        (mut gathered, too_large): (Gathered, u64),
        tick: &Tick,
    ) -> Result<Self, SearchError> {
        let recipe = &snapshot.manifest().recipe;
        let &SearchSettings { measure, memory, .. } = settings;
        let mut stages = Stages::begin();
        let searching = |share| tick(READING + share * (JUDGING - READING));
        let judging = |share| tick(JUDGING + share * (1.0 - JUDGING));
        let FoundGroups { groups: mut found, weights, omissions } =
            scope.find(&gathered, recipe, measure, memory, &searching)?;
        let is_large = gathered.is_large();
        let trim = || {
            if is_large {
                trim();
            }
        };
        trim();
        stages.end("searching");
        identical::add_documents(&gathered, measure.least, &mut found);
        let chooser = weights.as_ref().map(|weights| Chooser {
            gathered: &gathered,
            weights,
            measure: measure.roughly(),
            least: measure.least,
        });
        let suppressed = suppress(&gathered, &mut found, measure.least, chooser.as_ref());
        found.retain(|group| !settings.across || group.documents(&gathered) > 1);
        name_parents(&mut found);
        stages.end("nesting");
        if measure.gap > 0 && !scope.is_located {
            // Texts without a copy do not count for the worth of others.
            gathered.keep_with_runs(found.iter().flat_map(|group| &group.runs));
        }
        let worths = worth::of(&gathered, &found, memory);
        trim();
        stages.end("worth");
        let copy_texts = CopyTexts::new(&gathered, &found);
        stages.end("texts of copies");
        let mut texts = HeldTokens::gathered(&gathered, &found, memory / TEXTS_SHARE, snapshot.folder());
        stages.end("texts of representatives");
        let mut found = passages_of(&gathered, found, worths);
        let sources = std::mem::take(&mut gathered.sources);
        // The tokens take most of the memory. They are not needed again.
        drop(gathered);
        trim();
        stages.end("places of copies");
        let kinds = kinds_of(snapshot, &sources, &found, &settings.patterns, &judging)?;
        for (passage, kind) in found.iter_mut().zip(kinds) {
            passage.kind = kind;
        }
        stages.end("kinds");
        let (folders, places) = folders(snapshot, &sources, &found);
        let mut trees = Vec::with_capacity(folders.len());
        for FolderRow { row, shown, tree } in folders {
            texts.share(row.id, shown);
            trees.push((row.id, tree));
            found.push(row);
        }
        stages.end("folders");
        sort::sort(&mut found, &sources, snapshot, order);
        stages.end("sorting");
        let tokens: Vec<u32> = sources.iter().map(|source| source.tokens).collect();
        family::name_families(&mut found, &tokens, &places);
        trim();
        stages.end("families");
        let omissions = Omissions { files: too_large, ..omissions };
        let trees = Trees::new(trees, &found);
        Ok(Self {
            sources,
            found,
            order,
            texts: RepresentativeTokens::held(texts),
            copy_texts,
            trees,
            suppressed,
            omissions,
            is_settled: true,
            ..Self::default()
        })
    }

    /// The accepted passages, also those that are recognised by the text of a copy.
    pub fn accepted(&self, accepted: &AcceptedSet) -> AcceptedSet {
        accepted.recognising(self.found.iter().map(|passage| self.copy_texts.row(passage)))
    }

    /// The corrected kinds, also of passages that are recognised by the text of a copy.
    pub fn corrected(&self, kinds: &CorrectedKinds) -> CorrectedKinds {
        kinds.recognising(self.found.iter().map(|passage| self.copy_texts.row(passage)))
    }

    /// For each passage, whether the taboo list hides it: leaves fewer than `least` tokens of its representative, or has
    /// the text of another copy. A row of folders is hidden if all rows of their documents are.
    pub fn hidden(&self, least: u32, taboo: &TabooSet, recipe: &Recipe) -> Vec<bool> {
        if let Some(hidden) = self.kept.hidden(taboo, least) {
            return hidden;
        }
        let mut hidden = self.texts.hidden(&self.found, least, taboo, recipe);
        if !taboo.is_empty() {
            for (hidden, passage) in hidden.iter_mut().zip(&self.found) {
                *hidden |= taboo.has_text(self.copy_texts.others(passage.id));
            }
        }
        let of_folders = self.trees.iter().map(|(number, tree)| {
            let is_hidden = tree.rows.iter().all(|&row| hidden[row as usize]);
            (number, is_hidden)
        });
        for (number, is_hidden) in of_folders.collect::<Vec<_>>() {
            hidden[number as usize] = is_hidden;
        }
        hidden
    }

    /// What is new in a passage since the screen was left, as far as that is known.
    pub fn news(&self, passage: &Passage) -> Option<News> {
        self.since_visit.news(passage, &self.copy_texts)
    }

    /// Whether a passage is of one of some kinds, as corrected. Folders that have no corrected kind are of the kinds of
    /// their documents too.
    pub fn is_of_kind(&self, number: u32, kinds: &[Kind], corrected: &CorrectedKinds) -> bool {
        let is_of = |number: u32| {
            let kind = self.found[number as usize].kind_by(corrected);
            kind.is_some_and(|kind| kinds.contains(&kind))
        };
        let passage = &self.found[number as usize];
        match self.trees.get(number) {
            Some(tree) if passage.kind_by(corrected) == passage.kind => {
                tree.rows.iter().any(|&row| is_of(row))
            }
            _ => is_of(number),
        }
    }

    /// The indices of the passages in another order.
    pub fn sorted(&self, snapshot: &Snapshot, order: PassageOrder) -> Vec<u32> {
        if order == self.order {
            return (0..self.found.len() as u32).collect();
        }
        sort::sorted(&self.found, &self.sources, snapshot, order)
    }
}
