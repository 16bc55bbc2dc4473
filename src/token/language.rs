//! Programming languages: how a document's is found, and which of them count as source code.
//!
//! tokei knows names, extensions, comments and strings. Its own detection opens files without an
//! extension; here the text is at hand already, so nothing touches the disk.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

use tokei::{Config, LanguageType as L};

use super::syntax::Syntax;

/// A language of source code, markup or data, as tokei knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(L);

impl Language {
    /// The language of a document: by the name of its file, else by the interpreter that its first
    /// line names.
    pub fn detect(path: &Path, text: &str) -> Option<Self> {
        by_name(path).or_else(|| by_shebang(text)).map(Self)
    }

    /// The language with this name, as [`Language::name`] gives it.
    pub fn from_name(name: &str) -> Option<Self> {
        L::from_name(name).map(Self)
    }

    /// The language that somebody means by its name, whatever the case, or by the extension of its files.
    pub fn meant_by(given: &str) -> Option<Self> {
        let by_name = Self::all().find(|language| language.name().eq_ignore_ascii_case(given));
        by_name.or_else(|| Self::detect(Path::new(&format!("x.{given}")), ""))
    }

    /// All languages that are known.
    pub fn all() -> impl Iterator<Item = Self> {
        L::list().iter().map(|(language, _)| Self(*language))
    }

    /// The name, for people and for files.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Whether it is read as code. Prose and its mark-up (Markdown, reStructuredText, TeX, HTML …)
    /// are not, nor are formats that mostly carry text or data (XML and its kin, JSON, translations,
    /// hex dumps): there words are what people compare. Configuration (YAML, TOML, INI) is code: its
    /// keys are case-sensitive and it has comments.
    pub fn is_source(self) -> bool {
        let prose =
            matches!(self.0, L::AsciiDoc | L::Org | L::ReStructuredText | L::Tex | L::Typst | L::Hledger);
        let markup =
            matches!(self.0, L::Html | L::RubyHtml | L::Gohtml | L::Xml | L::Svg | L::Xaml | L::AvaloniaXaml);
        let project =
            matches!(self.0, L::MsBuild | L::NuGetConfig | L::DotNetResource | L::VisualStudioProject);
        let more_projects = matches!(self.0, L::VisualStudioSolution | L::UnrealProject | L::UnrealPlugin);
        let data = matches!(self.0, L::Json | L::Jupyter | L::Po | L::Hex | L::IntelHex | L::FEN);
        !(self.0.is_literate()
            || self.0 == L::UnrealDeveloperMarkdown
            || prose
            || markup
            || project
            || more_projects
            || data)
    }

