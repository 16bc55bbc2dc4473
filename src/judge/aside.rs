//! Decides which passages a list shows: one of each family, and none of the kinds that are set aside. What is left out
//! is counted.
//!
//! Families are formed by the kinds that the rules say, and stay as they are when the user corrects one. Which passage
//! stands for a family follows the corrected kinds: nothing stands behind a passage that is usually set aside unless it
//! is set aside itself. So if the head of a family is set aside, the rest of the family is a row of its own.

use std::cmp::Reverse;

use super::hashed::HashedMap;
use super::kind::Kind;
use super::passages::{Passage, PassageId};
use dupi_index::taboo::CorrectedKinds;

/// What a list of passages leaves out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsideRule {
    /// The kinds that are set aside.
    pub kinds: Vec<Kind>,
    /// Whether all members of a family are listed, and not only one passage of it.
    pub members: bool,
}

impl Default for AsideRule {
    fn default() -> Self {
        Self { kinds: Kind::ASIDES.to_vec(), members: false }
    }
}

/// Passages, each by its index, in one of three parts. Each part keeps their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetAside {
    /// The passages to list.
    pub listed: Vec<u32>,
    /// Those of kinds that are set aside. Without their families, unless members are listed.
    pub aside: Vec<u32>,
    /// Those that are left out because another passage of their family is in one of the other parts.
    pub members: Vec<u32>,
}

/// What is set aside of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsideSummary {
    /// The kind.
    pub kind: Kind,
    /// How many passages.
    pub passages: u64,
    /// How many copies they have.
    pub copies: u64,
    /// How many tokens all these copies have.
    pub tokens: u64,
}

impl AsideRule {
    /// Nothing is left out.
    pub fn none() -> Self {
        Self { kinds: Vec::new(), members: true }
    }

    /// Splits some passages, given by their indices, by their kinds as corrected. A family is listed by its head; if
    /// that is not among the given ones, by the worthiest of the others. If the head is of a kind that is usually set
    /// aside, it stands only for members that are so too; the worthiest of the others stands for these. No kind is set
    /// aside if otherwise the list would be empty.
    ///
    /// Naming fewer kinds never takes a passage from the list, except where more kinds would have left it empty.
    pub fn split(
        &self,
        passages: &[Passage],
        kinds: &CorrectedKinds,
        given: impl IntoIterator<Item = u32>,
    ) -> SetAside {
        let mut listed: Vec<u32> = given.into_iter().collect();
        let mut members = Vec::new();
        if !self.members {
            let shown = ShownOfFamilies::new(passages, kinds, &listed);
            (listed, members) = listed.into_iter().partition(|number| shown.has(*number));
        }
        let is_aside = |number: &u32| {
            let kind = passages[*number as usize].kind_by(kinds);
            kind.is_some_and(|kind| self.kinds.contains(&kind))
        };
        let aside;
        (aside, listed) = listed.into_iter().partition(is_aside);
        if listed.is_empty() {
            return SetAside { listed: aside, aside: listed, members };
        }
        SetAside { listed, aside, members }
    }
}

impl SetAside {
    /// What is set aside of each kind, the most passages first. Kinds of which nothing is set aside are left out.
    pub fn summaries(&self, passages: &[Passage], kinds: &CorrectedKinds) -> Vec<AsideSummary> {
        self.by_kind(passages, kinds).into_iter().map(|(sum, _)| sum).collect()
    }

    /// The same with the passages that are set aside, in their order.
    pub fn by_kind(&self, passages: &[Passage], kinds: &CorrectedKinds) -> Vec<(AsideSummary, Vec<u32>)> {
        let none = |kind| (AsideSummary { kind, passages: 0, copies: 0, tokens: 0 }, Vec::new());
        let mut found = Kind::ALL.map(none);
        for &number in &self.aside {
            let passage = &passages[number as usize];
            let kind = passage.kind_by(kinds);
            let Some((sum, numbers)) = found.iter_mut().find(|(sum, _)| Some(sum.kind) == kind) else {
                continue;
            };
            sum.passages += 1;
            sum.copies += passage.copies.len() as u64;
            sum.tokens += passage.copies.iter().map(|copy| u64::from(copy.tokens)).sum::<u64>();
            numbers.push(number);
        }
        let mut found: Vec<_> = found.into_iter().filter(|(sum, _)| sum.passages > 0).collect();
        found.sort_by_key(|(sum, _)| Reverse(sum.passages));
        found
    }
}

/// Which passages stand for the families of which some are given.
struct ShownOfFamilies<'a> {
    passages: &'a [Passage],
    kinds: &'a CorrectedKinds,
    /// The families of which the head is usually set aside.
    aside: HashedMap<PassageId, ()>,
    /// For each family, and for those in it that are not set aside if its head is, the passage that is listed.
    shown: HashedMap<(PassageId, bool), u32>,
}

