//! Converts untrusted text to terminal cells, and maps a cell back to its byte.
//!
//! No byte of a file reaches the terminal unchanged: control characters become pictures, tabs become spaces, and
//! characters that change the text direction, have no width or are unassigned become visible. Emoji are shown without
//! joiners, skin tones and variation selectors. The length of a cell is limited, however many marks are combined on
//! one letter.
//!
//! Right-to-left text is shown in logical order, cell by cell. The terminal is told not to reorder it, because it
//! would reorder the whole line, including neighbouring panes.
//!
//! Terminals disagree on widths: most add up the widths of single characters, some count grapheme clusters. Characters
//! that would make the two sums differ are not sent.

use std::borrow::Cow;

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The distance between tab stops, in columns.
pub(crate) const TAB: usize = 8;
/// Marks that are shown on one letter; the others are counted.
const MARKS: usize = 4;
/// The longest symbol, in bytes.
const LONGEST: usize = 32;
/// The greatest number of bytes of marks that are counted together.
const PILE: usize = 4 << 10;

/// What one cell, or two for wide characters, show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell<'t> {
    /// The first byte of the text it shows.
    pub byte: usize,
    /// The glyph; never a control character.
    pub symbol: Cow<'t, str>,
    /// Its width in columns, at least 1.
    pub width: usize,
}

/// The cells of a line of text, without end-of-line characters of its own.
pub(crate) fn cells(text: &str) -> impl Iterator<Item = Cell<'_>> {
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

/// The width of a text in columns.
pub(crate) fn width(text: &str) -> usize {
    cells(text).map(|cell| cell.width).sum()
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
    if is_mark(first) && columns_of(first) == 0 {
        let (count, taken) = pile(text);
        let words = if count == 1 { hexadecimal(first) } else { format!("<+{count}>") };
        return shown(words, taken);
    }
    let (symbol, width, taken) = sign(text, first);
    // Two letters make a flag; one of them alone is nothing.
    if is_hidden(first) && !(is_regional(first) && width == 2) {
        return shown(hexadecimal(first), first.len_utf8());
    }
    // The width must equal that of ratatui; where the two differ, the letter is a cell of its own.
    if symbol.len() > first.len_utf8() && symbol.width() != width {
        let alone = first.len_utf8();
        return Some((Cow::Borrowed(&text[..alone]), columns_of(first).clamp(1, 2), alone));
    }
    Some((symbol, width, taken))
}

