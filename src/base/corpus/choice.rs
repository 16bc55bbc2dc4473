//! A choice of files by globs and types, as ripgrep makes it: for the walk, and for files that are indexed already.

use std::path::Path;

use ignore::Match;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};

use super::CorpusError;

/// Which files are chosen; by default all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileChoice {
    /// Globs that include files, or exclude them with a leading `!`; the last one that matches decides.
    pub globs: Vec<String>,
    /// File types by ripgrep's names; empty for all.
    pub types: Vec<String>,
    /// File types that are left out.
    pub types_not: Vec<String>,
}

/// The rules of a choice.
#[derive(Clone, Debug)]
pub struct FileMatcher {
    pub(super) overrides: Override,
    pub(super) types: Option<Types>,
}

impl FileChoice {
    /// Whether it chooses all files.
    pub fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// The rules, for paths below `base`.
    ///
    /// # Errors
    /// When a glob or type is invalid.
    pub fn matcher(&self, base: &Path) -> Result<FileMatcher, CorpusError> {
        let wrong = |glob: &str, error: &ignore::Error| {
            CorpusError::Wrong(format!("--glob {glob}: {error}; see the globs of .gitignore"))
        };
        let mut overrides = OverrideBuilder::new(base);
        for glob in &self.globs {
            overrides.add(glob).map_err(|error| wrong(glob, &error))?;
        }
        let overrides = overrides.build().map_err(|error| wrong(&self.globs.join(" "), &error))?;
        let has_types = !self.types.is_empty() || !self.types_not.is_empty();
        Ok(FileMatcher { overrides, types: has_types.then(|| self.types()).transpose()? })
    }

    fn types(&self) -> Result<Types, CorpusError> {
        let mut types = TypesBuilder::new();
        types.add_defaults();
        for name in &self.types {
            types.select(name);
        }
        for name in &self.types_not {
            types.negate(name);
        }
        let given = || [&self.types[..], &self.types_not[..]].concat().join(", ");
        types.build().map_err(|_| {
            CorpusError::Wrong(format!(
                "--type or --type-not {}: no such file type; the names are ripgrep's (rg --type-list)",
                given()
            ))
        })
    }
}

impl FileMatcher {
    /// Whether a walk would find a file, by its path relative to the base: no folder above it is excluded, and it matches
    /// the globs, or when no glob speaks of it, the types.
    pub fn matches(&self, path: &Path) -> bool {
        let above = path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
        if above.into_iter().any(|folder| self.overrides.matched(folder, true).is_ignore()) {
            return false;
        }
        match self.overrides.matched(path, false) {
            Match::Ignore(_) => false,
            Match::Whitelist(_) => true,
            Match::None => self.types.as_ref().is_none_or(|types| !types.matched(path, false).is_ignore()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    use crate::corpus::{Corpus, Exclusions, WalkRules, walk};

    fn choice(globs: &[&str], types: &[&str], types_not: &[&str]) -> FileChoice {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        FileChoice { globs: owned(globs), types: owned(types), types_not: owned(types_not) }
    }

    #[test]
    fn a_file_matches_exactly_if_a_walk_with_the_same_rules_finds_it() {
        let place = tempfile::tempdir().unwrap();
        let names = [
            "a.c",
            "a.h",
            "b.rs",
            "src/a.c",
            "src/x.py",
            "src/vendor/a.c",
            "vendor/b.rs",
            "notes",
            "src/deep/er/c.c",
        ];
        for name in names {
            let path = place.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "words").unwrap();
        }
        let corpus = Corpus::resolve(&[place.path().to_owned()]).unwrap();
        for of in [
            choice(&[], &[], &[]),
            choice(&["*.c"], &[], &[]),
            choice(&["!vendor"], &[], &[]),
            choice(&["!vendor/"], &["c"], &[]),
            choice(&["src/**"], &[], &[]),
            choice(&["/src/*.c"], &[], &[]),
            choice(&["*.c", "!src/*.c"], &[], &[]),
            choice(&["!*.c", "src/*.c"], &[], &[]),
            choice(&[], &["c"], &[]),
            choice(&[], &["c", "rust"], &["rust"]),
            choice(&[], &[], &["c"]),
            choice(&["*.py"], &["c"], &[]),
        ] {
            let FileChoice { globs, types, types_not } = of.clone();
            let rules = WalkRules { globs, types, types_not, ..WalkRules::default() };
            let walked =
                walk(&corpus, &rules, &Exclusions::default(), 2, &AtomicBool::new(false), &|_| {}).unwrap();
            let found: Vec<String> =
                walked.files.iter().map(|file| file.path.to_str().unwrap().to_owned()).collect();
            let matcher = of.matcher(&corpus.base).unwrap();
            let mut expected: Vec<&str> =
                names.into_iter().filter(|name| matcher.matches(Path::new(name))).collect();
            expected.sort_unstable();
            let mut found: Vec<&str> = found.iter().map(String::as_str).collect();
            found.sort_unstable();
            assert_eq!(expected, found, "{of:?}");
        }
    }
}
