//! How the document frequencies of all blots are spread: a sparkline, with the part that σ leaves out faint.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{grouped, put};
use crate::index::ranking::class_of;
use crate::session::Listing;
use crate::tui::theme::Theme;

/// Draws it at the right end of a line, when there is room for it; returns how much it took.
pub fn draw(buffer: &mut Buffer, area: Rect, listing: &Listing, theme: &Theme) -> u16 {
    // Those that stand once are no rows, and far more than all others.
    let classes = listing.spread.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
    let classes = listing.spread.get(1..classes).unwrap_or_default();
    let ends = grouped(1 << classes.len().min(40));
    let width = (classes.len() + ends.len() + "docs 2  ".len()) as u16;
    if classes.len() < 2 || width + 2 > area.width {
        return 0;
    }
    let cut = listing.cut.and_then(class_of).map_or(0, |class| class.saturating_sub(1));
    let mut x = put(buffer, area.right() - width, area.y, width, "docs 2 ", theme.quiet);
    for (class, &count) in classes.iter().enumerate() {
        let style = if class < cut { theme.quiet } else { theme.accent };
        x = put(buffer, x, area.y, 1, level(count, classes, theme), style);
    }
    put(buffer, x + 1, area.y, ends.len() as u16, &ends, theme.quiet);
    width + 1
}

/// The block for a count among others. There are tenfold fewer with each class: the height is that of the logarithm.
fn level(count: u64, among: &[u64], theme: &Theme) -> &'static str {
    let most = among.iter().copied().max().unwrap_or(1);
    let height = |count: u64| ((count + 1) as f64).ln();
    let last = theme.glyphs.blocks.len() - 1;
    let level = (height(count) / height(most).max(f64::MIN_POSITIVE) * last as f64).round() as usize;
    if count == 0 { " " } else { theme.glyphs.blocks[level.min(last)] }
}
