//! Writes lists of files of clusters: those to keep, or those to drop. Nothing is deleted.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::protocol::{WriteResult, counted};
use crate::rows::Item;
use crate::rows::list_row::RowSource;
use dupi_base::storage::shown;
use dupi_near::kept_files::{FileList, KeptGroup, ListedFiles, kept_files};

use super::export::write;

/// The memory in which documents are read to prove that they are identical.
const MEMORY: u64 = 256 << 20;

/// The endings of file names that ask for a list: what is listed, and the byte behind each path.
const ENDINGS: [(&str, ListedFiles, u8); 4] = [
    ("keep", ListedFiles::Keep, b'\n'),
    ("drop", ListedFiles::Drop, b'\n'),
    ("keep0", ListedFiles::Keep, 0),
    ("drop0", ListedFiles::Drop, 0),
];

/// Writes a list of the files of some clusters, if the name of the file asks for one and the rows are clusters or members
/// of them.
pub(super) fn write_list(
    source: &RowSource,
    rows: &[Item],
    file: &Path,
    replace: bool,
) -> Option<WriteResult> {
    let (_, listed, end) =
        ENDINGS.into_iter().find(|(ending, ..)| file.extension().is_some_and(|of| of == *ending))?;
    let groups: Vec<Vec<KeptGroup>> = rows.iter().filter_map(|row| row.row().kept_groups(source)).collect();
    if groups.is_empty() {
        return None;
    }
    // The documents are numbered as in the generation in which the clusters were found.
    let list = kept_files(&source.clusters?.snapshot, groups.into_iter().flatten(), listed, MEMORY);
    let bytes = match bytes_of(&list, end) {
        Ok(bytes) => bytes,
        Err(sentence) => return Some(WriteResult::Failed(sentence)),
    };
    let what = match listed {
        ListedFiles::Keep => ["file to keep", "files to keep"],
        ListedFiles::Drop => ["file to drop", "files to drop"],
    };
    let written = write(file, &bytes, replace, &counted(list.files.len() as u64, what));
    Some(match written {
        WriteResult::Done(sentence) => {
            let left_out = list.left_out("written", "an export to .jsonl names");
            let left_out = left_out.into_iter().map(|sentence| format!(" {sentence}."));
            WriteResult::Done(sentence + &left_out.collect::<String>())
        }
        other => other,
    })
}

/// The paths, each with a byte behind it; a sentence if one of them has that byte.
fn bytes_of(list: &FileList, end: u8) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for path in &list.files {
        if path.as_os_str().as_bytes().contains(&end) {
            return Err(format!(
                "the path {} has a line break; let the name of the list end in .keep0 or .drop0",
                shown(path)
            ));
        }
        bytes.extend_from_slice(path.as_os_str().as_bytes());
        bytes.push(end);
    }
    Ok(bytes)
}
