//! What belongs to others stays as it is: files in the folder that `--index` names, what links lead to, and
//! the modes of files that are replaced. What is ours is its owner's alone.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use dupi::taboo::LISTS;

use crate::support::{Home, Said, text};

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

/// What a folder holds: names with contents.
fn contents(folder: &Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut contents: Vec<_> = entries.map(|path| (path.clone(), fs::read(path).ok())).collect();
    contents.sort();
    contents
}

/// A verb is refused, with a sentence that has all of these.
fn refused(output: &Said, words: &[&str]) {
    let said = &output.stderr;
    assert_eq!(output.code, Some(2), "{said}");
    for word in words {
        assert!(said.contains(word), "{word} is not in: {said}");
    }
}

#[test]
fn a_folder_of_others_is_refused_and_stays_as_it_is() {
    let home = corpus();
    for (number, file) in
        ["part1.segment", "chess.ranking", "manifest.json", "screen.json", "mounted", "writer.lock", "notes"]
            .into_iter()
            .enumerate()
    {
        let folder = home.at("..").join(format!("others{number}"));
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join(file), "{\"name\": \"mine\"}\n").unwrap();
        set_mode(&folder, 0o755);
        let before = contents(&folder);
        let index = ["--index", text(&folder)];
        for verb in [
            &["index"][..],
            &["index", "--rebuild"],
            &["extract"],
            &["taboo", "add", "some words to hide"],
            &["taboo", "undo"],
        ] {
            refused(&home.run(&[verb, &index].concat()), &[file, "--index"]);
            assert_eq!(contents(&folder), before, "{verb:?}");
        }
        let clean = home.run(&["clean", "--index", text(&folder)]);
        match file {
            "manifest.json" => refused(&clean, &["manifest.json"]),
            _ => assert_eq!(clean.code, Some(1), "there is no index"),
        }
        assert_eq!(contents(&folder), before);
        assert_eq!(mode(&folder), 0o755);
    }
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
fn among_the_files_of_an_index_those_of_others_stay() {
    let home = corpus();
    let folder = home.at("../index");
    let index = ["--index", text(&folder)];
    home.stdout(&[&["index"], &index[..]].concat());
    let others =
        ["part1.segment", "pencil.sketch", "tmp-x.segment", "1234567.segment", "0000000x.sketch", "notes"];
    for other in others {
        fs::write(folder.join(other), "mine").unwrap();
    }
    for (number, ours) in [
        "00000099.sketch",
        "tmp-00000098.ranking",
        "123456789.segment",
        "tmp-00000097.sketch",
        "tmp-manifest.json",
    ]
    .into_iter()
    .enumerate()
    {
        fs::write(folder.join(ours), "left behind").unwrap();
        home.write("new.txt", format!("another document, with the number {number}"));
        home.stdout(&[&["index"], &index[..]].concat());
        assert!(!folder.join(ours).exists(), "{ours}");
    }
    home.stdout(&[&["index", "--rebuild"], &index[..]].concat());
    home.stdout(&["clean", "--index", text(&folder)]);
    let left = contents(&folder);
    let mut expected = others.map(|other| (folder.join(other), Some(b"mine".to_vec())));
    expected.sort();
    assert_eq!(left, expected);
}

#[test]
fn an_index_is_not_kept_among_the_documents_themselves() {
    let home = corpus();
    home.write("cc/chapter.segment", "one two three four five six seven eight nine ten eleven twelve");
    refused(&home.run(&["index", "--index", "cc", "cc"]), &["cc", "--index"]);
    assert!(home.at("cc/chapter.segment").exists());
    // Nor where there are no documents yet, or the folder was an index's before.
    fs::create_dir(home.at("empty")).unwrap();
    refused(&home.run(&["index", "--index", "empty", "empty"]), &["empty", "--index"]);
    assert_eq!(fs::read_dir(home.at("empty")).unwrap().count(), 0);
    home.stdout(&["index", "--index", "kept", "cc"]);
    home.write("kept/documents/a.txt", "one two three four five six seven eight nine ten eleven twelve");
    refused(&home.run(&["index", "--index", "kept", "--rebuild", "kept/documents"]), &["kept", "--index"]);
}

