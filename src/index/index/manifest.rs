//! The manifest: the segments, tombstones and moved files of a generation.
//!
//! The manifest is one line of JSON, readable by people, followed by a line with its checksum. A commit replaces it
//! by a rename.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::home::SegmentName;
use super::{FORMAT_VERSION, IndexError, check_version, home};
use dupi_base::corpus::{Corpus, Formats, LosslessPath, Skipped, WalkRules};
use dupi_base::storage::{Folder, StorageError};
use dupi_text::blot::Recipe;
use dupi_text::token::LEXING_VERSION;

/// The manifest's file name.
pub const NAME: &str = home::MANIFEST;

/// The version of the manifest's format. Manifests from [`FORMAT_VERSION`] on are read, and the next commit writes this
/// one.
///
/// 2: as the other files. 3: the skipped files can have been left out by the user. Fields that an older program may leave
/// out when it writes the manifest again, such as the sketches, need no version of their own.
pub const VERSION: u32 = 3;

/// The description of a generation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`VERSION`] of the program that wrote it.
    pub version: u32,
    /// The number of the generation; every commit increases it.
    pub generation: u64,
    /// The generation that last changed which postings are live. A ranking is valid as long as this is unchanged.
    pub content: u64,
    /// The indexed corpus.
    pub corpus: Corpus,
    /// Which files are documents.
    pub rules: WalkRules,
    /// Formats of files with several documents.
    pub formats: Formats,
    /// How documents become blots.
    pub recipe: Recipe,
    /// [`LEXING_VERSION`] of the program that made the blots.
    #[serde(default = "first_lexing")]
    pub lexing: u32,
    /// Whether sketches of documents are kept; they are in manifests of older programs, though these made none.
    #[serde(default = "kept", skip_serializing_if = "is_kept")]
    pub sketches: bool,
    /// The segments, oldest first.
    pub segments: Vec<ManifestSegment>,
    /// Skipped files and records, without binary files, which are in the segments' tables.
    pub skipped: Vec<Skipped>,
    /// The start of the last complete walk of the whole corpus, in nanoseconds since 1970; `None` in manifests of
    /// older programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walked: Option<i64>,
    /// The ranking, if one was saved for this content.
    pub ranking: Option<SegmentName>,
    /// The number of the next file.
    pub next_file: u64,
}

/// A segment, with the changes since it was sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestSegment {
    /// The sealed file.
    pub segment: SegmentName,
    /// The sketches of its documents, if they are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sketches: Option<SegmentName>,
    /// Tombstones: the numbers of its files that were removed or read again, ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dead: Vec<u32>,
    /// Files that were moved unchanged: number → new path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub moved: BTreeMap<u32, LosslessPath>,
}

impl Manifest {
    /// The manifest of an index without documents.
    pub fn empty(corpus: Corpus, rules: WalkRules, formats: Formats, recipe: Recipe) -> Self {
        Self {
            version: VERSION,
            generation: 0,
            content: 0,
            corpus,
            rules,
            formats,
            recipe,
            lexing: LEXING_VERSION,
            sketches: true,
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
    /// [`IndexError::Absent`] if there is none; [`IndexError::Version`]; [`IndexError::Damaged`];
    /// [`IndexError::Foreign`] if the file is not a manifest of this program.
    pub fn read(folder: &Folder) -> Result<Self, IndexError> {
        let bytes = folder.read(NAME)?.ok_or_else(|| IndexError::Absent(folder.path().to_owned()))?;
        Self::decode(&bytes, &folder.at(NAME)).or_else(|error| {
            home::check(folder)?;
            Err(error)
        })
    }

    /// Reads a manifest that has another file name.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_as(folder: &Folder, name: &str) -> Result<Self, IndexError> {
        let bytes = folder.read(name)?.ok_or_else(|| IndexError::Absent(folder.path().to_owned()))?;
        Self::decode(&bytes, &folder.at(name))
    }

    /// Decodes a manifest; `path` is for messages.
    pub fn decode(bytes: &[u8], path: &Path) -> Result<Self, IndexError> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let damaged = |detail| IndexError::damaged(path, detail);
        let text = str::from_utf8(bytes).map_err(|_| damaged("it is not text"))?;
        let (line, sum) = text.split_once('\n').ok_or_else(|| damaged("its checksum is missing"))?;
        if sum.trim_end() != checksum_line(line) {
            return Err(damaged("it does not agree with its checksum"));
        }
        let version: Version = serde_json::from_str(line).map_err(|_| damaged("it is not a manifest"))?;
        check_version(path, version.version, FORMAT_VERSION..=VERSION)?;
        let manifest: Self = serde_json::from_str(line).map_err(|_| damaged("it is not a manifest"))?;
        let manifest = Self { version: VERSION, ..manifest };
        // So no file outside of the folder is ever read as part of the index.
        if !manifest.files().all(|file| home::is_sealed_name(&file.name)) {
            return Err(damaged("it names a file that is not a file of an index"));
        }
        Ok(manifest)
    }

