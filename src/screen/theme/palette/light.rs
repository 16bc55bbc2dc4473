//! For light backgrounds.

use two_face::theme::EmbeddedThemeName;

use super::{BLACK, LIGHT_GROUNDS, Palette, TextOnGround};
use crate::theme::depth::Rgb;

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
