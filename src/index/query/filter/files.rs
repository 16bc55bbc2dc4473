//! Tests of a document's file: its path, its extension, its language.

use std::borrow::Cow;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::words::WordPattern;
use dupi_base::storage::{escape, spelled, unspelled};
use dupi_text::token::Language;

/// A test of the file of a document.
#[derive(Clone, Debug)]
pub enum FileTest {
    /// Words occur in its path.
    Named(WordPattern),
    /// Its path, or the path of a folder above it, matches.
    Path(PathPattern),
    /// It has one of these extensions, in lower case.
    Extension(Vec<String>),
    /// It is in one of these languages.
    Language(Vec<Language>),
}

impl FileTest {
    /// Whether a file passes. `text` is called only when the name of the file does not tell its language.
    pub fn holds(&self, path: &Path, text: &mut dyn FnMut() -> String) -> bool {
        match self {
            Self::Named(words) => words.matches_path(&spelled(path)),
            Self::Path(pattern) => pattern.matches(path),
            Self::Extension(wanted) => {
                let extension = spelled(path.extension().unwrap_or_default().as_ref());
                wanted.iter().any(|wanted| extension.eq_ignore_ascii_case(wanted))
            }
            Self::Language(wanted) => {
                let language = Language::detect(path, "").or_else(|| Language::detect(path, &text()));
                language.is_some_and(|language| wanted.contains(&language))
            }
        }
    }
}

/// A pattern for paths. A pattern without upper-case letters ignores case.
#[derive(Clone, Debug)]
pub enum PathPattern {
    /// Consecutive components of a path.
    Pieces {
        /// The components, joined by slashes.
        pieces: String,
        /// They must be the first components.
        from_the_base: bool,
        /// Case is ignored.
        folded: bool,
    },
    /// A glob in the syntax of `.gitignore`.
    Glob(GlobSet),
}

impl PathPattern {
    /// Reads a pattern; `Err` says what is wrong with it. It matches the printable spelling of paths and may contain the
    /// same escapes.
    pub fn parse(given: &str) -> Result<Self, String> {
        let is_plain = is_literal(given);
        let given =
            if is_plain { spelled(&unspelled(given.as_ref())).into_owned() } else { spelled_glob(given) };
        let folded = !given.chars().any(char::is_uppercase);
        let given = given.strip_prefix("./").unwrap_or(&given);
        let from_the_base = given.starts_with('/');
        let pattern = given.trim_matches('/');
        if is_plain {
            let pieces = if folded { pattern.to_lowercase() } else { pattern.to_owned() };
            return Ok(Self::Pieces { pieces, from_the_base, folded });
        }
        // A slash within it anchors it at the corpus's base. A folder that matches selects everything in it.
        let is_tied = from_the_base || pattern.contains('/');
        let pattern = if is_tied { pattern.to_owned() } else { format!("**/{pattern}") };
        let mut globs = GlobSetBuilder::new();
        for pattern in [format!("{pattern}/**"), pattern] {
            let mut glob = GlobBuilder::new(&pattern);
            let glob = glob.literal_separator(true).case_insensitive(folded).build();
            globs.add(glob.map_err(|error| error.kind().to_string())?);
        }
        globs.build().map(Self::Glob).map_err(|error| error.to_string())
    }

    /// Whether a path relative to the corpus's base matches.
    pub fn matches(&self, path: &Path) -> bool {
        match self {
            Self::Glob(globs) => globs.is_match(&*spelled(path)),
            // Everything is in the base.
            Self::Pieces { pieces, .. } if pieces.is_empty() => true,
            Self::Pieces { pieces, from_the_base, folded } => {
                let path = spelled(path);
                let path = if *folded { lower(path) } else { path };
                let is_whole = |at: usize| {
                    let (before, behind) = (&path[..at], &path[at + pieces.len()..]);
                    let begins = before.is_empty() || (!from_the_base && before.ends_with('/'));
                    begins && (behind.is_empty() || behind.starts_with('/'))
                };
                // Matches may overlap: `a/a` in `b/a/a/a`.
                let mut at = 0;
                while let Some(found) = path[at..].find(pieces.as_str()) {
                    if is_whole(at + found) {
                        return true;
                    }
                    at += found + path[at + found..].chars().next().map_or(1, char::len_utf8);
                    if at > path.len() {
                        return false;
                    }
                }
                false
            }
        }
    }
}

/// The characters with a special meaning in a glob.
const SPECIAL: [char; 7] = ['*', '?', '[', ']', '{', '}', '\\'];

/// Whether a pattern is a literal path, possibly with escapes.
fn is_literal(pattern: &str) -> bool {
    let mut rest = pattern;
    while let Some(at) = rest.find(SPECIAL) {
        if escape(&rest.as_bytes()[at..]).is_none() {
            return false;
        }
        rest = &rest[at + 1..];
    }
    true
}

