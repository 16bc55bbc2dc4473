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
    write_letters(&home);
    home
}

pub(crate) fn write_letters(home: &Home) {
    for (name, body) in
        [("ann", "the apples are ripe"), ("bob", "the boat is mended"), ("cid", "the cat came home")]
    {
        home.write(&format!("{name}.txt"), format!("Dear friend, {body}.\n\n{FOOTER}\n"));
    }
    let copied = "fn shared(first: u32, second: u32) -> u32 { let sum = first + second; sum * sum + first }\n\
         fn other(first: u32, second: u32) -> u32 { let double = shared(second, first); double + double }\n";
    home.write("one.rs", format!("// one\n{copied}"));
    home.write("two.rs", format!("// two\n{copied}"));
}

fn idle(screen: &mut Screen) {
    screen.wait_for("an idle indexer with passages", |text| {
        text.contains("watching") && text.contains("row 1 of") && text.contains("worth▼")
    });
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
