//! The colours of the themes, one table for each: of text, of marks and of backgrounds; and the nearest colour to a wanted one
//! that a terminal has. All colours go through here.

use ratatui::style::Color;
use two_face::theme::EmbeddedThemeName;

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
    /// The faint background of duplicated text,
    pub duplicated: Rgb,
    /// of a copy of the selected row,
    pub copy: Rgb,
    /// and of the current copy.
    pub current: Rgb,
    /// Words of the current copy that the reference copy does not have,
    pub differs: TextOnGround,
    /// and words that only the reference copy has.
    pub differs_beside: TextOnGround,
    /// The matching syntax theme,
    pub syntax: EmbeddedThemeName,
    /// and the base16 scheme whose colours take the place of its own.
    pub scheme: Option<Scheme>,
    /// The least contrast of text on any background (WCAG).
    pub contrast: f64,
    /// The extremes of the backgrounds of such terminals.
    pub grounds: [Rgb; 2],
}

/// The sixteen colours of a base16 scheme.
pub(crate) type Scheme = [Rgb; 16];

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
    /// All backgrounds of text that do not define a text colour.
    pub(crate) fn all_grounds(&self) -> [Rgb; 5] {
        [self.grounds[0], self.grounds[1], self.duplicated, self.copy, self.current]
    }
}

/// A palette: the colours of text, quiet text, accents, alarms, matches, added lines and bars; the heat from low to high;
/// the backgrounds of duplicated text, of copies and of the current one; text and background of what is selected, of words
/// of the current copy that differ, and of those of the reference copy.
const fn palette(
    fore: [u32; 7],
    heat: [u32; 5],
    [duplicated, copy, current]: [u32; 3],
    [selected, differs, differs_beside]: [[u32; 2]; 3],
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
        current: rgb(current),
        differs: on_ground(differs),
        differs_beside: on_ground(differs_beside),
        syntax: if is_light { EmbeddedThemeName::InspiredGithub } else { EmbeddedThemeName::Base16OceanDark },
        scheme: None,
        contrast,
        grounds,
    }
}

const fn rgb(hex: u32) -> Rgb {
    Rgb::from_hex(hex)
}

const fn on_ground([text, ground]: [u32; 2]) -> TextOnGround {
    TextOnGround { text: rgb(text), ground: rgb(ground) }
}

/// For dark backgrounds.
pub(super) static DARK: Palette = palette(
    [0xd4d7dd, 0x7d8492, 0x7fc8d8, 0xf28b82, 0xf2c56b, 0x8bd5a0, 0x7fa8c8],
    [0x5f6b7a, 0x6f95b5, 0xc9b458, 0xe39a4a, 0xf2705f],
    [0x2b313c, 0x383020, 0x1b3540],
    [[0xffffff, 0x2f4f6f], [0xffffff, 0x1f6f2c], [0xffffff, 0x8c2528]],
    DARK_GROUNDS,
    4.5,
);

/// For light backgrounds.
pub(super) static LIGHT: Palette = palette(
    [0x24292f, 0x767d86, 0x0a5e7a, 0xb42318, 0x8a5300, 0x1a7f37, 0x3f7ea6],
    [0x8a939c, 0x4f86b0, 0x9a7a00, 0xb85c00, 0xc0271c],
    [0xe4e7eb, 0xfaf0cf, 0xdbeef5],
    [[0x000000, 0xa6d0f2], [0x000000, 0x9be0ae], [0x000000, 0xffb0aa]],
    LIGHT_GROUNDS,
    4.5,
);

/// For dark backgrounds, with the highest contrast.
pub(super) static CONTRAST_DARK: Palette = palette(
    [0xffffff, 0xcacaca, 0x5fe9ff, 0xffb0a8, 0xffe14d, 0x7dff9b, 0xffffff],
    [0xa0a0a0, 0x5fe9ff, 0xffe14d, 0xffb347, 0xffb0a8],
    [0x3a3a3a, 0x3d3620, 0x1c3a4c],
    [[0x000000, 0xffffff], [0x000000, 0x5fe9ff], [0x000000, 0xffb347]],
    DARK_GROUNDS,
    7.0,
);

/// For light backgrounds, with the highest contrast.
pub(super) static CONTRAST_LIGHT: Palette = palette(
    [0x000000, 0x3c3c3c, 0x002f8f, 0x8b0000, 0x6a2c00, 0x00511c, 0x000000],
    [0x6a6a6a, 0x002f8f, 0x6a4a00, 0x8a3000, 0x8b0000],
    [0xdcdcdc, 0xf5e6b8, 0xd0ecf7],
    [[0xffffff, 0x000000], [0xffffff, 0x00408a], [0xffffff, 0x7a2e00]],
    LIGHT_GROUNDS,
    7.0,
);

