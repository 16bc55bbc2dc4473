//! Where the change comes from: a repository or a patch.

use std::env;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::change::patch::parse;
use crate::change::repository::Repository;
use crate::change::{ChangeError, ChangedLines};
use crate::cli::args::ReviewArgs;
use crate::cli::error::CliError;
use crate::corpus::Stamp;
use crate::index::snapshot::Snapshot;
use crate::query::page::DocumentReader;
use crate::storage::shown;

/// A source of changes.
pub(super) enum Source {
    /// A repository.
    Repository(Box<Repository>),
    /// A folder that a patch was applied to.
    Folder(PathBuf),
}

impl Source {
    /// The source of some arguments. A patch needs no repository.
    pub(super) fn of(args: &ReviewArgs, place: &Path) -> Result<Self, CliError> {
        match Repository::discover(place) {
            Ok(repository) => Ok(Self::Repository(Box::new(repository))),
            Err(error @ ChangeError::NoRepository(_)) if !place.is_dir() => Err(error.into()),
            Err(_) if args.patch.is_some() => {
                let folder = place.canonicalize().map_err(|_| ChangeError::NoRepository(place.to_owned()))?;
                Ok(Self::Folder(folder))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The folder whose files are changed.
    pub(super) fn root(&self) -> &Path {
        match self {
            Self::Repository(repository) => repository.root(),
            Self::Folder(folder) => folder,
        }
    }

    /// What is changed, with paths relative to the base of the snapshot's corpus.
    pub(super) fn changes(
        &self,
        args: &ReviewArgs,
        base: Option<&str>,
        snapshot: &Snapshot,
    ) -> Result<ChangedLines, CliError> {
        let corpus = &snapshot.manifest().corpus.base;
        let root = self.root();
        let changed = match (&args.patch, self) {
            (Some(patch), _) => patched(patch, root, snapshot)?,
            (None, Self::Repository(repository)) if args.staged => {
                // A hook of a commit of some files only is given an index of its own.
                let index = env::var_os("GIT_INDEX_FILE").map(PathBuf::from).filter(|_| env::var_os("GIT_DIR").is_some());
                let index = index.map(|index| root.join(index)).filter(|index| index.exists());
                repository.to_index(index.as_deref())?
            }
            (None, Self::Repository(repository)) => of_range(repository, base, &present(snapshot, root))?,
            (None, Self::Folder(folder)) => return Err(ChangeError::NoRepository(folder.clone()).into()),
        };
        Ok(changed.with_paths(|path| root.join(path).strip_prefix(corpus).ok().map(Path::to_owned)))
    }
}

fn of_range(
    repository: &Repository,
    range: Option<&str>,
    present: &[(PathBuf, Stamp)],
) -> Result<ChangedLines, ChangeError> {
    let Some(range) = range else { return repository.to_working_tree(&repository.main_base()?, present) };
    match range.split_once("..") {
        None => repository.to_working_tree(&repository.base(range)?, present),
        Some((base, tip)) => {
            let tip = tip.trim_start_matches('.');
            if !tip.is_empty() {
                repository.check_is_head(tip)?;
            }
            let base = if base.is_empty() { repository.head_base()? } else { repository.base(base)? };
            repository.to_head(&base)
        }
    }
}

/// The documents of a snapshot that lie below a folder, relative to it.
fn present(snapshot: &Snapshot, root: &Path) -> Vec<(PathBuf, Stamp)> {
    let corpus = &snapshot.manifest().corpus;
    let below = snapshot.texts().filter_map(|file| {
        let path = corpus.absolute(snapshot.path(file));
        let stamp = snapshot.segment(file.segment).table().stamp(file.file);
        Some((path.strip_prefix(root).ok()?.to_owned(), stamp))
    });
    below.collect()
}

/// The changes of a patch, checked against the files that it was applied to.
fn patched(patch: &Path, root: &Path, snapshot: &Snapshot) -> Result<ChangedLines, CliError> {
    let mut bytes = Vec::new();
    if patch.as_os_str() == "-" {
        io::stdin().lock().read_to_end(&mut bytes).map_err(CliError::Input)?;
    } else {
        bytes = std::fs::read(patch).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => CliError::NoFile(shown(patch).to_string()),
            _ => CliError::Patch(shown(patch).to_string(), error),
        })?;
    }
    let corpus = &snapshot.manifest().corpus.base;
    let mut reader = DocumentReader::new(snapshot);
    let mut changed = ChangedLines::new();
    for patched in parse(&bytes)? {
        if !patched.file.is_removed
            && let Ok(below) = root.join(&patched.path).strip_prefix(corpus)
            && let Ok(file) = reader.file(below)
        {
            patched.check(&file.text)?;
        }
        changed.add(patched.path, patched.file);
    }
    Ok(changed)
}
