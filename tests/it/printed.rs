//! Files with hostile names and hostile text: whatever verb is asked, nothing of them commands the terminal or
//! forges a row, and every name that is printed can be given again.

mod corpus;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use dupi::report::FORMATS;
use dupi::storage::{uncommanded, unspelled};
use dupi::taboo::LISTS;
use serde_json::Value;

use crate::every_verb::command_lines;
use crate::support::{Screen, program, stream};
use corpus::{BLAND, Corpus, HOSTILE, NAMES};

#[test]
fn no_verb_sends_a_control_to_the_terminal_or_breaks_a_row() {
    let corpus = Corpus::new();
    let files = NAMES.len() * 2;
    corpus.harmless(&["index"], 0);
    let (plan, parts, joined) =
        (format!("../../plan{HOSTILE}"), format!("../../parts{HOSTILE}"), format!("../../joined{HOSTILE}"));
    corpus.harmless(&["segment", "plan", "--tasks", "1", "--out", &plan], 0);
    corpus.harmless(&["segment", "build", "--plan", &plan, "--task", "0", "--out", &parts], 0);
    corpus.harmless(&["segment", "adopt", &parts, "--index", &joined], 0);
    let near: Vec<&str> = ["--index", &joined, "--blocks", "1", "--out", &parts].into();
    corpus.harmless(&[&["segment", "shatter", "near", "--task", "0"], &near[..]].concat(), 0);
    corpus.harmless(&[&["segment", "query", "near", "--task", "0"], &near[..]].concat(), 0);
    corpus.harmless(&[&["segment", "tally", "near"], &near[..]].concat(), 2);
    corpus.harmless(&["spark", "index", "--spark-submit", &plan], 2);
    corpus.harmless(&["spark", "near", "--index", &joined, "--spark-submit", &plan], 2);
    corpus.harmless(&["spark", "passages", "--spark-submit", &plan], 2);
    let blocks = format!("../../blocks{HOSTILE}");
    let query = ["segment", "query", "passages", "--index", &joined, "--out", &blocks, "--blocks", "1"];
    let tally = ["segment", "tally", "blots", "--index", &joined, "--out", &blocks];
    let file = corpus.harmless(&tally, 0).remove(0);
    corpus.harmless(&[&query[..], &["--gap", "0", "--repeated", &file, "--task", "0"]].concat(), 0);
    fs::remove_dir_all(corpus.folder.join(&blocks)).unwrap();
    corpus.harmless(&[&query[..], &["--task", "0"]].concat(), 0);
    corpus.harmless(&["passages", "--index", &joined, "--reduce", &blocks], 0);
    corpus.harmless(&["inspect"], 0);
    let skipped = corpus.harmless(&["inspect", "--skipped"], 0);
    assert_eq!(skipped.len(), 2, "{skipped:#?}");
    let passages = corpus.harmless(&["passages", "--edits", "--context", "3"], 0);
    let is_copy = |line: &&String| line.starts_with('\t') && line.contains(".txt:1:");
    assert_eq!(passages.iter().filter(is_copy).count(), files, "{passages:#?}");
    // Those that are JSON, or have it in them, are exact as `--json` is, except on a terminal.
    for format in ["markdown", "github", "dot"] {
        corpus.harmless(&["passages", "--format", format], 0);
    }
    let documents = corpus.harmless(&["documents"], 0);
    assert_eq!(documents.len(), files + 1);
    assert_eq!(corpus.harmless(&["files"], 0).len(), files + 2);
    for near in [&["--threshold", "0.1"][..], &["--threshold", "0.1", "--pairs"]] {
        assert!(corpus.harmless(&[&["near"], near].concat(), 0).len() > 2, "{near:?}");
    }
    for method in ["identical", "minhash", "simhash", "spotsigs"] {
        let near = corpus.run(&["near", "--method", method]).status.code().unwrap();
        corpus.harmless(&["near", "--method", method], near);
    }
    let blots = corpus.harmless(&["extract", "-b"], 0);
    let rows = corpus.harmless(&["extract"], 0);
    assert_eq!(rows.len(), blots.len() * 3, "a blot and two documents each");
    let words = [&["unblot".to_owned()], &blots[..]].concat();
    let snippets = corpus.harmless(&words, 0);
    assert!(snippets.iter().all(|line| line.starts_with('\t') || line.contains(" 2 copies: ")));
    corpus.harmless(&["accept", "add", &passages[0][..16], "--reason", HOSTILE], 0);
    corpus.harmless(&["accept", "list"], 0);
    corpus.harmless(&["accept", "remove", "1"], 0);
    corpus.harmless(&["kind", "set", &passages[0][..16], "licence"], 0);
    corpus.harmless(&["kind", "aside", "licence"], 0);
    corpus.harmless(&["kind", "show", "code"], 0);
    assert_eq!(corpus.harmless(&["kind", "list"], 0).len(), 3);
    corpus.harmless(&["kind", "remove", "1"], 0);
    corpus.harmless(&["filter", "save", "mine", &format!("'\"{HOSTILE}\"")], 0);
    assert_eq!(corpus.harmless(&["filter", "list"], 0).len(), 1);
    corpus.harmless(&["filter", "remove", "mine"], 0);
    corpus.harmless(&["taboo", "add", &format!("{HOSTILE} {BLAND}"), "--reason", HOSTILE], 0);
    corpus.harmless(&["taboo", "reason", "1", &format!("{HOSTILE}\n{HOSTILE}")], 0);
    corpus.harmless(&["taboo", "list"], 0);
    corpus.harmless(&["taboo", "report"], 0);
    corpus.harmless(&["taboo", "undo"], 0);
    corpus.harmless(&["taboo", "log"], 0);
    corpus.harmless(&["taboo", "redo"], 0);
    corpus.harmless(&["taboo", "remove", "1"], 0);
    corpus.review();
    for name in corpus.files() {
        let path = Path::new(".").join(&name);
        let found = corpus.harmless(&[OsStr::new("like"), path.as_os_str()], 0);
        assert_eq!(found.iter().filter(|line| line.contains("resemblance")).count(), 2, "{name:?}");
        corpus.harmless(&[OsStr::new("blot"), path.as_os_str()], 0);
        if name.as_os_str().as_bytes().ends_with(b".a.txt") {
            let near = ["near", "--threshold=0.1", "--like"].map(OsStr::new);
            let near = corpus.harmless(&[&near[..], &[path.as_os_str()]].concat(), 0);
            assert_eq!(near.len(), 3, "{name:?}: a head and two documents");
        }
    }
    let names: Vec<PathBuf> = corpus.files().iter().map(|name| Path::new(".").join(name)).collect();
    let names: Vec<&OsStr> = names.iter().map(|name| name.as_os_str()).collect();
    let hashes = ["simhash", "hash", "-i"].map(OsStr::new);
    assert_eq!(corpus.harmless(&[&hashes[..], &names].concat(), 0).len(), files);
    let exclude = ["exclude", "add", "--reason", HOSTILE, "--"].map(OsStr::new);
    assert_eq!(corpus.harmless(&[&exclude[..], &names].concat(), 0).len(), files);
    assert_eq!(corpus.harmless(&["exclude", "list"], 0).len(), files);
    corpus.harmless(&["exclude", "remove", "1"], 0);
    assert_eq!(corpus.harmless(&["taboo", "undo"], 0).len(), 1);
    corpus.harmless(&["config"], 0);
    corpus.harmless(&["completions", "bash"], 0);
    corpus.harmless(&["man"], 0);
    corpus.harmless(&["clean"], 0);
    // The list for other programs is exact, and so are records; lists of numbers name nothing.
    corpus.asked.check_all_but(&[
        "segment shatter blots",
        "simhash find-all",
        "simhash find-clusters",
        "taboo export",
        "taboo import",
    ]);
}

