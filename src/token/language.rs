//! Which language a file is written in, and what its comments and strings look like.
//!
//! The tables are tokei's. Prose, mark-up and data are not source code here: their words are what counts.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{LazyLock, Mutex, PoisonError};

use tokei::LanguageType;

/// A programming language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Language(LanguageType);

/// The delimiters of a language.
#[derive(Debug)]
pub struct Syntax {
    /// What begins a comment that ends with its line.
    pub line: Vec<&'static str>,
    /// What begins and ends a comment.
    pub block: Vec<(&'static str, &'static str)>,
    /// Whether comments nest.
    pub nested: bool,
    /// What begins and ends a string, the longest first; and whether a backslash escapes in it.
    pub strings: Vec<(&'static str, &'static str, bool)>,
    begins: [bool; 32],
}

impl Language {
    /// The language of a file, by its name, or by the `#!` in its first line. `None` for all that is not source code.
    pub fn detect(path: &Path, text: &str) -> Option<Self> {
        let by_name = path.file_name().and_then(|name| name.to_str()).and_then(by_file_name);
        let extension = path.extension().and_then(|extension| extension.to_str());
        let by_extension = || match extension {
            Some(extension) if extension.bytes().any(|byte| byte.is_ascii_uppercase()) => {
                LanguageType::from_file_extension(&extension.to_ascii_lowercase())
            }
            Some(extension) => LanguageType::from_file_extension(extension),
            None => by_interpreter(text),
        };
        by_name.or_else(by_extension).filter(|&language| is_source_code(language)).map(Self)
    }

    /// Its name, as tokei spells it.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// The language of a name that [`Language::name`] gave.
    pub fn from_name(name: &str) -> Option<Self> {
        LanguageType::from_name(name).map(Self)
    }

    /// Its delimiters.
    pub fn syntax(self) -> &'static Syntax {
        static KNOWN: LazyLock<Mutex<HashMap<LanguageType, &'static Syntax>>> = LazyLock::new(Mutex::default);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        // One small table a language, kept as long as the program runs.
        known.entry(self.0).or_insert_with(|| Box::leak(Box::new(Syntax::of(self.0))))
    }
}

impl Syntax {
    /// That of no language in particular: neither comments nor strings.
    pub const fn plain() -> Self {
        Self { line: Vec::new(), block: Vec::new(), nested: false, strings: Vec::new(), begins: [false; 32] }
    }

    fn of(language: LanguageType) -> Self {
        let escaped =
            language.quotes().iter().chain(language.doc_quotes()).map(|&(open, close)| (open, close, true));
        let verbatim = language.verbatim_quotes().iter().map(|&(open, close)| (open, close, false));
        let mut strings: Vec<_> = verbatim.chain(escaped).collect();
        strings.sort_by_key(|(open, ..)| std::cmp::Reverse(open.len()));
        let nested = language.allows_nested() || !language.nested_comments().is_empty();
        let block =
            language.multi_line_comments().iter().chain(language.nested_comments()).copied().collect();
        let mut syntax =
            Self { line: language.line_comments().to_vec(), block, nested, strings, begins: [false; 32] };
        let opens =
            syntax.block.iter().map(|pair| pair.0).chain(syntax.strings.iter().map(|string| string.0));
        let firsts: Vec<u8> =
            opens.chain(syntax.line.iter().copied()).filter_map(|open| open.bytes().next()).collect();
        for first in firsts {
            syntax.begins[usize::from(first % 32)] = true;
        }
        syntax
    }

    /// Whether a byte may begin a comment or a string. Rarely wrong, and only towards `true`.
    #[inline]
    pub fn may_begin(&self, byte: u8) -> bool {
        self.begins[usize::from(byte % 32)]
    }
}

fn by_file_name(name: &str) -> Option<LanguageType> {
    match name {
        "Makefile" | "makefile" | "GNUmakefile" | "Kbuild" => Some(LanguageType::Makefile),
        "Dockerfile" => Some(LanguageType::Dockerfile),
        "CMakeLists.txt" => Some(LanguageType::CMake),
        "Rakefile" | "Gemfile" => Some(LanguageType::Ruby),
        _ => None,
    }
}

fn by_interpreter(text: &str) -> Option<LanguageType> {
    let line = text.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let program = words.find(|&word| word != "env" && !word.starts_with('-'))?;
    match program.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.') {
        "sh" | "dash" | "ksh" => Some(LanguageType::Sh),
        "bash" => Some(LanguageType::Bash),
        "zsh" => Some(LanguageType::Zsh),
        "python" => Some(LanguageType::Python),
        "perl" => Some(LanguageType::Perl),
        "ruby" => Some(LanguageType::Ruby),
        "node" => Some(LanguageType::JavaScript),
        "lua" => Some(LanguageType::Lua),
        _ => None,
    }
}

/// Not prose, not mark-up, not data.
fn is_source_code(language: LanguageType) -> bool {
    use LanguageType as L;
    !language.is_literate()
        && !matches!(
            language,
            L::Text
                | L::Markdown
                | L::ReStructuredText
                | L::Org
                | L::AsciiDoc
                | L::Tex
                | L::Html
                | L::Xml
                | L::Svg
                | L::Json
                | L::Jupyter
                | L::Djot
                | L::Mdx
                | L::Typst
                | L::Hledger
                | L::Yaml
                | L::Toml
                | L::Ini
                | L::Css
                | L::Hex
                | L::IntelHex
                | L::Po
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(path: &str, text: &str) -> Option<&'static str> {
        Language::detect(Path::new(path), text).map(Language::name)
    }

    #[test]
    fn names_and_interpreters_tell_the_language() {
        assert_eq!(detect("a/b.rs", ""), Some("Rust"));
        assert_eq!(detect("B.C", ""), Some("C"));
        assert_eq!(detect("Makefile", ""), Some("Makefile"));
        assert_eq!(detect("tool", "#!/usr/bin/env python3\n"), Some("Python"));
        assert_eq!(detect("tool", "#! /bin/sh -e\n"), Some("Shell"));
        assert_eq!(detect("letter", "Dear all"), None);
        for prose in ["a.txt", "a.md", "a.html", "a.json", "a.rst"] {
            assert_eq!(detect(prose, ""), None, "{prose}");
        }
    }

    #[test]
    fn a_name_leads_back_to_its_language() {
        for path in ["a.rs", "a.c", "a.py", "a.sh", "a.cpp", "a.h"] {
            let language = Language::detect(Path::new(path), "").unwrap();
            assert_eq!(Language::from_name(language.name()), Some(language));
        }
    }
}
