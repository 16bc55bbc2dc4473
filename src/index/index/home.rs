//! Protects folders that do not belong to an index. Before anything is written or removed in a folder named for an
//! index, the folder must be empty or ours. Only files with names that only this program uses are ever removed.
//!
//! A folder is ours if it has one of these:
//!
//! - a manifest, even if it is damaged after its beginning or of another version;
//! - a sealed file, recognised by its name and its first bytes;
//! - a writer's lock that was signed by a process of this program;
//! - decisions: a readable list that is not empty.
//!
//! It counts as empty if all names in it are those of decisions, or of files that a process which died early
//! leaves. A `manifest.json` of another program is never overwritten, except in a folder that is ours.

use std::io::{ErrorKind, Read};

use serde::{Deserialize, Serialize};

use super::IndexError;
use crate::taboo;

use dupi_base::storage::map::FileBytes;
use dupi_base::storage::{Folder, StorageError, TEMPORARY, is_signed};

/// The manifest's file name.
pub const MANIFEST: &str = "manifest.json";
/// The name of the writer's lock file.
pub const LOCK: &str = "writer.lock";
/// The file name of the screen's saved state.
pub const SCREEN: &str = "screen.json";
/// The name of the file that tells what the passages were when the screen was left.
pub const VISIT: &str = "visit.seen";

/// The first bytes of a sealed file.
const MARK: &[u8] = b"dupi ";
/// Kinds of sealed files.
const KINDS: [&str; 3] = ["segment", "sketch", "ranking"];
/// The minimal number of digits in the name of a sealed file.
const DIGITS: usize = 8;
/// The beginning of the names of kept passages, the digits behind it, and the endings.
const KEPT: &str = "passages-";
const ENDINGS: [&str; 2] = [".kept", ".hidden"];
const KEPT_DIGITS: usize = 16;
/// How many bytes of a file are read to recognise it.
const BEGINNING: u64 = 64;

/// The name of the sealed file with this number.
pub(super) fn sealed_name(number: u64, kind: &str) -> String {
    format!("{number:08}.{kind}")
}

/// Whether a name has the form of a sealed file's name.
pub(super) fn is_sealed_name(name: &str) -> bool {
    let is_number = |number: &str| number.len() >= DIGITS && number.bytes().all(|byte| byte.is_ascii_digit());
    name.split_once('.').is_some_and(|(number, kind)| is_number(number) && KINDS.contains(&kind))
}

/// The name of the file that keeps the passages of a search with the settings of this fingerprint.
pub fn kept_name(settings: u64) -> String {
    format!("{KEPT}{settings:0width$x}{}", ENDINGS[0], width = KEPT_DIGITS)
}

/// The name of the file beside it that keeps which of the passages are hidden.
pub fn hidden_name(settings: u64) -> String {
    format!("{KEPT}{settings:0width$x}{}", ENDINGS[1], width = KEPT_DIGITS)
}

/// The fingerprint in a name of [`kept_name`] or [`hidden_name`]; `None` if it is neither.
pub fn kept_settings(name: &str) -> Option<u64> {
    let rest = name.strip_prefix(KEPT)?;
    let digits = ENDINGS.iter().find_map(|ending| rest.strip_suffix(ending))?;
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let is_number = digits.len() == KEPT_DIGITS && digits.bytes().all(is_digit);
    u64::from_str_radix(digits, 16).ok().filter(|_| is_number)
}

/// Whether a name has the form of a name of [`kept_name`] or [`hidden_name`].
pub fn is_kept_name(name: &str) -> bool {
    kept_settings(name).is_some()
}

/// Whether a draft's name, without its prefix, is that of a draft of [`SCREEN`] or [`VISIT`].
pub(super) fn is_draft_of_screen(name: &str) -> bool {
    numbered(name).is_some_and(|of| [SCREEN, VISIT].contains(&of))
}

