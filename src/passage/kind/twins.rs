//! Files that a program made of others: the style sheet for text from right to left, the small version, what was built
//! of a source, what was filled in.
//!
//! A file is the twin of another one if three signs come together: its folder says so, its name says so, and they agree
//! nearly everywhere. Either it lies in the same folder, and its name is that of the other one with a word for such a
//! version (`style-rtl.css`, `page.min.js`) or without the ending of what is filled in (`tide.h` of `tide.h.in`); or it
//! has the same name and lies in a folder for what is built beside that of the sources (`dist/tide.js` of
//! `src/tide.js`). A passage that stands once in a file and in its twins, and nowhere else, is what the program wrote.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::index::snapshot::Snapshot;
use crate::passage::covered::covered;
use crate::passage::passages::{Passage, SourceDocument};

/// The words for versions that programs make.
const VERSIONS: [&str; 3] = ["rtl", "ltr", "min"];

/// The names of folders of what is built, and that of the folder of its sources.
const BUILT: [&str; 3] = ["dist", "build", "out"];
const SOURCES: &str = "src";

/// The ending of a file that a program fills in.
const TEMPLATE: &str = "in";

/// So many hundredths of the tokens of each of two twins stand in passages that both have.
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
    let candidates = candidates(&sources.iter().map(path).collect::<Vec<_>>());
    let origins = origins(&candidates, &tokens, passages);
    passages.iter().map(|passage| is_made_of_one(passage, &origins)).collect()
}

/// For each source that is named as what a program makes of others, these.
fn candidates(paths: &[Option<&Path>]) -> BTreeMap<u32, Vec<u32>> {
    let has_templates =
        paths.iter().flatten().any(|path| path.extension().is_some_and(|ending| ending == TEMPLATE));
    let of_path = |path: &Path| {
        let mut originals = originals(path);
        originals.extend(source_of(path));
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

/// The path of the source of which a file is built, if it lies in a folder of what is built.
fn source_of(path: &Path) -> Option<PathBuf> {
    let is_built = |part: &OsStr| BUILT.iter().any(|name| part == *name);
    let folder = path.parent()?;
    let at = folder.iter().collect::<Vec<_>>().into_iter().rposition(is_built)?;
    let part = |(number, part)| if number == at { OsStr::new(SOURCES) } else { part };
    Some(path.iter().enumerate().map(part).collect())
}

/// The paths of the files of which this one may be a version, by its name: without all words for versions, then without
/// one of them.
fn originals(path: &Path) -> Vec<PathBuf> {
    let Some(name) = path.file_name().and_then(OsStr::to_str) else { return Vec::new() };
    let without = |name: &str, version: &str| {
        ["-", "."].iter().find_map(|mark| {
            let at = name.find(&format!("{mark}{version}."))?;
            Some(format!("{}{}", &name[..at], &name[at + mark.len() + version.len()..]))
        })
    };
    let each: Vec<String> = VERSIONS.iter().filter_map(|version| without(name, version)).collect();
    let all = VERSIONS.iter().fold(name.to_owned(), |name, version| without(&name, version).unwrap_or(name));
    let names = std::iter::once(all).chain(each).filter(|other| other != name);
    names.map(|name| path.with_file_name(name)).collect()
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

/// Whether a passage stands once in each of its documents, which are a file and its twins.
fn is_made_of_one(passage: &Passage, origins: &HashMap<u32, u32>) -> bool {
    // A name without a word is shorter, and nothing takes the ending of a template away or makes a folder one of what is
    // built. So no file is made of itself.
    let first = |mut source: u32| {
        while let Some(&origin) = origins.get(&source) {
            source = origin;
        }
        source
    };
    let mut copies = passage.copies.windows(2);
    let is_of_one = |pair: &[_; 2]| pair[0] != pair[1] && first(pair[0]) == first(pair[1]);
    !origins.is_empty() && copies.all(|pair| is_of_one(&[pair[0].source, pair[1].source]))
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
        for name in ["a/style.css", "a/rtl.css", "a/min.css", "a/styling-minor.css", "rtl/style.css"] {
            assert!(of(name).is_empty(), "{name}");
        }
    }
}