impl<'a> ShownOfFamilies<'a> {
    fn new(passages: &'a [Passage], kinds: &'a CorrectedKinds, given: &[u32]) -> Self {
        let is_aside = |passage: &Passage| passage.kind_by(kinds).is_some_and(Kind::is_aside);
        let heads = passages.iter().filter(|passage| passage.is_head() && is_aside(passage));
        let aside = heads.map(|passage| (passage.id, ())).collect();
        let mut families = Self { passages, kinds, aside, shown: HashedMap::default() };
        let rank = |passage: &Passage| (!is_aside(passage), passage.is_head(), passage.worth);
        // The score is read from all copies, so it is asked for last.
        let tie = |passage: &Passage| (passage.score(), Reverse(passage.id));
        for &number in given {
            let part = families.part(number);
            let best = families.shown.entry(part).or_insert(number);
            if *best != number {
                let [own, other] = [number, *best].map(|number| &passages[number as usize]);
                if rank(own).cmp(&rank(other)).then_with(|| tie(own).cmp(&tie(other))).is_gt() {
                    *best = number;
                }
            }
        }
        families
    }

    /// The family of a passage, and whether it is one of those that its head cannot stand for.
    fn part(&self, number: u32) -> (PassageId, bool) {
        let passage = &self.passages[number as usize];
        let is_aside = passage.kind_by(self.kinds).is_some_and(Kind::is_aside);
        (passage.family, !is_aside && self.aside.contains_key(&passage.family))
    }

