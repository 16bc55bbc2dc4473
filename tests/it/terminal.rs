//! What the program does with a terminal, on the byte stream of a pseudo-terminal: colours, the one
//! question it asks, text that would bend the screen, and that it gives the terminal back whatever happens.
//!
//! Traps of terminals, each with its test: bare resets under NO_COLOR, text that commands or bends the screen,
//! a terminal that is gone, panics and the background's question are here; wide cells in snapshots are in
//! `screen::tests::screen`, long documents in `screen::tests::reading`, watches in `watching` and `corpus::watch`, the mouse in
//! `transcripts/screens.txt`, and what a clipboard would cut in `clipboard`.

use std::fs;
use std::time::{Duration, Instant};

use crate::signals::{signal, wait_for_copies};
use crate::support::{BareTerminal, Home, Mouse, Screen, process, program, text};

const COPIED: &str = "This message is meant for the person named above and for nobody else on this earth; \
                      whoever finds it is asked to send it back unread to the office of the harbour.";
const QUESTION: &str = "\u{1b}]11;?\u{7}";
/// The mark of the selected row, and the beginning of its first number.
const SELECTED: &str = "▶   ";
const TRUE_COLOUR: (&str, &str) = ("COLORTERM", "truecolor");

fn letters() -> Home {
    let home = Home::new();
    for name in ["ann", "bob", "cid"] {
        home.write(&format!("{name}.txt"), format!("Dear friend, it is {name}.\n\n{COPIED}\n"));
    }
    home
}

/// All colours and attributes that were set, each by its number.
fn attributes(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let sequences = text.split("\u{1b}[").skip(1).filter_map(|rest| {
        let end = rest.find(|character: char| !character.is_ascii_digit() && character != ';')?;
        rest[end..].starts_with('m').then(|| rest[..end].to_owned())
    });
    sequences.collect()
}

fn is_coloured(attribute: &str) -> bool {
    attribute.split(';').any(|number| matches!(number.parse(), Ok(30..=38 | 40..=48 | 90..=107)))
}

fn ground_of_selected(screen: &Screen) -> vt100::Color {
    let (column, line) = screen.find(SELECTED).unwrap();
    screen.screen().cell(line, column + 4).unwrap().bgcolor()
}

#[test]
fn without_colours_a_selected_row_is_reversed_from_end_to_end() {
    let home = letters();
    let mut screen = home.open((100, 24), &[], &[TRUE_COLOUR, ("NO_COLOR", "1")]);
    wait_for_copies(&mut screen);
    screen.send("T");
    screen.wait_for_text("Taboo rows are shown");
    let (column, line) = screen.find(SELECTED).unwrap();
    let (border, _) = screen.find("│").unwrap();
    let is_reversed = |column| screen.screen().cell(line, column).unwrap().inverse();
    assert!(column + 20 < border && (column..border).all(is_reversed));
    let coloured: Vec<String> =
        attributes(&screen.bytes).into_iter().filter(|attribute| is_coloured(attribute)).collect();
    assert!(coloured.is_empty(), "{coloured:?}");
    assert!(!String::from_utf8_lossy(&screen.bytes).contains(QUESTION));
}

#[test]
fn no_terminal_gets_more_colours_than_it_has() {
    let home = letters();
    let code =
        "fn shared(first: u32) -> u32 { let sum = first + 1; sum * sum + first } // as it was\n".repeat(3);
    home.write("one.rs", format!("// one\n{code}"));
    home.write("two.rs", format!("// two\n{code}"));
    for (term, most) in [("xterm-256color", 255), ("xterm", 15)] {
        let mut screen = home.open((160, 24), &[], &[("TERM", term)]);
        wait_for_copies(&mut screen);
        screen.send("/shared\r");
        screen.wait_for("the code", |text| text.contains("row 1 of 1") && text.contains("sum * sum"));
        if term == "xterm-256color" {
            // Its syntax colours come when they are ready.
            screen.wait_until("colours of syntax", |screen| {
                let colour = |text: &str| {
                    let (column, line) = screen.find(text).unwrap_or_default();
                    screen.screen().cell(line, column).map(vt100::Cell::fgcolor)
                };
                colour("// one") != colour("two.rs")
            });
        }
        screen.send("q");
        screen.wait_for_end();
        let attributes = attributes(&screen.bytes);
        let colours = attributes.iter().flat_map(|attribute| attribute.split("38;").skip(1));
        let numbers: Vec<u8> = colours
            .map(|colour| {
                let number = colour.strip_prefix("5;").expect("a colour by its number");
                number.split(';').next().unwrap().parse().unwrap()
            })
            .collect();
        assert!(!numbers.is_empty() && numbers.iter().all(|&number| number <= most), "{term}: {numbers:?}");
    }
}

