//! For light backgrounds, with the highest contrast.

use two_face::theme::EmbeddedThemeName;

use super::{BLACK, LIGHT_GROUNDS, Palette, TextOnGround, WHITE};
use crate::theme::depth::Rgb;

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