#[test]
fn no_name_of_a_folder_is_printed_raw() {
    let corpus = Corpus::new();
    for folder in ["one\u{1b}[2J\n\u{202e}", "two\u{7}\n\u{9b}31m"] {
        let folder = corpus.folder.join(folder);
        fs::create_dir_all(folder.join("sub\u{1b}c")).unwrap();
        for (file, own) in [("a\u{1b}c.txt", "first"), ("sub\u{1b}c/b\r.txt", "second"), ("c.txt", "third")] {
            fs::write(folder.join(file), format!("{own} of them: {BLAND}, and behind it {own}")).unwrap();
        }
    }
    let passages = corpus.harmless(&["passages", "--aside", "none", "--members"], 0);
    let row = passages.iter().find(|line| line.contains("2 identical folders")).unwrap();
    assert!(row.contains("one\\x1b[2J\\x0a"), "{row}");
    corpus.harmless(&["accept", "add", &row[..16]], 0);
    corpus.harmless(&["accept", "list"], 0);
    corpus.harmless(&["kind", "set", &row[..16], "data"], 0);
    corpus.harmless(&["kind", "list"], 0);
    fs::write(corpus.folder.join("two\u{7}\n\u{9b}31m/more\u{1b}[2J.txt"), "not in the other one").unwrap();
    let trees = corpus.harmless(&["near", "--method", "identical", "--threshold", "0.5"], 0).join("\n");
    assert!(trees.contains("one\\x1b[2J") && trees.contains("more\\x1b[2J"), "{trees}");
    corpus.harmless(&["files"], 0);
    corpus.harmless(&["exclude", "add", "one\u{1b}[2J\n\u{202e}"], 0);
    corpus.harmless(&["exclude", "remove", "one\u{1b}[2J\n\u{202e}/c.txt"], 1);
}

