//! Files that a program made of others: the style sheet for text from right to left, the small version, what was built
//! of a source, what was filled in.
//!
//! A file is the twin of another one if three signs come together: its folder says so, its name says so, and they agree
//! nearly everywhere. Either it lies in the same folder, and its name is that of the other one with a word for such a
//! version (`style-rtl.css`, `page.min.js`), with the ending of another system of modules (`page.mjs` of `page.js`) or
//! without the ending of what is filled in (`tide.h` of `tide.h.in`); or it has the same name and lies in a folder for
//! what is built beside that of the sources (`dist/tide.js` of `src/tide.js`, `esm/tide.js` of `lib/tide.js`), or in the
//! folder for sources that a page of documentation shows. A passage that stands once in a file and in its twins, and
//! nowhere else, is what the program wrote. What was put together of many files (`bundles.rs`) does not count as a copy.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsStr;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::bundles::bundles;
use crate::covered::covered;
use crate::passages::{Passage, SourceDocument};
use dupi_index::index::snapshot::Snapshot;

/// The words for versions that programs make.
const VERSIONS: [&str; 6] = ["rtl", "ltr", "min", "umd", "esm", "cjs"];

/// The endings of the files of systems of modules, and of the files that those are made of.
const MODULES: [[&str; 2]; 5] = [["mjs", "js"], ["cjs", "js"], ["cjs", "mjs"], ["mts", "ts"], ["cts", "ts"]];

/// The names of folders of what is built, and those of the folders of its sources; also of the ones that stand before
/// them here.
const BUILT: [&str; 8] = ["cjs", "esm", "es5", "es6", "umd", "dist", "build", "out"];
const SOURCES: [&str; 2] = ["src", "lib"];

/// The folder into which a program puts the sources of pages, and the ending that it adds to their names.
const SHOWN: &str = "_sources";
const SHOWN_ENDING: &str = "txt";
/// The folders above that one in which the sources are searched.
const ABOVE: usize = 4;

/// The ending of a file that a program fills in.
const TEMPLATE: &str = "in";

/// The least share of the tokens of each twin that stands in passages of both, in percent.
const AGREEING: u64 = 80;

/// For each passage, whether a program made all its copies of one of them.
pub(super) fn are_made_of_one(
    snapshot: &Snapshot,
    sources: &[SourceDocument],
    passages: &[Passage],
) -> Vec<bool> {
    let path = |source: &SourceDocument| {
        let is_whole = snapshot.document(source.id).record == 0;
        is_whole.then(|| snapshot.path(snapshot.file_of(source.id)))
    };
    let tokens: Vec<u32> = sources.iter().map(|source| source.tokens).collect();
    let paths: Vec<Option<&Path>> = sources.iter().map(path).collect();
    let origins = origins(&candidates(&paths), &tokens, passages);
    let bundles = bundles(&paths, &tokens, passages);
    passages.iter().map(|passage| is_made_of_one(passage, &origins, &bundles)).collect()
}

/// For each source that is named as what a program makes of others, these.
fn candidates(paths: &[Option<&Path>]) -> BTreeMap<u32, Vec<u32>> {
    let has_templates =
        paths.iter().flatten().any(|path| path.extension().is_some_and(|ending| ending == TEMPLATE));
    let of_path = |path: &Path| {
        let mut originals = originals(path);
        originals.extend(sources_of(path));
        originals.extend(shown_of(path));
        originals.extend(has_templates.then(|| template_of(path)));
        originals
    };
    let of_names: Vec<(u32, Vec<PathBuf>)> = (0..)
        .zip(paths)
        .filter_map(|(number, path)| Some((number, of_path((*path)?))))
        .filter(|(_, originals)| !originals.is_empty())
        .collect();
    if of_names.is_empty() {
        return BTreeMap::new();
    }
    let known: HashMap<&Path, u32> =
        (0..).zip(paths).filter_map(|(number, path)| Some(((*path)?, number))).collect();
    let sources = |paths: Vec<PathBuf>| -> Vec<u32> {
        paths.iter().filter_map(|path| known.get(&**path).copied()).collect()
    };
    let of_names = of_names.into_iter().map(|(number, paths)| (number, sources(paths)));
    of_names.filter(|(_, originals)| !originals.is_empty()).collect()
}

