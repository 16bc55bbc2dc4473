//! Glyphs of the screen: markers and lines, in Unicode and in ASCII.

use ratatui::buffer::Buffer;

/// The marks and lines. Each takes one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyphs {
    /// Between the panes.
    pub vertical: &'static str,
    /// Between the parts of a pane.
    pub horizontal: &'static str,
    /// The corners of a frame: top left, top right, bottom left, bottom right.
    pub corners: [&'static str; 4],
    /// In the margin of lines with the current copy, another copy, other duplicated text, taboo text.
    pub margin: [&'static str; 4],
    /// In the margin of lines with something that differs from the copy it is compared with.
    pub differs: &'static str,
    /// Before the selected row.
    pub pointer: &'static str,
    /// Filled and empty parts of a bar.
    pub bar: [&'static str; 2],
    /// Where a line continues beyond the left or the right edge.
    pub cut: [&'static str; 2],
    /// Beside a document: what is searched for, what was not looked through yet, and what is seen of the rest.
    pub strip: [&'static str; 3],
    /// Sparklines and heat strips, from low to high.
    pub blocks: [&'static str; 8],
    /// On chosen or accepted rows.
    pub check: &'static str,
    /// On rows that are to be fixed.
    pub fix: &'static str,
    /// On taboo rows.
    pub cross: &'static str,
    /// At the end of truncated text.
    pub ellipsis: &'static str,
    /// Between two items in one line.
    pub dot: &'static str,
    /// From one number to another.
    pub dash: &'static str,
    /// The text cursor.
    pub caret: &'static str,
    /// On rows that are marked.
    pub marked: &'static str,
    /// On the copy that the user pinned.
    pub pinned: &'static str,
    /// Before the line of a kind that is set aside: folded, open.
    pub folds: [&'static str; 2],
    /// Beside the name of what rows are sorted by: in its usual order, in the reverse.
    pub sorted: [&'static str; 2],
}

/// For terminals that show Unicode.
pub(crate) const UNICODE: Glyphs = Glyphs {
    vertical: "│",
    horizontal: "─",
    corners: ["┌", "┐", "└", "┘"],
    margin: ["▌", "┃", "│", "┊"],
    differs: "≠",
    pointer: "▶",
    bar: ["━", "─"],
    cut: ["‹", "›"],
    strip: ["•", "·", "▐"],
    blocks: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
    check: "✓",
    fix: "!",
    cross: "×",
    ellipsis: "…",
    dot: "·",
    dash: "–",
    caret: "▏",
    marked: "●",
    pinned: "◆",
    folds: ["▸", "▾"],
    sorted: ["▼", "▲"],
};

/// For terminals that show only ASCII.
pub(crate) const ASCII: Glyphs = Glyphs {
    vertical: "|",
    horizontal: "-",
    corners: ["+", "+", "+", "+"],
    margin: ["#", "=", "|", ":"],
    differs: "!",
    pointer: ">",
    bar: ["#", "-"],
    cut: ["<", ">"],
    strip: ["*", ".", "]"],
    blocks: [".", ":", "-", "=", "+", "*", "#", "@"],
    check: "v",
    fix: "!",
    cross: "x",
    ellipsis: "~",
    dot: "-",
    dash: "-",
    caret: "_",
    marked: "*",
    pinned: "@",
    folds: ["+", "-"],
    sorted: ["v", "^"],
};

/// Other characters of the screen, with their ASCII replacements.
const OTHERS: [(&str, &str); 17] = [
    ("σ", "s"),
    ("≥", ">"),
    ("≤", "<"),
    ("→", ">"),
    ("←", "<"),
    ("↑", "^"),
    ("↓", "v"),
    ("‘", "'"),
    ("’", "'"),
    ("“", "\""),
    ("”", "\""),
    ("\u{a0}", " "),
    // Parts of a bar's last cell.
    ("▎", "-"),
    ("▍", "-"),
    ("▋", "="),
    ("▊", "="),
    ("▉", "#"),
];

impl Glyphs {
    /// Whether they are all ASCII.
    pub fn are_ascii(&self) -> bool {
        *self == ASCII
    }

    fn all(&self) -> impl Iterator<Item = &'static str> {
        let several =
            [&self.corners[..], &self.margin, &self.bar, &self.blocks, &self.folds, &self.sorted].concat();
        let single = [
            self.vertical,
            self.horizontal,
            self.differs,
            self.pointer,
            self.check,
            self.cross,
            self.ellipsis,
            self.dot,
            self.dash,
            self.caret,
            self.marked,
            self.pinned,
        ];
        several.into_iter().chain(single)
    }
}

/// Puts ASCII in the place of all else, for terminals that would show nonsense: our own marks by their
/// ASCII twins, other characters by question marks.
pub(super) fn in_ascii(buffer: &mut Buffer) {
    let twins: Vec<(&str, &str)> = UNICODE.all().zip(ASCII.all()).chain(OTHERS).collect();
    let mut hidden = 0_u16;
    for cell in &mut buffer.content {
        if hidden > 0 {
            // The second half of a wide character.
            hidden -= 1;
            cell.set_symbol("?");
        } else if !cell.symbol().is_ascii() {
            hidden = ratatui::buffer::CellWidth::cell_width(cell.symbol()).saturating_sub(1);
            let twin = twins.iter().find(|(ours, _)| *ours == cell.symbol()).map_or("?", |(_, twin)| twin);
            cell.set_symbol(twin);
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
        assert!(UNICODE.all().all(|mark| mark.width() == 1));
        assert!(ASCII.all().all(|mark| mark.len() == 1 && mark.is_ascii()));
        assert_eq!(UNICODE.all().count(), ASCII.all().count());
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
