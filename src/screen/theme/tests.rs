use std::collections::BTreeSet;

use ratatui::buffer::Cell;

use super::*;
use crate::fixture::{drawn, keys, model_of, show_copy, showing};
use crate::model::Model;
use crate::theme::colours::Colours;
use crate::theme::colours::TerminalTraits;
use crate::theme::palette::{BLIND_DARK, BLIND_LIGHT, CONTRAST_DARK, CONTRAST_LIGHT, LIGHT};
use crate::theme::palette::{contrast, distance, indexed};
use crate::views::PAGES;
use dupi_base::config::{SettingsFile, ThemeName};
use dupi_session::Subject;

const PALETTES: [(&str, &Palette); 6] = [
    ("dark", &DARK),
    ("light", &LIGHT),
    ("high contrast on dark", &CONTRAST_DARK),
    ("high contrast on light", &CONTRAST_LIGHT),
    ("colour-blind on dark", &BLIND_DARK),
    ("colour-blind on light", &BLIND_LIGHT),
];

/// What a colour looks like, in a terminal with its usual palette.
fn seen(colour: Color) -> Rgb {
    match colour {
        Color::Rgb(red, green, blue) => Rgb(red, green, blue),
        Color::Indexed(index) => indexed(index),
        Color::Black => Rgb(0, 0, 0),
        Color::Red => Rgb(0xcd, 0, 0),
        Color::Yellow => Rgb(0xcd, 0xcd, 0),
        Color::Magenta => Rgb(0xcd, 0, 0xcd),
        other => panic!("{other} is not known to be legible"),
    }
}

fn themes() -> impl Iterator<Item = (String, Theme)> {
    let schemes = [("base16, dark", base16::tests::GRUVBOX), ("base16, light", base16::tests::SOLARIZED)];
    let schemes = schemes.map(|(name, text)| (name, &*Box::leak(Box::new(base16::tests::of(text)))));
    PALETTES.into_iter().chain(schemes).flat_map(|(name, palette)| {
        [Depth::Indexed, Depth::True].map(|depth| {
            (format!("{name}, {depth:?}"), Theme::coloured(Charset::Unicode, SyntaxPaint { depth, palette }))
        })
    })
}

/// Whether its colours are ours to choose.
fn is_ours((name, _): &(String, Theme)) -> bool {
    !name.starts_with("base16")
}

/// The backgrounds of text without a colour of its own: those of such terminals, and the faint ones.
fn grounds_of(theme: &Theme) -> Vec<Rgb> {
    let faint = [theme.duplicated, theme.copy, theme.current].map(|style| seen(style.bg.unwrap()));
    [&theme.paint.palette.grounds[..], &faint].concat()
}