    /// Whether a given passage stands for its family.
    fn has(&self, number: u32) -> bool {
        self.shown.get(&self.part(number)) == Some(&number)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::passages::PassageCopy;
    use dupi_index::taboo::{AcceptedId, KeptTexts, KindEntry, KindList};
    use dupi_passage::unit::Unit;

    fn passage(id: u64, family: u64, kind: Option<Kind>, worth: u64) -> Passage {
        let copy = PassageCopy { source: 0, start: 0, end: 9, first: 0, tokens: 3, similarity: 1.0 };
        let (id, family) = (PassageId(id), PassageId(family));
        Passage {
            id,
            copies: vec![copy; 2],
            representative: 0,
            documents: 1,
            parent: None,
            unit: Unit::Passage,
            family,
            members: 0,
            kind,
            worth,
            lines: 0,
        }
    }

    fn as_judged() -> CorrectedKinds {
        CorrectedKinds::default()
    }

    fn kinds(kinds: &[Kind]) -> AsideRule {
        AsideRule { kinds: kinds.to_vec(), members: false }
    }

    #[test]
    fn kinds_that_are_set_aside_are_counted_and_not_listed() {
        let of = |id: u64, kind: Option<Kind>| passage(id, id, kind, 1);
        let found = [
            of(1, Some(Kind::Data)),
            of(2, Some(Kind::Code)),
            of(3, Some(Kind::Licence)),
            of(4, None),
            of(5, Some(Kind::Licence)),
        ];
        let split = AsideRule::default().split(&found, &as_judged(), [4, 3, 2, 1, 0]);
        assert_eq!(
            (&split.listed[..], &split.aside[..], split.members.len()),
            (&[3, 1][..], &[4, 2, 0][..], 0)
        );
        let sum =
            |kind, passages| AsideSummary { kind, passages, copies: 2 * passages, tokens: 6 * passages };
        assert_eq!(split.summaries(&found, &as_judged()), [sum(Kind::Licence, 2), sum(Kind::Data, 1)]);
        assert_eq!(kinds(&[]).split(&found, &as_judged(), 0..5).listed, [0, 1, 2, 3, 4]);
        assert_eq!(kinds(&[Kind::Code]).split(&found, &as_judged(), 0..5).listed, [0, 2, 3, 4]);
    }

    #[test]
    fn what_would_leave_the_list_empty_is_not_set_aside() {
        let found = [passage(1, 1, Some(Kind::Data), 1), passage(2, 2, Some(Kind::Markup), 1)];
        let split = AsideRule::default().split(&found, &as_judged(), 0..2);
        assert_eq!((&split.listed[..], split.aside.len()), (&[0, 1][..], 0));
        // This depends on the given passages alone.
        let with_code = [&found[..], &[passage(3, 3, Some(Kind::Code), 1)]].concat();
        assert_eq!(AsideRule::default().split(&with_code, &as_judged(), 0..3).listed, [2]);
        assert_eq!(AsideRule::default().split(&with_code, &as_judged(), 0..2).listed, [0, 1]);
        assert_eq!(AsideRule::default().split(&found, &as_judged(), []), SetAside::default());
    }

    #[test]
    fn a_family_is_listed_by_its_head_or_the_worthiest_that_is_given() {
        let code = Some(Kind::Code);
        let found =
            [passage(1, 3, code, 5), passage(2, 3, code, 7), passage(3, 3, code, 6), passage(4, 4, code, 1)];
        let split = AsideRule::default().split(&found, &as_judged(), 0..4);
        assert_eq!((&split.listed[..], &split.members[..]), (&[2, 3][..], &[0, 1][..]));
        let split = AsideRule::default().split(&found, &as_judged(), [0, 1, 3]);
        assert_eq!((&split.listed[..], &split.members[..]), (&[1, 3][..], &[0][..]));
        assert_eq!(
            AsideRule { members: true, ..AsideRule::default() }.split(&found, &as_judged(), 0..4).listed,
            [0, 1, 2, 3]
        );
    }

    #[test]
    fn a_corrected_kind_of_a_head_or_a_member_does_not_hide_the_others() {
        let code = Some(Kind::Code);
        let found = [
            passage(1, 1, code, 9),
            passage(2, 1, code, 5),
            passage(3, 1, code, 7),
            passage(4, 1, Some(Kind::Data), 8),
        ];
        let corrected = |of: &[(u64, Kind)]| {
            let entry = |&(id, kind): &(u64, Kind)| KindEntry {
                of: AcceptedId::Passage(id),
                kind,
                text: String::new(),
                texts: KeptTexts::default(),
                added: jiff::civil::date(2026, 1, 2),
            };
            CorrectedKinds::new(&of.iter().map(entry).collect::<KindList>())
        };
        let split = |found: &[Passage], of: &[(u64, Kind)]| {
            let parts = AsideRule::default().split(found, &corrected(of), 0..4);
            (parts.listed, parts.aside, parts.members)
        };
        assert_eq!(split(&found, &[]), (vec![0], vec![], vec![1, 2, 3]));
        assert_eq!(split(&found, &[(2, Kind::Licence)]), (vec![0], vec![], vec![1, 2, 3]), "a member");
        // The head is a licence: it is set aside with the table, and counted there; the code is not hidden with it.
        assert_eq!(split(&found, &[(1, Kind::Licence)]), (vec![2], vec![0], vec![1, 3]));
        assert_eq!(split(&found, &[(1, Kind::Licence), (3, Kind::Data)]), (vec![1], vec![0], vec![2, 3]));
        // The head is a table, and so are its members but one that is said to be code.
        let data: Vec<Passage> =
            found.iter().map(|passage| Passage { kind: Some(Kind::Data), ..passage.clone() }).collect();
        assert_eq!(split(&data, &[(2, Kind::Code)]), (vec![1], vec![0], vec![2, 3]));
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_fewer_kinds_hide_nothing(
            drawn in prop::collection::vec((0_usize..10, 0_u64..6, 0_u64..4), 1..24),
            more in prop::collection::vec(0_usize..9, 0..6),
            fewer in 0_usize..6,
            members: bool,
        ) {
            let kind = |number: usize| Kind::ALL.get(number).copied();
            let found: Vec<Passage> = (0..)
                .zip(&drawn)
                .map(|(id, (of, family, worth))| passage(id, *family, kind(*of), *worth))
                .collect();
            let more: Vec<Kind> = more.into_iter().filter_map(kind).collect();
            let fewer = &more[..fewer.min(more.len())];
            let split = |kinds: &[Kind]| {
                AsideRule { kinds: kinds.to_vec(), members }.split(&found, &as_judged(), 0..found.len() as u32)
            };
            let (hides, shows) = (split(&more), split(fewer));
            for parts in [&hides, &shows] {
                prop_assert!(!parts.listed.is_empty());
                let mut all = [&parts.listed[..], &parts.aside, &parts.members].concat();
                all.sort_unstable();
                prop_assert_eq!(all, (0..found.len() as u32).collect::<Vec<_>>());
                let counted: u64 = parts.summaries(&found, &as_judged()).iter().map(|sum| sum.passages).sum();
                prop_assert_eq!(counted, parts.aside.len() as u64);
            }
            let named = |number: &u32| found[*number as usize].kind.is_some_and(|kind| more.contains(&kind));
            // Otherwise it was not set aside because the list would have been empty.
            if !hides.listed.iter().any(named) {
                prop_assert!(hides.listed.iter().all(|number| shows.listed.contains(number)));
            }
            prop_assert_eq!(hides.members, shows.members);
        }
    }
}
