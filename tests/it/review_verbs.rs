//! `review` as people and hooks call it: sources of changes, decisions, options, and repositories of all kinds.

use std::process::Output;

use crate::branches::{function, git, git_in, repository, text};
use crate::support::{Home, program};

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The verdicts of a review and its exit code.
fn verdicts(home: &Home, arguments: &[&str]) -> (Vec<String>, Option<i32>) {
    let output = home.run(&[&["review", "--json"], arguments].concat());
    let rows = String::from_utf8(output.stdout.clone()).unwrap();
    let verdict = |line: &str| {
        serde_json::from_str::<serde_json::Value>(line).unwrap()["verdict"].as_str().unwrap().to_owned()
    };
    (rows.lines().map(verdict).collect(), output.status.code())
}

fn one(verdict: &str) -> (Vec<String>, Option<i32>) {
    (vec![verdict.to_owned()], Some(1))
}

/// The repository with a file that copies a function and is not committed.
fn copied() -> Home {
    let home = repository();
    home.write("src/copy.c", text(&[function(5000), function(100)]));
    home
}

#[test]
fn a_copy_is_told_with_its_original_and_lines() {
    let home = copied();
    let output = home.run(&["review"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(printed.contains("new copy of existing code, 1 before and 2 now"), "{printed}");
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[1].starts_with("\t+ src/copy.c:20-37"), "{printed}");
    assert!(lines[2].starts_with("\t= src/part_10.c:1-18") && lines[2].ends_with("use it"), "{printed}");
    let github = home.run(&["review", "--format", "github"]);
    let github = String::from_utf8(github.stdout).unwrap();
    assert!(github.starts_with("::warning file=src/copy.c,line=20,"), "{github}");
}

#[test]
fn what_fails_is_chosen() {
    let home = copied();
    assert_eq!(verdicts(&home, &[]), one("new-copy"));
    for (arguments, code) in [
        (&["--fail-on", "never"][..], 0),
        (&["--fail-on", "drift"], 0),
        (&["--fail-on", "any"], 1),
        (&["--max-new", "1"], 0),
    ] {
        assert_eq!(verdicts(&home, arguments), (vec!["new-copy".to_owned()], Some(code)), "{arguments:?}");
    }
    assert_eq!(verdicts(&home, &["--min-worth", "1000000"]), (Vec::new(), Some(0)));
    assert_eq!(verdicts(&home, &["--min-tokens", "5000"]), (Vec::new(), Some(0)));
    home.write("dupi.toml", "fail-on = \"never\"\nbase = \"HEAD\"\n");
    assert_eq!(verdicts(&home, &[]).1, Some(1), "a file of the repository is not read unless it is named");
    assert_eq!(verdicts(&home, &["--config", "dupi.toml"]).1, Some(0));
    assert_eq!(verdicts(&home, &["--config", "dupi.toml", "--fail-on", "new"]).1, Some(1));
    home.write("dupi.toml", "fail-on = \"never\"\nhook = \"rm\"\n");
    let output = home.run(&["review", "--config", "dupi.toml"]);
    assert!(output.status.code() == Some(2) && said(&output).contains("line 2"), "{}", said(&output));
}

#[test]
fn a_baseline_accepts_until_there_is_one_more_copy() {
    let home = copied();
    let absent = home.run(&["review", "--baseline", "base.toml"]);
    assert!(
        absent.status.code() == Some(2) && said(&absent).contains("--update-baseline"),
        "{}",
        said(&absent)
    );
    let baseline = &["--baseline", "base.toml"][..];
    assert_eq!(verdicts(&home, &[baseline, &["--update-baseline"]].concat()).1, Some(0));
    let text_then = std::fs::read_to_string(home.at("base.toml")).unwrap();
    assert_eq!(verdicts(&home, baseline), (Vec::new(), Some(0)));
    // It moves, and stays accepted.
    std::fs::remove_file(home.at("src/copy.c")).unwrap();
    home.write("lib/moved.c", text(&[function(5001), function(5000), function(100)]));
    assert_eq!(verdicts(&home, baseline), (Vec::new(), Some(0)));
    assert_eq!(verdicts(&home, &[baseline, &["--update-baseline"]].concat()).1, Some(0));
    assert_eq!(std::fs::read_to_string(home.at("base.toml")).unwrap(), text_then);
    home.write("lib/again.c", text(&[function(100)]));
    assert_eq!(verdicts(&home, baseline), one("one-more"));
}

#[test]
fn only_what_is_staged_counts_and_only_what_is_committed() {
    let home = copied();
    assert_eq!(verdicts(&home, &["--staged"]), (Vec::new(), Some(0)));
    assert_eq!(verdicts(&home, &["main..HEAD"]), (Vec::new(), Some(0)));
    git(&home, &["add", "src/copy.c"]);
    // A further copy that is not staged, before the staged one.
    home.write("src/copy.c", text(&[function(5002), function(20), function(5000), function(100)]));
    let output = home.run(&["review", "--staged", "--json"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed.lines().count(), 1, "{printed}");
    assert!(printed.contains("\"line\":58"), "{printed}");
    assert_eq!(verdicts(&home, &[]).0, ["new-copy", "new-copy"]);
}

#[test]
fn a_patch_is_read_and_checked() {
    let home = copied();
    git(&home, &["add", "-A"]);
    let patch = git_in(&home, &home.at(""), &["diff", "--cached"]).stdout;
    let output = home.run_with(&["review", "--patch", "-"], &patch);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let other = String::from_utf8(patch).unwrap().replace("+int ", "+long ");
    let output = home.run_with(&["review", "--patch", "-"], other.as_bytes());
    assert!(
        output.status.code() == Some(2) && said(&output).contains("is not applied to src/copy.c"),
        "{}",
        said(&output)
    );
    // Without a repository too.
    let plain = Home::new();
    plain.write("a.c", text(&[function(1)]));
    plain.write("b.c", text(&[function(2), function(1)]));
    let lines: Vec<String> = function(1).iter().map(|line| format!("+{line}\n")).collect();
    let patch = format!("--- a/b.c\n+++ b/b.c\n@@ -19,0 +20,18 @@\n{}", lines.concat());
    let output = plain.run_with(&["review", "--patch", "-"], patch.as_bytes());
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let without = plain.run(&["review"]);
    assert!(
        without.status.code() == Some(2) && said(&without).contains("in no git repository"),
        "{}",
        said(&without)
    );
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
        assert_eq!(output.status.code(), Some(1), "{folder}: {}", said(&output));
    };
    let begin = |folder: &str, arguments: &[&str]| {
        git(&home, &[&["init", "-q", "-b", "main"], arguments, &[folder]].concat());
        home.write(&format!("{folder}/first.c"), text(&[function(7001)]));
        let place = home.at(folder);
        assert!(git_in(&home, &place, &["add", "-A"]).status.success());
        assert!(git_in(&home, &place, &["commit", "-q", "-m", "first"]).status.success());
    };
    begin("sha256", &["--object-format=sha256"]);
    copy_in("sha256", "main");
    // Of another way of keeping references.
    begin("reftable", &["--ref-format=reftable"]);
    copy_in("reftable", "main");
    // A worktree, and a bare repository.
    git(&home, &["worktree", "add", "-q", "-b", "other", "tree"]);
    home.write("tree/src/copy.c", text(&[function(100)]));
    assert_eq!(run(&["review", "-C", "tree"]).status.code(), Some(1));
    git(&home, &["clone", "-q", "--bare", ".", "bare.git"]);
    let output = run(&["review", "-C", "bare.git"]);
    assert!(
        output.status.code() == Some(2) && said(&output).contains("bare repository"),
        "{}",
        said(&output)
    );
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
    assert!(output.status.code() == Some(2) && said(&output).contains("shallow clone"), "{}", said(&output));
    // Before the first commit.
    git(&home, &["init", "-q", "-b", "main", "unborn"]);
    home.write("unborn/a.c", text(&[function(3)]));
    home.write("unborn/b.c", text(&[function(3)]));
    assert_eq!(run(&["review", "-C", "unborn"]).status.code(), Some(1));
    for (range, words) in [("nowhere", "names no commit"), ("main..main", "is not checked out")] {
        let output = run(&["review", range]);
        assert!(output.status.code() == Some(2) && said(&output).contains(words), "{}", said(&output));
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

/// The search path with the program on it.
fn path() -> std::ffi::OsString {
    let known = std::env::var_os("PATH").unwrap_or_default();
    let own = program().parent().unwrap().to_owned();
    std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&known))).unwrap()
}

