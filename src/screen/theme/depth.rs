//! Colour depth of the terminal, and the nearest available colour to a wanted one. All colours go through here.

use ratatui::style::Color;

/// A 24-bit colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb(pub u8, pub u8, pub u8);

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
