//! The worth of passages in small made texts, beside a naive count.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::super::passages::PassageId;
use super::*;
use dupi_passage::numbers::Numbers;
use dupi_passage::unit::Unit;

const MEMORY: u64 = 1 << 20;

/// A token that shares the place where it is counted with none of the first 65,000.
fn token(number: u64) -> u64 {
    number << 48 | number.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
}

fn tokens(numbers: impl IntoIterator<Item = u64>) -> Vec<u64> {
    numbers.into_iter().map(token).collect()
}

/// Some texts, each a stretch of a document of its own, of which some tokens are numbers.
pub(super) fn gathered(texts: &[Vec<u64>], numbers: &[u64]) -> Gathered {
    let mut gathered = Gathered::of_tokens(texts.iter().map(|text| (0, &text[..]))).unwrap();
    gathered.numbers = Numbers::from_tokens(numbers);
    gathered
}

/// Tokens of which no two are the same.
fn fresh(from: u64, count: u64) -> Vec<u64> {
    tokens(from..from + count)
}

fn run(place: usize, tokens: usize) -> TokenRun {
    TokenRun { place: place as u32, tokens: tokens as u32, similarity: 1.0 }
}

fn group(runs: Vec<TokenRun>) -> RunGroup {
    RunGroup { id: PassageId(0), runs, representative: 0, parent: None, unit: Unit::Passage }
}

/// Some copies of a passage, each behind a token of its own, and some other texts; what the passage is worth.
fn worth_of(passage: &[u64], copies: usize, others: &[Vec<u64>], numbers: &[u64]) -> u64 {
    let mut texts: Vec<Vec<u64>> =
        (0..copies as u64).map(|copy| [&[token(60_000 + copy)], passage].concat()).collect();
    texts.extend_from_slice(others);
    let gathered = gathered(&texts, numbers);
    let runs = (0..copies).map(|copy| run(copy * (passage.len() + 1) + 1, passage.len()));
    of(&gathered, &[group(runs.collect())], MEMORY)[0]
}

/// Texts in which some tokens follow each other in ever another order.
fn chatter(words: u64) -> Vec<Vec<u64>> {
    let step = |step: u64| tokens((0..words * 7).map(move |at| at * step % words + at / words % 2));
    (1..8).map(|number| step(number * 2 + 1)).collect()
}

#[test]
fn what_others_say_too_tells_less() {
    let others = chatter(40);
    let (own, common) = (fresh(500, 30), others[3][20..50].to_vec());
    let (of_own, of_common) = (worth_of(&own, 3, &others, &[]), worth_of(&common, 3, &others, &[]));
    assert!(of_own * 3 > of_common * 4, "{of_own} {of_common}");
}

#[test]
fn how_often_it_is_copied_makes_a_text_no_less_telling() {
    let others = chatter(40);
    let worth = |copies| worth_of(&fresh(500, 30), copies, &others, &[]);
    let one = worth(2) as f64;
    assert!(one > 100.0);
    assert!((worth(101) as f64 / one / 100.0 - 1.0).abs() < 0.1, "{} {one}", worth(101));
}

#[test]
fn what_says_the_same_again_and_again_tells_next_to_nothing() {
    let others = chatter(40);
    let table = tokens((0..300).map(|at| 500 + at % 3));
    let (of_table, of_text) = (worth_of(&table, 5, &others, &[]), worth_of(&fresh(600, 20), 5, &others, &[]));
    assert!(of_table < of_text, "{of_table} {of_text}");
    // A text of few letters has no token that is new, and yet tells something: two bits a letter of four.
    let mut state = 7_u64;
    let letters: Vec<u64> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        500 + (state >> 62)
    })
    .take(400)
    .collect();
    let of_letters = worth_of(&tokens(letters), 2, &others, &[]);
    assert!((500..1000).contains(&of_letters), "{of_letters}");
}

