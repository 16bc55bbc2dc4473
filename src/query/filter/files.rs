//! What is asked of a document's file: where it lies, its extension, its language.

use std::borrow::Cow;
use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::words::Words;
use crate::token::Language;

/// A question to the file of a document.
#[derive(Clone, Debug)]
pub enum FileTest {
    /// Words stand in its path.
    Named(Words),
    /// Its path matches, or that of a folder that it lies in.
    Path(PathPattern),
    /// It has one of these extensions, in lower case.
    Extension(Vec<String>),
    /// It is in one of these languages.
    Language(Vec<Language>),
}

impl FileTest {
    /// Whether a file is asked for. Its text is only asked for when its name tells no language.
    pub fn holds(&self, path: &Path, text: &mut dyn FnMut() -> String) -> bool {
        match self {
            Self::Named(words) => words.name(&path.to_string_lossy()),
            Self::Path(pattern) => pattern.matches(path),
            Self::Extension(wanted) => {
                let extension = path.extension().unwrap_or_default().to_string_lossy();
                wanted.iter().any(|wanted| extension.eq_ignore_ascii_case(wanted))
            }
            Self::Language(wanted) => {
                let language = Language::detect(path, "").or_else(|| Language::detect(path, &text()));
                language.is_some_and(|language| wanted.contains(&language))
            }
        }
    }
}

/// Which paths are meant. A pattern without upper-case letters has no regard to case.
#[derive(Clone, Debug)]
pub enum PathPattern {
    /// Pieces of a path that follow each other.
    Pieces {
        /// The pieces, joined by slashes.
        pieces: String,
        /// They are the first ones.
        from_the_base: bool,
        /// Whatever their case.
        folded: bool,
    },
    /// As `.gitignore` has them.
    Glob(GlobSet),
}

impl PathPattern {
    /// Reads a pattern; `Err` says what is wrong with it.
    pub fn parse(given: &str) -> Result<Self, String> {
        let folded = !given.chars().any(char::is_uppercase);
        let given = given.strip_prefix("./").unwrap_or(given);
        let from_the_base = given.starts_with('/');
        let pattern = given.trim_matches('/');
        if !pattern.contains(['*', '?', '[', ']', '{', '}', '\\']) {
            let pieces = if folded { pattern.to_lowercase() } else { pattern.to_owned() };
            return Ok(Self::Pieces { pieces, from_the_base, folded });
        }
        // A slash within it ties it to the corpus's base; what matches a folder holds for all in it.
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

    /// Whether a path relative to the corpus's base is meant.
    pub fn matches(&self, path: &Path) -> bool {
        match self {
            Self::Glob(globs) => globs.is_match(path),
            // All lies in the base itself.
            Self::Pieces { pieces, .. } if pieces.is_empty() => true,
            Self::Pieces { pieces, from_the_base, folded } => {
                let path = path.to_string_lossy();
                let path = if *folded { lower(path) } else { path };
                let is_whole = |at: usize| {
                    let (before, behind) = (&path[..at], &path[at + pieces.len()..]);
                    let begins = before.is_empty() || (!from_the_base && before.ends_with('/'));
                    begins && (behind.is_empty() || behind.starts_with('/'))
                };
                // One piece may overlap the next: `a/a` in `b/a/a/a`.
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

fn lower(path: Cow<'_, str>) -> Cow<'_, str> {
    if path.chars().any(char::is_uppercase) { path.to_lowercase().into() } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        PathPattern::parse(pattern).unwrap().matches(Path::new(path))
    }

    #[test]
    fn a_plain_name_means_a_piece_of_the_path() {
        for (pattern, path) in [
            ("vendor", "a/vendor/b.c"),
            ("vendor", "Vendor/b.c"),
            ("b.c", "a/b.c"),
            ("a/b", "x/a/b/c"),
            ("a/a", "b/ca/a/a/d"),
            ("src/", "src/x"),
            ("/src", "src/x"),
            ("./src", "src/x"),
            ("/", "src/x"),
            ("./", "x"),
        ] {
            assert!(matches(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("vendor", "vendors/b.c"),
            ("Vendor", "vendor/b.c"),
            ("/src", "a/src/x"),
            ("a/b", "a/bc"),
            ("é", "aé/b"),
        ] {
            assert!(!matches(pattern, path), "{pattern} {path}");
        }
    }

    #[test]
    fn globs_are_those_of_gitignore() {
        for (pattern, path) in [
            ("src/**", "src/a/b.c"),
            ("*.c", "a/b.c"),
            ("a/*", "a/b/c"),
            ("**/test*", "x/tests/y"),
            ("{fs,mm}/*.c", "mm/slab.c"),
            ("/*.md", "README.md"),
        ] {
            assert!(matches(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in
            [("src/**", "a/src/b"), ("a/*.c", "a/b/c.c"), ("/*.c", "a/b.c"), ("*.C", "b.c")]
        {
            assert!(!matches(pattern, path), "{pattern} {path}");
        }
        assert!(PathPattern::parse("a[").unwrap_err().contains("class"));
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
