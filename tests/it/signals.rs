//! What signals and the system's limits do: the work ends in order, the terminal is given back, and what could not
//! be written is said.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{BareTerminal, Home, Screen, program, text};

fn letters() -> Home {
    let home = Home::new();
    let copied = "this text stands in all of the letters, word for word, and that is twelve or more of them; \
                  whoever finds it is asked to send it back unread to the office of the harbour";
    for name in ["ann", "bob"] {
        home.write(&format!("{name}.txt"), format!("it is {name}\n\n{copied}\n"));
    }
    home
}

pub(crate) fn signal(name: &str, process: u32) {
    assert!(Command::new("kill").args([name, &process.to_string()]).status().unwrap().success());
}

pub(crate) fn wait_for_copies(screen: &mut Screen) {
    screen.wait_for("the copies", |text| text.contains("watching") && text.contains("copy 1 of"));
}

/// The program under a limit on the size of files, as a shell sets it.
fn limited(home: &Home, blocks: u32, arguments: &str) -> portable_pty::CommandBuilder {
    let mut command = home.command_in_terminal("/bin/bash".into(), &[]);
    command.args(["-c", &format!("ulimit -f {blocks}; exec {} {arguments}", text(&program()))]);
    command
}

#[test]
fn following_a_folder_ends_in_order() {
    for name in ["-TERM", "-INT"] {
        let home = letters();
        let mut child = home
            .command(&["index", "--watch"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = lines.next().unwrap().unwrap();
        assert!(first.contains("2 documents"), "{first}");
        signal(name, child.id());
        lines.for_each(drop);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{name}");
    }
}

#[test]
fn every_signal_that_ends_the_screen_gives_the_terminal_back() {
    let home = letters();
    for name in ["-QUIT", "-XCPU", "-USR1", "-ALRM", "-TERM", "-HUP"] {
        let mut screen = home.open((100, 24), &[], &[]);
        wait_for_copies(&mut screen);
        signal(name, screen.process());
        assert_eq!(screen.wait_for_end(), 0, "{name}");
        let written = String::from_utf8_lossy(&screen.bytes).into_owned();
        for mode in ["\u{1b}[?1049l", "\u{1b}[?1006l", "\u{1b}[?2004l", "\u{1b}[?25h"] {
            assert!(written.contains(mode), "{name}: {mode:?} is missing");
        }
    }
}

#[test]
fn a_screen_that_hangs_is_ended_and_gives_the_terminal_back() {
    let home = letters();
    // Nobody reads what the screen is to write there.
    let log = home.at("../log");
    assert!(Command::new("mkfifo").arg(&log).status().unwrap().success());
    for (name, number) in [("-TERM", 15), ("-INT", 2), ("-QUIT", 3), ("-HUP", 1)] {
        let mut screen = home.open((100, 24), &["--frame-log", text(&log)], &[]);
        screen.wait_for_bytes("\u{1b}[?1049h", 1);
        let sent = Instant::now();
        signal(name, screen.process());
        assert_eq!(screen.wait_for_end(), 128 + number, "{name}");
        assert!(sent.elapsed() < Duration::from_secs(5), "{name}: {:?}", sent.elapsed());
        let written = String::from_utf8_lossy(&screen.bytes).into_owned();
        assert!(written.ends_with("\u{1b}[?1049l\u{1b}[?25h"), "{name}: {written:?}");
    }
}

#[test]
fn what_is_too_large_for_a_limit_is_said_and_nothing_is_lost() {
    let home = letters();
    let before = home.stdout(&["index", "--json"]);
    for number in 0..40 {
        home.write(&format!("{number}.txt"), format!("{number} ").repeat(2000));
    }
    let mut screen = Screen::start(limited(&home, 1, "index"), (200, 24));
    assert_eq!(screen.wait_for_end(), 2, "{}", screen.text());
    let said = screen.text();
    assert!(said.contains("File too large") && said.contains("ulimit -f"), "{said}");
    for number in 0..40 {
        std::fs::remove_file(home.at(&format!("{number}.txt"))).unwrap();
    }
    let (before, after) = (documents(&before), documents(&home.stdout(&["index", "--json"])));
    assert_eq!((before, after), (2, 2));
    // A decision that cannot be kept is not taken, and the screen goes on.
    let mut screen = Screen::start(limited(&home, 0, ""), (160, 24));
    wait_for_copies(&mut screen);
    screen.send("gt");
    screen.wait_for_text("File too large");
    screen.send("q");
    assert_eq!(screen.wait_for_end(), 0);
    assert_eq!(home.run(&["taboo", "list"]).code, Some(1));
}

/// An editor that turns the terminal over, as a program of a script; each of the two does `first`. Their processes are
/// told in a file.
fn stubborn_editor(home: &Home, first: &str) -> PathBuf {
    let (outer, inner, told) = (home.at("../editor"), home.at("../inner"), home.at("../processes"));
    let begin = format!("#!/bin/sh\n{first}\necho $$ >> {}\n", text(&told));
    let turn = "stty raw -echo; printf '\\033[?1049h\\033[?25lin the editor'";
    write_program(&inner, &format!("{begin}{turn}\nwhile :; do sleep 1000 & wait; done\n"));
    write_program(&outer, &format!("{begin}{}\ntrue\n", text(&inner)));
    outer
}

fn write_program(path: &Path, script: &str) {
    fs::write(path, script).unwrap();
    fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
}

/// Whether both processes of the editor have ended; one that is not waited for counts as ended.
fn has_editor_ended(home: &Home) -> bool {
    let processes = fs::read_to_string(home.at("../processes")).unwrap();
    let state = |process: &str| fs::read_to_string(format!("/proc/{process}/stat"));
    let has_ended = |state: String| state.rsplit(") ").next().unwrap().starts_with('Z');
    assert_eq!(processes.lines().count(), 2);
    processes.lines().all(|process| state(process).map_or(true, has_ended))
}

#[test]
#[cfg(target_os = "linux")]
fn a_signal_ends_the_screen_while_an_editor_has_the_terminal() {
    let sure = "trap '' HUP TERM INT";
    for (name, first) in [("-TERM", ":"), ("-HUP", ":"), ("-TERM", sure), ("-USR1", sure)] {
        let home = letters();
        let editor = stubborn_editor(&home, first);
        let mut screen = home.open((100, 24), &[], &[("EDITOR", text(&editor))]);
        wait_for_copies(&mut screen);
        screen.send("o");
        screen.wait_for_text("in the editor");
        let begun = Instant::now();
        signal(name, screen.process());
        assert_eq!(screen.wait_for_end(), 0, "{name}");
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(5), "{name}, {first}: {took:?}");
        assert!(screen.is_as_before(), "{name}, {first}: the terminal is left as the editor had it");
        assert!(has_editor_ended(&home), "{name}, {first}: the editor goes on");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_that_is_closed_ends_the_screen_and_its_editor() {
    let home = letters();
    let editor = stubborn_editor(&home, "trap '' HUP");
    let mut command = home.command_in_terminal(program(), &[]);
    command.env("EDITOR", text(&editor));
    let mut terminal = BareTerminal::start(command);
    terminal.wait_for("copy 1 of");
    terminal.send("o");
    terminal.wait_for("in the editor");
    let mut child = terminal.close();
    let deadline = Instant::now() + Duration::from_secs(30);
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "it goes on without a terminal");
        std::thread::yield_now();
    }
    assert!(has_editor_ended(&home), "the editor goes on");
}

#[test]
fn what_is_typed_to_end_an_editor_ends_the_editor_alone() {
    let home = letters();
    let editor = home.at("../editor");
    write_program(&editor, "#!/bin/sh\nprintf 'in the editor'\nexec cat\n");
    let mut screen = home.open((100, 24), &[], &[("EDITOR", text(&editor))]);
    wait_for_copies(&mut screen);
    for (times, key) in [(2, "\u{3}"), (3, "\u{1c}")] {
        screen.send("o");
        screen.wait_for_bytes("in the editor", times - 1);
        screen.send(key);
        screen.wait_for_bytes("\u{1b}[?1049h", times);
        screen.wait_for_text("editor ended with signal");
    }
    screen.send("q");
    assert_eq!(screen.wait_for_end(), 0);
}

fn documents(summary: &str) -> u64 {
    serde_json::from_str::<serde_json::Value>(summary).unwrap()["documents"].as_u64().unwrap()
}
