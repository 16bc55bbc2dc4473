//! Layout of the screen: panes side by side where there is room, else only the focused one. Two compared copies replace
//! all panes, side by side or, on a narrow screen, one above the other.

use ratatui::layout::Rect;

use crate::reader::Split;
use crate::text::{behind, below, row_of};

/// The least width for both panes side by side,
const SIDE_BY_SIDE: u16 = 72;
/// and for two copies side by side.
const COLUMNS: u16 = 80;
/// The height of the list of copies, where that is less than a third of the pane; it is larger for a row with more
/// copies.
const COPIES: u16 = 6;
/// The default minimum and maximum width of the list.
const LIST: [u32; 2] = [40, 90];
/// The least widths of list and document when the divider is dragged.
const LEAST: [u16; 2] = [20, 30];
/// The height over which there is a line about the other copies.
const OTHERS_FROM: u16 = 8;
/// The least width of a document with an overview strip.
const STRIP: u16 = 16;
/// The smallest usable screen: columns and lines.
pub(crate) const SMALLEST: (u16, u16) = (20, 6);

/// The pane that receives keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// The list.
    #[default]
    Rows,
    /// The document.
    Document,
}

/// The areas of the screen; hidden ones are empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Two lines: corpus and indexer.
    pub header: Rect,
    /// One line: the headings of the list.
    pub columns: Rect,
    /// The list.
    pub rows: Rect,
    /// The copies of the selected row.
    pub copies: Rect,
    /// The document of the current copy.
    pub document: Rect,
    /// The overview strip of the document.
    pub strip: Rect,
    /// The reference copy of a comparison.
    pub beside: Rect,
    /// Its overview strip.
    pub beside_strip: Rect,
    /// One line over two copies side by side: how the others differ, where there are others.
    pub others: Rect,
    /// The headings of reference copy and current copy.
    pub headings: [Rect; 2],
    /// Two lines: message and keys.
    pub footer: Rect,
    /// The screen is too small.
    pub is_too_small: bool,
    /// The divider between the panes, or between two copies.
    pub divider: Rect,
    /// The line between copies and document, or between two copies.
    pub rule: Rect,
}

impl Layout {
    /// Computes the layout. `copies` is the number of lines that the list of copies needs.
    pub fn new(area: Rect, focus: Focus, is_beside: bool, split: Split, copies: u16) -> Self {
        if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
            return Self { is_too_small: true, ..Self::default() };
        }
        let (header, body) = headed(area, 2);
        let (body, footer) = headed(body, body.height - 2);
        let mut layout = Self { header, footer, ..Self::default() };
        if is_beside {
            let has_others = copies > 3 && body.height > OTHERS_FROM;
            let (others, body) = headed(body, u16::from(has_others));
            layout.others = others;
            layout.place_copies(body);
            return layout;
        }
        if split.is_zoomed && focus == Focus::Document {
            (layout.document, layout.strip) = with_strip(body);
            return layout;
        }
        let right = if area.width < SIDE_BY_SIDE {
            if focus == Focus::Rows {
                (layout.columns, layout.rows) = headed(body, 1);
                return layout;
            }
            body
        } else {
            let left = match split.list {
                Some(share) => (u32::from(body.width) * u32::from(share) / 1000) as u16,
                None => (u32::from(body.width) * 13 / 25).clamp(LIST[0], LIST[1]) as u16,
            };
            let left = left.clamp(LEAST[0], body.width - LEAST[1]);
            (layout.columns, layout.rows) = headed(Rect { width: left, ..body }, 1);
            layout.divider = Rect { width: 1, ..behind(body, left) };
            behind(body, left + 1)
        };
        let copies = match split.copies {
            Some(lines) => lines.min(right.height.saturating_sub(4)),
            None => copies.max(COPIES).min(right.height / 3),
        };
        let (copies, below_copies) = headed(right, copies);
        let (rule, document) = headed(below_copies, u16::from(copies.height > 0));
        (layout.copies, layout.rule) = (copies, rule);
        (layout.document, layout.strip) = with_strip(document);
        layout
    }

    fn place_copies(&mut self, body: Rect) {
        let (first, second) = if body.width < COLUMNS {
            let height = (body.height - 1) / 2;
            self.rule = row_of(body, height);
            (Rect { height, ..body }, Rect { height, ..below(body, height + 1) })
        } else {
            // Equal widths, so that lines wrap alike.
            let width = (body.width - 1) / 2;
            self.divider = Rect { width: 1, ..behind(body, width) };
            (Rect { width, ..body }, Rect { width, ..behind(body, width + 1) })
        };
        if first.height > 0 {
            let [(above, first), (below, second)] = [headed(first, 1), headed(second, 1)];
            self.headings = [above, below];
            (self.beside, self.beside_strip) = with_strip(first);
            (self.document, self.strip) = with_strip(second);
        }
    }

    /// The layout of a view that uses the whole body.
    pub fn without_panes(self) -> Self {
        let Self { header, footer, is_too_small, .. } = self;
        Self { header, footer, is_too_small, ..Self::default() }
    }

    /// The area between header and footer.
    pub fn body(&self) -> Rect {
        let y = self.header.bottom();
        Rect { y, height: self.footer.y.saturating_sub(y), ..self.header }
    }

    /// The dividers.
    pub fn lines(&self) -> impl Iterator<Item = Rect> {
        [self.divider, self.rule].into_iter().filter(|line| !line.is_empty())
    }
}

