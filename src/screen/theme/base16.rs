//! A theme from a base16 file: sixteen colours, `base00` (the background) to `base0F`, each on a line of its own, as YAML
//! (`base00: "2b303b"`) or TOML (`base00 = "#2b303b"`). Other lines are names and headings, and are skipped.

use std::fs;
use std::path::Path;

use two_face::theme::EmbeddedThemeName;

use crate::theme::palette::{BLACK, Palette, Rgb, Scheme, TextOnGround, WHITE, contrast};
use dupi_base::storage::{in_words, shown};

/// The scheme of the syntax theme from which the colours of a scheme take their roles.
const OCEAN: [u32; 16] = [
    0x2b303b, 0x343d46, 0x4f5b66, 0x65737e, 0xa7adba, 0xc0c5ce, 0xdfe1e8, 0xeff1f5, 0xbf616a, 0xd08770,
    0xebcb8b, 0xa3be8c, 0x96b5b4, 0x8fa1b3, 0xb48ead, 0xab7967,
];

/// Reads a file; the error is a sentence.
pub(super) fn read(path: &Path) -> Result<Palette, String> {
    let text = fs::read_to_string(path)
        .map_err(|error| format!("cannot read the theme {}: {}", shown(path), in_words(&error)))?;
    parse(&text).map(palette).map_err(|wrong| format!("the theme {} {wrong}", shown(path)))
}

fn parse(text: &str) -> Result<Scheme, String> {
    let mut scheme = [None; 16];
    for line in text.lines() {
        let line = line.trim().trim_matches('"');
        let Some(number) = line.strip_prefix("base0").and_then(|rest| rest.chars().next()?.to_digit(16))
        else {
            continue;
        };
        let value = line[6..].trim_start_matches(['"', '\'', ' ', '\t']).strip_prefix([':', '=']);
        let value = value.unwrap_or_default().trim_start_matches(['"', '\'', ' ', '\t', '#']);
        let end = value.find(|letter: char| !letter.is_ascii_hexdigit()).unwrap_or(value.len());
        let colour = u32::from_str_radix(&value[..end], 16).ok().filter(|_| end == 6);
        let wrong = || format!("has no colour `base0{number:X}` of six hexadecimal digits");
        scheme[number as usize] = Some(Rgb::from_hex(colour.ok_or_else(wrong)?));
    }
    if let Some(missing) = scheme.iter().position(Option::is_none) {
        return Err(format!("has no colour `base0{missing:X}`; a base16 file has base00 to base0F"));
    }
    Ok(scheme.map(|colour| colour.unwrap_or(BLACK)))
}

/// The colour of a scheme for a colour of the syntax theme.
pub(super) fn syntax_colour(scheme: &Scheme, wanted: Rgb) -> Rgb {
    let place = OCEAN.iter().position(|&ocean| Rgb::from_hex(ocean) == wanted);
    place.map_or(wanted, |place| scheme[place])
}

/// What the colours of a scheme are used for. Faint and strong backgrounds are mixed from the background and a hue.
fn palette(scheme: Scheme) -> Palette {
    let ground = scheme[0];
    let mixed = |hue: Rgb, percent: u16| {
        let mix = |ground: u8, hue: u8| {
            ((u16::from(ground) * (100 - percent) + u16::from(hue) * percent) / 100) as u8
        };
        Rgb(mix(ground.0, hue.0), mix(ground.1, hue.1), mix(ground.2, hue.2))
    };
    let extreme = if contrast(ground, WHITE) > contrast(ground, BLACK) { WHITE } else { BLACK };
    let on = |ground| TextOnGround { text: extreme, ground };
    Palette {
        text: scheme[5],
        quiet: scheme[3],
        accent: scheme[0xd],
        alarm: scheme[8],
        found: scheme[0xa],
        added: scheme[0xb],
        bar: scheme[0xd],
        heat: [scheme[3], scheme[0xd], scheme[0xa], scheme[9], scheme[8]],
        selected: on(mixed(scheme[0xd], 35)),
        duplicated: mixed(scheme[4], 12),
        copy: mixed(scheme[0xa], 12),
        current: mixed(scheme[0xd], 14),
        differs: on(mixed(scheme[0xb], 45)),
        differs_beside: on(mixed(scheme[8], 45)),
        syntax: EmbeddedThemeName::Base16OceanDark,
        scheme: Some(scheme),
        contrast: 4.5,
        grounds: [ground; 2],
    }
}

#[cfg(test)]
#[path = "base16/tests.rs"]
pub(super) mod tests;
