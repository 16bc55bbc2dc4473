//! Draws the distribution of document frequencies of all blots as a sparkline, with a line at the σ threshold and the
//! excluded part dimmed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::text::{grouped, put};
use crate::theme::Theme;
use dupi_session::Listing;

/// Draws the distribution at the right end of a line if there is room; returns its width.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, listing: &Listing, theme: &Theme) -> u16 {
    // Blots that occur once are no rows, and by far the most.
    let classes = listing.spread.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
    let classes = listing.spread.get(1..classes).unwrap_or_default();
    let ends = grouped(u64::from(listing.greatest));
    let cut = listing.cut.and_then(|cut| place_of(cut, classes.len()));
    let width = (classes.len() + usize::from(cut.is_some()) + ends.len() + "docs 2  ".len()) as u16;
    if classes.len() < 2 || width + 2 > area.width {
        return 0;
    }
    let mut x = put(buffer, area.right() - width, area.y, width, "docs 2 ", theme.quiet);
    for (class, &count) in classes.iter().enumerate() {
        if cut == Some(class) {
            x = put(buffer, x, area.y, 1, theme.glyphs.vertical, theme.text);
        }
        let style = if cut.is_some_and(|cut| class < cut) { theme.quiet } else { theme.accent };
        x = put(buffer, x, area.y, 1, level(count, classes, theme), style);
    }
    if cut == Some(classes.len()) {
        x = put(buffer, x, area.y, 1, theme.glyphs.vertical, theme.text);
    }
    put(buffer, x + 1, area.y, ends.len() as u16, &ends, theme.quiet);
    width + 1
}

/// The class before which the σ line is drawn: the nearest boundary if the threshold lies within a class. The first
/// class is that of 2 and 3 documents. `None` if nothing is excluded.
fn place_of(cut: u32, classes: usize) -> Option<usize> {
    let nearest = f64::from(cut).log2().round() as usize;
    (cut > 2).then(|| (nearest - 1).min(classes))
}

/// The block for a count. Counts fall tenfold with each class, so the height is logarithmic.
fn level(count: u64, among: &[u64], theme: &Theme) -> &'static str {
    let most = among.iter().copied().max().unwrap_or(1);
    let height = |count: u64| ((count + 1) as f64).ln();
    let last = theme.glyphs.blocks.len() - 1;
    let level = (height(count) / height(most).max(f64::MIN_POSITIVE) * last as f64).round() as usize;
    if count == 0 { " " } else { theme.glyphs.blocks[level.min(last)] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::{ASCII, UNICODE};

    fn drawn(cut: Option<u32>, theme: &Theme) -> String {
        let spread = std::array::from_fn(|class| if class < 5 { 100 >> class } else { 0 });
        let listing = Listing { cut, spread, greatest: 19, ..Listing::default() };
        let area = Rect::new(0, 0, 30, 1);
        let mut buffer = Buffer::empty(area);
        draw(&mut buffer, area, &listing, theme);
        buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect::<String>().trim().to_owned()
    }

    #[test]
    fn a_line_stands_where_sigma_cuts() {
        let theme = Theme::colourless(UNICODE);
        assert_eq!(drawn(None, &theme), "docs 2 █▇▆▄ 19");
        assert_eq!(drawn(Some(2), &theme), drawn(None, &theme));
        assert_eq!(drawn(Some(3), &theme), "docs 2 █│▇▆▄ 19");
        assert_eq!(drawn(Some(5), &theme), "docs 2 █│▇▆▄ 19");
        assert_eq!(drawn(Some(8), &theme), "docs 2 █▇│▆▄ 19");
        assert_eq!(drawn(Some(900), &theme), "docs 2 █▇▆▄│ 19");
        assert!(drawn(Some(8), &Theme::colourless(ASCII)).contains('|'));
    }
}