/// For dark backgrounds and red-green colour blindness: hues after Okabe and Ito, blue and orange for differences.
pub(super) static BLIND_DARK: Palette = palette(
    [0xd8dce2, 0x848b98, 0x56b4e9, 0xe69f00, 0xf0e442, 0x56b4e9, 0x56b4e9],
    [0x5f6b7a, 0x468abe, 0x56b4e9, 0xe69f00, 0xf0e442],
    [0x2e2e30, 0x3c2f14, 0x12344f],
    [[0x000000, 0x56b4e9], [0xffffff, 0x0068a8], [0xffffff, 0x9a5b00]],
    DARK_GROUNDS,
    4.5,
);

/// For light backgrounds and red-green colour blindness: hues after Okabe and Ito, blue and orange for differences.
pub(super) static BLIND_LIGHT: Palette = palette(
    [0x24292f, 0x6a717a, 0x005a8c, 0x9a4400, 0x7a4a00, 0x005a8c, 0x0072b2],
    [0x8a939c, 0x2f87c3, 0x0072b2, 0xb86a00, 0x7a3300],
    [0xe4e7eb, 0xfaf0cf, 0xdbeef5],
    [[0xffffff, 0x0072b2], [0x000000, 0x84cdf7], [0x000000, 0xffbe55]],
    LIGHT_GROUNDS,
    4.5,
);

/// A 24-bit colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// The colour `0xrrggbb`.
    pub(crate) const fn from_hex(hex: u32) -> Self {
        let [_, red, green, blue] = hex.to_be_bytes();
        Self(red, green, blue)
    }
}

/// The number of colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Depth {
    /// No colours.
    None,
    /// The sixteen ANSI colours, whose appearance is unknown.
    Sixteen,
    /// The 256-colour palette: 6 × 6 × 6 colours and 24 greys.
    Indexed,
    /// 24-bit colours.
    True,
}

/// Black.
pub(crate) const BLACK: Rgb = Rgb(0, 0, 0);
/// White.
pub(crate) const WHITE: Rgb = Rgb(255, 255, 255);

/// Terminals with 24-bit colours, even if `COLORTERM` is not set.
const ABLE: [&str; 6] = ["-direct", "kitty", "alacritty", "ghostty", "wezterm", "foot"];

impl Depth {
    /// Detects the depth from the environment.
    pub(crate) fn detect(variable: impl Fn(&str) -> Option<String>) -> Self {
        let term = variable("TERM").unwrap_or_default();
        let says = |name: &str, words: &[&str]| variable(name).is_some_and(|value| words.contains(&&*value));
        if variable("NO_COLOR").is_some_and(|value| !value.is_empty()) {
            Self::None
        } else if says("COLORTERM", &["truecolor", "24bit"]) || ABLE.iter().any(|name| term.contains(name)) {
            Self::True
        } else if term.contains("256color") {
            Self::Indexed
        } else {
            Self::Sixteen
        }
    }

    /// The nearest available colour. With sixteen colours the default is returned; only the theme for such terminals
    /// uses ANSI colours.
    pub(crate) fn colour(self, wanted: Rgb) -> Color {
        match self {
            Self::None | Self::Sixteen => Color::Reset,
            Self::Indexed => Color::Indexed(nearest(wanted)),
            Self::True => Color::Rgb(wanted.0, wanted.1, wanted.2),
        }
    }

    /// The nearest colour that is legible on all these backgrounds.
    pub(crate) fn legible(self, wanted: Rgb, grounds: &[Rgb], least: f64) -> Color {
        let worst = |colour: Rgb| {
            let colour = self.seen(colour);
            let each = grounds.iter().map(|&ground| contrast(colour, self.seen(ground)));
            each.fold(f64::INFINITY, f64::min)
        };
        // The colour becomes lighter or darker step by step.
        let towards = |end: u8, step: u16| {
            let mixed = |value: u8| ((u16::from(value) * (16 - step) + u16::from(end) * step) / 16) as u8;
            Rgb(mixed(wanted.0), mixed(wanted.1), mixed(wanted.2))
        };
        let mut ways = (0..=16).flat_map(|step| [towards(255, step), towards(0, step)]);
        let found = ways.find(|&colour| worst(colour) >= least);
        self.colour(found.unwrap_or_else(|| if worst(WHITE) > worst(BLACK) { WHITE } else { BLACK }))
    }

    /// The appearance of a colour at this depth.
    fn seen(self, wanted: Rgb) -> Rgb {
        if self == Self::Indexed { indexed(nearest(wanted)) } else { wanted }
    }
}

