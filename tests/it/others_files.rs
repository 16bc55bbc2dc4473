//! What belongs to others stays as it is: files in the folder that `--index` names, what links lead to, and
//! the modes of files that are replaced. What is ours is its owner's alone.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use dupi::taboo::LISTS;

use crate::support::{Home, text};

/// Enough words for a passage.
const SHARED: &str = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
                      seventeen eighteen nineteen twenty and all of them once more from the last one to the first";

/// Two documents that share a stretch.
fn corpus() -> Home {
    let home = Home::new();
    for name in ["a.txt", "b.txt"] {
        home.write(name, SHARED);
    }
    home
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_screen_is_not_opened_on_a_folder_of_others() {
    let home = corpus();
    home.write("../others/screen.json", "mine");
    let mut screen = home.open((80, 24), &["--index", "../others"], &[]);
    assert_eq!(screen.wait_for_end(), 2);
    assert_eq!(fs::read_to_string(home.at("../others/screen.json")).unwrap(), "mine");
}

#[test]
fn no_link_in_a_prepared_folder_is_followed() {
    let home = corpus();
    let folder = home.at("../index");
    let index = ["--index", text(&folder)];
    home.stdout(&[&["index"], &index[..]].concat());
    home.stdout(&[&["taboo", "add", "some words to hide"], &index[..]].concat());
    let target = home.at("../precious");
    let run = |verb: &[&str]| home.run(&[verb, &index[..]].concat());
    // What is kept has a name of its own.
    assert!(run(&["passages"]).is_done());
    let kept = |ending: &str| {
        let names =
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.into_iter().find(|name| name.ends_with(ending)).unwrap()
    };
    let caches = [kept(".kept"), kept(".hidden")];
    let drafts = caches.clone().map(|name| format!("tmp-{name}-0"));
    let lists = LISTS.map(|list| format!("tmp-{list}"));
    let locks = LISTS.map(|list| list.replace(".toml", ".lock"));
    let names = [
        "writer.lock",
        "manifest.json",
        "tmp-manifest.json",
        "decisions.jsonl",
        "tmp-decisions.jsonl",
        "decisions.lock",
        "mounted",
        "screen.json",
        "tmp-screen.json-0",
    ];
    let names = names.into_iter().map(str::to_owned);
    for (number, name) in names.chain(lists).chain(locks).chain(caches).chain(drafts).enumerate() {
        let name = &*name;
        fs::write(&target, "precious").unwrap();
        let path = folder.join(name);
        let before = fs::read(&path).ok();
        let _ = fs::remove_file(&path);
        symlink(&target, &path).unwrap();
        home.write("new.txt", format!("another document, with the number {number}"));
        let (word, left_out) = (format!("other words to hide {number}"), format!("{number}.txt"));
        home.write(&left_out, "left out");
        let writes = match name.trim_start_matches("tmp-") {
            of if of.starts_with("accepted.") => &["accept", "add", "one two three"][..],
            of if of.starts_with("kinds.") => &["kind", "set", "one two three", ["data", "code"][number % 2]],
            of if of.starts_with("aside.") => &["kind", ["show", "aside"][number % 2], "licence"],
            of if of.starts_with("excluded.") => &["exclude", "add", &left_out, "--no-update"],
            of if of.starts_with("passages-") => &["passages"],
            _ => &["taboo", "add", &word],
        };
        let outputs = [run(&["index"]), run(writes)];
        assert_eq!(fs::read_to_string(&target).unwrap(), "precious", "{name}");
        assert!(!fs::symlink_metadata(&target).unwrap().is_symlink());
        let is_cache = name.ends_with(".kept") || name.ends_with(".hidden");
        if name.starts_with("tmp-") || is_cache || name == "screen.json" {
            // A draft takes the link's place, or another name; what is only kept is found again.
            assert!(outputs.iter().all(super::support::Said::is_done), "{name}: {outputs:?}");
        } else {
            let said: String = outputs.iter().map(|output| &*output.stderr).collect();
            assert!(said.contains(name) && said.contains("link"), "{name}: {said}");
        }
        let _ = fs::remove_file(&path);
        if let Some(before) = before {
            fs::write(&path, before).unwrap();
        }
    }
    home.stdout(&[&["index"], &index[..]].concat());
}

#[test]
fn a_report_of_a_fault_is_its_owners_alone() {
    let home = corpus();
    let state = home.at("../state/dupi-tui");
    fs::create_dir_all(&state).unwrap();
    set_mode(&state, 0o755);
    let mut screen = home.open((80, 24), &[], &[("DUPI_PANIC", "here")]);
    screen.wait_for_end();
    let report = fs::read_dir(&state)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.file_name().unwrap().to_str().unwrap().starts_with("panic-"))
        .unwrap();
    assert_eq!((mode(&report), mode(&state)), (0o600, 0o700));
}
