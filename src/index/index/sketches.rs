//! The sketches of a segment's documents, in a sealed file beside it.
//!
//! ```text
//! magic · version u32 · tokens of a shingle u32 · hashes of a signature u32 · documents u32
//! sketches, one a document
//! ```
//!
//! The file is optional. Without it, or if it is damaged, the documents are read when they are compared, so nothing is
//! lost with it. The manifest has its checksum, which is compared when its sketches are asked for.

use std::path::PathBuf;
use std::sync::OnceLock;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::home::SegmentName;
use super::{FORMAT_VERSION, IndexError};
use dupi_base::storage::map::FileBytes;
use dupi_base::storage::{Draft, Folder, shown};
use dupi_text::sketch::{HASHES, Sketch, USUAL_SHINGLE};

const MAGIC: &[u8; 8] = b"dupi skt";

/// The first bytes of a file of sketches of `documents` documents.
fn header(documents: usize) -> Vec<u8> {
    let numbers = [FORMAT_VERSION, USUAL_SHINGLE.get() as u32, HASHES as u32, documents as u32];
    [&MAGIC[..], numbers.map(u32::to_le_bytes).as_flattened()].concat()
}

/// The sketches of the documents of a batch, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SketchRows(Vec<u8>);

impl SketchRows {
    /// Adds the sketch of the next document. A document without tokens has none.
    pub fn push(&mut self, sketch: Option<&Sketch>) {
        self.0.extend_from_slice(&sketch.map_or(Sketch::NONE, Sketch::to_bytes));
    }
}

/// Writes the sketches of a segment.
pub(super) struct SketchWriter {
    draft: Draft,
    name: String,
    sum: Xxh3,
}

impl SketchWriter {
    /// Begins the file `name` in `folder`, for `documents` documents.
    pub(super) fn create(folder: &Folder, name: &str, documents: usize) -> Result<Self, IndexError> {
        let mut writer = Self { draft: folder.draft(name)?, name: name.to_owned(), sum: Xxh3::new() };
        writer.write(&header(documents))?;
        Ok(writer)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), IndexError> {
        self.sum.update(bytes);
        Ok(self.draft.write(bytes)?)
    }

    /// Adds sketches.
    pub(super) fn push(&mut self, rows: &SketchRows) -> Result<(), IndexError> {
        self.write(&rows.0)
    }

    /// Adds the sketch of a document.
    pub(super) fn push_one(&mut self, sketch: Option<&Sketch>) -> Result<(), IndexError> {
        self.write(&sketch.map_or(Sketch::NONE, Sketch::to_bytes))
    }

    /// Seals the file.
    pub(super) fn seal(self) -> Result<SegmentName, IndexError> {
        let (length, checksum) = (self.draft.written(), self.sum.digest());
        self.draft.seal()?;
        Ok(SegmentName { name: self.name, length, checksum })
    }
}

/// The sketches of the documents of a segment.
#[derive(Clone, Copy, Debug)]
pub struct Sketches<'a>(&'a [[u8; Sketch::BYTES]]);

impl<'a> Sketches<'a> {
    /// Reads the bytes of a file, which must be for `documents` documents.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn decode(bytes: &'a [u8], documents: usize) -> Result<Self, &'static str> {
        let rows = bytes.strip_prefix(&header(documents)[..]);
        let rows = rows.ok_or("it is of another version, or not for the documents of its segment")?;
        let (rows, more) = rows.as_chunks();
        if rows.len() != documents || !more.is_empty() {
            return Err("it is not for the documents of its segment");
        }
        Ok(Self(rows))
    }

    /// The sketch of a document; none if it has no tokens, or could not be read when the sketches were made.
    pub fn get(&self, document: u32) -> Option<Sketch> {
        self.0.get(document as usize).and_then(Sketch::of_bytes)
    }
}

/// Why the sketches of a segment are not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is not used, because {detail}: the documents are read instead", shown(path))]
pub struct SketchesError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub detail: &'static str,
}

/// An open file of sketches, or what was wrong when it was opened.
#[derive(Debug)]
pub(super) struct SketchFile {
    name: SegmentName,
    path: PathBuf,
    file: Result<FileBytes, &'static str>,
    documents: usize,
    /// What is wrong with it; computed on first use.
    checked: OnceLock<Result<(), &'static str>>,
}

impl SketchFile {
    /// Opens the file that the manifest names, for a segment of `documents` documents. The file stays readable when its name is
    /// removed.
    pub(super) fn open(folder: &Folder, name: &SegmentName, documents: usize) -> Self {
        let file = name.open(folder).map_err(|error| match error {
            IndexError::Damaged { detail, .. } => detail,
            _ => "it cannot be opened",
        });
        let checked = OnceLock::new();
        Self { name: name.clone(), path: folder.at(&name.name), file, documents, checked }
    }

    /// Whether it could be opened.
    pub(super) fn is_open(&self) -> bool {
        self.file.is_ok()
    }

    /// As the manifest names it.
    pub(super) fn name(&self) -> &SegmentName {
        &self.name
    }

    /// The sketches.
    pub(super) fn sketches(&self) -> Result<Sketches<'_>, SketchesError> {
        self.checked().map_err(|detail| SketchesError { path: self.path.clone(), detail })
    }

    fn checked(&self) -> Result<Sketches<'_>, &'static str> {
        let file = self.file.as_ref().map_err(|detail| *detail)?;
        let is_whole = || {
            file.expect(0, self.name.length);
            let is_whole = xxh3_64(file) == self.name.checksum;
            is_whole.then_some(()).ok_or("it does not agree with its checksum")
        };
        (*self.checked.get_or_init(is_whole))?;
        Sketches::decode(file, self.documents)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn sketch(number: u8) -> Option<Sketch> {
        (!number.is_multiple_of(3)).then(|| Sketch {
            bag: u128::from(number) + 1,
            fingerprint: u64::from(number),
            signature: [number; HASHES],
        })
    }

    fn written(folder: &Folder) -> SegmentName {
        let mut writer = SketchWriter::create(folder, "00000001.sketch", 7).unwrap();
        let mut rows = SketchRows::default();
        (0..4).for_each(|number| rows.push(sketch(number).as_ref()));
        writer.push(&rows).unwrap();
        (4..7).for_each(|number| writer.push_one(sketch(number).as_ref()).unwrap());
        writer.seal().unwrap()
    }

    #[test]
    fn sketches_are_read_back_in_the_order_of_the_documents() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let file = SketchFile::open(&folder, &written(&folder), 7);
        let sketches = file.sketches().unwrap();
        assert_eq!(
            (0..8).map(|at| sketches.get(at)).collect::<Vec<_>>(),
            (0..7).map(sketch).chain([None]).collect::<Vec<_>>()
        );
        let error = SketchFile::open(&folder, file.name(), 6).sketches().unwrap_err().to_string();
        assert!(error.contains("00000001.sketch") && error.contains("read instead"), "{error}");
    }

    #[test]
    fn every_flipped_byte_and_every_cut_is_noticed() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let name = written(&folder);
        let whole = folder.read(&name.name).unwrap().unwrap();
        for at in (0..whole.len()).step_by(7).chain(0..header(7).len()) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            for bytes in [&bytes[..], &whole[..at]] {
                fs::write(folder.at(&name.name), bytes).unwrap();
                assert!(SketchFile::open(&folder, &name, 7).sketches().is_err(), "{at}");
            }
        }
        fs::remove_file(folder.at(&name.name)).unwrap();
        let error = SketchFile::open(&folder, &name, 7).sketches().unwrap_err();
        assert_eq!(error.detail, "it is missing");
    }
}
