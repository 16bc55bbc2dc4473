//! Paths and document text in a form that is safe to print.
//!
//! A path is a sequence of bytes. [`spelled`] encodes it as text without loss: bytes that are not UTF-8 become
//! `\xff`, and a backslash that would read as the beginning of such an escape becomes `\x5c`. All other paths stay
//! unchanged, and no two paths have the same spelling. [`shown`] is for people: it also escapes characters that a
//! terminal would interpret or not display. [`unspelled`] decodes both.
//!
//! Document text is printed through [`printable`] or [`one_line`], which replace control characters by visible
//! symbols. All output for people goes through one of these functions; `tests/it/printed.rs` checks the printed
//! bytes, and `tests/it/architecture.rs` the source.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fmt::{self, Display, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// A path as text, without loss. This is the form in JSON.
pub fn spelled(path: &Path) -> Cow<'_, str> {
    let bytes = path.as_os_str().as_bytes();
    match path.to_str() {
        Some(text) if !has_escape(bytes) => text.into(),
        _ => spell(bytes, |_| false).into(),
    }
}

/// A path for people: safe for a terminal, in one line, and without loss too.
pub fn shown<P: AsRef<OsStr> + ?Sized>(path: &P) -> Shown<'_> {
    Shown(path.as_ref())
}

/// A path that is displayed by [`shown`].
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a>(&'a OsStr);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}

impl<'a> Shown<'a> {
    /// The escaped text.
    pub fn text(self) -> Cow<'a, str> {
        let bytes = self.0.as_bytes();
        match self.0.to_str() {
            Some(text) if !has_escape(bytes) && !text.chars().any(is_harmful) => text.into(),
            _ => spell(bytes, is_harmful).into(),
        }
    }
}

/// A spelling made by [`spelled`], for people: harmful characters are escaped too.
pub fn shown_spelling(spelling: &str) -> Cow<'_, str> {
    if !spelling.chars().any(is_harmful) {
        return spelling.into();
    }
    let mut text = String::with_capacity(spelling.len() + 8);
    spelling.chars().for_each(|character| push(&mut text, character, is_harmful));
    text.into()
}

/// Decodes a spelling to the path that it was made from.
pub fn unspelled(spelling: &OsStr) -> PathBuf {
    let bytes = spelling.as_bytes();
    let mut path = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escaped = escape(&bytes[at..]);
        path.push(escaped.unwrap_or(byte));
        at += if escaped.is_some() { ESCAPE } else { 1 };
    }
    OsString::from_vec(path).into()
}

/// The path that a user typed or pasted. Escapes are decoded, unless only a file with the literal name exists.
pub fn typed_path(given: &OsStr) -> PathBuf {
    let path = unspelled(given);
    let is_there = |path: &Path| path.symlink_metadata().is_ok();
    let given = Path::new(given);
    if path != given && !is_there(&path) && is_there(given) { given.to_owned() } else { path }
}

/// The length of an escape such as `\xff`.
const ESCAPE: usize = 4;

/// The byte that an escape at the beginning stands for. `\x00` is no escape, because no path has a NUL.
pub fn escape(bytes: &[u8]) -> Option<u8> {
    let [b'\\', b'x', high, low, ..] = bytes else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let byte = digit(*high)? * 16 + digit(*low)?;
    (byte > 0).then_some(byte as u8)
}

fn has_escape(bytes: &[u8]) -> bool {
    bytes.windows(ESCAPE).any(|window| escape(window).is_some())
}

/// Escapes bytes that are not UTF-8, backslashes that would read as an escape, and the characters that `escaped`
/// picks.
fn spell(bytes: &[u8], escaped: impl Fn(char) -> bool + Copy) -> String {
    let mut text = String::with_capacity(bytes.len() + 16);
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            let is_escape = character == '\\' && escape(&bytes[at..]).is_some();
            push(&mut text, character, |character| is_escape || escaped(character));
            at += character.len_utf8();
        }
        chunk.invalid().iter().for_each(|&byte| push_byte(&mut text, byte));
        at += chunk.invalid().len();
    }
    text
}

fn push(text: &mut String, character: char, escaped: impl Fn(char) -> bool) {
    if escaped(character) {
        character.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| push_byte(text, byte));
    } else {
        text.push(character);
    }
}

fn push_byte(text: &mut String, byte: u8) {
    // Writing to a string cannot fail.
    let _ = write!(text, "\\x{byte:02x}");
}

/// Text in one line: white space collapsed, control characters replaced by symbols, cut after `limit` characters.
pub fn one_line(text: &str, limit: usize) -> String {
    let mut line = String::new();
    for (number, word) in text.split_whitespace().enumerate() {
        if number > 0 {
            line.push(' ');
        }
        line.extend(word.chars().map(picture));
        if line.chars().count() > limit {
            line = line.chars().take(limit.saturating_sub(1)).collect();
            line.push('…');
            break;
        }
    }
    line
}

/// Text for a terminal: line breaks and tabs stay, other control characters are replaced by symbols.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|character| if matches!(character, '\n' | '\t') { character } else { picture(character) })
        .collect()
}

