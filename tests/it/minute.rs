//! The first minute of somebody who has never seen the program, played in a pseudo-terminal. The README shows it
//! as an animated picture.

use std::fs;

use crate::support::acts::play;
use crate::support::{Home, Screen, minute};

fn open(home: &Home) -> Screen {
    let editor = minute::editor(home);
    home.open((120, 30), &["--demo"], &[("EDITOR", &editor)])
}

#[test]
fn the_first_screen_says_what_is_copied_how_often_and_where() {
    let home = Home::new();
    let mut screen = open(&home);
    for text in minute::OPENED {
        screen.wait_for_text(text);
    }
    let text = screen.text();
    for says in ["copies", "worth", "tokens", "1 passages", "31 documents", "minutes/april.md:1:1"] {
        assert!(text.contains(says), "no {says} in\n{text}");
    }
    let foot = text.lines().rfind(|line| !line.trim().is_empty()).unwrap();
    for key in ["Enter look", "n next copy", "t taboo", "/ filter", "? keys", "q quit"] {
        assert!(foot.contains(key), "no {key} in {foot}");
    }
    let selected = text.lines().find(|line| line.starts_with("▶")).unwrap_or_default();
    assert!(selected.contains("The treasurer laid"), "the worst comes first: {selected}");
}

#[test]
fn the_minute_is_played_and_leaves_everything_as_it_was() {
    let home = Home::new();
    let mut screen = open(&home);
    let mut seen = Vec::new();
    play(&mut screen, &minute::MINUTE, |screen, _| seen.push(screen.text()));
    let first = |what: &str, is_so: &dyn Fn(&str) -> bool| {
        seen.iter().position(|text| is_so(text)).unwrap_or_else(|| panic!("never {what}"))
    };
    let has_notice = |text: &str| text.contains("Its figures are wrong by al");
    let hidden = first("hidden", &|text| text.contains("u undoes it"));
    let shown = first("shown again", &|text| text.contains("shown again"));
    let beside = first("beside", &|text| text.contains("vessel") && text.contains("vesse1"));
    let edited = first("in the editor", &|text| text.contains("this editor"));
    assert!(hidden < shown && shown < beside && beside < edited);
    assert!(!seen[hidden].lines().take(20).any(|line| line.contains("Its figures are wrong by al")));
    assert!(has_notice(&seen[shown]));
    assert!(
        seen[edited].contains("scans/oath-1874.txt, line 1") && seen[edited].contains("1  THE PILOT'S OATH")
    );
    let last = seen.last().unwrap();
    assert!(has_notice(last) && last.contains("row 5 of 9") && !last.contains("filter:"), "{last}");
    screen.press("q");
    assert_eq!(screen.wait_for_end(), 0);
    assert!(screen.bytes.ends_with(b"\x1b[?25h"), "the terminal is given back");
}

#[test]
fn what_was_undone_is_done_again_and_undone_once_more_at_the_next_start() {
    let home = Home::new();
    let mut screen = open(&home);
    screen.wait_for_text("row 1 of 9");
    screen.press("Down");
    screen.wait_for_text("copy 1 of 3");
    screen.press("t");
    screen.wait_for_no("Its figures are wrong by al");
    screen.press("u");
    screen.wait_for_text("shown again");
    screen.wait_for_text("Its figures are wrong by al");
    screen.press("Ctrl-r");
    screen.wait_for_no("Its figures are wrong by al");
    screen.press("q");
    assert_eq!(screen.wait_for_end(), 0);
    let mut screen = open(&home);
    screen.wait_for("a list without it", |text| {
        text.contains("of 9\n") && !text.contains("Its figures are wrong by al")
    });
    screen.press("u");
    screen.wait_for("it again", |text| {
        text.contains("shown again") && text.contains("Its figures are wrong by al")
    });
}

#[test]
fn the_editor_is_told_the_line_of_the_copy_that_is_shown() {
    let home = Home::new();
    let mut screen = open(&home);
    for text in minute::OPENED {
        screen.wait_for_text(text);
    }
    screen.press("n n");
    screen.wait_for_text("copy 3 of 4");
    screen.press("o");
    screen.wait_for_text("minutes/january.md, line 1");
    screen.wait_for_text("Enter closes this editor");
    screen.press("Enter");
    screen.wait_for("the screen again", |text| text.contains("copy 3 of 4") && !text.contains("this editor"));
    let settings = fs::read_dir(home.at("")).unwrap().count();
    assert_eq!(settings, 0, "nothing is written to the folder that one stands in");
}
