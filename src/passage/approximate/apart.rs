//! Sets the copies of a row apart: no token is in two of them. It is the only place that ensures it.
//!
//! Ends of neighbouring copies may overlap by a few tokens, and in periodic text copies are found at each period. Of two
//! copies that overlap by more than a fifth of one of them the more similar one stays, of equally similar ones the first.
//! A smaller overlap is cut off the other one. The representative always stays as it is.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::super::group::RunGroup;
use super::super::measure::Measure;
use crate::measure::TokenRun;

/// A copy is cut by less than 1 / this of its tokens, or else dropped.
const CUT: u32 = 5;

/// Sets the copies of a group apart. What is cut must still hold to the measure. May leave the representative alone.
pub fn set_apart(group: &mut RunGroup, measure: &Measure) {
    group.runs.sort_by_key(|run| (run.place, run.tokens));
    if group.runs.is_sorted_by(|a, b| a.end() <= b.place) {
        return;
    }
    let representative = group.runs[group.representative as usize];
    let mut order: Vec<usize> = (0..group.runs.len()).collect();
    let similarity = |run: &TokenRun| (run.similarity * 1e6) as u32;
    order.sort_by_key(|&number| {
        let run = &group.runs[number];
        (number != group.representative as usize, Reverse(similarity(run)), run.place, Reverse(run.tokens))
    });
    let mut kept: BTreeMap<u32, TokenRun> = BTreeMap::new();
    for number in order {
        let run = group.runs[number];
        let before = kept.range(..=run.place).next_back().map_or(run.place, |(_, before)| before.end());
        let start = before.max(run.place);
        let behind = kept.range(run.place + 1..).next().map_or(run.end(), |(&behind, _)| behind);
        let end = behind.min(run.end());
        if let Some(run) = cut(&run, start, end, &representative, measure) {
            kept.insert(run.place, run);
        }
    }
    group.representative = kept.range(..representative.place).count() as u32;
    group.runs = kept.into_values().collect();
}

/// A copy from `start` to `end`, if it is still one. Of the tokens that are cut off, all may have agreed.
fn cut(
    run: &TokenRun,
    start: u32,
    end: u32,
    representative: &TokenRun,
    measure: &Measure,
) -> Option<TokenRun> {
    if (start, end) == (run.place, run.end()) {
        return Some(*run);
    }
    let tokens = end.checked_sub(start).filter(|&tokens| tokens >= measure.least)?;
    let lost = run.tokens - tokens;
    if lost * CUT >= run.tokens {
        return None;
    }
    let matches =
        run.similarity * measure.compared_len([representative.tokens, run.tokens]) as f32 - lost as f32;
    let similarity = matches / measure.compared_len([representative.tokens, tokens]) as f32;
    (similarity >= measure.overlap).then_some(TokenRun { place: start, tokens, similarity })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::unit::Unit;
    use super::*;
    use crate::group::PassageId;

    const MEASURE: Measure = Measure { least: 10, overlap: 0.6, one_sided: false, gap: 8 };

    fn apart(runs: &[(u32, u32, f32)], representative: u32) -> (Vec<(u32, u32)>, u32) {
        let run = |&(place, tokens, similarity): &(u32, u32, f32)| TokenRun { place, tokens, similarity };
        let runs = runs.iter().map(run).collect();
        let mut group =
            RunGroup { id: PassageId(0), runs, representative, parent: None, unit: Unit::Passage };
        set_apart(&mut group, &MEASURE);
        (group.runs.iter().map(|run| (run.place, run.tokens)).collect(), group.representative)
    }

    #[test]
    fn one_span_is_one_copy() {
        assert_eq!(apart(&[(0, 20, 1.0), (50, 20, 0.8), (50, 20, 0.8)], 0).0, [(0, 20), (50, 20)]);
    }

    #[test]
    fn of_copies_that_overlap_the_more_similar_stays_and_the_representative_always() {
        assert_eq!(apart(&[(0, 20, 0.9), (10, 20, 0.95), (80, 20, 1.0)], 2), (vec![(10, 20), (80, 20)], 1));
        assert_eq!(apart(&[(0, 20, 1.0), (10, 20, 1.0), (20, 20, 1.0)], 1), (vec![(10, 20)], 0));
        assert_eq!(apart(&[(0, 20, 1.0), (10, 20, 1.0), (20, 20, 1.0)], 0), (vec![(0, 20), (20, 20)], 0));
    }

    #[test]
    fn ends_are_cut() {
        assert_eq!(apart(&[(0, 20, 1.0), (18, 20, 0.9), (37, 20, 0.8)], 0).0, [(0, 20), (20, 18), (38, 19)]);
        assert_eq!(apart(&[(0, 20, 1.0), (18, 20, 0.65)], 0).0, [(0, 20)], "no longer similar enough");
    }

    proptest! {
        #[test]
        fn no_token_is_in_two_copies(
            runs in prop::collection::vec((0..200_u32, 10..40_u32, 0.6..1.0_f32), 1..30), number: prop::sample::Index,
        ) {
            let mut runs = runs;
            runs.sort_by_key(|run| (run.0, run.1));
            let number = number.index(runs.len());
            runs[number].2 = 1.0;
            let own = runs[number];
            let (kept, representative) = apart(&runs, number as u32);
            prop_assert!(kept.is_sorted_by(|a, b| a.0 + a.1 <= b.0));
            prop_assert_eq!(kept[representative as usize], (own.0, own.1));
            prop_assert!(kept.iter().all(|&(_, tokens)| tokens >= 10));
        }
    }
}
