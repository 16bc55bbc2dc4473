//! Exports rows with all their verified copies to a file, in the format of its name. An existing file is overwritten only
//! on request.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::known::Found;
use crate::known::clusters::{ClusterRef, KnownClusters};
use crate::protocol::{Item, Likeness, WriteResult, counted, member_hash};
use crate::rows::list_row::{CopySource, RowReaders};
use dupi_base::storage::{Folder, StorageError, in_words, shown};
use dupi_near::kept_files::{FileList, KeptGroup, ListedFiles, kept_files};
use dupi_near::settings::Identity;
use dupi_near::trees::{DifferenceKind, TreeCluster, TreeFolder};
use dupi_report::{Format, ReportSettings, format_of};

/// Writes a report of some rows to a file, or a list of files of clusters if the name of the file asks for one.
pub(super) fn export(found: &Found, rows: &[Item], file: &Path, replace: bool) -> WriteResult {
    if let Some(written) = write_list(found, rows, file, replace) {
        return written;
    }
    let made =
        format_of(file).map_err(|error| error.to_string()).and_then(|format| report_of(found, rows, format));
    match made {
        Ok((report, count)) => write(file, &report, replace, &counted(count, ["row", "rows"])),
        Err(why) => WriteResult::Failed(why),
    }
}

/// A report of some rows, and how many rows it has. A row whose text is gone is left out.
fn report_of(found: &Found, rows: &[Item], format: Format) -> Result<(Vec<u8>, u64), String> {
    let settings = ReportSettings::below(&found.snapshot.manifest().corpus.base);
    let (mut report, mut bytes, mut count) = ((format.report)(&settings), Vec::new(), 0);
    let unwritten = |error: io::Error| format!("cannot write a row: {error}");
    report.begin(&mut bytes).map_err(unwritten)?;
    let mut readers = RowReaders::new(found);
    readers.needs_texts = format.needs_texts;
    for row in rows {
        for exported in row.row().export(found, &mut readers).map_err(|error| error.to_string())? {
            count += 1;
            report.row(&*exported, &mut bytes).map_err(unwritten)?;
        }
    }
    report.end(&mut bytes).map_err(unwritten)?;
    Ok((bytes, count))
}

/// Writes a file atomically; the result says that `what` was written. An existing file is not changed unless `replace` is
/// set.
pub(super) fn write(file: &Path, text: &[u8], replace: bool, what: &str) -> WriteResult {
    let failed = |error: StorageError| WriteResult::Failed(refusal(file, &error));
    if !replace {
        // Creates the file, so that no other process can take the name.
        match File::create_new(file) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return WriteResult::Exists(file.to_owned());
            }
            Err(error) => return failed(StorageError::during("create", file)(error)),
        }
    }
    match replaced(file, text) {
        Ok(()) => WriteResult::Done(format!("{what} written to {}.", whole(file))),
        Err(error) => {
            if !replace {
                let _ = fs::remove_file(file);
            }
            failed(error)
        }
    }
}

/// The absolute path of a file, for a message.
fn whole(file: &Path) -> String {
    shown(&std::path::absolute(file).unwrap_or_else(|_| file.to_owned())).to_string()
}

/// The error message, with the remedy for a file that the user has named.
fn refusal(file: &Path, error: &StorageError) -> String {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let remedy = match (error.source.kind(), folder) {
        (ErrorKind::NotFound, Some(folder)) => format!("make the folder {} first", shown(folder)),
        (ErrorKind::StorageFull | ErrorKind::QuotaExceeded, _) => "make room on its disk".to_owned(),
        _ => "name another file".to_owned(),
    };
    format!("cannot {} {}: {}; {remedy}", error.action, shown(file), in_words(&error.source))
}

