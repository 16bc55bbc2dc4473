//! The colours of the themes: of text, of marks and of backgrounds. One table for each theme.

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

/// A palette: the colours of text, quiet text, accents, alarms, matches, added lines and bars; the heat from low to high;
/// the backgrounds of duplicated text and of copies; text and background of what is selected, current and different.
const fn palette(
    fore: [u32; 7],
    heat: [u32; 5],
    [duplicated, copy]: [u32; 2],
    [selected, current, differs]: [[u32; 2]; 3],
    grounds: [Rgb; 2],
    contrast: f64,
) -> Palette {
    let is_light = grounds[0].0 == WHITE.0;
    Palette {
        text: rgb(fore[0]),
        quiet: rgb(fore[1]),
        accent: rgb(fore[2]),
        alarm: rgb(fore[3]),
        found: rgb(fore[4]),
        added: rgb(fore[5]),
        bar: rgb(fore[6]),
        heat: [rgb(heat[0]), rgb(heat[1]), rgb(heat[2]), rgb(heat[3]), rgb(heat[4])],
        selected: on_ground(selected),
        duplicated: rgb(duplicated),
        copy: rgb(copy),
        current: on_ground(current),
        differs: on_ground(differs),
        syntax: if is_light { EmbeddedThemeName::InspiredGithub } else { EmbeddedThemeName::Base16OceanDark },
        contrast,
        grounds,
    }
}

const fn rgb(hex: u32) -> Rgb {
    let [_, red, green, blue] = hex.to_be_bytes();
    Rgb(red, green, blue)
}

const fn on_ground([text, ground]: [u32; 2]) -> TextOnGround {
    TextOnGround { text: rgb(text), ground: rgb(ground) }
}

/// For dark backgrounds.
pub(super) static DARK: Palette = palette(
    [0xd4d7dd, 0x7d8492, 0x7fc8d8, 0xf28b82, 0xf2c56b, 0x8bd5a0, 0x7fa8c8],
    [0x5f6b7a, 0x6f95b5, 0xc9b458, 0xe39a4a, 0xf2705f],
    [0x2b313c, 0x524b14],
    [[0xffffff, 0x2f4f6f], [0xffffff, 0xa06400], [0xffffff, 0x7a2e5c]],
    DARK_GROUNDS,
    4.5,
);

/// For light backgrounds.
pub(super) static LIGHT: Palette = palette(
    [0x24292f, 0x767d86, 0x0a5e7a, 0xb42318, 0x8a5300, 0x1a7f37, 0x3f7ea6],
    [0x8a939c, 0x4f86b0, 0x9a7a00, 0xb85c00, 0xc0271c],
    [0xe4e7eb, 0xfaeaa8],
    [[0x000000, 0xa6d0f2], [0x000000, 0xffc233], [0x000000, 0xff9ec8]],
    LIGHT_GROUNDS,
    4.5,
);

/// For dark backgrounds, with the highest contrast.
pub(super) static CONTRAST_DARK: Palette = palette(
    [0xffffff, 0xcacaca, 0x5fe9ff, 0xffb0a8, 0xffe14d, 0x7dff9b, 0xffffff],
    [0xa0a0a0, 0x5fe9ff, 0xffe14d, 0xffb347, 0xffb0a8],
    [0x3a3a3a, 0x003e8a],
    [[0x000000, 0xffffff], [0x000000, 0xffd700], [0x000000, 0xff8cff]],
    DARK_GROUNDS,
    7.0,
);

/// For light backgrounds, with the highest contrast.
pub(super) static CONTRAST_LIGHT: Palette = palette(
    [0x000000, 0x3c3c3c, 0x002f8f, 0x8b0000, 0x6a2c00, 0x00511c, 0x000000],
    [0x6a6a6a, 0x002f8f, 0x6a4a00, 0x8a3000, 0x8b0000],
    [0xdcdcdc, 0xa8d0ff],
    [[0xffffff, 0x000000], [0x000000, 0xffc000], [0xffffff, 0x800080]],
    LIGHT_GROUNDS,
    7.0,
);

/// For dark backgrounds and red-green colour blindness: hues after Okabe and Ito.
pub(super) static BLIND_DARK: Palette = palette(
    [0xd8dce2, 0x848b98, 0x56b4e9, 0xe69f00, 0xf0e442, 0x56b4e9, 0x56b4e9],
    [0x5f6b7a, 0x468abe, 0x56b4e9, 0xe69f00, 0xf0e442],
    [0x2b313c, 0x524b14],
    [[0x000000, 0x56b4e9], [0x000000, 0xe69f00], [0x000000, 0xf0e442]],
    DARK_GROUNDS,
    4.5,
);

/// For light backgrounds and red-green colour blindness: hues after Okabe and Ito.
pub(super) static BLIND_LIGHT: Palette = palette(
    [0x24292f, 0x6a717a, 0x005a8c, 0x9a4400, 0x7a4a00, 0x005a8c, 0x0072b2],
    [0x8a939c, 0x2f87c3, 0x0072b2, 0xb86a00, 0x7a3300],
    [0xe4e7eb, 0xfbe6b4],
    [[0xffffff, 0x0072b2], [0x000000, 0xe69f00], [0x000000, 0x8fd0f5]],
    LIGHT_GROUNDS,
    4.5,
);