#[test]
fn the_background_is_asked_for_once_and_never_before_the_first_frame() {
    let home = letters();
    let mut screen = home.open((100, 50), &[], &[TRUE_COLOUR]);
    // Keys that are pressed early are keys.
    screen.send("?");
    screen.wait_for_bytes(QUESTION, 1);
    screen.send("\u{1b}]11;rgb:0000/0000/0000\u{1b}\\");
    screen.wait_for_text("passages: whole stretches");
    let before = String::from_utf8_lossy(&screen.bytes).split(QUESTION).next().unwrap().to_owned();
    assert!(before.contains("opening"), "the first frame comes before the question");
    screen.send("q");
    wait_for_copies(&mut screen);
    screen.send("nq");
    assert_eq!(screen.wait_for_end(), 0);
    assert_eq!(String::from_utf8_lossy(&screen.bytes).matches(QUESTION).count(), 1);
}

#[test]
fn the_theme_is_light_when_the_background_is() {
    let home = letters();
    // On a busy machine even an answer that is given at once may be read too late.
    let is_light = (0..5).any(|_| {
        let mut screen = home.open((100, 24), &[], &[TRUE_COLOUR]);
        screen.wait_for_bytes(QUESTION, 1);
        screen.send("\u{1b}]11;rgb:fafa/fafa/f4f4\u{1b}\\");
        wait_for_copies(&mut screen);
        ground_of_selected(&screen) == vt100::Color::Rgb(0xa6, 0xd0, 0xf2)
    });
    assert!(is_light);
}

#[test]
fn an_answer_that_comes_late_is_neither_a_background_nor_keys() {
    let home = letters();
    let mut screen = home.open((100, 24), &[], &[TRUE_COLOUR]);
    wait_for_copies(&mut screen);
    let dark = vt100::Color::Rgb(0x2f, 0x4f, 0x6f);
    // By now more time has passed than an answer may take: the index was built meanwhile.
    std::thread::sleep(Duration::from_millis(150));
    screen.send("\u{1b}]11;rgb:ffff/ffff/ffff\u{7}n");
    screen.wait_for_text("copy 2 of 3");
    assert_eq!(ground_of_selected(&screen), dark);
    assert!(!screen.text().contains("filter:"), "it was taken for keys");
    // Sorted as at first; until then blots are listed.
    screen.wait_for_text(" worth");
}

#[test]
fn a_theme_that_is_set_asks_nothing() {
    let home = letters();
    fs::create_dir_all(home.settings().parent().unwrap()).unwrap();
    fs::write(home.settings(), "theme = \"light\"\n").unwrap();
    let mut screen = home.open((100, 24), &[], &[TRUE_COLOUR]);
    wait_for_copies(&mut screen);
    assert!(!String::from_utf8_lossy(&screen.bytes).contains(QUESTION));
    assert_eq!(ground_of_selected(&screen), vt100::Color::Rgb(0xa6, 0xd0, 0xf2));
}

#[test]
fn no_text_bends_the_screen() {
    let home = Home::new();
    let nasty = format!(
        "👩‍👩‍👧 👍🏽 ❤️ 1️⃣ 🇩🇪🇫 का க்ஷ ក្រុង ทำ שלום العَرَبِيَّة a\u{200d}b\u{202e}c {} \u{1112}\u{1161}\u{11ab} \u{1161} \u{e000} \u{378} \u{fff9} {COPIED}",
        "e\u{301}".repeat(3) + &"\u{301}".repeat(5000)
    );
    home.write("one.txt", &nasty);
    home.write("two.txt", &nasty);
    let mut screen = home.open((110, 24), &[], &[]);
    wait_for_copies(&mut screen);
    screen.wait_for_text("<+1024>");
    let (border, first) = screen.find("│").unwrap();
    let bent: Vec<u16> = (first..20)
        .filter(|&line| {
            !["│", "├", "─", ""].contains(&screen.screen().cell(line, border).unwrap().contents())
        })
        .collect();
    assert!(bent.is_empty(), "lines {bent:?} of\n{}", screen.text());
    let written = String::from_utf8_lossy(&screen.bytes);
    for never in ['\u{200d}', '\u{202e}', '\u{fe0f}', '\u{e000}', '\u{fff9}'] {
        assert!(!written.contains(never), "{never:?}");
    }
    assert!(!written.contains(&"\u{301}".repeat(5)));
}

