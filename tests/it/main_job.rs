//! The main job, end to end, in a real pseudo-terminal: open, look, move, silence, undo, filter, leave.

use std::fs;

use crate::support::{Home, Screen};
use dupi::index::FORMAT_VERSION;
use dupi::index::manifest::Manifest;
use dupi::storage::{Folder, Lock};
use dupi::taboo::LIST;

/// Long enough to be a passage.
const FOOTER: &str = "This message is meant for the person named above and for nobody else on this earth; \
                      whoever finds it is asked to send it back unread to the office of the harbour.";

fn letters() -> Home {
    let home = Home::new();
    for (name, body) in
        [("ann", "the apples are ripe"), ("bob", "the boat is mended"), ("cid", "the cat came home")]
    {
        home.write(&format!("{name}.txt"), format!("Dear friend, {body}.\n\n{FOOTER}\n"));
    }
    let copied = "fn shared(first: u32, second: u32) -> u32 { let sum = first + second; sum * sum + first }\n\
         fn other(first: u32, second: u32) -> u32 { let double = shared(second, first); double + double }\n";
    home.write("one.rs", format!("// one\n{copied}"));
    home.write("two.rs", format!("// two\n{copied}"));
    home
}

fn idle(screen: &mut Screen) {
    screen.wait_for("an idle indexer with passages", |text| {
        text.contains("watching") && text.contains("row 1 of") && text.contains("worth▼")
    });
}

#[test]
fn the_demo_is_looked_at_silenced_undone_filtered_and_left() {
    let home = Home::new();
    let mut screen = home.open((120, 36), &["--demo"], &[]);
    idle(&mut screen);
    screen.wait_for("the passages", |text| text.contains("worth▼") && text.contains("copy 1 of 4"));
    screen.send("n");
    screen.wait_for_text("copy 2 of 4");
    screen.send("t");
    screen.wait_for_text("hidden; u undoes it");
    screen.send("u");
    screen.wait_for_text("shown again");
    screen.send("/pilot\r");
    screen.wait_for("the filtered list", |text| text.contains("row 1 of 1\n") && text.contains("scans/oath"));
    screen.send("\u{1b}");
    screen.wait_for_text("read_tide");
    screen.send("?");
    screen.wait_for_text("passages: whole stretches with all their copies");
    screen.send("G");
    screen.wait_for_text("overlap in mostly the same documents");
    screen.send("q");
    screen.wait_for_no("overlap in mostly the same documents");
    screen.send("S");
    screen.wait_for_text("scans/oath.bin: binary");
    screen.send("qq");
    assert_eq!(screen.wait_for_end(), 0);
    let left = String::from_utf8_lossy(&screen.bytes).into_owned();
    assert!(left.ends_with("\u{1b}[?25h") && left.contains("\u{1b}[?1049l"), "the terminal is given back");
}

#[test]
fn passages_are_compared_silenced_and_left_for_blots() {
    let home = letters();
    home.write("eve.txt", format!("Dear friend, the eggs hatch.\n\n{}\n", FOOTER.replace("asked", "begged")));
    let mut screen = home.open((140, 24), &[], &[]);
    idle(&mut screen);
    screen.wait_for("the passages", |text| text.contains("worth▼") && text.contains("copy 1 of 4"));
    screen.send("n");
    screen.wait_for_text("copy 2 of 4");
    screen.send("nn");
    screen.wait_for("a copy that differs", |text| {
        text.contains("copy 4 of 4") && text.contains("% alike") && text.contains('≠')
    });
    screen.send("v");
    screen.wait_for("both copies", |text| {
        text.contains("compared with") && text.contains("begged") && text.contains("asked")
    });
    screen.send("v");
    screen.wait_for("the list again", |text| !text.contains("compared with") && text.contains("worth▼"));
    screen.send("t");
    screen.wait_for_text("hidden; u undoes it");
    screen
        .wait_for("a list without it", |text| text.contains("row 1 of 1") && !text.contains("This message"));
    screen.send("u");
    screen.wait_for("it again", |text| text.contains("shown again") && text.contains("This message"));
    screen.send("\t");
    screen.wait_for("the blots", |text| !text.contains("worth▼") && text.contains("copy 1 of 4"));
    screen.send("f");
    screen.wait_for("its documents", |text| text.contains("blot:") && text.contains("row 1 of 4"));
    screen.send("\u{1b}");
    screen.wait_for("the blots again", |text| !text.contains("blot:") && text.contains("copy 1 of 4"));
    screen.send("1");
    screen.wait_for_text("worth▼");
    screen.send("q");
    assert_eq!(screen.wait_for_end(), 0);
}

