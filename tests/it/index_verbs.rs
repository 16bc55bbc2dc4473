//! Verbs that make, rebuild and remove an index.

use std::fs;
use std::process::Command;

use crate::support::{Said, lines, text};
use crate::verbs::corpus;
use dupi::index::FORMAT_VERSION;
use dupi::index::manifest::{Manifest, VERSION};
use dupi::storage::Folder;

#[test]
fn the_index_remembers_its_recipe() {
    let home = corpus();
    home.stdout(&["index", "--profile", "compact"]);
    assert!(home.stdout(&["inspect"]).contains("k 10, blotter ordered, selection winnow(16)"));
    let refused = home.run(&["index", "-k", "5"]);
    assert_eq!(refused.code, Some(2));
    let said = refused.stderr;
    assert!(
        said.contains("built with tokens auto, comments keep, k 10") && said.contains("--rebuild"),
        "{said}"
    );
    home.stdout(&[
        "index",
        "-k",
        "5",
        "--blotter",
        "interleaved:2",
        "--window",
        "1",
        "--tokens",
        "words",
        "--rebuild",
    ]);
    assert!(
        home.stdout(&["inspect"])
            .contains("tokens words, comments keep, k 5, blotter interleaved(2), selection every")
    );
}

#[test]
fn an_index_kept_elsewhere_knows_its_corpus() {
    let home = corpus();
    let index = home.at("../elsewhere");
    home.stdout(&["index", "--index", text(&index), text(&home.at(""))]);
    assert!(index.join("manifest.json").exists());
    let told = &lines(&home.stdout(&["inspect", "--json", "--index", text(&index), "-C", "/"]))[0];
    assert_eq!(told["documents"], 3);
    home.stdout(&["clean", "--index", text(&index)]);
    assert!(!index.join("manifest.json").exists());
}