fn replaced(file: &Path, text: &[u8]) -> Result<(), StorageError> {
    let unnamed = || StorageError::during("write", file)(io::Error::from(ErrorKind::InvalidFilename));
    let name = file.file_name().and_then(|name| name.to_str()).ok_or_else(unnamed)?;
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => Folder::new(folder),
        _ => Folder::new("."),
    };
    // If the path is a symbolic link, its target is replaced.
    folder.named(name)?.replace(text)
}

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
fn write_list(found: &Found, rows: &[Item], file: &Path, replace: bool) -> Option<WriteResult> {
    let (_, listed, end) =
        ENDINGS.into_iter().find(|(ending, ..)| file.extension().is_some_and(|of| of == *ending))?;
    let known = found.clusters.as_ref()?;
    let groups = |row: &Item| match row.row().facts().source {
        CopySource::Cluster(id, member) => Some(kept_groups(known, known.number(id)?, member)),
        _ => None,
    };
    let groups: Vec<Vec<KeptGroup>> = rows.iter().filter_map(groups).collect();
    if groups.is_empty() {
        return None;
    }
    // The documents are numbered as in the generation in which the clusters were found.
    let list = kept_files(&known.snapshot, groups.into_iter().flatten(), listed, MEMORY);
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

/// Which documents of the cluster with a number are kept, and which are not: of all members, or of the one with a name
/// (see [`member_hash`]). Of folders these are the documents that are the same as in the first one.
fn kept_groups(known: &KnownClusters, number: u32, member: Option<u64>) -> Vec<KeptGroup> {
    let is_meant = |path: &Path, record| member.is_none_or(|name| name == member_hash(path, record));
    match known.cluster(number) {
        ClusterRef::Trees(tree) => groups_of_trees(known, tree, |folder| is_meant(&folder.path, None)),
        ClusterRef::Documents(..) => {
            let mut members = known.documents(number).into_iter().zip(known.members(number));
            let Some((kept, _)) = members.next() else { return Vec::new() };
            let others = members.filter(|(_, of)| is_meant(&of.path, of.record)).map(|(id, _)| id).collect();
            let is_identical = known.entries()[number as usize].likeness == Likeness::Identical;
            vec![KeptGroup { kept, others, identity: is_identical.then_some(Identity::Tokens) }]
        }
    }
}

/// The documents of the first folder, each with those that are the same at the same place in others that are meant.
fn groups_of_trees(
    known: &KnownClusters,
    tree: &TreeCluster,
    is_meant: impl Fn(&TreeFolder) -> bool,
) -> Vec<KeptGroup> {
    let (mut groups, mut places) = (Vec::new(), HashMap::new());
    for (place, kept) in known.places_in(&tree.folders[0]) {
        places.insert(place, groups.len());
        groups.push(KeptGroup { kept, others: Vec::new(), identity: Some(Identity::Tokens) });
    }
    for folder in tree.folders[1..].iter().filter(|folder| is_meant(folder)) {
        let differing = folder.differences.iter().filter(|of| of.kind != DifferenceKind::Missing);
        let differing: HashSet<(&Path, Option<u32>)> = differing.map(|of| (&*of.path, of.record)).collect();
        for (place, document) in known.places_in(folder).filter(|(place, _)| !differing.contains(place)) {
            if let Some(&at) = places.get(&place) {
                groups[at].others.push(document);
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_else_is_touched_and_a_link_stays_a_link() {
        let place = tempfile::tempdir().unwrap();
        let [link, real] = ["rows.jsonl", "real.jsonl"].map(|name| place.path().join(name));
        let others =
            ["tmp-real.jsonl", "tmp-real.jsonl-0", "tmp-rows.jsonl"].map(|name| place.path().join(name));
        for other in &others {
            fs::write(other, "mine").unwrap();
        }
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        assert!(matches!(write(&link, b"new", true, "1 row"), WriteResult::Done(_)));
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        for other in &others {
            assert_eq!(fs::read_to_string(other).unwrap(), "mine", "{}", shown(&other));
        }
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 5);
    }

    #[test]
    fn a_file_keeps_its_mode_and_a_new_one_has_the_usual_one() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        let mode = |name: &str| at(name).metadata().unwrap().permissions().mode() & 0o777;
        File::create(at("usual")).unwrap();
        write(&at("new"), b"new", false, "1 row");
        assert_eq!(mode("new"), mode("usual"));
        for kept in [0o600, 0o640, 0o666, 0o400] {
            fs::set_permissions(at("new"), PermissionsExt::from_mode(kept)).unwrap();
            assert!(matches!(write(&at("new"), b"other", true, "1 row"), WriteResult::Done(_)));
            assert_eq!(mode("new"), kept);
        }
        std::os::unix::fs::symlink("/dev/null", at("device")).unwrap();
        let WriteResult::Failed(why) = write(&at("device"), b"x", true, "1 row") else { panic!() };
        assert!(why.contains("device"), "{why}");
    }

    #[test]
    fn a_file_that_is_there_is_written_over_only_when_told() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("rows.jsonl");
        let rows = "2 rows";
        let done = write(&file, b"a\nb\n", false, rows);
        assert_eq!(done, WriteResult::Done(format!("2 rows written to {}.", shown(&file))));
        assert_eq!(write(&file, b"c\n", false, rows), WriteResult::Exists(file.clone()));
        assert_eq!(fs::read_to_string(&file).unwrap(), "a\nb\n");
        assert!(matches!(write(&file, b"c\n", true, rows), WriteResult::Done(_)));
        assert_eq!(fs::read_to_string(&file).unwrap(), "c\n");
        let nowhere = place.path().join("none/rows.jsonl");
        for replace in [false, true] {
            let WriteResult::Failed(why) = write(&nowhere, b"", replace, rows) else { panic!("{replace}") };
            let remedy = format!("make the folder {} first", shown(&place.path().join("none")));
            assert!(why.ends_with(&remedy), "{why}");
        }
        let WriteResult::Failed(why) = write(place.path(), b"", true, rows) else { panic!("it is a folder") };
        assert!(why.ends_with("name another file"), "{why}");
        assert!(Path::new(&whole(Path::new("x"))).is_absolute());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
