//! What a terminal sends for a key, in the way of xterm.

/// The bytes of a key: `j`, `Enter`, `Down`, `F1`, `Ctrl-r`, `Alt-x`, `Space`.
pub fn bytes(name: &str) -> String {
    if let Some(key) = name.strip_prefix("Alt-") {
        return format!("\u{1b}{}", bytes(key));
    }
    if let Some(key) = name.strip_prefix("Ctrl-") {
        return char::from(key.as_bytes()[0] & 0x1f).to_string();
    }
    let bytes = match name {
        "Enter" => "\r",
        "Esc" => "\u{1b}",
        "Tab" => "\t",
        "BackTab" | "Shift-Tab" => "\u{1b}[Z",
        "Space" => " ",
        "Backspace" => "\u{7f}",
        "Up" => "\u{1b}[A",
        "Down" => "\u{1b}[B",
        "Right" => "\u{1b}[C",
        "Left" => "\u{1b}[D",
        "Home" => "\u{1b}[H",
        "End" => "\u{1b}[F",
        "Insert" => "\u{1b}[2~",
        "Del" => "\u{1b}[3~",
        "PgUp" => "\u{1b}[5~",
        "PgDn" => "\u{1b}[6~",
        "F1" => "\u{1b}OP",
        "F2" => "\u{1b}OQ",
        "F3" => "\u{1b}OR",
        "F4" => "\u{1b}OS",
        "F5" => "\u{1b}[15~",
        "F6" => "\u{1b}[17~",
        "F7" => "\u{1b}[18~",
        "F8" => "\u{1b}[19~",
        "F9" => "\u{1b}[20~",
        "F10" => "\u{1b}[21~",
        "F11" => "\u{1b}[23~",
        "F12" => "\u{1b}[24~",
        character => {
            assert_eq!(character.chars().count(), 1, "no key is called {name}");
            character
        }
    };
    bytes.to_owned()
}