#[test]
fn clean_removes_what_is_gone() {
    let home = corpus();
    home.stdout(&["index"]);
    assert_eq!(home.run(&["clean", "--gone"]).code, Some(1));
    let mut screen = home.open((80, 24), &[], &[]);
    screen.wait_for_text("documents");
    screen.send("q");
    screen.wait_for_end();
    let folder = home.at("").parent().unwrap().to_owned();
    fs::rename(folder.join("corpus"), folder.join("moved")).unwrap();
    let mut command = Command::new(crate::support::program());
    command.args(["clean", "--gone"]).env("XDG_DATA_HOME", folder.join("data")).env("HOME", &folder);
    let output = Said::of(&mut command);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let left: Vec<_> = fs::read_dir(folder.join("data/dupi-tui/indexes")).unwrap().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn clean_leaves_what_was_decided() {
    let home = corpus();
    home.stdout(&["taboo", "add", "some words that are hidden"]);
    home.stdout(&["index"]);
    let said = home.stdout(&["clean"]);
    assert!(said.contains("its taboo list stays"), "{said}");
    assert!(home.stdout(&["taboo", "list"]).contains("some words"));
}

#[test]
fn a_damaged_index_is_named_and_rebuilt_on_request() {
    let home = corpus();
    let index = home.at("../index");
    let index = text(&index);
    home.stdout(&["index", "--index", index]);
    let segment = fs::read_dir(index).unwrap().map(|entry| entry.unwrap().path());
    let segment =
        segment.into_iter().find(|path| path.extension().is_some_and(|kind| kind == "segment")).unwrap();
    fs::write(&segment, "rubbish").unwrap();
    let output = home.run(&["extract", "--index", index]);
    let said = output.stderr;
    assert_eq!(output.code, Some(2));
    assert!(
        said.contains(segment.file_name().unwrap().to_str().unwrap()) && said.contains("--rebuild"),
        "{said}"
    );
    home.stdout(&["index", "--index", index, "--rebuild"]);
    assert!(!home.stdout(&["extract", "--index", index]).is_empty());
}

#[test]
fn an_index_of_another_format_is_named_and_rebuilt_on_request_and_decisions_stay() {
    let home = corpus();
    let index = home.at("../index");
    let folder = Folder::new(&index);
    let index = text(&index);
    home.stdout(&["index", "--index", index]);
    home.stdout(&["taboo", "add", "--index", index, "a text to be hidden for good"]);
    let manifest = Manifest::read(&folder).unwrap();
    for version in [FORMAT_VERSION - 1, VERSION + 1] {
        Manifest { version, ..manifest.clone() }.commit(&folder).unwrap();
        let output = home.run(&["extract", "--index", index]);
        let said = output.stderr;
        assert_eq!(output.code, Some(2));
        assert!(said.contains("manifest.json has format version") && said.contains("--rebuild"), "{said}");
        assert_eq!(said.contains("use a newer dupi-tui"), version > VERSION);
        home.stdout(&["index", "--index", index, "--rebuild"]);
        assert!(!home.stdout(&["extract", "--index", index]).is_empty());
        assert!(home.stdout(&["taboo", "list", "--index", index]).contains("for good"));
    }
}

#[test]
fn an_index_with_the_manifest_of_the_version_before_is_opened_and_brought_up_to_date() {
    let home = corpus();
    let index = home.at("../index");
    let folder = Folder::new(&index);
    let index = text(&index);
    home.stdout(&["index", "--index", index]);
    let manifest = Manifest::read(&folder).unwrap();
    Manifest { version: FORMAT_VERSION, ..manifest }.commit(&folder).unwrap();
    assert!(!home.stdout(&["extract", "--no-update", "--index", index]).is_empty());
    home.stdout(&["exclude", "add", "--index", index, text(&home.at("a.txt"))]);
    assert!(home.stdout(&["inspect", "--skipped", "--index", index]).contains("left out by you"));
    let written = String::from_utf8(folder.read("manifest.json").unwrap().unwrap()).unwrap();
    assert!(written.starts_with(&format!("{{\"version\":{VERSION},")), "{written}");
}

#[test]
fn rules_that_mean_nothing_are_not_remembered() {
    let home = corpus();
    for rule in [["--type", "nonesuch"], ["--glob", "[x"]] {
        assert_eq!(home.run(&["index", rule[0], rule[1]]).code, Some(2));
        assert!(home.stdout(&["index"]).starts_with("3 documents"), "a new index, {rule:?}");
        assert_eq!(home.run(&["index", rule[0], rule[1]]).code, Some(2));
        assert!(home.stdout(&["index"]).starts_with("3 documents"), "an old index, {rule:?}");
    }
}

#[test]
fn an_index_kept_elsewhere_is_not_given_to_another_corpus() {
    let home = corpus();
    home.stdout(&["index", "deep", "--index", "kept"]);
    let refused = home.run(&["index", ".", "--index", "kept"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("deep; choose another folder"));
    assert!(home.stdout(&["inspect", "--no-update", "--index", "kept"]).contains("1 in 1 files"));
    home.stdout(&["index", ".", "--index", "kept", "--rebuild"]);
    assert!(home.stdout(&["inspect", "--no-update", "--index", "kept"]).contains("3 in 3 files"));
}

#[test]
fn clean_takes_the_index_of_the_environment_only_when_nothing_is_named() {
    let home = corpus();
    let kept = home.at("kept");
    home.stdout(&["index", "deep"]);
    home.stdout(&["index", "deep", "--index", text(&kept)]);
    let clean = |arguments: &[&str]| {
        let output = Said::of(home.command(&[&["clean"], arguments].concat()).env("DUPI_INDEX", &kept));
        (output.code, output.stdout)
    };
    assert_eq!(clean(&["--gone"]).0, Some(1));
    let (code, said) = clean(&["deep"]);
    assert!(code == Some(0) && !said.contains("kept"), "{said}");
    let (code, said) = clean(&[]);
    assert!(code == Some(0) && said.contains("kept"), "{said}");
}
