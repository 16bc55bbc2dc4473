//! The activity of a session, as it is shown: the last events with their times, and the state of the index, of the
//! watcher and of the skipped files; and the names of files, for completing filters.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use dupi_base::corpus::Skipped;
use dupi_index::index::snapshot::{Snapshot, Totals};
use dupi_ingest::{Committed, Progress};
use dupi_text::token::Language;

/// How many skipped files are named for each reason.
const NAMED: usize = 3;

/// The activity of a session.
#[derive(Clone, Debug, Default)]
pub struct Activity {
    /// The progress of the indexer.
    pub progress: Progress,
    /// The newest generation of the index; `None` if there is none yet.
    pub index: Option<Arc<IndexState>>,
    /// The number of folders that the operating system watches; 0 when the folders are polled.
    pub folders: u64,
    /// Why they are polled, and what to do about it.
    pub trouble: Option<String>,
    /// The last events, the newest last.
    pub events: Vec<ActivityEvent>,
}

/// The state of an index, with the files that it skips.
#[derive(Clone, Debug, Default)]
pub struct IndexState {
    /// The number of the generation.
    pub generation: u64,
    /// The totals of all segments.
    pub totals: Totals,
    /// Its segments, the oldest first.
    pub segments: Vec<SegmentSummary>,
    /// Skipped files by reason, the most frequent reason first.
    pub skipped: Vec<SkippedGroup>,
}

/// A segment of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentSummary {
    /// The name of its file.
    pub name: String,
    /// Its size on disk, in bytes.
    pub bytes: u64,
    /// The number of its live files.
    pub files: u64,
    /// The number of its files that were deleted, or are newer in another segment.
    pub dead: u64,
}

/// Files that were skipped for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedGroup {
    /// The reason.
    pub reason: String,
    /// The number of files.
    pub count: u64,
    /// The first ones in the order of paths.
    pub first: Vec<PathBuf>,
}

/// An event of the activity log.
#[derive(Clone, Debug, PartialEq)]
pub struct ActivityEvent {
    /// The time of day.
    pub at: jiff::Zoned,
    /// What happened.
    pub what: ActivityKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum ActivityKind {
    /// A generation was committed.
    Committed(Committed),
    /// Segments were merged.
    Merged {
        /// The generation that has the merged segment.
        generation: u64,
        /// The number of segments after the merge.
        segments: usize,
        /// The duration.
        took: Duration,
    },
    /// A search for passages ended.
    Searched {
        /// The number of passages found.
        passages: u64,
        /// The duration.
        took: Duration,
    },
    /// A decision was made, undone or refused: a sentence.
    Decided(String),
    /// A notice was shown: a sentence.
    Notice(String),
    /// Something failed: a sentence.
    Failed(String),
}

impl ActivityKind {
    /// A merge whose result is in a generation.
    pub fn merged(snapshot: &Snapshot, took: Duration) -> Self {
        let generation = snapshot.manifest().generation;
        Self::Merged { generation, segments: snapshot.segments().len(), took }
    }
}

impl IndexState {
    /// The state of the index at a generation.
    pub fn from_snapshot(snapshot: &Snapshot) -> Self {
        let segments = snapshot.segments().iter().zip(&snapshot.manifest().segments);
        let segments = segments.map(|(live, state)| SegmentSummary {
            name: live.name().name.clone(),
            bytes: live.name().length,
            files: live.live_files().count() as u64,
            dead: state.dead.len() as u64,
        });
        Self {
            generation: snapshot.manifest().generation,
            totals: snapshot.totals(),
            segments: segments.collect(),
            skipped: grouped(&snapshot.skipped()),
        }
    }
}

/// Groups skipped files, which are in the order of paths, by reason.
fn grouped(skipped: &[Skipped]) -> Vec<SkippedGroup> {
    let mut groups: Vec<SkippedGroup> = Vec::new();
    for left in skipped {
        let reason = left.reason.category();
        let at = groups.iter().position(|group| group.reason == reason).unwrap_or_else(|| {
            groups.push(SkippedGroup { reason: reason.into_owned(), count: 0, first: Vec::new() });
            groups.len() - 1
        });
        groups[at].count += left.count();
        if groups[at].first.len() < NAMED {
            groups[at].first.push(left.path.clone());
        }
    }
    groups.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.reason.cmp(&b.reason)));
    groups
}

