//! Texts that have nothing to do with each other are not joined: at most one of 4,000 pairs of documents has copies in one
//! row, whatever was asked.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::methods::{method, methods_in};
use crate::naive::indexed;
use crate::planted::{Language, Random};
use dupi::blot::Profile;
use dupi::ingest::Options;
use dupi::judge::PassageOrder;
use dupi::judge::passages::PassageCopy;
use dupi::judge::search::{Passages, SearchSettings};
use dupi::passage::Measure;

/// Documents by name.
type Documents = BTreeMap<String, String>;
/// Makes so many documents of a seed.
type Maker = fn(u64, usize) -> Documents;

/// Documents of words that follow Zipf's law, each with a few that like to follow it.
fn prose(seed: u64, count: usize) -> Documents {
    let mut language = Language::new(seed);
    let mut document = |number: usize| (format!("{number:04}.txt"), language.host(150..=450).words.join(" "));
    (0..count).map(&mut document).collect()
}

/// The same with stock phrases of two to seven words, as news have them: a few of them are in every text.
fn news(seed: u64, count: usize) -> Documents {
    let mut language = Language::new(seed);
    let mut random = Random(seed);
    let phrases: Vec<Vec<String>> = (0..400).map(|_| language.text(random.within(2..=7))).collect();
    let mut document = |number: usize| {
        let mut words = Vec::new();
        for _ in 0..random.within(15..=45) {
            words.extend(language.text(random.within(2..=14)));
            // The rank of a phrase follows Zipf's law, roughly.
            let most = 1 + random.below(phrases.len());
            words.extend_from_slice(&phrases[random.below(most)]);
        }
        (format!("{number:04}.txt"), words.join(" "))
    };
    (0..count).map(&mut document).collect()
}

/// Java methods, one a file, of the statements that most methods have.
fn methods(seed: u64, count: usize) -> Documents {
    let mut random = Random(seed);
    (0..count).map(|number| (format!("M{number:04}.java"), method(&mut random, 0.0))).collect()
}

/// The copies of each row, as the names of the documents with the bytes.
type Rows = Vec<Vec<(String, Range<usize>)>>;

fn rows(documents: &Documents, profile: Profile, measure: impl FnOnce(Measure) -> Measure) -> Rows {
    let (_folder, snapshot) = indexed(documents, |usual| Options { recipe: profile.choice(), ..usual });
    let measure = measure(Measure::usual(&snapshot.manifest().recipe));
    let settings = SearchSettings { measure, ..SearchSettings::default() };
    let passages = Passages::find(&snapshot, &settings, PassageOrder::Copies, &|_| Ok(())).unwrap();
    let place = |copy: &PassageCopy| {
        let file = snapshot.file_of(passages.sources[copy.source as usize].id);
        (snapshot.path(file).to_str().unwrap().to_owned(), copy.start as usize..copy.end as usize)
    };
    passages.found.iter().map(|passage| passage.copies.iter().map(place).collect()).collect()
}

/// The pairs of documents that have copies in one row.
fn pairs_of(rows: &Rows) -> BTreeSet<(&str, &str)> {
    let mut pairs = BTreeSet::new();
    for row in rows {
        let of: BTreeSet<&str> = row.iter().map(|(name, _)| name.as_str()).collect();
        pairs.extend(of.iter().flat_map(|&a| of.range(a..).skip(1).map(move |&b| (a, b))));
    }
    pairs
}

/// How many pairs of documents have copies in one row.
fn joined(documents: &Documents, profile: Profile, measure: impl FnOnce(Measure) -> Measure) -> usize {
    pairs_of(&rows(documents, profile, measure)).len()
}

/// Searches corpora of so many documents.
fn check(count: usize, seeds: &[u64]) {
    let kinds: [(&str, Maker); 3] = [("prose", prose), ("news", news), ("methods", methods)];
    for (kind, make) in kinds {
        for profile in [Profile::Default, Profile::Ocr] {
            let of = |&seed: &u64| joined(&make(seed, count), profile, |usual| usual);
            let joined: usize = seeds.iter().map(of).sum();
            let pairs = count * (count - 1) / 2 * seeds.len();
            println!("{kind}, {profile}: {joined} of {pairs} pairs");
            assert!(joined * 4000 <= pairs, "{kind}, {profile}: {joined} of {pairs}");
        }
    }
}

#[test]
fn unrelated_documents_are_hardly_ever_joined() {
    check(150, &[1]);
}

#[test]
#[ignore = "large; run it optimised: cargo test --release --test it unrelated:: -- --ignored --nocapture"]
fn of_many_unrelated_documents_hardly_any_are_joined() {
    check(800, &[1, 2, 3, 4]);
}

/// The methods of the Java or C files in the folder that `DUPI_METHODS` names, each as a document, in random order. Some
/// are copies of each other, so the pairs are printed to be looked at.
#[test]
#[ignore = "reads the source code in the folder DUPI_METHODS"]
fn joined_methods_of_real_programs_are_printed() {
    let folder = std::env::var_os("DUPI_METHODS").expect("DUPI_METHODS names a folder with Java or C files");
    let (methods, ending) = methods_in(folder.as_ref(), 1500);
    let documents: Documents = methods
        .into_iter()
        .enumerate()
        .map(|(number, text)| (format!("{number:04}.{ending}"), text))
        .collect();
    let (count, rows) = (documents.len(), rows(&documents, Profile::Default, |usual| usual));
    println!("{} of {} pairs", pairs_of(&rows).len(), count * (count - 1) / 2);
    for row in rows {
        println!("== {} copies", row.len());
        for (name, span) in row.iter().take(2) {
            println!("-- {name}\n{}", &documents[name][span.clone()]);
        }
    }
}