/// The glob that matches a text literally.
pub(super) fn literally(text: &str) -> String {
    let mut pattern = String::new();
    for (at, character) in text.char_indices() {
        if SPECIAL.contains(&character) && escape(&text.as_bytes()[at..]).is_none() {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

/// Converts a glob to one for the printable spelling of paths: its literal parts are spelled in the same way.
pub fn spelled_glob(glob: &str) -> String {
    let mut pattern = String::new();
    // The literal bytes since the last special character.
    let mut bytes = Vec::new();
    let mut at = 0;
    let put = |bytes: &mut Vec<u8>, pattern: &mut String| {
        let path = PathBuf::from(OsString::from_vec(std::mem::take(bytes)));
        for character in spelled(&path).chars() {
            if SPECIAL.contains(&character) {
                pattern.push('\\');
            }
            pattern.push(character);
        }
    };
    while let Some(character) = glob[at..].chars().next() {
        let rest = &glob.as_bytes()[at..];
        at += match (character, escape(rest)) {
            (_, Some(byte)) => {
                bytes.push(byte);
                4
            }
            ('\\', _) if rest.starts_with(b"\\\\") => {
                bytes.push(b'\\');
                2
            }
            ('\\', _) => {
                put(&mut bytes, &mut pattern);
                let pair = 1 + glob[at + 1..].chars().next().map_or(0, char::len_utf8);
                pattern.push_str(&glob[at..at + pair]);
                pair
            }
            // Within a class every character is literal.
            ('[', _) if let Some(length) = class(&glob[at..]) => {
                put(&mut bytes, &mut pattern);
                pattern.push_str(&glob[at..at + length]);
                length
            }
            (sign, _) if SPECIAL.contains(&sign) => {
                put(&mut bytes, &mut pattern);
                pattern.push(sign);
                1
            }
            (other, _) => {
                bytes.extend_from_slice(&rest[..other.len_utf8()]);
                other.len_utf8()
            }
        };
    }
    put(&mut bytes, &mut pattern);
    pattern
}

/// The length in bytes of the character class that a glob begins with.
fn class(glob: &str) -> Option<usize> {
    let inner = glob.strip_prefix('[')?;
    let inner = inner.strip_prefix(['!', '^']).unwrap_or(inner);
    // A closing bracket in first position is a member of the class.
    let first = inner.chars().next()?.len_utf8();
    let end = inner[first..].find(']')?;
    Some(glob.len() - inner.len() + first + end + 1)
}

fn lower(path: Cow<'_, str>) -> Cow<'_, str> {
    if path.chars().any(char::is_uppercase) { path.to_lowercase().into() } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_is_no_text_is_meant_by_its_spelling() {
        let path = |bytes: &[u8]| PathBuf::from(OsString::from_vec(bytes.to_vec()));
        let names: [&[u8]; 6] =
            [b"a\xff", b"a\xfe", b"a\\xff", b"b/a\xff/c", "\u{202e}a\u{fffd}".as_bytes(), b"a\\\xff*"];
        for name in names.map(path) {
            let pattern = super::super::path_term(&name);
            let pattern = super::super::pieces::pieces(&pattern).next().unwrap();
            let super::super::pieces::Form::Named(_, value) = pattern.form else { panic!("{pattern:?}") };
            let pattern = PathPattern::parse(&value).unwrap();
            for other in names.map(path) {
                assert_eq!(pattern.matches(&other), name == other, "{value} {other:?}");
            }
        }
        for (pattern, bytes, is_meant) in [
            ("a\\xFF", &b"b/a\xff/c"[..], true),
            ("a\\x5cxff", b"b/a\\xff/c", true),
            ("*\\xff", b"a\xff", true),
            ("[a-c]\\xff", b"b\xff", true),
            ("[a-c]\\xff", b"b\xfe", false),
            ("{a,b}\\xff*", b"b\xff\xfe", true),
            ("a\\*b", b"a*b", true),
            ("a\\*b", b"acb", false),
        ] {
            assert_eq!(PathPattern::parse(pattern).unwrap().matches(&path(bytes)), is_meant, "{pattern}");
        }
    }

    #[test]
    fn a_text_is_only_asked_for_when_the_name_tells_no_language() {
        let python = FileTest::Language(vec![Language::from_name("Python").unwrap()]);
        assert!(python.holds(Path::new("a.py"), &mut || panic!("not asked")));
        assert!(!python.holds(Path::new("a.c"), &mut || panic!("not asked")));
        assert!(python.holds(Path::new("run"), &mut || "#!/usr/bin/python3".to_owned()));
        let extension = FileTest::Extension(vec!["c".into(), "h".into()]);
        assert!(extension.holds(Path::new("x/A.H"), &mut String::new));
        assert!(!extension.holds(Path::new("x/c"), &mut String::new));
    }
}
