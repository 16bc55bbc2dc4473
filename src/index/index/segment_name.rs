//! The names of sealed files in a manifest.

use serde::{Deserialize, Serialize};

/// The reference to a sealed file in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentName {
    /// The file's name in the index's folder.
    pub name: String,
    /// Its length in bytes.
    pub length: u64,
    /// Of a segment xxh3-64 of its footer, which has the checksums of the rest; of other files that of all bytes.
    pub checksum: u64,
}
