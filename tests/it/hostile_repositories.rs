//! Repositories that never end, by a FIFO in the place of a file or by trees that hold each other many times, and that name
//! programs: `review` and `history` say what is wrong, in time.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use crate::branches::{function, git, git_in, name, repository, text};
use crate::signals::signal;
use crate::support::{Home, Said, program, text as path_text};

/// The program, which is ended with the code 124 when it takes far too long.
fn limited(home: &Home, arguments: &[&str]) -> Said {
    let program = program();
    let all = [&["20", path_text(&program)], arguments].concat();
    Said::of(home.command_of("timeout", &all).stdin(Stdio::null()))
}

fn refused(home: &Home, arguments: &[&str], words: &str) {
    limited(home, arguments).refused(words);
}

/// Puts a FIFO in the place of a file.
fn make_fifo(home: &Home, name: &str) {
    let path = home.at(name);
    let _ = fs::remove_file(&path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
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
    let output = Said::from(child.wait_with_output().unwrap());
    assert!(output.is_done(), "{arguments:?}");
    output.stdout.trim().to_owned()
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
        assert!(output.code < Some(2), "{verb:?}: {}", output.stderr);
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
    assert_eq!(reviewed.code, Some(1), "{}", reviewed.stderr);
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

/// Git runs in the folder of a repository, where an empty or relative folder of the search path leads too.
#[test]
fn no_program_of_the_repository_is_taken_for_git() {
    let home = repository();
    home.write("src/copy.c", text(&[function(5000), function(100)]));
    let ran = home.at("../ran");
    for name in ["git", "bin/git"] {
        home.write(name, format!("#!/bin/sh\ntouch {}\n", path_text(&ran)));
        fs::set_permissions(home.at(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let known = std::env::var("PATH").unwrap();
    for verb in [&["review", "--blame", "HEAD"][..], &["history"]] {
        let output = Said::of(home.command(verb).env("PATH", format!(":.:bin:{known}")));
        assert!(output.code < Some(2), "{verb:?}: {}", output.stderr);
        Said::of(home.command(verb).env("PATH", ":.:bin")).refused("no program git");
        assert!(!ran.exists(), "{verb:?}");
    }
}

/// A process that outlives git may hold what git writes to.
#[test]
fn what_git_leaves_running_is_not_waited_for() {
    let home = repository();
    let known = std::env::var_os("PATH").unwrap();
    let find = |folder: PathBuf| Some(folder.join("git")).filter(|path| path.is_file());
    let own = std::env::split_paths(&known).find_map(find).unwrap();
    let script = format!("#!/bin/sh\nsleep 60 > /dev/null < /dev/null &\nexec {} \"$@\"\n", path_text(&own));
    home.write("../bin/git", script);
    fs::set_permissions(home.at("../bin/git"), fs::Permissions::from_mode(0o755)).unwrap();
    let folders = std::iter::once(home.at("../bin")).chain(std::env::split_paths(&known));
    let mut review = home.command_of("timeout", &["20", path_text(&program()), "review", "nowhere"]);
    Said::of(review.env("PATH", std::env::join_paths(folders).unwrap())).refused("names no commit");
}

/// What git would refuse or another repository above would answer for.
#[test]
fn a_repository_that_cannot_be_entered_is_not_taken_for_the_one_around_it() {
    let home = repository();
    home.write("inner/a.c", text(&[function(100)]));
    home.write("inner/.git", "gitdir: ../nowhere\n");
    refused(&home, &["review", "-C", "inner", "HEAD"], "inner/.git leads to no repository");
    refused(&home, &["history", "-C", "inner"], "inner/.git leads to no repository");
    fs::remove_file(home.at("inner/.git")).unwrap();
    symlink(".git", home.at("inner/.git")).unwrap();
    refused(&home, &["review", "-C", "inner", "HEAD"], "cannot read");
    fs::remove_file(home.at("inner/.git")).unwrap();
    fs::create_dir(home.at("inner/.git")).unwrap();
    let outer = limited(&home, &["review", "-C", "inner", "HEAD"]);
    assert!(outer.code < Some(2), "an empty folder is none: {}", outer.stderr);
    // A folder that may not be entered.
    fs::set_permissions(home.at("inner/.git"), fs::Permissions::from_mode(0o000)).unwrap();
    let own = program();
    let drop_all = ["20", "setpriv", "--bounding-set=-all", "--inh-caps=-all", path_text(&own)];
    let is_root = rustix::process::geteuid().is_root();
    let begin = if is_root { &drop_all[..] } else { &["20", path_text(&own)] };
    let review = [begin, &["review", "-C", "inner", "HEAD"]].concat();
    let output = Said::of(&mut home.command_of("timeout", &review));
    fs::set_permissions(home.at("inner/.git"), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(output.code == Some(2) && output.stderr.contains("ermission denied"), "{}", output.stderr);
}
