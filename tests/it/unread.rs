//! What cannot be read is said, and never only missing: not with few file handles, and not where the system refuses.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::segments;
use crate::support::{Home, Said, program};

/// How many handles the program has at least to have: it takes seven before it reads a document.
const FEW: u32 = 9;

fn corpus(files: usize, words: usize) -> Home {
    let home = Home::new();
    for number in 0..files {
        let shared: String = (0..40).map(|word| format!("shared{}x{word} ", number % 2)).collect();
        let own: String = (0..words).map(|word| format!("own{number}x{word} ")).collect();
        home.write(&format!("f{number:03}.txt"), format!("{own}\n{shared}\n"));
    }
    home
}

/// Runs the program with few handles and many threads.
fn run_with_few(home: &Home, arguments: &[&str]) -> Said {
    let mut command = home.command_of("sh", &["-c", &format!("ulimit -n {FEW} && exec \"$0\" \"$@\"")]);
    Said::of(command.arg(program()).args(arguments).env("RAYON_NUM_THREADS", "24"))
}

#[test]
fn few_handles_make_no_answer_shorter() {
    let home = corpus(60, 2000);
    let build = ["index", "--json", "--threads", "24"];
    let built = run_with_few(&home, &build);
    assert!(built.is_done(), "{built:?}");
    let summary: Value = serde_json::from_str(&built.stdout).unwrap();
    assert_eq!((&summary["documents"], &summary["skipped"]), (&60.into(), &0.into()));
    let blots = home.stdout(&["extract", "-b"]);
    let unblot: Vec<&str> = ["unblot", "--no-update"].into_iter().chain(blots.lines().take(3)).collect();
    let like = ["like", "f000.txt", "--no-update", "--top", "100"];
    for arguments in [
        &["passages", "--no-update"][..],
        &unblot,
        &like,
        &like,
        &like,
        &like,
        &["extract", "--filter", "'shared1x3"],
        &["near", "--threshold", "0.001", "--no-update"],
    ] {
        let few = run_with_few(&home, arguments);
        let all = home.run(arguments);
        assert_eq!(few.code, all.code, "{arguments:?}: {}", few.stderr);
        assert!(few.stdout == all.stdout && !all.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn the_limit_of_handles_is_raised_as_far_as_it_may_be() {
    let home = corpus(2, 30);
    // Under a soft limit that is too low to open anything, it works only when the limit was raised.
    let script = "ulimit -S -n 5 && exec \"$0\" index";
    let built = Said::of(home.command_of("sh", &["-c", script]).arg(program()));
    assert!(built.is_done(), "{}", built.stderr);
}

#[test]
fn an_answer_that_lacks_a_file_says_so_and_one_that_is_gone_is_no_matter() {
    let home = corpus(20, 30);
    // Whether documents are identical is told by the index, unless they seemed to be and one has changed.
    fs::copy(home.at("f003.txt"), home.at("same.txt")).unwrap();
    home.stdout(&["index"]);
    let blots = home.stdout(&["extract", "-b", "--no-update"]);
    let blots: Vec<&str> = blots.lines().collect();
    let probe = fs::read(home.at("f003.txt")).unwrap();
    let (gone, refused) = (home.at("f003.txt"), home.at("f003.txt"));
    fs::remove_file(gone).unwrap();
    let unblot = [&["unblot", "--all"], &blots[..]].concat();
    let verbs: [&[&str]; 15] = [
        &["passages"],
        &["passages", "--filter", "'own3x3"],
        &unblot,
        &["like", "-"],
        &["documents"],
        &["files"],
        &["extract", "--filter", "'own3x3"],
        &["near"],
        &["near", "--method", "identical"],
        &["near", "--method", "minhash"],
        &["near", "--method", "simhash"],
        &["near", "--method", "spotsigs"],
        &["near", "--method", "identical", "--emit", "drop"],
        &["near", "--like", "-"],
        &["near", "--method", "simhash", "--like", "-"],
    ];
    let ask = |verb: &[&str]| home.run_with(&[verb, &["--no-update"]].concat(), &probe);
    for verb in verbs {
        let answer = ask(verb);
        assert!(answer.stderr.is_empty(), "{verb:?}: {}", answer.stderr);
        assert!(matches!(answer.code, Some(0 | 1)), "{verb:?}");
    }
    // A link that leads to itself is there, and can be opened by nobody.
    symlink("f003.txt", refused).unwrap();
    for verb in verbs {
        let answer = ask(verb);
        let said = answer.stderr;
        assert_eq!(answer.code, Some(2), "{verb:?}");
        assert!(said.contains("1 file could not be read") && said.contains("f003.txt"), "{verb:?}: {said}");
    }
    let passages = ask(&["passages"]);
    assert!(!passages.stdout.is_empty(), "what could be read is answered");
}

/// The program with the rights of an ordinary user: root reads what it likes.
fn run_as_ordinary_user(home: &Home, arguments: &[&str]) -> Said {
    if !rustix::process::geteuid().is_root() {
        return home.run(arguments);
    }
    let drop_all = ["--bounding-set=-all", "--inh-caps=-all"];
    Said::of(home.command_of("setpriv", &drop_all).arg(program()).args(arguments))
}

#[test]
fn what_may_not_be_read_is_not_taken_for_nothing() {
    let home = corpus(2, 30);
    home.write("shut/one", "some words in a folder that may not be listed");
    home.write("half/deep/two", "some words in a folder that may not be listed");
    home.write("half/three", "some words in a folder that may be listed");
    home.write("locked", "some words in a file that may not be read");
    home.write("bytes/x", "\0");
    home.write("bytes/empty", "");
    fs::create_dir(home.at("empty")).unwrap();
    let closed = ["shut", "half/deep", "locked"].map(|name| home.at(name));
    let allow = |mode| {
        closed.iter().for_each(|path| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap());
    };
    allow(0);
    let ask = |verb: &[&str], place: &str, code: i32, sentence: &str| {
        let output = run_as_ordinary_user(&home, &[verb, &["-C", place]].concat());
        let said = output.stderr;
        assert_eq!(output.code, Some(code), "{verb:?} {place}: {said}");
        assert!(said.contains(sentence) && said.lines().count() == 1, "{verb:?} {place}: {said}");
    };
    let verbs: [(&[&str], i32); 7] = [
        (&["passages"], 1),
        (&["extract"], 1),
        (&["unblot", "ffff"], 1),
        (&["documents"], 1),
        (&["files"], 1),
        (&["near"], 1),
        (&["like", "f000.txt"], 1),
    ];
    for (verb, nothing) in verbs {
        ask(verb, "shut", 2, "no document could be read: ");
        ask(verb, "locked", 2, "locked (unreadable: Permission denied); correct the cause and try again");
        ask(verb, "empty", nothing, "there is no document in ");
        ask(verb, "bytes", nothing, "its files are left out (1 binary, 1 empty)");
    }
    ask(&["passages"], "half", 1, "1 file or folder could not be read: ");
    ask(&["files"], ".", 0, "3 files or folders could not be read: ");
    for (place, code) in [("shut", 2), ("empty", 0), ("half", 0)] {
        let output = run_as_ordinary_user(&home, &["index", place]);
        assert_eq!((output.code, output.stderr.is_empty()), (Some(code), false), "{place}");
    }
    allow(0o700);
    assert!(home.run(&["passages"]).stderr.is_empty());
}

#[test]
fn what_a_list_names_is_refused_if_no_walk_would_find_it() {
    let home = segments::corpus();
    home.write(
        "../secret/s.txt",
        "what lies outside of the corpus and has enough words for a tile or two of them",
    );
    home.stdout(&["segment", "plan", "--tasks", "1", "--out", "../plan"]);
    let task = ["segment", "build", "--plan", "../plan", "--task", "0", "--out", "../segments"];
    let blots = ["segment", "shatter", "blots", "--plan", "../plan", "--task", "0"];
    let refused_as = |named: &str, what: &str| {
        for verb in [&task[..], &blots] {
            home.run(verb).refused_in_a_line(&[named, what]);
        }
    };
    let (file, folder) = (home.at("in 1/é1.txt"), home.at("in 1"));
    let write = |path: &Path| fs::rename(home.at("../kept"), path).unwrap();
    let take = |path: &Path| fs::rename(path, home.at("../kept")).unwrap();
    take(&file);
    symlink(home.at("../secret/s.txt"), &file).unwrap();
    refused_as("é1.txt", "not a regular file (symbolic link)");
    fs::remove_file(&file).unwrap();
    assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
    refused_as("é1.txt", "not a regular file (FIFO)");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    refused_as("é1.txt", "not a regular file (folder)");
    fs::remove_dir(&file).unwrap();
    write(&file);
    take(&folder);
    symlink(home.at("../kept"), &folder).unwrap();
    refused_as("in 1", "not a regular file (symbolic link)");
    fs::remove_file(&folder).unwrap();
    write(&folder);
    home.stdout(&task);
    // A walk that follows links finds them.
    symlink(home.at("../secret"), home.at("linked")).unwrap();
    home.stdout(&["segment", "plan", "--tasks", "1", "--follow", "--out", "../followed"]);
    let task = ["segment", "build", "--plan", "../followed", "--task", "0", "--out", "../segments"];
    home.stdout(&task);
}
