//! A file in which passages stand. What the rules ask of it is found out once for all its passages.

use std::path::Path;
use std::sync::OnceLock;

use super::written::{SOURCE, written};
use dupi_text::token::Language;

/// The bytes of the head of a file.
const HEAD: usize = 1024;

// The conditions of the table for which the program asks by name.
pub(super) const GENERATED: &str = "says that it is generated";
pub(super) const NAMES_TESTS: &str = "speaks of tests";
pub(super) const WITH_TESTS: &str = "lies with tests";
pub(super) const LICENCE: &str = "is a licence";
pub(super) const RIGHTS: &str = "is about rights";
pub(super) const SNAPSHOT: &str = "is a snapshot";

/// What the head of a document says of all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct HeadSigns {
    /// That a program wrote it.
    pub is_generated: bool,
    /// Something about tests.
    pub names_tests: bool,
}

impl HeadSigns {
    /// What it says, as these flags.
    pub fn flags(self) -> u8 {
        u8::from(self.names_tests) << 1 | u8::from(self.is_generated)
    }

    /// What these flags say.
    pub fn from_flags(flags: u8) -> Self {
        Self { is_generated: flags & 1 > 0, names_tests: flags & 2 > 0 }
    }
}

/// What is true of a file as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileSigns {
    /// What its head says.
    pub head: HeadSigns,
    /// Whether a part of its path has a word for tests.
    pub lies_with_tests: bool,
    /// Whether it is named as licences are.
    pub is_licence: bool,
    /// Whether by its name all of it tells who has which rights.
    pub is_about_rights: bool,
}

/// A file in which passages stand.
#[derive(Debug)]
pub struct SampleFile<'t> {
    /// Where it lies.
    pub(super) path: &'t Path,
    /// How it begins.
    pub(super) head: &'t str,
    /// Its language, be it source code, markup or data.
    pub(super) language: Option<Language>,
    /// What the rules ask of its language.
    pub(super) tongue: Tongue,
    name: OnceLock<String>,
    whole_path: OnceLock<String>,
    /// Which conditions of the table it meets.
    met: Vec<OnceLock<bool>>,
}

impl<'t> SampleFile<'t> {
    /// A file with a text, of which the head is looked at.
    pub fn new(path: &'t Path, text: &'t str, language: Option<Language>) -> Self {
        Self {
            path,
            head: &text[..text.floor_char_boundary(HEAD)],
            language,
            tongue: Tongue::detect(language, text),
            name: OnceLock::new(),
            whole_path: OnceLock::new(),
            met: vec![OnceLock::new(); written().file.len()],
        }
    }

    /// Its name in small letters.
    pub(super) fn name(&self) -> &str {
        let name = || self.path.file_name().map(|name| name.to_string_lossy().to_lowercase());
        self.name.get_or_init(|| name().unwrap_or_default())
    }

    /// Its path as text.
    pub(super) fn whole_path(&self) -> &str {
        self.whole_path.get_or_init(|| self.path.as_os_str().to_string_lossy().into_owned())
    }

    /// Whether it meets the condition of the table with a number, which is asked once.
    pub(super) fn once(&self, condition: usize, is_met: impl FnOnce() -> bool) -> bool {
        *self.met[condition].get_or_init(is_met)
    }
}

/// What the rules ask of a language.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tongue {
    /// Source code.
    pub(super) is_source: bool,
    /// The classes of the table that it belongs to, by bits.
    pub(super) classes: u32,
    /// The language, unless the text says that it is another one.
    pub(super) language: Option<Language>,
}

impl Tongue {
    /// Of a file without a known language its first bytes tell whether it has tags.
    fn detect(language: Option<Language>, text: &str) -> Self {
        let begins = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let has_tags = |sign: &&str| begins.get(..sign.len()).is_some_and(|s| s.eq_ignore_ascii_case(sign));
        let table = written();
        let tags = table.class("tags").unwrap_or(0);
        let Some(language) = language else {
            let is_tagged = ["<?xml", "<!doctype", "<html"].iter().any(has_tags);
            return Self { classes: if is_tagged { tags } else { 0 }, ..Self::default() };
        };
        let classes = table.classes_of(language);
        // An ending may stand for two languages, as `.ts` does for code and for catalogues of messages.
        if language.is_source() && classes & tags == 0 && has_tags(&"<?xml") {
            return Self { classes: tags, ..Self::default() };
        }
        Self { is_source: classes & SOURCE != 0, classes, language: Some(language) }
    }
}

/// Whether a language holds data.
pub(super) fn is_records(language: Language) -> bool {
    written().class("records").is_some_and(|records| written().classes_of(language) & records != 0)
}
