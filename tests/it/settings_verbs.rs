//! `config`, and what the program makes of a settings file: what is wrong in it is named with its line and
//! column, and left out, while everything goes on.

use std::fs;

use crate::support::Home;

/// A home with a settings file.
fn home_with(settings: &str) -> Home {
    let home = Home::new();
    fs::create_dir_all(home.settings().parent().unwrap()).unwrap();
    fs::write(home.settings(), settings).unwrap();
    home
}

/// A file with something wrong in every part of it, and where.
const WRONG: &str = "theme = \"light\"\nmouse = 3\n[keys]\nsort = \"Hyper-x\"\nfly = \"x\"\n[columns]\nblots = [\"weight\"]\n\
    [colours]\nselected = \"on reddish\"\n";
const PLACES: [&str; 5] =
    ["line 2, column 9", "line 4, column 8", "line 5, column 1", "line 7, column 10", "line 9, column 12"];

#[test]
fn the_screen_applies_the_other_settings_and_reports_invalid_ones() {
    let home = home_with("mouse = 3\n[keys]\nquit = \"X\"\n");
    home.write("a.txt", "A document with some words in it, and no copies.");
    let mut screen = home.open((160, 24), &[], &[]);
    screen.wait_for("what is wrong", |text| text.contains("line 1, column 9") && text.contains("ignored"));
    screen.wait_for_text("1 document ");
    screen.send("q");
    screen.wait_for_text("q means nothing here");
    screen.send("X");
    assert_eq!(screen.wait_for_end(), 0);
}

#[test]
fn every_problem_is_among_the_events_of_the_screen() {
    let home = home_with(WRONG);
    home.write("a.txt", "A document with some words in it, and no copies.");
    let mut screen = home.open((200, 40), &[], &[]);
    screen.wait_for_text("5 problems with the settings: the activity view (6) names each of them");
    screen.wait_for_text("1 document ");
    screen.send("6");
    screen.wait_for("all problems", |text| PLACES.iter().all(|place| text.contains(place)));
    screen.send("q");
    screen.wait_for_end();
}

#[test]
fn a_level_that_is_none_is_a_problem_of_the_settings() {
    let home = home_with("log = \"loud\"\n");
    let output = home.run(&["config", "--check"]);
    let said = output.stdout;
    assert!(output.code == Some(2) && said.contains("line 1, column 7: `loud`"), "{said}");
    home.write("a.txt", "A document with some words in it, and no copies.");
    let mut screen = home.open((160, 24), &[], &[]);
    screen.wait_for("what is wrong", |text| text.contains("line 1, column 7") && text.contains("ignored"));
    screen.send("q");
    assert_eq!(screen.wait_for_end(), 0);
}

#[test]
fn the_screen_says_what_is_wrong_in_the_saved_filters() {
    let home = home_with("");
    fs::write(home.settings().with_file_name("filters.toml"), "a = 'x'\nb = 3\n").unwrap();
    home.write("a.txt", "A document with some words in it, and no copies.");
    let mut screen = home.open((160, 24), &[], &[]);
    screen.wait_for("what is wrong", |text| text.contains("line 2, column 5"));
    screen.send("q");
    assert_eq!(screen.wait_for_end(), 0);
}

#[test]
fn the_mouse_is_ours_until_a_key_or_a_setting_leaves_it_to_the_terminal() {
    const TAKEN: &str = "\u{1b}[?1000h";
    const LEFT: &str = "\u{1b}[?1000l";
    let home = home_with("");
    home.write("a.txt", "A document with some words in it, and no copies.");
    let mut screen = home.open((100, 24), &[], &[]);
    screen.wait_for_bytes(TAKEN, 1);
    screen.wait_for_text("1 document ");
    assert!(!String::from_utf8_lossy(&screen.bytes).contains(LEFT));
    screen.send("M");
    screen.wait_for_bytes(LEFT, 1);
    screen.wait_for_text("The terminal uses the mouse");
    screen.send("M");
    screen.wait_for_bytes(TAKEN, 2);
    screen.send("q");
    screen.wait_for_end();
    fs::write(home.settings(), "mouse = false\n").unwrap();
    let mut screen = home.open((100, 24), &[], &[]);
    screen.wait_for_text("1 document ");
    screen.send("q");
    screen.wait_for_end();
    assert!(!String::from_utf8_lossy(&screen.bytes).contains(TAKEN));
}
