//! `review` and `history` in repositories of all kinds, with names of all kinds.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use crate::branches::{function, git, git_in, repository, text};
use crate::support::{Home, Said};

/// The verdicts of a review and its exit code.
fn verdicts(home: &Home, arguments: &[&str]) -> (Vec<String>, Option<i32>) {
    let output = home.run(&[&["review", "--json"], arguments].concat());
    let rows = output.stdout.clone();
    let verdict = |line: &str| {
        serde_json::from_str::<serde_json::Value>(line).unwrap()["verdict"].as_str().unwrap().to_owned()
    };
    (rows.lines().map(verdict).collect(), output.code)
}

#[test]
fn repositories_of_all_kinds_are_reviewed_or_refused_in_a_sentence() {
    let home = repository();
    let run = |arguments: &[&str]| home.run(arguments);
    // Of another hash.
    let copy_in = |folder: &str, base: &str| {
        home.write(&format!("{folder}/one.c"), text(&[function(7000), function(100)]));
        home.write(&format!("{folder}/two.c"), text(&[function(100)]));
        let output = run(&["review", "-C", folder, base]);
        assert_eq!(output.code, Some(1), "{folder}: {}", output.stderr);
    };
    let begin = |folder: &str, arguments: &[&str]| {
        git(&home, &[&["init", "-q", "-b", "main"], arguments, &[folder]].concat());
        home.write(&format!("{folder}/first.c"), text(&[function(7001)]));
        let place = home.at(folder);
        assert!(git_in(&home, &place, &["add", "-A"]).is_done());
        assert!(git_in(&home, &place, &["commit", "-q", "-m", "first"]).is_done());
    };
    begin("sha256", &["--object-format=sha256"]);
    copy_in("sha256", "main");
    // Of another way of keeping references.
    begin("reftable", &["--ref-format=reftable"]);
    copy_in("reftable", "main");
    // A worktree, and a bare repository.
    git(&home, &["worktree", "add", "-q", "-b", "other", "tree"]);
    home.write("tree/src/copy.c", text(&[function(100)]));
    assert_eq!(run(&["review", "-C", "tree"]).code, Some(1));
    git(&home, &["clone", "-q", "--bare", ".", "bare.git"]);
    let output = run(&["review", "-C", "bare.git"]);
    assert!(output.code == Some(2) && output.stderr.contains("bare repository"), "{}", output.stderr);
    // A shallow clone that lacks the common commit.
    git(&home, &["checkout", "-q", "-b", "work"]);
    for name in ["x", "y"] {
        home.write(&format!("{name}.c"), name);
        git(&home, &["add", &format!("{name}.c")]);
        git(&home, &["commit", "-q", "-m", name]);
    }
    let from = format!("file://{}", home.at("").to_str().unwrap());
    git(&home, &["clone", "-q", "--depth", "1", "--no-single-branch", &from, "shallow"]);
    let output = run(&["review", "-C", "shallow", "origin/main"]);
    assert!(output.code == Some(2) && output.stderr.contains("shallow clone"), "{}", output.stderr);
    // Before the first commit.
    git(&home, &["init", "-q", "-b", "main", "unborn"]);
    home.write("unborn/a.c", text(&[function(3)]));
    home.write("unborn/b.c", text(&[function(3)]));
    assert_eq!(run(&["review", "-C", "unborn"]).code, Some(1));
    for (range, words) in [("nowhere", "names no commit"), ("main..main", "is not checked out")] {
        let output = run(&["review", range]);
        assert!(output.code == Some(2) && output.stderr.contains(words), "{}", output.stderr);
    }
}

#[test]
fn what_is_of_another_repository_or_not_checked_out_is_no_change() {
    let home = repository();
    let other = repository();
    git(&home, &["submodule", "add", "-q", other.at("").to_str().unwrap(), "lib"]);
    git(&home, &["commit", "-q", "-m", "submodule"]);
    home.write("lib/src/copy.c", text(&[function(100)]));
    git(&home, &["init", "-q", "nested"]);
    home.write("nested/copy.c", text(&[function(100)]));
    assert_eq!(verdicts(&home, &[]), (Vec::new(), Some(0)));
    git(&home, &["sparse-checkout", "set", "--no-cone", "/*", "!/src/part_3.c"]);
    assert!(!home.at("src/part_3.c").exists());
    assert_eq!(verdicts(&home, &["HEAD"]), (Vec::new(), Some(0)));
    home.write("src/copy.c", text(&[function(111)]));
    assert_eq!(verdicts(&home, &["HEAD"]).0, ["new-copy"]);
}

/// A branch with the name of a main branch and one more word makes a folder where the main branch would be.
#[test]
fn branches_below_the_name_of_a_main_branch_are_no_fault() {
    let home = repository();
    for name in ["refs/heads/trunk/x", "refs/remotes/origin/main/f", "refs/remotes/origin/HEAD/g"] {
        git(&home, &["update-ref", name, "HEAD"]);
    }
    home.write("src/copy.c", text(&[function(5000), function(100)]));
    assert_eq!(verdicts(&home, &[]).0, ["new-copy"]);
    assert_eq!(home.run(&["history"]).code, Some(0));
    // Before the first commit of a branch that lies above another one.
    git(&home, &["checkout", "-q", "-b", "work"]);
    git(&home, &["branch", "-q", "-D", "main"]);
    git(&home, &["update-ref", "refs/heads/main/x", "HEAD"]);
    git(&home, &["symbolic-ref", "HEAD", "refs/heads/main"]);
    let output = home.run(&["review"]);
    assert_eq!(output.code, Some(1), "{}", output.stderr);
}

#[test]
fn names_that_are_not_utf_8_are_read() {
    let home = repository();
    let folder = home.at("..").join(OsStr::from_bytes(b"sp\xe9cial \n"));
    fs::rename(home.at(""), &folder).unwrap();
    fs::create_dir(home.at("")).unwrap();
    fs::write(folder.join("src/copy.c"), text(&[function(5000), function(100)])).unwrap();
    for verb in
        [&["review", "HEAD"][..], &["review", "--blame", "HEAD"], &["review", "--staged"], &["history"]]
    {
        let output = Said::of(home.command(verb).current_dir(&folder));
        let code = i32::from(verb.ends_with(&["HEAD"]));
        assert_eq!(output.code, Some(code), "{verb:?} {}", output.stderr);
    }
    // Before the first commit of a branch.
    let mut command = home.command_of("git", &["symbolic-ref", "HEAD"]);
    let branch = OsStr::from_bytes(b"refs/heads/\xe9");
    assert!(command.arg(branch).current_dir(&folder).status().unwrap().success());
    let output = Said::of(home.command(&["review"]).current_dir(&folder));
    assert_eq!(output.code, Some(1), "{}", output.stderr);
}

#[test]
fn a_working_tree_that_is_not_there_is_told() {
    let home = repository();
    let nowhere = home.at("../nowhere");
    git(&home, &["config", "core.worktree", nowhere.to_str().unwrap()]);
    home.refuses(&["review", "HEAD"], "nowhere is no folder");
}
