//! Files with the same bytes share what was gathered of them: each has what it would have alone.

use std::collections::BTreeMap;

use crate::naive::indexed;
use dupi::index::snapshot::Snapshot;
use dupi::passage::gather::{Gathered, StretchCriteria};
use dupi::query::ByteSpan;
use proptest::prelude::*;

const WANTED: StretchCriteria = StretchCriteria { least: 1, reach: 1, margin: 0, names: false };

/// What is gathered of a document: the number of its tokens, the hash of its text, and of each stretch the tokens, their
/// bytes, and the whole lines from each token to the end.
type OfDocument = (u32, u64, Vec<(u32, Vec<u64>, Vec<ByteSpan>, Vec<u32>)>);

fn gathered(snapshot: &Snapshot) -> BTreeMap<String, OfDocument> {
    let (gathered, _) = Gathered::read(snapshot, None, WANTED, |_| 0, 1 << 30, &|_| Ok(())).unwrap();
    let mut found: BTreeMap<String, OfDocument> = BTreeMap::new();
    let mut base = 0;
    for stretch in &gathered.stretches {
        assert_eq!(stretch.base, base, "places follow each other");
        base += stretch.len;
        let source = &gathered.sources[stretch.document as usize];
        let name = snapshot.path(snapshot.file_of(source.id)).to_str().unwrap().to_owned();
        let end = stretch.base + stretch.len;
        let lines = (stretch.base..end).map(|place| gathered.whole_lines(place..end)).collect();
        let own =
            (stretch.first, gathered.tokens(stretch).to_vec(), gathered.spans(stretch).collect(), lines);
        found.entry(name).or_insert((source.tokens, source.text, Vec::new())).2.push(own);
    }
    assert_eq!(gathered.len(), base);
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn each_of_some_files_has_what_it_would_have_alone(
        texts in prop::collection::vec("(int [a-c]+ = [0-9];|# [a-c ]+|[a-c]+ // dupi:ignore|\"[a-c]é\")(\n(int [a-c]+ = [0-9];|\t[a-c ]+)){0,6}\n", 1..4),
        drawn in prop::collection::vec((any::<prop::sample::Index>(), 0..4_usize), 1..12),
    ) {
        let documents: BTreeMap<String, String> = drawn
            .iter()
            .enumerate()
            .map(|(number, (text, ending))| {
                let ending = ["txt", "c", "py", "md"][*ending];
                (format!("{number:02}.{ending}"), text.get(&texts).clone())
            })
            .collect();
        let (_folder, snapshot) = indexed(&documents, |usual| usual);
        let mut alone = BTreeMap::new();
        for document in &documents {
            let (name, text) = document;
            let one = BTreeMap::from([(name.clone(), text.clone())]);
            let (_folder, snapshot) = indexed(&one, |usual| usual);
            alone.extend(gathered(&snapshot));
        }
        prop_assert_eq!(gathered(&snapshot), alone);
    }
}
