use super::*;

/// Two schemes, one in each form: dark and light.
pub(crate) const GRUVBOX: &str = "system: \"base16\"\nname: \"Gruvbox dark\"\npalette:\n  base00: \"#282828\" # ground\n  base01: \"#3c3836\"\n  base02: \"#504945\"\n  base03: \"#665c54\"\n  base04: \"#bdae93\"\n  base05: \"#d5c4a1\"\n  base06: \"#ebdbb2\"\n  base07: \"#fbf1c7\"\n  base08: \"#fb4934\"\n  base09: \"#fe8019\"\n  base0A: \"#fabd2f\"\n  base0B: \"#b8bb26\"\n  base0C: \"#8ec07c\"\n  base0D: \"#83a598\"\n  base0E: \"#d3869b\"\n  base0F: \"#d65d0e\"\n";
pub(crate) const SOLARIZED: &str = "[palette]\nbase00 = \"fdf6e3\"\nbase01 = \"eee8d5\"\nbase02 = \"93a1a1\"\nbase03 = \"839496\"\nbase04 = \"657b83\"\nbase05 = \"586e75\"\nbase06 = \"073642\"\nbase07 = \"002b36\"\nbase08 = \"dc322f\"\nbase09 = \"cb4b16\"\nbase0a = \"b58900\"\nbase0b = \"859900\"\nbase0c = \"2aa198\"\nbase0d = \"268bd2\"\nbase0e = \"6c71c4\"\nbase0f = \"d33682\"\n";

pub(crate) fn of(text: &str) -> Palette {
    palette(parse(text).unwrap())
}

#[test]
fn yaml_and_toml_have_the_same_colours_in_other_words() {
    let as_toml = GRUVBOX.replace(": \"#", " = \"#").replace("palette:", "[palette]");
    assert_eq!(parse(GRUVBOX), parse(&as_toml));
    assert_eq!(parse(GRUVBOX).unwrap()[0xf], Rgb(0xd6, 0x5d, 0x0e));
    assert_eq!(parse(SOLARIZED).unwrap()[0], Rgb(0xfd, 0xf6, 0xe3));
}

#[test]
fn what_is_missing_or_wrong_is_named() {
    let wrong = |from: &str, to: &str| parse(&GRUVBOX.replace(from, to)).unwrap_err();
    assert!(wrong("base0B", "based").contains("no colour `base0B`; a base16 file"));
    assert!(wrong("#b8bb26", "green").contains("no colour `base0B` of six"));
    assert!(read(Path::new("/no/such.yaml")).unwrap_err().starts_with("cannot read the theme /no/such.yaml"));
}

#[test]
fn syntax_colours_are_those_of_the_scheme() {
    let scheme = parse(GRUVBOX).unwrap();
    let keyword = Rgb(0xb4, 0x8e, 0xad);
    assert_eq!(syntax_colour(&scheme, keyword), scheme[0xe]);
    let themes = two_face::theme::extra();
    let used = themes.get(EmbeddedThemeName::Base16OceanDark).scopes.iter();
    let used: Vec<Rgb> = used
        .filter_map(|item| item.style.foreground)
        .map(|colour| Rgb(colour.r, colour.g, colour.b))
        .collect();
    let known = |of: &&Rgb| OCEAN.iter().any(|&ocean| Rgb::from_hex(ocean) == **of);
    let foreign: Vec<&Rgb> = used.iter().filter(|of| !known(of)).collect();
    assert!(foreign.len() * 8 <= used.len(), "of {} colours of the syntax theme {foreign:?}", used.len());
}
