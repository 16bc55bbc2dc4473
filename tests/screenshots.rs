//! The README's pictures, made from the real program on the demo corpus. The test fails when one of them
//! is no longer what the program shows; this makes them anew:
//!
//! ```text
//! DUPI_SCREENSHOTS=write cargo test --test screenshots
//! ```

mod support;

use std::fmt::Write;
use std::fs;
use std::path::Path;

use support::{Home, Screen};

const COLUMNS: u16 = 120;
const LINES: u16 = 34;
/// The size of a cell in the picture.
const CELL: (u32, u32) = (9, 20);
const BACKGROUND: &str = "#1b1e24";
const FOREGROUND: &str = "#d4d7dd";

/// How a cell looks: foreground, background, and what else.
#[derive(Clone, PartialEq)]
struct Look {
    fore: String,
    back: String,
    bold: bool,
    underlined: bool,
}

impl Look {
    fn of(cell: &vt100::Cell) -> Self {
        let (fore, back) = (colour(cell.fgcolor(), FOREGROUND), colour(cell.bgcolor(), BACKGROUND));
        let (fore, back) = if cell.inverse() { (back, fore) } else { (fore, back) };
        Self { fore, back, bold: cell.bold(), underlined: cell.underline() }
    }
}

fn colour(colour: vt100::Color, default: &str) -> String {
    match colour {
        vt100::Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        _ => default.to_owned(),
    }
}

/// The screen as a picture: a rectangle and a text for each run of cells that look alike.
fn picture(screen: &Screen) -> String {
    let (width, height) = (u32::from(COLUMNS) * CELL.0, u32::from(LINES) * CELL.1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"15\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"{BACKGROUND}\"/>\n"
    );
    for row in 0..LINES {
        let mut column = 0;
        while column < COLUMNS {
            let first = screen.screen().cell(row, column).unwrap();
            let look = Look::of(first);
            let (start, mut text) = (column, String::new());
            while let Some(cell) = (column < COLUMNS).then(|| screen.screen().cell(row, column)).flatten() {
                if Look::of(cell) != look {
                    break;
                }
                match cell.contents() {
                    "" if cell.is_wide_continuation() => {}
                    "" => text.push(' '),
                    shown => text.push_str(shown),
                }
                column += 1;
            }
            draw_run(&mut svg, row, start, column - start, &look, &text);
        }
    }
    svg + "</svg>\n"
}

fn draw_run(svg: &mut String, row: u16, column: u16, cells: u16, look: &Look, text: &str) {
    let (x, y) = (u32::from(column) * CELL.0, u32::from(row) * CELL.1);
    let width = u32::from(cells) * CELL.0;
    if look.back != BACKGROUND {
        writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{}\" fill=\"{}\"/>",
            CELL.1, look.back
        )
        .unwrap();
    }
    if text.trim().is_empty() {
        return;
    }
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let bold = if look.bold { " font-weight=\"bold\"" } else { "" };
    let line = if look.underlined { " text-decoration=\"underline\"" } else { "" };
    writeln!(
        svg,
        "<text x=\"{x}\" y=\"{}\" fill=\"{}\" textLength=\"{width}\" xml:space=\"preserve\"{bold}{line}>{text}</text>",
        y + 15,
        look.fore
    )
    .unwrap();
}

/// The picture that is kept is what the screen shows.
fn check(screen: &mut Screen, name: &str) {
    screen.settle();
    let made = picture(screen);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots").join(name);
    if std::env::var_os("DUPI_SCREENSHOTS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &made).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == made, "{name} has changed: DUPI_SCREENSHOTS=write cargo test --test screenshots");
}

#[test]
fn the_pictures_are_what_the_program_shows() {
    let home = Home::new();
    let mut screen = home.open((COLUMNS, LINES), &["--demo"], &[("COLORTERM", "truecolor")]);
    screen.wait_for("the finished screen", |text| {
        text.contains("watching")
            && text.contains("score")
            && text.contains("copy 1 of 5 · ")
            && !text.contains("still to be read")
    });
    check(&mut screen, "main.svg");
    screen.send("/pilot\r");
    screen.wait_for("the oath", |text| text.contains("row 1 of 1") && text.contains("scans/"));
    screen.send("v");
    screen.wait_for("both copies", |text| text.contains("compared with") && text.contains("copy 2 of 2"));
    check(&mut screen, "beside.svg");
}