#[test]
fn the_values_of_numbers_do_not_count() {
    let others = chatter(40);
    let (words, constants) = (fresh(500, 60), fresh(700, 300));
    let of_constants = worth_of(&constants, 4, &others, &constants);
    assert!(of_constants * 10 < worth_of(&words, 4, &others, &constants), "{of_constants}");
    assert!(worth_of(&constants, 4, &others, &[]) > of_constants * 50, "they would");
}

#[test]
fn a_copy_counts_by_what_it_shares() {
    let (half, other) = (fresh(500, 30), fresh(600, 30));
    let first = [half.clone(), fresh(700, 30)].concat();
    let second = [half, other].concat();
    let gathered = gathered(&[first.clone(), first, second], &[]);
    let differing = TokenRun { similarity: 0.5, ..run(120, 60) };
    let of_runs = |runs| of(&gathered, &[group(runs)], MEMORY)[0] as f64;
    let (equal, alike) = (of_runs(vec![run(0, 60), run(60, 60)]), of_runs(vec![run(0, 60), differing]));
    assert!((alike / equal - 0.5).abs() < 0.1, "{alike} {equal}");
}

#[test]
fn what_overlaps_counts_once() {
    let gathered = gathered(&[fresh(500, 100), fresh(900, 100)], &[]);
    let of_runs = |runs| of(&gathered, &[group(runs)], MEMORY)[0];
    let apart = of_runs(vec![run(0, 20), run(30, 20), run(60, 20)]);
    let lapped = of_runs(vec![run(0, 20), run(10, 20), run(60, 20)]);
    assert!(lapped * 4 <= apart * 3 + 4, "{lapped} {apart}");
}

/// Some texts with passages in them: what each text is made of, by the numbers of the passages.
fn world() -> impl Strategy<Value = (Vec<Vec<u64>>, Vec<Vec<usize>>)> {
    let passages = prop::collection::vec(prop::collection::vec(0..60_u64, 5..30), 1..5);
    let texts = prop::collection::vec(prop::collection::vec(0..5_usize, 1..5), 2..7);
    (passages, texts)
}

/// The gathered texts, and the copies of each passage that has two or more.
fn gather(passages: &[Vec<u64>], texts: &[Vec<usize>]) -> (Gathered, Vec<RunGroup>) {
    let mut runs = vec![Vec::new(); passages.len()];
    let mut place = 0;
    let mut all = Vec::new();
    for (number, of) in texts.iter().enumerate() {
        let mut text = Vec::new();
        for (at, &passage) in of.iter().enumerate() {
            let passage = passage % passages.len();
            // What stands between is in no other text, whatever their order.
            let between = of.iter().fold(at as u64, |sum, &next| sum * 5 + next as u64);
            text.push(token(1000 + between));
            runs[passage].push(run(place + text.len(), passages[passage].len()));
            text.extend(passages[passage].iter().map(|&number| token(number)));
        }
        place += text.len();
        all.push(text);
        assert_eq!(all.len(), number + 1);
    }
    let groups = (0..).zip(runs).filter(|(_, runs)| runs.len() > 1);
    let group = |(id, runs)| RunGroup { id: PassageId(id), ..group(runs) };
    (gathered(&all, &[token(3), token(17)]), groups.map(group).collect())
}

fn worths(gathered: &Gathered, groups: &[RunGroup]) -> HashMap<PassageId, u64> {
    groups.iter().map(|group| group.id).zip(of(gathered, groups, MEMORY)).collect()
}

/// A token, or what stands for all numbers.
fn counted_as(gathered: &Gathered, token: u64) -> u64 {
    if gathered.numbers.has(token) { model::NUMBER } else { token }
}