/// Whether a draft's name, without its prefix, is that of a draft of kept passages.
pub(super) fn is_kept_draft(name: &str) -> bool {
    numbered(name).is_some_and(is_kept_name)
}

/// What a unique draft will be; `None` if the name has no number.
fn numbered(name: &str) -> Option<&str> {
    let (of, number) = name.rsplit_once('-')?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(of)
}

/// Refuses a folder that is neither ours nor empty.
///
/// # Errors
/// [`IndexError::Foreign`], with the name of a file that is not ours.
pub fn check(folder: &Folder) -> Result<(), IndexError> {
    let foreign =
        |name: &str| Err(IndexError::Foreign { path: folder.path().to_owned(), name: name.to_owned() });
    let manifest = first_bytes(folder, MANIFEST)?;
    if manifest.as_deref().is_some_and(is_manifest) {
        return Ok(());
    }
    let names = names(folder)?;
    let is_marked = |name: &&String| {
        (is_sealed_name(name) || is_kept_name(name))
            && matches!(first_bytes(folder, name), Ok(Some(bytes)) if bytes.starts_with(MARK))
    };
    let lock = first_bytes(folder, LOCK)?;
    if lock.as_deref().is_some_and(is_signed) || names.iter().any(|name| is_marked(&name)) {
        return Ok(());
    }
    if manifest.is_some() {
        return foreign(MANIFEST);
    }
    if taboo::has_decisions(folder) {
        return Ok(());
    }
    let is_of_others = |name: &&String| match &***name {
        LOCK => lock.as_ref().is_some_and(|bytes| !bytes.is_empty()),
        name => match name.strip_prefix(TEMPORARY) {
            Some(whole) => {
                let is_draft = whole == MANIFEST || is_sealed_name(whole) || is_kept_draft(whole);
                !(is_draft || taboo::is_decision_file(whole))
            }
            None => !taboo::is_decision_file(name),
        },
    };
    names.iter().find(is_of_others).map_or(Ok(()), |name| foreign(name))
}

/// Whether a file begins like a manifest of any version.
fn is_manifest(bytes: &[u8]) -> bool {
    let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let version = bytes.strip_prefix(b"{\"version\":").unwrap_or_default();
    let rest = version.get(digits(version)..).unwrap_or_default();
    digits(version) > 0 && rest.starts_with(b",\"generation\":")
}

