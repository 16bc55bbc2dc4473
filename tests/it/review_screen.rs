//! The view of a review in a terminal: opened by the verb, each state set and taken back, the change beside its original, the
//! report of what is shown written; and when the report is printed instead.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::branches::{PAIRS, function, git, name, repository, text};
use crate::support::{Home, Screen};

/// A branch with a copy of a function, one that is moved, and one of a pair that is changed on one side.
fn branch() -> Home {
    let home = repository();
    begin_branch(&home);
    home
}

pub(crate) fn begin_branch(home: &Home) {
    git(home, &["checkout", "-q", "-b", "feature"]);
    home.write("src/copy.c", text(&[function(5000), function(100)]));
    git(home, &["add", "-A"]);
    git(home, &["commit", "-q", "-m", "Copy a function"]);
    git(home, &["mv", &name(9), "src/moved.c"]);
    let old = fs::read_to_string(home.at(&name(0))).unwrap();
    let pair = function(PAIRS[0]);
    let line = &pair[7];
    home.write(&name(0), old.replace(line, &format!("{line}\n\tif (is_locked(this_row)) return -7;")));
}

/// Waits for a row of the list that has some words.
fn wait_for_row(screen: &mut Screen, words: &[&str]) {
    screen.wait_for(&format!("a row with {words:?}"), |text| {
        text.lines().any(|line| words.iter().all(|words| line.contains(words)))
    });
}

#[test]
fn a_review_is_triaged_on_the_screen() {
    let home = branch();
    let (editor, opened) = (home.at("../editor"), home.at("../opened"));
    fs::write(&editor, format!("#!/bin/sh\necho \"$@\" >> {}\n", opened.to_str().unwrap())).unwrap();
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
    let mut screen = home.open((160, 40), &["review"], &[("EDITOR", editor.to_str().unwrap())]);
    wait_for_row(&mut screen, &["new copy", "open", "src/copy.c:20 = src/part_10.c:1"]);
    wait_for_row(&mut screen, &["drifted", "src/part_0.c:", "src/part_6.c:", "if (is_lo"]);
    screen
        .wait_for("what was reviewed", |text| text.contains("files changed") && text.contains("row 1 of 2"));
    assert!(!screen.text().contains("src/moved.c"), "a moved file copies nothing:\n{}", screen.text());
    // The changed copy is the first one, and its lines are those that the change adds.
    wait_for_row(&mut screen, &["+src/copy.c:20"]);
    wait_for_row(&mut screen, &["20+▌ int "]);
    screen.send("v");
    screen.wait_for("both", |text| text.contains("compared with src/part_10.c:1") && text.contains("20+▌"));
    screen.send("v");
    screen.send("r");
    wait_for_row(&mut screen, &["new copy", "to fix", "! src/copy.c"]);
    screen.send("r");
    wait_for_row(&mut screen, &["new copy", "accepted", "✓ src/copy.c"]);
    screen.send("r");
    wait_for_row(&mut screen, &["new copy", "taboo", "× src/copy.c"]);
    screen.send("u");
    wait_for_row(&mut screen, &["new copy", "accepted"]);
    screen.send("u");
    wait_for_row(&mut screen, &["new copy", "to fix"]);
    screen.send("/state:fix\r");
    screen.wait_for_text("row 1 of 1");
    screen.send("b");
    screen.wait_for_text("18 lines  ");
    screen.wait_for_text("A: Copy a function");
    screen.press("Esc");
    screen.wait_for_no("where src/copy.c");
    screen.send("O");
    screen.wait_for_bytes("\u{1b}[?1049h", 3);
    let lines = fs::read_to_string(&opened).unwrap();
    assert!(lines.lines().count() == 2 && lines.contains("copy.c") && lines.contains("part_10.c"), "{lines}");
    screen.send("y");
    screen.wait_for_text("clipboard");
    screen.send("x");
    screen.wait_for_text("all that are shown");
    let file = home.at("../shown.jsonl");
    screen.send(&format!("\u{15}{}\r", file.to_str().unwrap()));
    screen.wait_for_text("1 row written");
    let row: serde_json::Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!((&row["verdict"], &row["state"]), (&"new-copy".into(), &"fix".into()));
    // The index follows the working tree, and the review with it.
    screen.press("Esc");
    home.write("src/again.c", text(&[function(5001), function(41)]));
    wait_for_row(&mut screen, &["new copy", "open", "src/again.c:20"]);
    screen.send("q");
    assert_eq!(screen.wait_for_end(), 0);
    // The decision is kept, and the gate goes on reporting what is to be fixed.
    let states = |state: &str| {
        let output = home.run(&["review", "--json", "--state", state]);
        let rows = output.stdout;
        (rows.lines().count(), rows.contains("src/copy.c"), output.code)
    };
    assert_eq!(states("fix"), (1, true, Some(1)));
    assert_eq!(states("open"), (2, false, Some(1)));
    assert_eq!(states("accepted,taboo"), (0, false, Some(0)));
    let list = home.run(&["accept", "list"]);
    assert!(list.stdout.contains("to fix: passage:"));
}