/// The symbol that begins with `first`: symbol, width, and how many bytes it shows.
fn sign(text: &str, first: char) -> (Cow<'_, str>, usize, usize) {
    let mut width = columns_of(first).clamp(1, 2);
    let (mut taken, mut marks) = (first.len_utf8(), 0);
    // Set as soon as the symbol is no longer the text itself.
    let mut owned: Option<String> = None;
    let mut followers = text[taken..].chars().peekable();
    while let Some(character) = followers.next() {
        let length = owned.as_ref().map_or(taken, String::len);
        match follower(first, character, followers.peek().copied(), width) {
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
    for mark in text.chars().take_while(|&mark| is_mark(mark)) {
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
pub(crate) fn line(text: &str, width: usize) -> String {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    fit(&folded, width)
}

/// The same after a prefix, which is never truncated.
pub(crate) fn line_behind(head: &str, text: &str, width: usize) -> String {
    head.to_owned() + &line(text, width.saturating_sub(head.chars().count()))
}

/// Text without folding, in at most `width` columns.
pub(crate) fn fit(text: &str, width: usize) -> String {
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
pub(crate) fn fit_whole(text: &str, width: usize) -> &str {
    let ends = text.match_indices(' ').map(|(at, _)| at).chain([text.len()]);
    let fits = |end: &usize| self::width(&text[..*end]) <= width;
    &text[..ends.take_while(fits).last().unwrap_or(0)]
}

/// The end of a text that is too long, as of a path: `…/deep/file.txt`.
pub(crate) fn fit_end(text: &str, width: usize) -> String {
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

/// The effect of a character on the cell before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follower {
    /// It is shown in the same cell, which grows by this number of columns.
    Joins(usize),
    /// It is part of the same symbol, and is omitted.
    Dropped,
    /// It begins a cell of its own.
    Apart,
}

/// The width of a single character, in columns.
pub(crate) fn columns_of(character: char) -> usize {
    match character {
        // Marks by the book; terminals give them a column.
        '\u{ff9e}' | '\u{ff9f}' => 1,
        _ => character.width().unwrap_or(0),
    }
}

/// Whether a character is invisible or unassigned.
pub(crate) fn is_hidden(character: char) -> bool {
    if is_plain(character) {
        return false;
    }
    let is_filler = matches!(character, '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{3164}' | '\u{ffa0}' | '\u{1f1e6}'..='\u{1f1ff}');
    let is_nameless = || {
        matches!(
            character.general_category(),
            GeneralCategory::Control
                | GeneralCategory::Format
                | GeneralCategory::PrivateUse
                | GeneralCategory::Unassigned
                | GeneralCategory::LineSeparator
                | GeneralCategory::ParagraphSeparator
        )
    };
    is_filler || is_selector(character) || columns_of(character) == 0 || is_nameless()
}

/// The effect of `next` in a cell that begins with `first` and is `columns` wide.
fn follower(first: char, next: char, after: Option<char>, columns: usize) -> Follower {
    if is_plain(next) {
        return Follower::Apart;
    }
    let goes = |condition: bool, how| if condition { how } else { Follower::Apart };
    match next {
        '\u{200d}' if is_picture(first) => goes(after.is_some_and(is_picture), Follower::Dropped),
        '\u{200c}' | '\u{200d}' => goes(is_of_joined_script(first), Follower::Joins(0)),
        '\u{fe0e}' | '\u{fe0f}' if matches!(first, '0'..='9' | '#' | '*') => Follower::Dropped,
        '\u{180b}'..='\u{180d}' | '\u{180f}' => {
            goes(matches!(first, '\u{1820}'..='\u{18af}'), Follower::Joins(0))
        }
        _ if is_selector(next) => goes(!first.is_ascii(), Follower::Dropped),
        '\u{1f3fb}'..='\u{1f3ff}' => goes(is_picture(first), Follower::Dropped),
        '\u{e0020}'..='\u{e007f}' => goes(first == '\u{1f3f4}', Follower::Dropped),
        _ if is_regional(next) => goes(is_regional(first) && columns == 1, Follower::Joins(1)),
        '\u{1160}'..='\u{11ff}' | '\u{d7b0}'..='\u{d7fb}' => goes(
            matches!(first, '\u{1100}'..='\u{115e}' | '\u{a960}'..='\u{a97c}') && columns_of(next) == 0,
            Follower::Joins(0),
        ),
        _ if is_mark(next) => match columns_of(next) {
            1 => goes(!first.is_ascii() && first.is_alphabetic() && columns == 1, Follower::Joins(1)),
            columns => goes(columns == 0, Follower::Joins(0)),
        },
        _ => Follower::Apart,
    }
}

/// Whether a character is a mark on the one before it.
fn is_mark(character: char) -> bool {
    !is_plain(character)
        && character != '\u{34f}'
        && !is_selector(character)
        && character.general_category_group() == GeneralCategoryGroup::Mark
}

/// One of two letters that make a flag.
fn is_regional(character: char) -> bool {
    matches!(character, '\u{1f1e6}'..='\u{1f1ff}')
}

/// Whether all terminals agree with us on its width.
pub(crate) fn is_sure(symbol: &str) -> bool {
    symbol.chars().all(|character| is_plain(character) || matches!(character, '\u{2010}'..='\u{27bf}'))
}

/// Letters and symbols without special rules.
fn is_plain(character: char) -> bool {
    matches!(character, ' '..='~' | '\u{a0}'..='\u{ac}' | '\u{ae}'..='\u{2ff}' | '\u{3b1}'..='\u{482}'
        | '\u{3001}'..='\u{3029}' | '\u{3041}'..='\u{3096}' | '\u{30a0}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{ff01}'..='\u{ff5e}')
}

/// Characters that emoji consist of.
fn is_picture(character: char) -> bool {
    matches!(character, '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{2bff}'
        | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1f1e5}' | '\u{1f200}'..='\u{1faff}')
}

fn is_selector(character: char) -> bool {
    matches!(character, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Letters whose shape depends on their neighbours, so that a joiner between them tells something.
fn is_of_joined_script(character: char) -> bool {
    matches!(character, '\u{600}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{18af}' | '\u{a840}'..='\u{abff}')
}

#[cfg(test)]
#[path = "cells/tests.rs"]
mod tests;
