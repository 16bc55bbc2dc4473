//! Which theme follows from the environment of the terminal and from the settings, with the colours of the user: `[colours]`
//! in the settings, by the names of the theme's styles.

use std::str::FromStr;

use ratatui::style::{Color, Modifier, Style};

use crate::theme::palette::{BLACK, Depth, Palette, Rgb, WHITE, contrast};
use crate::theme::palette::{BLIND_DARK, BLIND_LIGHT, CONTRAST_DARK, CONTRAST_LIGHT, DARK, LIGHT};
use crate::theme::{Charset, SyntaxPaint, Theme, base16};
use dupi_base::config::{SettingProblem, Settings, ThemeName};

/// A style of a theme.
type StyleOf = fn(&mut Theme) -> &mut Style;

/// The styles by their names.
const NAMES: [(&str, StyleOf); 16] = [
    ("text", |theme| &mut theme.text),
    ("quiet", |theme| &mut theme.quiet),
    ("accent", |theme| &mut theme.accent),
    ("alarm", |theme| &mut theme.alarm),
    ("selected", |theme| &mut theme.selected),
    ("selected-away", |theme| &mut theme.selected_away),
    ("duplicated", |theme| &mut theme.duplicated),
    ("taboo", |theme| &mut theme.taboo),
    ("copy", |theme| &mut theme.copy),
    ("current", |theme| &mut theme.current),
    ("outside", |theme| &mut theme.outside),
    ("differs", |theme| &mut theme.differs),
    ("differs-beside", |theme| &mut theme.differs_beside),
    ("match", |theme| &mut theme.match_),
    ("added", |theme| &mut theme.added),
    ("bar", |theme| &mut theme.bar),
];

/// The modifiers of a style.
const WORDS: [(&str, Modifier); 6] = [
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underlined", Modifier::UNDERLINED),
    ("reversed", Modifier::REVERSED),
    ("crossed-out", Modifier::CROSSED_OUT),
];

/// What the user changes in a theme.
#[derive(Clone, Debug, Default)]
pub struct Colours {
    /// The styles that replace those of the theme.
    styles: Vec<(&'static str, Style)>,
    /// The palette of a base16 file. It is read once and lives as long as the program.
    scheme: Option<&'static Palette>,
}

impl Colours {
    /// Those of the settings, and the problems in them; invalid ones are ignored.
    pub fn new(settings: &Settings) -> (Self, Vec<SettingProblem>) {
        let (mut styles, mut problems) = (Vec::new(), Vec::new());
        let scheme = settings.scheme.as_ref().and_then(|path| match base16::read(path.get_ref()) {
            Ok(palette) => Some(&*Box::leak(Box::new(palette))),
            Err(sentence) => {
                problems.push(SettingProblem::at(path.span(), sentence));
                None
            }
        });
        for (name, style) in &settings.colours {
            let known = NAMES.iter().find(|(known, _)| known == name.get_ref());
            match (known, parse(style.get_ref())) {
                (Some((name, _)), Ok(style)) => styles.push((*name, style)),
                (Some(_), Err(detail)) => problems.push(SettingProblem::at(style.span(), detail)),
                (None, _) => {
                    let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
                    let detail =
                        format!("nothing is called `{}`; there are {}", name.get_ref(), names.join(", "));
                    problems.push(SettingProblem::at(name.span(), detail));
                }
            }
        }
        (Self { styles, scheme }, problems)
    }