#[test]
fn without_utf_8_all_is_ascii() {
    let home = letters();
    home.write("eve.txt", format!("Ünïcödé 東京 …\n\n{COPIED}\n"));
    let mut screen = home.open((100, 50), &[], &[("LANG", "C")]);
    wait_for_copies(&mut screen);
    screen.wait_for_text("copy 1 of 4");
    screen.send("nnn");
    screen.wait_for_text("????");
    screen.send("?");
    screen.wait_for_text("passages: whole stretches");
    screen.send("qq");
    screen.wait_for_end();
    assert!(screen.bytes.is_ascii());
}

/// What a terminal must have been told at the end.
#[cfg(debug_assertions)]
const GIVEN_BACK: [&str; 5] = ["\u{1b}[?1049l", "\u{1b}[?1006l", "\u{1b}[?2004l", "\u{1b}[8h", "\u{1b}[?25h"];

#[test]
#[cfg(debug_assertions)]
fn a_panic_gives_the_terminal_back_and_says_where_its_report_is() {
    if std::env::var_os("DUPI_BIN").is_some() {
        // Only a program that is built for tests can be made to panic.
        return;
    }
    for thread in ["here", "elsewhere"] {
        let home = letters();
        let mut screen = home.open((120, 24), &[], &[("DUPI_PANIC", thread)]);
        assert_eq!(screen.wait_for_end(), 2, "{}", screen.text());
        let written = String::from_utf8_lossy(&screen.bytes).into_owned();
        let end = written.rfind("\u{1b}[?25h").unwrap();
        for mode in GIVEN_BACK {
            assert!(written[..end + 6].contains(mode), "{mode:?} is missing after a panic {thread}");
        }
        let said = written[end..].replace("\r\n", "");
        assert!(said.contains(&format!("dupi-tui: a fault of the program: provoked {thread}")), "{said}");
        let path = said.split("developers is in ").nth(1).unwrap().trim();
        let report = fs::read_to_string(path).unwrap();
        for word in
            ["time: ", "thread: ", "terminal: 120 × 24", "TERM: xterm-256color", "src/screen/main_loop.rs"]
        {
            assert!(report.contains(word), "{word} is missing in\n{report}");
        }
        assert!(report.contains(env!("CARGO_PKG_VERSION")));
    }
}

fn is_stopped(process: u32) -> bool {
    fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| {
        stat.rsplit_once(')').is_some_and(|(_, fields)| fields.trim_start().starts_with('T'))
    })
}

/// The program that a shell has started.
fn child_of(shell: u32) -> Option<u32> {
    let children = fs::read_to_string(format!("/proc/{shell}/task/{shell}/children")).ok()?;
    children.split_whitespace().next()?.parse().ok()
}

#[test]
fn a_shell_stops_it_and_takes_it_up_again() {
    let home = letters();
    let mut command = home.command_in_terminal("/bin/bash".into(), &[("PS1", "shell> ")]);
    command.args(["--norc", "--noprofile", "-i"]);
    let mut screen = Screen::start(command, (100, 24));
    screen.wait_for_text("shell>");
    screen.send(&format!("{}\r", text(&program())));
    wait_for_copies(&mut screen);
    screen.send("\u{1a}");
    screen.wait_for("the shell's word", |text| text.contains("Stopped") && !text.contains("copy 1 of"));
    screen.send("stty -a | grep -c -e ' icanon'\r");
    screen.wait_for_text("1\nshell>");
    screen.resize(90, 30);
    screen.send("fg\r");
    wait_for_copies(&mut screen);
    screen.wait_for("all of the new size", |text| {
        text.lines().nth(29).is_some_and(|line| line.contains("? keys"))
    });
    let process = child_of(screen.process()).unwrap();
    // From outside, with nothing pressed.
    signal("-TSTP", process);
    // The shell's word of the first time stands on its screen still.
    screen.wait_until("it is stopped and gone from the screen", |screen| {
        is_stopped(process) && !screen.text().contains("copy 1 of")
    });
    screen.send("fg\r");
    wait_for_copies(&mut screen);
    // Nothing can be done about this one before it happens, so that all is done afterwards.
    signal("-STOP", process);
    screen.wait_for_text("Stopped");
    screen.send("fg\r");
    wait_for_copies(&mut screen);
    screen.send("n");
    screen.wait_for_text("copy 2 of 3");
    let taken = screen.bytes.windows(8).filter(|bytes| *bytes == b"\x1b[?1049h").count();
    assert_eq!(taken, 4, "once at first, and once each time that it went on");
    screen.send("q");
    screen.wait_for("the shell again", |text| {
        !text.contains("copy 2 of") && text.trim_end().ends_with("shell>")
    });
}

