//! The folder of a segment under a temporary name, until it is sealed.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use xxhash_rust::xxh3::xxh3_64;

use super::SegmentError;
use dupi_base::storage::{Folder, StorageError, TEMPORARY, host};
use dupi_index::index::home::LOCK;

/// A folder that was changed so recently may be that of a process that has not locked it yet.
const NEW: Duration = Duration::from_mins(1);

/// A folder under a temporary name, which says the machine and the process. If it is dropped before it is sealed, it is
/// removed; if the process is killed, another one of the same machine removes it that makes its own beside it.
pub(super) struct FolderDraft {
    pub(super) out: PathBuf,
    pub(super) path: PathBuf,
}

impl FolderDraft {
    pub(super) fn create(out: &Folder) -> Result<Self, SegmentError> {
        // A task that outlives its job does not make the job's folder again.
        out.create_in_parent()?;
        let own = of_machine();
        sweep(out.path(), &own);
        let mut number = 0;
        loop {
            let path = out.at(&format!("{own}{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self { out: out.path().to_owned(), path }),
                // Of a process with the same number, in another container or dead.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(StorageError::during("create", path)(error).into()),
            }
        }
    }
}

impl Drop for FolderDraft {
    fn drop(&mut self) {
        // After sealing it is not there any more.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// What the names of this machine's drafts begin with.
fn of_machine() -> String {
    // Many machines may be called `localhost`.
    let id = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    let number = xxh3_64(format!("{}\0{}", host(), id.trim()).as_bytes());
    format!("{TEMPORARY}{number:016x}-")
}

/// Removes the folders of processes of this machine that were killed. A folder in use is known by its lock. That of another
/// machine is left alone: not every file system shows its locks here.
fn sweep(out: &Path, own: &str) {
    for entry in fs::read_dir(out).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let numbers = name.to_str().and_then(|name| name.strip_prefix(own)?.split_once('-'));
        let is_draft = numbers.is_some_and(|(process, number)| {
            [process, number].iter().all(|digits| digits.parse::<u32>().is_ok())
        });
        let is_old = || {
            let changed = entry.metadata().ok().filter(fs::Metadata::is_dir)?.modified().ok()?;
            Some(changed.elapsed().ok()? > NEW)
        };
        if is_draft && is_old() == Some(true) {
            let lock = File::options().write(true).open(entry.path().join(LOCK));
            if lock.as_ref().is_ok_and(|lock| lock.try_lock().is_ok()) {
                // What cannot be removed now, the next process finds.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn folders_of_killed_processes_are_removed_and_those_in_use_are_not() {
        let place = tempfile::tempdir().unwrap();
        let own = of_machine();
        let left = |name: &str, age: Duration| {
            let path = place.path().join(name);
            fs::create_dir(&path).unwrap();
            let lock = File::create(path.join(LOCK)).unwrap();
            File::open(&path).unwrap().set_modified(SystemTime::now() - age).unwrap();
            (path, lock)
        };
        let (dead, lock) = left(&format!("{own}1-0"), NEW * 2);
        drop(lock);
        let (used, used_lock) = left(&format!("{own}1-1"), NEW * 2);
        used_lock.lock().unwrap();
        let (new, _) = left(&format!("{own}1-2"), NEW / 2);
        // The first is that of another machine, whose lock is not seen here.
        let others = ["tmp-0123456789abcdef-1-0", "tmp-1-0", "tmp-of-others", "0123"];
        let others = others.map(|name| left(name, NEW * 2).0);
        let draft = FolderDraft::create(&Folder::new(place.path())).unwrap();
        assert!(
            draft.path.exists() && used.exists() && new.exists() && others.iter().all(|path| path.exists())
        );
        assert!(!dead.exists());
    }
}
