//! Programming languages: detection of a document's language, and which languages count as source code. Their
//! definitions are in [`table`].

mod table;

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::EmbeddedBy;
use super::syntax::{Rule, Syntax};
use table::{LanguageDefinition, LanguageTable};

/// A language of source code, markup or data: its number in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(u16);

impl Language {
    /// The language of a document, by its file name, or else by the interpreter in its first line.
    pub fn detect(path: &Path, text: &str) -> Option<Self> {
        by_name(path).or_else(|| by_shebang(text)).map(Self)
    }

    /// The language with this name, as [`Language::name`] gives it.
    pub fn from_name(name: &str) -> Option<Self> {
        static NAMES: LazyLock<HashMap<&str, Language>> =
            LazyLock::new(|| Language::all().map(|language| (language.name(), language)).collect());
        NAMES.get(name).copied()
    }

    /// The language with this name in any case, or with this file extension.
    pub fn from_name_or_extension(given: &str) -> Option<Self> {
        let by_name = Self::all().find(|language| language.name().eq_ignore_ascii_case(given));
        by_name.or_else(|| Self::detect(Path::new(&format!("x.{given}")), ""))
    }

    /// All known languages.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..LanguageTable::get().rows.len() as u16).map(Self)
    }

    /// The name, as shown and as stored in files.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether it is read as code. Prose and markup (Markdown, reStructuredText, TeX, HTML …) are not, nor are
    /// formats that mostly carry text or data (XML, JSON, translations, hex dumps): there people compare words.
    /// Configuration (YAML, TOML, INI) is code: its keys are case-sensitive and it has comments.
    pub fn is_source(self) -> bool {
        !self.row().is_text
    }

    /// What opens and closes a comment that may have several lines.
    pub(super) fn block_comments(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.row().rules.iter().filter_map(|rule| match rule {
            Rule::Block { open, close, .. } => Some((*open, *close)),
            _ => None,
        })
    }

    /// What embeds other languages in documents of this one.
    pub(super) fn embeds(self) -> Option<EmbeddedBy> {
        self.row().embeds
    }

    /// Its number in the table.
    pub(super) fn number(self) -> u16 {
        self.0
    }

    /// The language with this number.
    pub(super) fn of_number(number: u16) -> Option<Self> {
        Self::all().nth(usize::from(number))
    }

    fn row(self) -> &'static LanguageDefinition {
        &LanguageTable::get().rows[usize::from(self.0)]
    }

    /// The syntax of a language, or the plain syntax without one. Each is compiled once a process.
    pub(super) fn syntax(language: Option<Self>) -> &'static Syntax {
        static PLAIN: LazyLock<Syntax> = LazyLock::new(Syntax::plain);
        static COMPILED: LazyLock<Vec<OnceLock<Syntax>>> =
            LazyLock::new(|| Language::all().map(|_| OnceLock::new()).collect());
        let compiled = |language: Self| {
            let compiled = COMPILED.get(usize::from(language.0))?;
            Some(compiled.get_or_init(|| Syntax::from_rules(&language.row().rules)))
        };
        language.and_then(compiled).unwrap_or(&PLAIN)
    }
}

impl Serialize for Language {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Language {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = <&str>::deserialize(deserializer)?;
        Self::from_name(name).ok_or_else(|| D::Error::custom("no such language"))
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The language of a file by its whole name, or else by its extension, the longest first: `blade.php` before `php`.
fn by_name(path: &Path) -> Option<u16> {
    let table = LanguageTable::get();
    let name = path.file_name()?.to_string_lossy().to_lowercase();
    let of_parts = |parts: usize| {
        let (dot, _) = name.rmatch_indices('.').nth(parts - 1).filter(|(dot, _)| *dot > 0)?;
        table.extensions.get(&name[dot + 1..])
    };
    table.names.get(&*name).or_else(|| of_parts(2)).or_else(|| of_parts(1)).copied()
}

/// The language named by a first line such as `#!/usr/bin/env -S python3 -u`.
fn by_shebang(text: &str) -> Option<u16> {
    let line = text.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split_ascii_whitespace();
    let mut program = base_name(words.next()?);
    if program == "env" {
        program = base_name(words.find(|w| !w.starts_with('-') && !w.contains('='))?);
    }
    // python3.11, lua5.4, perl5
    let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    LanguageTable::get().programs.get(program).copied()
}

fn base_name(path: &str) -> &str {
    Path::new(path).file_name().and_then(OsStr::to_str).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_the_languages_of_the_table() {
        crate::script::table("cases/language.txt", |word, line| {
            let (name, text) = line.split_once(' ').unwrap_or((line, ""));
            let language = match word {
                "file" => Language::detect(Path::new(name), text),
                _ => Language::from_name_or_extension(line),
            };
            let source = language.is_some_and(Language::is_source);
            let name = language.map_or("none", Language::name);
            vec![format!("{name}{}", if source { ", source" } else { "" })]
        });
    }

    #[test]
    fn every_language_is_found_by_its_name_and_has_its_own_syntax() {
        for language in Language::all() {
            assert_eq!(Language::from_name(language.name()), Some(language));
            let syntax = Language::syntax(Some(language));
            assert!(std::ptr::eq(syntax, Language::syntax(Some(language))));
        }
    }
}
