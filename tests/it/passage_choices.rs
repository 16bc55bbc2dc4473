//! Which passages are listed, in which order, and under which name.

use std::path::Path;

use crate::naive::{Documents, text};
use crate::passages::{World, exact, words};
use dupi::blot::{Profile, Recipe};
use dupi::judge::PassageOrder;
use dupi::judge::aside::AsideRule;
use dupi::judge::choice::PassageChoice;
use dupi::judge::passages::Passage;
use dupi::judge::search::Passages;
use dupi::query::filter::Filter;
use dupi::taboo::{AcceptedSet, CorrectedKinds, TabooEntry, TabooList, TabooSet};
use dupi::token::TokenMode;

#[test]
fn passages_are_chosen_in_any_order_whatever_the_one_they_were_found_in() {
    let (often, long) = (words(30, 10), words(40, 100));
    let documents: Documents = [
        ("a.txt".to_owned(), [often.clone(), vec![1], long.clone()].concat()),
        ("b.txt".to_owned(), [often.clone(), vec![2], long].concat()),
        ("c.txt".to_owned(), often),
    ]
    .into();
    let world = World::new(&documents, Profile::Default);
    let find = |order| Passages::find(&world.snapshot, &exact(25), order, &|_| Ok(())).unwrap();
    let found = find(PassageOrder::Copies);
    let (taboo, accepted, corrected) = <(TabooSet, AcceptedSet, CorrectedKinds)>::default();
    let all = || PassageChoice {
        filter: Filter::default(),
        taboo: &taboo,
        shows_taboo: false,
        accepted: &accepted,
        corrected: &corrected,
        least: 25,
        min_copies: 2,
        path: None,
        kinds: &[],
        aside: AsideRule::none(),
        order: PassageOrder::Tokens,
        is_reversed: false,
        most: usize::MAX,
    };
    let tokens = |choice: PassageChoice| -> Vec<u32> {
        choice.of(&world.snapshot, &found).unwrap().listed.into_iter().map(Passage::tokens).collect()
    };
    assert_eq!(tokens(all()), [40, 30]);
    assert_eq!(find(PassageOrder::Tokens).found.iter().map(Passage::tokens).collect::<Vec<_>>(), [40, 30]);
    assert_eq!(tokens(PassageChoice { order: PassageOrder::Copies, ..all() }), [30, 40]);
    assert_eq!(tokens(PassageChoice { most: 1, ..all() }), [40]);
    assert_eq!(tokens(PassageChoice { most: 1, is_reversed: true, ..all() }), [30]);
    assert_eq!(tokens(PassageChoice { min_copies: 3, ..all() }), [30]);
    let in_c = |path: &Path| path == "c.txt";
    assert_eq!(tokens(PassageChoice { path: Some(&in_c), ..all() }), [30]);
}

#[test]
fn the_same_text_has_the_same_name_wherever_it_stands() {
    let shared = words(40, 100);
    let of = |first: u8| [words(9, first), shared.clone(), words(5, first + 20)].concat();
    let name = |firsts: &[u8]| {
        let documents = firsts.iter().map(|&first| (format!("{first}.txt"), of(first))).collect();
        World::new(&documents, Profile::Default).find(&exact(25))[0].0.id
    };
    assert_eq!(name(&[0, 30]), name(&[60, 30, 7]));
}

#[test]
fn taboo_words_do_not_count() {
    let (year, licence) = (words(3, 10), words(60, 100));
    let recipe = Recipe { tokens: TokenMode::Words, ..Recipe::default() };
    let added = dupi::taboo::today();
    let entry = TabooEntry { text: text(&licence), added, reason: None, language: None };
    let taboo = TabooSet::new(&[entry].into_iter().collect::<TabooList>(), &recipe);
    let whole = [year, licence.clone()].concat();
    let more = [words(30, 200), licence].concat();
    let documents: Documents = [("a", &whole), ("b", &whole), ("c", &more), ("d", &more)]
        .map(|(name, words)| (format!("{name}.txt"), [vec![name.as_bytes()[0]], words.clone()].concat()))
        .into();
    let world = World::new(&documents, Profile::Default);
    let shown: Vec<u32> =
        world.find_without(&exact(25), &taboo).iter().map(|(passage, _)| passage.tokens()).collect();
    assert_eq!(
        shown,
        [90],
        "the licence is hidden, with another year too; what has thirty other words is not"
    );
}
