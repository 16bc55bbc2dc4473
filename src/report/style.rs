//! How text for people looks on a terminal: colours, and lines that fit its width.
//!
//! A line of text says by its beginning what it is: a row at the margin, a place of it behind one tab, a difference behind
//! two. Colours are those of ripgrep and of `git diff --word-diff`.

use std::borrow::Cow;

use super::hyperlink::{END, LinkedFiles};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How text for people looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether it is coloured.
    pub is_coloured: bool,
    /// How many columns a line may take; `None` for any number.
    pub width: Option<usize>,
}

/// Where a terminal puts the next character after a tab.
const TAB: usize = 8;
const RESET: &str = "\u{1b}[0m";
const BOLD: &str = "\u{1b}[1m";
const PLACE: &str = "\u{1b}[35m";
const LINE: &str = "\u{1b}[32m";
const REMOVED: &str = "\u{1b}[31m";
const ADDED: &str = "\u{1b}[32m";

impl Style {
    /// Lines as they are written; they have been made printable before. In colours, names of the given files are links.
    pub(super) fn lines<'t>(&self, text: &'t str, files: Option<&LinkedFiles>) -> Cow<'t, str> {
        if *self == Self::default() {
            return text.into();
        }
        let mut styled = String::with_capacity(text.len() + text.len() / 4);
        for line in text.split_inclusive('\n') {
            let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
            let line = self.width.map_or(Cow::Borrowed(line), |width| fitted(line, width));
            if self.is_coloured {
                coloured(&line, files, &mut styled);
            } else {
                styled.push_str(&line);
            }
            styled.push_str(end);
        }
        styled.into()
    }

    /// A table as it is written, its headings in bold.
    pub(super) fn table<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match text.split_once('\n').filter(|_| self.is_coloured) {
            Some((head, rest)) => format!("{BOLD}{head}{RESET}\n{rest}").into(),
            None => text.into(),
        }
    }
}

/// A line that takes at most `width` columns. The name of a place is never cut: it is there to be copied.
fn fitted(line: &str, width: usize) -> Cow<'_, str> {
    let kept = if is_place(line) { place_end(line) } else { 0 };
    let (mut column, mut cut) = (0, None);
    for (at, character) in line.char_indices() {
        // One column is left for the ellipsis.
        if at >= kept && column < width {
            cut = Some(at);
        }
        column += if character == '\t' { TAB - column % TAB } else { character.width().unwrap_or(0) };
        if column > width && at >= kept {
            let cut = cut.unwrap_or(at);
            return if line[cut..].width() <= 1 {
                line.into()
            } else {
                format!("{}…", &line[..cut]).into()
            };
        }
    }
    line.into()
}

/// Whether a line is about a place.
fn is_place(line: &str) -> bool {
    line.starts_with('\t') && !line.starts_with("\t\t") && !line.starts_with("\tand ")
}

/// Where the name of a place ends: behind the numbers of its lines, before how alike it is or what it lies in. All of a
/// line without such numbers is a name.
fn place_end(line: &str) -> usize {
    let numbers_end = |(colon, _): (usize, &str)| {
        let behind = &line[colon + 1..];
        let numbers = behind.find(|sign: char| !sign.is_ascii_digit() && sign != ':' && sign != '-');
        let numbers = numbers.unwrap_or(behind.len());
        let rest = &behind[numbers..];
        let is_end = rest.is_empty() || rest.starts_with(" (") || rest.starts_with(" in ");
        (behind.starts_with(|sign: char| sign.is_ascii_digit()) && is_end).then_some(colon + 1 + numbers)
    };
    line.match_indices(':').find_map(numbers_end).unwrap_or(line.len())
}

/// Appends a line in colours.
fn coloured(line: &str, files: Option<&LinkedFiles>, to: &mut String) {
    let paint = |colour: &str, text: &str, to: &mut String| {
        if !text.is_empty() {
            to.extend([colour, text, RESET]);
        }
    };
    if is_place(line) {
        let end = place_end(line);
        let path = path_end(&line[..end]);
        // The tab is no part of a link.
        match files.and_then(|files| files.begin(&line[1..end])) {
            Some(link) => {
                to.extend(["\t", &link]);
                paint(PLACE, &line[1..path], to);
                paint(LINE, &line[path..end], to);
                to.push_str(END);
            }
            None => {
                paint(PLACE, &line[..path], to);
                paint(LINE, &line[path..end], to);
            }
        }
        to.push_str(&line[end..]);
    } else if line.starts_with("\t\t") {
        edits(line, to);
    } else if line.starts_with('\t') {
        to.push_str(line);
    } else {
        let id = line.find(' ').unwrap_or(line.len());
        paint(BOLD, &line[..id], to);
        to.push_str(&line[id..]);
    }
}

