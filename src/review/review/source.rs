//! What is reviewed, how copies are searched, and where the change comes from: a repository or a patch.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::change::patch::{PatchedFile, parse};
use crate::change::repository::Repository;
use crate::change::{ChangeError, ChangedLines, Wanted};
use dupi_base::corpus::{self, SkipReason, Stamp};
use dupi_base::storage::shown;
use dupi_index::index::snapshot::Snapshot;
use dupi_judge::kind::Kind;
use dupi_judge::kind::patterns::KindPatterns;
use dupi_judge::search::SearchSettings;
use dupi_passage::Measure;
use dupi_text::blot::Recipe;

/// The largest file that is compared with a patch, in bytes.
const LARGEST: u64 = 64 << 20;

/// Which change is reviewed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewedChange {
    /// From the last common commit with a base, by default that of the main branch, to the working tree; with `..HEAD` to
    /// the last commit.
    Range(Option<String>),
    /// What is staged for the next commit, perhaps in another index than the repository's.
    Staged(Option<PathBuf>),
    /// A unified patch that was applied to the folder.
    Patch(Vec<u8>),
}

/// What is reviewed.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewPlan {
    /// The change.
    pub change: ReviewedChange,
    /// The fewest tokens of a passage.
    pub least: u32,
    /// How much of two copies agrees; `None` for what is usual with the recipe.
    pub overlap: Option<f32>,
    /// Whether that applies only to the copy of which the larger share agrees.
    pub one_sided: bool,
    /// The most consecutive tokens that may differ between tokens that agree.
    pub gap: u32,
    /// The least information, in bits, that keeping one copy of a passage would save.
    pub min_worth: u64,
    /// Passages of these kinds are set aside; `None` for those of the settings and decisions.
    pub aside: Option<Vec<Kind>>,
}

impl Default for ReviewPlan {
    /// What the branch adds, uncommitted changes too.
    fn default() -> Self {
        let Measure { least, one_sided, gap, .. } = Measure::default();
        let change = ReviewedChange::Range(None);
        Self { change, least, overlap: None, one_sided, gap, min_worth: 0, aside: None }
    }
}

impl ReviewPlan {
    /// How passages are searched in an index with a recipe, within `memory` bytes.
    pub fn search(&self, recipe: &Recipe, memory: u64, patterns: &Arc<KindPatterns>) -> SearchSettings {
        let overlap = self.overlap.unwrap_or(Measure::usual(recipe).overlap);
        let measure = Measure { least: self.least, overlap, one_sided: self.one_sided, gap: self.gap };
        SearchSettings { measure, across: false, consistent: false, memory, patterns: Arc::clone(patterns) }
    }
}

/// A source of changes.
pub enum Source<'w> {
    /// A repository.
    Repository(Box<Repository<'w>>),
    /// A folder that a patch was applied to.
    Folder(PathBuf),
}

impl<'w> Source<'w> {
    /// The source for a folder or file. A patch needs no repository. A repository is read while that `is_wanted`.
    ///
    /// # Errors
    /// When there is no repository that can be read.
    pub fn open(place: &Path, change: &ReviewedChange, is_wanted: Wanted<'w>) -> Result<Self, ChangeError> {
        match Repository::discover(place, is_wanted) {
            Ok(repository) => Ok(Self::Repository(Box::new(repository))),
            Err(error @ ChangeError::NoRepository(_)) if !place.is_dir() => Err(error),
            Err(_) if matches!(change, ReviewedChange::Patch(_)) => {
                let folder = place.canonicalize().map_err(|_| ChangeError::NoRepository(place.to_owned()))?;
                Ok(Self::Folder(folder))
            }
            Err(error) => Err(error),
        }
    }

    /// The folder whose files are changed.
    pub fn root(&self) -> &Path {
        match self {
            Self::Repository(repository) => repository.root(),
            Self::Folder(folder) => folder,
        }
    }

