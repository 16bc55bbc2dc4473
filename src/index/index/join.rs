//! Makes one index of segments that other indexes have. The sealed files are taken over as they are.

use super::home::SegmentName;
use super::manifest::{Manifest, ManifestSegment};
use super::snapshot::Snapshot;
use super::writer::{IndexWriter, lock, make_folder, successor};
use super::{IndexError, home};
use dupi_base::storage::Folder;

/// An index whose segments are taken over.
#[derive(Clone, Debug)]
pub struct JoinedIndex {
    /// Its folder.
    pub folder: Folder,
    /// The generation that is taken over.
    pub manifest: Manifest,
}

/// Whether an index can be made in `folder` now: no process writes there, and there is no index, or it is to be replaced.
///
/// # Errors
/// Those of [`IndexWriter::join`], and those of a manifest that cannot be read.
pub fn is_vacant(folder: &Folder, replace: bool) -> Result<bool, IndexError> {
    home::check(folder)?;
    // Taking the lock makes its file, and nothing was asked to be written yet.
    let _lock = folder.at(home::LOCK).exists().then(|| lock(folder)).transpose()?;
    is_free_of_index(folder, replace)
}

/// Whether there is no index in `folder`, or it is to be replaced. A damaged or newer one is not taken for none.
fn is_free_of_index(folder: &Folder, replace: bool) -> Result<bool, IndexError> {
    match Manifest::read(folder) {
        _ if replace => Ok(true),
        Ok(_) => Ok(false),
        Err(IndexError::Absent(_)) => Ok(true),
        Err(error) => Err(error),
    }
}

impl IndexWriter {
    /// Makes an index in `folder` with the segments of other indexes, in their order, and with the rest of `manifest`.
    /// It replaces an existing index by one rename, so after a failure that is still there. Returns `None` if there is
    /// one that is not to be replaced.
    ///
    /// # Errors
    /// [`IndexError::Locked`] if another process writes the index; [`IndexError::Damaged`] if a segment does not agree
    /// with its manifest.
    pub fn join(
        folder: &Folder,
        manifest: Manifest,
        joined: &[JoinedIndex],
        replace: bool,
    ) -> Result<Option<Self>, IndexError> {
        let lock = make_folder(folder)?;
        // Under the lock: an index may have been made since the caller looked.
        if !is_free_of_index(folder, replace)? {
            return Ok(None);
        }
        let mut manifest = Manifest { segments: Vec::new(), ranking: None, ..successor(folder, manifest) };
        for index in joined {
            let mut take_in = |sealed: &SegmentName, kind| {
                let name = home::sealed_name(manifest.next_file, kind);
                manifest.next_file += 1;
                folder.take_in(&index.folder, &sealed.name, &name)?;
                Ok::<_, IndexError>(SegmentName { name, ..sealed.clone() })
            };
            for state in &index.manifest.segments {
                let segment = take_in(&state.segment, "segment")?;
                let sketches = state.sketches.as_ref().map(|sealed| take_in(sealed, "sketch")).transpose()?;
                manifest.segments.push(ManifestSegment { segment, sketches, ..state.clone() });
            }
        }
        // Before the manifest names the files.
        folder.sync()?;
        // Opened before the rename: a file that was damaged on the way must not become part of an index.
        let snapshot = Snapshot::with_segments(folder, manifest, &[])?;
        snapshot.manifest().commit(folder)?;
        Ok(Some(Self::with_lock(folder, snapshot, lock)))
    }
}
