//! Hyperlinks to places (OSC 8), in the formats that ripgrep has: a terminal that knows them opens the file on a click.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::finding::Finding;
use crate::words::escaped;

/// Formats with a name.
const ALIASES: [(&str, &str); 11] = [
    ("cursor", "cursor://file{path}:{line}:{column}"),
    ("default", "file://{host}{path}"),
    ("file", "file://{host}{path}"),
    ("grep+", "grep+://{path}:{line}"),
    ("kitty", "file://{host}{path}#{line}"),
    ("macvim", "mvim://open?url=file://{path}&line={line}&column={column}"),
    ("none", ""),
    ("textmate", "txmt://open?url=file://{path}&line={line}&column={column}"),
    ("vscode", "vscode://file{path}:{line}:{column}"),
    ("vscode-insiders", "vscode-insiders://file{path}:{line}:{column}"),
    ("vscodium", "vscodium://file{path}:{line}:{column}"),
];

/// A format of hyperlinks; without parts there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HyperlinkFormat(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Path,
    Host,
    Line,
    Column,
}

/// Why a format cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum HyperlinkError {
    /// A name in braces stands for nothing.
    #[error("`{{{0}}}` stands for nothing; {{path}}, {{line}}, {{column}} and {{host}} do")]
    Unknown(String),
    /// A brace has no counterpart.
    #[error("a brace has no counterpart; write {{{{ or }}}} for a brace itself")]
    Brace,
    /// It names no file.
    #[error("it needs {{path}}; the names of formats are {}", names())]
    NoPath,
    /// A column needs its line.
    #[error("{{column}} needs {{line}}")]
    NoLine,
    /// It is no address.
    #[error("it must begin with a scheme, as in file:// or vscode://")]
    NoScheme,
}

fn names() -> String {
    ALIASES.map(|(name, _)| name).join(", ")
}

impl HyperlinkFormat {
    /// Whether there are links.
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// The names of the formats that have one, for a help text.
    pub fn help() -> String {
        names()
    }

    /// The address of a place in a file; the path is absolute.
    fn address(&self, path: &Path, line: u32, column: u32, host: &str) -> String {
        let mut address = String::new();
        for part in &self.0 {
            match part {
                Part::Text(text) => address.push_str(text),
                Part::Path => address.push_str(&escaped(path)),
                Part::Host => address.push_str(host),
                Part::Line => address.push_str(&line.to_string()),
                Part::Column => address.push_str(&column.to_string()),
            }
        }
        address
    }
}

impl FromStr for HyperlinkFormat {
    type Err = HyperlinkError;

    fn from_str(given: &str) -> Result<Self, HyperlinkError> {
        let known = ALIASES.iter().find(|(name, _)| *name == given);
        let mut rest = known.map_or(given, |(_, format)| format);
        if rest.is_empty() {
            return Ok(Self::default());
        }
        let (mut parts, mut text) = (Vec::new(), String::new());
        while let Some(character) = rest.chars().next() {
            rest = &rest[character.len_utf8()..];
            match character {
                '{' | '}' if rest.starts_with(character) => {
                    rest = &rest[1..];
                    text.push(character);
                }
                '}' => return Err(HyperlinkError::Brace),
                '{' => {
                    let (name, behind) = rest.split_once('}').ok_or(HyperlinkError::Brace)?;
                    let part = match name {
                        "path" => Part::Path,
                        "host" => Part::Host,
                        "line" => Part::Line,
                        "column" => Part::Column,
                        other => return Err(HyperlinkError::Unknown(other.to_owned())),
                    };
                    if !text.is_empty() {
                        parts.push(Part::Text(std::mem::take(&mut text)));
                    }
                    parts.push(part);
                    rest = behind;
                }
                // Nothing in an address may end the sequence that it stands in.
                ' ' | '\u{7f}'.. | '\0'..='\u{1f}' => {
                    text.push_str(&escaped(Path::new(&character.to_string())));
                }
                _ => text.push(character),
            }
        }
        if !text.is_empty() {
            parts.push(Part::Text(text));
        }
        let has = |part: &Part| parts.contains(part);
        let scheme = match parts.first() {
            Some(Part::Text(text)) => text.split_once(':').map_or("", |(scheme, _)| scheme),
            _ => "",
        };
        let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|one| one.is_ascii_alphanumeric() || "+-.".contains(one));
        if !has(&Part::Path) {
            Err(HyperlinkError::NoPath)
        } else if has(&Part::Column) && !has(&Part::Line) {
            Err(HyperlinkError::NoLine)
        } else if !is_scheme {
            Err(HyperlinkError::NoScheme)
        } else {
            Ok(Self(parts))
        }
    }
}

/// The links of a report: a format, and what it needs to know besides a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hyperlinks {
    /// The format.
    pub format: HyperlinkFormat,
    /// The folder of the corpus, absolute.
    pub base: PathBuf,
    /// The name of this machine, by which a terminal knows a file of another one.
    pub host: String,
}

