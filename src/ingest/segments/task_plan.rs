//! A corpus divided into tasks, in a folder: a manifest without segments, and a list of files for each task.
//!
//! A list's name has its number and how many there are, so that a missing one is noticed. The paths in it are relative to
//! the corpus's base, each ended by NUL.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf, absolute};
use std::sync::atomic::AtomicBool;
use std::time::{SystemTime, UNIX_EPOCH};

use super::SegmentError;
use crate::plan::listed;
use dupi_base::corpus::{self, Corpus, Exclusions, Walked, portions};
use dupi_base::storage::{Folder, StorageError, shown};
use dupi_index::index::manifest::Manifest;

/// The file name of the manifest.
const NAME: &str = "plan.json";
const ENDING: &str = ".list";
/// Bytes of documents in a task, unless it is said how many tasks there are.
pub const USUAL_TASK: u64 = 64 << 20;
/// What a file costs besides its bytes.
const PER_FILE: u64 = 1 << 10;

/// A corpus divided into tasks.
#[derive(Clone, Debug)]
pub struct TaskPlan {
    folder: Folder,
    /// The corpus, the recipe and what the walk skipped; it has no segments.
    pub manifest: Manifest,
    /// How many tasks there are.
    pub tasks: usize,
}

impl TaskPlan {
    /// Walks the corpus of a manifest and divides its files into at most this number of tasks of similar size, in the order of
    /// their paths; by default into one for each 64 MiB. Returns also how many files there are.
    pub fn make(
        folder: &Folder,
        manifest: &Manifest,
        exclusions: &Exclusions,
        tasks: Option<u64>,
    ) -> Result<(Self, usize), SegmentError> {
        let Manifest { corpus, rules, .. } = manifest;
        // Before it is made: the corpus is only read.
        check_outside(corpus, folder.path())?;
        folder.create()?;
        if !folder.names()?.is_empty() {
            let sentence = format!("{} is not empty; name a new folder", shown(folder.path()));
            return Err(SegmentError::Wrong(sentence));
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let begun = i64::try_from(now.as_nanos()).ok();
        let threads = rayon::current_num_threads();
        let Walked { files, skipped, .. } =
            corpus::walk(corpus, rules, exclusions, threads, &AtomicBool::new(false), &|_| {})?;
        let total: u64 = files.iter().map(|file| file.stamp.size + PER_FILE).sum();
        let enough = tasks.map_or(USUAL_TASK, |tasks| total.div_ceil(tasks.max(1)));
        let lists = portions(&files, enough, |file| file.stamp.size + PER_FILE);
        for (number, list) in lists.iter().enumerate() {
            let mut bytes = Vec::new();
            for file in *list {
                bytes.extend_from_slice(file.path.as_os_str().as_bytes());
                bytes.push(0);
            }
            folder.replace(&list_name(number, lists.len()), &bytes)?;
        }
        let manifest = Manifest { skipped: listed(skipped), walked: begun, ..manifest.clone() };
        // Last, so that a folder with it has all lists.
        manifest.write_as(folder, NAME)?;
        Ok((Self { folder: folder.clone(), manifest, tasks: lists.len() }, files.len()))
    }

    /// Opens a plan.
    ///
    /// # Errors
    /// [`SegmentError::Wrong`] if it is not whole.
    pub fn open(folder: &Folder) -> Result<Self, SegmentError> {
        let wrong = |detail: String| {
            SegmentError::Wrong(format!(
                "{} is not a whole plan ({detail}); run `dupi-tui segment plan` again, with a new folder",
                shown(folder.path())
            ))
        };
        let manifest =
            Manifest::read_as(folder, NAME).map_err(|error| wrong(format!("{NAME}: {}", error.cause())))?;
        let numbers: Vec<(usize, usize)> = folder.names()?.iter().filter_map(|name| numbers(name)).collect();
        let tasks = numbers.first().map_or(0, |&(_, tasks)| tasks);
        let found: HashSet<usize> =
            numbers.iter().filter(|&&(_, of)| of == tasks).map(|&(task, _)| task).collect();
        match (0..tasks).find(|task| !found.contains(task)) {
            Some(missing) => Err(wrong(format!("{} is missing", list_name(missing, tasks)))),
            None => Ok(Self { folder: folder.clone(), manifest, tasks }),
        }
    }

    /// The files of a task, relative to the corpus's base.
    pub fn files(&self, task: usize) -> Result<Vec<PathBuf>, SegmentError> {
        let name = list_name(task, self.tasks);
        let bytes = self.folder.read(&name)?;
        let bytes = bytes.ok_or_else(|| {
            let (plan, tasks) = (shown(self.folder.path()), self.tasks);
            SegmentError::Wrong(format!("the plan in {plan} has no task {task}; it has {tasks}"))
        })?;
        let paths = bytes.split(|&byte| byte == 0).filter(|path| !path.is_empty());
        Ok(paths.map(|path| PathBuf::from(OsStr::from_bytes(path))).collect())
    }
}

/// Refuses a place for output that lies in the corpus, whether it is there or not.
///
/// # Errors
/// [`SegmentError::Inside`]
pub fn check_outside(corpus: &Corpus, place: &Path) -> Result<(), SegmentError> {
    let above = absolute(place).map_err(StorageError::during("open", place))?;
    let above = above.ancestors().find_map(|above| above.canonicalize().ok()).unwrap_or_default();
    match corpus.roots.iter().any(|root| above.starts_with(root)) {
        true => Err(SegmentError::Inside(place.to_owned())),
        false => Ok(()),
    }
}

fn list_name(task: usize, tasks: usize) -> String {
    format!("{task:06}-of-{tasks:06}{ENDING}")
}

fn numbers(name: &str) -> Option<(usize, usize)> {
    let (task, tasks) = name.strip_suffix(ENDING)?.split_once("-of-")?;
    Some((task.parse().ok()?, tasks.parse().ok()?))
}
