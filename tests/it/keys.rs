//! Every key of `?`, in every place that has it, pressed in the real program on the demo corpus: the program
//! goes on, and no key means nothing.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Home, Screen};
use dupi::screen::keys_by_context;

/// How a place is reached from the list of passages, with texts on the taboo list.
const PLACES: [(&str, &str); 11] = [
    ("passages", "1"),
    ("blots", "2"),
    ("documents", "3"),
    ("clusters", "C"),
    ("review", "R"),
    ("files", "4"),
    ("taboo", "5"),
    ("activity", "6"),
    ("document", "1 Enter"),
    ("beside", "1 v"),
    ("found", "1 Enter / e Enter"),
];

const NOTHING: &str = "means nothing here";

/// The demo corpus, with an editor that ends at once.
fn open(home: &Home) -> Screen {
    let mut screen = home.open((120, 40), &["--demo"], &[("VISUAL", "true")]);
    screen.wait_for_text("documents · watching");
    screen
}

/// Waits until all that was sent is read and answered with a frame: another size is always drawn anew.
fn sync(screen: &mut Screen) {
    screen.wait_until_read();
    screen.bytes.clear();
    let (lines, columns) = screen.screen().size();
    // One that it has not had lately: what has cleared the screen may be the key.
    screen.resize(columns, if lines < 44 { lines + 1 } else { 40 });
    screen.wait_for_bytes("\u{1b}[2J", 1);
}

/// Out of whatever lies over the screen, out of the text, and back through the history.
fn get_out(screen: &mut Screen) {
    screen.press("Esc Esc Esc Esc Esc");
    // What follows at once would be taken for a key with Alt; and the first time another frame may answer.
    sync(screen);
    sync(screen);
}

fn signal(name: &str, process: u32) {
    assert!(Command::new("kill").args([name, &process.to_string()]).status().unwrap().success());
}

fn wait_until_stopped(process: u32) {
    let deadline = Instant::now() + Duration::from_secs(30);
    let is_stopped = || {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        stat.rsplit_once(')').is_some_and(|(_, fields)| fields.trim_start().starts_with('T'))
    };
    while !is_stopped() {
        assert!(Instant::now() < deadline, "it is not stopped");
        thread::yield_now();
    }
}

/// Presses a key; the screen that goes on after it.
fn press(home: &Home, mut screen: Screen, key: &str, action: &str) -> Screen {
    const LEFT: &str = "\u{1b}[?1049l";
    const TAKEN: &str = "\u{1b}[?1049h";
    screen.bytes.clear();
    screen.press(key);
    match action {
        "quit" => {
            assert_eq!(screen.wait_for_end(), 0);
            return open(home);
        }
        "suspend" => {
            screen.wait_for_bytes(LEFT, 1);
            wait_until_stopped(screen.process());
            signal("-CONT", screen.process());
            screen.wait_for_bytes(TAKEN, 1);
        }
        _ => {}
    }
    sync(&mut screen);
    screen
}

/// Presses every key of a place, each on the way from the list of passages.
fn press_every_key(place: &str, way: &str) {
    let keys = keys_by_context();
    let home = Home::new();
    let mut screen = open(&home);
    screen.wait_for_text("copy 1 of");
    // Who moves has seen what is selected now.
    screen.press("g t");
    screen.wait_for_text("hidden; u undoes it");
    screen.press("t");
    screen.wait_for_text("hidden; u undoes it");
    let here: Vec<_> = keys.iter().filter(|key| key.context == place).collect();
    assert!(here.len() > 20, "{place}");
    for key in here {
        get_out(&mut screen);
        screen.press("1 g");
        screen.press(way);
        screen.press("j");
        sync(&mut screen);
        assert!(!screen.text().contains(NOTHING), "on the way to {place}:\n{}", screen.text());
        screen = press(&home, screen, key.key, key.action);
        let text = screen.text();
        assert!(!text.contains(NOTHING), "{key:?}:\n{text}");
        assert!(!text.contains("a fault of the program"), "{key:?}:\n{text}");
    }
    get_out(&mut screen);
    screen.press("q");
    assert_eq!(screen.wait_for_end(), 0, "{place}:\n{}", screen.text());
    let panics = fs::read_dir(home.at("../state/dupi-tui")).unwrap();
    let names = panics.map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| name.contains("panic")).count(), 0, "{place}");
}

#[test]
fn every_key_of_every_place_is_answered() {
    // A program each, all at once: most of the time passes while one waits for what may follow an Escape.
    thread::scope(|scope| {
        for (place, way) in PLACES {
            scope.spawn(move || press_every_key(place, way));
        }
    });
}

#[test]
fn every_place_is_gone_to() {
    let mut known: Vec<&str> = keys_by_context().iter().map(|key| key.context).collect();
    known.dedup();
    assert_eq!(known, PLACES.map(|(place, _)| place));
}
