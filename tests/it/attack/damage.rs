//! Every file of an index is damaged or replaced in every way, and every verb is run on what is left.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use dupi::taboo::LISTS;

use super::trial::{Limits, Outcome, run};
use crate::every_verb::AskedVerbs;
use crate::support::Home;
use crate::support::page::figure;

/// How a file of the index is changed.
#[derive(Clone, Copy, Debug)]
enum Damage {
    Gone,
    Empty,
    Half,
    /// A bit is flipped, at this part of a hundred of the file.
    Flipped(usize),
    /// Bytes of something else.
    Foreign,
    /// A link to a file outside the index with the same bytes.
    Link,
    /// A link to a file outside the index that is nobody's business.
    LinkToPrecious,
    /// A pipe that nobody writes to.
    Fifo,
    Folder,
}

const DAMAGES: [Damage; 11] = [
    Damage::Gone,
    Damage::Empty,
    Damage::Half,
    Damage::Flipped(2),
    Damage::Flipped(50),
    Damage::Flipped(98),
    Damage::Foreign,
    Damage::Link,
    Damage::LinkToPrecious,
    Damage::Fifo,
    Damage::Folder,
];

/// Names that a writer uses for a moment. A prepared folder may have them as well.
const PREPARED: [&str; 4] =
    ["tmp-manifest.json", "tmp-taboo.toml", "tmp-accepted.toml", "tmp-decisions.jsonl"];

static VERBS: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| super::listed("damaged"));

/// A patch to review.
const PATCH: &str = "--- a/a.txt\n+++ b/a.txt\n@@ -0,0 +1 @@\n+some words\n";

const PRECIOUS: &str = "what = 'nobody may write to'\n";

/// A corpus, its index, and a copy of that index as it was.
struct Victim {
    home: Home,
    files: Vec<String>,
    /// What each verb prints when nothing is damaged.
    expected: BTreeMap<usize, String>,
}

impl Victim {
    fn new() -> Self {
        let home = Home::new();
        for (name, word) in [("a", "apple"), ("b", "bread"), ("c", "cheese"), ("d", "dates")] {
            let shared = "the same sentence is written in each of these documents to be found as a passage by whoever \
                          looks for more than five and twenty tokens in a row that stand twice";
            home.write("f.txt", "figs are excluded, whatever is written about them in here");
            home.write(
                &format!("{name}.txt"),
                format!("{word} {word} comes first and then {shared} {word}\n"),
            );
        }
        let victim = Self { home, files: Vec::new(), expected: BTreeMap::new() };
        for arguments in [
            &["index", "-q"][..],
            &["taboo", "add", "some words that are hidden", "--reason", "mine"],
            &["accept", "add", "comes first"],
            &["kind", "set", "comes first", "prose"],
            &["kind", "aside", "licence"],
            &["exclude", "add", "f.txt"],
            &["taboo", "add", "a.txt"],
            &["taboo", "undo"],
        ] {
            assert!(run(&victim.home, arguments, Limits::default()).is_done(), "{arguments:?}");
        }
        // Another commit, so that there are two segments.
        victim
            .home
            .write("e.txt", "eggs and nothing else but what is written in this document alone today\n");
        // The passages are kept, and which of them are hidden.
        for arguments in [&["index", "-q"][..], &["passages"]] {
            assert!(run(&victim.home, arguments, Limits::default()).is_done());
        }
        copy(&victim.index(), &victim.pristine());
        let mut files: Vec<String> = fs::read_dir(victim.index())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        for ending in ["segment", "kept", "hidden", "manifest.json", "decisions.jsonl"].iter().chain(&LISTS) {
            assert!(files.iter().any(|name| name.ends_with(ending)), "no {ending} among {files:?}");
        }
        files.extend(PREPARED.map(str::to_owned));
        let expected = VERBS.iter().enumerate().map(|(number, verb)| {
            victim.restore();
            let outcome = run(&victim.home, verb, Limits::default());
            outcome.check(&format!("{verb:?} undamaged"));
            (number, outcome.stdout)
        });
        let expected = expected.collect();
        Self { files, expected, ..victim }
    }

    fn index(&self) -> PathBuf {
        self.home.at("../index")
    }

    fn pristine(&self) -> PathBuf {
        self.home.at("../pristine")
    }

    /// A list that can be read, outside of the index.
    fn precious(&self) -> PathBuf {
        self.home.at("../precious.toml")
    }

