//! Colour palettes of the built-in themes, one per file.
//!
//! For dark backgrounds.
//!
//! For light backgrounds.
//!
//! For dark backgrounds, with the highest contrast.
//!
//! For light backgrounds, with the highest contrast.
//!
//! For dark backgrounds and red-green colour blindness: hues after Okabe and Ito.
//!
//! For light backgrounds and red-green colour blindness: hues after Okabe and Ito.

use two_face::theme::EmbeddedThemeName;

use crate::theme::depth::{BLACK, Rgb, WHITE};

/// The colours of a theme. The background is that of the terminal.
#[derive(Debug)]
pub(crate) struct Palette {
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
pub(crate) struct TextOnGround {
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
    pub(crate) fn quiet_contrast(&self) -> f64 {
        if self.contrast < 7.0 { 3.0 } else { self.contrast }
    }

    /// All backgrounds of text that do not define a text colour.
    pub(crate) fn all_grounds(&self) -> [Rgb; 4] {
        [self.grounds[0], self.grounds[1], self.duplicated, self.copy]
    }
}

/// The table.
pub(crate) static DARK: Palette = Palette {
    text: Rgb(0xd4, 0xd7, 0xdd),
    quiet: Rgb(0x7d, 0x84, 0x92),
    accent: Rgb(0x7f, 0xc8, 0xd8),
    alarm: Rgb(0xf2, 0x8b, 0x82),
    found: Rgb(0xf2, 0xc5, 0x6b),
    added: Rgb(0x8b, 0xd5, 0xa0),
    bar: Rgb(0x7f, 0xa8, 0xc8),
    heat: [
        Rgb(0x5f, 0x6b, 0x7a),
        Rgb(0x6f, 0x95, 0xb5),
        Rgb(0xc9, 0xb4, 0x58),
        Rgb(0xe3, 0x9a, 0x4a),
        Rgb(0xf2, 0x70, 0x5f),
    ],
    selected: TextOnGround { text: WHITE, ground: Rgb(0x2f, 0x4f, 0x6f) },
    duplicated: Rgb(0x2b, 0x31, 0x3c),
    copy: Rgb(0x52, 0x4b, 0x14),
    current: TextOnGround { text: WHITE, ground: Rgb(0xa0, 0x64, 0x00) },
    differs: TextOnGround { text: WHITE, ground: Rgb(0x7a, 0x2e, 0x5c) },
    syntax: EmbeddedThemeName::Base16OceanDark,
    contrast: 4.5,
    grounds: DARK_GROUNDS,
};

/// The table.
pub(crate) static LIGHT: Palette = Palette {
    text: Rgb(0x24, 0x29, 0x2f),
    quiet: Rgb(0x76, 0x7d, 0x86),
    accent: Rgb(0x0a, 0x5e, 0x7a),
    alarm: Rgb(0xb4, 0x23, 0x18),
    found: Rgb(0x8a, 0x53, 0x00),
    added: Rgb(0x1a, 0x7f, 0x37),
    bar: Rgb(0x3f, 0x7e, 0xa6),
    heat: [
        Rgb(0x8a, 0x93, 0x9c),
        Rgb(0x4f, 0x86, 0xb0),
        Rgb(0x9a, 0x7a, 0x00),
        Rgb(0xb8, 0x5c, 0x00),
        Rgb(0xc0, 0x27, 0x1c),
    ],
    selected: TextOnGround { text: BLACK, ground: Rgb(0xa6, 0xd0, 0xf2) },
    duplicated: Rgb(0xe4, 0xe7, 0xeb),
    copy: Rgb(0xfa, 0xea, 0xa8),
    current: TextOnGround { text: BLACK, ground: Rgb(0xff, 0xc2, 0x33) },
    differs: TextOnGround { text: BLACK, ground: Rgb(0xff, 0x9e, 0xc8) },
    syntax: EmbeddedThemeName::InspiredGithub,
    contrast: 4.5,
    grounds: LIGHT_GROUNDS,
};

/// The table.
pub(crate) static CONTRAST_DARK: Palette = Palette {
    text: WHITE,
    quiet: Rgb(0xca, 0xca, 0xca),
    accent: Rgb(0x5f, 0xe9, 0xff),
    alarm: Rgb(0xff, 0xb0, 0xa8),
    found: Rgb(0xff, 0xe1, 0x4d),
    added: Rgb(0x7d, 0xff, 0x9b),
    bar: WHITE,
    heat: [
        Rgb(0xa0, 0xa0, 0xa0),
        Rgb(0x5f, 0xe9, 0xff),
        Rgb(0xff, 0xe1, 0x4d),
        Rgb(0xff, 0xb3, 0x47),
        Rgb(0xff, 0xb0, 0xa8),
    ],
    selected: TextOnGround { text: BLACK, ground: WHITE },
    duplicated: Rgb(0x3a, 0x3a, 0x3a),
    copy: Rgb(0x00, 0x3e, 0x8a),
    current: TextOnGround { text: BLACK, ground: Rgb(0xff, 0xd7, 0x00) },
    differs: TextOnGround { text: BLACK, ground: Rgb(0xff, 0x8c, 0xff) },
    syntax: EmbeddedThemeName::Base16OceanDark,
    contrast: 7.0,
    grounds: DARK_GROUNDS,
};

/// The table.
pub(crate) static CONTRAST_LIGHT: Palette = Palette {
    text: BLACK,
    quiet: Rgb(0x3c, 0x3c, 0x3c),
    accent: Rgb(0x00, 0x2f, 0x8f),
    alarm: Rgb(0x8b, 0x00, 0x00),
    found: Rgb(0x6a, 0x2c, 0x00),
    added: Rgb(0x00, 0x51, 0x1c),
    bar: BLACK,
    heat: [
        Rgb(0x6a, 0x6a, 0x6a),
        Rgb(0x00, 0x2f, 0x8f),
        Rgb(0x6a, 0x4a, 0x00),
        Rgb(0x8a, 0x30, 0x00),
        Rgb(0x8b, 0x00, 0x00),
    ],
    selected: TextOnGround { text: WHITE, ground: BLACK },
    duplicated: Rgb(0xdc, 0xdc, 0xdc),
    copy: Rgb(0xa8, 0xd0, 0xff),
    current: TextOnGround { text: BLACK, ground: Rgb(0xff, 0xc0, 0x00) },
    differs: TextOnGround { text: WHITE, ground: Rgb(0x80, 0x00, 0x80) },
    syntax: EmbeddedThemeName::InspiredGithub,
    contrast: 7.0,
    grounds: LIGHT_GROUNDS,
};

/// The table.
pub(crate) static BLIND_DARK: Palette = Palette {
    text: Rgb(0xd8, 0xdc, 0xe2),
    quiet: Rgb(0x84, 0x8b, 0x98),
    accent: Rgb(0x56, 0xb4, 0xe9),
    alarm: Rgb(0xe6, 0x9f, 0x00),
    found: Rgb(0xf0, 0xe4, 0x42),
    added: Rgb(0x56, 0xb4, 0xe9),
    bar: Rgb(0x56, 0xb4, 0xe9),
    heat: [
        Rgb(0x5f, 0x6b, 0x7a),
        Rgb(0x46, 0x8a, 0xbe),
        Rgb(0x56, 0xb4, 0xe9),
        Rgb(0xe6, 0x9f, 0x00),
        Rgb(0xf0, 0xe4, 0x42),
    ],
    selected: TextOnGround { text: BLACK, ground: Rgb(0x56, 0xb4, 0xe9) },
    duplicated: Rgb(0x2b, 0x31, 0x3c),
    copy: Rgb(0x52, 0x4b, 0x14),
    current: TextOnGround { text: BLACK, ground: Rgb(0xe6, 0x9f, 0x00) },
    differs: TextOnGround { text: BLACK, ground: Rgb(0xf0, 0xe4, 0x42) },
    syntax: EmbeddedThemeName::Base16OceanDark,
    contrast: 4.5,
    grounds: DARK_GROUNDS,
};

/// The table.
pub(crate) static BLIND_LIGHT: Palette = Palette {
    text: Rgb(0x24, 0x29, 0x2f),
    quiet: Rgb(0x6a, 0x71, 0x7a),
    accent: Rgb(0x00, 0x5a, 0x8c),
    alarm: Rgb(0x9a, 0x44, 0x00),
    found: Rgb(0x7a, 0x4a, 0x00),
    added: Rgb(0x00, 0x5a, 0x8c),
    bar: Rgb(0x00, 0x72, 0xb2),
    heat: [
        Rgb(0x8a, 0x93, 0x9c),
        Rgb(0x2f, 0x87, 0xc3),
        Rgb(0x00, 0x72, 0xb2),
        Rgb(0xb8, 0x6a, 0x00),
        Rgb(0x7a, 0x33, 0x00),
    ],
    selected: TextOnGround { text: WHITE, ground: Rgb(0x00, 0x72, 0xb2) },
    duplicated: Rgb(0xe4, 0xe7, 0xeb),
    copy: Rgb(0xfb, 0xe6, 0xb4),
    current: TextOnGround { text: BLACK, ground: Rgb(0xe6, 0x9f, 0x00) },
    differs: TextOnGround { text: BLACK, ground: Rgb(0x8f, 0xd0, 0xf5) },
    syntax: EmbeddedThemeName::InspiredGithub,
    contrast: 4.5,
    grounds: LIGHT_GROUNDS,
};
