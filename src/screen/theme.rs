//! Themes: the styles of everything on the screen. No information is given by colour alone: duplicated text is also
//! marked in the margin, and without colours it is underlined, bold or reversed.
//!
//! A theme is made of a palette, the colour depth of the terminal, and the glyphs that it can show. The appearance of
//! the sixteen ANSI colours is unknown, so one theme serves all such terminals: it uses hues that are legible on black
//! and on white, and reversed text where a background is needed.

mod colours;
pub(super) mod depth;
mod glyphs;
mod palette;

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

pub use colours::Colours;
use depth::{BLACK, Depth, Rgb, WHITE};
use dupi_base::config::ThemeName;
#[cfg(test)]
pub(super) use glyphs::ASCII;
pub(super) use glyphs::{Glyphs, UNICODE};
use palette::{BLIND_DARK, BLIND_LIGHT, CONTRAST_DARK, CONTRAST_LIGHT, DARK, LIGHT, Palette, TextOnGround};
use two_face::theme::EmbeddedThemeName;

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
    /// The differences of the current copy from the one that it is compared with.
    pub differs: Style,
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
    /// Glyphs.
    pub glyphs: Glyphs,
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

/// The abilities of the terminal according to its environment, and the wishes of its user.
#[derive(Clone, Debug)]
pub(super) struct TerminalTraits {
    depth: Depth,
    glyphs: Glyphs,
    /// Whether the environment says that the background is light.
    is_light: bool,
    is_console: bool,
    colours: Colours,
}

impl TerminalTraits {
    /// Reads the environment.
    pub(super) fn of(variable: impl Fn(&str) -> Option<String>) -> Self {
        let locale =
            ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| variable(name).filter(|v| !v.is_empty()));
        let is_utf8 = locale.is_none_or(|locale| {
            let locale = locale.to_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        // `15;0`: the colour of the text, then the background.
        let ground = variable("COLORFGBG");
        let ground = ground.as_deref().and_then(|value| value.rsplit(';').next());
        Self {
            depth: Depth::detect(&variable),
            glyphs: if is_utf8 { glyphs::UNICODE } else { glyphs::ASCII },
            is_light: matches!(ground, Some("7" | "15")),
            is_console: variable("TERM").is_none_or(|term| term == "linux"),
            colours: Colours::default(),
        }
    }

    /// With the colours of the settings.
    pub(super) fn with(self, colours: Colours) -> Self {
        Self { colours, ..self }
    }

    /// Whether the terminal must be asked for its background colour, for a theme of this name.
    pub(super) fn wants_ground(&self, name: ThemeName) -> bool {
        let depends = matches!(name, ThemeName::Auto | ThemeName::HighContrast | ThemeName::ColourBlind);
        depends && self.depth >= Depth::Indexed && !self.is_console
    }

    /// The theme of a name, while the background is known only from the environment.
    pub(super) fn theme(&self, name: ThemeName) -> Theme {
        self.theme_on(name, self.is_light)
    }

    /// The theme of a name on a background of this colour.
    pub(super) fn theme_on_ground(&self, name: ThemeName, ground: Rgb) -> Theme {
        self.theme_on(name, is_light(ground))
    }

    fn theme_on(&self, name: ThemeName, is_light: bool) -> Theme {
        let mut theme = self.theme_of(name, is_light);
        self.colours.put_into(&mut theme);
        theme
    }

    fn theme_of(&self, name: ThemeName, is_light: bool) -> Theme {
        let palette = match (name, is_light) {
            (ThemeName::Auto, false) | (ThemeName::Dark, _) => &DARK,
            (ThemeName::Auto, true) | (ThemeName::Light, _) => &LIGHT,
            (ThemeName::HighContrast, false) => &CONTRAST_DARK,
            (ThemeName::HighContrast, true) => &CONTRAST_LIGHT,
            (ThemeName::ColourBlind, false) => &BLIND_DARK,
            (ThemeName::ColourBlind, true) => &BLIND_LIGHT,
            (ThemeName::Terminal, _) if self.depth == Depth::None => return Theme::colourless(self.glyphs),
            (ThemeName::Terminal, _) => return Theme::of_the_terminal(self.glyphs),
        };
        match self.depth {
            Depth::None => Theme::colourless(self.glyphs),
            Depth::Sixteen => Theme::of_the_terminal(self.glyphs),
            depth => Theme::coloured(self.glyphs, SyntaxPaint { depth, palette }),
        }
    }
}

/// Whether dark text is more legible on it than light text.
fn is_light(ground: Rgb) -> bool {
    depth::contrast(ground, BLACK) > depth::contrast(ground, WHITE)
}

impl SyntaxPaint {
    /// The syntax theme.
    pub fn syntax(self) -> EmbeddedThemeName {
        self.palette.syntax
    }

