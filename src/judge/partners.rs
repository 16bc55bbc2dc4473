//! Orders documents so that each is next to its partner, the document with which it shares the most text.
//!
//! Documents that are connected by partners form a group. Groups are sorted by the most tokens that one of their
//! documents shares. Following partners from any document ends at two documents that are each other's partners; the
//! group begins with one of these. Each document is followed by the documents whose partner it is, the one that shares
//! the most first, and each of those by its own. So a pair is adjacent, as are all copies of one original.

use std::cmp::Reverse;

use super::shares::Share;

/// The indices of all documents in this order. Documents without a partner come last, by their duplicated tokens.
pub fn by_partner(shares: &[Share]) -> Vec<u32> {
    let of = |number: u32| &shares[number as usize];
    let partner = |number: u32| of(number).partner.map(|partner| partner.source);
    let shared = |number: u32| of(number).partner.map(|partner| partner.tokens);
    let rank = |number: u32| (Reverse(shared(number)), Reverse(of(number).duplicated), number);
    let mut ranked: Vec<u32> = (0..shares.len() as u32).collect();
    ranked.sort_unstable_by_key(|&number| rank(number));
    // Grouped by partner, and by rank within a group.
    let mut below = ranked.clone();
    below.sort_by_key(|&number| partner(number));
    let below = |number: u32| {
        let start = below.partition_point(|&other| partner(other) < Some(number));
        let end = below.partition_point(|&other| partner(other) <= Some(number));
        &below[start..end]
    };
    let mut order = Vec::with_capacity(shares.len());
    let (mut is_passed, mut is_placed) = (vec![false; shares.len()], vec![false; shares.len()]);
    for mut at in ranked {
        if is_placed[at as usize] {
            continue;
        }
        while let Some(next) = partner(at).filter(|_| !std::mem::replace(&mut is_passed[at as usize], true)) {
            at = next;
        }
        // Tokens that occur several times in one document can cause a cycle of more than two documents.
        let circle = std::iter::successors(Some(at), |&of| partner(of).filter(|&next| next != at));
        let mut open: Vec<u32> = circle.min_by_key(|&of| rank(of)).into_iter().collect();
        while let Some(next) = open.pop() {
            if !std::mem::replace(&mut is_placed[next as usize], true) {
                order.push(next);
                open.extend(below(next).iter().rev());
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::shares::Partner;
    use super::*;

    /// Documents by their partners and how many tokens they share with them.
    fn shares(partners: &[Option<(u32, u32)>]) -> Vec<Share> {
        let share = |of: &Option<(u32, u32)>| Share {
            duplicated: of.map_or(5, |(_, tokens)| tokens),
            copies: 1,
            partner: of.map(|(source, tokens)| Partner { source, tokens }),
        };
        partners.iter().map(share).collect()
    }

    #[test]
    fn each_document_stands_by_the_one_it_shares_most_with() {
        // Two pairs; a third copy of the second one, and a part of that copy; one that only repeats itself.
        let found = shares(&[
            Some((4, 30)),
            Some((3, 90)),
            None,
            Some((1, 90)),
            Some((0, 30)),
            Some((3, 80)),
            Some((5, 20)),
            Some((3, 85)),
        ]);
        assert_eq!(by_partner(&found), [1, 3, 7, 5, 6, 0, 4, 2]);
    }

    #[test]
    fn a_circle_of_partners_begins_with_the_one_that_shares_most() {
        let found =
            shares(&[Some((1, 10)), Some((2, 11)), Some((0, 12)), Some((0, 50)), Some((5, 20)), None]);
        assert_eq!(by_partner(&found), [2, 1, 0, 3, 5, 4]);
        assert!(by_partner(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn whoever_follows_partners_is_within_one_group(
            partners in prop::collection::vec(prop::option::of((0..12_u32, 1..9_u32)), 0..12),
        ) {
            let count = partners.len() as u32;
            let is_other = |(number, of): (u32, &Option<(u32, u32)>)| of.filter(|of| of.0 < count && of.0 != number);
            let partners: Vec<Option<(u32, u32)>> = (0..).zip(&partners).map(is_other).collect();
            let order = by_partner(&shares(&partners));
            prop_assert_eq!(order.iter().collect::<BTreeSet<_>>().len(), partners.len());
            let place = |of: u32| order.iter().position(|&number| number == of).unwrap();
            for (number, partner) in (0..count).zip(&partners) {
                let Some((partner, _)) = *partner else { continue };
                let between = place(number).min(place(partner))..place(number).max(place(partner));
                let leads_to = |mut at: u32, end: u32| {
                    for _ in 0..=count {
                        if at == end {
                            return true;
                        }
                        at = partners[at as usize].map_or(at, |(next, _)| next);
                    }
                    false
                };
                for &stands_between in &order[between] {
                    prop_assert!(leads_to(stands_between, partner), "{partners:?} {order:?}");
                }
            }
        }
    }
}
