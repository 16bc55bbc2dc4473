//! Colour palettes of the built-in themes, one per file.

mod blind_dark;
mod blind_light;
mod contrast_dark;
mod contrast_light;
mod dark;
mod light;

use two_face::theme::EmbeddedThemeName;

use super::depth::{BLACK, Rgb, WHITE};

pub(super) use blind_dark::BLIND_DARK;
pub(super) use blind_light::BLIND_LIGHT;
pub(super) use contrast_dark::CONTRAST_DARK;
pub(super) use contrast_light::CONTRAST_LIGHT;
pub(super) use dark::DARK;
pub(super) use light::LIGHT;

/// The colours of a theme. The background is that of the terminal.
#[derive(Debug)]
pub(super) struct Palette {
    /// Plain text.
    pub text: Rgb,
    /// Secondary text.
    pub quiet: Rgb,
    /// Headings and active items.
    pub accent: Rgb,
    /// Errors.
    pub alarm: Rgb,
    /// Matches of a search.
    pub found: Rgb,
    /// Additions and accepted items.
    pub added: Rgb,
    /// Bars.
    pub bar: Rgb,
    /// Heat, from low to high.
    pub heat: [Rgb; 5],
    /// The selected row.
    pub selected: TextOnGround,
    /// The background of duplicated text,
    pub duplicated: Rgb,
    /// and of a copy of the selected row.
    pub copy: Rgb,
    /// The current copy.
    pub current: TextOnGround,
    /// Differences in the current copy.
    pub differs: TextOnGround,
    /// The matching syntax theme.
    pub syntax: EmbeddedThemeName,
    /// The least contrast of text on any background (WCAG).
    pub contrast: f64,
    /// The extremes of the backgrounds of such terminals.
    pub grounds: [Rgb; 2],
}

/// Text on a background.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextOnGround {
    /// The text colour.
    pub text: Rgb,
    /// The background colour.
    pub ground: Rgb,
}

/// From black to the grey-blue of a well-known dark scheme.
const DARK_GROUNDS: [Rgb; 2] = [BLACK, Rgb(0x2e, 0x34, 0x40)];
/// From white to the cream of a well-known light scheme.
const LIGHT_GROUNDS: [Rgb; 2] = [WHITE, Rgb(0xfd, 0xf6, 0xe3)];

impl Palette {
    /// The least contrast of secondary text: lower, except in high-contrast themes.
    pub(super) fn quiet_contrast(&self) -> f64 {
        if self.contrast < 7.0 { 3.0 } else { self.contrast }
    }

    /// All backgrounds of text that do not define a text colour.
    pub(super) fn all_grounds(&self) -> [Rgb; 4] {
        [self.grounds[0], self.grounds[1], self.duplicated, self.copy]
    }
}