/// Where the path of a place ends, before the numbers of its line.
fn path_end(place: &str) -> usize {
    let is_number = |text: &str| {
        !text.is_empty() && text.chars().all(|character| character.is_ascii_digit() || character == '-')
    };
    let mut end = place.len();
    while let Some(colon) = place[..end].rfind(':').filter(|&colon| is_number(&place[colon + 1..end])) {
        end = colon;
    }
    end
}

/// Appends a difference, with what was left out and what was added in colours, as `git diff --word-diff` shows them. The
/// texts may have such brackets themselves: the first one opens behind the numbers of the place, and the last one closes at
/// the end of the line.
fn edits(line: &str, to: &mut String) {
    let numbers = line.trim_start_matches('\t').find(' ').map(|at| at + 3);
    let Some((before, words)) = numbers.and_then(|at| line.split_at_checked(at)) else {
        return to.push_str(line);
    };
    let (removed, added) = match words.find("-]{+") {
        Some(at) if words.starts_with("[-") => words.split_at(at + 2),
        _ if words.starts_with("{+") => ("", words),
        _ if words.starts_with("[-") => (words, ""),
        // The words around a copy.
        _ => return to.push_str(line),
    };
    to.push_str(before);
    for (colour, text) in [(REMOVED, removed), (ADDED, added)] {
        if !text.is_empty() {
            to.extend([colour, text, RESET]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "0123 2 copies: some text of it\n\tdir/a.c:3:2-9 (97 %) in fn f()\n\t\t8:5 [-old-]{+new+}\n\tand 7 more\n";

    #[test]
    fn without_a_terminal_lines_stay_as_they_are() {
        assert!(matches!(Style::default().lines(LINES, None), Cow::Borrowed(LINES)));
    }

    #[test]
    fn rows_places_and_differences_have_their_colours() {
        let style = Style { is_coloured: true, width: None };
        let expected = "\u{1b}[1m0123\u{1b}[0m 2 copies: some text of it\n\
                        \u{1b}[35m\tdir/a.c\u{1b}[0m\u{1b}[32m:3:2-9\u{1b}[0m (97 %) in fn f()\n\
                        \t\t8:5 \u{1b}[31m[-old-]\u{1b}[0m\u{1b}[32m{+new+}\u{1b}[0m\n\tand 7 more\n";
        assert_eq!(style.lines(LINES, None), expected);
    }

    #[test]
    fn brackets_in_what_differs_are_no_brackets_of_it() {
        let shown = |line: &str| {
            let mut styled = String::new();
            edits(line, &mut styled);
            styled.replace(REMOVED, "<").replace(ADDED, "+").replace(RESET, ">")
        };
        assert_eq!(shown("\t\t8:5 [-a-] b-]{+{+c+}"), "\t\t8:5 <[-a-] b-]>+{+{+c+}>");
        assert_eq!(shown("\t\t8:5 {+new [-x-]+}"), "\t\t8:5 +{+new [-x-]+}>");
        assert_eq!(shown("\t\t8:5 [-gone…"), "\t\t8:5 <[-gone…>");
        assert_eq!(shown("\t\t… a [-b-] c"), "\t\t… a [-b-] c");
        assert_eq!(shown("\t\tx"), "\t\tx");
    }

    #[test]
    fn lines_fit_the_width_and_names_of_places_stay_whole() {
        let fit = |line, width| fitted(line, width).into_owned();
        assert_eq!(fit("abcdef", 6), "abcdef");
        assert_eq!(fit("abcdef", 5), "abcd…");
        assert_eq!(fit("漢字漢字", 5), "漢字…");
        assert_eq!(fit("\tvery/long/name:3 in fn f()", 12), "\tvery/long/name:3…");
        assert_eq!(fit("\tname:3 in fn f()", 18), "\tname:3 in…");
        assert_eq!(fit("\ta file in a place (1).txt", 9), "\ta file in a place (1).txt");
        let style = Style { is_coloured: false, width: Some(20) };
        assert!(
            style.lines(LINES, None).starts_with("0123 2 copies: some…\n\tdir/a.c:3:2-9…\n"),
            "{}",
            style.lines(LINES, None)
        );
    }
}
