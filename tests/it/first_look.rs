//! The first look at a corpus: some of its worthiest passages, which the whole search finds too.

use std::collections::BTreeMap;

use crate::naive::indexed;
use crate::support::words;
use dupi::ingest::Options;
use dupi::judge::PassageOrder;
use dupi::judge::around::{first_look, some_passages};
use dupi::judge::search::{Passages, SearchSettings};

#[test]
fn what_is_worth_the_most_is_seen_at_first_with_all_its_copies() {
    let (long, short) = (words("long", 6_000), words("short", 30));
    let mut files = BTreeMap::new();
    for number in 0..40 {
        let mut text = words(&format!("own{number}x"), 200);
        if number % 4 == 0 {
            text += &long;
        }
        if number % 7 == 3 {
            text += &short;
        }
        files.insert(format!("{number}.txt"), text + &words(&format!("end{number}x"), 50));
    }
    let (_folder, snapshot) = indexed(files.iter(), |usual| Options { threads: 1, ..usual });
    let settings = SearchSettings::default();
    let all = Passages::find(&snapshot, &settings, PassageOrder::default(), &|_| Ok(())).unwrap();
    let some = some_passages(&snapshot, &settings, &|_| Ok(())).unwrap();
    let named = |passages: &Passages| -> Vec<(u64, usize)> {
        passages.found.iter().map(|passage| (passage.id.0, passage.copies.len())).collect()
    };
    assert_eq!(named(&all)[0].1, 10);
    assert_eq!(named(&some)[0], named(&all)[0]);
    assert!(named(&some).iter().all(|passage| named(&all).contains(passage)), "{:?}", named(&some));
    assert!(first_look(&snapshot, &settings, &|_| Ok(())).unwrap().is_none(), "all are found soon");
}
