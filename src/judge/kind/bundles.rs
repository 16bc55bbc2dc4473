//! Files that a program put together of many: the libraries that a package ships.
//!
//! A file is a bundle if it lies in a folder for what is shipped (`dist`), or is named so, and half of its tokens stand in
//! the sources of the package too: in files beside or below that folder, but in none of its kind. The other half may come
//! from other packages, or from the bundler.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;

use crate::covered::covered;
use crate::passages::Passage;

/// The names of folders of what is shipped.
const SHIPPED: [&str; 2] = ["dist", "bundles"];

/// The least share of a bundle's tokens that stands in the sources of its package, in percent.
const OF_SOURCES: u64 = 50;

/// What has more copies tells nothing of a bundle.
const FEW: usize = 256;

/// The sources that are bundles, given the path of each that is a whole file, and the number of its tokens.
pub(super) fn bundles(paths: &[Option<&Path>], tokens: &[u32], passages: &[Passage]) -> HashSet<u32> {
    let packages: HashMap<u32, &Path> =
        (0..).zip(paths).filter_map(|(number, path)| Some((number, package_of((*path)?)?))).collect();
    if packages.is_empty() {
        return HashSet::new();
    }
    // What each has of passages that stand in the sources of its package, as ranges of its tokens.
    let mut of_sources: HashMap<u32, Vec<Range<u32>>> = HashMap::new();
    for passage in passages.iter().filter(|passage| passage.copies.len() <= FEW) {
        for copy in &passage.copies {
            let Some(package) = packages.get(&copy.source) else { continue };
            let is_source = |source: u32| {
                !packages.contains_key(&source)
                    && paths[source as usize].is_some_and(|path| path.starts_with(package))
            };
            if passage.copies.iter().any(|other| is_source(other.source)) {
                of_sources.entry(copy.source).or_default().push(copy.first..copy.end_token());
            }
        }
    }
    let is_bundle = |(source, ranges): (u32, Vec<Range<u32>>)| {
        let own = u64::from(tokens[source as usize]);
        (covered(ranges) * 100 >= own * OF_SOURCES).then_some(source)
    };
    of_sources.into_iter().filter_map(is_bundle).collect()
}

/// The folder of the package of which a file is shipped, if it is named so or lies in a folder for that.
fn package_of(path: &Path) -> Option<&Path> {
    let name = path.file_name()?.to_str()?;
    if name.contains(".bundle.") {
        return path.parent();
    }
    let is_shipped =
        |folder: &&Path| folder.file_name().is_some_and(|name| SHIPPED.iter().any(|known| name == *known));
    path.parent()?.ancestors().find(is_shipped)?.parent()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shipped_lies_in_a_folder_for_it_or_is_named_so() {
        let package = |path: &'static str| package_of(Path::new(path)).map(|folder| folder.to_str().unwrap());
        assert_eq!(package("tide/dist/tide.js"), Some("tide"));
        assert_eq!(package("dist/lib/tide.js"), Some(""));
        assert_eq!(package("tide/dist/a/dist/tide.js"), Some("tide/dist/a"));
        assert_eq!(package("tide/lib/tide.bundle.js"), Some("tide/lib"));
        assert_eq!(package("tide/src/tide.js"), None);
        assert_eq!(package("dist"), None);
    }
}
