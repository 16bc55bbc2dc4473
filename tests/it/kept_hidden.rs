//! What the taboo list hides of kept passages is what it hides of those of a search.

use std::fs;
use std::time::{Duration, SystemTime};

use crate::identical::words;
use crate::kept_passages::{World, find, kept_files, settings, taboo};
use dupi::judge::kept;
use dupi::storage::Folder;

#[test]
fn what_the_taboo_list_hides_is_kept_beside_them() {
    let (mut world, settings) = (World::new(), settings(8));
    let of = |world: &World, seed| taboo(&words(seed, 60), 60, world.snapshot());
    let recipe = world.snapshot().manifest().recipe;
    let (first, second) = (of(&world, 1), of(&world, 2));
    let found = find(world.snapshot(), &settings);
    let expected = |taboo| found.hidden(25, taboo, &recipe);
    assert!(expected(&first).contains(&true) && expected(&first) != expected(&second));
    let hidden_file = |world: &World| {
        kept_files(&world.index()).into_iter().find(|path| path.extension() == Some("hidden".as_ref()))
    };
    kept::know_hidden(world.snapshot(), &settings, &found, &first, 25);
    assert!(hidden_file(&world).is_none(), "the passages are not kept");
    kept::save(world.snapshot(), &settings, &found);
    let load = |world: &World| kept::load(world.snapshot(), &settings).unwrap();
    kept::know_hidden(world.snapshot(), &settings, &load(&world), &first, 25);
    let file = hidden_file(&world).unwrap();
    let whole = fs::read(&file).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        for bytes in [&bytes[..], &whole[..at]] {
            fs::write(&file, bytes).unwrap();
            assert_eq!(load(&world).hidden(25, &first, &recipe), expected(&first), "byte {at}");
        }
    }
    fs::write(&file, &whole).unwrap();
    assert_eq!(load(&world).hidden(25, &second, &recipe), expected(&second), "another list");
    assert_eq!(
        load(&world).hidden(20, &first, &recipe),
        found.hidden(20, &first, &recipe),
        "of another length"
    );
    // It is used: no text can be read.
    fs::rename(world.at(""), world.place.path().join("away")).unwrap();
    assert_eq!(load(&world).hidden(25, &first, &recipe), expected(&first));
    assert!(!load(&world).hidden(25, &second, &recipe).contains(&true));
    fs::rename(world.place.path().join("away"), world.at("")).unwrap();
    // It is of these passages and no others.
    fs::write(world.at("0"), words(2, 40)).unwrap();
    world.update();
    world.keep(&settings);
    let found = find(world.snapshot(), &settings);
    assert_eq!(load(&world).hidden(25, &first, &recipe), found.hidden(25, &first, &recipe));
    assert_eq!(kept_files(&world.index()).len(), 2);
    drop(world.updater);
    dupi::index::writer::remove(&Folder::new(world.place.path().join("index"))).unwrap();
    assert!(
        !world.place.path().join("index").exists()
            || kept_files(&world.place.path().join("index")).is_empty()
    );
}

#[test]
fn what_it_hides_is_not_kept_when_a_text_could_not_be_read() {
    let (mut world, settings) = (World::new(), settings(8));
    let recipe = world.snapshot().manifest().recipe;
    let taboo = taboo(&words(1, 60), 60, world.snapshot());
    world.keep(&settings);
    let expected = find(world.snapshot(), &settings).hidden(25, &taboo, &recipe);
    assert!(expected.contains(&true));
    // Files that were only touched are not those that were indexed.
    for name in ["a", "b", "c/d", "c/e", "f/d", "f/e", "g"] {
        let file = fs::File::options().write(true).open(world.at(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
    }
    let loaded = kept::load(world.snapshot(), &settings).unwrap();
    kept::know_hidden(world.snapshot(), &settings, &loaded, &taboo, 25);
    let unread = loaded.hidden(25, &taboo, &recipe);
    kept::keep_hidden(world.snapshot(), &settings, &loaded, &taboo, (25, &unread));
    world.update();
    let loaded = kept::load(world.snapshot(), &settings).unwrap();
    assert_eq!(loaded.hidden(25, &taboo, &recipe), expected);
}

#[test]
fn what_the_last_of_several_lists_hides_is_kept() {
    let (world, settings) = (World::new(), settings(8));
    let recipe = world.snapshot().manifest().recipe;
    let [first, second] = [1, 2].map(|seed| taboo(&words(seed, 60), 60, world.snapshot()));
    world.keep(&settings);
    let load = || kept::load(world.snapshot(), &settings).unwrap();
    let expected = find(world.snapshot(), &settings).hidden(25, &first, &recipe);
    let passages = load();
    for taboo in [&first, &second, &first] {
        kept::know_hidden(world.snapshot(), &settings, &passages, taboo, 25);
    }
    fs::rename(world.at(""), world.place.path().join("away")).unwrap();
    assert_eq!(load().hidden(25, &first, &recipe), expected);
}
