//! Converts untrusted text to terminal cells, and maps a cell back to its byte.
//!
//! No byte of a file reaches the terminal unchanged: control characters become pictures, tabs become spaces, and
//! characters that change the text direction, have no width or are unassigned become visible. Emoji are shown without
//! joiners, skin tones and variation selectors. The length of a cell is limited, however many marks are combined on
//! one letter.
//!
//! Right-to-left text is shown in logical order, cell by cell. The terminal is told not to reorder it, because it
//! would reorder the whole line, including neighbouring panes.

mod glyph;

use std::borrow::Cow;

use unicode_width::UnicodeWidthStr;

use glyph::Follower;
pub(super) use glyph::is_sure;

/// The distance between tab stops, in columns.
pub(super) const TAB: usize = 8;
/// Marks that are shown on one letter; the others are counted.
const MARKS: usize = 4;
/// The longest symbol, in bytes.
const LONGEST: usize = 32;
/// The greatest number of bytes of marks that are counted together.
const PILE: usize = 4 << 10;

/// What one cell, or two for wide characters, show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell<'t> {
    /// The first byte of the text it shows.
    pub byte: usize,
    /// The glyph; never a control character.
    pub symbol: Cow<'t, str>,
    /// Its width in columns, at least 1.
    pub width: usize,
}

/// The cells of a line of text, without end-of-line characters of its own.
pub(super) fn cells(text: &str) -> impl Iterator<Item = Cell<'_>> {
    let (mut byte, mut column) = (0, 0);
    std::iter::from_fn(move || {
        let rest = text.get(byte..)?;
        let (symbol, width, taken) = next(rest, column)?;
        let cell = Cell { byte, symbol, width };
        byte += taken;
        column += width;
        Some(cell)
    })
}

/// The first symbol of a text, its width, and how many bytes it shows.
fn next(text: &str, column: usize) -> Option<(Cow<'_, str>, usize, usize)> {
    let first = text.chars().next()?;
    let shown = |symbol: String, taken| {
        let width = symbol.width().max(1);
        Some((Cow::Owned(symbol), width, taken))
    };
    match first {
        ' '..='~' if text.as_bytes().get(1).is_none_or(u8::is_ascii) => {
            return Some((Cow::Borrowed(&text[..1]), 1, 1));
        }
        '\t' => return shown(" ".repeat(TAB - column % TAB), 1),
        '\0'..='\u{1f}' | '\u{7f}' => {
            let picture = if first == '\u{7f}' { 0x2421 } else { 0x2400 + u32::from(first) };
            return shown(char::from_u32(picture).unwrap_or('\u{fffd}').to_string(), 1);
        }
        _ => {}
    }
    if glyph::is_mark(first) && glyph::width(first) == 0 {
        let (count, taken) = pile(text);
        let words = if count == 1 { hexadecimal(first) } else { format!("<+{count}>") };
        return shown(words, taken);
    }
    let (symbol, width, taken) = sign(text, first);
    // Two letters make a flag; one of them alone is nothing.
    if glyph::is_hidden(first) && !(glyph::is_regional(first) && width == 2) {
        return shown(hexadecimal(first), first.len_utf8());
    }
    // The width must equal that of ratatui; where the two differ, the letter is a cell of its own.
    if symbol.len() > first.len_utf8() && symbol.width() != width {
        let alone = first.len_utf8();
        return Some((Cow::Borrowed(&text[..alone]), glyph::width(first).clamp(1, 2), alone));
    }
    Some((symbol, width, taken))
}

/// The symbol that begins with `first`: symbol, width, and how many bytes it shows.
fn sign(text: &str, first: char) -> (Cow<'_, str>, usize, usize) {
    let mut width = glyph::width(first).clamp(1, 2);
    let (mut taken, mut marks) = (first.len_utf8(), 0);
    // Set as soon as the symbol is no longer the text itself.
    let mut owned: Option<String> = None;
    let mut followers = text[taken..].chars().peekable();
    while let Some(character) = followers.next() {
        let length = owned.as_ref().map_or(taken, String::len);
        match glyph::follower(first, character, followers.peek().copied(), width) {
            Follower::Joins(columns) if marks < MARKS && length + character.len_utf8() <= LONGEST => {
                width += columns;
                marks += 1;
                if let Some(owned) = &mut owned {
                    owned.push(character);
                }
            }
            Follower::Dropped if taken < PILE => {
                owned.get_or_insert_with(|| text[..taken].to_owned());
            }
            _ => break,
        }
        taken += character.len_utf8();
    }
    (owned.map_or(Cow::Borrowed(&text[..taken]), Cow::Owned), width, taken)
}

/// How many marks without a letter the text begins with, and their bytes.
fn pile(text: &str) -> (usize, usize) {
    let (mut count, mut taken) = (0, 0);
    for mark in text.chars().take_while(|&mark| glyph::is_mark(mark)) {
        if taken > PILE {
            break;
        }
        count += 1;
        taken += mark.len_utf8();
    }
    (count, taken)
}

fn hexadecimal(character: char) -> String {
    format!("<{:x}>", u32::from(character))
}

/// Text in one line of at most `width` columns: white space folded, an ellipsis where it was cut.
pub(super) fn line(text: &str, width: usize) -> String {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    fit(&folded, width)
}

/// The same after a prefix, which is never truncated.
pub(super) fn line_behind(head: &str, text: &str, width: usize) -> String {
    head.to_owned() + &line(text, width.saturating_sub(head.chars().count()))
}

/// Text without folding, in at most `width` columns.
pub(super) fn fit(text: &str, width: usize) -> String {
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

/// As many whole words of a text, separated by blanks, as fit.
pub(super) fn fit_whole(text: &str, width: usize) -> &str {
    let ends = text.match_indices(' ').map(|(at, _)| at).chain([text.len()]);
    let fits = |end: &usize| cells(&text[..*end]).map(|cell| cell.width).sum::<usize>() <= width;
    &text[..ends.take_while(fits).last().unwrap_or(0)]
}

/// The end of a text that is too long, as of a path: `…/deep/file.txt`.
pub(super) fn fit_end(text: &str, width: usize) -> String {
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
#[path = "cells/tests.rs"]
mod tests;
