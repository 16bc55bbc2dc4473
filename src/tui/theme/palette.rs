//! Colour palettes of the built-in themes, one per file.

mod blind_dark;
mod blind_light;
mod contrast_dark;
mod contrast_light;
mod dark;
mod light;

use two_face::theme::EmbeddedThemeName;

use super::depth::{BLACK, Rgb, WHITE};

pub use blind_dark::BLIND_DARK;
pub use blind_light::BLIND_LIGHT;
pub use contrast_dark::CONTRAST_DARK;
pub use contrast_light::CONTRAST_LIGHT;
pub use dark::DARK;
pub use light::LIGHT;

/// The colours of a theme. The ground is the terminal's own.
#[derive(Debug)]
pub struct Palette {
    /// Plain text.
    pub text: Rgb,
    /// What does not ask for attention.
    pub quiet: Rgb,
    /// Headings and what is live.
    pub accent: Rgb,
    /// What went wrong.
    pub alarm: Rgb,
    /// What was looked for, within a text.
    pub found: Rgb,
    /// What was added or accepted.
    pub added: Rgb,
    /// Bars.
    pub bar: Rgb,
    /// From little to much.
    pub heat: [Rgb; 5],
    /// The ground of the selected row, and what stands on it.
    pub selected: TextOnGround,
    /// The ground of duplicated text,
    pub duplicated: Rgb,
    /// and of a copy of the selected row.
    pub copy: Rgb,
    /// The current copy,
    pub current: TextOnGround,
    /// and what of it differs.
    pub differs: TextOnGround,
    /// The syntax colours that go with it.
    pub syntax: EmbeddedThemeName,
    /// How well text is read on any ground, at the least.
    pub contrast: f64,
    /// The grounds that terminals of its kind have, at the extremes.
    pub grounds: [Rgb; 2],
}

/// Text on a ground.
#[derive(Clone, Copy, Debug)]
pub struct TextOnGround {
    /// The text.
    pub text: Rgb,
    /// The ground.
    pub ground: Rgb,
}

/// Black to the grey-blue of a well-known dark scheme.
const DARK_GROUNDS: [Rgb; 2] = [BLACK, Rgb(0x2e, 0x34, 0x40)];
/// White to the cream of a well-known light scheme.
const LIGHT_GROUNDS: [Rgb; 2] = [WHITE, Rgb(0xfd, 0xf6, 0xe3)];

impl Palette {
    /// How well quiet text is read, at the least: less than the rest, unless contrast is what is wanted.
    pub fn quiet_contrast(&self) -> f64 {
        if self.contrast < 7.0 { 3.0 } else { self.contrast }
    }

    /// Every ground that text of the theme may stand on, but for those that bring their own text.
    pub fn all_grounds(&self) -> [Rgb; 4] {
        [self.grounds[0], self.grounds[1], self.duplicated, self.copy]
    }
}
