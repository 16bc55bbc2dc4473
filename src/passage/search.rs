//! A search for the groups of copies in the documents of a snapshot: what it reads, and how it finds them.

use std::path::Path;

use crate::approximate::seeds::SeedLengths;
use crate::approximate::weights::Weights;
use crate::bounds::{Bounds, Omissions};
use crate::consistent::divided;
use crate::gather::{Gathered, StretchCriteria};
use crate::group::RunGroup;
use crate::measure::Measure;
use crate::{approximate, exact};
use dupi_index::index::repeated::{Repeated, shared};
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::{FileId, Snapshot};
use dupi_text::blot::Recipe;

/// The most bytes of a corpus that is read as a whole for approximate passages. Of a larger one only the text around
/// repeated tiles is read: then a passage with differences may be missed that shares no tile, unless `least` is below the
/// guarantee of the recipe.
const READ_WHOLE: u64 = 256 << 20;

/// The version of the search. It is raised whenever a search of the same documents with the same settings may find
/// something else, or sort, judge or value it differently: results that are kept of an older one are not used.
pub const SEARCH_VERSION: u32 = 8;

/// What is read for a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchScope {
    /// Which stretches of the documents.
    pub wanted: StretchCriteria,
    /// Whether only text around repeated tiles is read, and not all.
    pub is_located: bool,
}

/// The groups of copies that a search found.
pub struct FoundGroups {
    /// The groups.
    pub groups: Vec<RunGroup>,
    /// The weights of tokens, if copies may differ.
    pub weights: Option<Weights>,
    /// What the search omitted because of its limits of memory and time.
    pub omissions: Omissions,
}

impl SearchScope {
    /// The scope of a search of all documents. With `consistent`, names must differ consistently between equal runs.
    pub fn new(snapshot: &Snapshot, measure: &Measure, consistent: bool) -> Self {
        let recipe = &snapshot.manifest().recipe;
        let is_approximate = measure.gap > 0;
        // The index can tell where to look only when its guarantee is not longer than the shortest passage. Copies with
        // differences need not share any tile that it keeps.
        let can_locate = recipe.guarantee() <= measure.least;
        let is_located = can_locate && !(is_approximate && is_read_whole(snapshot));
        let wanted = if is_approximate {
            StretchCriteria::approximate(recipe, measure)
        } else {
            StretchCriteria { names: consistent, ..StretchCriteria::exact(recipe, measure.least) }
        };
        Self { wanted, is_located }
    }

    /// The repeated blots, if they say what is read: those of a file, or of a scan. A file is checked in any case.
    pub fn repeated(
        &self,
        snapshot: &Snapshot,
        file: Option<&Path>,
    ) -> Result<Option<Repeated>, SearchError> {
        let of_file = file.map(|file| shared(snapshot, file)).transpose()?;
        Ok(match of_file {
            _ if !self.is_located => None,
            None => Some(Repeated::scan(snapshot)?),
            of_file => of_file,
        })
    }

    /// Finds the groups of copies in what was gathered of this scope.
    pub fn find(
        &self,
        gathered: &Gathered,
        recipe: &Recipe,
        measure: Measure,
        memory: u64,
        tick: &Tick,
    ) -> Result<FoundGroups, SearchError> {
        let bounds = Bounds::new(gathered.len(), memory);
        let weights = (measure.gap > 0).then(|| Weights::of_all(gathered));
        let mut groups = if let Some(weights) = &weights {
            let lengths = if self.is_located { SeedLengths::around_tiles } else { SeedLengths::for_recipe };
            let seed = lengths(recipe, measure.least);
            approximate::passages(gathered, measure, seed, weights, &bounds, tick)?
        } else {
            exact::passages(gathered, measure.least, &bounds, 1, tick)?
        };
        if self.wanted.names {
            groups = divided(gathered, groups, measure.least);
        }
        Ok(FoundGroups { groups, weights, omissions: bounds.omissions() })
    }
}

/// Whether the files of a snapshot are read as a whole for approximate passages.
pub fn is_read_whole(snapshot: &Snapshot) -> bool {
    bytes(snapshot) <= READ_WHOLE
}

/// The size of all files of a snapshot.
pub fn bytes(snapshot: &Snapshot) -> u64 {
    let size = |file: FileId| snapshot.segment(file.segment).table().stamp(file.file).size;
    snapshot.files().map(size).sum()
}
