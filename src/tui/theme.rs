//! What things look like. Never by colour alone: what is duplicated is marked in the margin too, and
//! without colours it is underlined, bold or reversed.

use std::env;

use ratatui::style::{Color, Modifier, Style};

use crate::config::ThemeName;

/// The styles of all things, and the glyphs that frame them.
#[derive(Clone, Debug)]
pub struct Theme {
    /// Plain text.
    pub text: Style,
    /// What is there but does not ask for attention.
    pub quiet: Style,
    /// Headings and what is live.
    pub accent: Style,
    /// What went wrong.
    pub alarm: Style,
    /// The selected row where the focus is,
    pub selected: Style,
    /// and where it is not.
    pub selected_away: Style,
    /// Duplicated text,
    pub duplicated: Style,
    /// that is taboo,
    pub taboo: Style,
    /// that is a copy of the selected row,
    pub copy: Style,
    /// and the current one.
    pub current: Style,
    /// Of the current copy, what differs from the one it is compared with.
    pub differs: Style,
    /// What was looked for, within a text.
    pub match_: Style,
    /// The filled part of a bar.
    pub bar: Style,
    /// Whether syntax colours are shown.
    pub syntax: bool,
    /// Glyphs.
    pub glyphs: Glyphs,
    light: bool,
}