/// Text in which no line commands a workflow run. GitHub reads lines that begin with `::` behind any blanks, and it and Azure
/// Pipelines read `##[` and `##vso[` anywhere. There `colon` stands for the first `:`, and `hash` for the second `#`.
pub fn without_commands<'t>(text: &'t str, colon: &str, hash: &str) -> Cow<'t, str> {
    if !text.contains("::") && !text.contains("##") {
        return text.into();
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for line in text.split_inclusive(['\n', '\r']) {
        let rest = line.trim_start();
        safe.push_str(&line[..line.len() - rest.len()]);
        let rest = match rest.strip_prefix("::") {
            Some(rest) => {
                safe.push_str(colon);
                safe.push(':');
                rest
            }
            None => rest,
        };
        let rest = rest.replace("##[", &format!("#{hash}[")).replace("##vso[", &format!("#{hash}vso["));
        safe.push_str(&rest);
    }
    safe.into()
}

/// The same for people: the character is escaped, as in a path that is [`shown`].
pub fn uncommanded(text: &str) -> Cow<'_, str> {
    without_commands(text, r"\x3a", r"\x23")
}

/// Whether a terminal interprets a character or does not display it: control characters, bidirectional controls,
/// zero-width characters and tags.
pub fn is_harmful(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// The character itself, or a symbol where it is harmful.
fn picture(character: char) -> char {
    match character {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        _ if is_harmful(character) => '\u{fffd}',
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn path(bytes: &[u8]) -> PathBuf {
        OsString::from_vec(bytes.to_vec()).into()
    }

    #[test]
    fn no_line_commands_a_workflow_run() {
        for (text, safe) in [
            ("a::b # ## [ ##vs", "a::b # ## [ ##vs"),
            ("::error::x", r"\x3a:error::x"),
            ("a\n \t::x\n\n:::", "a\n \t\\x3a:x\n\n\\x3a::"),
            ("a ##[error]x ###[y", r"a #\x23[error]x ##\x23[y"),
            ("##vso[task.x]", r"#\x23vso[task.x]"),
            ("a\r::x", "a\r\\x3a:x"),
        ] {
            assert_eq!(uncommanded(text), safe);
            assert_eq!(uncommanded(safe), safe);
        }
        assert_eq!(unspelled(uncommanded("::a##[b").as_ref().as_ref()), Path::new("::a##[b"));
    }

    #[test]
    fn text_is_spelled_as_it_is_and_the_rest_is_escaped() {
        for (bytes, exact, seen) in [
            (&b"a/b c.txt"[..], "a/b c.txt", "a/b c.txt"),
            ("Gr\u{fc}n \u{5e9}".as_bytes(), "Gr\u{fc}n \u{5e9}", "Gr\u{fc}n \u{5e9}"),
            (b"a\\b\\xyz", "a\\b\\xyz", "a\\b\\xyz"),
            (b"a\xff\xfe", "a\\xff\\xfe", "a\\xff\\xfe"),
            (b"a\\xff", "a\\x5cxff", "a\\x5cxff"),
            (b"\x1b]52;c;\x07", "\u{1b}]52;c;\u{7}", "\\x1b]52;c;\\x07"),
            (b"two\nlines\t\r", "two\nlines\t\r", "two\\x0alines\\x09\\x0d"),
            ("\u{202e}x".as_bytes(), "\u{202e}x", "\\xe2\\x80\\xaex"),
            (b"\\\xff", "\\\\xff", "\\\\xff"),
        ] {
            let path = path(bytes);
            assert_eq!((&*spelled(&path), &*shown(&path).text()), (exact, seen));
            assert_eq!(shown_spelling(exact), seen);
            assert_eq!(unspelled(exact.as_ref()), path);
            assert_eq!(unspelled(seen.as_ref()), path);
        }
    }

    #[test]
    fn what_somebody_means_is_what_it_spells_or_else_the_name_itself() {
        let place = tempfile::tempdir().unwrap();
        let (bytes, name) = (place.path().join(path(b"a\xff")), place.path().join("a\\xff"));
        assert_eq!(typed_path(name.as_os_str()), bytes, "neither is there");
        std::fs::write(&name, "").unwrap();
        assert_eq!(typed_path(name.as_os_str()), name);
        std::fs::write(&bytes, "").unwrap();
        assert_eq!(typed_path(name.as_os_str()), bytes);
        assert_eq!(typed_path(bytes.as_os_str()), bytes);
        assert_eq!(typed_path(OsStr::new(&*spelled(&name))), name);
    }

    #[test]
    fn a_line_is_folded_cut_and_harmless() {
        assert_eq!(one_line(" a\n\t b\u{1b}[31m ", 80), "a b␛[31m");
        assert_eq!(one_line("abcdef ghi", 5), "abcd…");
        assert_eq!(printable("a\tb\n\u{7}\u{202e}\u{9b}\u{ad}"), "a\tb\n␇\u{fffd}\u{fffd}\u{fffd}");
    }

    proptest! {
        #[test]
        fn every_path_comes_back_from_text_that_only_it_has(
            bytes in r"(\\|x|5|c|f|[0-9]|[\x01-\xff]|é|\x1b|\u{202e}){0,12}".prop_map(String::into_bytes),
            cut in 0_usize..12,
        ) {
            // Cut anywhere, also inside a character.
            let path = path(&bytes[cut.min(bytes.len())..]);
            let (exact, seen) = (spelled(&path).into_owned(), shown(&path).to_string());
            prop_assert_eq!(&unspelled(exact.as_ref()), &path);
            prop_assert_eq!(&unspelled(seen.as_ref()), &path);
            prop_assert_eq!(&*shown_spelling(&exact), &seen);
            prop_assert!(!seen.chars().any(is_harmful));
        }
    }
}