#[test]
fn the_hook_refuses_a_commit_that_copies() {
    let home = copied();
    let asset = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/hooks/pre-commit");
    std::fs::copy(asset, home.at(".git/hooks/pre-commit")).unwrap();
    let commit = |arguments: &[&str]| {
        let own = ["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", "x"];
        home.command_of("git", &[&own, arguments].concat()).env("PATH", path()).output().unwrap()
    };
    git(&home, &["add", "-A"]);
    let refused = commit(&[]);
    assert!(!refused.status.success(), "{}", said(&refused));
    assert!(
        String::from_utf8_lossy(&[refused.stdout, refused.stderr].concat())
            .contains("new copy of existing code")
    );
    home.write("src/copy.c", text(&[function(5000)]));
    let staged = home.run(&["review", "--staged"]);
    assert!(
        said(&staged).contains("src/copy.c has lines in the change that the working tree"),
        "{}",
        said(&staged)
    );
    let all = commit(&["-a"]);
    assert!(all.status.success(), "{}", said(&all));
}

#[test]
fn the_action_annotates_the_copies() {
    let home = copied();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/action/review.sh");
    let run = |variables: &[(&str, &str)]| {
        let mut command = home.command_of("bash", &[script]);
        command.env("PATH", path()).envs(variables.iter().copied()).output().unwrap()
    };
    let output = run(&[("BASE", "main"), ("FAIL_ON", "any"), ("MIN_WORTH", "0")]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("::warning file=src/copy.c"));
    assert_eq!(run(&[("BASE", "main"), ("MAX_NEW", "3")]).status.code(), Some(0));
    assert_eq!(run(&[("BASE_BRANCH", "main")]).status.code(), Some(2), "there is no origin");
    let action = include_str!("../../assets/action/action.yml");
    for variable in ["BASE", "BASE_BRANCH", "FAIL_ON", "MAX_NEW", "MIN_WORTH", "BASELINE"] {
        assert!(action.contains(&format!("        {variable}: ${{{{")), "{variable}");
    }
    let hooks = include_str!("../../.pre-commit-hooks.yaml");
    assert!(hooks.contains("entry: dupi-tui review --staged --no-screen\n"));
}
