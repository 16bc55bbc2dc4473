//! Repositories that never end, by a FIFO in the place of a file or by trees that hold each other many times, and that name
//! programs: `review` and `history` say what is wrong, in time.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::thread;

use crate::branches::{function, git, git_in, name, repository, text};
use crate::signals::signal;
use crate::support::{Home, program, text as path_text};

/// The program, which is ended with the code 124 when it takes far too long.
fn limited(home: &Home, arguments: &[&str]) -> Output {
    let program = program();
    let all = [&["20", path_text(&program)], arguments].concat();
    home.command_of("timeout", &all).stdin(Stdio::null()).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn refused(home: &Home, arguments: &[&str], words: &str) {
    let output = limited(home, arguments);
    let said = said(&output);
    assert!(
        output.status.code() == Some(2) && said.contains(words),
        "{arguments:?}: {:?} {said}",
        output.status
    );
}

/// Puts a FIFO in the place of a file.
fn make_fifo(home: &Home, name: &str) {
    let path = home.at(name);
    let _ = fs::remove_file(&path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn a_fifo_in_the_place_of_a_control_file_is_named() {
    let places = [
        "HEAD",
        "commondir",
        "config",
        "index",
        "info/attributes",
        "info/exclude",
        "objects/info/alternates",
        "packed-refs",
        "refs/heads/main",
        "shallow",
    ];
    let home = repository();
    for place in places {
        let place = format!(".git/{place}");
        let kept = fs::read(home.at(&place)).ok();
        make_fifo(&home, &place);
        for verb in [&["review", "HEAD"][..], &["review", "--staged"], &["history"]] {
            refused(&home, verb, &format!("{place} is not a regular file"));
        }
        fs::remove_file(home.at(&place)).unwrap();
        kept.into_iter().for_each(|bytes| fs::write(home.at(&place), bytes).unwrap());
    }
    assert_eq!(limited(&home, &["review", "HEAD"]).status.code(), Some(0));
    fs::rename(home.at(".git"), home.at("kept")).unwrap();
    make_fifo(&home, ".git");
    refused(&home, &["review", "HEAD"], ".git is not a regular file");
}

/// Only git finds these. It is ended when it neither works nor prints.
#[test]
fn a_fifo_that_the_configuration_names_ends_git() {
    let check = |setting: &str, verb: &[&str]| {
        let home = repository();
        home.write("src/copy.c", text(&[function(5000), function(100)]));
        make_fifo(&home, ".git/fifo");
        let mut config = OpenOptions::new().append(true).open(home.at(".git/config")).unwrap();
        let (section, key) = setting.split_once('.').unwrap();
        writeln!(config, "[{section}]\n\t{key} = {}", path_text(&home.at(".git/fifo"))).unwrap();
        refused(&home, verb, "git waits for a file of the repository");
    };
    thread::scope(|scope| {
        scope.spawn(|| check("include.path", &["review", "HEAD"]));
        scope.spawn(|| check("include.path", &["history"]));
        scope.spawn(|| check("mailmap.file", &["review", "--blame", "HEAD"]));
        scope.spawn(|| check("blame.ignoreRevsFile", &["review", "--blame", "HEAD"]));
    });
}

/// What git prints when it reads something from standard input.
fn given(home: &Home, arguments: &[&str], input: &str) -> String {
    let mut child =
        home.command_of("git", arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Twelve levels of ten equal folders each, with long names, of which the paths take much memory soon.
#[test]
fn trees_with_more_files_than_fit_into_memory_are_refused() {
    let home = repository();
    let blob = given(&home, &["hash-object", "-w", "--stdin"], "text\n");
    let mut tree = given(&home, &["mktree"], &format!("100644 blob {blob}\tfile\n"));
    for _ in 0..12 {
        let folder = |number: u32| format!("040000 tree {tree}\t{}{number}\n", "d".repeat(200));
        let folders: String = (0..10).map(folder).collect();
        tree = given(&home, &["mktree"], &folders);
    }
    let own =
        ["-c", "user.name=A", "-c", "user.email=a@example.org", "commit-tree", "-m", "bomb", "-p", "HEAD"];
    let commit = given(&home, &[&own[..], &[&*tree]].concat(), "");
    git(&home, &["update-ref", "refs/heads/bomb", &commit]);
    refused(&home, &["history", "bomb"], "has more files, or longer paths");
    git(&home, &["update-ref", "refs/heads/main", &commit]);
    for verb in [&["review", "HEAD"][..], &["review", "--staged"]] {
        refused(&home, verb, "has more files, or longer paths");
    }
}

/// Neither what a repository names, nor a commit that lacks an object, runs a program.
#[test]
fn a_repository_runs_nothing() {
    let home = repository();
    home.write(".gitattributes", "* diff=own filter=own merge=own\n");
    git(&home, &["add", "-A"]);
    git(&home, &["commit", "-q", "-m", "second"]);
    home.write("src/copy.c", text(&[function(5000), function(100)]));
    let id = given(&home, &["rev-parse", &format!("HEAD:{}", name(3))], "");
    let ran = home.at("ran");
    let script = format!("touch {}", path_text(&ran));
    home.write(".git/hooks/post-index-change", format!("#!/bin/sh\n{script}\n"));
    home.write(".git/hooks/fsmonitor-watchman", format!("#!/bin/sh\n{script}\n"));
    let mut configuration = String::new();
    for (section, keys) in [
        ("core", "fsmonitor hooksPath pager sshCommand gitProxy askPass editor alternateRefsCommand"),
        ("diff", "external"),
        ("diff \"own\"", "textconv command"),
        ("filter \"own\"", "clean smudge process"),
        ("merge \"own\"", "driver"),
        ("gpg", "program"),
        ("credential", "helper"),
        ("uploadpack", "packObjectsHook"),
        ("pager", "blame log"),
        ("alias", "cat-file ls-tree ls-files rev-list rev-parse merge-base diff-index diff-tree blame"),
        ("sequence", "editor"),
    ] {
        configuration += &format!("[{section}]\n");
        configuration.extend(keys.split(' ').map(|key| format!("\t{key} = \"!{script};\"\n")));
    }
    configuration += &format!(
        "[log]\n\tshowSignature = true\n[protocol]\n\tallow = always\n[remote \"origin\"]\n\tpromisor = true\n\
         \turl = \"ext::{script}\"\n\tuploadpack = \"{script};\"\n[extensions]\n\tpartialClone = origin\n"
    );
    let mut config = OpenOptions::new().append(true).open(home.at(".git/config")).unwrap();
    config.write_all(configuration.as_bytes()).unwrap();
    for verb in
        [&["review", "--blame", "HEAD~1"][..], &["review", "--staged"], &["review", "..HEAD"], &["history"]]
    {
        let output = limited(&home, verb);
        assert!(output.status.code() < Some(2), "{verb:?}: {}", said(&output));
    }
    assert!(!ran.exists());
    // An object that is missing is not fetched.
    fs::remove_file(home.at(&format!(".git/objects/{}/{}", &id[..2], &id[2..]))).unwrap();
    home.write(&name(3), text(&[function(6000)]));
    refused(&home, &["review", "HEAD"], "is missing");
    refused(&home, &["history"], "is missing");
    assert!(!ran.exists());
}

#[test]
fn a_history_that_is_ended_leaves_no_temporary_folder() {
    let home = repository();
    let place = home.at("../temporary");
    let left = place.join("dupi-scratch-1-0");
    fs::create_dir_all(left.join("files")).unwrap();
    fs::write(left.join("lock"), "").unwrap();
    let is_empty = || fs::read_dir(&place).unwrap().next().is_none();
    let history = || home.command(&["history"]).env("TMPDIR", &place).stdout(Stdio::null()).spawn().unwrap();
    assert!(history().wait().unwrap().success());
    assert!(is_empty(), "that of a killed one is removed too");
    let mut ended = history();
    while is_empty() && ended.try_wait().unwrap().is_none() {
        thread::yield_now();
    }
    signal("-TERM", ended.id());
    ended.wait().unwrap();
    assert!(is_empty());
}

#[test]
fn a_patch_may_come_through_a_fifo_and_a_baseline_may_not() {
    let home = repository();
    home.write("src/copy.c", text(&[function(5000), function(100)]));
    git(&home, &["add", "-A"]);
    let patch = git_in(&home, &home.at(""), &["diff", "--cached"]).stdout;
    make_fifo(&home, "../fifo");
    let fifo = home.at("../fifo");
    let reviewed = thread::scope(|scope| {
        scope.spawn(|| fs::write(&fifo, &patch).unwrap());
        limited(&home, &["review", "--patch", "../fifo"])
    });
    assert_eq!(reviewed.status.code(), Some(1), "{}", said(&reviewed));
    let mut waiting = home.command(&["review", "--patch", "../fifo"]).spawn().unwrap();
    signal("-TERM", waiting.id());
    assert!(!waiting.wait().unwrap().success());
    for update in [&[][..], &["--update-baseline"]] {
        refused(
            &home,
            &[&["review", "--baseline", "../fifo"], update].concat(),
            "cannot read the baseline ../fifo",
        );
    }
}

/// Each way in which a file may differ from what a patch makes of it.
#[test]
fn a_patch_that_is_not_wholly_applied_is_refused() {
    let home = repository();
    home.write("old.c", text(&[function(40)]));
    home.write("gone.c", text(&[function(41)]));
    home.write("mode.c", "text\n");
    home.write("data.bin", b"\0\x01\x02");
    home.write(".gitignore", "*.log\n");
    git(&home, &["add", "-A"]);
    git(&home, &["commit", "-q", "-m", "before"]);
    git(&home, &["mv", "old.c", "new.c"]);
    git(&home, &["rm", "-q", "gone.c"]);
    home.write("mode.c", "text\nmore\n");
    git(&home, &["update-index", "--chmod=+x", "mode.c"]);
    home.write("data.bin", b"\0\x03\x04");
    home.write("notes.log", "ignored\n");
    home.write("empty.c", "");
    fs::copy(home.at("new.c"), home.at("copy.c")).unwrap();
    git(&home, &["add", "-A", "-f"]);
    let patch = git_in(&home, &home.at(""), &["diff", "--cached", "-C", "--find-copies-harder"]).stdout;
    let code = || {
        let output = home.run_with(&["review", "--patch", "-", "--fail-on", "never"], &patch);
        (output.status.code(), said(&output))
    };
    assert_eq!(code(), (Some(0), String::new()), "{}", String::from_utf8_lossy(&patch));
    let present = ["copy.c", "data.bin", "empty.c", "mode.c", "new.c", "notes.log"];
    for name in present {
        fs::rename(home.at(name), home.at("../kept")).unwrap();
        let (code, said) = code();
        assert!(
            code == Some(2) && said.contains(&format!("is not applied to {name} (it is not there);")),
            "{said}"
        );
        fs::rename(home.at("../kept"), home.at(name)).unwrap();
    }
    for name in ["gone.c", "old.c"] {
        home.write(name, text(&[function(41)]));
        let (code, said) = code();
        assert!(code == Some(2) && said.contains(&format!("({name} is still there)")), "{said}");
        fs::remove_file(home.at(name)).unwrap();
    }
    present.iter().for_each(|name| fs::remove_file(home.at(name)).unwrap());
    let (code, said) = code();
    assert!(code == Some(2) && said.contains("and to 5 more files; apply it first"), "{said}");
}

/// A removal at the end of a file leaves no line that differs, only more lines than there should be.
#[test]
fn a_removal_at_the_end_is_seen_not_to_be_applied() {
    let home = Home::new();
    home.write("a.txt", "one\ntwo\nthree\nfour\nfive\n");
    let patch = b"--- a/a.txt\n+++ b/a.txt\n@@ -1,5 +1,3 @@\n one\n two\n three\n-four\n-five\n";
    let output = home.run_with(&["review", "--patch", "-"], patch);
    assert!(
        output.status.code() == Some(2) && said(&output).contains("its line 4 differs"),
        "{}",
        said(&output)
    );
    home.write("a.txt", "one\ntwo\nthree\n");
    assert_eq!(home.run_with(&["review", "--patch", "-"], patch).status.code(), Some(0));
}
