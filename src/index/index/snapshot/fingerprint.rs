//! What tells whether two processes see the same files of the same segments.

use std::os::unix::ffi::OsStrExt;

use xxhash_rust::xxh3::Xxh3;

use super::Snapshot;

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
