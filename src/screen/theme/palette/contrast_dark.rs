//! For dark backgrounds, with the highest contrast.

use two_face::theme::EmbeddedThemeName;

use super::{BLACK, DARK_GROUNDS, Palette, TextOnGround, WHITE};
use crate::theme::depth::Rgb;

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