/// The files of a row, by the names that people see.
pub(super) struct LinkedFiles<'a> {
    links: &'a Hyperlinks,
    files: HashMap<String, PathBuf>,
}

impl<'a> LinkedFiles<'a> {
    /// Those of a finding.
    pub(super) fn for_finding(links: &'a Hyperlinks, finding: &Finding) -> Self {
        let named = finding.places.iter().map(|place| (place.name(), links.base.join(place.path.file())));
        Self { links, files: named.collect() }
    }

    /// The sequence that begins a link to what a text begins with: the name of a file, and the numbers of its line and
    /// column behind it. `None` if it does not begin with the name of one.
    pub(super) fn begin(&self, text: &str) -> Option<String> {
        let ends = text.match_indices([':', ' ']).map(|(at, _)| at).chain([text.len()]);
        let ends: Vec<usize> = ends.collect();
        let (end, file) =
            ends.into_iter().rev().find_map(|end| Some((end, self.files.get(&text[..end])?)))?;
        let mut numbers =
            text[end..].split(|sign: char| !sign.is_ascii_digit()).filter(|digits| !digits.is_empty());
        let is_numbered = text[end..].starts_with(':');
        let line = numbers.next().and_then(|digits| digits.parse().ok()).filter(|_| is_numbered);
        // `path:line-line` has no column.
        let behind =
            text[end..].trim_start_matches(':').trim_start_matches(|sign: char| sign.is_ascii_digit());
        let column =
            numbers.next().and_then(|digits| digits.parse().ok()).filter(|_| behind.starts_with(':'));
        let Hyperlinks { format, host, .. } = self.links;
        let address = format.address(file, line.unwrap_or(1), column.unwrap_or(1), host);
        Some(format!("\u{1b}]8;;{address}\u{1b}\\"))
    }
}

/// The sequence that ends a link.
pub(super) const END: &str = "\u{1b}]8;;\u{1b}\\";

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    fn address(format: &str) -> String {
        let format: HyperlinkFormat = format.parse().unwrap();
        format.address(Path::new(OsStr::from_bytes(b"/a b/c:\xff\x1b")), 7, 3, "box")
    }

    #[test]
    fn a_format_has_a_name_or_is_written_out() {
        assert_eq!(address("file"), "file://box/a%20b/c%3A%FF%1B");
        assert_eq!(address("file"), address("default"));
        assert_eq!(address("vscode"), "vscode://file/a%20b/c%3A%FF%1B:7:3");
        assert_eq!(address("x-ed:{{{line}}}{path}"), "x-ed:{7}/a%20b/c%3A%FF%1B");
        assert_eq!(address("x:é \u{1b}{path}"), "x:%C3%A9%20%1B/a%20b/c%3A%FF%1B");
        for none in ["none", ""] {
            assert!(none.parse::<HyperlinkFormat>().unwrap().is_none());
        }
        for (name, _) in ALIASES {
            assert!(name.parse::<HyperlinkFormat>().is_ok(), "{name}");
        }
    }

    #[test]
    fn a_format_that_leads_nowhere_is_refused() {
        let refused = |given: &str| given.parse::<HyperlinkFormat>().unwrap_err();
        assert_eq!(refused("vscod"), HyperlinkError::NoPath);
        assert_eq!(refused("x:{path}:{column}"), HyperlinkError::NoLine);
        assert_eq!(refused("x:{file}"), HyperlinkError::Unknown("file".to_owned()));
        assert_eq!(
            (refused("x:{path"), refused("x:}{path}")),
            (HyperlinkError::Brace, HyperlinkError::Brace)
        );
        assert_eq!(
            (refused("{path}"), refused("1x:{path}")),
            (HyperlinkError::NoScheme, HyperlinkError::NoScheme)
        );
    }

    #[test]
    fn the_longest_name_of_a_file_is_linked_with_its_line_and_column() {
        let links = Hyperlinks { format: "vscode".parse().unwrap(), base: "/c".into(), host: String::new() };
        let files = ["a", "a b", "d:3"].map(|name| (name.to_owned(), Path::new("/c").join(name)));
        let files = LinkedFiles { links: &links, files: files.into() };
        let linked = |text: &str| {
            let begun = files.begin(text)?;
            Some(
                begun
                    .strip_prefix("\u{1b}]8;;vscode://file")
                    .unwrap()
                    .trim_end_matches("\u{1b}\\")
                    .to_owned(),
            )
        };
        for (text, expected) in [
            ("a:12:5", "/c/a:12:5"),
            ("a:12-20", "/c/a:12:1"),
            ("a:12:5-20:33 (97 %) in fn f()", "/c/a:12:5"),
            ("a b:4", "/c/a%20b:4:1"),
            ("a (97 %)", "/c/a:1:1"),
            ("d:3:9", "/c/d%3A3:9:1"),
        ] {
            assert_eq!(linked(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!((linked("and 7 more"), linked("b:3")), (None, None));
    }
}