/// The bits of a text by counting every context in a set, the copies too.
fn naive_bits(gathered: &Gathered, text: &[u64]) -> f64 {
    type Context = (Option<u64>, u64, u64);
    let mut contexts: HashSet<Context> = HashSet::new();
    for stretch in &gathered.stretches {
        let all: Vec<u64> =
            gathered.tokens(stretch).iter().map(|&token| counted_as(gathered, token)).collect();
        for at in 1..all.len() {
            contexts.insert((at.checked_sub(2).map(|before| all[before]), all[at - 1], all[at]));
        }
    }
    let pairs: HashSet<(u64, u64)> = contexts.iter().map(|&(_, first, second)| (first, second)).collect();
    let ends: HashSet<u64> = pairs.iter().map(|pair| pair.1).collect();
    let of = |is: &dyn Fn(&&Context) -> bool| contexts.iter().filter(is).count() as f64;
    let in_text = |token: u64| text.iter().filter(|&&other| other == token).count() as f64;
    let bits = |at: usize| {
        let second = text[at];
        let seen = text[..at].iter().filter(|&&token| token == second).count() as f64;
        let ended = pairs.iter().filter(|pair| pair.1 == second).count() as f64 - in_text(second);
        let anywhere = (ended.max(0.0) + 0.5) / (pairs.len() as f64 + 0.5 * (ends.len() as f64 + 1.0));
        let mut likely = anywhere;
        let mut from_text = seen / (at as f64 + 1.0);
        if let Some(before) = at.checked_sub(1) {
            let first = text[before];
            let count = |text: &[u64]| text.windows(2).filter(|two| **two == [first, second]).count() as f64;
            let seen_first = text[..before].iter().filter(|&&token| token == first).count() as f64;
            from_text = from_text.max(count(&text[..at]) / (seen_first + 1.0));
            let begun = (of(&|context| context.1 == first) - in_text(first)).max(0.0);
            let behind = pairs.iter().filter(|pair| pair.0 == first).count() as f64;
            let behind = (behind - in_text(first)).max(1.0);
            let pair = (of(&|context| (context.1, context.2) == (first, second)) - count(text)).max(0.0);
            if begun > 0.0 {
                likely = (pair.min(begun) + behind * anywhere) / (begun + behind);
            }
        }
        -likely.max(from_text).min(1.0).log2()
    };
    (0..text.len()).map(bits).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn worth_is_what_a_naive_count_comes_to((passages, texts) in world()) {
        let (gathered, groups) = gather(&passages, &texts);
        for (group, worth) in groups.iter().zip(of(&gathered, &groups, MEMORY)) {
            let text = gathered.tokens_of(&group.runs[0]).iter().map(|&token| counted_as(&gathered, token));
            let bits = naive_bits(&gathered, &text.collect::<Vec<_>>());
            let expected = bits * (group.runs.len() - 1) as f64;
            prop_assert!((expected - worth as f64).abs() <= 0.51, "{} {}", expected, worth);
        }
    }

    #[test]
    fn worth_depends_neither_on_the_order_of_texts_nor_on_memory_or_threads(
        (passages, texts) in world(),
        turn in 0..7_usize,
    ) {
        let (gathered, groups) = gather(&passages, &texts);
        let expected = worths(&gathered, &groups);
        let mut turned = texts.clone();
        turned.rotate_left(turn % texts.len());
        turned.reverse();
        let (other, of_other) = gather(&passages, &turned);
        prop_assert_eq!(&worths(&other, &of_other), &expected);
        prop_assert_eq!(of(&gathered, &groups, 64), of(&gathered, &groups, MEMORY));
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        prop_assert_eq!(one.install(|| worths(&gathered, &groups)), expected);
    }

    #[test]
    fn with_another_copy_it_is_worth_more((passages, texts) in world(), less in 1..5_usize) {
        let (gathered, groups) = gather(&passages, &texts);
        for group in &groups {
            let fewer = RunGroup { runs: group.runs[..group.runs.len().saturating_sub(less).max(1)].into(), ..group.clone() };
            let both = of(&gathered, &[group.clone(), fewer], MEMORY);
            prop_assert!(both[1] <= both[0], "{:?}", both);
        }
    }
}
