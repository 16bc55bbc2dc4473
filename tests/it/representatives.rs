//! The representative of a passage is the copy that the others are like, wherever it stands.

use std::collections::BTreeMap;

use crate::naive::indexed;
use dupi::index::snapshot::Snapshot;
use dupi::passage::PassageOrder;
use dupi::passage::passages::Passage;
use dupi::passage::search::{Passages, SearchSettings};
use dupi::taboo::TabooSet;

fn words(name: &str, count: usize) -> String {
    (0..count).map(|at| format!("{name}{at} ")).collect()
}

/// A table in ten files. Over the first of them, and over three others, stands a header that the rest lack.
fn tables() -> BTreeMap<String, String> {
    let (header, table, footer) = (words("header", 56), words("cell", 84), words("footer", 20));
    let text = |number: usize| match number {
        0 | 7 => format!("{header}{table}{footer}"),
        8 | 9 => format!("{header}{table}"),
        _ => table.clone(),
    };
    (0..10)
        .map(|number| (format!("{number}.txt"), format!("own{number} {} end{number}", text(number))))
        .collect()
}

fn find(snapshot: &Snapshot) -> Vec<Passage> {
    let (settings, taboo) = (SearchSettings::default(), TabooSet::default());
    Passages::find(snapshot, &settings, &taboo, PassageOrder::Copies, &|_| Ok(())).unwrap().found
}

#[test]
fn a_header_over_the_first_copy_is_not_what_the_others_are_compared_with() {
    let documents = tables();
    let (_folder, snapshot) = indexed(&documents, |usual| usual);
    let found = find(&snapshot);
    let most = &found[0];
    assert_eq!((most.copies.len(), most.tokens()), (10, 84), "{found:?}");
    let similarities: Vec<f32> = most.copies.iter().map(|copy| copy.similarity).collect();
    assert_eq!(similarities, [0.6, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.6, 0.6, 0.6]);
    assert_eq!(most.representative, 1);
}
