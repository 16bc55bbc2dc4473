//! The README's pictures, made from the real program on the demo corpus and on this source. A test fails when one
//! of them is no longer what the program shows; this makes them anew:
//!
//! ```text
//! DUPI_SCREENSHOTS=write cargo test --test screenshots
//! ```
//!
//! This makes a picture, beside it, of what `tmux capture-pane -e -p` has printed to a file; with `DUPI_CAPTURE_THEME=light`
//! of a light terminal:
//!
//! ```text
//! DUPI_CAPTURE=FILE cargo test --test screenshots -- --ignored a_capture
//! ```
#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test program: it is its own crate, and fails by a panic"
)]

mod blocks;
mod camera;
mod colours;
mod film;
mod glyphs;
#[path = "../support/mod.rs"]
mod support;
mod window;

use std::fs;
use std::path::Path;

use avt::Terminal;
use camera::Camera;
use colours::{DARK, LIGHT, Palette};
use film::{Film, Picture};
use support::acts::Do::{Look, Press, Type};
use support::acts::{Act, act, play};
use support::{Home, Screen, minute};
use tempfile::tempdir;
use window::Window;

/// A picture: what is opened, and what is done before it is taken.
struct Still {
    name: &'static str,
    corpus: Corpus,
    lines: u16,
    theme: &'static str,
    /// The share of its pixels that may differ before it is stale.
    tolerance: f64,
    acts: &'static [Act],
}

#[derive(Clone, Copy)]
enum Corpus {
    Demo,
    /// The source of the program, which changes from day to day: so may its picture, in part.
    Source,
}

/// A fraction of a line of text.
const CLOSE: f64 = 0.001;

/// A picture of the demo corpus.
const fn of_demo(name: &'static str, lines: u16, theme: &'static str, acts: &'static [Act]) -> Still {
    Still { name, corpus: Corpus::Demo, lines, theme, tolerance: CLOSE, acts }
}

const STILLS: [Still; 7] = [
    of_demo("main.png", 32, "dark", &[]),
    of_demo(
        "beside.png",
        24,
        "dark",
        &[
            act(Press("/"), &["/"], 0),
            act(Type("pilot"), &[], 0),
            act(Press("Enter"), &["row 1 of 1\n", "scans/oath", "copy 1 of 2"], 0),
            act(Press("v"), &["compared with", "copy 2 of 2 · 93 %"], 0),
        ],
    ),
    of_demo(
        "files.png",
        24,
        "dark",
        &[act(Press("4"), &["in the corpus", "row 1 of 10", "text 1 of 1 · 57 tokens"], 0)],
    ),
    of_demo(
        "documents.png",
        32,
        "dark",
        &[act(Press("3"), &["row 1 of 28", "text 1 of 1 · 109 tokens · 88 %"], 0)],
    ),
    of_demo(
        "taboo.png",
        24,
        "dark",
        &[
            act(Press("Down"), &["row 2 of 9", "copy 1 of 3"], 0),
            act(Press("B"), &["Hides 1 passage with 3 copies"], 0),
            act(Type("printed in every table"), &[], 0),
        ],
    ),
    of_demo(
        "light.png",
        32,
        "light",
        &[act(Press("Down"), &["row 2 of 9", "copy 1 of 3"], 0), act(Press("n n"), &["copy 3 of 3"], 0)],
    ),
    Still { corpus: Corpus::Source, tolerance: 0.12, ..of_demo("source.png", 32, "dark", &[]) },
];

/// The size of the animated picture.
const MINUTE: (u16, u16) = (120, 30);

fn palette(theme: &str) -> &'static Palette {
    if theme == "light" { &LIGHT } else { &DARK }
}

fn open(home: &Home, corpus: Corpus, size: (u16, u16), theme: &str) -> Screen {
    home.write("../config/dupi-tui/config.toml", format!("theme = \"{theme}\"\n"));
    let editor = minute::editor(home);
    let variables = [("COLORTERM", "truecolor"), ("EDITOR", editor.as_str())];
    match corpus {
        Corpus::Demo => home.open(size, &["--demo"], &variables),
        Corpus::Source => {
            copy(home, &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "../dupi-tui/src");
            home.open(size, &["../dupi-tui/src"], &variables)
        }
    }
}

/// Copies a folder of source into a home, without the screens that its tests keep.
fn copy(home: &Home, from: &Path, to: &str) {
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = format!("{to}/{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            copy(home, &entry.path(), &to);
        } else if to.ends_with(".rs") {
            home.write(&to, fs::read(entry.path()).unwrap());
        }
    }
}

#[test]
fn the_pictures_are_what_the_program_shows() {
    let made = STILLS.iter().map(|still| {
        let (home, size) = (Home::new(), (120, still.lines));
        let mut screen = open(&home, still.corpus, size, still.theme);
        let mut camera = Camera::new(still.name, size, palette(still.theme), still.tolerance);
        let first: &[&str] = match still.corpus {
            Corpus::Demo => &minute::OPENED,
            Corpus::Source => &["watching", "worth▼", "copy 1 of"],
        };
        play(&mut screen, &[act(Look, first, 0)], |_, _| {});
        play(&mut screen, still.acts, |_, _| {});
        camera.shoot(&mut screen, 0);
        camera.finish()
    });
    let stale: Vec<String> = made.filter_map(Result::err).collect();
    assert!(stale.is_empty(), "{}", stale.join("\n"));
}

#[test]
fn the_film_of_the_first_minute_is_what_the_program_shows() {
    let home = Home::new();
    let mut screen = open(&home, Corpus::Demo, MINUTE, "dark");
    let mut camera = Camera::new("minute.png", MINUTE, &DARK, CLOSE);
    play(&mut screen, &minute::MINUTE, |screen, stays| camera.shoot(screen, stays));
    camera.finish().unwrap_or_else(|stale| panic!("{stale}"));
}

#[test]
#[ignore = "makes a picture of a capture; see the head of the file"]
fn a_capture_becomes_a_picture() {
    let path = std::env::var("DUPI_CAPTURE").expect("DUPI_CAPTURE names a file");
    let capture = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = capture.lines().collect();
    // Wide enough for any line; then as wide as the longest one is.
    let mut terminal = Terminal::new(1000, lines.len()).unwrap();
    terminal.feed(lines.join("\r\n"));
    terminal.feed("\u{1b}[?25l");
    let used = |cells: &[avt::Cell]| {
        cells
            .iter()
            .rposition(|cell| cell.char() != ' ' || !cell.pen().is_default())
            .map_or(0, |last| last + 1)
    };
    let columns = terminal.screen().visible_lines().map(|line| used(line.cells())).max().unwrap_or(1);
    let theme = std::env::var("DUPI_CAPTURE_THEME").unwrap_or_default();
    let mut window = Window::new((columns as u16, lines.len() as u16), palette(&theme));
    window.show(&terminal);
    let mut film = Film::default();
    film.push(&mut Picture::new(window.picture.width, window.picture.height), &window.picture, 1);
    film.write(Path::new(&format!("{path}.png")));
}