#[test]
fn an_index_within_its_corpus_is_left_out_of_it_however_it_is_reached() {
    let home = corpus();
    symlink(home.at("kept"), home.at("../by-link")).unwrap();
    symlink(home.at("kept"), home.at("link")).unwrap();
    fs::create_dir(home.at("kept")).unwrap();
    for _ in 0..2 {
        let told = home.stdout(&["index", "--index", "../by-link", "--follow", "--hidden"]);
        assert!(told.starts_with("2 documents"), "{told}");
    }
    home.stdout(&["clean", "--index", "../by-link"]);
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
            assert!(outputs.iter().all(|output| output.is_done()), "{name}: {outputs:?}");
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
fn what_is_no_regular_file_is_refused_without_waiting_for_it() {
    let home = corpus();
    let folder = home.at("../index");
    let index = ["--index", text(&folder)];
    home.stdout(&[&["index"], &index[..]].concat());
    home.stdout(&[&["taboo", "add", "some words to hide"], &index[..]].concat());
    let segment = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .find(|name| name.ends_with(".segment"))
        .unwrap();
    for name in [&*segment, "manifest.json", "writer.lock", "taboo.toml", "decisions.jsonl", "taboo.lock"] {
        let path = folder.join(name);
        let aside = folder.join("aside");
        fs::rename(&path, &aside).unwrap();
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let verb = match name {
            "taboo.toml" | "decisions.jsonl" | "taboo.lock" => &["taboo", "add", "other words to hide"][..],
            _ => &["extract"],
        };
        refused(&home.run(&[verb, &index[..]].concat()), &[name, "FIFO", "--index"]);
        fs::rename(&aside, &path).unwrap();
    }
    // A list may be a link, but not to a device; that would be replaced.
    let list = folder.join("taboo.toml");
    fs::remove_file(&list).unwrap();
    symlink("/dev/null", &list).unwrap();
    refused(
        &home.run(&[&["taboo", "add", "more words to hide"], &index[..]].concat()),
        &["taboo.toml", "device"],
    );
    assert!(!fs::symlink_metadata("/dev/null").unwrap().is_file());
    assert!(home.run(&[&["extract"], &index[..]].concat()).code == Some(2));
}

#[test]
fn a_linked_list_is_changed_where_it_is_only_when_it_is_one() {
    let home = corpus();
    let folder = home.at("../index");
    let index = ["--index", text(&folder)];
    home.stdout(&[&["index"], &index[..]].concat());
    let real = home.at("../mine.toml");
    fs::write(&real, "").unwrap();
    set_mode(&real, 0o640);
    symlink(&real, folder.join("taboo.toml")).unwrap();
    home.stdout(&[&["taboo", "add", "some words to hide"], &index[..]].concat());
    assert!(fs::read_to_string(&real).unwrap().contains("some words") && mode(&real) == 0o640);
    let profile = home.at("../.profile");
    fs::write(&profile, "# nothing but a comment\n").unwrap();
    fs::remove_file(folder.join("taboo.toml")).unwrap();
    symlink(&profile, folder.join("taboo.toml")).unwrap();
    let output = home.run(&[&["taboo", "add", "other words to hide"], &index[..]].concat());
    refused(&output, &["taboo.toml", "link", ".toml"]);
    assert_eq!(fs::read_to_string(&profile).unwrap(), "# nothing but a comment\n");
}

#[test]
fn what_is_ours_is_its_owners_alone_also_where_the_folder_was_there() {
    let home = corpus();
    let folder = home.at("../index");
    fs::create_dir(&folder).unwrap();
    set_mode(&folder, 0o777);
    let state = home.at("../state/dupi-tui");
    fs::create_dir_all(&state).unwrap();
    set_mode(&state, 0o755);
    fs::write(state.join("dupi-tui.log"), "").unwrap();
    set_mode(&state.join("dupi-tui.log"), 0o644);
    let index = ["--index", text(&folder)];
    home.stdout(&[&["index"], &index[..]].concat());
    for verb in [
        &["taboo", "add", "some words to hide"][..],
        &["accept", "add", "one two three"],
        &["kind", "set", "one two three", "data"],
        &["kind", "aside", "licence"],
        &["exclude", "add", "b.txt", "--no-update"],
        &["passages", "--no-update"],
        &["index"],
    ] {
        home.stdout(&[verb, &index[..]].concat());
    }
    let names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    for ending in [".kept", ".hidden", ".segment", "decisions.jsonl"].iter().chain(&LISTS) {
        assert!(names.iter().any(|name| name.ends_with(ending)), "no {ending} among {names:?}");
    }
    for folder in [&folder, &state] {
        assert_eq!(mode(folder), 0o700, "{}", folder.display());
        let entries: Vec<PathBuf> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(!entries.is_empty());
        for path in entries {
            assert_eq!(mode(&path), 0o600, "{}", path.display());
        }
    }
    // The list is also its user's, who may have other plans.
    let list = folder.join("taboo.toml");
    for wanted in [0o400, 0o644, 0o660] {
        set_mode(&list, wanted);
        home.stdout(&[&["taboo", "add", &format!("words of mode {wanted:o}")], &index[..]].concat());
        assert_eq!(mode(&list), wanted);
    }
    set_mode(&folder, 0o755);
    home.stdout(&[&["taboo", "undo"], &index[..]].concat());
    assert_eq!(mode(&folder), 0o700);
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

#[test]
fn an_index_is_not_answered_from_and_built_anew_at_once() {
    let home = corpus();
    home.stdout(&["index"]);
    let output = home.run(&["extract", "--no-update", "--rebuild"]);
    refused(&output, &["--no-update", "--rebuild", "cannot be used with"]);
}

#[test]
fn a_list_that_cannot_be_imported_is_named_with_what_is_wrong_and_what_to_do() {
    let home = corpus();
    let import = |file: &Path| home.run(&["taboo", "import", text(file)]);
    let absent = import(&home.at("none.toml"));
    refused(&absent, &["none.toml: No such file or directory", "check the path"]);
    assert!(!absent.stderr.contains("os error"));
    refused(&import(&home.at(".")), &["it is a folder", "check the path"]);
    home.write("bad.toml", "[[taboo]]\ntext = 'a'\nadded = 3\n");
    let said = ["bad.toml, line 3, column 9", "correct it, and import it again"];
    refused(&import(&home.at("bad.toml")), &said);
    let output = home.run_with(&["taboo", "import", "-"], b"[[taboo]]\ntext = 'caf\xe9'\n");
    refused(&output, &["standard input, line 2, column 12: not UTF-8", "correct it"]);
}
