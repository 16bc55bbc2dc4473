//! For light backgrounds and red-green colour blindness: hues after Okabe and Ito.

use two_face::theme::EmbeddedThemeName;

use super::{BLACK, LIGHT_GROUNDS, Palette, TextOnGround, WHITE};
use crate::theme::depth::Rgb;

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