/// The area of a document, and that of its overview strip.
fn with_strip(area: Rect) -> (Rect, Rect) {
    let strip = u16::from(area.width >= STRIP);
    let document = Rect { width: area.width - strip, ..area };
    (document, Rect { x: document.right(), width: strip, ..area })
}

/// The first lines of an area, and the rest.
fn headed(area: Rect, lines: u16) -> (Rect, Rect) {
    (Rect { height: lines, ..area }, below(area, lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_lie_on_the_screen_and_do_not_overlap() {
        let zoomed = Split { is_zoomed: true, ..Split::default() };
        let moved = |list, copies| Split { list: Some(list), copies: Some(copies), is_zoomed: false };
        for (width, height) in
            (0..220).step_by(3).flat_map(|width| (0..70).map(move |height| (width, height)))
        {
            for (focus, is_beside) in
                [(Focus::Rows, false), (Focus::Document, false), (Focus::Document, true)]
            {
                for split in [Split::default(), zoomed, moved(0, 0), moved(1000, 999), moved(500, 7)] {
                    let screen = Rect::new(0, 0, width, height);
                    let copies = [0, 3, 9, u16::MAX][usize::from(height) % 4];
                    let layout = Layout::new(screen, focus, is_beside, split, copies);
                    let areas = [
                        layout.header,
                        layout.columns,
                        layout.rows,
                        layout.copies,
                        layout.document,
                        layout.strip,
                        layout.beside,
                        layout.beside_strip,
                        layout.others,
                        layout.headings[0],
                        layout.headings[1],
                        layout.footer,
                    ];
                    let areas: Vec<Rect> =
                        areas.into_iter().chain(layout.lines()).filter(|area| !area.is_empty()).collect();
                    for (number, area) in areas.iter().enumerate() {
                        assert_eq!(area.intersection(screen), *area, "{width}×{height} {split:?}");
                        let meets = areas[..number].iter().any(|other| other.intersects(*area));
                        assert!(!meets, "{width}×{height} {split:?}");
                    }
                    let is_reading = focus == Focus::Document && !layout.is_too_small && height > 8;
                    assert!(!is_reading || layout.document.height > 0, "{width}×{height} {split:?}");
                }
            }
        }
    }

    #[test]
    fn the_list_of_copies_grows_with_the_screen_as_far_as_it_needs() {
        let height = |lines, copies| {
            let screen = Rect::new(0, 0, 120, lines);
            Layout::new(screen, Focus::Rows, false, Split::default(), copies).copies.height
        };
        assert_eq!([24, 40, 60, 100].map(|lines| height(lines, u16::MAX)), [6, 12, 18, 32]);
        assert_eq!([0, 3, 9, 30].map(|copies| height(60, copies)), [6, 6, 9, 18]);
        assert_eq!(height(12, 3), 2);
    }

    #[test]
    fn the_document_is_alone_only_while_keys_go_there() {
        let screen = Rect::new(0, 0, 120, 40);
        let zoomed = Split { is_zoomed: true, ..Split::default() };
        let shown = |focus| Layout::new(screen, focus, false, zoomed, 0);
        assert_eq!((shown(Focus::Document).document.width, shown(Focus::Document).rows.width), (119, 0));
        assert!(shown(Focus::Rows).rows.width > 0 && shown(Focus::Rows).copies.height > 0);
    }
}
