//! The search around a change and `passages` agree: what one finds in a document, the other finds too.

use std::collections::BTreeSet;

use crate::naive::indexed;
use crate::near_promises::{Texts, texts};
use dupi::blot::{Profile, RecipeChoice};
use dupi::index::snapshot::Snapshot;
use dupi::ingest::Options;
use dupi::judge::PassageOrder;
use dupi::judge::around::find_around_by_index;
use dupi::judge::search::{Passages, SearchSettings};
use dupi::passage::Measure;
use dupi::token::TokenMode;
use proptest::prelude::*;

/// Documents with pieces of a few texts between words of their own.
fn documents() -> impl Strategy<Value = Texts> {
    let piece = (0..3_u16, 0..40_usize, 10..70_usize, 0..30_u16);
    prop::collection::vec(prop::collection::vec(piece, 1..4), 4..=4).prop_map(|plans| {
        let mut own = 10_000_u16;
        let mut words = |plan: Vec<(u16, usize, usize, u16)>| -> Vec<u16> {
            plan.into_iter()
                .flat_map(|(text, from, len, between)| {
                    own += between;
                    let piece = (from..from + len).map(|at| text * 200 + at as u16);
                    piece.chain(own - between..own).collect::<Vec<u16>>()
                })
                .collect()
        };
        let all: Vec<Vec<u16>> = plans.into_iter().map(&mut words).collect();
        texts([all[0].clone(), all[1].clone(), all[2].clone(), all[3].clone()])
    })
}

/// Which tokens of a document stand elsewhere too, with the documents that they stand in.
fn duplicated(snapshot: &Snapshot, passages: &Passages, name: &str) -> BTreeSet<(u32, String)> {
    let path = |source: u32| {
        let id = passages.sources[source as usize].id;
        snapshot.path(snapshot.file_of(id)).to_str().unwrap().to_owned()
    };
    let mut found = BTreeSet::new();
    for passage in &passages.found {
        for copy in passage.copies.iter().filter(|copy| path(copy.source) == name) {
            let others = passage.copies.iter().map(|copy| path(copy.source)).filter(|other| other != name);
            let others: Vec<String> = others.collect();
            found.extend(
                (copy.first..copy.end_token())
                    .flat_map(|token| others.iter().map(move |other| (token, other.clone()))),
            );
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn what_a_document_shares_is_found_around_it(texts in documents(), least in 12..40_u32) {
        let recipe = RecipeChoice { tokens: Some(TokenMode::Words), ..Profile::Default.choice() };
        let written = |words: &Vec<u16>| words.iter().map(|word| format!("w{word} ")).collect::<String>();
        let files = texts.iter().map(|(name, words)| (name, written(words)));
        let (_folder, snapshot) = indexed(files, |usual| Options { recipe, threads: 1, ..usual });
        let measure = Measure { least, gap: 0, ..Measure::default() };
        let settings = SearchSettings { measure, ..SearchSettings::default() };
        let all = Passages::find(&snapshot, &settings, PassageOrder::Copies, &|_| Ok(())).unwrap();
        for file in snapshot.texts().collect::<Vec<_>>() {
            let name = snapshot.path(file).to_str().unwrap().to_owned();
            let lines = 0..u32::MAX;
            let whole = (file, vec![lines]);
            let around = find_around_by_index(&snapshot, &settings, &[whole], &|_| Ok(())).unwrap();
            prop_assert_eq!(around.frequent, 0);
            prop_assert_eq!(
                duplicated(&snapshot, &around.passages, &name),
                duplicated(&snapshot, &all, &name),
                "{} {:?}", name, texts
            );
        }
    }
}