    /// Replaces the manifest in the folder by this one.
    pub fn commit(&self, folder: &Folder) -> Result<(), IndexError> {
        self.write_as(folder, NAME)
    }

    /// Writes the manifest under another file name.
    pub fn write_as(&self, folder: &Folder, name: &str) -> Result<(), IndexError> {
        let line = serde_json::to_string(self)
            .map_err(|error| StorageError::during("write", folder.at(name))(error.into()))?;
        let text = format!("{line}\n{}\n", checksum_line(&line));
        Ok(folder.replace(name, text.as_bytes())?)
    }

    /// Whether the manifest refers to the file of this name.
    pub fn names(&self, file: &str) -> bool {
        self.files().any(|named| named.name == file)
    }

    fn files(&self) -> impl Iterator<Item = &SegmentName> {
        let segments = self.segments.iter().map(|state| &state.segment);
        let sketches = self.segments.iter().filter_map(|state| state.sketches.as_ref());
        segments.chain(sketches).chain(&self.ranking)
    }
}

/// The version of the tokens of programs that do not say it.
fn first_lexing() -> u32 {
    1
}

/// What a manifest says of sketches if it says nothing.
fn kept() -> bool {
    true
}

fn is_kept(sketches: &bool) -> bool {
    *sketches
}

fn checksum_line(line: &str) -> String {
    format!("{:016x}", xxh3_64(line.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_base::corpus::SkipReason;

    fn manifest() -> Manifest {
        let corpus = Corpus { base: "/tmp".into(), roots: vec!["/tmp".into()] };
        let rules = WalkRules {
            hidden: false,
            no_ignore: false,
            follow: false,
            globs: vec!["*.c".into()],
            types: Vec::new(),
            types_not: Vec::new(),
            max_filesize: 9,
        };
        let mut manifest = Manifest::empty(corpus, rules, Formats::default(), Recipe::default());
        manifest.segments.push(ManifestSegment {
            segment: SegmentName { name: "00000001.segment".into(), length: 3, checksum: 4 },
            sketches: Some(SegmentName { name: "00000002.sketch".into(), length: 5, checksum: 6 }),
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
        for version in [FORMAT_VERSION - 1, VERSION + 1] {
            Manifest { version, ..manifest() }.commit(&folder).unwrap();
            let error = Manifest::read(&folder).unwrap_err();
            assert!(matches!(error, IndexError::Version { found, .. } if found == version));
            let sentence = error.to_string();
            assert!(sentence.contains("manifest.json") && sentence.contains("--rebuild"), "{sentence}");
        }
    }

    #[test]
    fn what_a_newer_program_wrote_is_refused_by_its_version_whatever_it_holds() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        Manifest { version: VERSION + 1, ..manifest() }.commit(&folder).unwrap();
        let whole = String::from_utf8(folder.read(NAME).unwrap().unwrap()).unwrap();
        let line = whole.lines().next().unwrap().replace("\"skipped\":[]", "\"skipped\":[{\"new\":1}]");
        let newer = format!("{line}\n{}\n", checksum_line(&line));
        let error = Manifest::decode(newer.as_bytes(), Path::new(NAME)).unwrap_err();
        assert!(
            matches!(error, IndexError::Version { .. }) && error.to_string().contains("newer"),
            "{error}"
        );
    }

    #[test]
    fn a_manifest_with_files_that_the_user_left_out_is_not_of_the_version_before() {
        // A program that reads only that version refuses it by name.
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let skipped = vec![Skipped::new("vendor", SkipReason::LeftOut)];
        Manifest { skipped, ..manifest() }.commit(&folder).unwrap();
        let written = String::from_utf8(folder.read(NAME).unwrap().unwrap()).unwrap();
        assert!(written.contains("\"left-out\"") && written.starts_with("{\"version\":3,"), "{written}");
        let refused = check_version(Path::new(NAME), VERSION, FORMAT_VERSION..=FORMAT_VERSION).unwrap_err();
        assert!(
            refused.to_string().contains("has format version 3, this program reads 2; use a newer dupi-tui")
        );
        // This program reads the version before, and writes its own.
        let older = Manifest { version: FORMAT_VERSION, ..manifest() };
        older.commit(&folder).unwrap();
        let read = Manifest::read(&folder).unwrap();
        assert_eq!(read, manifest());
        assert_eq!(read.version, VERSION);
    }
}
