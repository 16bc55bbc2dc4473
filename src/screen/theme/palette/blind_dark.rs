//! For dark backgrounds and red-green colour blindness: hues after Okabe and Ito.

use two_face::theme::EmbeddedThemeName;

use super::{BLACK, DARK_GROUNDS, Palette, TextOnGround};
use crate::theme::depth::Rgb;

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
