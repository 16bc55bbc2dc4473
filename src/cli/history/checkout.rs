//! A temporary folder with the files of one commit after another.
//!
//! From one commit to the next only what differs is changed: a file that both have is neither read from the repository nor
//! written again, and one that moved is moved. Each commit gives its changed files a time of its own, so that the index
//! takes none of them for what stood there before.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::cli::error::CliError;
use crate::cli::scratch::Scratch;
use dupi_base::storage::StorageError;
use dupi_review::change::commits::Blob;

/// A temporary folder, which is removed in the end: with the files, with those that are being moved, and with the index.
pub(super) struct Checkout {
    scratch: Scratch,
    files: BTreeMap<PathBuf, Blob>,
    turns: u64,
}

impl Checkout {
    /// An empty one, in the folder for temporary files.
    pub(super) fn new() -> Result<Self, StorageError> {
        let scratch = Scratch::create(&std::env::temp_dir())?;
        let made = Self { scratch, files: BTreeMap::new(), turns: 0 };
        // Ignore files count only in a repository.
        let inside = made.files_folder().join(".git");
        for folder in [inside, made.moving()] {
            fs::create_dir_all(&folder).map_err(StorageError::during("create", folder))?;
        }
        Ok(made)
    }

    /// Where the files are.
    pub(super) fn files_folder(&self) -> PathBuf {
        self.scratch.at("files")
    }

    /// Where the index is.
    pub(super) fn index_folder(&self) -> PathBuf {
        self.scratch.at("index")
    }

    fn moving(&self) -> PathBuf {
        self.scratch.at("moving")
    }

    /// Makes the files those of another commit. `read` gives the bytes of a file that was not there before, or `None` if
    /// it is left out. Returns whether anything changed.
    pub(super) fn turn_to(
        &mut self,
        files: BTreeMap<PathBuf, Blob>,
        mut read: impl FnMut(Blob) -> Result<Option<Vec<u8>>, CliError>,
    ) -> Result<bool, CliError> {
        let root = self.files_folder();
        let gone: Vec<(PathBuf, Blob)> =
            self.files.iter().filter(|(path, blob)| files.get(*path) != Some(blob)).map(owned).collect();
        let new: Vec<(PathBuf, Blob)> =
            files.iter().filter(|(path, blob)| self.files.get(*path) != Some(blob)).map(owned).collect();
        if gone.is_empty() && new.is_empty() {
            return Ok(false);
        }
        self.turns += 1;
        let mut moving: HashMap<Blob, PathBuf> = HashMap::new();
        for (number, (path, blob)) in gone.into_iter().enumerate() {
            let (from, to) = (root.join(&path), self.moving().join(number.to_string()));
            match fs::rename(&from, &to) {
                Ok(()) => drop(moving.insert(blob, to)),
                // It was left out.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(failed("move", &from)(error)),
            }
            // A file may follow where a folder was.
            let above = path.ancestors().skip(1).take_while(|above| !above.as_os_str().is_empty());
            above
                .map(|above| root.join(above))
                .take_while(|above| fs::remove_dir(above).is_ok())
                .for_each(drop);
            self.files.remove(&path);
        }
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(self.turns);
        for (path, blob) in new {
            let to = root.join(&path);
            let moved = moving.remove(&blob);
            let bytes = if moved.is_none() { read(blob)? } else { None };
            let written = match (moved, bytes) {
                (None, None) => Ok(()),
                (moved, bytes) => place(&to, moved.as_deref(), bytes.as_deref(), time),
            };
            written.map_err(failed("write", &to))?;
            self.files.insert(path, blob);
        }
        let left = self.moving();
        let emptied = fs::remove_dir_all(&left).and_then(|()| fs::create_dir(&left));
        emptied.map_err(failed("empty", &left))?;
        Ok(true)
    }
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> CliError + use<> {
    let failed = StorageError::during(action, path.to_owned());
    move |error| CliError::temporary(failed(error))
}

fn owned((path, blob): (&PathBuf, &Blob)) -> (PathBuf, Blob) {
    (path.clone(), *blob)
}

/// Puts a file in its place: one that was moved away, or one with some bytes.
fn place(to: &Path, moved: Option<&Path>, bytes: Option<&[u8]>, time: SystemTime) -> io::Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    if let Some(moved) = moved {
        fs::rename(moved, to)?;
    }
    let mut file = match bytes {
        Some(_) => File::create_new(to)?,
        None => File::options().append(true).open(to)?,
    };
    file.write_all(bytes.unwrap_or_default())?;
    file.set_modified(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns to files of which each is its text, and returns which texts were read.
    fn turn(checkout: &mut Checkout, files: &[(&str, &str)]) -> Vec<String> {
        let blob = |text: &str| Blob::of_text(text);
        let texts: HashMap<Blob, &str> = files.iter().map(|(_, text)| (blob(text), *text)).collect();
        let tree = files.iter().map(|(path, text)| (PathBuf::from(path), blob(text))).collect();
        let mut read = Vec::new();
        let changed = checkout.turn_to(tree, |blob| {
            read.push(texts[&blob].to_owned());
            Ok(Some(texts[&blob].as_bytes().to_vec()))
        });
        changed.unwrap();
        for (path, text) in files {
            let there = fs::read_to_string(checkout.files_folder().join(path)).unwrap();
            assert_eq!(there, *text, "{path}");
        }
        read
    }

    fn count(folder: &Path) -> usize {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.map(|path| if path.is_dir() { count(&path) } else { 1 }).sum()
    }

    #[test]
    fn what_two_commits_have_is_read_once() {
        let mut checkout = Checkout::new().unwrap();
        let folder = checkout.scratch.at("");
        assert_eq!(turn(&mut checkout, &[("a", "one"), ("d/b", "two")]), ["one", "two"]);
        let time = |name: &str| checkout.files_folder().join(name).metadata().unwrap().modified().unwrap();
        let then = time("a");
        // Two files change places, and one comes.
        assert_eq!(turn(&mut checkout, &[("a", "two"), ("d/b", "one"), ("c", "three")]), ["three"]);
        assert_ne!(checkout.files_folder().join("a").metadata().unwrap().modified().unwrap(), then);
        // A folder becomes a file, and a file a folder.
        assert_eq!(turn(&mut checkout, &[("d", "one"), ("a/x/y", "two"), ("c", "three")]), [""; 0]);
        assert_eq!(turn(&mut checkout, &[("d", "four")]), ["four"]);
        assert_eq!(count(&checkout.files_folder()), 1);
        assert_eq!(turn(&mut checkout, &[]), [""; 0]);
        assert_eq!(count(&folder), 1, "the lock");
        drop(checkout);
        assert!(!folder.exists());
    }
}
