//! Marks and lines of the screen, each one column wide, and their twins in ASCII. Everything is drawn in Unicode; on a
//! terminal that would show nonsense, the finished screen is put into ASCII.

use ratatui::buffer::{Buffer, CellWidth};

/// The characters that a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    Unicode,
    Ascii,
}

/// Between the panes.
pub(crate) const VERTICAL: &str = "│";
/// Between the parts of a pane.
pub(crate) const HORIZONTAL: &str = "─";
/// In the margin of lines with the current copy, another copy, other duplicated text, taboo text.
pub(crate) const MARGIN: [&str; 4] = ["▌", "┃", "│", "┊"];
/// In the margin of lines with something that differs from the copy it is compared with.
pub(crate) const DIFFERS: &str = "≠";
/// Before the selected row.
pub(crate) const POINTER: &str = "▶";
/// Filled and empty parts of a bar.
pub(crate) const BAR: [&str; 2] = ["━", "─"];
/// Where a line continues beyond the left or the right edge.
pub(crate) const CUT: [&str; 2] = ["‹", "›"];
/// Beside a document: what is searched for, and what is seen of the rest.
pub(crate) const STRIP: [&str; 2] = ["•", "▐"];
/// Beside a document: what was not looked through yet.
pub(crate) const UNEXAMINED: &str = "·";
/// Sparklines and heat strips, from low to high.
pub(crate) const BLOCKS: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
/// On accepted rows.
pub(crate) const CHECK: &str = "✓";
/// On rows that are to be fixed.
pub(crate) const FIX: &str = "!";
/// On taboo rows.
pub(crate) const CROSS: &str = "×";
/// At the end of truncated text.
pub(crate) const ELLIPSIS: &str = "…";
/// The text cursor.
pub(crate) const CARET: &str = "▏";
/// On rows that are marked.
pub(crate) const MARKED: &str = "●";
/// On the copy that the user pinned.
pub(crate) const PINNED: &str = "◆";
/// Before a line that stands for others: folded, open.
pub(crate) const FOLDS: [&str; 2] = ["▸", "▾"];
/// Beside the name of what rows are sorted by: in its usual order, in the reverse.
pub(crate) const SORTED: [&str; 2] = ["▼", "▲"];

/// The characters of the screen that are not ASCII,
const UNICODE: &str = "│─┌┐└┘▌┃┊≠▶━‹›•▐▁▂▃▄▅▆▇█✓×…·–▏●◆▸▾▼▲σ≥≤→←↑↓‘’“”\u{a0}▎▍▋▊▉";
/// and in the same order their twins.
const ASCII: &str = "|-++++#=:!>#<>*].:-=+*#@vx~--_*@+-v^s><><^v''\"\" --==#";

/// The twin of a character in ASCII.
fn twin(symbol: &str) -> char {
    let mut twins = UNICODE.chars().zip(ASCII.chars());
    twins.find(|(mark, _)| symbol.chars().eq([*mark])).map_or('?', |(_, twin)| twin)
}

/// The mark of what was not looked through yet. Its twin is not that of the dot between words.
pub(crate) fn unexamined(charset: Charset) -> &'static str {
    if charset == Charset::Ascii { "." } else { UNEXAMINED }
}

/// Puts ASCII in the place of all else: marks by their twins, other characters by question marks.
pub(super) fn in_ascii(buffer: &mut Buffer) {
    let mut hidden = 0_u16;
    for cell in &mut buffer.content {
        if hidden > 0 {
            // The second half of a wide character.
            hidden -= 1;
            cell.set_symbol("?");
        } else if !cell.symbol().is_ascii() {
            hidden = cell.symbol().cell_width().saturating_sub(1);
            let twin = twin(cell.symbol());
            cell.set_char(twin);
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;
    use unicode_width::UnicodeWidthStr;

    use super::*;

    #[test]
    fn each_mark_takes_one_column_and_has_a_twin_in_ascii() {
        let single =
            [VERTICAL, HORIZONTAL, DIFFERS, POINTER, CHECK, FIX, CROSS, ELLIPSIS, CARET, MARKED, PINNED];
        let several = [&MARGIN[..], &BAR, &CUT, &STRIP, &BLOCKS, &FOLDS, &SORTED].concat();
        for mark in several.into_iter().chain(single) {
            assert!(mark.width() == 1 && (mark.is_ascii() || twin(mark) != '?'), "{mark}");
        }
        assert!(ASCII.is_ascii() && ASCII.len() == UNICODE.chars().count());
    }

    #[test]
    fn a_terminal_without_unicode_gets_none() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 24, 1));
        buffer.set_string(0, 0, "a… │ 東é · σ ≥ 3 e\u{301}", Style::new());
        in_ascii(&mut buffer);
        let shown: String = buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect();
        assert_eq!(shown.trim_end(), "a~ | ??? - s > 3 ?");
    }
}