/// The path of the file that a program fills in to make this one.
fn template_of(path: &Path) -> PathBuf {
    let mut template = path.as_os_str().to_owned();
    template.push(".");
    template.push(TEMPLATE);
    PathBuf::from(template)
}

/// The paths of the sources of which a file may be built, if it lies in a folder of what is built.
fn sources_of(path: &Path) -> Vec<PathBuf> {
    let parts: Vec<&OsStr> = path.iter().collect();
    let rank = |part: &OsStr| BUILT.iter().position(|name| part == *name);
    let last = |at: &usize| rank(parts[*at]).map(|rank| (*at, rank));
    let Some((at, rank)) = (0..parts.len().saturating_sub(1)).rev().find_map(|at| last(&at)) else {
        return Vec::new();
    };
    let with = |name: &&str| {
        let part = |(number, part)| if number == at { OsStr::new(name) } else { part };
        parts.iter().copied().enumerate().map(part).collect()
    };
    SOURCES.iter().chain(&BUILT[..rank]).map(with).collect()
}

/// The paths of the files that a file may show beside the pages that a program made of them.
fn shown_of(path: &Path) -> Vec<PathBuf> {
    let parts: Vec<&OsStr> = path.iter().collect();
    let Some(at) = parts.iter().rposition(|part| *part == SHOWN) else { return Vec::new() };
    let rest: PathBuf = parts[at + 1..].iter().collect();
    if rest.extension().is_none_or(|ending| ending != SHOWN_ENDING) {
        return Vec::new();
    }
    let rest = rest.with_extension("");
    let above = parts[..at].iter().collect::<PathBuf>();
    above.ancestors().take(ABOVE).map(|folder| folder.join(&rest)).collect()
}

/// The paths of the files of which this one may be a version, by its name: without all words for versions, then without
/// one of them.
fn originals(path: &Path) -> Vec<PathBuf> {
    let Some(name) = path.file_name().and_then(OsStr::to_str) else { return Vec::new() };
    let without = |name: &str, version: &str| {
        let is_within =
            |at: &usize| name[..*at].ends_with(['-', '.']) && name[at + version.len()..].starts_with('.');
        let at = name.match_indices(version).map(|(at, _)| at).find(is_within)?;
        Some(format!("{}{}", &name[..at - 1], &name[at + version.len()..]))
    };
    let each: Vec<String> = VERSIONS.iter().filter_map(|version| without(name, version)).collect();
    let all = VERSIONS.iter().fold(name.to_owned(), |name, version| without(&name, version).unwrap_or(name));
    let with_ending = |name: &str| {
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        let of = MODULES.iter().filter(|[module, _]| *module == ending);
        of.map(|[_, of]| format!("{stem}.{of}")).collect::<Vec<_>>()
    };
    let mut names: Vec<String> = std::iter::once(all).chain(each).filter(|other| other != name).collect();
    let modules: Vec<String> = names.iter().map(String::as_str).chain([name]).flat_map(with_ending).collect();
    names.extend(modules);
    names.into_iter().map(|name| path.with_file_name(name)).collect()
}