/// The most extensions and languages that are listed,
const KINDS: usize = 200;
/// and the most folders: the list is searched at each key.
const FOLDERS: usize = 10_000;

/// The names that occur in paths, the most frequent ones first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Their extensions, in lower case.
    pub extensions: Vec<String>,
    /// Their languages, as far as the file names show them.
    pub languages: Vec<String>,
    /// Their folders, relative to the corpus's base.
    pub folders: Vec<String>,
}

impl Names {
    /// The names of a generation.
    pub fn from_snapshot(snapshot: &Snapshot) -> Self {
        Self::of_paths(snapshot.texts().map(|file| snapshot.path(file)))
    }

    fn of_paths<'a>(paths: impl Iterator<Item = &'a Path>) -> Self {
        // By extension, or by file name where there is none: the number of files, and one of their paths.
        let mut kinds: HashMap<(Option<&OsStr>, &OsStr), (u64, &Path)> = HashMap::new();
        let mut parents: HashMap<&OsStr, u64> = HashMap::new();
        for path in paths {
            let extension = path.extension();
            let name = if extension.is_some() { None } else { path.file_name() };
            kinds.entry((extension, name.unwrap_or_default())).or_insert((0, path)).0 += 1;
            *parents.entry(path.parent().unwrap_or(path).as_os_str()).or_default() += 1;
        }
        let extensions = kinds.iter().filter_map(|((extension, _), (count, _))| {
            Some(((*extension)?.to_str().filter(|name| is_typed(name))?.to_lowercase(), *count))
        });
        let languages = kinds
            .values()
            .filter_map(|(count, path)| Some((Language::detect(path, "")?.name().to_lowercase(), *count)));
        let folders = parents.iter().flat_map(|(parent, count)| {
            let all = Path::new(parent).ancestors().filter_map(Path::to_str);
            all.filter(|folder| !folder.is_empty() && is_typed(folder)).map(|folder| (folder, *count))
        });
        Self {
            extensions: most_frequent(extensions, KINDS),
            languages: most_frequent(languages, KINDS),
            folders: most_frequent(folders, FOLDERS),
        }
    }
}

/// Whether a name can be written in a filter as it is.
fn is_typed(name: &str) -> bool {
    !name.contains(|character: char| character.is_control() || "*?[]{}\\\",".contains(character))
}

fn most_frequent<T: Eq + Hash + Ord + Into<String>>(
    counted: impl Iterator<Item = (T, u64)>,
    most: usize,
) -> Vec<String> {
    let mut sums: HashMap<T, u64> = HashMap::new();
    counted.for_each(|(name, count)| *sums.entry(name).or_default() += count);
    let mut sums: Vec<(Reverse<u64>, T)> =
        sums.into_iter().map(|(name, count)| (Reverse(count), name)).collect();
    sums.sort_unstable();
    sums.into_iter().take(most).map(|(_, name)| name.into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_base::corpus::SkipReason;

    #[test]
    fn reasons_are_counted_whatever_their_details() {
        let skipped = |path: &str, reason| Skipped::new(path, reason);
        let groups = grouped(&[
            skipped("a", SkipReason::Empty),
            skipped("b", SkipReason::TooLarge(7)),
            skipped("c", SkipReason::TooLarge(8)),
        ]);
        assert_eq!(
            groups.iter().map(|group| (group.count, group.first.len())).collect::<Vec<_>>(),
            [(2, 2), (1, 1)]
        );
        assert_eq!(groups[0].reason, "larger than --max-filesize");
    }

    #[test]
    fn what_most_files_have_comes_first() {
        let paths = [
            "src/tui/a.rs",
            "src/tui/b.RS",
            "src/c.rs",
            "src/d.py",
            "doc/e.md",
            "doc/f.md",
            "Makefile",
            "odd,/x.a,b",
        ];
        let names = Names::of_paths(paths.iter().map(Path::new));
        assert_eq!(names.extensions, ["rs", "md", "py"]);
        assert_eq!(names.folders, ["src", "doc", "src/tui"]);
        assert_eq!(names.languages, ["rust", "markdown", "makefile", "python"]);
        assert_eq!(Names::of_paths(std::iter::empty()), Names::default());
    }
}
