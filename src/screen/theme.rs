//! Themes: the styles of everything on the screen. No information is given by colour alone: duplicated text is also
//! marked in the margin, and without colours the text outside of copies is dim, and words that differ are bold and
//! underlined. Text that is equal in the copies keeps its syntax colours on a faint background; only the words that differ
//! have a strong one.
//!
//! A theme is made of a palette, the colour depth of the terminal, and the glyphs that it can show. The appearance of
//! the sixteen ANSI colours is unknown, so one theme serves all such terminals: it uses hues that are legible on black
//! and on white, and reversed text where a background is needed.

mod base16;
pub(crate) mod colours;
pub(crate) mod glyphs;
pub(crate) mod palette;

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};
use two_face::theme::EmbeddedThemeName;

use crate::theme::palette::Depth;
use crate::theme::palette::{DARK, Palette, TextOnGround};
pub(crate) use colours::TerminalTraits;
pub(crate) use glyphs::Charset;
pub(crate) use palette::Rgb;

/// The styles of all things, and the glyphs that frame them.
#[derive(Clone, Debug)]
pub struct Theme {
    /// Plain text.
    pub text: Style,
    /// Secondary text.
    pub quiet: Style,
    /// Headings and active items.
    pub accent: Style,
    /// Errors.
    pub alarm: Style,
    /// The selected row in the focused pane,
    pub selected: Style,
    /// and in another pane.
    pub selected_away: Style,
    /// Duplicated text,
    pub duplicated: Style,
    /// that is taboo,
    pub taboo: Style,
    /// that is a copy of the selected row,
    pub copy: Style,
    /// and the current one.
    pub current: Style,
    /// Text outside of the copies, in a document with a current copy.
    pub outside: Style,
    /// Words of the current copy that the reference copy does not have,
    pub differs: Style,
    /// and words that only the reference copy has.
    pub differs_beside: Style,
    /// Matches of a search, which are shown reversed.
    pub match_: Style,
    /// The mark of added or accepted items.
    pub added: Style,
    /// The filled part of a bar.
    pub bar: Style,
    /// Heat strips and sparklines, from low to high.
    pub heat: [Style; 5],
    /// Whether syntax colours are shown.
    pub syntax: bool,
    /// The characters that the terminal can show.
    pub charset: Charset,
    paint: SyntaxPaint,
}

/// The least contrast of marks.
const MARK_CONTRAST: f64 = 3.0;

/// The source of syntax colours, and how they are adapted.
#[derive(Clone, Copy, Debug)]
pub struct SyntaxPaint {
    depth: Depth,
    palette: &'static Palette,
}

impl SyntaxPaint {
    /// The syntax theme.
    pub fn syntax(self) -> EmbeddedThemeName {
        self.palette.syntax
    }

    /// A syntax colour that can be read wherever it may stand; `None` where there are none.
    pub fn syntax_colour(self, wanted: Rgb) -> Option<Color> {
        let wanted = self.palette.scheme.map_or(wanted, |scheme| base16::syntax_colour(&scheme, wanted));
        let legible = || self.depth.legible(wanted, &self.palette.all_grounds(), self.palette.contrast);
        (self.depth >= Depth::Indexed).then(legible)
    }
}

impl Theme {
    /// The source of syntax colours.
    pub fn paint(&self) -> SyntaxPaint {
        self.paint
    }

    /// Whether the terminal shows only ASCII.
    pub fn is_ascii(&self) -> bool {
        self.charset == Charset::Ascii
    }

    /// Makes a finished screen legible: removes what the terminal cannot show.
    pub fn finish(&self, buffer: &mut Buffer) {
        if self.is_ascii() {
            glyphs::in_ascii(buffer);
        }
        // Not every colour is legible on the background of the selected row.
        if let Style { fg: Some(text), bg: Some(ground), .. } = self.selected {
            buffer.content.iter_mut().filter(|cell| cell.bg == ground).for_each(|cell| cell.fg = text);
        }
        if self.paint.depth == Depth::None {
            for cell in &mut buffer.content {
                (cell.fg, cell.bg) = (Color::Reset, Color::Reset);
            }
        }
    }

