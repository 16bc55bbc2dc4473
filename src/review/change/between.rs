//! The difference of two texts, line by line, by the histogram algorithm as git has it (crate imara-diff).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use imara_diff::{Algorithm, Diff, InternedInput};

use super::lines::{Hunk, lines_of};

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
    let place = |line: u32| {
        let next = after.partition_point(|hunk| hunk.removed.end <= line);
        let before = next.checked_sub(1).map(|before| &after[before]);
        match after.get(next).filter(|hunk| hunk.removed.start <= line) {
            Some(hunk) => (hunk.added.start, false),
            None => (before.map_or(line, |before| line - before.removed.end + before.added.end), true),
        }
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
    use super::*;

    fn ranges(hunks: &[Hunk]) -> Vec<(std::ops::Range<u32>, std::ops::Range<u32>)> {
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
