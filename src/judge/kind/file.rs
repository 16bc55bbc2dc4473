//! A file in which passages stand. What the rules ask of it is found out once for all its passages.

use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

use super::scan::has;
use super::signs_of_generators::says_generated_in;
use super::words::{BINDINGS, BUNDLES, RECORDS, SETTINGS, TAGGED, TESTS};
use dupi_text::token::Language;

/// So much of the head of a file is read.
const HEAD: usize = 1024;

/// What the head of a document says of all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct HeadSigns {
    /// That a program wrote it.
    pub is_generated: bool,
    /// Something about tests.
    pub names_tests: bool,
}

impl HeadSigns {
    /// Looks at the head of a text.
    pub fn of(text: &str) -> Self {
        let head = head(text);
        Self { is_generated: says_generated_in(head), names_tests: has(head, "test") }
    }

    /// What the head of a text says, as flags that a search keeps of the document.
    pub fn flags_of(text: &str) -> u8 {
        Self::of(text).flags()
    }

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
}

/// A file in which passages stand.
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
    says_generated: OnceLock<bool>,
    says_test: OnceLock<bool>,
    lies_with_tests: OnceLock<bool>,
    begins_bundle: OnceLock<bool>,
    bindings: OnceLock<Bindings>,
}

impl<'t> SampleFile<'t> {
    /// A file with a text, of which the head is looked at.
    pub fn new(path: &'t Path, text: &'t str, language: Option<Language>) -> Self {
        Self {
            path,
            head: head(text),
            language,
            tongue: Tongue::of(language, text),
            name: OnceLock::new(),
            says_generated: OnceLock::new(),
            says_test: OnceLock::new(),
            lies_with_tests: OnceLock::new(),
            begins_bundle: OnceLock::new(),
            bindings: OnceLock::new(),
        }
    }

    /// Its name in small letters.
    pub(super) fn name(&self) -> &str {
        let name = || self.path.file_name().map(|name| name.to_string_lossy().to_lowercase());
        self.name.get_or_init(|| name().unwrap_or_default())
    }

    /// Whether its head says that a program wrote it.
    pub(super) fn says_generated(&self) -> bool {
        *self.says_generated.get_or_init(|| says_generated_in(self.head))
    }

    /// Whether its head speaks of tests.
    pub(super) fn says_test(&self) -> bool {
        *self.says_test.get_or_init(|| has(self.head, "test"))
    }

    /// Whether its head is that of a bundle.
    pub(super) fn begins_bundle(&self) -> bool {
        *self.begins_bundle.get_or_init(|| is_bundled(self.head))
    }

    /// Whether a part of the path has a word for tests.
    pub(super) fn lies_with_tests(&self) -> bool {
        *self.lies_with_tests.get_or_init(|| lies_with_tests(self.path))
    }

    /// What it has of bindings to a system.
    pub(super) fn bindings(&self) -> &Bindings {
        self.bindings.get_or_init(|| {
            let is_package = |part: &str| part.ends_with("-sys") || part.contains("bindings");
            Bindings {
                is_package: self.path.iter().any(|part| is_package(&part.to_string_lossy())),
                in_head: BINDINGS.map(|sign| has(self.head, sign)),
            }
        })
    }
}

impl fmt::Debug for SampleFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, language, .. } = self;
        f.debug_struct("SampleFile").field("path", path).field("language", language).finish_non_exhaustive()
    }
}

/// The head of a text.
fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(HEAD)]
}

/// Whether a part of a path has a word for tests.
pub(super) fn lies_with_tests(path: &Path) -> bool {
    let is_word = |part: &str| {
        let mut words = part.split(|c: char| !c.is_ascii_alphabetic());
        words.any(|word| TESTS.contains(&word))
    };
    path.iter().any(|part| is_word(&part.to_string_lossy().to_lowercase()))
}

/// Whether a file is named as licences are: `COPYING.GPLv3`, `LICENSE-MIT`.
pub(super) fn is_named_as_licence(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let word = name.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    ["copying", "license", "licence", "unlicense"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Whether a text has two of the names that bundlers use.
pub(super) fn is_bundled(text: &str) -> bool {
    BUNDLES.iter().filter(|name| has(text, name)).count() > 1
}

/// What a file has of bindings to a system.
pub(super) struct Bindings {
    /// Whether a part of its path is named as packages of bindings are.
    pub(super) is_package: bool,
    /// Which of the signs its head has.
    pub(super) in_head: [bool; BINDINGS.len()],
}

/// What the rules ask of a language.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tongue {
    /// Source code.
    pub(super) is_source: bool,
    /// Tags.
    pub(super) is_tagged: bool,
    /// Data.
    pub(super) is_records: bool,
    /// Settings.
    pub(super) is_settings: bool,
    /// YAML.
    pub(super) is_yaml: bool,
    /// JavaScript.
    pub(super) is_javascript: bool,
}

impl Tongue {
    /// Of a file without a known language its first bytes tell whether it has tags.
    fn of(language: Option<Language>, text: &str) -> Self {
        let begins = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let has_tags = |sign: &&str| begins.get(..sign.len()).is_some_and(|s| s.eq_ignore_ascii_case(sign));
        let Some(language) = language else {
            return Self {
                is_tagged: ["<?xml", "<!doctype", "<html"].iter().any(has_tags),
                ..Self::default()
            };
        };
        let name = language.name();
        // An ending may stand for two languages, as `.ts` does for code and for catalogues of messages.
        if language.is_source() && has_tags(&"<?xml") && !TAGGED.contains(&name) {
            return Self { is_tagged: true, ..Self::default() };
        }
        Self {
            is_source: language.is_source(),
            is_tagged: TAGGED.contains(&name),
            is_records: is_records(language),
            is_settings: SETTINGS.contains(&name),
            is_yaml: name == "YAML",
            is_javascript: name == "JavaScript",
        }
    }
}

/// Whether a language holds data.
pub(super) fn is_records(language: Language) -> bool {
    RECORDS.contains(&language.name())
}