#[test]
fn everything_can_be_read() {
    let mut offences = Vec::new();
    for (name, theme) in themes() {
        let palette = theme.paint.palette;
        let mut reads = |what: &str, style: Style, grounds: &[Rgb], least: f64| {
            for &ground in grounds {
                let found = contrast(seen(style.fg.unwrap()), ground);
                if found < least {
                    offences.push(format!("{name}: {what} is read with {found:.1} on {ground:?}"));
                }
            }
        };
        let least = palette.contrast;
        let grounds = grounds_of(&theme);
        reads("text", theme.text, &grounds, least);
        reads("outside", theme.outside, &grounds, least);
        reads("taboo", theme.taboo, &grounds, least);
        reads("quiet", theme.quiet, &grounds, least);
        for (what, style) in [
            ("alarm", theme.alarm),
            ("accent", theme.accent),
            ("match", theme.match_),
            ("added", theme.added),
        ] {
            reads(what, style, &palette.grounds, least);
        }
        reads("bar", theme.bar, &palette.grounds, 3.0);
        for (what, style) in [
            ("selected", theme.selected),
            ("differs", theme.differs),
            ("differs beside", theme.differs_beside),
        ] {
            reads(what, style, &[seen(style.bg.unwrap())], least);
        }
        for heat in &theme.heat[1..] {
            reads("heat", *heat, &palette.grounds, 3.0);
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn syntax_colours_can_be_read_on_what_is_duplicated() {
    let all = two_face::theme::extra();
    for (name, theme) in themes() {
        let wanted = all.get(theme.paint.syntax()).scopes.iter().filter_map(|item| item.style.foreground);
        for wanted in wanted.map(|colour| Rgb(colour.r, colour.g, colour.b)) {
            let shown = seen(theme.paint.syntax_colour(wanted).unwrap());
            for ground in grounds_of(&theme) {
                let found = contrast(shown, ground);
                assert!(found >= theme.paint.palette.contrast, "{name}: {wanted:?} is read with {found:.1}");
            }
        }
    }
}

#[test]
fn every_cell_of_a_screen_can_be_read() {
    let is_mark = |symbol: &str| symbol.chars().all(|of| matches!(of, ' ' | '\u{2500}'..='\u{259f}'));
    let mut models: Vec<Model> = PAGES.into_iter().map(|page| showing(page, 120, 40)).collect();
    let mut compared = model_of(Subject::Passages, 120, 40);
    show_copy(&mut compared, 1);
    models.push(compared);
    for action in ["v", "?"] {
        let mut model = model_of(Subject::Passages, 120, 40);
        show_copy(&mut model, 1);
        keys(&mut model, action);
        models.push(model);
    }
    let mut offences = BTreeSet::new();
    for (name, theme) in themes() {
        for (cell, ground) in models.iter().flat_map(|model| pairs(&drawn(model, &theme), &theme)) {
            let least = if is_mark(cell.symbol()) { 1.0 } else { theme.paint.palette.contrast };
            let found = contrast(seen(cell.fg), ground);
            if found < least {
                offences.insert(format!("{name}: {:?} on {ground:?} has {found:.1}", cell.fg));
            }
        }
    }
    assert!(offences.is_empty(), "{offences:#?}");
}

/// The cells of a screen that show something, each with every background that it may have. What is reversed is what
/// was searched for or selected.
fn pairs(buffer: &Buffer, theme: &Theme) -> Vec<(Cell, Rgb)> {
    let shown = |cell: &&Cell| cell.symbol() != " " && !cell.modifier.contains(Modifier::REVERSED);
    let pairs = buffer.content.iter().filter(shown).flat_map(|cell| {
        let grounds = match cell.bg {
            Color::Reset => theme.paint.palette.grounds.to_vec(),
            ground => vec![seen(ground)],
        };
        grounds.into_iter().map(move |ground| (cell.clone(), ground))
    });
    pairs.collect()
}

/// The colour as a person without one kind of cones sees it, after Viénot, Brettel and Mollon.
fn without(red: bool, Rgb(r, g, b): Rgb) -> Rgb {
    let linear = |value: u8| (f64::from(value) / 255.0).powf(2.2);
    let (r, g, b) = (linear(r), linear(g), linear(b));
    let (yellow, blue) = if red {
        (0.11238 * r + 0.88762 * g, 0.00401 * r - 0.00401 * g + b)
    } else {
        (0.29275 * r + 0.70725 * g, -0.02234 * r + 0.02234 * g + b)
    };
    let back = |value: f64| (value.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0).round() as u8;
    Rgb(back(yellow), back(yellow), back(blue))
}

#[test]
fn what_is_selected_copied_current_and_different_cannot_be_confused() {
    let mut offences = Vec::new();
    for (name, theme) in themes().filter(is_ours) {
        let ground = |style: Style| seen(style.bg.unwrap());
        let grounds = [
            ("duplicated", ground(theme.duplicated)),
            ("copy", ground(theme.copy)),
            ("current", ground(theme.current)),
            ("selected", ground(theme.selected)),
            ("differs", ground(theme.differs)),
            ("differs beside", ground(theme.differs_beside)),
        ];
        let faint = 3;
        let is_for_all = name.starts_with("colour-blind") || name.starts_with("high");
        for (number, (one, ground)) in grounds.iter().enumerate() {
            for (other, its) in &grounds[..number] {
                let mut seen = vec![distance(*ground, *its)];
                if is_for_all {
                    seen.extend([true, false].map(|red| distance(without(red, *ground), without(red, *its))));
                }
                let least = seen.into_iter().min().unwrap();
                // The margin tells faint backgrounds apart too, and of 256 colours few are dark.
                let wanted = match theme.paint.depth {
                    _ if number >= faint => 4000,
                    Depth::True => 250,
                    _ => 0,
                };
                if least < wanted {
                    offences.push(format!("{name}: {one} and {other} are {least} apart"));
                }
            }
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn text_that_is_equal_has_a_faint_background_and_a_word_that_differs_a_strong_one() {
    for (name, theme) in themes() {
        let strength = |style: Style| {
            let ground = seen(style.bg.unwrap());
            theme.paint.palette.grounds.map(|of| contrast(ground, of)).into_iter().fold(1.0, f64::max)
        };
        for faint in [theme.duplicated, theme.copy, theme.current].map(strength) {
            for strong in [theme.differs, theme.differs_beside] {
                let strong = strength(strong);
                assert!(faint <= 1.9 && strong > faint, "{name}: {faint:.2} and {strong:.2}");
            }
        }
        assert!(theme.differs.add_modifier.contains(Modifier::BOLD));
        assert_eq!((theme.current.fg, theme.copy.fg), (None, None), "{name}: syntax colours stay");
    }
    let plain = Theme::colourless(Charset::Unicode);
    assert_eq!(plain.current, Style::new());
    assert_eq!(plain.differs.add_modifier, Modifier::BOLD | Modifier::UNDERLINED);
    assert_eq!(plain.outside.add_modifier, Modifier::DIM);
}

#[test]
fn heat_can_be_told_apart_step_by_step() {
    let mut offences = Vec::new();
    for (name, theme) in themes().filter(is_ours) {
        for pair in theme.heat.windows(2) {
            let apart = distance(seen(pair[0].fg.unwrap()), seen(pair[1].fg.unwrap()));
            if apart < 3000 {
                offences.push(format!("{name}: {pair:?} are {apart} apart"));
            }
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn sixteen_colours_are_read_on_black_and_on_white() {
    let theme = Theme::of_the_terminal(Charset::Unicode);
    let styles = [
        theme.text,
        theme.quiet,
        theme.accent,
        theme.alarm,
        theme.selected,
        theme.duplicated,
        theme.taboo,
        theme.copy,
        theme.outside,
    ];
    let others = [
        theme.current,
        theme.differs,
        theme.differs_beside,
        theme.match_,
        theme.added,
        theme.bar,
        theme.selected_away,
    ];
    for style in styles.into_iter().chain(others).chain(theme.heat) {
        let Some(fore) = style.fg.map(seen) else { continue };
        let grounds = style.bg.map_or(vec![Rgb(0, 0, 0), Rgb(255, 255, 255)], |ground| vec![seen(ground)]);
        assert!(grounds.iter().all(|&ground| contrast(fore, ground) >= 3.5), "{style:?}");
        assert!(!style.add_modifier.contains(Modifier::BOLD) || style.fg != Some(Color::Black));
    }
    assert_eq!(theme.paint().syntax_colour(Rgb(1, 2, 3)), None);
}

fn traits(variables: &[(&str, &str)]) -> TerminalTraits {
    TerminalTraits::from_environment(|name| {
        variables.iter().find(|known| known.0 == name).map(|known| known.1.to_owned())
    })
}

#[test]
fn the_theme_follows_the_ground_unless_it_is_set() {
    let able = traits(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")]);
    let light = Rgb(0xfa, 0xfa, 0xfa);
    let is = |theme: Theme, palette: &Palette| std::ptr::eq(theme.paint.palette, palette);
    assert!(
        is(able.theme(ThemeName::Auto), &DARK) && is(able.theme_on_ground(ThemeName::Auto, light), &LIGHT)
    );
    assert!(is(able.theme_on_ground(ThemeName::Dark, light), &DARK));
    assert!(is(able.theme_on_ground(ThemeName::ColourBlind, light), &BLIND_LIGHT));
    assert!(able.wants_ground(ThemeName::HighContrast) && !able.wants_ground(ThemeName::Light));
    let told = traits(&[("TERM", "rxvt-256color"), ("COLORFGBG", "0;default;15")]);
    assert!(is(told.theme(ThemeName::Auto), &LIGHT));
    for poor in [&[("TERM", "linux")][..], &[("TERM", "xterm-256color"), ("NO_COLOR", "1")], &[]] {
        assert!(!traits(poor).wants_ground(ThemeName::Auto), "{poor:?}");
    }
}

#[test]
fn a_base16_file_is_a_theme_wherever_there_are_colours_for_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("gruvbox.yaml"), base16::tests::GRUVBOX).unwrap();
    let colours = |text: &str| {
        let path = folder.path().join("config.toml");
        std::fs::write(&path, text).unwrap();
        Colours::new(&SettingsFile::load(&path).settings)
    };
    let (found, problems) = colours("theme = \"gruvbox.yaml\"\n[colours]\ncurrent = \"on black\"\n");
    assert_eq!(problems, []);
    let able = traits(&[("TERM", "xterm-direct")]).with(found.clone());
    let theme = able.theme(ThemeName::Auto);
    assert!(!able.wants_ground(ThemeName::Auto));
    assert_eq!(theme.text.fg, Some(Color::Rgb(0xd5, 0xc4, 0xa1)));
    assert_eq!(theme.current.bg, Some(Color::Black));
    assert_eq!(theme.paint().syntax_colour(Rgb(0xa3, 0xbe, 0x8c)), Some(Color::Rgb(0xb8, 0xbb, 0x26)));
    let poor = traits(&[("TERM", "linux")]).with(found).theme(ThemeName::Auto);
    assert_eq!(poor.text.fg, None);
    let (_, problems) = colours("theme = \"none.toml\"\n");
    assert!(format!("{problems:?}").contains("cannot read the theme"), "{problems:?}");
}

#[test]
fn a_screen_without_colours_has_none() {
    let theme = traits(&[("NO_COLOR", "1"), ("LANG", "C")]).theme(ThemeName::Light);
    let mut buffer = Buffer::empty(ratatui::layout::Rect::new(0, 0, 3, 1));
    buffer.set_string(0, 0, "a│b", Style::new().fg(Color::Red).bg(Color::Blue));
    theme.finish(&mut buffer);
    assert!(buffer.content.iter().all(|cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset)));
    assert_eq!(buffer.content[1].symbol(), "|");
}
