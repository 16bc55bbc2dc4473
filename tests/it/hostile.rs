//! A folder of hostile text, in files with hostile names, is walked through in a pseudo-terminal. Of all that the
//! program writes, nothing but its own sequences and harmless characters may reach the terminal.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use crate::support::{Home, Screen, stream};

/// Each stands in four files, so that it is a duplicate.
const TEXTS: [(&str, &[u8]); 9] = [
    ("colours", b"\x1b[31mred \x1b[2J\x1b[H\x1b]4;1;rgb:00/00/00\x07 \x9b31m \xc2\x9b32m all of it"),
    ("titles", b"\x1b]0;owned\x07 \x1b]2;owned\x1b\\ \xc2\x9d0;owned\xc2\x9c \x1bk owned\x1b\\ by a title"),
    ("clipboard", b"\x1b]52;c;cm0gLXJmIH4=\x07 \x1bPtmux;\x1b\x1b]52;c;cm0gLXJmIH4=\x07\x1b\\ pasted by nobody"),
    ("controls", b"back\x08\x08\x08 bell\x07 feed\x0c tab\x0b down\x0e\x0f\x05 gone\x7f return\r over it \xc2\x85 next"),
    ("bidi", "\u{202e}gnp.exe\u{202c} \u{2066}isolate\u{2069} \u{200f}right\u{200e} \u{61c}mark שלום".as_bytes()),
    ("nothing", "zero\u{200b}width\u{200d}join\u{2060}er\u{feff} soft\u{ad}hyphen \u{e0041}\u{e007f} \u{fff9}note".as_bytes()),
    ("piled", "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301} \u{301}alone 👩\u{200d}👩\u{200d}👧 ❤\u{fe0f}".as_bytes()),
    ("broken", b"\xff\xfe\x80 \xc3( \xed\xa0\x80 \xf8\x88\x80\x80\x80 \xc0\xaf and no more"),
    ("asks", b"\x1b[6n\x1b[c\x1bZ\x1b[>0q\x1b]11;?\x07\x1bP+q544e\x1b\\\x1b_Gi=1;AAAA\x1b\\ what are you"),
];

/// Names of files, and what they are followed by.
const NAMES: [&[u8]; 8] = [
    b"one\x1b[2J\x1b]0;owned\x07",
    b"two\nlines\tand\rmore",
    b"three\xff\xfe\x9b31m",
    "four\u{202e}txt.exe".as_bytes(),
    "five\u{200b}\u{feff}\u{ad}".as_bytes(),
    b"six\x08\x7f\x07",
    b"::error::seven",
    b"=eight##[error]",
];

/// Each of the texts, and the long line.
const ROWS: usize = TEXTS.len() + 1;

const BLAND: &str = "These are the words of a text that is long enough to be found as a passage of its own, \
                     whatever stands before it and behind it";

/// The corpus lies in a folder whose name is hostile too.
fn hostile() -> Home {
    let home = Home::new();
    let mut number = 0;
    let mut write = |extension: &str, text: &[u8]| {
        let name = [NAMES[number % NAMES.len()], format!("-{number}.{extension}").as_bytes()].concat();
        number += 1;
        let folder = home.at("a\u{1b}[2J\u{202e}folder\u{7}/sub\u{1b}c");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(OsStr::from_bytes(&name)), text).unwrap();
    };
    for (topic, text) in TEXTS {
        let words: String = BLAND.split(' ').map(|word| format!("{topic}{word} ")).collect();
        let text = [b"/* ", text, b"\n", words.as_bytes(), text, b" */\n"].concat();
        // As prose, and as code with its colours.
        for extension in ["txt", "txt", "rs", "rs"] {
            write(extension, &text);
        }
    }
    let long = "long".repeat(40);
    let words = (0..6_000).map(|word| format!("\u{1b}[31m{long}{word} \u{202e}"));
    let line = words.collect::<String>() + BLAND;
    for extension in ["txt", "txt"] {
        write(extension, line.as_bytes());
        write(extension, b"nothing\0 but\x1b[2J\0 binary");
    }
    home
}

fn open(home: &Home, size: (u16, u16)) -> Screen {
    let mut screen = home.open(size, &["a\u{1b}[2J\u{202e}folder\u{7}"], &[("COLORTERM", "truecolor")]);
    screen.wait_for("the passages", |text| {
        text.contains("watching") && text.contains("row 1 of 8\n") && text.contains("copy 1 of 4 ·")
    });
    // Two of the passages are set aside: data, and a text without blanks.
    screen.press("A");
    screen.wait_for("all passages", |text| text.contains(" of 10\n") && text.contains("copy 1 of 4 ·"));
    screen
}

/// Leaves the program, and looks at all that it has written.
fn check(mut screen: Screen) -> String {
    screen.press("Ctrl-c");
    assert_eq!(screen.wait_for_end(), 0);
    stream::text(&screen.bytes).unwrap_or_else(|what| panic!("the terminal was sent {what}"))
}

