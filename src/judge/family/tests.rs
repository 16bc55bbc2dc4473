use proptest::prelude::*;

use super::*;
use dupi_passage::unit::{Tree, Unit};

/// A passage with copies at these places: document, first byte, one past the last byte.
fn passage(id: u64, places: &[(u32, u32, u32)]) -> Passage {
    let copy = |&(source, start, end): &(u32, u32, u32)| PassageCopy {
        source,
        start,
        end,
        first: start,
        tokens: end - start,
        similarity: 1.0,
    };
    let mut copies: Vec<PassageCopy> = places.iter().map(copy).collect();
    copies.sort_by_key(|spot| (spot.source, spot.start, spot.end));
    Passage {
        id: PassageId(id),
        copies,
        representative: 0,
        documents: 1,
        parent: None,
        unit: Unit::Passage,
        family: PassageId(id),
        members: 0,
        kind: None,
        worth: 0,
        lines: 0,
    }
}

fn heads(passages: &[Passage]) -> Vec<u32> {
    let order: Vec<u32> = (0..passages.len() as u32).collect();
    families(passages, &order, &[1000; 8], &TreePlaces::new())
}

#[test]
fn a_passage_within_another_is_a_member_whatever_its_number_of_copies() {
    let whole = passage(1, &[(0, 0, 100), (1, 0, 100), (2, 0, 100)]);
    let part = passage(2, &[(0, 20, 60), (1, 20, 60), (2, 20, 60), (3, 0, 40)]);
    assert_eq!(heads(&[whole, part]), [0, 0]);
}

#[test]
fn a_passage_that_mostly_stands_elsewhere_is_a_row_of_its_own() {
    let whole = passage(1, &[(0, 0, 100), (1, 0, 100)]);
    let part = passage(2, &[(0, 20, 60), (1, 20, 60), (2, 0, 40), (3, 0, 40)]);
    assert_eq!(heads(&[whole, part]), [0, 1]);
}

#[test]
fn passages_side_by_side_in_the_same_documents_are_one_family() {
    let first = passage(1, &[(0, 0, 100), (1, 0, 100), (2, 0, 100)]);
    let second = passage(2, &[(0, 110, 200), (1, 120, 200), (2, 300, 400)]);
    let third = passage(3, &[(0, 210, 300), (1, 210, 300)]);
    assert_eq!(heads(&[first, second, third]), [0, 0, 0]);
}

#[test]
fn neighbours_with_other_copies_are_not_a_family() {
    let common = passage(1, &[(0, 0, 100), (1, 0, 100), (2, 0, 100), (3, 0, 100), (4, 0, 100)]);
    let rare = passage(2, &[(0, 100, 200), (1, 100, 200)]);
    assert_eq!(heads(&[common, rare]), [0, 1]);
}

#[test]
fn members_join_the_family_that_covers_most_of_them() {
    let first = passage(1, &[(0, 0, 30), (1, 0, 30)]);
    let second = passage(2, &[(0, 230, 300), (1, 230, 300)]);
    let over = passage(3, &[(0, 200, 300), (1, 200, 300)]);
    assert_eq!(heads(&[first, second, over]), [0, 1, 1]);
}

/// Identical documents of 100 bytes.
fn documents(id: u64, sources: &[u32]) -> Passage {
    let places: Vec<(u32, u32, u32)> = sources.iter().map(|&source| (source, 0, 100)).collect();
    Passage { unit: Unit::Document, ..passage(id, &places) }
}

#[test]
fn what_stands_only_within_identical_documents_is_in_their_family_whatever_it_is_worth() {
    let often = passage(1, &[(0, 0, 10), (0, 20, 30), (1, 0, 10), (1, 20, 30)]);
    let elsewhere = passage(2, &[(0, 40, 60), (1, 40, 60), (4, 0, 20), (5, 0, 20)]);
    let of_others = passage(3, &[(0, 70, 90), (1, 70, 90), (2, 0, 20), (3, 0, 20)]);
    let all = [often, elsewhere, of_others, documents(4, &[0, 1]), documents(5, &[2, 3])];
    assert_eq!(heads(&all), [3, 1, 2, 3, 4]);
}

#[test]
fn nothing_is_hidden_in_documents_that_are_set_aside_unless_it_is_set_aside_itself() {
    let of = |kind, passage: Passage| Passage { kind: Some(kind), ..passage };
    let places = [(0, 0, 40), (1, 0, 40)];
    let table = of(Kind::Data, documents(1, &[0, 1]));
    let all = [of(Kind::Code, passage(2, &places)), of(Kind::Licence, passage(3, &places)), table];
    assert_eq!(Rows::new(&all, 8, &TreePlaces::new()).holders(), [None, Some(2), None]);
}

