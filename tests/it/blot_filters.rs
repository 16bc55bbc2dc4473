//! Filters of blots against a naive reference.

use std::fs;
use std::path::Path;

use crate::naive::text;
use crate::reference::World;
use dupi::blot::{Recipe, Selection};
use dupi::config::SavedFilters;
use dupi::index::ranking::{RankedBlot, Ranking};
use dupi::judge::filter::{BlotSieve, BlotsOf};
use dupi::query::filter::{Fact, ReviewState, parse};

#[test]
fn a_filter_says_of_many_blots_what_it_says_of_each() {
    let recipe = Recipe { selection: Selection::Every, ..Recipe::default() };
    let world = World::new(recipe, 2);
    let mut state = 7_u32;
    let words: Vec<u8> = (0..4000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect();
    for (name, words) in [("a", &words[..]), ("b", &words), ("gone", &words[..900])] {
        world.write(name, words);
    }
    world.update();
    world.write("c", &words[2000..]);
    fs::remove_file(world.at("gone")).unwrap();
    let snapshot = world.update();
    let entries = Ranking::scan(&snapshot, usize::MAX).unwrap().entries;
    for (filter, share) in [("path:c", 0.5), ("-path:c", 0.5), ("path:gone", 0.0), ("path:b", 1.0)] {
        let made = || {
            let (filter, _) = parse(filter, &SavedFilters::default());
            BlotSieve::new(filter, &snapshot, BlotsOf::default(), &|| false)
        };
        let pass = |sieve: &mut BlotSieve, entry| {
            sieve.pass(&[entry], Fact::Is(ReviewState::Open), &|| false).unwrap().unwrap()
        };
        let mut one_for_all = made();
        let of_many: Vec<bool> = entries.iter().map(|&entry| pass(&mut one_for_all, entry)).collect();
        let of_each: Vec<bool> = entries.iter().map(|&entry| pass(&mut made(), entry)).collect();
        assert_eq!(of_many, of_each, "{filter}");
        let passed = of_many.iter().filter(|passes| **passes).count() as f64 / entries.len() as f64;
        assert!((passed - share).abs() < 0.05, "{filter}: {passed}");
    }
    // What is ended early says nothing, and the next to ask goes on.
    let (filter, _) = parse("-path:c", &SavedFilters::default());
    let mut sieve = BlotSieve::new(filter, &snapshot, BlotsOf::default(), &|| false);
    for is_cancelled in [true, false] {
        let pass = |entry: &RankedBlot| {
            sieve.pass(&[*entry], Fact::Is(ReviewState::Open), &|| is_cancelled).unwrap()
        };
        let last = entries.iter().map(pass).collect::<Vec<_>>();
        assert_eq!(last[3000..].contains(&Some(true)), !is_cancelled);
    }
}

#[test]
fn rare_words_choose_the_blots_of_the_documents_that_have_them() {
    let recipe = Recipe { selection: Selection::Winnow(4), ..Recipe::default() };
    let world = World::new(recipe, 2);
    // Each file repeats the first half of the one before it, and some of its own.
    let stretch = |seed: u8| (0..120).map(move |at: u8| at.wrapping_mul(seed | 1) ^ seed);
    let words = |number: u8| -> String {
        let all: Vec<u8> =
            stretch(number).chain(stretch(number + 1)).chain(stretch(number).take(40)).collect();
        text(&all)
    };
    for number in 0..60 {
        fs::write(world.at(&format!("f{number}.txt")), words(number)).unwrap();
    }
    fs::write(world.at("f7.txt"), format!("{}Quagga", words(7))).unwrap();
    fs::write(world.at("f8.txt"), format!("a quagga {}", words(8))).unwrap();
    fs::write(world.at("f9.txt"), format!("quagga {}", words(9))).unwrap();
    let mail = |number| format!("From a\nSubject: {number}\n\n{} aardvark\n\n", words(number));
    fs::write(world.at("okapi.mbox"), mail(20) + &mail(21)).unwrap();
    world.update();
    fs::remove_file(world.at("f9.txt")).unwrap();
    fs::rename(world.at("f8.txt"), world.at("moved.txt")).unwrap();
    let snapshot = world.update();
    let entries = Ranking::scan(&snapshot, usize::MAX).unwrap().entries;
    let check = |filter: &str, named: &[&str], having: &[&str]| {
        let (parsed, problems) = parse(filter, &SavedFilters::default());
        assert!(problems.is_empty());
        let mut sieve = BlotSieve::new(parsed, &snapshot, BlotsOf::default(), &|| false);
        let mut counts = [0; 3];
        for &entry in &entries {
            let places = snapshot.find(entry.blot()).unwrap();
            let file = |place| snapshot.path(snapshot.file_of(snapshot.document_at(place)));
            let stands_in = |names: &[&str]| {
                places.iter().any(|&place| names.iter().any(|name| file(place) == Path::new(name)))
            };
            let expected = match (stands_in(named), stands_in(having)) {
                (true, _) => Some(true),
                (false, true) => None,
                (false, false) => Some(false),
            };
            let pass = sieve.pass(&[entry], Fact::Is(ReviewState::Open), &|| false).unwrap();
            assert_eq!(pass, expected, "{filter}: {}", entry.blot());
            counts[expected.map_or(2, usize::from)] += 1;
        }
        assert!(counts[0] > 0 && (having.is_empty() || counts[1] + counts[2] > 0), "{filter}: {counts:?}");
    };
    let both = ["f7.txt", "moved.txt"];
    check("quagga", &[], &both);
    check("quaga", &[], &both);
    check("\"a quagga\"", &[], &both[1..]);
    check("'aardvark", &[], &["okapi.mbox"]);
    check("okapi", &["okapi.mbox"], &["okapi.mbox"]);
    check("'nowhere", &[], &[]);
    // What changed behind the index's back is asked by the blots that the index has of it.
    fs::write(world.at("f7.txt"), "quagga and nothing else").unwrap();
    check("quagga", &[], &both);
}
