//! Untrusted text → cells of the terminal, with the way back from a cell to its byte.
//!
//! Nothing that a file holds reaches the terminal as it is: control characters become pictures, tabs
//! become spaces, characters that turn the direction of text or have no width become visible. What is
//! shown is what is there.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// How far tab stops are apart.
pub const TAB: usize = 8;

/// What one cell, or two for wide characters, show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell<'t> {
    /// The first byte of the text it shows.
    pub byte: usize,
    /// The glyph; never a control character.
    pub symbol: Cow<'t, str>,
    /// How many columns it takes, at least 1.
    pub width: usize,
}

/// The cells of a line of text, without end-of-line characters of its own.
pub fn cells(text: &str) -> impl Iterator<Item = Cell<'_>> {
    let mut column = 0;
    text.grapheme_indices(true).map(move |(byte, grapheme)| {
        let cell = cell(byte, grapheme, column);
        column += cell.width;
        cell
    })
}

fn cell(byte: usize, grapheme: &str, column: usize) -> Cell<'_> {
    let shown = |symbol: Cow<'static, str>| Cell { byte, width: symbol.width().max(1), symbol };
    let mut characters = grapheme.chars();
    let Some(first) = characters.next() else { return shown(" ".into()) };
    match first {
        '\t' => return shown(" ".repeat(TAB - column % TAB).into()),
        '\0'..='\u{1f}' => {
            let picture = char::from_u32(0x2400 + u32::from(first)).unwrap_or('\u{fffd}');
            return shown(picture.to_string().into());
        }
        '\u{7f}' => return shown("\u{2421}".into()),
        '\u{80}'..='\u{9f}' => return shown("\u{fffd}".into()),
        _ => {}
    }
    let is_bare = characters.next().is_none();
    if is_invisible(first) || (is_bare && grapheme.width() == 0) {
        return shown(format!("<{:x}>", u32::from(first)).into());
    }
    // Invisible characters within a grapheme only hold an emoji together.
    let is_hostile = grapheme.chars().any(|character| character.is_control() || is_bidi(character));
    if is_hostile {
        return shown("\u{fffd}".into());
    }
    Cell { byte, symbol: Cow::Borrowed(grapheme), width: grapheme.width().clamp(1, 2) }
}

/// Characters that turn the direction of what follows.
fn is_bidi(character: char) -> bool {
    matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_invisible(character: char) -> bool {
    is_bidi(character)
        || matches!(character, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2064}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Text in one line of at most `width` columns: white space folded, an ellipsis where it was cut.
pub fn line(text: &str, width: usize) -> String {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    fit(&folded, width)
}

/// Text as it is, in at most `width` columns.
pub fn fit(text: &str, width: usize) -> String {
    let mut shown = String::new();
    let mut columns = 0;
    let mut cells = cells(text).peekable();
    while let Some(cell) = cells.next() {
        let reserve = usize::from(cells.peek().is_some());
        if columns + cell.width + reserve > width {
            if columns < width {
                shown.push('…');
            }
            break;
        }
        columns += cell.width;
        shown.push_str(&cell.symbol);
    }
    shown
}

/// The end of a text that is too long, as of a path: `…/deep/file.txt`.
pub fn fit_end(text: &str, width: usize) -> String {
    let all: Vec<Cell> = cells(text).collect();
    if all.iter().map(|cell| cell.width).sum::<usize>() <= width {
        return all.iter().map(|cell| &*cell.symbol).collect();
    }
    let mut columns = 1;
    let kept = all.iter().rev().take_while(|cell| {
        columns += cell.width;
        columns <= width
    });
    let kept: Vec<&Cell> = kept.collect();
    let ellipsis = if width > 0 { "…" } else { "" };
    std::iter::once(ellipsis).chain(kept.into_iter().rev().map(|cell| &*cell.symbol)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn symbols(text: &str) -> Vec<String> {
        cells(text).map(|cell| cell.symbol.into_owned()).collect()
    }

    #[test]
    fn what_would_command_the_terminal_is_shown_instead() {
        assert_eq!(symbols("a\u{1b}[m"), ["a", "␛", "[", "m"]);
        assert_eq!(symbols("\u{202e}x\u{9b}"), ["<202e>", "x", "\u{fffd}"]);
        assert_eq!(symbols("\u{200b}"), ["<200b>"]);
    }

    #[test]
    fn tabs_and_wide_characters_take_their_columns() {
        let widths = |text: &str| cells(text).map(|cell| cell.width).collect::<Vec<_>>();
        assert_eq!(widths("a\tb"), [1, 7, 1]);
        assert_eq!(widths("東e\u{301}"), [2, 1]);
        assert_eq!(widths("👩‍👩‍👧"), [2]);
    }

    #[test]
    fn cut_text_says_so() {
        assert_eq!(
            (line(" a \n b ", 9), line("abcdef", 4), fit("abcd", 4)),
            ("a b".into(), "abc…".into(), "abcd".into())
        );
        assert_eq!((fit_end("some/deep/file", 10), fit_end("file", 9)), ("…deep/file".into(), "file".into()));
        assert_eq!(
            (fit("東京", 3), fit("x", 0), fit_end("xy", 0)),
            ("東…".into(), String::new(), String::new())
        );
    }

    proptest! {
        #[test]
        fn no_text_reaches_the_terminal_as_a_command(text in any::<String>(), width in 0_usize..30) {
            let mut before = None;
            for cell in cells(&text) {
                prop_assert!(cell.symbol.chars().all(|c| !c.is_control() && !is_bidi(c)), "{:?}", cell);
                prop_assert!(cell.width >= 1 && before < Some(cell.byte));
                before = Some(cell.byte);
            }
            for cut in [fit(&text, width), line(&text, width), fit_end(&text, width)] {
                let columns: usize = cells(&cut).map(|cell| cell.width).sum();
                prop_assert!(columns <= width, "{cut:?}");
            }
        }
    }
}
