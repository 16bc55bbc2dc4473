//! Which segments, tombstones and new names make a generation.
//!
//! The manifest is one line of JSON, so that a person can read it, and behind it the line's checksum.
//! It is replaced by a rename: that is the commit.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::segment::SegmentName;
use super::{FORMAT_VERSION, IndexError, storage};
use crate::blot::Recipe;
use crate::corpus::{Corpus, Formats, LosslessPath, Skipped, WalkRules};

/// The manifest's file name.
pub const NAME: &str = "manifest.json";

/// Everything that a generation is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT_VERSION`] of the program that wrote it.
    pub version: u32,
    /// Counts commits.
    pub generation: u64,
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
    /// The ranking, when one was written for this generation.
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
            corpus,
            rules,
            formats,
            recipe,
            segments: Vec::new(),
            skipped: Vec::new(),
            ranking: None,
            next_file: 1,
        }
    }

    /// Reads the manifest of the index in `folder`.
    ///
    /// # Errors
    /// [`IndexError::Absent`] when there is none; [`IndexError::Newer`]; [`IndexError::Damaged`].
    pub fn read(folder: &Path) -> Result<Self, IndexError> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let path = folder.join(NAME);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(IndexError::Absent(folder.to_owned()));
            }
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                return Err(IndexError::damaged(path, "it is not text"));
            }
            Err(error) => return Err(IndexError::io("read", path)(error)),
        };
        let damaged = |detail| IndexError::damaged(&path, detail);
        let (line, sum) = text.split_once('\n').ok_or_else(|| damaged("its checksum is missing"))?;
        if sum.trim_end() != checksum_line(line) {
            return Err(damaged("its checksum does not agree"));
        }
        match serde_json::from_str::<Version>(line) {
            Ok(Version { version }) if version > FORMAT_VERSION => {
                Err(IndexError::Newer { path: path.clone(), found: version })
            }
            Ok(_) => serde_json::from_str(line).map_err(|_| damaged("it is not a manifest")),
            Err(_) => Err(damaged("it is not a manifest")),
        }
    }

    /// Makes this the index's generation.
    pub fn commit(&self, folder: &Path) -> Result<(), IndexError> {
        let line = serde_json::to_string(self)
            .map_err(|error| IndexError::io("write", folder.join(NAME))(error.into()))?;
        let text = format!("{line}\n{}\n", checksum_line(&line));
        storage::write_whole(folder, NAME, text.as_bytes())
    }

    /// Whether the manifest needs the file of this name.
    pub fn names(&self, file: &str) -> bool {
        self.segments.iter().map(|state| &state.segment).chain(&self.ranking).any(|named| named.name == file)
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
            segment: SegmentName { name: "1.segment".into(), length: 3, checksum: 4 },
            dead: vec![1, 5],
            moved: BTreeMap::from([(2, LosslessPath("b".into()))]),
        });
        manifest
    }

    #[test]
    fn a_committed_manifest_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(Manifest::read(folder.path()), Err(IndexError::Absent(_))));
        manifest().commit(folder.path()).unwrap();
        assert_eq!(Manifest::read(folder.path()).unwrap(), manifest());
    }

    #[test]
    fn a_changed_byte_is_noticed_and_a_newer_version_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        manifest().commit(folder.path()).unwrap();
        let path = folder.path().join(NAME);
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() - 1 {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x11;
            fs::write(&path, &bytes).unwrap();
            assert!(matches!(Manifest::read(folder.path()), Err(IndexError::Damaged { .. })), "byte {at}");
        }
        let newer = Manifest { version: FORMAT_VERSION + 1, ..manifest() };
        newer.commit(folder.path()).unwrap();
        let error = Manifest::read(folder.path()).unwrap_err();
        assert!(matches!(error, IndexError::Newer { found, .. } if found == FORMAT_VERSION + 1));
        assert!(error.to_string().contains("manifest.json"));
    }
}