#[test]
fn no_error_sends_a_control_to_the_terminal() {
    let corpus = Corpus::new();
    corpus.harmless(&["index", "--quiet"], 0);
    let none = format!("none{HOSTILE}\nforged");
    let deep = format!("{none}/deep");
    let bad = format!("bad{HOSTILE}\n.toml");
    fs::write(corpus.folder.join(&bad), format!("[[entry]]\n{HOSTILE} = 7\n")).unwrap();
    let not_utf8 = OsString::from_vec(b"none\x9b\xff\x1b[2J".to_vec());
    let named = [("{none}", &none), ("{deep}", &deep), ("{bad}", &bad), ("{hostile}", &HOSTILE.to_owned())];
    for line in command_lines(include_str!("printed/verbs.txt"), "refused") {
        let filled = |word: &&str| {
            named.iter().fold((*word).to_owned(), |word, (name, text)| word.replace(name, text))
        };
        let words: Vec<String> = line.iter().map(filled).collect();
        let said = corpus.harmless(&words, 2);
        assert!(!said.iter().any(|line| line.starts_with("forged") && line.contains("dupi-tui")), "{said:?}");
    }
    corpus.harmless(&[OsStr::new("like"), &not_utf8], 2);
    corpus.harmless(&[OsStr::new("index"), &not_utf8], 2);
    let damaged = damaged(&corpus);
    let index = damaged.as_os_str();
    for words in command_lines(include_str!("printed/verbs.txt"), "damaged") {
        let words: Vec<&OsStr> = words.iter().map(OsStr::new).chain(["--index".as_ref(), index]).collect();
        // A damaged index can be removed, and its lists stay.
        corpus.harmless(&words, if words[0] == "clean" { 0 } else { 2 });
    }
    // A damaged journal is moved aside, and that is said.
    for turn in ["log", "undo", "redo"] {
        fs::write(damaged.join("decisions.jsonl"), format!("null\n{{\"{HOSTILE}\": 7}}\n")).unwrap();
        let words = ["taboo", turn, "--index"].map(OsStr::new);
        let said = corpus.harmless(&[&words[..], &[index]].concat(), 1);
        assert!(said.iter().any(|line| line.contains("decisions.damaged")), "{turn}: {said:?}");
    }
    fs::create_dir_all(corpus.home.settings().parent().unwrap()).unwrap();
    fs::write(corpus.home.settings(), format!("theme = \"{}\"\n", "\\u001b[2J\\u202e")).unwrap();
    corpus.harmless(&["config", "--check"], 2);
    corpus.harmless(&["config"], 0);
    let filters = corpus.home.settings().with_file_name("filters.toml");
    fs::write(filters, "a = 'x'\n\"\\u001b[2J\\u202e\" = 'y'\n").unwrap();
    for words in [&["list"][..], &["save", "one", "x"], &["remove", "one"]] {
        corpus.harmless(&[&["filter"], words].concat(), 2);
    }
    corpus.asked.check_all_but::<&str>(&[]);
}

/// The folder of an index of which nothing can be read: each file has a sign that is no TOML, or a name that it quotes.
fn damaged(corpus: &Corpus) -> PathBuf {
    let folder = corpus.home.at(&format!("index{HOSTILE}\n"));
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("manifest.json"), "{\"version\":1,\"generation\":").unwrap();
    for (number, list) in LISTS.into_iter().enumerate() {
        let text = match number % 2 {
            0 => format!("[[{}]]\n\"\\u001b[2J\\u202e\\u009b\" = 7\n", list.trim_end_matches(".toml")),
            _ => format!("{HOSTILE} = 7\n"),
        };
        fs::write(folder.join(list), text).unwrap();
    }
    folder
}