    fn restore(&self) {
        let _ = fs::remove_dir_all(self.index());
        let _ = fs::remove_dir_all(self.home.at("../plan"));
        let _ = fs::remove_dir_all(self.home.at("../blocks"));
        copy(&self.pristine(), &self.index());
        fs::write(self.precious(), PRECIOUS).unwrap();
        fs::write(self.home.at("../patch"), PATCH).unwrap();
    }

    fn damage(&self, name: &str, damage: Damage) {
        let path = self.index().join(name);
        let bytes = fs::read(&path).unwrap_or_default();
        let _ = fs::remove_file(&path);
        match damage {
            Damage::Gone => {}
            Damage::Empty => fs::write(&path, b"").unwrap(),
            Damage::Half => fs::write(&path, &bytes[..bytes.len() / 2]).unwrap(),
            Damage::Flipped(share) => {
                let mut bytes = bytes;
                let at = bytes.len() * share / 100;
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << (at % 8);
                }
                fs::write(&path, bytes).unwrap();
            }
            Damage::Foreign => fs::write(&path, "bytes of something else entirely\n".repeat(40)).unwrap(),
            Damage::Link => {
                let target = self.home.at("../elsewhere");
                fs::write(&target, bytes).unwrap();
                symlink(target, &path).unwrap();
            }
            Damage::LinkToPrecious => symlink(self.precious(), &path).unwrap(),
            Damage::Fifo => {
                let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
                assert!(made.success());
            }
            Damage::Folder => fs::create_dir(&path).unwrap(),
        }
    }

    /// Runs a verb on a damaged index.
    fn trial(&self, name: &str, damage: Damage, verb: usize) -> Outcome {
        self.restore();
        self.damage(name, damage);
        let outcome = run(&self.home, &VERBS[verb], Limits::default());
        let what = format!("{:?} with {name} {damage:?}", VERBS[verb]);
        outcome.check(&what);
        assert_eq!(fs::read_to_string(self.precious()).unwrap(), PRECIOUS, "{what} wrote outside the index");
        let is_of_the_index = ["manifest.json", ".segment", ".ranking", ".kept", ".hidden"]
            .iter()
            .any(|ending| name.ends_with(ending));
        let answers = matches!(
            VERBS[verb][0],
            "extract" | "passages" | "documents" | "files" | "near" | "like" | "unblot"
        );
        if is_of_the_index && answers && outcome.status.is_some_and(|status| status.code() == Some(0)) {
            assert_eq!(outcome.stdout, self.expected[&verb], "{what}: another answer");
        }
        outcome
    }

    /// Every `step`-th trial of all: how many were made, how many failed with a sentence, and the slowest.
    fn trials(&self, step: usize) -> (usize, usize, Outcome) {
        let all = self.files.iter().flat_map(|name| {
            DAMAGES.iter().flat_map(move |damage| (0..VERBS.len()).map(move |verb| (name, *damage, verb)))
        });
        let (mut made, mut failed, mut slowest) = (0, 0, None::<Outcome>);
        for (name, damage, verb) in all.step_by(step) {
            let outcome = self.trial(name, damage, verb);
            made += 1;
            failed += usize::from(!outcome.is_done());
            if slowest.as_ref().is_none_or(|slowest| slowest.time < outcome.time) {
                slowest = Some(outcome);
            }
        }
        (made, failed, slowest.unwrap())
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[test]
fn every_verb_is_tried_on_a_damaged_index() {
    let asked = AskedVerbs::default();
    VERBS.iter().for_each(|verb| asked.note(verb));
    // These read and write nothing in the folder of an index.
    asked.check_all_but(&super::listed("elsewhere").iter().map(|words| words.join(" ")).collect::<Vec<_>>());
}

#[test]
fn a_damaged_or_replaced_file_is_named_and_nothing_outside_the_index_is_written() {
    // A step that has no factor in common with the numbers of damages and verbs.
    let (made, failed, _) = Victim::new().trials(97);
    assert!(made > 30 && failed > 0, "{failed} of {made}");
}

/// The long form.
pub fn at_length() {
    // A third of all: each file, each damage and each verb with most of the others.
    let (made, failed, slowest) = Victim::new().trials(3);
    figure!(
        "| damaged and replaced files: trials · refused with a sentence · slowest | {made} · {failed} · {:.2} s |",
        slowest.time.as_secs_f64()
    );
}
