//! The house keeps its order. Cargo keeps the order of the crates; these tests keep that of the rooms in a crate. No file
//! grows too large, and only the modules that map files, give memory back and bind a program to this one are unsafe.

use std::fs;
use std::path::{Path, PathBuf};

use crate::imports::Modules;

/// The crates that have several rooms, with their rooms in the order in which they may import one another.
const ROOMS: [(&str, &[&str]); 5] = [
    ("base", &["parallel", "storage", "config", "corpus"]),
    ("text", &["token", "blot", "sketch"]),
    ("index", &["taboo", "index", "query"]),
    ("review", &["change", "review"]),
    ("session", &["protocol", "known", "rows", "preview", "decisions", "worker"]),
];
/// All crates; the program is the one at the root.
const CRATES: [&str; 12] = [
    "base", "text", "index", "passage", "judge", "near", "review", "report", "ingest", "session", "screen",
    "cli",
];
/// Crates, and folders in them ("" for all), in which files or folders still import each other in circles.
const NOT_IN_ORDER: [(&str, &str); 1] = [("judge", "kind")];
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

/// A source file's path below `src`.
fn inside(path: &Path) -> &Path {
    path.strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap()
}

/// The crate of a source file, and its module path there. The verbs are `cli`, although they are in the program's crate.
fn place_of(path: &Path) -> (&str, String) {
    let first = inside(path).iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
    let name = CRATES.into_iter().find(|name| *name == first).unwrap_or("");
    let root = if name == "cli" || name.is_empty() { Path::new("") } else { Path::new(name) };
    let module = inside(path).strip_prefix(root).unwrap().with_extension("");
    let parts: Vec<&str> = module.iter().map(|part| part.to_str().unwrap()).collect();
    (name, if parts == ["lib"] { String::new() } else { parts.join("::") })
}

#[test]
fn no_room_imports_a_room_behind_it() {
    let mut offences = Vec::new();
    for (path, text) in sources() {
        let (name, module) = place_of(&path);
        let Some((_, rooms)) = ROOMS.iter().find(|(several, _)| *several == name) else { continue };
        let own = module.split("::").next().unwrap();
        let Some(own) = rooms.iter().position(|room| *room == own) else { continue };
        for (number, line) in text.lines().enumerate() {
            if rooms[own + 1..].iter().any(|behind| line.contains(&format!("crate::{behind}"))) {
                offences.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn every_crate_and_every_room_is_there() {
    let places: Vec<(String, String)> = sources()
        .iter()
        .map(|(path, _)| place_of(path))
        .map(|(name, module)| (name.to_owned(), module.split("::").next().unwrap().to_owned()))
        .collect();
    for name in CRATES {
        assert!(places.iter().any(|place| place.0 == name), "{name}");
    }
    for (name, rooms) in ROOMS {
        for room in rooms {
            assert!(places.contains(&(name.to_owned(), (*room).to_owned())), "{name}::{room}");
        }
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
        let is_place = ["change/git.rs", "storage/map.rs", "storage/memory.rs"];
        let is_place = is_place.iter().any(|place| path.ends_with(place));
        assert_eq!(is_unsafe, is_place, "{}", path.display());
    }
}

/// The engine is told what to do by values, not by the words of a command line.
#[test]
fn only_the_command_line_knows_clap() {
    for (path, text) in sources() {
        let is_cli = place_of(&path).0 == "cli";
        assert!(is_cli || !text.contains("clap::"), "{}", path.display());
    }
}

/// Verbs and the screen's export hand over rows; a format is known in `report` alone.
#[test]
fn only_reports_write_rows_as_json() {
    for (path, text) in sources() {
        let is_verb = place_of(&path).0 == "cli" && !path.ends_with("cli/screen.rs");
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

/// The modules of a crate, without tests.
fn modules(name: &str) -> Modules {
    let is_test = |path: &Path| {
        let is_folder = path.iter().any(|part| part == "tests" || part == "fixture");
        is_folder || ["tests.rs", "fixture.rs"].iter().any(|ending| path.to_string_lossy().ends_with(ending))
    };
    let is_read = |path: &Path| !is_test(path) && !path.ends_with("main.rs");
    let texts = sources().into_iter().filter(|(path, _)| is_read(path) && place_of(path).0 == name);
    Modules::new(&texts.map(|(path, text)| (place_of(&path).1, text)).collect())
}

#[test]
fn no_files_of_a_crate_import_one_another_in_a_circle() {
    let circles = |name: &str| -> Vec<String> {
        modules(name).circles().into_iter().map(|circle| circle.join(", ")).collect()
    };
    let circles: Vec<String> = CRATES.into_iter().flat_map(circles).collect();
    assert!(circles.is_empty(), "{circles:#?}");
}

/// Files and folders of one folder import each other in one direction, but in those that are not in order yet.
#[test]
fn no_folders_import_one_another_in_a_circle() {
    for name in CRATES {
        let modules = modules(name);
        let mut circles = modules.circles_in_folders();
        circles.retain(|folder, _| !NOT_IN_ORDER.contains(&(name, *folder)));
        assert!(circles.is_empty(), "{name}: {circles:#?}");
    }
}
