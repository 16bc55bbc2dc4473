//! Which passages a list shows and what it leaves out. To compute that, all passages are examined. So the result is
//! kept until one of its inputs changes, and a list that is scrolled only makes its rows.

use std::sync::Arc;

use dupi_base::config::SavedFilters;
use dupi_index::taboo::{AcceptedSet, CorrectedKinds};
use dupi_judge::PassageOrder;
use dupi_judge::aside::{AsideRule, AsideSummary, SetAside};
use dupi_judge::filter::PassageSieve;
use dupi_judge::search::Passages;

/// The text of a filter, the saved filters that it can refer to, and the corrected kinds.
pub(super) type FilterText = (String, Arc<SavedFilters>, Arc<CorrectedKinds>);

/// All that a split of the same passages depends on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SplitKey {
    pub(super) order: PassageOrder,
    /// Whether what is listed, and what is set aside, is in the reverse of that order.
    pub(super) is_reversed: bool,
    /// The filter, with the kinds by which it was applied: older ones, if its application was cancelled.
    pub(super) filter: Option<FilterText>,
    /// What is left out.
    pub(super) rule: AsideRule,
    pub(super) shows_taboo: bool,
    /// Which passages are taboo.
    pub(super) taboo: Arc<Vec<bool>>,
    /// What is accepted, where it makes a difference for the filter.
    pub(super) accepted: Option<Arc<AcceptedSet>>,
    pub(super) kinds: Arc<CorrectedKinds>,
}

/// The passages that pass a filter, split by what the list shows of kinds and families.
#[derive(Debug, PartialEq)]
pub(super) struct Split {
    /// The passages to list, in order. Taboo passages that are not shown stand for no family; they are the last ones,
    /// where they are counted.
    pub(super) listed: Vec<u32>,
    /// How many of them are shown.
    pub(super) shown: usize,
    /// What is set aside of each kind, with the passages in order.
    pub(super) aside: Vec<(AsideSummary, Vec<u32>)>,
    /// How many are left out because another one of their family is listed, or set aside.
    pub(super) in_families: u64,
}

impl Split {
    /// Splits the passages that pass `sieve`, given in order.
    pub(super) fn new(
        key: &SplitKey,
        passages: &Passages,
        order: &[u32],
        sieve: Option<&PassageSieve>,
    ) -> Self {
        let is_taboo = |number: u32| key.taboo[number as usize];
        let passes = |sieve: &PassageSieve, number: u32| {
            let decided = || {
                let accepted = key.accepted.as_ref()?;
                let state = passages.found[number as usize].state(is_taboo(number), accepted);
                Some(sieve.passes_as(passages, number, state))
            };
            sieve.passes(number).or_else(decided).unwrap_or(false)
        };
        let given = order.iter().copied().filter(|&number| sieve.is_none_or(|sieve| passes(sieve, number)));
        let is_hidden = |number: &u32| !key.shows_taboo && is_taboo(*number);
        let (hidden, given): (Vec<u32>, Vec<u32>) = given.partition(is_hidden);
        let parts = key.rule.split(&passages.found, &key.kinds, given);
        let mut aside = parts.by_kind(&passages.found, &key.kinds);
        let SetAside { mut listed, members, .. } = parts;
        // Who stands for a family does not depend on the direction.
        if key.is_reversed {
            listed.reverse();
            aside.iter_mut().for_each(|(_, numbers)| numbers.reverse());
        }
        let shown = listed.len();
        listed.extend(hidden);
        Self { listed, shown, aside, in_families: members.len() as u64 }
    }
}
