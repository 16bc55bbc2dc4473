//! The change of a set of files, in lines.
//!
//! Lines are numbered from 0. A line ends with its line feed; the last one may have none. A text that is empty has no
//! lines.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use dupi_base::storage::shown;

/// A change: the files that it changes, by their paths in the new state. A file that was removed is there under its former
/// path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedLines {
    files: BTreeMap<PathBuf, ChangedFile>,
    /// The files to which the change adds lines that the working tree does not have.
    absent: Vec<PathBuf>,
}

/// The change of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its path before the change, if the change renamed it.
    pub former: Option<PathBuf>,
    /// Whether it existed before the change, under any path.
    pub existed: bool,
    /// Whether the change removes it.
    pub is_removed: bool,
    /// Its differences, in order; no two are adjacent.
    pub hunks: Vec<Hunk>,
}

/// A difference: lines that are replaced by others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunk {
    /// The lines of the former text that are removed; empty for a mere addition.
    pub removed: Range<u32>,
    /// The lines of the new text that are added; empty for a mere removal, which took place before that line.
    pub added: Range<u32>,
    /// The removed lines, with their line ends.
    pub text: String,
}

impl ChangedLines {
    /// The change of no file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the change of a file. Of one without differences only a rename counts.
    pub fn add(&mut self, path: PathBuf, file: ChangedFile) {
        if !file.hunks.is_empty() || file.former.is_some() {
            self.files.insert(path, file);
        }
    }

    /// Notes that a file has not all lines in the working tree that the change adds.
    pub fn note_absent(&mut self, path: PathBuf) {
        self.absent.push(path);
    }

    /// Sentences, without their full stops, about the files to which the change adds lines that the working tree does not
    /// have.
    pub fn absent(&self) -> impl Iterator<Item = String> {
        let words = "has lines in the change that the working tree does not have; these are not reviewed";
        self.absent.iter().map(move |path| format!("{} {words}", shown(path)))
    }

    /// The change of a file.
    pub fn get(&self, path: &Path) -> Option<&ChangedFile> {
        self.files.get(path)
    }

    /// The files, by path.
    pub fn files(&self) -> impl Iterator<Item = (&Path, &ChangedFile)> {
        self.files.iter().map(|(path, file)| (path.as_path(), file))
    }

    /// How many files are changed.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// How many lines are added.
    pub fn added(&self) -> u64 {
        self.files.values().flat_map(|file| &file.hunks).map(|hunk| hunk.added.len() as u64).sum()
    }

    /// The same change with other paths; files for which there is none are left out.
    #[must_use]
    pub fn with_paths(self, path: impl Fn(&Path) -> Option<PathBuf>) -> Self {
        let files = self.files.into_iter().filter_map(|(old, mut file)| {
            file.former = file.former.and_then(|former| path(&former));
            Some((path(&old)?, file))
        });
        Self { files: files.collect(), absent: self.absent }
    }
}

impl ChangedFile {
    /// The change from a former text to none.
    pub fn removal(former: &str) -> Self {
        let removed = 0..count(former);
        let hunk = Hunk { removed, added: 0..0, text: former.to_owned() };
        Self { existed: true, is_removed: true, hunks: vec![hunk], ..Self::default() }
    }

    /// Whether some lines of the new text have an added one among them.
    pub fn adds_to(&self, lines: &Range<u32>) -> bool {
        let first = self.hunks.partition_point(|hunk| hunk.added.end <= lines.start);
        let mut later = self.hunks[first..].iter().take_while(|hunk| hunk.added.start < lines.end);
        later.any(|hunk| !hunk.added.is_empty())
    }

    /// How many of some lines of the new text are added ones.
    pub fn added_in(&self, lines: &Range<u32>) -> u32 {
        let both =
            |hunk: &Hunk| hunk.added.end.min(lines.end).saturating_sub(hunk.added.start.max(lines.start));
        self.hunks.iter().map(both).sum()
    }

