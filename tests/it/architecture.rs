//! The house keeps its order: a room imports only rooms before it, no file grows too large, and only the
//! modules that map files, give memory back and bind a program to this one are unsafe.

use std::fs;
use std::path::{Path, PathBuf};

use crate::imports::Modules;

/// The rooms in the order of `src/lib.rs`. The two doors are last; `cli` opens `tui`.
const ROOMS: [&str; 18] = [
    "storage", "config", "corpus", "change", "token", "blot", "sketch", "taboo", "index", "query", "passage",
    "near", "review", "report", "ingest", "session", "tui", "cli",
];
const LONGEST: usize = 400;

fn sources() -> Vec<(PathBuf, String)> {
    below("src")
}

/// The Rust files below a folder of the repository, by path.
fn below(folder: &str) -> Vec<(PathBuf, String)> {
    fn collect(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push((path.clone(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut found = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
    found.sort();
    found
}

/// The room that a source file belongs to; `None` for `lib.rs` and `main.rs`.
fn room_of(path: &Path) -> Option<usize> {
    let inside = path.strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_str().unwrap();
    ROOMS.iter().position(|room| *room == first.trim_end_matches(".rs"))
}

#[test]
fn no_room_imports_a_room_behind_it() {
    let mut offences = Vec::new();
    for (path, text) in sources() {
        let Some(own) = room_of(&path) else { continue };
        for (number, line) in text.lines().enumerate() {
            for mention in line.split("crate::").skip(1) {
                let name: String = mention.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if ROOMS.iter().position(|room| *room == name).is_some_and(|used| used > own) {
                    offences.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
                }
            }
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn every_room_is_there() {
    let rooms: Vec<usize> = sources().iter().filter_map(|(path, _)| room_of(path)).collect();
    for (number, room) in ROOMS.iter().enumerate() {
        assert!(rooms.contains(&number), "{room}");
    }
}

#[test]
fn no_file_is_too_long_to_hold_in_the_head() {
    let long = |(path, text): (PathBuf, String)| {
        let lines = text.lines().count();
        (lines > LONGEST).then(|| format!("{}: {lines} lines", path.display()))
    };
    let long: Vec<String> = ["src", "tests"].into_iter().flat_map(below).filter_map(long).collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn only_maps_memory_and_the_end_of_a_program_are_unsafe() {
    for (path, text) in sources() {
        let is_unsafe = text.lines().any(|line| line.contains("unsafe {") || line.contains("unsafe fn"));
        let is_place = ["change/git.rs", "index/map.rs", "storage/memory.rs"];
        let is_place = is_place.iter().any(|place| path.ends_with(place));
        assert_eq!(is_unsafe, is_place, "{}", path.display());
    }
}

/// The engine is told what to do by values, not by the words of a command line.
#[test]
fn only_the_command_line_knows_clap() {
    for (path, text) in sources() {
        let is_cli = room_of(&path).is_some_and(|room| ROOMS[room] == "cli");
        assert!(is_cli || !text.contains("clap::"), "{}", path.display());
    }
}

/// Verbs and the screen's export hand over rows; a format is known in `report` alone.
#[test]
fn only_reports_write_rows_as_json() {
    for (path, text) in sources() {
        let is_verb =
            room_of(&path).is_some_and(|room| ROOMS[room] == "cli") && !path.ends_with("cli/screen.rs");
        let hands_over = is_verb || path.ends_with("session/worker/export.rs");
        assert!(!hands_over || !text.contains("serde_json"), "{}", path.display());
    }
}

/// What prints a path goes through `storage::shown`, which is harmless to a terminal and names each path exactly.
#[test]
fn no_path_is_printed_but_in_the_one_printable_form() {
    let mut offences = Vec::new();
    for (path, text) in sources() {
        for (number, line) in text.lines().enumerate() {
            let is_of_path = ["path", "folder", "file", "path()"]
                .iter()
                .any(|name| line.contains(&format!("{name}.to_string_lossy")));
            if line.contains(".display()") || is_of_path {
                offences.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

/// The module path of a source file.
fn module_of(path: &Path) -> String {
    let inside =
        path.strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap().with_extension("");
    let parts: Vec<&str> = inside.iter().map(|part| part.to_str().unwrap()).collect();
    if parts == ["lib"] { String::new() } else { parts.join("::") }
}

#[test]
fn no_files_of_a_room_import_one_another_in_a_circle() {
    let is_test =
        |path: &Path| path.iter().any(|part| part == "tests") || path.to_string_lossy().ends_with("tests.rs");
    let texts = sources().into_iter().filter(|(path, _)| !is_test(path) && !path.ends_with("main.rs"));
    let modules = Modules::new(&texts.map(|(path, text)| (module_of(&path), text)).collect());
    let circles: Vec<_> = ROOMS.into_iter().flat_map(|room| modules.circles(room)).collect();
    assert!(circles.is_empty(), "{circles:#?}");
}
