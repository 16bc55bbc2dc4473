//! Draws the text of a row, after the sign of its decision.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::RowStyles;
use crate::cells;
use crate::text::{put, put_right};
use crate::theme::Theme;
use dupi_index::query::filter::ReviewState;
use dupi_passage::since_visit::News;
use dupi_passage::unit::Unit;
use dupi_report::in_short;
use dupi_session::Item;

/// The text of a row in what is left of its line, behind what was decided about it.
pub(super) fn draw_row_text(buffer: &mut Buffer, room: Rect, row: &Item, styles: RowStyles, theme: &Theme) {
    let x = draw_state(buffer, room, row, styles, theme);
    let x = draw_news(buffer, Rect { x, width: room.right().saturating_sub(x), ..room }, row, styles);
    let x = draw_unit(buffer, Rect { x, width: room.right().saturating_sub(x), ..room }, row, styles, theme);
    let left = room.right().saturating_sub(x);
    put(buffer, x, room.y, left, &cells::line(&row.headline(), usize::from(left)), styles.text);
}

/// So much of a text is seen behind the words for what its copies are.
const LEAST_TEXT: u16 = 20;

/// Before the text of a passage, what is new in it since the screen was left, where there is room for both.
fn draw_news(buffer: &mut Buffer, room: Rect, row: &Item, styles: RowStyles) -> u16 {
    let words = match row {
        Item::Passage(passage) => match passage.news {
            Some(News::New) => "new: ".to_owned(),
            Some(News::MoreCopies(copies)) => format!("{} new: ", in_short(u64::from(copies))),
            None => return room.x,
        },
        _ => return room.x,
    };
    if room.width < words.len() as u16 + LEAST_TEXT {
        return room.x;
    }
    put(buffer, room.x, room.y, room.width, &words, styles.accepted)
}

/// Before the text of a row whose copies are whole documents or folders, the word for that, where there is room for
/// both.
fn draw_unit(buffer: &mut Buffer, room: Rect, row: &Item, styles: RowStyles, theme: &Theme) -> u16 {
    let words = match row {
        Item::Passage(passage) if passage.unit != Unit::Passage => "identical: ",
        _ => return room.x,
    };
    if room.width < words.len() as u16 + LEAST_TEXT {
        return room.x;
    }
    put(buffer, room.x, room.y, room.width, words, styles.text.patch(theme.quiet))
}

/// At the end of a row that stands for others too, how many more they are; returns how much room that took.
pub(super) fn draw_more(
    buffer: &mut Buffer,
    room: Rect,
    more: u64,
    least: u16,
    styles: RowStyles,
    theme: &Theme,
) -> u16 {
    let words = format!(" +{}", in_short(more));
    let width = words.len() as u16;
    if more == 0 || room.width < least + width {
        return 0;
    }
    put_right(buffer, room, &words, styles.text.patch(theme.quiet));
    width
}

/// Before its text, what was decided about a row: a plus says that it has more copies than were accepted.
pub(super) fn draw_state(
    buffer: &mut Buffer,
    room: Rect,
    row: &Item,
    styles: RowStyles,
    theme: &Theme,
) -> u16 {
    let style = styles.text;
    let (mark, of_mark) = match row.state() {
        ReviewState::Taboo => (theme.glyphs.cross.to_owned(), style),
        ReviewState::Fix => (theme.glyphs.fix.to_owned(), styles.fix),
        ReviewState::Accepted => (theme.glyphs.check.to_owned(), styles.accepted),
        ReviewState::Open if row.outgrown().is_some() => {
            (format!("{}+", theme.glyphs.check), style.patch(theme.quiet))
        }
        ReviewState::Open => return room.x,
    };
    put(buffer, room.x, room.y, room.width, &(mark + " "), of_mark)
}
