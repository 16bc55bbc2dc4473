//! `kind`: what passages are, and which kinds are set aside, decided from a script; and the setting `aside`.

use crate::set_aside::corpus;
use crate::support::Home;

/// The kinds of the passages that are listed, sorted.
fn kinds(home: &Home, arguments: &[&str]) -> Vec<String> {
    let rows = home.rows(&[&["passages", "--no-update"], arguments].concat());
    let mut kinds: Vec<String> = rows.iter().map(|row| row["kind"].as_str().unwrap().to_owned()).collect();
    kinds.sort_unstable();
    kinds
}

#[test]
fn the_screen_opens_lines_lists_kinds_for_good_and_corrects_them() {
    let home = corpus();
    home.set("[kinds]\nmarkup = \"text:lighthouse keeper counted\"\n");
    let mut screen = home.open((120, 30), &[], &[]);
    screen.wait_for("the lines", |text| {
        text.contains("▸ licence  1 passage · 3 copies · ") && text.contains("▸ data  1 passage")
    });
    assert!(screen.text().contains("▸ markup  1 passage"), "{}", screen.text());
    screen.press("G");
    screen.wait_for_text("set aside");
    screen.press("t");
    screen.wait_for_text("stands for all passages of a kind");
    for (kind, text) in [("licence", "Permission is hereby"), ("data", "unsigned char table")] {
        let (column, line) = screen.find(&format!("▸ {kind}")).unwrap();
        screen.click((column, line));
        screen
            .wait_for("the open line", |shown| shown.contains(&format!("▾ {kind}")) && shown.contains(text));
    }
    // The passage below the first line: no licence from now on.
    let (column, line) = screen.find("▾ licence").unwrap();
    screen.click((column, line + 1));
    screen.wait_for_text("copy 1 of 3");
    screen.press("K");
    screen.wait_for_text("what this is");
    screen.press("Home Enter");
    screen.wait_for_text("Set to code: 1 passage; u undoes it");
    screen.wait_for_no("licence  1 passage");
    screen.press("u");
    screen.wait_for_text("Undone: kind code");
    screen.wait_for_text("▾ licence  1 passage");
    let (column, line) = screen.find("▸ markup").unwrap();
    screen.click((column, line));
    screen.wait_for_text("▾ markup");
    screen.press("Z");
    screen.wait_for_text("Passages of the kind markup are listed in this corpus from now on; u undoes it");
    screen.wait_for_no("▾ markup");
    screen.press("q");
    assert_eq!(screen.wait_for_end(), 0);
    // What was open is open again; what was decided stays.
    let mut screen = home.open((120, 30), &[], &[]);
    screen.wait_for("the lines", |text| text.contains("▾ licence") && text.contains("▾ data"));
    assert!(!screen.text().contains("▸ markup"), "{}", screen.text());
    screen.press("q");
    assert_eq!(screen.wait_for_end(), 0);
    assert_eq!(kinds(&home, &[]), ["code", "code", "markup"]);
}