    /// A syntax colour that can be read wherever it may stand; `None` where there are none.
    pub fn syntax_colour(self, wanted: Rgb) -> Option<Color> {
        let legible = || self.depth.legible(wanted, &self.palette.all_grounds(), self.palette.contrast);
        (self.depth >= Depth::Indexed).then(legible)
    }
}

impl Theme {
    /// The source of syntax colours.
    pub fn paint(&self) -> SyntaxPaint {
        self.paint
    }

    /// Removes from a finished screen what the terminal cannot show.
    pub fn finish(&self, buffer: &mut Buffer) {
        if self.glyphs.are_ascii() {
            glyphs::in_ascii(buffer);
        }
        if self.paint.depth == Depth::None {
            for cell in &mut buffer.content {
                (cell.fg, cell.bg) = (Color::Reset, Color::Reset);
            }
        }
    }

    /// Without any colour.
    pub fn colourless(glyphs: Glyphs) -> Self {
        let plain = Style::new();
        Self {
            text: plain,
            quiet: plain.add_modifier(Modifier::DIM),
            accent: plain.add_modifier(Modifier::BOLD),
            alarm: plain.add_modifier(Modifier::BOLD | Modifier::REVERSED),
            selected: plain.add_modifier(Modifier::REVERSED),
            selected_away: plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            duplicated: plain.add_modifier(Modifier::UNDERLINED),
            taboo: plain.add_modifier(Modifier::DIM | Modifier::UNDERLINED),
            copy: plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            current: plain.add_modifier(Modifier::REVERSED),
            differs: plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            match_: plain,
            added: plain.add_modifier(Modifier::BOLD),
            bar: plain,
            heat: [Modifier::DIM, Modifier::DIM, Modifier::empty(), Modifier::BOLD, Modifier::BOLD]
                .map(|modifier| plain.add_modifier(modifier)),
            syntax: false,
            glyphs,
            paint: SyntaxPaint { depth: Depth::None, palette: &DARK },
        }
    }

    /// The dark theme in 24-bit colours.
    #[cfg(test)]
    pub fn dark(glyphs: Glyphs) -> Self {
        Self::coloured(glyphs, SyntaxPaint { depth: Depth::True, palette: &DARK })
    }

    fn coloured(glyphs: Glyphs, paint: SyntaxPaint) -> Self {
        let SyntaxPaint { depth, palette } = paint;
        let read = |of: Rgb, least: f64| Style::new().fg(depth.legible(of, &palette.grounds, least));
        let fore = |of: Rgb| read(of, palette.contrast);
        let back = |of: Rgb| Style::new().bg(depth.colour(of));
        let on = |on: TextOnGround| back(on.ground).fg(depth.colour(on.text));
        Self {
            text: Style::new().fg(depth.legible(palette.text, &palette.all_grounds(), palette.contrast)),
            quiet: read(palette.quiet, palette.quiet_contrast()),
            accent: fore(palette.accent).add_modifier(Modifier::BOLD),
            alarm: fore(palette.alarm).add_modifier(Modifier::BOLD),
            selected: on(palette.selected).add_modifier(Modifier::BOLD),
            selected_away: back(palette.duplicated),
            duplicated: back(palette.duplicated),
            taboo: read(palette.quiet, palette.quiet_contrast()).add_modifier(Modifier::CROSSED_OUT),
            copy: back(palette.copy),
            current: on(palette.current).add_modifier(Modifier::BOLD),
            differs: on(palette.differs).add_modifier(Modifier::UNDERLINED),
            match_: fore(palette.found).bg(depth.colour(palette.grounds[0])),
            added: fore(palette.added).add_modifier(Modifier::BOLD),
            bar: read(palette.bar, MARK_CONTRAST),
            heat: palette.heat.map(|of| Style::new().fg(depth.colour(of))),
            syntax: true,
            glyphs,
            paint,
        }
    }

    /// With the sixteen colours of the terminal's palette, on an unknown background. Bold black is
    /// grey on some terminals, and bright black is the background on others: neither is used.
    fn of_the_terminal(glyphs: Glyphs) -> Self {
        let plain = Style::new();
        let fore = |colour| plain.fg(colour);
        Self {
            accent: fore(Color::Magenta).add_modifier(Modifier::BOLD),
            alarm: fore(Color::Red).add_modifier(Modifier::BOLD),
            selected: plain.add_modifier(Modifier::REVERSED | Modifier::BOLD),
            selected_away: plain.add_modifier(Modifier::BOLD),
            taboo: plain.add_modifier(Modifier::DIM | Modifier::CROSSED_OUT),
            current: plain.fg(Color::Black).bg(Color::Yellow),
            differs: plain.add_modifier(Modifier::REVERSED | Modifier::UNDERLINED),
            bar: fore(Color::Magenta),
            heat: [
                plain.add_modifier(Modifier::DIM),
                plain,
                fore(Color::Magenta),
                fore(Color::Red),
                fore(Color::Red),
            ],
            paint: SyntaxPaint { depth: Depth::Sixteen, palette: &DARK },
            ..Self::colourless(glyphs)
        }
    }
}

#[cfg(test)]
#[path = "theme/tests.rs"]
mod tests;
