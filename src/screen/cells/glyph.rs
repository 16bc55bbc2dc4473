//! Properties of a character in a terminal: its width, whether it is visible, whether it joins the previous one.
//!
//! Terminals disagree on widths: most add up the widths of single characters, some count grapheme clusters. Characters
//! that would make the two sums differ are not sent: emoji joiners, skin tones and variation selectors.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_width::UnicodeWidthChar;

/// The effect of a character on the cell before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follower {
    /// It is shown in the same cell, which grows by this number of columns.
    Joins(usize),
    /// It is part of the same symbol, and is omitted.
    Dropped,
    /// It begins a cell of its own.
    Apart,
}

/// The width of a single character, in columns.
pub(super) fn width(character: char) -> usize {
    match character {
        // Marks by the book; terminals give them a column.
        '\u{ff9e}' | '\u{ff9f}' => 1,
        _ => character.width().unwrap_or(0),
    }
}

/// Whether a character is invisible or unassigned.
pub(super) fn is_hidden(character: char) -> bool {
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
    is_filler || is_selector(character) || width(character) == 0 || is_nameless()
}

/// The effect of `next` in a cell that begins with `first` and is `columns` wide.
pub(super) fn follower(first: char, next: char, after: Option<char>, columns: usize) -> Follower {
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
            matches!(first, '\u{1100}'..='\u{115e}' | '\u{a960}'..='\u{a97c}') && width(next) == 0,
            Follower::Joins(0),
        ),
        _ if is_mark(next) => match width(next) {
            1 => goes(!first.is_ascii() && first.is_alphabetic() && columns == 1, Follower::Joins(1)),
            columns => goes(columns == 0, Follower::Joins(0)),
        },
        _ => Follower::Apart,
    }
}

/// Whether a character is a mark on the one before it.
pub(super) fn is_mark(character: char) -> bool {
    !is_plain(character)
        && character != '\u{34f}'
        && !is_selector(character)
        && character.general_category_group() == GeneralCategoryGroup::Mark
}

/// One of two letters that make a flag.
pub(super) fn is_regional(character: char) -> bool {
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
