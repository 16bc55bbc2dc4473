//! Verbs that make, rebuild and remove an index.

use crate::support::{Home, text};
use dupi::index::FORMAT_VERSION;
use dupi::index::manifest::{Manifest, VERSION};
use dupi::storage::Folder;

/// Two documents that share words.
fn corpus() -> Home {
    let home = Home::new();
    for name in ["a.txt", "b.txt"] {
        home.write(name, format!("{name} says that the quick brown fox jumps over the lazy dog"));
    }
    home
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