    /// Applies them to a theme, as far as the terminal can show them.
    pub fn put_into(&self, theme: &mut Theme) {
        let depth = theme.paint.depth;
        for (name, style) in &self.styles {
            if let Some((_, of)) = NAMES.iter().find(|(known, _)| known == name) {
                *of(theme) = Style {
                    fg: style.fg.map(|of| shown(of, depth)),
                    bg: style.bg.map(|of| shown(of, depth)),
                    ..*style
                };
            }
        }
    }
}

fn shown(colour: Color, depth: Depth) -> Color {
    match colour {
        Color::Rgb(red, green, blue) => depth.colour(Rgb(red, green, blue)),
        Color::Indexed(16..) if depth < Depth::Indexed => Color::Reset,
        colour => colour,
    }
}

/// `#ffd700 on black bold`: the text colour, the background, and modifiers; each is optional.
fn parse(text: &str) -> Result<Style, String> {
    let mut style = Style::new();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        if let Some((_, modifier)) = WORDS.iter().find(|(known, _)| *known == word) {
            style = style.add_modifier(*modifier);
        } else if word == "on" {
            style = style.bg(colour(words.next().unwrap_or_default())?);
        } else {
            style = style.fg(colour(word)?);
        }
    }
    Ok(style)
}

fn colour(word: &str) -> Result<Color, String> {
    let others: Vec<&str> = WORDS.iter().map(|(word, _)| *word).collect();
    Color::from_str(word).map_err(|_| {
        format!("`{word}` is no colour; write #rrggbb, a number up to 255 or a name as red or light-red, `on` before the ground, and {}", others.join(", "))
    })
}

/// The abilities of the terminal according to its environment, and the wishes of its user.
#[derive(Clone, Debug)]
pub(crate) struct TerminalTraits {
    depth: Depth,
    charset: Charset,
    /// Whether the environment says that the background is light.
    is_light: bool,
    is_console: bool,
    colours: Colours,
}

impl TerminalTraits {
    /// Reads the environment.
    pub(crate) fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let locale =
            ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| variable(name).filter(|v| !v.is_empty()));
        let is_utf8 = locale.is_none_or(|locale| {
            let locale = locale.to_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        // `15;0`: the colour of the text, then the background.
        let ground = variable("COLORFGBG");
        let ground = ground.as_deref().and_then(|value| value.rsplit(';').next());
        Self {
            depth: Depth::detect(&variable),
            charset: if is_utf8 { Charset::Unicode } else { Charset::Ascii },
            is_light: matches!(ground, Some("7" | "15")),
            is_console: variable("TERM").is_none_or(|term| term == "linux"),
            colours: Colours::default(),
        }
    }

    /// With the colours of the settings.
    pub(crate) fn with(self, colours: Colours) -> Self {
        Self { colours, ..self }
    }

    /// Whether the terminal must be asked for its background colour, for a theme of this name.
    pub(crate) fn wants_ground(&self, name: ThemeName) -> bool {
        let depends = matches!(name, ThemeName::Auto | ThemeName::HighContrast | ThemeName::ColourBlind);
        depends && self.colours.scheme.is_none() && self.depth >= Depth::Indexed && !self.is_console
    }

    /// The theme of a name, while the background is known only from the environment.
    pub(crate) fn theme(&self, name: ThemeName) -> Theme {
        self.theme_on(name, self.is_light)
    }

    /// The theme of a name on a background of this colour.
    pub(crate) fn theme_on_ground(&self, name: ThemeName, ground: Rgb) -> Theme {
        self.theme_on(name, is_light(ground))
    }

    fn theme_on(&self, name: ThemeName, is_light: bool) -> Theme {
        let mut theme = self.theme_of(name, is_light);
        self.colours.put_into(&mut theme);
        theme
    }

    fn theme_of(&self, name: ThemeName, is_light: bool) -> Theme {
        let palette = match (name, is_light) {
            _ if let Some(palette) = self.colours.scheme => palette,
            (ThemeName::Auto, false) | (ThemeName::Dark, _) => &DARK,
            (ThemeName::Auto, true) | (ThemeName::Light, _) => &LIGHT,
            (ThemeName::HighContrast, false) => &CONTRAST_DARK,
            (ThemeName::HighContrast, true) => &CONTRAST_LIGHT,
            (ThemeName::ColourBlind, false) => &BLIND_DARK,
            (ThemeName::ColourBlind, true) => &BLIND_LIGHT,
            (ThemeName::Terminal, _) if self.depth == Depth::None => return Theme::colourless(self.charset),
            (ThemeName::Terminal, _) => return Theme::of_the_terminal(self.charset),
        };
        match self.depth {
            Depth::None => Theme::colourless(self.charset),
            Depth::Sixteen => Theme::of_the_terminal(self.charset),
            depth => Theme::coloured(self.charset, SyntaxPaint { depth, palette }),
        }
    }
}

