//! For dark backgrounds.

use two_face::theme::EmbeddedThemeName;

use super::{DARK_GROUNDS, Palette, TextOnGround, WHITE};
use crate::tui::theme::depth::Rgb;

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