    /// Without any colour.
    pub fn colourless(charset: Charset) -> Self {
        let plain = Style::new();
        Self {
            text: plain,
            quiet: plain.add_modifier(Modifier::DIM),
            accent: plain.add_modifier(Modifier::BOLD),
            alarm: plain.add_modifier(Modifier::BOLD | Modifier::REVERSED),
            selected: plain.add_modifier(Modifier::REVERSED),
            selected_away: plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            duplicated: plain,
            taboo: plain.add_modifier(Modifier::DIM | Modifier::CROSSED_OUT),
            copy: plain,
            current: plain,
            outside: plain.add_modifier(Modifier::DIM),
            differs: plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            differs_beside: plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            match_: plain,
            added: plain.add_modifier(Modifier::BOLD),
            bar: plain,
            heat: [Modifier::DIM, Modifier::DIM, Modifier::empty(), Modifier::BOLD, Modifier::BOLD]
                .map(|modifier| plain.add_modifier(modifier)),
            syntax: false,
            charset,
            paint: SyntaxPaint { depth: Depth::None, palette: &DARK },
        }
    }

    /// The dark theme in 24-bit colours.
    #[cfg(test)]
    pub fn dark(charset: Charset) -> Self {
        Self::coloured(charset, SyntaxPaint { depth: Depth::True, palette: &DARK })
    }

    fn coloured(charset: Charset, paint: SyntaxPaint) -> Self {
        let SyntaxPaint { depth, palette } = paint;
        let read = |of: Rgb, grounds: &[Rgb]| Style::new().fg(depth.legible(of, grounds, palette.contrast));
        let fore = |of: Rgb| read(of, &palette.grounds);
        let quiet = read(palette.quiet, &palette.all_grounds());
        let back = |of: Rgb| Style::new().bg(depth.colour(of));
        let on = |on: TextOnGround| back(on.ground).patch(read(on.text, &[on.ground]));
        let strong = |words: TextOnGround| on(words).add_modifier(Modifier::BOLD);
        Self {
            text: read(palette.text, &palette.all_grounds()),
            quiet,
            accent: fore(palette.accent).add_modifier(Modifier::BOLD),
            alarm: fore(palette.alarm).add_modifier(Modifier::BOLD),
            selected: strong(palette.selected),
            selected_away: back(palette.duplicated),
            duplicated: back(palette.duplicated),
            taboo: quiet.add_modifier(Modifier::CROSSED_OUT),
            copy: back(palette.copy),
            current: back(palette.current),
            outside: quiet,
            differs: strong(palette.differs),
            differs_beside: strong(palette.differs_beside),
            match_: fore(palette.found).bg(depth.colour(palette.grounds[0])),
            added: fore(palette.added).add_modifier(Modifier::BOLD),
            bar: Style::new().fg(depth.legible(palette.bar, &palette.grounds, MARK_CONTRAST)),
            // Only the lowest may be hard to see.
            heat: std::array::from_fn(|level| {
                let least = if level == 0 { 1.0 } else { MARK_CONTRAST };
                Style::new().fg(depth.legible(palette.heat[level], &palette.grounds, least))
            }),
            syntax: true,
            charset,
            paint,
        }
    }

    /// With the sixteen colours of the terminal's palette, on an unknown background. Bold black is
    /// grey on some terminals, and bright black is the background on others: neither is used.
    fn of_the_terminal(charset: Charset) -> Self {
        let plain = Style::new();
        let fore = |colour| plain.fg(colour);
        Self {
            accent: fore(Color::Magenta).add_modifier(Modifier::BOLD),
            alarm: fore(Color::Red).add_modifier(Modifier::BOLD),
            selected: plain.add_modifier(Modifier::REVERSED | Modifier::BOLD),
            selected_away: plain.add_modifier(Modifier::BOLD),
            taboo: plain.add_modifier(Modifier::DIM | Modifier::CROSSED_OUT),
            differs: plain.fg(Color::Black).bg(Color::Yellow).add_modifier(Modifier::UNDERLINED),
            differs_beside: plain.fg(Color::Black).bg(Color::Yellow).add_modifier(Modifier::UNDERLINED),
            bar: fore(Color::Magenta),
            heat: [
                plain.add_modifier(Modifier::DIM),
                plain,
                fore(Color::Magenta),
                fore(Color::Red),
                fore(Color::Red),
            ],
            paint: SyntaxPaint { depth: Depth::Sixteen, palette: &DARK },
            ..Self::colourless(charset)
        }
    }
}

#[cfg(test)]
#[path = "theme/tests.rs"]
mod tests;
