//! `review` as people and hooks call it: sources of changes, decisions, options, and repositories of all kinds.

use crate::branches::{function, git, repository, text};
use crate::support::{Home, Said, program};

/// The verdicts of a review and its exit code.
fn verdicts(home: &Home, arguments: &[&str]) -> (Vec<String>, Option<i32>) {
    let output = home.run(&[&["review", "--json"], arguments].concat());
    let rows = output.stdout.clone();
    let verdict = |line: &str| {
        serde_json::from_str::<serde_json::Value>(line).unwrap()["verdict"].as_str().unwrap().to_owned()
    };
    (rows.lines().map(verdict).collect(), output.code)
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
    let printed = output.stdout;
    assert_eq!(output.code, Some(1));
    assert!(printed.contains("new copy of existing code, 1 before and 2 now"), "{printed}");
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[1].starts_with("\t+ src/copy.c:20-37"), "{printed}");
    assert!(lines[2].starts_with("\t= src/part_10.c:1-18") && lines[2].ends_with("use it"), "{printed}");
    let github = home.run(&["review", "--format", "github"]);
    let github = github.stdout;
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
    home.refuses(&["review", "--config", "dupi.toml"], "line 2");
}

#[test]
fn a_baseline_accepts_until_there_is_one_more_copy() {
    let home = copied();
    home.refuses(&["review", "--baseline", "base.toml"], "--update-baseline");
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
    let printed = output.stdout;
    assert_eq!(printed.lines().count(), 1, "{printed}");
    assert!(printed.contains("\"line\":58"), "{printed}");
    assert_eq!(verdicts(&home, &[]).0, ["new-copy", "new-copy"]);
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
        Said::of(home.command_of("git", &[&own, arguments].concat()).env("PATH", path()))
    };
    git(&home, &["add", "-A"]);
    let refused = commit(&[]);
    assert!(!refused.is_done(), "{}", refused.stderr);
    assert!([refused.stdout, refused.stderr].concat().contains("new copy of existing code"));
    home.write("src/copy.c", text(&[function(5000)]));
    let staged = home.run(&["review", "--staged"]);
    assert!(
        staged.stderr.contains("src/copy.c has lines in the change that the working tree"),
        "{}",
        staged.stderr
    );
    let all = commit(&["-a"]);
    assert!(all.is_done(), "{}", all.stderr);
}

#[test]
fn the_action_annotates_the_copies() {
    let home = copied();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/action/review.sh");
    let run = |variables: &[(&str, &str)]| {
        let mut command = home.command_of("bash", &[script]);
        Said::of(command.env("PATH", path()).envs(variables.iter().copied()))
    };
    let output = run(&[("BASE", "main"), ("FAIL_ON", "any"), ("MIN_WORTH", "0")]);
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    assert!(output.stdout.starts_with("::warning file=src/copy.c"));
    assert_eq!(run(&[("BASE", "main"), ("MAX_NEW", "3")]).code, Some(0));
    assert_eq!(run(&[("BASE_BRANCH", "main")]).code, Some(2), "there is no origin");
    let action = include_str!("../../assets/action/action.yml");
    for variable in ["BASE", "BASE_BRANCH", "FAIL_ON", "MAX_NEW", "MIN_WORTH", "BASELINE"] {
        assert!(action.contains(&format!("        {variable}: ${{{{")), "{variable}");
    }
    let hooks = include_str!("../../.pre-commit-hooks.yaml");
    assert!(hooks.contains("entry: dupi-tui review --staged --no-screen\n"));
}
