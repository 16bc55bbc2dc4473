//! What colours a terminal shows: those of the program, and the palette for those that it leaves open.

use avt::{Color, Pen};

/// A colour: red, green, blue and how opaque it is, from the highest byte to the lowest.
pub type Rgba = u32;

/// The colours that a terminal is set to.
pub struct Palette {
    pub back: Rgba,
    pub text: Rgba,
    /// The line around the window, and the dots in its title.
    pub frame: Rgba,
    /// The sixteen that have a name.
    pub named: [Rgba; 16],
}

/// Light text on a dark ground.
pub const DARK: Palette = Palette {
    back: 0x1b1e_24ff,
    text: 0xd4d7_ddff,
    frame: 0x3a3f_4aff,
    named: [
        0x2a2e_36ff,
        0xe06c_75ff,
        0x98c3_79ff,
        0xe5c0_7bff,
        0x61af_efff,
        0xc678_ddff,
        0x56b6_c2ff,
        0xc8cc_d4ff,
        0x6b73_80ff,
        0xff8a_92ff,
        0xb5e0_97ff,
        0xffd8_96ff,
        0x8cc8_ffff,
        0xdf9b_f2ff,
        0x7fd6_e0ff,
        0xffff_ffff,
    ],
};

/// Dark text on a light ground.
pub const LIGHT: Palette = Palette {
    back: 0xfafb_fcff,
    text: 0x24292fff,
    frame: 0xc9ce_d6ff,
    named: [
        0x2429_2fff,
        0xb3261eff,
        0x1a7f_37ff,
        0x8a5a_00ff,
        0x0a58_caff,
        0x8250_dfff,
        0x0b72_85ff,
        0x6a73_7dff,
        0x57606aff,
        0xcf22_2eff,
        0x2da4_4eff,
        0xbf87_00ff,
        0x218b_ffff,
        0xa475_f9ff,
        0x3192_aaff,
        0xd0d7_deff,
    ],
};

impl Palette {
    /// The colours of what is written with a pen: the text's, and that behind it.
    pub fn of(&self, pen: &Pen) -> (Rgba, Rgba) {
        let text = pen.foreground().map_or(self.text, |colour| self.rgba(colour));
        let back = pen.background().map_or(self.back, |colour| self.rgba(colour));
        let (text, back) = if pen.is_inverse() { (back, text) } else { (text, back) };
        (if pen.is_faint() { mix(text, back, 110) } else { text }, back)
    }

    fn rgba(&self, colour: Color) -> Rgba {
        match colour {
            Color::RGB(rgb) => opaque(rgb.r, rgb.g, rgb.b),
            Color::Indexed(number @ 0..16) => self.named[usize::from(number)],
            Color::Indexed(number @ 16..232) => {
                let level = |part: u8| if part == 0 { 0 } else { 55 + 40 * part };
                let cube = number - 16;
                opaque(level(cube / 36), level(cube / 6 % 6), level(cube % 6))
            }
            Color::Indexed(number) => {
                opaque(8 + 10 * (number - 232), 8 + 10 * (number - 232), 8 + 10 * (number - 232))
            }
        }
    }
}

/// A colour over another one, of which so much (to 255) is seen.
pub fn mix(below: Rgba, above: Rgba, coverage: u8) -> Rgba {
    let (share, rest) = (u32::from(coverage), u32::from(255 - coverage));
    let parts = below.to_be_bytes().into_iter().zip(above.to_be_bytes());
    parts.fold(0, |mixed, (below, above)| {
        (mixed << 8) | ((u32::from(below) * rest + u32::from(above) * share + 127) / 255)
    })
}

fn opaque(red: u8, green: u8, blue: u8) -> Rgba {
    u32::from_be_bytes([red, green, blue, 255])
}
