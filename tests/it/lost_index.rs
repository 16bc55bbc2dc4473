//! A session whose index is removed under it.

use std::fs;

use crate::followed::names;
use crate::session_faults::{World, entry};
use dupi::ingest::Silent;
use dupi::session::{Phase, Update, Watch};
use dupi::storage::Folder;
use dupi::taboo::TabooList;

#[test]
fn an_index_that_is_removed_under_a_session_is_built_anew() {
    let world = World::new();
    world.write("a", 1);
    world.write("b", 2);
    let running = world.start(Watch::Events);
    running.idle(2);
    fs::remove_dir_all(world.home()).unwrap();
    // A decision makes the folder again.
    TabooList::edit(&Folder::new(world.home()), |list| list.add(entry("some words"))).unwrap();
    world.write("c", 3);
    running.wait("a sentence that it was removed", |update| match update {
        Update::Notice(sentence) => sentence.contains("was removed").then_some(()),
        _ => None,
    });
    running.idle(3);
    running.session.stop();
    assert!(names(&world.snapshot()).iter().eq(["a", "b", "c"]));
    assert_eq!(TabooList::load(&Folder::new(world.home())).unwrap().entries().len(), 1);
}

#[test]
fn a_segment_that_is_removed_under_a_session_is_noticed_and_never_named_again() {
    let world = World::new();
    world.write("a", 1);
    let running = world.start(Watch::Events);
    running.idle(1);
    let segment = world.snapshot().segments()[0].name().name.clone();
    fs::remove_file(world.home().join(segment)).unwrap();
    world.write("b", 2);
    running.idle(2);
    running.session.stop();
    assert!(names(&world.snapshot()).iter().eq(["a", "b"]));
}

#[test]
fn a_session_that_only_reads_builds_an_index_that_its_writer_lost() {
    let world = World::new();
    world.write("a", 1);
    let mut writer = world.updater();
    writer.update_all(&Silent).unwrap();
    let running = world.start(Watch::Off);
    running.progress("what the other one committed", |progress| {
        progress.read_only.is_some() && progress.documents == 1
    });
    fs::remove_dir_all(world.home()).unwrap();
    world.write("b", 2);
    drop(writer);
    running.wait("a sentence that it was removed", |update| match update {
        Update::Notice(sentence) => sentence.contains("was removed").then_some(()),
        _ => None,
    });
    running.progress("an index of its own", |progress| {
        progress.phase == Phase::Idle && progress.read_only.is_none() && progress.documents == 2
    });
    running.session.stop();
}
