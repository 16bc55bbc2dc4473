//! What the terminal can show according to its environment, and which theme follows from that and from the settings.

use crate::theme::colours::Colours;
use crate::theme::depth::{BLACK, Depth, Rgb, WHITE, contrast};
use crate::theme::glyphs::{ASCII, Glyphs, UNICODE};
use crate::theme::palette::{BLIND_DARK, BLIND_LIGHT, CONTRAST_DARK, CONTRAST_LIGHT, DARK, LIGHT};
use crate::theme::{SyntaxPaint, Theme};
use dupi_base::config::ThemeName;

/// The abilities of the terminal according to its environment, and the wishes of its user.
#[derive(Clone, Debug)]
pub(crate) struct TerminalTraits {
    depth: Depth,
    glyphs: Glyphs,
    /// Whether the environment says that the background is light.
    is_light: bool,
    is_console: bool,
    colours: Colours,
}

impl TerminalTraits {
    /// Reads the environment.
    pub(crate) fn of(variable: impl Fn(&str) -> Option<String>) -> Self {
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
            glyphs: if is_utf8 { UNICODE } else { ASCII },
            is_light: matches!(ground, Some("7" | "15")),
            is_console: variable("TERM").is_none_or(|term| term == "linux"),
            colours: Colours::default(),
        }
    }

    /// With the colours of the settings.
    pub(crate) fn with(self, colours: Colours) -> Self {
        Self { colours, ..self }
    }

    /// Whether the terminal must be asked for its background colour, for a theme of this name.
    pub(crate) fn wants_ground(&self, name: ThemeName) -> bool {
        let depends = matches!(name, ThemeName::Auto | ThemeName::HighContrast | ThemeName::ColourBlind);
        depends && self.depth >= Depth::Indexed && !self.is_console
    }

    /// The theme of a name, while the background is known only from the environment.
    pub(crate) fn theme(&self, name: ThemeName) -> Theme {
        self.theme_on(name, self.is_light)
    }

    /// The theme of a name on a background of this colour.
    pub(crate) fn theme_on_ground(&self, name: ThemeName, ground: Rgb) -> Theme {
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
    contrast(ground, BLACK) > contrast(ground, WHITE)
}