    /// The former text, given the new one: the differences are undone. `None` if the new text has fewer lines.
    pub fn former_text(&self, new: &str) -> Option<String> {
        let lines: Vec<&str> = lines_of(new).collect();
        let mut former = String::with_capacity(new.len());
        let mut at = 0;
        for hunk in &self.hunks {
            let (start, end) = (hunk.added.start as usize, hunk.added.end as usize);
            former.extend(lines.get(at..start)?.iter().copied());
            former.push_str(&hunk.text);
            lines.get(start..end)?;
            at = end;
        }
        former.extend(lines.get(at..)?.iter().copied());
        Some(former)
    }

    /// The lines of the new text that stand for some lines of the former one: the same where they are kept, and what
    /// replaced them where they are not.
    pub fn new_lines(&self, former: &Range<u32>) -> Range<u32> {
        let start = self.moved(former.start).unwrap_or_else(|hunk| hunk.added.start);
        // The end is that of the last line. A line that is added behind it is not in between.
        let Some(last) = former.end.checked_sub(1).filter(|last| *last >= former.start) else {
            return start..start;
        };
        let end = self.moved(last).map_or_else(|hunk| hunk.added.end, |line| line + 1);
        start..end.max(start)
    }

    /// Where a line of the former text is in the new one; the difference that removes it, if it is not there.
    fn moved(&self, line: u32) -> Result<u32, &Hunk> {
        let next = self.hunks.partition_point(|hunk| hunk.removed.end <= line);
        match self.hunks.get(next) {
            Some(hunk) if hunk.removed.start <= line => Err(hunk),
            _ => Ok(match next.checked_sub(1).map(|before| &self.hunks[before]) {
                Some(before) => line - before.removed.end + before.added.end,
                None => line,
            }),
        }
    }
}

/// The lines of a text, with their line ends.
pub fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive('\n')
}

/// How many lines a text has.
pub fn count(text: &str) -> u32 {
    u32::try_from(lines_of(text).count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::between::hunks;
    use super::*;

    fn changed(former: &str, new: &str) -> ChangedFile {
        ChangedFile { existed: true, hunks: hunks(former, new), ..ChangedFile::default() }
    }

    #[test]
    fn lines_are_added_and_the_others_keep_their_places() {
        let file = changed("a\nb\nc\nd\n", "a\nX\nY\nc\nd\nZ\n");
        assert!(file.adds_to(&(1..2)) && file.adds_to(&(0..6)) && file.adds_to(&(5..6)));
        assert!(!file.adds_to(&(0..1)) && !file.adds_to(&(3..5)) && !file.adds_to(&(6..9)));
        assert_eq!([file.added_in(&(0..6)), file.added_in(&(2..4))], [3, 1]);
        assert_eq!(file.new_lines(&(2..4)), 3..5);
        assert_eq!(file.new_lines(&(1..2)), 1..3, "what replaced it");
        assert_eq!(file.new_lines(&(0..4)), 0..5);
        let file = changed("a\nb\nc\n", "a\nc\n");
        assert!(!file.adds_to(&(0..2)));
        assert_eq!(file.new_lines(&(0..3)), 0..2);
        assert_eq!(file.new_lines(&(1..2)), 1..1);
    }

    proptest! {
        #[test]
        fn undoing_the_differences_gives_the_former_text(former in "([abc]{0,1}\n){0,12}[a]{0,1}", new in "([abc]{0,1}\n){0,12}[b]{0,1}") {
            let file = changed(&former, &new);
            prop_assert_eq!(file.former_text(&new), Some(former.clone()));
            // Lines that are not removed are found again, in order.
            let (old, now): (Vec<&str>, Vec<&str>) = (lines_of(&former).collect(), lines_of(&new).collect());
            for line in 0..old.len() as u32 {
                if file.hunks.iter().all(|hunk| !hunk.removed.contains(&line)) {
                    let moved = file.new_lines(&(line..line + 1));
                    prop_assert_eq!(moved.len(), 1);
                    prop_assert!(!file.adds_to(&moved));
                    prop_assert_eq!(now[moved.start as usize], old[line as usize]);
                }
            }
            prop_assert_eq!(file.new_lines(&(0..old.len() as u32)).end as usize <= now.len(), true);
        }
    }
}
