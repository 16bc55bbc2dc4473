//! Files with hostile names and hostile text: whatever verb is asked, nothing of them commands the terminal or
//! forges a row, and every name that is printed can be given again.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::Output;

use dupi::storage::unspelled;
use serde_json::Value;

use crate::support::{Home, stream};

/// Each is the name of two files.
const NAMES: [&[u8]; 12] = [
    b"\x1b]52;c;cm0gLXJmIH4=\x07",
    b"two\nlines\tand\rmore",
    b"\xff\xfe",
    b"\xff\xfd",
    b"\xc2\x9b31m\x9b31m",
    "\u{202e}gnp\u{2066}".as_bytes(),
    "\u{200b}\u{feff}\u{ad}\u{2028}".as_bytes(),
    b"-dash",
    b" spaces ",
    b"back\\slash \\xff",
    b"\x08\x7f\x1b[2J",
    b"plain",
];
const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{202e}\u{9b}2J";
const BLAND: &str = "These are the words of a text that is long enough to be found as a passage of its own, \
                     whatever stands before it and behind it";

struct Corpus {
    home: Home,
    folder: PathBuf,
}

impl Corpus {
    fn new() -> Self {
        let home = Home::new();
        let folder = home.at("the\u{1b}]2;x\u{7}folder");
        fs::create_dir(&folder).unwrap();
        for (number, name) in NAMES.iter().enumerate() {
            let words: String =
                BLAND.split(' ').map(|word| format!("{word}{number} \u{1b}[31m\u{202e}\u{9b}")).collect();
            for copy in ["a", "b"] {
                let name = OsString::from_vec([name, format!(".{copy}.txt").as_bytes()].concat());
                fs::write(folder.join(name), format!("{copy}\u{7} {words}\n{copy}")).unwrap();
            }
        }
        fs::write(folder.join("empty\u{1b}]0;x\u{7}\nname.txt"), "").unwrap();
        fs::write(folder.join(".ignore"), format!("[z-a{HOSTILE}\n")).unwrap();
        Self { home, folder }
    }

    fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Output {
        let mut command = self.home.command(&[]);
        command.current_dir(&self.folder).args(arguments).output().unwrap()
    }

    /// The lines that a verb prints; nothing of what it prints, on either stream, commands a terminal.
    fn harmless<S: AsRef<OsStr>>(&self, arguments: &[S], code: i32) -> Vec<String> {
        let output = self.run(arguments);
        let words: Vec<&OsStr> = arguments.iter().map(AsRef::as_ref).collect();
        let check = |bytes: &[u8]| {
            for line in bytes.split(|byte| matches!(byte, b'\n' | b'\t')) {
                assert!(!line.contains(&0x1b), "{words:?}: {:?}", String::from_utf8_lossy(line));
                stream::text(line).unwrap_or_else(|what| panic!("{words:?}: {what}"));
            }
        };
        check(&output.stdout);
        check(&output.stderr);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {said}");
        let all = [output.stdout, output.stderr].concat();
        String::from_utf8(all).unwrap().lines().map(str::to_owned).collect()
    }

    /// What a verb prints as JSON.
    fn json(&self, arguments: &[&str]) -> Vec<Value> {
        let output = self.run(&[arguments, &["--json"]].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn files(&self) -> BTreeSet<PathBuf> {
        let entries = fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap());
        let files = entries.filter(|entry| entry.metadata().unwrap().len() > 0);
        files
            .map(|entry| entry.file_name().into())
            .filter(|name: &PathBuf| name != Path::new(".ignore"))
            .collect()
    }
}

#[test]
fn no_verb_sends_a_control_to_the_terminal_or_breaks_a_row() {
    let corpus = Corpus::new();
    let files = NAMES.len() * 2;
    corpus.harmless(&["index"], 0);
    corpus.harmless(&["inspect"], 0);
    let skipped = corpus.harmless(&["inspect", "--skipped"], 0);
    assert_eq!(skipped.len(), 2, "{skipped:#?}");
    let passages = corpus.harmless(&["passages", "--edits", "--context", "3"], 0);
    let is_copy = |line: &&String| line.starts_with('\t') && line.contains(".txt:1:");
    assert_eq!(passages.iter().filter(is_copy).count(), files, "{passages:#?}");
    let documents = corpus.harmless(&["documents"], 0);
    assert_eq!(documents.len(), files + 1);
    assert_eq!(corpus.harmless(&["files"], 0).len(), files + 2);
    for near in [&["near", "--threshold", "0.1"][..], &["near", "--threshold", "0.1", "--pairs"]] {
        assert!(corpus.harmless(near, 0).len() > 2, "{near:?}");
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
    corpus.harmless(&["taboo", "add", &format!("{HOSTILE} {BLAND}"), "--reason", HOSTILE], 0);
    corpus.harmless(&["taboo", "list"], 0);
    corpus.harmless(&["taboo", "undo"], 0);
    corpus.harmless(&["taboo", "log"], 0);
    corpus.harmless(&["taboo", "redo"], 0);
    corpus.harmless(&["taboo", "remove", "1"], 0);
    for name in corpus.files() {
        let path = Path::new(".").join(&name);
        let found = corpus.harmless(&[OsStr::new("like"), path.as_os_str()], 0);
        assert_eq!(found.iter().filter(|line| line.contains("resemblance")).count(), 2, "{name:?}");
        corpus.harmless(&[OsStr::new("blot"), path.as_os_str()], 0);
    }
    corpus.harmless(&["clean"], 0);
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
    for words in [
        &["index", &none][..],
        &["passages", "-C", &none],
        &["like", &none],
        &["blot", &none],
        &["like", "."],
        &["near", "--like", &none],
        &["near", "--method", &none],
        &["near", "--path", &format!("[z-a{HOSTILE}")],
        &["files", &none],
        &["documents", "--sort", &none],
        &["extract", "--filter", &format!("path:{HOSTILE}\" zzz:1")],
        &["extract", "--top", &none],
        &["unblot", &none],
        &[&format!("--{none}")],
        &["passages", "--glob", &format!("[z-a{HOSTILE}")],
        &["index", "--type", &none],
        &["extract", "--no-update", "--index", &none],
        &["taboo", "import", &bad],
        &["taboo", "import", &none],
        &["taboo", "export", &deep],
        &["filter", "save", &none, "zzz:1"],
        &["config", "--path", "--check"],
    ] {
        let said = corpus.harmless(words, 2);
        assert!(!said.iter().any(|line| line.starts_with("forged") && line.contains("dupi-tui")), "{said:?}");
    }
    corpus.harmless(&[OsStr::new("like"), &not_utf8], 2);
    corpus.harmless(&[OsStr::new("index"), &not_utf8], 2);
    // What is damaged is named.
    let damaged = corpus.home.at(&format!("index{HOSTILE}\n"));
    fs::create_dir(&damaged).unwrap();
    fs::write(damaged.join("manifest.json"), "{").unwrap();
    let index = damaged.as_os_str();
    corpus.harmless(&[OsStr::new("extract"), OsStr::new("--no-update"), OsStr::new("--index"), index], 2);
    fs::create_dir_all(corpus.home.settings().parent().unwrap()).unwrap();
    fs::write(corpus.home.settings(), format!("theme = \"{}\"\n", "\\u001b[2J\\u202e")).unwrap();
    corpus.harmless(&["config", "--check"], 2);
    corpus.harmless(&["config"], 0);
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
        let shown = dupi::storage::shown(&unspelled(name.as_ref())).to_string();
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
