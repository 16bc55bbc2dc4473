//! Rows with all their verified copies as lines of JSON, as the verbs print them; and files that are never
//! written over without being told.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

use serde::Serialize;

use crate::index::IndexError;
use crate::passage::kind::read::kinds_of;
use crate::passage::located::locate;
use crate::passage::rows::stretch_of;
use crate::query::page::Reader;
use crate::query::unblot::{documents_of, joined};
use crate::report::{DocumentShareRow, FolderShareRow, OccurrenceRow, PassageRow, SnippetRow};
use crate::session::protocol::{Item, Written};
use crate::session::rows::texts::Texts;
use crate::storage::{Folder, StorageError, in_words, shown};

/// Why rows could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A line.
    #[error("cannot spell a row: {0}")]
    Line(#[from] serde_json::Error),
}

/// A line a row; rows whose texts are gone have none.
pub fn lines_of(texts: &Texts, rows: &[Item]) -> Result<Vec<String>, ExportError> {
    let mut lines = Vec::new();
    let mut reader = Reader::new(texts.snapshot);
    for row in rows {
        match row {
            Item::Passage(passage) => {
                let Some(known) = texts.known else { continue };
                let Some(passage) = known.get(passage.id) else { continue };
                let (snapshot, sources) = (&known.snapshot, &known.passages.sources);
                let kind = kinds_of(snapshot, sources, &[passage])[0];
                let located = locate(snapshot, sources, &[passage], None);
                for located in located.into_iter().filter(|located| located.copies.len() > 1) {
                    lines.push(line(&PassageRow::new(passage, kind, located, None))?);
                }
            }
            Item::Row(row) => {
                let Some((stretch, text)) = stretch_of(texts.snapshot, &mut reader, row)? else { continue };
                let mut occurrences = Vec::new();
                for (document, parts) in documents_of(texts.snapshot, &texts.snapshot.find(row.id())?) {
                    let Ok(pages) = reader.pages(texts.snapshot, document, &parts) else { continue };
                    occurrences.extend(
                        joined(&pages, |page| stretch.copies_in(page)).iter().map(OccurrenceRow::from),
                    );
                }
                lines.push(line(&SnippetRow { blot: row.id().to_string(), text, occurrences })?);
            }
            Item::Document(row) => lines.push(line(&DocumentShareRow::from(&**row))?),
            Item::Folder(row) => lines.push(line(&FolderShareRow::from(&**row))?),
            Item::Taboo(_) => {}
        }
    }
    Ok(lines)
}

fn line(row: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string(row)? + "\n")
}

/// Writes a file whole, and says `what` was written. One that is there is left alone, unless it is to be replaced.
pub fn write(file: &Path, lines: &[String], replace: bool, what: &str) -> Written {
    let failed = |error: StorageError| Written::Failed(refusal(file, &error));
    if !replace {
        // From here on the name is ours.
        match File::create_new(file) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Written::Exists(file.to_owned());
            }
            Err(error) => return failed(StorageError::of("create", file)(error)),
        }
    }
    match replaced(file, lines) {
        Ok(()) => Written::Done(format!("{what} written to {}.", whole(file))),
        Err(error) => {
            if !replace {
                let _ = fs::remove_file(file);
            }
            failed(error)
        }
    }
}

/// A file with its folder, whichever the program was started in.
fn whole(file: &Path) -> String {
    shown(&std::path::absolute(file).unwrap_or_else(|_| file.to_owned())).to_string()
}

/// What the system refused, and what to do: the user has named this file, nobody else.
fn refusal(file: &Path, error: &StorageError) -> String {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let remedy = match (error.source.kind(), folder) {
        (ErrorKind::NotFound, Some(folder)) => format!("make the folder {} first", shown(folder)),
        (ErrorKind::StorageFull | ErrorKind::QuotaExceeded, _) => "make room on its disk".to_owned(),
        _ => "name another file".to_owned(),
    };
    format!("cannot {} {}: {}; {remedy}", error.action, shown(file), in_words(&error.source))
}

fn replaced(file: &Path, lines: &[String]) -> Result<(), StorageError> {
    let unnamed = || StorageError::of("write", file)(io::Error::from(ErrorKind::InvalidFilename));
    let name = file.file_name().and_then(|name| name.to_str()).ok_or_else(unnamed)?;
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => Folder::new(folder),
        _ => Folder::new("."),
    };
    // Where a link leads to the file, it is replaced, and not the link.
    let mut draft = folder.named(name)?.draft()?;
    for line in lines {
        draft.write(line.as_bytes())?;
    }
    draft.seal()
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
        assert!(matches!(write(&link, &["new".into()], true, "1 row"), Written::Done(_)));
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
        write(&at("new"), &["new".into()], false, "1 row");
        assert_eq!(mode("new"), mode("usual"));
        for kept in [0o600, 0o640, 0o666, 0o400] {
            fs::set_permissions(at("new"), PermissionsExt::from_mode(kept)).unwrap();
            assert!(matches!(write(&at("new"), &["other".into()], true, "1 row"), Written::Done(_)));
            assert_eq!(mode("new"), kept);
        }
        std::os::unix::fs::symlink("/dev/null", at("device")).unwrap();
        let Written::Failed(why) = write(&at("device"), &["x".into()], true, "1 row") else { panic!() };
        assert!(why.contains("device"), "{why}");
    }

    #[test]
    fn a_file_that_is_there_is_written_over_only_when_told() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("rows.jsonl");
        let rows = "2 rows";
        let done = write(&file, &["a\n".into(), "b\n".into()], false, rows);
        assert_eq!(done, Written::Done(format!("2 rows written to {}.", shown(&file))));
        assert_eq!(write(&file, &["c\n".into()], false, rows), Written::Exists(file.clone()));
        assert_eq!(fs::read_to_string(&file).unwrap(), "a\nb\n");
        assert!(matches!(write(&file, &["c\n".into()], true, rows), Written::Done(_)));
        assert_eq!(fs::read_to_string(&file).unwrap(), "c\n");
        let nowhere = place.path().join("none/rows.jsonl");
        for replace in [false, true] {
            let Written::Failed(why) = write(&nowhere, &[], replace, rows) else { panic!("{replace}") };
            let remedy = format!("make the folder {} first", shown(&place.path().join("none")));
            assert!(why.ends_with(&remedy), "{why}");
        }
        let Written::Failed(why) = write(place.path(), &[], true, rows) else { panic!("it is a folder") };
        assert!(why.ends_with("name another file"), "{why}");
        assert!(Path::new(&whole(Path::new("x"))).is_absolute());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