#[test]
fn a_terminal_that_is_closed_ends_it_even_when_no_signal_tells() {
    let home = letters();
    let mut command = home.command_in_terminal(program(), &[]);
    // Who has no terminal of its own is not told when it is gone.
    command.set_controlling_tty(false);
    let mut terminal = BareTerminal::start(command);
    terminal.wait_for("watching");
    terminal.send("5");
    terminal.wait_for("Nothing is taboo");
    let process = terminal.process();
    let before = process::processor_time(process);
    let mut child = terminal.close();
    let deadline = Instant::now() + Duration::from_secs(30);
    let mut spent = Duration::ZERO;
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "it goes on without a terminal");
        spent = fs::metadata(format!("/proc/{process}/stat"))
            .map_or(spent, |_| process::processor_time(process) - before);
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(spent < Duration::from_secs(2), "{spent:?} of processor time without a terminal");
    assert!(child.wait().unwrap().success());
    let mut again = home.open((80, 24), &[], &[]);
    again.wait_for_text("Nothing is taboo");
    again.press("q");
    again.wait_for_end();
}

#[test]
fn the_editor_has_the_terminal_for_itself_and_gives_it_back() {
    let home = letters();
    let said = home.at("../said");
    let editor = home.at("../my editor");
    let script = format!(
        "#!/bin/sh\nstty -a | grep -c -e ' icanon' > {0}\nread line\necho \"$line $*\" >> {0}\n",
        text(&said)
    );
    fs::write(&editor, script).unwrap();
    fs::set_permissions(&editor, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let quoted = format!("'{}' --at {{line}}:{{column}} {{path}}", text(&editor));
    let mut screen = home.open((100, 24), &[], &[("VISUAL", ""), ("EDITOR", &quoted)]);
    wait_for_copies(&mut screen);
    screen.send("o");
    screen.wait_for_bytes("\u{1b}[?1049l", 1);
    screen.send("typed for the editor, quite a lot of it\r");
    screen.wait_for_bytes("\u{1b}[?1049h", 2);
    screen.send("n");
    screen.wait_for_text("copy 2 of 3");
    let told = fs::read_to_string(&said).unwrap();
    assert!(
        told.starts_with("1\ntyped for the editor, quite a lot of it --at ")
            && told.trim_end().ends_with("ann.txt"),
        "{told}"
    );
}

#[test]
fn text_that_the_mouse_is_dragged_over_goes_to_the_clipboard() {
    let home = letters();
    home.write("ann.txt", format!("Quite unlike the others.\n\n{COPIED}\n"));
    let mut screen = home.open((120, 24), &[], &[]);
    wait_for_copies(&mut screen);
    let (column, line) = screen.find("unlike the").unwrap();
    screen.mouse(Mouse::Press, (column, line));
    for further in 1..=9 {
        screen.mouse(Mouse::Drag, (column + further, line));
    }
    screen.wait_until("the selection", |screen| {
        let is_turned = |column| screen.screen().cell(line, column).unwrap().inverse();
        (column..=column + 9).all(is_turned) && !is_turned(column + 10)
    });
    screen.mouse(Mouse::Release, (column + 9, line));
    screen.wait_for_bytes("\u{1b}]52;c;dW5saWtlIHRoZQ==\u{7}", 1);
    screen.wait_for_text("10 bytes sent to the terminal's clipboard");
    screen.send("n");
    screen.wait_until("no selection", |screen| !screen.screen().cell(line, column).unwrap().inverse());
}