#[test]
fn each_copy_is_highlighted_in_its_document() {
    let home = letters();
    let mut screen = home.open((120, 30), &[], &[("COLORTERM", "truecolor")]);
    idle(&mut screen);
    screen.wait_for_text("ann.txt:3");
    let find = |screen: &Screen, word: &str| {
        let lines: Vec<String> = screen.screen().rows(0, 120).collect();
        let (row, line) = lines.iter().enumerate().rfind(|(_, line)| line.contains(word)).unwrap();
        (row as u16, line[..line.find(word).unwrap()].chars().count() as u16)
    };
    let (row, column) = find(&screen, "meant");
    let marked = screen.screen().cell(row, column).unwrap().bgcolor();
    let (row, column) = find(&screen, "apples");
    let plain = screen.screen().cell(row, column).unwrap().bgcolor();
    assert_ne!(marked, plain);
    screen.send("n");
    screen.wait_for_text("boat is mended");
}

#[test]
fn what_is_taboo_stays_taboo_after_a_restart_and_in_new_files() {
    let home = letters();
    let mut screen = home.open((100, 24), &[], &[]);
    idle(&mut screen);
    screen.wait_for_text("copy 1 of 3");
    screen.send("gt");
    screen.wait_for_text("3 documents hidden");
    screen.send("q");
    screen.wait_for_end();
    home.write("dan.txt", format!("Yet another letter. {FOOTER}"));
    let mut screen = home.open((140, 24), &[], &[]);
    screen.wait_for("the rest of the list", |text| {
        text.contains("hidden as taboo") && text.contains("6 documents")
    });
    assert!(!screen.text().contains("nobody else"), "{}", screen.text());
    screen.send("T");
    // It has a copy more than at the last visit, if its passage was found then.
    screen.wait_for("the taboo row", |text| {
        text.contains("× This message is meant") || text.contains("× 1 new: This message is meant")
    });
}

#[test]
fn the_list_follows_the_folder() {
    let home = letters();
    let mut screen = home.open((120, 30), &[], &[]);
    idle(&mut screen);
    let text = "Seven grey herons stood along the mole and watched the ferry leave without them, \
                and not one of them moved before the evening tide had covered all of the sand.";
    home.write("new/one.txt", text);
    home.write("new/two.txt", text);
    screen.wait_for_text("Seven grey herons");
    fs::rename(home.at("new/two.txt"), home.at("new/three.txt")).unwrap();
    screen.send("/herons\r");
    screen.wait_for_text("new/three.txt");
    home.write("new/three.txt", "Nothing of the kind.");
    screen.wait_for_text("No row matches the filter");
    home.write("new/four.txt", text);
    screen.wait_for_text("new/four.txt");
    fs::rename(home.at("new"), home.at("moved")).unwrap();
    screen.wait_for_text("moved/four.txt");
    home.write("moved/four.txt", "Changed where it lies now.");
    screen.wait_for_text("No row matches the filter");
    home.write("moved/five.txt", text);
    screen.wait_for_text("moved/five.txt");
    fs::remove_dir_all(home.at("moved")).unwrap();
    screen.wait_for_text("No row matches the filter");
    screen.wait_for_text("5 documents");
}

#[test]
fn a_folder_that_is_gone_and_comes_back_is_followed_again() {
    let home = letters();
    let mut screen = home.open((100, 30), &[], &[]);
    idle(&mut screen);
    let folder = home.at("..").canonicalize().unwrap();
    fs::rename(folder.join("corpus"), folder.join("elsewhere")).unwrap();
    screen.wait_for("a failure that names the folder", |text| text.contains("cannot reach"));
    home.write("back.txt", FOOTER);
    home.write("again.txt", FOOTER);
    screen.wait_for("the folder of now", |text| text.contains("2 documents") && text.contains("again.txt"));
}

#[test]
fn the_screen_may_have_any_size() {
    let home = letters();
    let mut screen = home.open((120, 30), &[], &[]);
    idle(&mut screen);
    for (columns, lines) in [(40, 10), (20, 6), (5, 2), (1, 1), (200, 60), (71, 12), (80, 24)] {
        screen.resize(columns, lines);
        screen.send("\tjk\t");
    }
    // The walk through the views ends anywhere.
    screen.send("1");
    screen.wait_for("the list on 80 × 24", |text| text.contains("row 1 of") && text.contains("? keys"));
    screen.send("q");
    assert_eq!(screen.wait_for_end(), 0);
}

#[test]
fn no_file_can_command_the_terminal() {
    let home = Home::new();
    let hostile = "\u{1b}]0;owned\u{7} \u{1b}[31mred\u{9b}32m \u{202e}evil\u{200b} one two three four five six seven eight \
        nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty and one more\r\n\u{7f}";
    home.write("a\u{1b}[2J.txt", hostile);
    home.write("b.txt", hostile);
    let mut screen = home.open((100, 24), &[], &[]);
    idle(&mut screen);
    screen.wait_for_text("copy 1 of 2");
    screen.wait_for_text("␛");
    for bad in ["\u{1b}]0;owned", "\u{1b}[31mred", "\u{9b}", "\u{202e}", "\u{7f}", "\u{1b}[2J."] {
        assert!(!String::from_utf8_lossy(&screen.bytes).contains(bad), "{bad:?}");
    }
}

