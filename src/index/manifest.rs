//! Which segments, tombstones and new names make a generation.
//!
//! The manifest is one line of JSON, so that a person can read it, and behind it the line's checksum.
//! It is replaced by a rename: that is the commit.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::segment::SegmentName;
use super::{FORMAT_VERSION, IndexError, check_version, home};
use crate::blot::Recipe;
use crate::corpus::{Corpus, Formats, LosslessPath, Skipped, WalkRules};
use crate::storage::{Folder, StorageError};

/// The manifest's file name.
pub const NAME: &str = home::MANIFEST;

/// Everything that a generation is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT_VERSION`] of the program that wrote it.
    pub version: u32,
    /// Counts commits.
    pub generation: u64,
    /// The generation that last changed which postings are live: a ranking holds as long as this stays.
    pub content: u64,
    /// What is indexed.
    pub corpus: Corpus,
    /// Which files are documents.
    pub rules: WalkRules,
    /// How files hold several documents.
    pub formats: Formats,
    /// How documents become blots.
    pub recipe: Recipe,
    /// The segments, oldest first.
    pub segments: Vec<SegmentState>,
    /// Files and records left out, but for binary files, which the segments' tables remember.
    pub skipped: Vec<Skipped>,
    /// When the last walk of the whole corpus began that this generation agrees with, in nanoseconds since 1970;
    /// `None` by older programs, which know nothing of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walked: Option<i64>,
    /// The ranking, when one was written for this content.
    pub ranking: Option<SegmentName>,
    /// The number of the next file.
    pub next_file: u64,
}

/// A segment, and what changed since it was sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentState {
    /// The file.
    pub segment: SegmentName,
    /// Numbers of its files that are gone or were read anew, ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dead: Vec<u32>,
    /// Files that moved without a change: number → new path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub moved: BTreeMap<u32, LosslessPath>,
}

impl Manifest {
    /// The manifest of an index without documents.
    pub fn empty(corpus: Corpus, rules: WalkRules, formats: Formats, recipe: Recipe) -> Self {
        Self {
            version: FORMAT_VERSION,
            generation: 0,
            content: 0,
            corpus,
            rules,
            formats,
            recipe,
            segments: Vec::new(),
            skipped: Vec::new(),
            walked: None,
            ranking: None,
            next_file: 1,
        }
    }

    /// Reads the manifest of the index in `folder`.
    ///
    /// # Errors
    /// [`IndexError::Absent`] when there is none; [`IndexError::Version`]; [`IndexError::Damaged`], or
    /// [`IndexError::Foreign`] when it is no manifest of ours at all.
    pub fn read(folder: &Folder) -> Result<Self, IndexError> {
        let bytes = folder.read(NAME)?.ok_or_else(|| IndexError::Absent(folder.path().to_owned()))?;
        Self::decode(&bytes, &folder.at(NAME)).or_else(|error| {
            home::check(folder)?;
            Err(error)
        })
    }

    /// Reads a manifest from its bytes; `path` is for messages.
    pub fn decode(bytes: &[u8], path: &Path) -> Result<Self, IndexError> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let damaged = |detail| IndexError::damaged(path, detail);
        let text = str::from_utf8(bytes).map_err(|_| damaged("it is not text"))?;
        let (line, sum) = text.split_once('\n').ok_or_else(|| damaged("its checksum is missing"))?;
        if sum.trim_end() != checksum_line(line) {
            return Err(damaged("its checksum does not agree"));
        }
        let version: Version = serde_json::from_str(line).map_err(|_| damaged("it is not a manifest"))?;
        check_version(path, version.version)?;
        let manifest: Self = serde_json::from_str(line).map_err(|_| damaged("it is not a manifest"))?;
        // Nothing outside of the folder is ever read for a part of the index.
        if !manifest.files().all(|file| home::is_sealed_name(&file.name)) {
            return Err(damaged("it names a file that is no index's"));
        }
        Ok(manifest)
    }

    /// Makes this the index's generation.
    pub fn commit(&self, folder: &Folder) -> Result<(), IndexError> {
        let line = serde_json::to_string(self)
            .map_err(|error| StorageError::of("write", folder.at(NAME))(error.into()))?;
        let text = format!("{line}\n{}\n", checksum_line(&line));
        Ok(folder.replace(NAME, text.as_bytes())?)
    }

    /// Whether the manifest needs the file of this name.
    pub fn names(&self, file: &str) -> bool {
        self.files().any(|named| named.name == file)
    }

    fn files(&self) -> impl Iterator<Item = &SegmentName> {
        self.segments.iter().map(|state| &state.segment).chain(&self.ranking)
    }
}

fn checksum_line(line: &str) -> String {
    format!("{:016x}", xxh3_64(line.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let corpus = Corpus { base: "/tmp".into(), roots: vec!["/tmp".into()] };
        let rules = WalkRules {
            hidden: false,
            no_ignore: false,
            follow: false,
            globs: vec!["*.c".into()],
            types: Vec::new(),
            max_filesize: 9,
        };
        let mut manifest = Manifest::empty(corpus, rules, Formats::default(), Recipe::default());
        manifest.segments.push(SegmentState {
            segment: SegmentName { name: "00000001.segment".into(), length: 3, checksum: 4 },
            dead: vec![1, 5],
            moved: BTreeMap::from([(2, LosslessPath("b".into()))]),
        });
        manifest
    }

    #[test]
    fn a_committed_manifest_is_read_back() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        assert!(matches!(Manifest::read(&folder), Err(IndexError::Absent(_))));
        manifest().commit(&folder).unwrap();
        assert_eq!(Manifest::read(&folder).unwrap(), manifest());
    }

    #[test]
    fn a_changed_byte_or_a_cut_is_noticed_and_another_version_refused_by_name() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        manifest().commit(&folder).unwrap();
        let whole = folder.read(NAME).unwrap().unwrap();
        for at in 0..whole.len() - 1 {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x11;
            for bytes in [&bytes[..], &whole[..at]] {
                let read = Manifest::decode(bytes, Path::new(NAME));
                assert!(matches!(read, Err(IndexError::Damaged { .. })), "byte {at}");
            }
        }
        for version in [FORMAT_VERSION - 1, FORMAT_VERSION + 1] {
            Manifest { version, ..manifest() }.commit(&folder).unwrap();
            let error = Manifest::read(&folder).unwrap_err();
            assert!(matches!(error, IndexError::Version { found, .. } if found == version));
            let sentence = error.to_string();
            assert!(sentence.contains("manifest.json") && sentence.contains("--rebuild"), "{sentence}");
        }
    }
}
