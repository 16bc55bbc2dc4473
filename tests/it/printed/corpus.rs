//! The corpus of hostile names and texts, and how a verb's output is looked at.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use crate::every_verb::AskedVerbs;
use crate::support::{Home, stream};

/// Each is the name of two files.
pub(super) const NAMES: [&[u8]; 15] = [
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
    b"::error::owned",
    b" ::add-mask::a",
    b"=1+1##[error]a##vso[task.x]",
    b"plain",
];
pub(super) const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{202e}\u{9b}2J";
pub(super) const BLAND: &str = "These are the words of a text that is long enough to be found as a passage of its own, \
                     whatever stands before it and behind it";

/// A corpus of hostile names and texts, in a folder with a hostile name.
pub(super) struct Corpus {
    pub(super) home: Home,
    pub(super) folder: PathBuf,
    pub(super) asked: AskedVerbs,
}

impl Corpus {
    pub(super) fn new() -> Self {
        let home = Home::new();
        let folder = home.at("the\u{1b}]2;x\u{7}folder");
        fs::create_dir(&folder).unwrap();
        for (number, name) in NAMES.iter().enumerate() {
            let words: String =
                BLAND.split(' ').map(|word| format!("{word}{number} \u{1b}[31m\u{202e}\u{9b}")).collect();
            let line = format!("::error{number}::in{number} ##[error]a{number}");
            for copy in ["a", "b"] {
                let name = OsString::from_vec([name, format!(".{copy}.txt").as_bytes()].concat());
                fs::write(folder.join(name), format!("{copy}\u{7} {words}\n{line}\n{copy}")).unwrap();
            }
        }
        fs::write(folder.join("empty\u{1b}]0;x\u{7}\nname.txt"), "").unwrap();
        fs::write(folder.join(".ignore"), format!("[z-a{HOSTILE}\n")).unwrap();
        Self { home, folder, asked: AskedVerbs::default() }
    }

    pub(super) fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Output {
        let mut command = self.home.command(&[]);
        command.current_dir(&self.folder).args(arguments).output().unwrap()
    }

    /// The lines that a verb prints; nothing of what it prints, on either stream, commands a terminal or a workflow run.
    pub(super) fn harmless<S: AsRef<OsStr>>(&self, arguments: &[S], code: i32) -> Vec<String> {
        self.asked.note(arguments);
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
        let all = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        let is_annotation = words.contains(&OsStr::new("github"));
        for line in all.lines().filter(|_| !is_annotation) {
            let commands = line.trim().starts_with("::") || line.contains("##[") || line.contains("##vso[");
            assert!(!commands, "{words:?}: {line:?}");
        }
        all.lines().map(str::to_owned).collect()
    }

    /// What a verb prints as JSON.
    pub(super) fn json(&self, arguments: &[&str]) -> Vec<Value> {
        let output = self.run(&[arguments, &["--json"]].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Reviews a change that adds a file with a hostile name.
    pub(super) fn review(&self) {
        let git = |arguments: &[&str]| {
            let mut command =
                self.home.command_of("git", &["-c", "user.name=me", "-c", "user.email=me@here"]);
            assert!(command.current_dir(&self.folder).args(arguments).status().unwrap().success());
        };
        git(&["init", "-q"]);
        git(&["add", "-A"]);
        git(&["commit", "-q", "-m", "all \u{1b}[2J of\u{202e} them"]);
        let new = self.folder.join("new\u{1b}]0;x\u{7}\n\u{202e}.txt");
        fs::copy(self.folder.join("plain.a.txt"), &new).unwrap();
        let said = self.harmless(&["review", "HEAD"], 1);
        assert!(said.iter().any(|line| line.contains("new\\x1b]0;x\\x07\\x0a")), "{said:#?}");
        self.harmless(&["review", "--blame", "HEAD"], 1);
        fs::remove_file(new).unwrap();
        let history = self.harmless(&["history"], 0);
        assert!(history.iter().any(|line| line.contains(" them")), "{history:#?}");
        fs::remove_dir_all(self.folder.join(".git")).unwrap();
    }

    pub(super) fn files(&self) -> BTreeSet<PathBuf> {
        let entries = fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap());
        let files = entries.filter(|entry| entry.metadata().unwrap().len() > 0);
        files
            .map(|entry| entry.file_name().into())
            .filter(|name: &PathBuf| name != Path::new(".ignore"))
            .collect()
    }
}
