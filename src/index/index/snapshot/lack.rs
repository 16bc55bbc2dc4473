//! What is told of a snapshot: what it lacks, its fingerprint, and parts of it.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use xxhash_rust::xxh3::Xxh3;

use super::{DeadFiles, LiveSegment, Snapshot};

use dupi_base::corpus::{SkipReason, Skipped};
use dupi_base::storage::shown;

/// How many files and folders a sentence names.
const NAMED: usize = 3;

/// What is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    /// What it is, and why.
    pub sentence: String,
    /// Whether there are no documents because none could be read: any answer would be wrong.
    pub is_failure: bool,
}

impl Snapshot {
    /// What the index lacks of its corpus, by what the last update met. Files that could not be read *then* are told of with
    /// each answer ([`Snapshot::unread`]), unless there is nothing else.
    pub fn lack(&self) -> Option<Lack> {
        let is_empty = self.totals().documents == 0;
        let is_missing = |entry: &&Skipped| match entry.reason {
            SkipReason::Unreadable(_) | SkipReason::Rules(_) => true,
            SkipReason::NotNow(_) => is_empty,
            _ => false,
        };
        let missing: Vec<&Skipped> = self.manifest.skipped.iter().filter(is_missing).collect();
        match (missing.len(), is_empty) {
            (0, false) => None,
            (0, true) => Some(Lack { sentence: self.no_documents(), is_failure: false }),
            (count, _) => {
                let what = match (is_empty, count) {
                    (true, _) => "no document could be read".to_owned(),
                    (_, 1) => "1 file or folder could not be read".to_owned(),
                    _ => format!("{count} files or folders could not be read"),
                };
                let named = missing.iter().take(NAMED).map(|entry| self.refused(entry));
                let named = named.collect::<Vec<_>>().join(", ");
                let others = if count > NAMED { " and others" } else { "" };
                let sentence = format!("{what}: {named}{others}; correct the cause and try again");
                Some(Lack { sentence, is_failure: is_empty })
            }
        }
    }

    fn refused(&self, entry: &Skipped) -> String {
        let base = &self.manifest.corpus.base;
        // A root itself has no name below the base.
        let path = if entry.path.as_os_str().is_empty() { base.clone() } else { base.join(&entry.path) };
        format!("{} ({})", shown(&path), entry.reason)
    }

    fn no_documents(&self) -> String {
        let roots = &self.manifest.corpus.roots;
        let place = if let [only] = &roots[..] { only } else { &self.manifest.corpus.base };
        let mut left_out = BTreeMap::new();
        for entry in self.skipped() {
            *left_out.entry(entry.reason.category()).or_insert(0) += entry.count();
        }
        let left_out: Vec<String> = left_out.iter().map(|(why, count)| format!("{count} {why}")).collect();
        let why = match left_out.is_empty() {
            true => "it has no file that is not hidden, ignored, or excluded by --glob or --type".to_owned(),
            false => format!("its files are left out ({})", left_out.join(", ")),
        };
        format!("there is no document in {}: {why}", shown(place))
    }
}

// What tells whether two processes see the same files of the same segments.

impl Snapshot {
    /// A fingerprint of the segments and of the files that are asked for, with their paths. What a commit changes besides,
    /// such as the ranking, does not count.
    pub fn fingerprint(&self) -> u128 {
        let mut hash = Xxh3::new();
        for live in self.segments() {
            hash.update(format!("{:?}\n", live.name()).as_bytes());
        }
        for file in self.files() {
            hash.update(&[file.segment, file.file].map(u32::to_le_bytes).concat());
            hash.update(self.path(file).as_os_str().as_bytes());
            hash.update(&[0]);
        }
        hash.digest128()
    }
}

// A part of a generation: the same index as if it had only some of its files.

impl Snapshot {
    /// The same generation as if it had only some files: those whose paths are meant.
    pub fn only(&self, is_meant: &dyn Fn(&Path) -> bool) -> Self {
        let segments = self.segments.iter().map(|live| live.only(is_meant)).collect();
        Self { segments, totals: Arc::default(), is_part: true, ..self.clone() }
    }

    /// Whether files are left out that the generation has. What is kept in the folder of the index is about all of them.
    pub fn is_part(&self) -> bool {
        self.is_part
    }
}

impl LiveSegment {
    /// The same segment, where other files count as dead.
    fn only(&self, is_meant: &dyn Fn(&Path) -> bool) -> Self {
        let mut dead = self.dead.0.to_vec();
        let left_out = self.live_files().filter(|&file| !is_meant(self.path(file)));
        let mut is_whole = self.whole;
        for file in left_out {
            dead[file as usize / 64] |= 1 << (file % 64);
            is_whole = false;
        }
        Self { dead: DeadFiles(dead.into()), whole: is_whole, ..self.clone() }
    }
}