/// What is exact for other programs is not where a person reads it.
#[test]
fn what_is_for_other_programs_is_harmless_on_a_terminal() {
    let corpus = Corpus::new();
    let folder = corpus.folder.file_name().unwrap().to_str().unwrap();
    corpus.harmless(&["taboo", "add", &format!("{HOSTILE} {BLAND}")], 0);
    let formats: Vec<Vec<&str>> = FORMATS
        .iter()
        .map(|format| vec!["passages", "--top", "3", "--color", "never", "--format", format.name])
        .collect();
    let exact = [vec!["taboo", "export", "-"], vec!["near", "--threshold", "0.1", "--emit", "drop", "-0"]];
    for verb in exact.into_iter().chain(formats) {
        // Without the bar of the progress, which moves the cursor.
        let mut command = corpus.home.command_in_terminal("/bin/sh".into(), &[]);
        command.args(["-c", "exec \"$0\" \"$@\" 2>/dev/null"]);
        command.arg(program());
        command.args([&verb, &["-C", folder][..]].concat());
        let mut screen = Screen::start(command, (200, 60));
        assert_eq!(screen.wait_for_end(), 0, "{verb:?}");
        let is_space = |byte: &u8| matches!(byte, b'\n' | b'\r' | b'\t' | 0);
        let bytes: Vec<u8> = screen.bytes.iter().filter(|byte| !is_space(byte)).copied().collect();
        assert!(!bytes.contains(&0x1b), "{verb:?}");
        let said = stream::text(&bytes).unwrap_or_else(|what| panic!("{verb:?}: {what}"));
        assert!(said.len() > 100, "{verb:?}: {said}");
    }
}

#[test]
fn every_name_in_json_is_one_files_and_can_be_given_again() {
    let corpus = Corpus::new();
    let path = |row: &Value| row["path"].as_str().unwrap().to_owned();
    let documents: Vec<String> = corpus.json(&["documents"]).iter().map(path).collect();
    let named: BTreeSet<PathBuf> = documents.iter().map(|name| unspelled(name.as_ref())).collect();
    assert_eq!(named, corpus.files());
    assert_eq!(documents.len(), named.len(), "no two files are named alike");
    // Names are exact, but for what is no text and what would be taken for it.
    assert!(documents.contains(&"\u{1b}]52;c;cm0gLXJmIH4=\u{7}.a.txt".to_owned()));
    assert!(documents.contains(&"\\xff\\xfe.a.txt".to_owned()));
    assert!(documents.contains(&"back\\slash \\x5cxff.a.txt".to_owned()));
    let seen = corpus.harmless(&["documents"], 0).join("\n");
    for name in documents.iter().filter(|name| name.ends_with(".a.txt")) {
        let other = name.replace(".a.", ".b.");
        // As an argument that is a path, as a pattern, and as a folder or file of the corpus. In a pattern
        // signs have a meaning, unless they are escaped too.
        let pattern = name.replace('[', "\\x5b").replace("\\slash", "\\x5cslash");
        let like = corpus.json(&["like", &format!("./{name}")]);
        let found: BTreeSet<String> = like.iter().map(path).collect();
        assert_eq!(found, BTreeSet::from([name.clone(), other.clone()]), "{name:?}");
        let of = corpus.json(&["documents", &format!("--path=/{pattern}")]);
        assert_eq!(of.iter().map(path).collect::<Vec<_>>(), [name.as_str()]);
        let files = corpus.json(&["files", &format!("./{name}")]);
        assert_eq!(files.iter().map(path).collect::<Vec<_>>(), [name.as_str()]);
        let quoted = format!("/{pattern}").replace('\\', "\\\\").replace('"', "\\\"");
        let passages = corpus.json(&["passages", "--filter", &format!("path:\"{quoted}\"")]);
        assert_eq!(passages.len(), 1, "{name:?}");
        // What a person sees names it too.
        let shown = format!("./{}", dupi::storage::shown(&unspelled(name.as_ref())));
        let shown = uncommanded(&shown)["./".len()..].to_owned();
        assert!(seen.contains(&shown), "{shown}");
        let like = corpus.json(&["like", &format!("./{shown}")]);
        assert!(like.iter().map(path).any(|found| found == *name), "{shown}");
    }
    let list: Vec<u8> =
        documents.iter().take(4).map(|name| format!("{name}\0")).collect::<String>().into_bytes();
    let mut command = corpus.home.command(&["index", "-", "--json", "--index"]);
    command.arg(corpus.home.at("list")).current_dir(&corpus.folder).stdin(std::process::Stdio::piped());
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), &list).unwrap();
    let summary: Value = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(summary["documents"], 4);
    assert!(documents.iter().all(|name| !name.as_bytes().contains(&0xff)));
    let raw = OsStr::from_bytes(b"./\xff\xfe.a.txt");
    assert_eq!(corpus.harmless(&[OsStr::new("like"), raw], 0).len(), 4, "a name as it is will do");
}
