//! `review --patch`: patches of git and others, and those that are not applied to the files.

use std::fs;
use std::os::unix::fs::symlink;

use crate::branches::{function, git, git_in, repository, text};
use crate::support::Home;

/// The exit code of a review of a patch in which nothing counts, and what is said.
fn judged(home: &Home, patch: impl AsRef<[u8]>) -> (Option<i32>, String) {
    let output = home.run_with(&["review", "--patch", "-", "--fail-on", "never"], patch);
    (output.code, output.stderr)
}

/// The copy of a change that is in the repository.
fn copied() -> Home {
    let home = repository();
    home.write("src/copy.c", text(&[function(5000), function(100)]));
    home
}

#[test]
fn a_patch_is_read_and_checked() {
    let home = copied();
    git(&home, &["add", "-A"]);
    let patch = git_in(&home, &home.at(""), &["diff", "--cached"]).stdout;
    let output = home.run_with(&["review", "--patch", "-"], &patch);
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    let other = patch.replace("+int ", "+long ");
    home.run_with(&["review", "--patch", "-"], other.as_bytes()).refused("is not applied to src/copy.c");
    // Without a repository too.
    let plain = Home::new();
    plain.write("a.c", text(&[function(1)]));
    plain.write("b.c", text(&[function(2), function(1)]));
    let lines: Vec<String> = function(1).iter().map(|line| format!("+{line}\n")).collect();
    let patch = format!("--- a/b.c\n+++ b/b.c\n@@ -19,0 +20,18 @@\n{}", lines.concat());
    let output = plain.run_with(&["review", "--patch", "-"], patch.as_bytes());
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    let without = plain.run(&["review"]);
    assert!(without.code == Some(2) && without.stderr.contains("in no git repository"), "{}", without.stderr);
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
        (output.code, output.stderr)
    };
    assert_eq!(code(), (Some(0), String::new()), "{patch}");
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
    home.run_with(&["review", "--patch", "-"], patch).refused("its line 4 differs");
    home.write("a.txt", "one\ntwo\nthree\n");
    assert_eq!(home.run_with(&["review", "--patch", "-"], patch).code, Some(0));
}

/// The fewer lines a patch has around its differences, the less says that it is applied.
#[test]
fn a_patch_of_removals_is_seen_not_to_be_applied_however_few_lines_it_has_around() {
    let home = repository();
    home.write("short.txt", "one\ntwo\nthree\n");
    home.write("long.txt", "one\ntwo\nthree\nfour\nfive\nsix\n");
    git(&home, &["add", "-A"]);
    git(&home, &["commit", "-q", "-m", "before"]);
    for (name, before, after) in [
        ("short.txt", "one\ntwo\nthree\n", "one\ntwo\n"),
        ("long.txt", "one\ntwo\nthree\nfour\nfive\nsix\n", "one\ntwo\nthree\nfour\n"),
        ("long.txt", "one\ntwo\nthree\nfour\nfive\nsix\n", "one\nfour\nfive\nsix\n"),
    ] {
        home.write(name, after);
        for around in ["-U0", "-U1", "-U2", "-U3"] {
            let patch = git_in(&home, &home.at(""), &["diff", around]).stdout;
            assert_eq!(judged(&home, &patch), (Some(0), String::new()), "{around} {after:?}");
            home.write(name, before);
            let (code, said) = judged(&home, &patch);
            assert!(
                code == Some(2) && said.contains(&format!("is not applied to {name}")),
                "{around} {after:?}: {said}"
            );
            home.write(name, after);
        }
        home.write(name, before);
    }
}

#[test]
fn a_symbolic_link_is_compared_with_the_patch() {
    let home = repository();
    let place = |name: &str, target: &str| {
        let _ = fs::remove_file(home.at(name));
        symlink(target, home.at(name)).unwrap();
    };
    place("link", "one");
    place("becomes-file", "one");
    place("moves", "one");
    home.write("becomes-link", "text\n");
    home.write("file", "text\n");
    git(&home, &["add", "-A"]);
    git(&home, &["commit", "-q", "-m", "before"]);
    place("link", "two");
    place("becomes-link", "two");
    fs::remove_file(home.at("becomes-file")).unwrap();
    home.write("becomes-file", "text\n");
    home.write("file", "text\nmore\n");
    place("added", "two");
    git(&home, &["mv", "moves", "moved"]);
    git(&home, &["add", "-A"]);
    let patch = git_in(&home, &home.at(""), &["diff", "--cached", "-M"]).stdout;
    assert_eq!(judged(&home, &patch), (Some(0), String::new()), "{patch}");
    for name in ["link", "becomes-link", "added"] {
        place(name, "three");
        let (code, said) = judged(&home, &patch);
        assert!(code == Some(2) && said.contains(&format!("is not applied to {name} (")), "{name}: {said}");
        place(name, "two");
    }
    for name in ["file", "becomes-file"] {
        let kept = fs::read(home.at(name)).unwrap();
        place(name, "two");
        let (code, said) = judged(&home, &patch);
        assert!(
            code == Some(2) && said.contains(&format!("{name} (it is a symbolic link)")),
            "{name}: {said}"
        );
        fs::remove_file(home.at(name)).unwrap();
        home.write(name, kept);
    }
}