    /// The compiled syntax of a language, or the plain one; compiled once a process.
    pub(super) fn syntax(language: Option<Self>) -> &'static Syntax {
        static PLAIN: LazyLock<Syntax> = LazyLock::new(Syntax::plain);
        static COMPILED: LazyLock<Vec<OnceLock<Syntax>>> =
            LazyLock::new(|| L::list().iter().map(|_| OnceLock::new()).collect());
        let compiled = |Self(language): Self| {
            // tokei lists languages in their order.
            let number = L::list().binary_search_by_key(&language, |(l, _)| *l).ok()?;
            Some(COMPILED.get(number)?.get_or_init(|| Syntax::of(language)))
        };
        language.and_then(compiled).unwrap_or(&PLAIN)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

fn by_name(path: &Path) -> Option<L> {
    let name = path.file_name()?;
    if path.extension().is_some() {
        // With an extension at hand tokei does not open the file.
        return L::from_path(Path::new(name), &Config::default());
    }
    Some(match name.to_str()?.to_ascii_lowercase().as_str() {
        "makefile" | "gnumakefile" | "kbuild" => L::Makefile,
        "dockerfile" | "containerfile" => L::Dockerfile,
        "justfile" | ".justfile" => L::Just,
        "rakefile" | "gemfile" | "vagrantfile" => L::Ruby,
        "sconstruct" | "sconscript" => L::Scons,
        "snakefile" => L::Snakemake,
        "pkgbuild" => L::PacmanMakepkg,
        "workspace" => L::Bazel,
        "jenkinsfile" => L::Groovy,
        ".bashrc" | ".bash_profile" | ".profile" => L::Bash,
        ".zshrc" | ".zshenv" | ".zprofile" => L::Zsh,
        ".vimrc" => L::VimScript,
        _ => return None,
    })
}

/// By a first line such as `#!/usr/bin/env -S python3 -u`.
fn by_shebang(text: &str) -> Option<L> {
    let line = text.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split_ascii_whitespace();
    let mut program = base_name(words.next()?);
    if program == "env" {
        program = base_name(words.find(|w| !w.starts_with('-') && !w.contains('='))?);
    }
    // python3.11, lua5.4, perl5
    let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    let known = match program {
        "sh" | "dash" | "ash" => L::Sh,
        "csh" | "tcsh" => L::CShell,
        "awk" | "gawk" | "mawk" | "nawk" => L::AWK,
        "python" | "pypy" => L::Python,
        "perl" => L::Perl,
        "raku" => L::Raku,
        "ruby" => L::Ruby,
        "node" | "nodejs" => L::JavaScript,
        "deno" | "bun" | "ts-node" | "tsx" => L::TypeScript,
        "php" => L::Php,
        "lua" | "luajit" => L::Lua,
        "tclsh" | "wish" | "expect" => L::Tcl,
        "Rscript" => L::R,
        "make" | "gmake" => L::Makefile,
        "pwsh" => L::PowerShell,
        "runghc" | "runhaskell" => L::Haskell,
        "escript" => L::Erlang,
        "guile" => L::Scheme,
        _ => return by_table(program),
    };
    Some(known)
}

/// By the interpreters in tokei's own shebangs.
fn by_table(program: &str) -> Option<L> {
    let names = |shebang: &str| {
        let interpreter = shebang.strip_prefix("#!").and_then(|s| s.split(' ').next());
        interpreter.is_some_and(|path| base_name(path) == program)
    };
    let mut languages = L::list().iter().map(|(language, _)| *language);
    languages.find(|language| language.shebangs().iter().any(|s| names(s)))
}

fn base_name(path: &str) -> &str {
    Path::new(path).file_name().and_then(OsStr::to_str).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(name: &str, text: &str) -> Option<&'static str> {
        Language::detect(Path::new(name), text).map(Language::name)
    }

    #[test]
    fn names_come_before_contents() {
        assert_eq!(detect("fs/ext4/inode.c", ""), Some("C"));
        assert_eq!(detect("A.PY", "#!/bin/sh\n"), Some("Python"));
        assert_eq!(detect("tools/Makefile", ""), Some("Makefile"));
        assert_eq!(detect("fs/Kbuild", ""), Some("Makefile"));
        assert_eq!(detect("CMakeLists.txt", ""), Some("CMake"));
        assert_eq!(detect("COPYING", "Permission is granted"), None);
    }

    #[test]
    fn a_first_line_names_the_interpreter() {
        assert_eq!(detect("run", "#!/bin/sh -e\nset"), Some("Shell"));
        assert_eq!(detect("run", "#!/usr/bin/env -S LC_ALL=C python3.11 -u"), Some("Python"));
        assert_eq!(detect("run.old", "#!/bin/bash"), Some("BASH"));
        assert_eq!(detect("run", "#! /usr/bin/fish"), Some("Fish"));
        assert_eq!(detect("run", "#!/opt/unheard-of"), None);
        assert_eq!(detect("run", "#!"), None);
    }

    #[test]
    fn people_name_languages_as_they_like() {
        let meant = |given: &str| Language::meant_by(given).map(Language::name);
        assert_eq!(
            [meant("rust"), meant("rs"), meant("C"), meant("c++")],
            ["Rust", "Rust", "C", "C++"].map(Some)
        );
        assert_eq!([meant(""), meant("no such"), meant("a/b")], [None; 3]);
    }

    #[test]
    fn prose_and_data_are_not_source() {
        for (name, source) in [
            ("a.c", true),
            ("a.yaml", true),
            ("a.md", false),
            ("a.rst", false),
            ("a.txt", false),
            ("a.json", false),
            ("a.html", false),
            ("a.svg", false),
        ] {
            let language = Language::detect(Path::new(name), "").expect(name);
            assert_eq!(language.is_source(), source, "{name}");
        }
    }

    #[test]
    fn every_language_is_found_by_its_name_and_has_its_own_syntax() {
        for &(language, _) in L::list() {
            let found = Language::from_name(language.name()).expect("a name");
            assert_eq!(found.name(), language.name());
            let syntax = Language::syntax(Some(found));
            assert!(std::ptr::eq(syntax, Language::syntax(Some(found))));
            assert_eq!(!syntax.blocks.is_empty(), {
                !language.multi_line_comments().is_empty() || !language.nested_comments().is_empty()
            });
        }
    }
}
