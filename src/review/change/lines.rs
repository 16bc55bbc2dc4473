//! The change of a set of files, in lines, and the difference of two texts by the histogram algorithm as git has it (crate
//! imara-diff).
//!
//! Lines are numbered from 0. A line ends with its line feed; the last one may have none. A text that is empty has no
//! lines.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use imara_diff::{Algorithm, Diff, InternedInput};

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

impl Hunk {
    /// The lines before, and those behind.
    fn forward(&self) -> (&Range<u32>, &Range<u32>) {
        (&self.removed, &self.added)
    }

    /// The lines behind, and those before.
    pub(super) fn backward(&self) -> (&Range<u32>, &Range<u32>) {
        (&self.added, &self.removed)
    }
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
        let start = moved(&self.hunks, former.start, Hunk::forward).unwrap_or_else(|hunk| hunk.added.start);
        // The end is that of the last line. A line that is added behind it is not in between.
        let Some(last) = former.end.checked_sub(1).filter(|last| *last >= former.start) else {
            return start..start;
        };
        let end = moved(&self.hunks, last, Hunk::forward).map_or_else(|hunk| hunk.added.end, |line| line + 1);
        start..end.max(start)
    }
}

/// Where a line of one of two texts is in the other; the difference that it is a part of, if it is not there. Each
/// difference is passed to `sides`, which returns its lines in the first text and those in the other.
pub(super) fn moved(
    hunks: &[Hunk],
    line: u32,
    sides: impl Fn(&Hunk) -> (&Range<u32>, &Range<u32>),
) -> Result<u32, &Hunk> {
    let next = hunks.partition_point(|hunk| sides(hunk).0.end <= line);
    match hunks.get(next) {
        Some(hunk) if sides(hunk).0.start <= line => Err(hunk),
        _ => Ok(match next.checked_sub(1).map(|before| sides(&hunks[before])) {
            Some((own, other)) => line - own.end + other.end,
            None => line,
        }),
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

/// The differences between a former and a new text. Lines that differ only in how they end, by LF or CR LF, are equal if
/// that is so in the whole texts: git may change all line ends of a file when it is checked out.
pub fn hunks(former: &str, new: &str) -> Vec<Hunk> {
    if former == new {
        return Vec::new();
    }
    let [plain_former, plain_new] = same_ends(former, new);
    let input = InternedInput::new(&*plain_former, &*plain_new);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let mut lines = lines_of(former);
    let mut at = 0;
    let hunk = |hunk: imara_diff::Hunk| {
        let skipped = lines.by_ref().take((hunk.before.start - at) as usize).count();
        debug_assert_eq!(skipped, (hunk.before.start - at) as usize);
        at = hunk.before.end;
        let text = lines.by_ref().take(hunk.before.len()).collect();
        Hunk { removed: hunk.before, added: hunk.after, text }
    };
    diff.hunks().map(hunk).collect()
}

/// Both texts with LF, if one of them ends its lines by CR LF and the other one by LF.
fn same_ends<'t>(former: &'t str, new: &'t str) -> [Cow<'t, str>; 2] {
    if former.contains("\r\n") == new.contains("\r\n") {
        return [former.into(), new.into()];
    }
    [former, new].map(|text| text.replace("\r\n", "\n").into())
}

/// The differences of a change from a former text to a target that is not the new text: those between the new text and the
/// same text in which the change is undone. What else differs between the target and the new text is no part of the change.
/// Also returns whether the change adds a line that the new text does not have.
pub fn hunks_towards(former: &str, target: &str, new: &str) -> (Vec<Hunk>, bool) {
    if target == new {
        return (hunks(former, new), false);
    }
    let (change, after) = (hunks(former, target), hunks(target, new));
    // Where a line of the target is in the new text, or where it was removed, and whether it is there.
    let place = |line: u32| match moved(&after, line, Hunk::forward) {
        Ok(line) => (line, true),
        Err(hunk) => (hunk.added.start, false),
    };
    let (mut undone, mut restored, mut is_lost) = (BTreeSet::new(), BTreeMap::new(), false);
    for hunk in &change {
        restored.entry(place(hunk.added.start).0).or_insert_with(String::new).push_str(&hunk.text);
        for (line, is_there) in hunk.added.clone().map(place) {
            if is_there {
                undone.insert(line);
            }
            is_lost |= !is_there;
        }
    }
    let mut without = String::with_capacity(new.len());
    for (number, line) in (0..).zip(lines_of(new)) {
        without.push_str(restored.remove(&number).as_deref().unwrap_or_default());
        if !undone.contains(&number) {
            without.push_str(line);
        }
    }
    restored.into_values().for_each(|text| without.push_str(&text));
    (hunks(&without, new), is_lost)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn changed(former: &str, new: &str) -> ChangedFile {
        ChangedFile { existed: true, hunks: hunks(former, new), ..ChangedFile::default() }
    }

    #[test]
    fn lines_are_added_and_the_others_keep_their_places() {
        let file = changed("a\nb\nc\nd\n", "a\nX\nY\nc\nd\nZ\n");
        assert!(file.adds_to(&(1..2)) && file.adds_to(&(0..6)) && file.adds_to(&(5..6)));
        assert!(!file.adds_to(&(0..1)) && !file.adds_to(&(3..5)) && !file.adds_to(&(6..9)));
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

    fn ranges(hunks: &[Hunk]) -> Vec<(Range<u32>, Range<u32>)> {
        hunks.iter().map(|hunk| (hunk.removed.clone(), hunk.added.clone())).collect()
    }

    #[test]
    fn differences_have_the_removed_lines() {
        let hunks = hunks("a\nb\nc\nd", "b\nc\nX\nd\nY\n");
        assert_eq!(ranges(&hunks), [(0..1, 0..0), (3..4, 2..5)]);
        assert_eq!([&hunks[0].text, &hunks[1].text], ["a\n", "d"]);
    }

    #[test]
    fn changed_line_ends_of_a_whole_file_are_no_difference() {
        assert_eq!(hunks("a\nb\n", "a\r\nb\r\n"), []);
        let found = hunks("a\r\nb\r\n", "a\nX\nb\n");
        assert_eq!(ranges(&found), [(1..1, 1..2)]);
        assert_eq!(ranges(&hunks("a\r\nb\nc\r\n", "a\r\nb\r\nc\r\n")), [(1..2, 1..2)]);
    }

    #[test]
    fn lines_that_are_not_of_the_change_are_left_out() {
        let (former, target) = ("a\nb\nc\nd\n", "a\nS\nb\nc\nd\n");
        let new = "W\na\nS\nb\nc\nV\n";
        let (found, is_lost) = hunks_towards(former, target, new);
        assert_eq!((ranges(&found), is_lost), (vec![(2..2, 2..3)], false));
        // Of a file that is new, only what is of the change.
        let (found, _) = hunks_towards("", "a\nb\n", "W\na\nV\nb\n");
        assert_eq!(ranges(&found), [(1..1, 1..2), (2..2, 3..4)]);
        let (found, _) = hunks_towards("a\nb\nc\n", "a\nc\n", "a\nW\nc\n");
        assert_eq!(found.iter().map(|hunk| &*hunk.text).collect::<String>(), "b\n");
        // A staged line that is edited again is no longer there.
        assert_eq!(hunks_towards(former, target, "a\nb\nc\nd\n"), (Vec::new(), true));
    }
}
