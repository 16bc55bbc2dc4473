//! Crowds after a change are those that are found anew.

use proptest::prelude::*;

use super::candidates::{crowded, crowded_of_added};
use crate::minhash::CROWD;
use dupi_text::sketch::{HASHES, Sketch};

/// A sketch whose first band has one of few keys, and the others keys of their own.
fn sketch((number, kind): (u32, u8)) -> Option<Sketch> {
    let mut signature = [0; HASHES];
    for (at, hash) in signature.iter_mut().enumerate().skip(3) {
        *hash = (number.wrapping_mul(2_654_435_761) >> (at % 4 * 8)) as u8 ^ at as u8;
    }
    signature[..3].fill(kind);
    (kind < 5).then(|| Sketch {
        bag: (u128::from(number) << 8 | u128::from(kind)) + 1,
        fingerprint: 0,
        signature,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn crowds_after_a_change_are_those_that_are_found_anew(
        sizes in prop::collection::vec(CROWD - 3..CROWD + 4, 2),
        leaving in 0..4_usize,
        coming in prop::collection::vec((0..8_u32, 0..6_u8), 0..4),
    ) {
        let of = |kind: usize, size: usize| (0..size as u32).map(move |at| (at * 8 + kind as u32 + 100, kind as u8));
        let all: Vec<(u32, u8)> = sizes.iter().enumerate().flat_map(|(kind, &size)| of(kind, size)).collect();
        let former: Vec<_> = all.iter().copied().map(sketch).collect();
        let added: Vec<_> = coming.iter().copied().map(sketch).collect();
        let now: Vec<_> = former[leaving..].iter().chain(&added).copied().collect();
        let (before, after) = (crowded(&former, 0.5), crowded(&now, 0.5));
        let stayed = now.len() - added.len();
        match crowded_of_added(&former, &now, &added, &former[..leaving], 0.5) {
            Some(of_added) => {
                prop_assert_eq!(&of_added, &after[stayed..]);
                prop_assert_eq!(&before[leaving..], &after[..stayed]);
            }
            None => prop_assert_ne!(&before[leaving..], &after[..stayed]),
        }
    }
}