/// The marks and lines, in Unicode or ASCII.
#[derive(Clone, Copy, Debug)]
pub struct Glyphs {
    /// Between the panes.
    pub vertical: &'static str,
    /// Between the parts of a pane.
    pub horizontal: &'static str,
    /// In the margin of lines with the current copy, another copy, other duplicated text, taboo text.
    pub margin: [&'static str; 4],
    /// In the margin of lines with something that differs from the copy it is compared with.
    pub differs: &'static str,
    /// Before the selected row.
    pub pointer: &'static str,
    /// Filled and empty parts of a bar.
    pub bar: [&'static str; 2],
    /// Where a line goes on to the left and to the right of what is seen.
    pub cut: [&'static str; 2],
    /// Beside a document: what is searched for, what was not looked through yet, and what is seen of the rest.
    pub strip: [&'static str; 3],
    /// On rows that are marked.
    pub marked: &'static str,
    /// On what is accepted.
    pub check: &'static str,
    /// On what is taboo.
    pub cross: &'static str,
    /// From little to much.
    pub blocks: [&'static str; 8],
}

/// For terminals that show Unicode.
pub const UNICODE: Glyphs = Glyphs {
    vertical: "│",
    horizontal: "─",
    margin: ["▌", "┃", "│", "┊"],
    differs: "≠",
    pointer: "▶",
    bar: ["━", "─"],
    cut: ["‹", "›"],
    strip: ["•", "·", "▐"],
    marked: "●",
    check: "✓",
    cross: "×",
    blocks: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
};
/// For those that do not.
pub const ASCII: Glyphs = Glyphs {
    vertical: "|",
    horizontal: "-",
    margin: ["#", "=", "|", ":"],
    differs: "!",
    pointer: ">",
    bar: ["#", "-"],
    cut: ["<", ">"],
    strip: ["*", ".", "]"],
    marked: "*",
    check: "v",
    cross: "x",
    blocks: [".", ":", "-", "=", "+", "*", "#", "@"],
};

impl Theme {
    /// The theme of a name, as far as this terminal can show it.
    pub fn detect(name: ThemeName) -> Self {
        let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .iter()
            .find_map(|name| env::var(name).ok().filter(|v| !v.is_empty()));
        let is_utf8 = locale.is_none_or(|locale| {
            let locale = locale.to_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        let glyphs = if is_utf8 { UNICODE } else { ASCII };
        if set("NO_COLOR") {
            return Self::colourless(glyphs);
        }
        let true_colour = env::var("COLORTERM").is_ok_and(|value| value == "truecolor" || value == "24bit");
        match name {
            ThemeName::Dark => Self::coloured(glyphs, true_colour, &DARK, false),
            ThemeName::Light => Self::coloured(glyphs, true_colour, &LIGHT, true),
            ThemeName::Terminal => Self::of_palette(glyphs),
        }
    }

    /// Whether it is for a light background.
    pub fn is_light(&self) -> bool {
        self.light
    }

    /// Without any colour.
    pub fn colourless(glyphs: Glyphs) -> Self {
        let plain = Style::new();
        Self {
            text: plain,
            quiet: plain.add_modifier(Modifier::DIM),
            accent: plain.add_modifier(Modifier::BOLD),
            alarm: plain.add_modifier(Modifier::BOLD | Modifier::REVERSED),
            selected: plain.add_modifier(Modifier::REVERSED),
            selected_away: plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            duplicated: plain.add_modifier(Modifier::UNDERLINED),
            taboo: plain.add_modifier(Modifier::DIM | Modifier::UNDERLINED),
            copy: plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            current: plain.add_modifier(Modifier::REVERSED),
            differs: plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            match_: plain.add_modifier(Modifier::REVERSED | Modifier::BOLD),
            bar: plain,
            syntax: false,
            glyphs,
            light: false,
        }
    }

    /// The dark theme in 24-bit colours.
    #[cfg(test)]
    pub fn dark(glyphs: Glyphs) -> Self {
        Self::coloured(glyphs, true, &DARK, false)
    }

    fn coloured(glyphs: Glyphs, true_colour: bool, palette: &Palette, light: bool) -> Self {
        let colour = |colour: Rgb| {
            if true_colour { Color::Rgb(colour.0, colour.1, colour.2) } else { nearest(colour) }
        };
        let fore = |of: Rgb| Style::new().fg(colour(of));
        let back = |of: Rgb| Style::new().bg(colour(of));
        Self {
            text: fore(palette.text),
            quiet: fore(palette.quiet),
            accent: fore(palette.accent).add_modifier(Modifier::BOLD),
            alarm: fore(palette.alarm).add_modifier(Modifier::BOLD),
            selected: back(palette.selected).fg(colour(palette.bright)).add_modifier(Modifier::BOLD),
            selected_away: back(palette.duplicated),
            duplicated: back(palette.duplicated),
            taboo: fore(palette.quiet).add_modifier(Modifier::CROSSED_OUT),
            copy: back(palette.copy),
            current: back(palette.current).fg(colour(palette.bright)).add_modifier(Modifier::BOLD),
            differs: back(palette.differs).add_modifier(Modifier::UNDERLINED),
            match_: fore(palette.accent),
            bar: fore(palette.accent),
            syntax: true,
            glyphs,
            light,
        }
    }

    fn of_palette(glyphs: Glyphs) -> Self {
        let fore = |colour| Style::new().fg(colour);
        Self {
            text: Style::new(),
            quiet: fore(Color::DarkGray),
            accent: fore(Color::Cyan).add_modifier(Modifier::BOLD),
            alarm: fore(Color::Red).add_modifier(Modifier::BOLD),
            selected: Style::new().add_modifier(Modifier::REVERSED),
            selected_away: Style::new().add_modifier(Modifier::BOLD),
            duplicated: fore(Color::Yellow),
            taboo: fore(Color::DarkGray).add_modifier(Modifier::CROSSED_OUT),
            copy: fore(Color::Yellow).add_modifier(Modifier::BOLD),
            current: Style::new().fg(Color::Black).bg(Color::Yellow),
            differs: Style::new().bg(Color::Magenta).add_modifier(Modifier::UNDERLINED),
            match_: fore(Color::Cyan),
            bar: fore(Color::Cyan),
            syntax: false,
            glyphs,
            light: false,
        }
    }
}

#[derive(Clone, Copy)]
struct Rgb(u8, u8, u8);

struct Palette {
    text: Rgb,
    bright: Rgb,
    quiet: Rgb,
    accent: Rgb,
    alarm: Rgb,
    selected: Rgb,
    duplicated: Rgb,
    copy: Rgb,
    current: Rgb,
    differs: Rgb,
}

const DARK: Palette = Palette {
    text: Rgb(0xd4, 0xd7, 0xdd),
    bright: Rgb(0xff, 0xff, 0xff),
    quiet: Rgb(0x7d, 0x84, 0x92),
    accent: Rgb(0x7f, 0xc8, 0xd8),
    alarm: Rgb(0xf2, 0x8b, 0x82),
    selected: Rgb(0x2f, 0x4f, 0x6f),
    duplicated: Rgb(0x2b, 0x31, 0x3c),
    copy: Rgb(0x4a, 0x42, 0x24),
    current: Rgb(0x8a, 0x63, 0x10),
    differs: Rgb(0x7a, 0x2e, 0x5c),
};

const LIGHT: Palette = Palette {
    text: Rgb(0x24, 0x29, 0x2f),
    bright: Rgb(0x00, 0x00, 0x00),
    quiet: Rgb(0x76, 0x7d, 0x86),
    accent: Rgb(0x0a, 0x5e, 0x7a),
    alarm: Rgb(0xb4, 0x23, 0x18),
    selected: Rgb(0xbf, 0xdd, 0xf5),
    duplicated: Rgb(0xea, 0xec, 0xef),
    copy: Rgb(0xfb, 0xf0, 0xc8),
    current: Rgb(0xff, 0xd8, 0x5c),
    differs: Rgb(0xff, 0xb0, 0xd0),
};

/// The nearest of the 6 × 6 × 6 colours and 24 greys that terminals with 256 colours have.
fn nearest(Rgb(red, green, blue): Rgb) -> Color {
    let level = |value: u8| {
        [0_u8, 95, 135, 175, 215, 255].iter().position(|&step| value <= step.saturating_add(20)).unwrap_or(5)
            as u8
    };
    let spread = red.max(green).max(blue) - red.min(green).min(blue);
    if spread < 24 {
        let grey = (u16::from(red) + u16::from(green) + u16::from(blue)) / 3;
        return Color::Indexed(232 + (grey.saturating_sub(8) / 10).min(23) as u8);
    }
    Color::Indexed(16 + 36 * level(red) + 6 * level(green) + level(blue))
}