#[test]
fn only_known_sequences_are_known() {
    assert_eq!(
        stream::text("\u{1b}[?1049h\u{1b}[1;2H\u{1b}[38;2;1;2;3ma\u{1b}]52;c;YQ==\u{7}é".as_bytes()),
        Ok("aé".into())
    );
    for bad in [
        "\u{1b}[2;5n",
        "\u{1b}]0;a\u{7}",
        "\u{7}",
        "\u{9b}",
        "\u{200b}",
        "\u{1b}[?5h",
        "\u{1b}]52;c;a b\u{7}",
        "\n",
    ] {
        assert!(stream::text(bad.as_bytes()).is_err(), "{bad:?}");
    }
    assert!(stream::text(b"\xff").is_err());
}

#[test]
fn no_row_and_no_document_sends_a_control_to_the_terminal() {
    let home = hostile();
    let mut screen = open(&home, (120, 32));
    for row in 1..=ROWS {
        screen.wait_for("the row", |text| {
            text.contains(&format!("row {row} of {ROWS}"))
                && !text.contains("more to read")
                && text.contains("copy 1 of ")
        });
        screen.press("n");
        screen.wait_for_text("copy 2 of ");
        screen.press("v");
        screen.wait_for_text("compared with");
        screen.press("v");
        screen.wait_for_no("compared with");
        screen.press("Enter");
        screen.wait_for_no("Enter look");
        screen.press("z w G l l l g w z h h h h h");
        screen.wait_for_text("Enter look");
        screen.press("Down");
    }
    let text = check(screen);
    for shown in ["␛[31mred", "<202e>", "<200b>", "␛]52", "␈", "␇", "␡"] {
        assert!(text.contains(shown), "{shown} is not seen");
    }
}

#[test]
fn no_view_and_no_list_sends_a_control_to_the_terminal() {
    let home = hostile();
    let mut screen = open(&home, (100, 30));
    for (keys, shows) in [
        ("S", "binary"),
        ("Esc", "!binary"),
        ("2", "docs▼"),
        ("3", "share"),
        ("4", "in the corpus"),
        ("Enter", "100 %"),
        ("6", "indexer"),
        ("?", "whole stretches"),
        ("Esc", "!whole stretches"),
        ("1", "row 1 of 10"),
        ("y", "bytes sent to"),
        ("Y", "bytes sent to"),
        ("f", "share"),
        ("Esc", "copy 1 of 4"),
        ("B", "Enter hides it"),
    ] {
        screen.press(keys);
        match shows.strip_prefix('!') {
            Some(gone) => screen.wait_for_no(gone),
            None => screen.wait_for_text(shows),
        }
    }
    screen.paste("\u{1b}]0;because\u{7}\u{202e}of\u{200b}it");
    screen.wait_for_text("because");
    screen.press("Enter");
    screen.wait_for_text("u undoes it");
    screen.press("5");
    screen.wait_for_text("added");
    screen.press("u");
    screen.wait_for_text("Undone");
    check(screen);
}

#[test]
fn of_letters_with_marks_beside_them_nothing_stays_when_they_are_scrolled_away() {
    const WORDS: [&str; 9] = ["हिन्दी", "की", "लिए", "क्षि", "விழி", "கோடு", "ទឹក", "letters", "ကြောင်း"];
    let home = Home::new();
    let lines = (0..60_usize).map(|line| {
        let words = (0..3 + line * 7 % 11).map(|word| WORDS[(line * line + word * 5) % WORDS.len()]);
        format!("{} w{line}e\n", words.collect::<Vec<_>>().join(" "))
    });
    let text: String = lines.collect();
    for name in ["one.txt", "two.txt"] {
        home.write(name, &text);
    }
    let mut screen = home.open((100, 20), &["."], &[("COLORTERM", "truecolor")]);
    screen.wait_for("the copies", |text| {
        text.contains("watching") && text.contains("─ 1 passages ─") && text.contains("copy 1 of 2")
    });
    for keys in
        "l | j j j j j j j j j j j j j j j | k k k k k k k | w | v | v Esc | 2 | j j j j | 4 | 2 ? Esc"
            .split(" | ")
    {
        screen.press(keys);
        screen.settle();
        // Blanks that were written and blanks that were not are the same to see.
        let seen = |screen: &Screen| screen.text().lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        let before = seen(&screen);
        screen.press("Ctrl-l");
        screen.settle();
        assert_eq!(before, seen(&screen), "after {keys}");
    }
}

#[test]
fn a_hostile_filter_is_shown_and_not_sent() {
    let home = hostile();
    let mut screen = open(&home, (120, 30));
    screen.press("/");
    screen.paste("\u{1b}[2Jowned \u{202e}path:\u{7}");
    screen.wait_for_text("owned");
    screen.press("Enter");
    screen.wait_for_no("row 1 of 10\n");
    check(screen);
}

#[test]
fn on_a_small_screen_nothing_is_sent_either() {
    let home = hostile();
    let mut screen = open(&home, (120, 32));
    for (columns, lines) in [(40, 10), (20, 6), (80, 24)] {
        screen.resize(columns, lines);
        screen.press("Down n Down n Up");
        screen.wait_until_read();
    }
    screen.wait_for_text("of 10");
    check(screen);
}
