//! The difference of two texts, line by line, by the histogram algorithm as git has it (crate imara-diff).

use std::borrow::Cow;

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

/// The differences of a change from a former text to a target that is not the new text: those between the former and the
/// new text that have a line of the change in them. What else differs between the target and the new text is no part of
/// the change.
pub fn hunks_towards(former: &str, target: &str, new: &str) -> Vec<Hunk> {
    if target == new {
        return hunks(former, new);
    }
    let change = hunks(former, target);
    let after = hunks(target, new);
    // Where the lines of the target are in the new text, if they are there.
    let kept = |line: u32| {
        let next = after.partition_point(|hunk| hunk.removed.end <= line);
        let is_removed = after.get(next).is_some_and(|hunk| hunk.removed.start <= line);
        let before = next.checked_sub(1).map(|before| &after[before]);
        let moved = before.map_or(line, |before| line - before.removed.end + before.added.end);
        (!is_removed).then_some(moved)
    };
    let mut added: Vec<u32> = change.iter().flat_map(|hunk| hunk.added.clone()).filter_map(kept).collect();
    added.sort_unstable();
    let has_added = |hunk: &Hunk| {
        let first = added.partition_point(|line| *line < hunk.added.start);
        added.get(first).is_some_and(|line| *line < hunk.added.end)
    };
    let is_of_change = |hunk: &Hunk| {
        let meets = |of: &Hunk| of.removed.start < hunk.removed.end && hunk.removed.start < of.removed.end;
        has_added(hunk) || change.iter().any(meets)
    };
    hunks(former, new).into_iter().filter(is_of_change).collect()
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
        let found = hunks_towards(former, target, new);
        assert_eq!(ranges(&found), [(1..1, 2..3)]);
        // A staged line that is edited again is no longer there.
        assert_eq!(hunks_towards(former, target, "a\nb\nc\nd\n"), []);
    }
}