    /// What is changed, with paths relative to the base of the snapshot's corpus.
    ///
    /// # Errors
    /// When the repository cannot be read, a commit is not known, or the patch is not one of these files.
    pub fn changes(&self, change: &ReviewedChange, snapshot: &Snapshot) -> Result<ChangedLines, ChangeError> {
        let corpus = &snapshot.manifest().corpus.base;
        let root = self.root();
        let changed = match (change, self) {
            (ReviewedChange::Patch(patch), _) => patched(patch, root)?,
            (ReviewedChange::Staged(index), Self::Repository(repository)) => {
                let index = index.as_ref().map(|index| root.join(index)).filter(|index| index.exists());
                repository.to_index(index.as_deref())?
            }
            (ReviewedChange::Range(range), Self::Repository(repository)) => {
                of_range(repository, range.as_deref(), &present(snapshot, root))?
            }
            (_, Self::Folder(folder)) => return Err(ChangeError::NoRepository(folder.clone())),
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
    // Mostly the folder is the base, and the paths are relative to it as they are.
    let is_base = corpus.base == root;
    let relative = |path: &Path| match is_base && path.is_relative() {
        true => Some(path.to_owned()),
        false => Some(corpus.absolute(path).strip_prefix(root).ok()?.to_owned()),
    };
    let below = snapshot.texts().filter_map(|file| {
        let stamp = snapshot.segment(file.segment).table().stamp(file.file);
        Some((relative(snapshot.path(file))?, stamp))
    });
    below.collect()
}

/// The changes of a patch, checked against the files that it was applied to: those that are no documents too.
fn patched(patch: &[u8], root: &Path) -> Result<ChangedLines, ChangeError> {
    let files = parse(patch)?;
    let kept: HashSet<&Path> =
        files.iter().filter(|patched| !patched.file.is_removed).map(|patched| &*patched.path).collect();
    let mut differing = Vec::new();
    for patched in &files {
        if let Some(how) = difference(patched, root, &kept)? {
            differing.push((&patched.path, how));
        }
    }
    if let Some((path, how)) = differing.first().cloned() {
        return Err(ChangeError::NotApplied { path: path.clone(), how, more: differing.len() - 1 });
    }
    let mut changed = ChangedLines::new();
    let texts = files.into_iter().filter(|patched| !patched.is_link() && !patched.is_repository());
    texts.for_each(|patched| changed.add(patched.path, patched.file));
    Ok(changed)
}

/// In what a file differs from what a patch makes of it. `kept` are the files that the patch leaves.
fn difference(
    patched: &PatchedFile,
    root: &Path,
    kept: &HashSet<&Path>,
) -> Result<Option<String>, ChangeError> {
    let found = |path: &Path| root.join(path).symlink_metadata().ok();
    if let Some(gone) = patched.gone.as_deref().filter(|gone| !kept.contains(gone) && found(gone).is_some()) {
        return Ok(Some(format!("{} is still there", shown(gone))));
    }
    if patched.file.is_removed {
        return Ok(None);
    }
    let path = &patched.path;
    let Some(there) = found(path) else { return Ok(Some("it is not there".to_owned())) };
    let differs = |text: &str| patched.differing_line(text).map(|line| format!("its line {line} differs"));
    if there.is_symlink() {
        let target = fs::read_link(root.join(path)).unwrap_or_default();
        return Ok(match patched.is_link() {
            true => differs(&target.to_string_lossy()),
            false => (!patched.is_untold()).then(|| "it is a symbolic link".to_owned()),
        });
    }
    if there.is_dir() && patched.is_repository() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    match corpus::read(&root.join(path), LARGEST, &mut bytes) {
        Ok(_) | Err(SkipReason::Empty) => {}
        // What cannot be compared is there all the same.
        Err(SkipReason::TooLarge(_)) => return Ok(None),
        Err(reason) => return Err(ChangeError::File(path.clone(), reason)),
    }
    // What is no text is no document.
    let Ok((text, _)) = corpus::decode_owned(bytes) else { return Ok(None) };
    Ok(differs(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_default_copies_are_searched_as_in_the_list_of_passages() {
        let recipe = Recipe::default();
        let search = ReviewPlan::default().search(&recipe, 1, &Arc::default());
        assert_eq!(search.measure, Measure::usual(&recipe));
    }
}
