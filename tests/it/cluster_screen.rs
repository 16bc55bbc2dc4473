//! The view of clusters in a terminal: opened, unfolded, compared, accepted, and the files to drop written.

use std::fs;

use crate::support::Home;

/// A text of a few lines, with one word replaced.
fn text(name: &str, replaced: &str) -> String {
    let line = |number: usize| {
        let word = if number == 7 { replaced } else { "boat" };
        format!("{name} line {number} says that the {word} is in the harbour of {name} {number}\n")
    };
    (0..20).map(line).collect()
}

#[test]
fn clusters_are_opened_unfolded_compared_accepted_and_exported() {
    let home = Home::new();
    for tree in ["one", "two"] {
        for file in ["a", "b"] {
            home.write(&format!("{tree}/{file}.txt"), text(&format!("tree{file}"), "boat"));
        }
    }
    home.write("first.txt", text("letter", "boat"));
    home.write("second.txt", text("letter", "vessel"));
    let mut screen = home.open((120, 30), &[], &[]);
    screen.wait_for_text("6 documents");
    screen.send("3");
    screen.wait_for_text("C clusters");
    screen.send("C");
    screen.wait_for("the clusters", |text| {
        text.contains("jaccard ≥ 0.5 · trees 1, similar 1") && text.contains("These 2 trees are the same")
    });
    screen.send("j\r");
    screen.wait_for("the members", |text| text.contains("▾ first.txt") && text.contains("row 2 of 4"));
    screen.send("jjv");
    screen.wait_for("both", |text| text.contains("compared with first.txt") && text.contains("second.txt"));
    screen.send("]");
    screen.wait_for_text("vessel");
    screen.send("v");
    screen.wait_for_text("row 4 of 4");
    screen.send("ka");
    screen.wait_for_text("accepted as a whole");
    screen.send("ha");
    screen.wait_for("that it is accepted", |text| text.contains("Accepted: 1 row") && text.contains("✓"));
    screen.send("u");
    screen.wait_for("it open again", |text| text.contains("Undone") && !text.contains("✓"));
    screen.send("t");
    screen.wait_for_text("Only texts can be taboo");
    screen.send("x");
    screen.wait_for_text(".drop0 .keep0");
    let file = home.at("dropped.drop");
    screen.send("\u{15}");
    screen.send(&format!("{}\r", file.to_str().unwrap()));
    screen.wait_for_text("1 file to drop written");
    let list = fs::read_to_string(&file).unwrap();
    assert!(list.ends_with("second.txt\n") && list.lines().count() == 1, "{list}");
    // It is there at the next start.
    screen.send("q");
    assert_eq!(screen.wait_for_end(), 0);
    let mut screen = home.open((80, 24), &[], &[]);
    screen
        .wait_for("the same view", |text| text.contains("C clusters") && text.contains("trees 1, similar 1"));
    screen.send("q");
    assert_eq!(screen.wait_for_end(), 0);
}
