//! Text that is read as white space, so that it neither divides a copy nor counts to its length: what some patterns match.
//!
//! The patterns are part of a recipe, which is copied freely; so is this handle. What it points to is made once for each
//! set of patterns and stays until the program ends: a process meets few.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use xxhash_rust::xxh3::xxh3_64;

/// The most memory of a compiled pattern, in bytes.
const LARGEST: usize = 4 << 20;

/// Text that is not read, by regular expressions; none by default.
#[derive(Clone, Copy, Default)]
pub struct IgnoredText(Option<&'static Patterns>);

/// Compiled patterns, sorted and without duplicates.
struct Patterns {
    sources: Vec<String>,
    compiled: Vec<Regex>,
}

/// A pattern that cannot be used: a sentence that says why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PatternError(String);

static KNOWN: Mutex<Vec<&'static Patterns>> = Mutex::new(Vec::new());

impl IgnoredText {
    /// What some patterns match, in whichever order they are given.
    ///
    /// # Errors
    /// When one is invalid, too large, or matches the empty text.
    pub fn new(patterns: &[String]) -> Result<Self, PatternError> {
        let mut sources = patterns.to_vec();
        sources.sort();
        sources.dedup();
        if sources.is_empty() {
            return Ok(Self(None));
        }
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.iter().find(|patterns| patterns.sources == sources) {
            return Ok(Self(Some(found)));
        }
        let compiled = sources.iter().map(|source| compiled(source)).collect::<Result<_, _>>()?;
        let made: &'static Patterns = Box::leak(Box::new(Patterns { sources, compiled }));
        known.push(made);
        Ok(Self(Some(made)))
    }

    /// Checks one pattern.
    ///
    /// # Errors
    /// When it is invalid, too large, or matches the empty text.
    pub fn check(pattern: &str) -> Result<(), PatternError> {
        compiled(pattern).map(drop)
    }

    /// Whether all text is read.
    pub fn is_none(&self) -> bool {
        self.0.is_none()
    }

    /// The patterns, sorted.
    pub fn patterns(&self) -> &'static [String] {
        self.0.map_or(&[], |patterns| &patterns.sources)
    }

    /// A fingerprint of the patterns.
    pub fn fingerprint(&self) -> u64 {
        let bytes = |pattern: &'static String| {
            (pattern.len() as u64).to_le_bytes().into_iter().chain(pattern.bytes())
        };
        xxh3_64(&self.patterns().iter().flat_map(bytes).collect::<Vec<u8>>())
    }

    /// A text as it is read: blanks are in the place of what matches, as many bytes, and line breaks stay. Each pattern is
    /// matched with the whole text. To find one match takes time linear in the text; a pattern that looks far ahead for
    /// each of many matches takes more.
    pub fn blanked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let Some(patterns) = self.0 else { return Cow::Borrowed(text) };
        let mut blanked: Option<Vec<u8>> = None;
        for found in patterns.compiled.iter().flat_map(|pattern| pattern.find_iter(text)) {
            let bytes = blanked.get_or_insert_with(|| text.as_bytes().to_vec());
            let is_break = |byte: u8| matches!(byte, b'\n' | b'\r');
            bytes[found.range()].iter_mut().filter(|byte| !is_break(**byte)).for_each(|byte| *byte = b' ');
        }
        match blanked.map(String::from_utf8) {
            // Whole characters are replaced, so it is text.
            Some(Ok(blanked)) => Cow::Owned(blanked),
            Some(Err(_)) | None => Cow::Borrowed(text),
        }
    }
}

/// A regular expression in which `^` and `$` are the bounds of a line.
fn compiled(pattern: &str) -> Result<Regex, PatternError> {
    let built = RegexBuilder::new(pattern).multi_line(true).size_limit(LARGEST).build();
    let compiled = built.map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => {
            PatternError(format!("`{pattern}` is too large; write smaller numbers of repetitions"))
        }
        error => {
            PatternError(format!("`{pattern}` is no regular expression: {}", reason(&error.to_string())))
        }
    })?;
    // In the middle of a text too, where no line begins or ends.
    if ["", "a", "\n", " "].into_iter().any(|text| compiled.find_iter(text).any(|found| found.is_empty())) {
        return Err(PatternError(format!(
            "`{pattern}` matches the empty text; write a pattern that needs a character, such as `.+` instead of `.*`"
        )));
    }
    Ok(compiled)
}

