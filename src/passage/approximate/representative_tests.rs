//! The nearest copy against a naive medoid, and what is said of the copies against naive alignments.

use std::collections::{BTreeSet, HashMap};

use proptest::prelude::*;

use super::super::super::align::matched_within;
use super::*;

/// A corpus whose documents are these texts, and the group of them with the first as representative.
fn group_of(texts: &[Vec<u64>]) -> (Gathered, RunGroup) {
    let gathered = Gathered::of_texts(texts, &[]);
    let run = |(number, stretch): (usize, &super::super::super::gather::TokenStretch)| TokenRun {
        place: stretch.base,
        tokens: stretch.len,
        similarity: alike(&texts[0], &texts[number]),
    };
    let runs = gathered.stretches.iter().enumerate().map(run).collect();
    let group = RunGroup::new(&gathered, runs, 0);
    (gathered, group)
}

fn alike(a: &[u64], b: &[u64]) -> f32 {
    matched_within(a, b, 1 << 24).len() as f32 / a.len().max(b.len()) as f32
}

fn measure() -> Measure {
    Measure { least: 8, overlap: 0.6, one_sided: false, gap: 8 }
}

/// The representative, the similarities to it, and the places of the copies that are left to the first.
fn chosen(texts: &[Vec<u64>]) -> (u32, Vec<f32>, Vec<u32>) {
    let (gathered, group) = group_of(texts);
    let (similar, others) = choose(&gathered, group);
    let others = others.map_or(Vec::new(), |others| others.runs);
    (
        similar.runs[similar.representative as usize].place,
        similar.runs.iter().map(|run| run.similarity).collect(),
        others.iter().map(|run| run.place).collect(),
    )
}

fn choose(gathered: &Gathered, group: RunGroup) -> (RunGroup, Option<RunGroup>) {
    let weights = Weights::equal();
    Chooser { gathered, weights: &weights, measure: measure(), least: 10 }
        .chosen(&mut PairCounts::default(), group)
}

fn text(tokens: std::ops::Range<u64>, changed: &[usize]) -> Vec<u64> {
    let first = tokens.start;
    let mut text: Vec<u64> = tokens.collect();
    changed.iter().for_each(|&at| text[at] = 1000 + first + at as u64);
    text
}

#[test]
fn an_outlier_that_is_first_gives_way_to_what_the_others_are() {
    // A header of 15 tokens stands over the first copy only.
    let table = text(100..130, &[]);
    let header = [text(500..515, &[]), table.clone()].concat();
    let texts = [header, text(100..130, &[3]), table.clone(), table, text(100..130, &[20])];
    let (representative, similarities, others) = chosen(&texts);
    assert_eq!(representative, 45 + 30);
    assert_eq!(similarities, [30.0 / 45.0, 29.0 / 30.0, 1.0, 1.0, 29.0 / 30.0]);
    assert!(others.is_empty());
}

#[test]
fn a_copy_that_is_unlike_the_nearest_stays_with_the_first() {
    // The last copy has the other half of the first.
    let first = text(100..150, &[]);
    let near = [text(100..136, &[]), text(700..706, &[])].concat();
    let own = |at: usize| {
        let mut near = near.clone();
        near[at] = 9;
        near
    };
    let texts = [first, own(1), near.clone(), own(9), own(20), text(118..150, &[])];
    let (representative, similarities, others) = chosen(&texts);
    assert_eq!((representative, similarities.len()), (50 + 42, 5));
    assert_eq!(others, [0, 50 + 4 * 42]);
}

#[test]
fn of_two_copies_and_of_equally_near_ones_the_first_stays() {
    let (one, other) = (text(100..130, &[]), text(100..130, &[4]));
    assert_eq!(chosen(&[one.clone(), other.clone()]).0, 0);
    assert_eq!(chosen(&[one.clone(), other.clone(), one.clone(), other.clone()]).0, 0);
    assert_eq!(chosen(&[one, text(100..130, &[9]), other]).0, 0);
}

#[test]
fn a_copy_that_is_too_short_is_no_representative() {
    let (long, short) = (text(100..112, &[]), text(101..110, &[]));
    assert_eq!(chosen(&[long, short.clone(), short.clone(), short]).0, 0);
}

/// The pairs of a text, numbered where they come again.
fn pairs(text: &[u64]) -> BTreeSet<(u64, u64, u32)> {
    let mut seen: HashMap<(u64, u64), u32> = HashMap::new();
    let numbered = text.windows(2).map(|pair| {
        let times = seen.entry((pair[0], pair[1])).or_default();
        *times += 1;
        (pair[0], pair[1], *times)
    });
    numbered.collect()
}

/// The first of the texts with the smallest sum of distances to all.
fn naive_medoid(texts: &[Vec<u64>]) -> usize {
    let sum = |one: &Vec<u64>| -> usize {
        texts.iter().map(|other| pairs(one).symmetric_difference(&pairs(other)).count()).sum()
    };
    (0..texts.len()).min_by_key(|&number| sum(&texts[number])).unwrap()
}

/// Copies of one text with some tokens replaced, some removed, and some before it.
fn copies() -> impl Strategy<Value = Vec<Vec<u64>>> {
    let edits = prop::collection::vec((0..40_usize, 0..3_u64), 0..5);
    let copy = (edits, prop_oneof![3 => Just(0), 1 => 1..12_u64]);
    (1..50_u64, prop::collection::vec(copy, 3..12)).prop_map(|(period, plans)| {
        let copy = |(edits, before): (Vec<(usize, u64)>, u64)| {
            let mut text: Vec<u64> = (0..40).map(|at| at % period).collect();
            for (at, token) in edits {
                match token {
                    0 if at < text.len() => drop(text.remove(at)),
                    _ if at < text.len() => text[at] = 100 + token,
                    _ => {}
                }
            }
            [(200..200 + before).collect(), text].concat()
        };
        plans.into_iter().map(copy).collect()
    })
}

proptest! {
    #[test]
    fn the_nearest_is_the_naive_medoid(texts in copies()) {
        let (gathered, group) = group_of(&texts);
        let weights = Weights::equal();
        let chooser = Chooser { gathered: &gathered, weights: &weights, measure: measure(), least: 10 };
        let (of, of_run) = chooser.texts(&group, |run| run.similarity >= 1.0 && run.tokens == group.runs[0].tokens);
        let nearest = chooser.nearest(&mut PairCounts::default(), &group, &of, 0).unwrap();
        prop_assert_eq!(of[nearest].first, naive_medoid(&texts));
        prop_assert!(of_run.iter().enumerate().all(|(run, &text)| texts[run] == texts[of[text].first]));
    }

    #[test]
    fn all_copies_stay_and_are_altogether_more_similar(texts in copies()) {
        let (gathered, group) = group_of(&texts);
        let (similar, others) = choose(&gathered, group.clone());
        let tokens = |run: &TokenRun| gathered.tokens_of(run);
        let representative = similar.runs[similar.representative as usize];
        for run in &similar.runs {
            let truly = alike(tokens(&representative), tokens(run));
            prop_assert!(run.similarity <= truly + 1e-6);
            prop_assert!(similar == group || run.similarity >= 0.5, "{}", run.similarity);
        }
        let sum = |group: &RunGroup| group.runs.iter().map(|run| f64::from(run.similarity)).sum::<f64>();
        prop_assert!(sum(&similar) >= sum(&group));
        let places: BTreeSet<u32> =
            similar.runs.iter().chain(others.iter().flat_map(|others| &others.runs)).map(|run| run.place).collect();
        prop_assert_eq!(places.len(), group.runs.len());
    }
}
