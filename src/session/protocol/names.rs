//! The extensions, languages and folders of the files of a corpus, for completing filters. They are counted on request,
//! in one pass over the paths.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::hash::Hash;
use std::path::Path;

use dupi_index::index::snapshot::Snapshot;
use dupi_text::token::Language;

/// The most extensions and languages that are listed,
const KINDS: usize = 200;
/// and the most folders: the list is searched at each key.
const FOLDERS: usize = 10_000;

/// The names that occur in paths, the most frequent ones first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Their extensions, in lower case.
    pub extensions: Vec<String>,
    /// Their languages, as far as the file names show them.
    pub languages: Vec<String>,
    /// Their folders, relative to the corpus's base.
    pub folders: Vec<String>,
}

impl Names {
    /// The names of a generation.
    pub fn of(snapshot: &Snapshot) -> Self {
        Self::of_paths(snapshot.texts().map(|file| snapshot.path(file)))
    }

    fn of_paths<'a>(paths: impl Iterator<Item = &'a Path>) -> Self {
        // By extension, or by file name where there is none: the number of files, and one of their paths.
        let mut kinds: HashMap<(Option<&OsStr>, &OsStr), (u64, &Path)> = HashMap::new();
        let mut parents: HashMap<&OsStr, u64> = HashMap::new();
        for path in paths {
            let extension = path.extension();
            let name = if extension.is_some() { None } else { path.file_name() };
            kinds.entry((extension, name.unwrap_or_default())).or_insert((0, path)).0 += 1;
            *parents.entry(path.parent().unwrap_or(path).as_os_str()).or_default() += 1;
        }
        let extensions = kinds.iter().filter_map(|((extension, _), (count, _))| {
            Some(((*extension)?.to_str().filter(|name| is_typed(name))?.to_lowercase(), *count))
        });
        let languages = kinds
            .values()
            .filter_map(|(count, path)| Some((Language::detect(path, "")?.name().to_lowercase(), *count)));
        let folders = parents.iter().flat_map(|(parent, count)| {
            let all = Path::new(parent).ancestors().filter_map(Path::to_str);
            all.filter(|folder| !folder.is_empty() && is_typed(folder)).map(|folder| (folder, *count))
        });
        Self {
            extensions: most_frequent(extensions, KINDS),
            languages: most_frequent(languages, KINDS),
            folders: most_frequent(folders, FOLDERS),
        }
    }
}

/// Whether a name can be written in a filter as it is.
fn is_typed(name: &str) -> bool {
    !name.contains(|character: char| character.is_control() || "*?[]{}\\\",".contains(character))
}

fn most_frequent<T: Eq + Hash + Ord + Into<String>>(
    counted: impl Iterator<Item = (T, u64)>,
    most: usize,
) -> Vec<String> {
    let mut sums: HashMap<T, u64> = HashMap::new();
    counted.for_each(|(name, count)| *sums.entry(name).or_default() += count);
    let mut sums: Vec<(Reverse<u64>, T)> =
        sums.into_iter().map(|(name, count)| (Reverse(count), name)).collect();
    sums.sort_unstable();
    sums.into_iter().take(most).map(|(_, name)| name.into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_most_files_have_comes_first() {
        let paths = [
            "src/tui/a.rs",
            "src/tui/b.RS",
            "src/c.rs",
            "src/d.py",
            "doc/e.md",
            "doc/f.md",
            "Makefile",
            "odd,/x.a,b",
        ];
        let names = Names::of_paths(paths.iter().map(Path::new));
        assert_eq!(names.extensions, ["rs", "md", "py"]);
        assert_eq!(names.folders, ["src", "doc", "src/tui"]);
        assert_eq!(names.languages, ["rust", "markdown", "makefile", "python"]);
        assert_eq!(Names::of_paths(std::iter::empty()), Names::default());
    }
}