#[test]
fn a_signal_ends_it_in_order() {
    for signal in ["-TERM", "-INT", "-HUP"] {
        let home = letters();
        let mut screen = home.open((80, 24), &[], &[]);
        idle(&mut screen);
        std::process::Command::new("kill").args([signal, &screen.process().to_string()]).status().unwrap();
        assert_eq!(screen.wait_for_end(), 0, "{signal}");
        assert!(String::from_utf8_lossy(&screen.bytes).contains("\u{1b}[?1049l"), "{signal}");
    }
}

#[test]
fn the_editor_opens_at_the_line_and_comes_back() {
    let home = letters();
    let said = home.at("../said");
    home.write("../vi", format!("#!/bin/sh\necho \"$@\" > {}\n", crate::support::text(&said)));
    let editor = home.at("../vi");
    fs::set_permissions(&editor, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut screen = home.open((100, 24), &[], &[("EDITOR", crate::support::text(&editor))]);
    idle(&mut screen);
    screen.wait_for_text("ann.txt:3");
    screen.send("o");
    screen.wait_for_bytes("\u{1b}[?1049h", 2);
    screen.send("n");
    screen.wait_for_text("copy 2 of 3");
    let told = fs::read_to_string(&said).unwrap();
    assert!(told.starts_with("+3 ") && told.trim_end().ends_with("ann.txt"), "{told}");
}

#[test]
fn an_index_of_another_recipe_is_said_and_rebuilt_on_request() {
    let home = letters();
    home.stdout(&["index", "-k", "4"]);
    let mut screen = home.open((100, 24), &["-k", "6"], &[]);
    screen.wait_for("the question", |text| text.contains("built with") && text.contains("k 6"));
    screen.send("r");
    idle(&mut screen);
    screen.send("q");
    screen.wait_for_end();
    assert!(home.stdout(&["inspect", "--no-update"]).contains("k 6"));
}

#[test]
fn an_index_of_an_older_format_is_said_and_rebuilt_on_request() {
    let home = letters();
    home.stdout(&["index", "--index", "../index"]);
    let folder = Folder::new(home.at("../index"));
    let manifest = Manifest::read(&folder).unwrap();
    Manifest { version: FORMAT_VERSION - 1, ..manifest }.commit(&folder).unwrap();
    let mut screen = home.open((100, 24), &["--index", "../index"], &[]);
    screen.wait_for("the question", |text| text.contains("format version") && text.contains("rebuild"));
    assert!(Manifest::read(&folder).is_err(), "nothing is done before it is asked for");
    screen.send("r");
    idle(&mut screen);
    screen.send("q");
    screen.wait_for_end();
}

#[test]
fn a_second_program_reads_what_the_first_one_writes() {
    let home = letters();
    let mut first = home.open((100, 24), &[], &[]);
    idle(&mut first);
    let mut second = home.open((100, 24), &[], &[]);
    second.wait_for("a read-only screen", |text| text.contains("read only") && text.contains("row 1 of"));
    first.send("q");
    first.wait_for_end();
    idle(&mut second);
}

#[test]
fn a_decision_that_fails_while_one_leaves_is_said_in_the_shell() {
    let home = letters();
    let mut screen = home.open((100, 24), &["--index", "../index"], &[]);
    idle(&mut screen);
    let index = Folder::new(home.at("../index"));
    let decided_by_another = Lock::wait(&index, "decisions.lock").unwrap();
    // Who moves has seen what is selected now.
    screen.send("gtq");
    screen.wait_for_bytes("\u{1b}[?1049l", 1);
    fs::write(index.at(LIST), "spoilt").unwrap();
    drop(decided_by_another);
    assert_eq!(screen.wait_for_end(), 0);
    assert!(screen.text().contains("dupi-tui: the taboo list"), "{}", screen.text());
}

#[test]
fn a_terminal_that_cannot_move_its_cursor_is_refused() {
    let home = letters();
    let mut screen = home.open((120, 24), &[], &[("TERM", "dumb")]);
    screen.wait_for_text("TERM is dumb");
    assert_eq!(screen.wait_for_end(), 2);
    assert!(!String::from_utf8_lossy(&screen.bytes).contains('\u{1b}'));
}

#[test]
fn the_screen_says_how_much_is_left_out_and_lists_some() {
    let home = Home::new();
    let bad = "{\"txt\": \"a field that nobody asked for\"}\n".repeat(2500);
    home.write("rows.jsonl", format!("{{\"text\": \"the only line with the field\"}}\n{bad}"));
    home.stdout(&["index", "-q", "--jsonl", "text"]);
    let mut screen = home.open((100, 24), &[], &[]);
    screen.wait_for_text("2,500 left out");
    screen.send("S");
    screen.wait_for_text("line 11 has no text in the field, and 2,490 more");
    screen.send("q");
}