/// The first bytes of a file; `None` if it does not exist.
fn first_bytes(folder: &Folder, name: &str) -> Result<Option<Vec<u8>>, StorageError> {
    let file = match folder.open(name) {
        Err(error) if matches!(error.source.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        file => file?,
    };
    let mut bytes = Vec::new();
    file.take(BEGINNING).read_to_end(&mut bytes).map_err(StorageError::during("read", folder.at(name)))?;
    Ok(Some(bytes))
}

/// All names in a folder; none if it does not exist.
fn names(folder: &Folder) -> Result<Vec<String>, StorageError> {
    match folder.names() {
        Err(error) if error.source.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        names => names,
    }
}

// How a manifest names a sealed file, and how that is opened.

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

impl SegmentName {
    /// Opens the file and checks its length.
    pub(super) fn open(&self, folder: &Folder) -> Result<FileBytes, IndexError> {
        let path = folder.at(&self.name);
        let file = folder.open(&self.name).map_err(|error| match error.source.kind() {
            ErrorKind::NotFound => IndexError::damaged(&path, "it is missing"),
            _ => error.into(),
        })?;
        let found = file.metadata().map_err(StorageError::during("read", &path))?.len();
        if found != self.length {
            return Err(IndexError::damaged(path, "its length does not agree with the manifest"));
        }
        Ok(FileBytes::open(file, self.length).map_err(StorageError::during("read", path))?)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_exact_names_are_ours() {
        for name in ["00000001.segment", "00000002.sketch", "12345678.ranking", "123456789.segment"] {
            assert!(is_sealed_name(name), "{name}");
        }
        for name in "part1.segment|1.segment|1234567.segment|0000000x.segment|00000001.txt|00000001|００００００００.segment|\
            00000001.segment.bak|.segment".split('|') {
            assert!(!is_sealed_name(name), "{name}");
        }
        assert_eq!(sealed_name(7, "segment"), "00000007.segment");
        assert!(is_sealed_name(&sealed_name(u64::MAX, "ranking")));
        assert!(is_draft_of_screen("visit.seen-7") && !is_draft_of_screen("visit.seen"));
        assert!(is_draft_of_screen("screen.json-0") && !is_draft_of_screen("screen.json-"));
        assert!(!is_draft_of_screen("screen.json") && !is_draft_of_screen("screen.json-x"));
        for settings in [0, 7, u64::MAX] {
            for name in [kept_name(settings), hidden_name(settings)] {
                assert_eq!(kept_settings(&name), Some(settings));
                assert!(is_kept_draft(&format!("{name}-12")), "{name}");
                assert!(!is_kept_draft(&name) && !is_sealed_name(&name) && !is_draft_of_screen(&name));
            }
        }
        for name in ["passages-.kept", "passages-0123456789abcde.kept", "passages-0123456789abcdeF.kept"] {
            assert!(!is_kept_name(name) && !is_kept_draft(&format!("{name}-1")), "{name}");
        }
        assert!(!is_kept_name("passages-0123456789abcdef.kept.bak"));
    }

    /// The file name for which a folder with these files is refused.
    fn refused(files: &[(&str, &str)]) -> Option<String> {
        let place = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(place.path().join(name), text).unwrap();
        }
        match check(&Folder::new(place.path())) {
            Ok(()) => None,
            Err(IndexError::Foreign { name, .. }) => Some(name),
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn a_folder_is_ours_by_files_that_only_this_program_writes() {
        assert!(check(&Folder::new("/no/such/folder")).is_ok());
        let decided = "[[taboo]]\ntext = 'a'\nadded = '2026-01-02'\n";
        for files in [
            &[][..],
            &[("manifest.json", "{\"version\":7,\"generation\":1, and rubbish"), ("others", "")],
            &[("manifest.json", "rubbish"), ("00000001.segment", "dupi seg…")],
            &[("manifest.json", ""), ("writer.lock", "process 7 on a machine"), ("others", "")],
            &[("taboo.toml", decided), (".gitignore", "*")],
            &[("taboo.toml", "spoilt"), ("taboo.lock", ""), ("decisions.jsonl", "spoilt")],
            &[("writer.lock", ""), ("tmp-manifest.json", "{"), ("tmp-00000001.segment", "")],
            &[("passages-0123456789abcdef.kept", "dupi kep…"), ("others", "")],
            &[("tmp-passages-0123456789abcdef.kept-0", "")],
        ] {
            assert_eq!(refused(files), None, "{files:?}");
        }
        for (files, name) in [
            (&[("manifest.json", "{\"name\": 3}")][..], "manifest.json"),
            (&[("manifest.json", "{\"version\":3,\"name\":3}"), ("taboo.toml", decided)], "manifest.json"),
            (&[("part1.segment", "dupi seg")], "part1.segment"),
            (&[("00000001.segment", "of others")], "00000001.segment"),
            (&[("writer.lock", "of others")], "writer.lock"),
            (&[("screen.json", "{}")], "screen.json"),
            (&[("mounted", "/")], "mounted"),
            (&[("taboo.toml", ""), (".gitignore", "*")], ".gitignore"),
            (&[("tmp-x", "")], "tmp-x"),
            (&[("passages-0123456789abcdef.kept", "of others")], "passages-0123456789abcdef.kept"),
            (&[("tmp-passages-x.kept-0", "")], "tmp-passages-x.kept-0"),
        ] {
            assert_eq!(refused(files).as_deref(), Some(name), "{files:?}");
        }
    }
}