#[test]
fn what_stands_mostly_in_identical_folders_is_in_their_family_at_whatever_place() {
    let folder = PassageId(9);
    let tree = Tree { documents: 2, tokens: 200, depth: 1 };
    let shown = Passage { unit: Unit::Folder(tree), ..passage(9, &[(0, 0, 100), (2, 0, 100)]) };
    // The trees are 0, 1 and 2, 3.
    let places = TreePlaces::from([0, 1, 2, 3].map(|source| (source, vec![folder])));
    let across = passage(2, &[(0, 0, 40), (1, 0, 40), (2, 0, 40), (3, 0, 40)]);
    let within = passage(3, &[(0, 50, 90), (2, 50, 90)]);
    let mostly = passage(4, &[(1, 50, 90), (3, 50, 90), (4, 0, 40)]);
    let elsewhere = passage(6, &[(1, 0, 20), (3, 0, 20), (4, 50, 70), (5, 0, 20)]);
    let all = [across, within, mostly, elsewhere, documents(5, &[0, 2]), documents(7, &[1, 3]), shown];
    let order: Vec<u32> = (0..7).collect();
    assert_eq!(families(&all, &order, &[1000; 8], &places), [6, 6, 6, 3, 6, 6, 6]);
    // They are mostly covered by passages before them.
    let often = passage(
        8,
        &[
            (0, 0, 100),
            (2, 0, 100),
            (1, 0, 60),
            (3, 0, 60),
            (4, 0, 100),
            (5, 0, 100),
            (6, 0, 100),
            (7, 0, 100),
        ],
    );
    let all = [often, documents(5, &[0, 2]), documents(7, &[1, 3]), all[6].clone()];
    assert_eq!(families(&all, &[0, 3, 1, 2], &[1000; 8], &places), [0, 0, 0, 0]);
}

#[test]
fn documents_hold_a_passage_of_which_they_are_the_larger_part() {
    let files = |worth| Passage { worth, ..documents(1, &[0, 1, 2]) };
    let near = |others: u32| {
        let places: Vec<(u32, u32, u32)> = (0..3 + others).map(|source| (source, 0, 100)).collect();
        Passage { worth: 10 * u64::from(2 + others), ..passage(2, &places) }
    };
    let families_of = |others| {
        let mut found = [files(20), near(others)];
        name_families(&mut found, &[1000; 8], &TreePlaces::new());
        found.map(|passage| passage.family.0)
    };
    assert_eq!(families_of(1), [1, 1]);
    assert_eq!(families_of(2), [1, 1]);
    assert_eq!(families_of(3), [2, 2]);
}

#[test]
fn what_two_documents_share_is_one_family_when_one_lies_in_the_other() {
    let first = passage(1, &[(0, 0, 400), (1, 1000, 1400)]);
    let far = passage(2, &[(0, 700, 1000), (1, 5000, 5300)]);
    let twice = passage(3, &[(0, 450, 490), (0, 1100, 1140)]);
    let elsewhere = passage(4, &[(0, 500, 650), (1, 3000, 3150), (2, 0, 150)]);
    let all = [first, far, twice, elsewhere];
    let heads = |tokens: u32| {
        let tokens = [tokens, 10_000, 10_000, 1000, 1000, 1000, 1000, 1000];
        families(&all, &[0, 1, 2, 3], &tokens, &TreePlaces::new())
    };
    assert_eq!(heads(1200), [0, 0, 2, 3]);
    // More than a third of it stands elsewhere.
    assert_eq!(heads(1400), [0, 1, 2, 3]);
}

#[test]
fn sources_are_one_family_with_the_bundle_they_lie_in() {
    let all = [
        passage(1, &[(0, 0, 400), (3, 0, 400)]),
        passage(2, &[(1, 0, 400), (3, 1000, 1400)]),
        passage(3, &[(2, 0, 100), (3, 2000, 2100)]),
        passage(4, &[(0, 500, 540), (1, 500, 540)]),
    ];
    let tokens = [500, 500, 500, 4000, 0, 0, 0, 0];
    assert_eq!(families(&all, &[0, 1, 2, 3], &tokens, &TreePlaces::new()), [0, 0, 2, 0]);
}