/// The last line of a message, which says what is wrong; those above show the pattern.
fn reason(message: &str) -> String {
    let line = message.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

impl PartialEq for IgnoredText {
    fn eq(&self, other: &Self) -> bool {
        self.patterns() == other.patterns()
    }
}

impl Eq for IgnoredText {}

impl fmt::Debug for IgnoredText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.patterns().fmt(f)
    }
}

impl Serialize for IgnoredText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.patterns().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for IgnoredText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(&Vec::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ignored(patterns: &[&str]) -> Result<IgnoredText, PatternError> {
        IgnoredText::new(&patterns.iter().map(|pattern| (*pattern).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn what_matches_is_blank_and_the_rest_stays_in_its_place() {
        let log = ignored(&[r"log\([^)]*\);", "é+"]).unwrap();
        assert_eq!(log.blanked("a; log(x, éé\n);\r\nbé;"), "a;            \n  \r\nb  ;");
        assert!(matches!(log.blanked("nothing of it"), Cow::Borrowed(_)));
        assert!(matches!(IgnoredText::default().blanked("log();"), Cow::Borrowed(_)));
        let lines = ignored(&["^#.*$"]).unwrap();
        assert_eq!(lines.blanked("# a\nb # c\n#d"), "   \nb # c\n  ");
    }

    #[test]
    fn patterns_are_a_set_that_is_written_and_read() {
        let (one, other) = (ignored(&["a", "b", "a"]).unwrap(), ignored(&["b", "a"]).unwrap());
        assert_eq!((one, one.fingerprint()), (other, other.fingerprint()));
        assert_ne!(one.fingerprint(), ignored(&["a, b"]).unwrap().fingerprint());
        assert_eq!(ignored(&[]).unwrap(), IgnoredText::default());
        let written = serde_json::to_string(&one).unwrap();
        assert_eq!(written, r#"["a","b"]"#);
        assert_eq!(serde_json::from_str::<IgnoredText>(&written).unwrap(), one);
        assert!(serde_json::from_str::<IgnoredText>(r#"["("]"#).is_err());
    }

    #[test]
    fn what_is_wrong_with_a_pattern_is_one_sentence() {
        let said = |pattern: &str| ignored(&[pattern]).unwrap_err().to_string();
        assert_eq!(said("log("), "`log(` is no regular expression: unclosed group");
        assert!(said(r"(a)\1").contains("backreferences are not supported"), "{}", said(r"(a)\1"));
        for empty in ["", "a*", "^", "$", r"\b", "(x|)", "^a?"] {
            assert!(said(empty).contains("matches the empty text"), "{empty}");
        }
        assert!(said("(a{1000}){1000}").contains("is too large"));
        for pattern in ["log(", "(a{1000}){1000}", "a*"] {
            assert!(!said(pattern).contains('\n'));
        }
    }

    proptest! {
        #[test]
        fn a_blanked_text_has_the_same_bytes_outside_of_matches(text in "[abé \n]{0,60}") {
            let pattern = Regex::new("b[^a]").unwrap();
            let blanked = ignored(&["b[^a]"]).unwrap().blanked(&text).into_owned();
            prop_assert_eq!(blanked.len(), text.len());
            let matched: Vec<_> = pattern.find_iter(&text).map(|found| found.range()).collect();
            for (at, (own, read)) in text.bytes().zip(blanked.bytes()).enumerate() {
                let expected = if matched.iter().any(|range| range.contains(&at)) && own != b'\n' { b' ' } else { own };
                prop_assert_eq!(read, expected);
            }
        }
    }
}
