//! How many whole lines could be deleted if one copy of a passage were kept, against a naive count in the texts.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use crate::naive::indexed;
use dupi::index::snapshot::Snapshot;
use dupi::judge::PassageOrder;
use dupi::judge::location::locate;
use dupi::judge::search::{Passages, SearchSettings};
use dupi::passage::Measure;
use proptest::prelude::*;

/// Documents of shared pieces of words. Words are separated by blanks and line breaks.
fn documents() -> impl Strategy<Value = BTreeMap<String, String>> {
    let piece = (0..4_usize, 5..40_usize, 0..60_usize);
    let document = (prop::collection::vec(piece, 0..6), 2..9_usize);
    prop::collection::btree_map("[a-e]", document, 2..5).prop_map(|plans| {
        let text = |(pieces, width): (Vec<(usize, usize, usize)>, usize)| -> String {
            let words = pieces.into_iter().flat_map(|(kind, count, first)| {
                (first..first + count).map(move |at| match kind {
                    0 => format!("same{}", at % 3),
                    1 => format!("own{}", at * 7919 % 1000),
                    _ => format!("kind{kind}word{at}"),
                })
            });
            let separated = words.enumerate().map(|(at, word)| {
                let behind = ["\n", "\n\n -", " "][if at % width == 0 { at / width % 2 } else { 2 }];
                format!("{word}{behind}")
            });
            separated.collect()
        };
        plans.into_iter().map(|(name, plan)| (format!("{name}.txt"), text(plan))).collect()
    })
}

fn find(snapshot: &Snapshot, gap: u32) -> Passages {
    let measure = Measure { least: 12, gap, ..Measure::default() };
    let settings = SearchSettings { measure, ..SearchSettings::default() };
    Passages::find(snapshot, &settings, PassageOrder::Lines, &|_| Ok(())).unwrap()
}

/// How many lines of a text have letters or digits, and all of them in a range of bytes.
fn lines_in(text: &str, start: usize, end: usize) -> u64 {
    let mut at = 0;
    let is_inside = |line: &str| {
        let first = line.find(char::is_alphanumeric).map(|first| at + first);
        let last = line.rfind(char::is_alphanumeric).map(|last| at + last);
        at += line.len();
        first.zip(last).is_some_and(|(first, last)| start <= first && last < end)
    };
    text.split_inclusive('\n').map(is_inside).filter(|&is_inside| is_inside).count() as u64
}

/// The lines of some ranges of one text; ranges that overlap are one.
fn lines_of(text: &str, mut spans: Vec<(usize, usize)>) -> u64 {
    spans.sort_unstable();
    let mut united: Vec<(usize, usize)> = Vec::new();
    for (start, end) in spans {
        match united.last_mut() {
            Some(last) if start < last.1 => last.1 = last.1.max(end),
            _ => united.push((start, end)),
        }
    }
    united.into_iter().map(|(start, end)| lines_in(text, start, end)).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn deletable_lines_are_those_of_all_copies_but_one(documents in documents(), gap in prop_oneof![Just(0), Just(8_u32)]) {
        let (folder, snapshot) = indexed(&documents, |usual| usual);
        let passages = find(&snapshot, gap);
        let all: Vec<_> = passages.found.iter().collect();
        let read = |path: &Path| fs::read_to_string(folder.path().join("corpus").join(path)).unwrap();
        for (passage, located) in all.iter().zip(locate(&snapshot, &passages.sources, &all, None)) {
            let mut spans: HashMap<&Path, Vec<(usize, usize)>> = HashMap::new();
            let span = |number: usize| {
                let at = &located.copies[number].occurrence;
                (&*at.path, (at.span.start as usize, at.span.end as usize))
            };
            for number in 0..located.copies.len() {
                spans.entry(span(number).0).or_default().push(span(number).1);
            }
            let sum: u64 = spans.into_iter().map(|(path, spans)| lines_of(&read(path), spans)).sum();
            let (path, (start, end)) = span(passage.representative as usize);
            prop_assert_eq!(passage.lines, sum - lines_in(&read(path), start, end));
        }
        prop_assert!(passages.found.is_sorted_by(|a, b| a.lines >= b.lines));
    }
}
