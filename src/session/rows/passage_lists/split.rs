//! Which passages a list shows and what it leaves out. To find that, all passages are looked at; so it is kept for as long
//! as it would be the same again, and whoever scrolls a list waits for nothing but its rows.

use std::sync::Arc;

use crate::config::SavedFilters;
use crate::passage::PassageOrder;
use crate::passage::aside::{AsideRule, AsideSummary};
use crate::passage::filter::PassageSieve;
use crate::passage::search::Passages;
use crate::taboo::AcceptedSet;

/// The text of a filter, and the saved filters that it can refer to.
pub(super) type FilterText = (String, Arc<SavedFilters>);

/// All that a split of the same passages depends on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SplitKey {
    pub(super) order: PassageOrder,
    pub(super) filter: Option<FilterText>,
    /// What is left out.
    pub(super) rule: AsideRule,
    pub(super) shows_taboo: bool,
    /// Which passages are taboo, once that is known; until then all that may pass are taken.
    pub(super) taboo: Option<Arc<Vec<bool>>>,
    /// What is accepted, where a filter may ask for it.
    pub(super) accepted: Option<Arc<AcceptedSet>>,
}

/// The passages that pass a filter, split by what the list shows of kinds and families.
#[derive(Debug, PartialEq)]
pub(super) struct Split {
    /// The passages to list, in order. Taboo passages that are not shown stand for no family; they are the last ones, where
    /// they are counted.
    pub(super) listed: Vec<u32>,
    /// What is set aside of each kind.
    pub(super) aside: Vec<AsideSummary>,
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
        let taboo = key.taboo.as_deref();
        let passes = |sieve: &PassageSieve, number: u32| {
            let decided = || {
                let passage = &passages.found[number as usize];
                let state = passage.state(taboo?[number as usize], key.accepted.as_ref()?);
                Some(sieve.passes_as(passages, number, state))
            };
            sieve.passes(number).or_else(decided).unwrap_or(true)
        };
        let given = order.iter().copied().filter(|&number| sieve.is_none_or(|sieve| passes(sieve, number)));
        let is_hidden = |number: &u32| !key.shows_taboo && taboo.is_some_and(|taboo| taboo[*number as usize]);
        let (hidden, given): (Vec<u32>, Vec<u32>) = given.partition(is_hidden);
        let mut parts = key.rule.split(&passages.found, given);
        let (aside, in_families) = (parts.summaries(&passages.found), parts.members.len() as u64);
        parts.listed.extend(hidden);
        Self { listed: parts.listed, aside, in_families }
    }
}