#[test]
fn what_a_document_says_again_and_again_is_one_family() {
    let again = |from: u32, step: u32, copies: u32| -> Vec<(u32, u32, u32)> {
        (0..copies).map(|copy| (0, from + copy * step, from + copy * step + 30)).collect()
    };
    let rows = passage(1, &again(0, 500, 60));
    let others = passage(2, &[again(30_200, 500, 40), vec![(1, 0, 30), (2, 0, 30)]].concat());
    let few = passage(3, &again(60_300, 500, 20));
    let all = [rows, others, few];
    let heads = |tokens: u32| families(&all, &[0, 1, 2], &[tokens; 8], &TreePlaces::new());
    assert_eq!(heads(5000), [0, 0, 2]);
    assert_eq!(heads(6001), [0, 1, 2]);
}

/// For each byte of each document the family that covers it, filled passage by passage.
fn naive(passages: &[Passage]) -> Vec<Option<u64>> {
    let mut owner = vec![vec![None; 300]; 8];
    let heads = heads(passages);
    let mut shares = Vec::new();
    for (number, passage) in passages.iter().enumerate() {
        let mut own = std::collections::BTreeSet::new();
        for spot in &passage.copies {
            own.extend((spot.start..spot.end).map(|at| (spot.source as usize, at as usize)));
        }
        let covered = own.iter().filter(|&&(source, at)| owner[source][at].is_some()).count();
        let is_covered = covered * 2 > own.len();
        // A passage that is mostly covered is a member of a family that covers a byte of it.
        let holders: Vec<u32> = own.iter().filter_map(|&(source, at)| owner[source][at]).collect();
        if is_covered {
            let most = holders.iter().map(|head| holders.iter().filter(|other| *other == head).count()).max();
            let chosen = holders.iter().filter(|head| **head == heads[number]).count();
            assert_eq!(Some(chosen), most);
        }
        shares.push((heads[number] == number as u32).then_some((own.len() - covered) as u64));
        for (source, at) in own {
            owner[source][at].get_or_insert(heads[number]);
        }
    }
    shares
}

/// Passages with copies in four documents.
fn passages() -> impl Strategy<Value = Vec<Passage>> {
    let place =
        (0_u32..4, 0_u32..200, 1_u32..80).prop_map(|(source, start, len)| (source, start, start + len));
    prop::collection::vec(prop::collection::vec(place, 2..6), 1..12)
        .prop_map(|all| (1..).zip(all).map(|(id, places)| passage(id, &places)).collect())
}

#[test]
fn a_head_counts_the_other_members_of_its_family() {
    let whole = passage(1, &[(0, 0, 100), (1, 0, 100), (2, 0, 100)]);
    let parts = [(2, 0), (3, 50)]
        .map(|(id, at)| passage(id, &[(0, at, at + 40), (1, at, at + 40), (2, at, at + 40)]));
    let [first, second] = parts;
    let mut found = [first, second, Passage { worth: 9, ..whole }, passage(4, &[(5, 0, 40), (6, 0, 40)])];
    name_families(&mut found, &[1000; 8], &TreePlaces::new());
    assert_eq!(
        found.each_ref().map(|passage| (passage.family.0, passage.members)),
        [(1, 0), (1, 0), (1, 2), (4, 0)]
    );
}

proptest! {
    #[test]
    fn at_least_half_of_a_head_is_in_no_family_before_it(
        passages in passages(),
    ) {
        for (passage, new) in passages.iter().zip(naive(&passages)) {
            let own: u64 = distinct(&passage.copies).map(|spot| u64::from(spot.end - spot.start)).sum();
            if let Some(new) = new {
                prop_assert!(new * 2 >= own, "{} of {} bytes are new", new, own);
            }
        }
    }

    #[test]
    fn heads_are_heads_of_themselves(
        passages in passages(),
        turn in 0_usize..12,
    ) {
        let mut order: Vec<u32> = (0..passages.len() as u32).collect();
        order.rotate_left(turn % passages.len());
        let heads = families(&passages, &order, &[1000; 8], &TreePlaces::new());
        prop_assert!(heads.iter().all(|&head| heads[head as usize] == head));
    }
}

#[test]
fn sums_are_taken_once() {
    let mut sums = Sums::new(9);
    for _ in 0..2 {
        [(3, 1), (8, 7), (3, 4)].into_iter().for_each(|(number, more)| sums.add(number, more));
        let mut taken: Vec<_> = sums.take().collect();
        taken.sort_unstable();
        assert_eq!(taken, [(3, 5), (8, 7)]);
        assert_eq!(sums.take().count(), 0);
    }
}