/// The levels of red, green and blue in the 6 × 6 × 6 cube.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The nearest of the 240 palette colours that are the same in all terminals.
fn nearest(wanted: Rgb) -> u8 {
    let level =
        |value: u8| (0..6_u8).min_by_key(|&level| LEVELS[usize::from(level)].abs_diff(value)).unwrap_or(0);
    let cube = 16 + 36 * level(wanted.0) + 6 * level(wanted.1) + level(wanted.2);
    let mean = (u16::from(wanted.0) + u16::from(wanted.1) + u16::from(wanted.2)) / 3;
    let grey = 232 + (mean.saturating_sub(3) / 10).min(23) as u8;
    if distance(wanted, indexed(grey)) < distance(wanted, indexed(cube)) { grey } else { cube }
}

/// The appearance of a palette colour.
pub(crate) fn indexed(index: u8) -> Rgb {
    match index {
        0..16 => Rgb(0, 0, 0),
        16..232 => {
            let level = |index: u8| LEVELS[usize::from(index % 6)];
            Rgb(level((index - 16) / 36), level((index - 16) / 6), level(index - 16))
        }
        232.. => Rgb(8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10),
    }
}

/// The distance of two colours, weighted for the eye's sensitivity.
pub(crate) fn distance(one: Rgb, other: Rgb) -> u32 {
    let square = |one: u8, other: u8| u32::from(one.abs_diff(other)).pow(2);
    2 * square(one.0, other.0) + 4 * square(one.1, other.1) + 3 * square(one.2, other.2)
}

/// The contrast ratio of two colours from 1 to 21 (WCAG).
pub(crate) fn contrast(one: Rgb, other: Rgb) -> f64 {
    let luminance = |Rgb(red, green, blue): Rgb| {
        let linear = |value: u8| {
            let share = f64::from(value) / 255.0;
            if share <= 0.03928 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    };
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Depth {
        Depth::detect(|name| variables.iter().find(|known| known.0 == name).map(|known| known.1.to_owned()))
    }

    #[test]
    fn the_environment_tells_how_many_colours_there_are() {
        assert_eq!(of(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")]), Depth::True);
        assert_eq!(of(&[("TERM", "xterm-kitty")]), Depth::True);
        assert_eq!(of(&[("TERM", "screen-256color"), ("NO_COLOR", "")]), Depth::Indexed);
        assert_eq!(of(&[("TERM", "linux"), ("COLORTERM", "yes")]), Depth::Sixteen);
        assert_eq!(of(&[("TERM", "xterm-direct"), ("NO_COLOR", "1")]), Depth::None);
    }

    #[test]
    fn the_nearest_of_few_colours_is_near() {
        assert_eq!(
            (nearest(Rgb(255, 0, 0)), nearest(Rgb(8, 8, 8)), nearest(Rgb(255, 255, 255))),
            (196, 232, 231)
        );
        assert_eq!((nearest(Rgb(0, 0, 0)), nearest(Rgb(0x5f, 0x87, 0xaf))), (16, 67));
        for index in 16..=255 {
            assert_eq!(distance(indexed(nearest(indexed(index))), indexed(index)), 0, "{index}");
        }
        assert_eq!(Depth::True.colour(Rgb(1, 2, 3)), Color::Rgb(1, 2, 3));
        assert_eq!(Depth::Sixteen.colour(Rgb(1, 2, 3)), Color::Reset);
    }

    #[test]
    fn a_colour_is_changed_until_it_can_be_read() {
        let grey = Rgb(0x65, 0x73, 0x7e);
        assert_eq!((contrast(BLACK, WHITE).round(), contrast(grey, grey)), (21.0, 1.0));
        let ochre = Rgb(0x4a, 0x42, 0x24);
        let legible = |grounds: &[Rgb], least| match Depth::True.legible(grey, grounds, least) {
            Color::Rgb(red, green, blue) => Rgb(red, green, blue),
            other => panic!("{other}"),
        };
        assert_eq!(legible(&[BLACK], 4.0), grey);
        let on_dark = legible(&[BLACK, ochre], 4.5);
        assert!(contrast(on_dark, ochre) >= 4.5 && on_dark != WHITE);
        assert!(contrast(legible(&[WHITE], 7.0), WHITE) >= 7.0);
        assert_eq!(legible(&[BLACK, ochre], 21.0), WHITE);
        let Color::Indexed(shown) = Depth::Indexed.legible(grey, &[ochre], 4.5) else { panic!() };
        assert!(contrast(indexed(shown), Depth::Indexed.seen(ochre)) >= 4.5);
    }
}
