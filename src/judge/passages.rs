//! A passage: a group of copies, with the properties that rows are sorted and filtered by.

use serde::{Deserialize, Serialize};

use dupi_base::corpus::portions;
use dupi_base::parallel;
use dupi_index::query::filter::{Kind, ReviewState};
use dupi_index::taboo::{AcceptedId, AcceptedSet, CorrectedKinds};
use dupi_passage::TokenRun;
use dupi_passage::gather::Gathered;
pub use dupi_passage::gather::SourceDocument;
pub use dupi_passage::group::{PassageCopy, PassageId};
use dupi_passage::group::{RunGroup, spots_of};
use dupi_passage::unit::Unit;

/// A maximal duplicated stretch of text with all its copies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// Its id.
    pub id: PassageId,
    /// Its copies, sorted by path and position.
    #[serde(skip)]
    pub copies: Vec<PassageCopy>,
    /// The index of the copy that the others were compared with.
    pub representative: u32,
    /// How many documents contain a copy.
    pub documents: u32,
    /// A longer passage that contains this one.
    pub parent: Option<PassageId>,
    /// What its copies are.
    pub unit: Unit,
    /// The head of its family: of the passages around it the one that a list shows; its own name if it is the head.
    pub family: PassageId,
    /// How many other passages its family has, if it is the head; else 0.
    pub members: u64,
    /// What its text is; `None` if its files have changed since they were searched.
    pub kind: Option<Kind>,
    /// The information, in bits, that keeping one copy would save.
    pub worth: u64,
    /// How many whole lines could be deleted if only the representative were kept: lines of which all tokens are in a
    /// copy.
    pub lines: u64,
}

impl Passage {
    /// The copy that the others were compared with.
    pub fn representative(&self) -> &PassageCopy {
        &self.copies[self.representative as usize]
    }

    /// The decision about it. Taboo takes precedence over accepted. It is open again when it has more copies than when
    /// it was accepted.
    pub fn state(&self, is_taboo: bool, accepted: &AcceptedSet) -> ReviewState {
        let then = accepted.copies(AcceptedId::Passage(self.id.0));
        let is_to_fix = accepted.is_to_fix(AcceptedId::Passage(self.id.0));
        ReviewState::judge(is_taboo, then, self.copies.len() as u64).or_fix(is_to_fix)
    }

    /// What its text is, as corrected by the user.
    pub fn kind_by(&self, corrected: &CorrectedKinds) -> Option<Kind> {
        corrected.kind(self.id.0).or(self.kind)
    }

    /// Whether it is the head of its family, which a list shows for all of it.
    pub fn is_head(&self) -> bool {
        self.family == self.id
    }

    /// How many tokens the representative has, or the tree of a folder.
    pub fn tokens(&self) -> u32 {
        match &self.unit {
            Unit::Folder(tree) => tree.tokens,
            _ => self.representative().tokens,
        }
    }

    /// The mean similarity of the copies, 0 to 1.
    pub fn similarity(&self) -> f64 {
        let sum: f64 = self.copies.iter().map(|spot| f64::from(spot.similarity)).sum();
        sum / self.copies.len() as f64
    }

    /// How many tokens would be saved if only the representative were kept. Tokens in overlapping copies count once.
    pub fn score(&self) -> u64 {
        if let Unit::Folder(tree) = &self.unit {
            return u64::from(tree.tokens) * (self.copies.len() as u64 - 1);
        }
        let mut reached = (u32::MAX, 0);
        let own = |spot: &PassageCopy| {
            let from = if reached.0 == spot.source { spot.first.max(reached.1) } else { spot.first };
            reached = (spot.source, spot.end_token().max(from));
            u64::from(reached.1 - from)
        };
        self.copies.iter().map(own).sum::<u64>() - u64::from(self.tokens())
    }
}

/// How many copies are converted at once.
const AT_ONCE: u64 = 1 << 20;

/// Converts groups to passages, whose copies are byte ranges in files.
pub fn passages_of(gathered: &Gathered, groups: Vec<RunGroup>, worths: Vec<u64>) -> Vec<Passage> {
    let mut passages = Vec::with_capacity(groups.len());
    let mut worths = worths.into_iter();
    let lines: Vec<u64> = parallel::map(&groups, |group| group.deletable_lines(gathered));
    let mut lines = lines.into_iter();
    for some in portions(&groups, AT_ONCE, |group| group.runs.len() as u64) {
        let runs: Vec<TokenRun> = some.iter().flat_map(|group| &group.runs).copied().collect();
        let mut spots = spots_of(gathered, &runs).into_iter();
        passages.extend(some.iter().zip(worths.by_ref().zip(lines.by_ref())).map(
            |(group, (worth, lines))| {
                let copies: Vec<PassageCopy> = spots.by_ref().take(group.runs.len()).collect();
                Passage {
                    id: group.id,
                    representative: group.representative,
                    documents: copies.chunk_by(|a, b| a.source == b.source).count() as u32,
                    copies,
                    parent: group.parent,
                    unit: group.unit,
                    family: group.id,
                    members: 0,
                    kind: None,
                    worth,
                    lines,
                }
            },
        ));
    }
    passages
}
