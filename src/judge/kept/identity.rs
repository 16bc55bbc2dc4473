//! What a kept result belongs to: the settings of its search, and the content of the documents.
//!
//! The content is a sum over the live text files, by path and bytes. So it is the same after a merge of segments, after
//! a rebuild, and when files were only touched; the numbers of documents in segments do not matter.

use std::os::unix::ffi::OsStrExt;

use rayon::prelude::*;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::search::SearchSettings;
use dupi_index::index::snapshot::{FileId, Snapshot};
use dupi_passage::search::{SEARCH_VERSION, is_read_whole};

/// A fingerprint of everything besides the documents that a result depends on, except the memory limit.
pub(super) fn of_settings(snapshot: &Snapshot, settings: &SearchSettings) -> u128 {
    let manifest = snapshot.manifest();
    let SearchSettings { measure, across, consistent, patterns, memory: _ } = settings;
    // A new program may read, judge or sort texts in another way.
    let program = (SEARCH_VERSION, env!("CARGO_PKG_VERSION"));
    let kinds = patterns.fingerprint();
    let corpus = (manifest.recipe, &manifest.formats, manifest.rules.max_filesize);
    xxh3_128(format!("{program:?} {corpus:?} {measure:?} {across} {consistent} {kinds}").as_bytes())
}

/// The live text files of a snapshot.
pub(super) struct Content {
    /// A fingerprint of their paths and bytes.
    pub(super) hash: u128,
    /// The files, each with a fingerprint of its path and bytes.
    pub(super) files: Vec<(u64, FileId)>,
}

impl Content {
    /// Those of a snapshot.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let files: Vec<FileId> = snapshot.texts().collect();
        let hashed = |&file: &FileId| {
            let path = xxh3_64(snapshot.path(file).as_os_str().as_bytes());
            let text = snapshot.segment(file.segment).table().hash(file.file);
            let fingerprint = xxh3_128(&[path.to_le_bytes(), text.to_le_bytes()].concat());
            (fingerprint, (fingerprint as u64, file))
        };
        let (sums, files): (Vec<u128>, Vec<(u64, FileId)>) = files.par_iter().map(hashed).unzip();
        let sum = sums.iter().fold(0_u128, |sum, of_file| sum.wrapping_add(*of_file));
        // A small corpus is searched in another way than a large one.
        let words = [sum, files.len() as u128, u128::from(is_read_whole(snapshot))];
        Self { hash: xxh3_128(&words.map(u128::to_le_bytes).concat()), files }
    }
}