/// For each source that is a twin, the source that it was made of.
fn origins(candidates: &BTreeMap<u32, Vec<u32>>, tokens: &[u32], passages: &[Passage]) -> HashMap<u32, u32> {
    // What each of two sources has of the passages that both have, as ranges of its tokens.
    let mut shared: HashMap<[u32; 2], [Vec<Range<u32>>; 2]> = HashMap::new();
    for passage in passages.iter().filter(|_| !candidates.is_empty()) {
        for source in passage.copies.chunk_by(|a, b| a.source == b.source).map(|copies| copies[0].source) {
            for &original in candidates.get(&source).into_iter().flatten() {
                let pair = [source, original];
                let ranges = pair.map(|source| {
                    let start = passage.copies.partition_point(|copy| copy.source < source);
                    let own = passage.copies[start..].iter().take_while(move |copy| copy.source == source);
                    own.map(|copy| copy.first..copy.end_token()).collect::<Vec<_>>()
                });
                if ranges.iter().all(|ranges| !ranges.is_empty()) {
                    let known = shared.entry(pair).or_default();
                    known.iter_mut().zip(ranges).for_each(|(known, ranges)| known.extend(ranges));
                }
            }
        }
    }
    let agree = |pair: [u32; 2]| {
        let ranges = shared.get(&pair)?;
        let is_covered = |(source, ranges): (&u32, &Vec<Range<u32>>)| {
            covered(ranges.clone()) * 100 >= u64::from(tokens[*source as usize]) * AGREEING
        };
        pair.iter().zip(ranges).all(is_covered).then_some(pair[1])
    };
    let origin = |(source, originals): (&u32, &Vec<u32>)| {
        Some((*source, originals.iter().find_map(|original| agree([*source, *original]))?))
    };
    candidates.iter().filter_map(origin).collect()
}

/// Whether a passage stands once in each of its documents, which are a file and its twins, and bundles; of these there is
/// one at least.
fn is_made_of_one(passage: &Passage, origins: &HashMap<u32, u32>, bundles: &HashSet<u32>) -> bool {
    // A name without a word or with the ending of another system of modules is made shorter, or stands further down in the
    // table; nothing takes the ending of a template away, and each folder of what is built is taken for one further up. So
    // no file is made of itself.
    let first = |mut source: u32| {
        while let Some(&origin) = origins.get(&source) {
            source = origin;
        }
        source
    };
    if origins.is_empty() && bundles.is_empty() {
        return false;
    }
    let written = |source: &u32| !bundles.contains(source);
    let mut copies = passage.copies.iter().map(|copy| copy.source).filter(written);
    let Some(mut before) = copies.next() else { return true };
    let has_bundle = passage.copies.iter().any(|copy| bundles.contains(&copy.source));
    let mut count = 1;
    copies.all(|source| {
        let is_of_one = source != before && first(source) == first(before);
        before = source;
        count += 1;
        is_of_one
    }) && (has_bundle || count > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_named_as_its_original_with_a_word_behind_a_mark() {
        let of = |name: &str| {
            let names = originals(Path::new(name)).into_iter();
            names.map(|path| path.to_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(of("a/style-rtl.css"), ["a/style.css", "a/style.css"]);
        assert_eq!(of("a/style-rtl.min.css"), ["a/style.css", "a/style.min.css", "a/style-rtl.css"]);
        assert_eq!(of("a/page.mjs"), ["a/page.js"]);
        assert_eq!(of("a/page.d.cts"), ["a/page.d.ts"]);
        for name in ["a/style.css", "a/rtl.css", "a/min.css", "a/styling-minor.css", "rtl/style.css"] {
            assert!(of(name).is_empty(), "{name}");
        }
    }

    #[test]
    fn what_is_built_lies_in_a_folder_beside_that_of_the_sources() {
        let of = |path: &str| {
            let paths = sources_of(Path::new(path)).into_iter();
            paths.map(|path| path.to_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(of("a/esm/b/page.js"), ["a/src/b/page.js", "a/lib/b/page.js", "a/cjs/b/page.js"]);
        assert!(of("dist/page.js").contains(&"src/page.js".to_owned()));
        assert!(of("a/src/page.js").is_empty() && of("a/dist").is_empty());
    }

    #[test]
    fn a_source_that_a_page_shows_lies_above() {
        let of = |path: &str| shown_of(Path::new(path));
        assert!(of("doc/html/_sources/a/tide.rst.txt").contains(&PathBuf::from("doc/a/tide.rst")));
        assert!(of("doc/_sources/tide.rst").is_empty() && of("doc/tide.rst.txt").is_empty());
    }
}