/// Whether dark text is more legible on it than light text.
fn is_light(ground: Rgb) -> bool {
    contrast(ground, BLACK) > contrast(ground, WHITE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Charset;
    use crate::theme::colours::TerminalTraits;
    use dupi_base::config::ThemeName;

    fn theme(term: &str, colours: &Colours) -> Theme {
        let traits = TerminalTraits::from_environment(|name| (name == "TERM").then(|| term.to_owned()));
        traits.with(colours.clone()).theme(ThemeName::Dark)
    }

    #[test]
    fn the_settings_change_styles_by_their_names() {
        let (settings, _) = Settings::parse(
            "[colours]\ncurrent = \"#5f5f00 on light-red bold\"\nmatch = \"underlined\"\nquiet = \"70\"\n",
        );
        let (colours, problems) = Colours::new(&settings);
        assert_eq!(problems, []);
        let of = theme("xterm-direct", &colours);
        assert_eq!(
            of.current,
            Style::new().fg(Color::Rgb(0x5f, 0x5f, 0)).bg(Color::LightRed).add_modifier(Modifier::BOLD)
        );
        assert_eq!(of.match_, Style::new().add_modifier(Modifier::UNDERLINED));
        assert_eq!(theme("xterm-256color", &colours).current.fg, Some(Color::Indexed(58)));
        let poor = theme("xterm", &colours);
        assert_eq!(
            (poor.current.fg, poor.current.bg, poor.quiet.fg),
            (Some(Color::Reset), Some(Color::LightRed), Some(Color::Reset))
        );
    }

    /// A style as it is written in the settings.
    fn written(style: Style) -> String {
        let name = |colour: Color| colour.to_string().to_lowercase();
        let ground = style.bg.map(|colour| format!("on {}", name(colour)));
        let words = WORDS.iter().filter(|(_, modifier)| style.add_modifier.contains(*modifier));
        let words = words.map(|(word, _)| (*word).to_owned());
        style.fg.map(name).into_iter().chain(ground).chain(words).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_default_file_lists_every_style_as_the_dark_theme_has_it() {
        let mut dark = Theme::dark(Charset::Unicode);
        let file = include_str!("../../../assets/config.toml");
        let listed = file.lines().skip_while(|line| *line != "[colours]").skip(1);
        let listed: Vec<&str> = listed.take_while(|line| !line.is_empty()).collect();
        let expected = NAMES.map(|(name, of)| format!("# {name} = \"{}\"", written(*of(&mut dark))));
        let agrees = |(line, expected): (&&str, &String)| line.starts_with(expected.as_str());
        assert!(
            listed.len() == NAMES.len() && listed.iter().zip(&expected).all(agrees),
            "{}",
            expected.join("\n")
        );
    }

    #[test]
    fn what_is_wrong_is_named_and_left_out() {
        let (settings, _) = Settings::parse(
            "[colours]\ncurrant = \"red\"\ncopy = \"reddish\"\nbar = \"red on\"\ntext = \"blue\"\n",
        );
        let (colours, problems) = Colours::new(&settings);
        assert_eq!(problems.len(), 3);
        let said = format!("{problems:?}");
        assert!(
            said.contains("nothing is called `currant`") && said.contains("`reddish` is no colour"),
            "{said}"
        );
        assert_eq!(theme("xterm", &colours).text.fg, Some(Color::Blue));
    }
}
