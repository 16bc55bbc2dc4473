//! Aligns the rows of two copies: rows with corresponding tokens are on the same line of the screen, and the side with
//! fewer rows between two such lines has filler rows there.
//!
//! Only rows near the screen are examined.

use crate::document::{RowStart, Rows, Scroll};
use dupi_session::{CounterpartView, DocumentView};

/// The number of pairs above the screen that are examined.
const PAIRS: usize = 2000;

/// The rows of one side on the screen, from the top; `None` for a filler.
pub(crate) type SideRows = Vec<Option<RowStart>>;

/// The rows of both sides on the screen.
pub(super) struct AlignedRows {
    /// Those of the current copy.
    pub own: SideRows,
    /// Those of the reference copy.
    pub other: SideRows,
    /// The scroll position of the reference copy.
    pub scroll: Scroll,
}

/// The current copy and the reference copy.
pub(super) struct Sides<'d> {
    pub document: &'d DocumentView,
    pub beside: &'d CounterpartView,
    /// The widths of their texts.
    pub widths: [usize; 2],
    pub wraps: bool,
}

impl Sides<'_> {
    /// The rows of both sides on a screen of this height, when the current copy is at `scroll`.
    pub(super) fn rows(&self, scroll: Scroll, height: usize) -> AlignedRows {
        let Self { document, beside, widths, wraps } = *self;
        let (ours, theirs) =
            (Rows::new(document, widths[0], wraps), Rows::new(&beside.document, widths[1], wraps));
        let (Some(top), Some(end)) = (ours.from(scroll).next(), ours.from(scroll).take(height).last()) else {
            return AlignedRows { own: Vec::new(), other: Vec::new(), scroll };
        };
        let anchors = self.anchors(&ours, &theirs, top, end);
        let next = anchors.partition_point(|(own, _)| *own <= top);
        let (mut scrolled, mut blank) = following(&ours, &theirs, beside, scroll);
        let mut is_below_end = false;
        if let Some((own, other)) = next.checked_sub(1).map(|at| anchors[at])
            && let Some(below) = ours.apart(own, top)
        {
            (scrolled.line, scrolled.byte) = (other.line, other.byte);
            theirs.scroll(&mut scrolled, below as isize);
            if let Some(&(_, other)) = anchors.get(next).filter(|(_, other)| scrolled.row() > *other) {
                (scrolled.line, scrolled.byte) = (other.line, other.byte);
            }
            is_below_end =
                next == anchors.len() && theirs.apart(other, scrolled.row()).is_some_and(|by| by < below);
            blank = 0;
        }
        // Where the position is an estimate, nothing that corresponds is on the screen.
        let is_estimate = next == 0 && anchors.first().is_none_or(|(own, _)| *own > end);
        let mut anchors = anchors[next..].iter().filter(|_| !is_estimate).copied().peekable();
        let mut own = ours.from(scroll).peekable();
        let mut other = theirs.from(scrolled).skip(usize::from(is_below_end)).peekable();
        let mut sides = AlignedRows { own: Vec::new(), other: Vec::new(), scroll: scrolled };
        for _ in 0..height {
            let reached = anchors.peek().map(|(at, to)| {
                (own.peek().is_none_or(|row| row >= at), other.peek().is_none_or(|row| row >= to))
            });
            let (takes_own, takes_other) = match reached {
                _ if blank > 0 => (true, false),
                Some((true, false)) => (false, true),
                Some((false, true)) => (true, false),
                _ => (true, true),
            };
            blank = blank.saturating_sub(1);
            if reached == Some((true, true)) {
                anchors.next();
            }
            sides.own.push(own.next_if(|_| takes_own));
            sides.other.push(other.next_if(|_| takes_other));
        }
        sides
    }

    /// The rows that are on the same line of the screen, ascending on both sides: from the last ones at or above `top`
    /// to the first ones below `end`.
    fn anchors(&self, ours: &Rows, theirs: &Rows, top: RowStart, end: RowStart) -> Vec<(RowStart, RowStart)> {
        let pairs = &self.beside.pairs;
        let rows = |at: usize| (ours.row_at(pairs[at].0 as usize), theirs.row_at(pairs[at].1 as usize));
        let start = ours.start_of(top);
        let near = pairs.partition_point(|&(ours, _)| (ours as usize) < start).min(pairs.len().max(1) - 1);
        // Rows whose first tokens correspond are aligned wherever the search begins.
        let is_fixed = |at: usize| {
            let (own, other) = rows(at);
            let (before, other_before) = rows(at - 1);
            own <= top && own != before && other != other_before
        };
        let from = (near.saturating_sub(PAIRS) + 1..=near).rev().find(|&at| is_fixed(at));
        let from = from.unwrap_or(near.saturating_sub(PAIRS));
        let mut anchors: Vec<(RowStart, RowStart)> = Vec::new();
        for at in from..pairs.len() {
            let (own, other) = rows(at);
            if anchors.last().is_none_or(|last| last.0 < own && last.1 < other) {
                anchors.push((own, other));
                if own > end {
                    break;
                }
            }
        }
        anchors
    }
}

/// The scroll position of the reference copy when the current one is at `scroll` outside of what corresponds, and the
/// number of blank rows above its beginning.
fn following(rows: &Rows, others: &Rows, beside: &CounterpartView, scroll: Scroll) -> (Scroll, usize) {
    let Some(start) = rows.from(scroll).next() else { return (scroll, 0) };
    let top = rows.start_of(start);
    let next = beside.pairs.partition_point(|&(ours, _)| (ours as usize) < top);
    let Some(&(ours, theirs)) = beside.pairs.get(next).or(beside.pairs.last()) else {
        return (scroll, 0);
    };
    let (own, other) = (rows.row_at(ours as usize), others.row_at(theirs as usize));
    let at = |row: RowStart| Scroll { line: row.line, byte: row.byte, ..scroll };
    let mut scrolled = at(other);
    if let Some(below) = rows.apart(start, own) {
        others.scroll(&mut scrolled, -(below as isize));
        let reached = others.apart(scrolled.row(), other).unwrap_or(below);
        return (scrolled, below.saturating_sub(reached));
    }
    if let Some(above) = rows.apart(own, start) {
        others.scroll(&mut scrolled, above as isize);
        return (scrolled, 0);
    }
    // No rows of the two are visible together, so an estimate is enough.
    let far = i64::from(theirs) + top as i64 - i64::from(ours);
    let row = others.row_at(far.clamp(0, beside.document.text.len() as i64) as usize);
    (at(row), 0)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn document(text: &str) -> DocumentView {
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
        DocumentView { text: text.to_owned().into(), line_starts, ..DocumentView::default() }
    }

    #[test]
    fn the_other_copy_follows_and_what_is_above_its_beginning_is_blank() {
        let ours = document("0\n1\n2\none\ntwo\nthree\n6\n7\n8\n9\n");
        let theirs = document("0\none\ntwo\nnew\nthree\n5\n6\n");
        let starts = |words: [&str; 3]| {
            words.map(|word| (ours.text.find(word).unwrap() as u32, theirs.text.find(word).unwrap() as u32))
        };
        let pairs = starts(["one", "two", "three"]).to_vec();
        let beside = CounterpartView { document: theirs.into(), pairs, ..CounterpartView::default() };
        let follow = |line| {
            let scroll = Scroll { line, ..Scroll::default() };
            let (rows, others) = (Rows::new(&ours, 20, false), Rows::new(&beside.document, 20, false));
            let (scroll, blank) = following(&rows, &others, &beside, scroll);
            (scroll.line, blank)
        };
        assert_eq!([follow(0), follow(2)], [(0, 2), (0, 0)]);
        assert_eq!([follow(3), follow(4), follow(5)], [(1, 0), (2, 0), (4, 0)]);
        assert_eq!([follow(6), follow(7)], [(5, 0), (6, 0)]);
    }

    /// What both sides show: the first letter of each row, `.` for a filler or no row.
    fn shown(ours: &str, theirs: &str, words: &[&str], line: usize, wraps: bool) -> [String; 2] {
        let (ours, theirs) = (document(ours), document(theirs));
        let at = |text: &str, word: &str| text.find(word).unwrap() as u32;
        let pairs = words.iter().map(|word| (at(&ours.text, word), at(&theirs.text, word))).collect();
        let beside = CounterpartView { document: theirs.into(), pairs, ..CounterpartView::default() };
        let sides = Sides { document: &ours, beside: &beside, widths: [4, 4], wraps };
        let rows = sides.rows(Scroll { line, ..Scroll::default() }, 9);
        let letters = |document: &DocumentView, rows: &SideRows| {
            let shown = Rows::new(document, 4, wraps);
            let letter = |row: &Option<RowStart>| match row {
                Some(row) => document.text[shown.start_of(*row)..].chars().next().unwrap_or(' '),
                None => '.',
            };
            rows.iter().map(letter).collect::<String>().trim_end_matches([' ', '.']).replace('\n', " ")
        };
        [letters(&ours, &rows.own), letters(&beside.document, &rows.other)]
    }

    #[test]
    fn the_side_with_fewer_rows_has_filler_rows() {
        let (ours, theirs) = ("a\nb\nx\ny\nc\nd\ne\n", "0\na\nb\nc\n1\n2\nd\nz\ne\n");
        let from = |line| shown(ours, theirs, &["a", "b", "c", "d", "e"], line, false);
        assert_eq!(from(0), ["abxyc..d", "ab..c12dz"].map(str::to_owned));
        assert_eq!(from(2), ["xyc..d.e", "..c12dze"].map(str::to_owned));
        assert_eq!(from(4), ["c..d.e", "c12dze"].map(str::to_owned));
        // The other way round there is a row above the beginning.
        let back = shown(theirs, ours, &["a", "b", "c", "d", "e"], 0, false);
        assert_eq!(back, ["0ab..c12d", ".abxyc..d"].map(str::to_owned));
    }

    #[test]
    fn wrapped_rows_are_aligned_too() {
        let sides =
            shown("a b c d\ne f\n", "a b x y z w c d\ne f\n", &["a", "b", "c", "d", "e", "f"], 0, true);
        assert_eq!(sides, ["a..ce", "axzce"].map(str::to_owned));
    }

    proptest! {
        #[test]
        fn rows_beside_each_other_stay_so_when_the_copies_are_scrolled(
            tokens in vec((0..5u8, any::<bool>(), any::<bool>()), 1..60)
        ) {
            let (mut texts, mut pairs) = ([String::new(), String::new()], Vec::new());
            for (of, is_last, is_last_there) in tokens {
                if of < 3 {
                    pairs.push((texts[0].len() as u32, texts[1].len() as u32));
                }
                if of != 3 {
                    texts[0] += if is_last { "t\n" } else { "t " };
                }
                if of != 4 {
                    texts[1] += if is_last_there { "t\n" } else { "t " };
                }
            }
            let [ours, theirs] = texts.map(|text| document(&text));
            let beside = CounterpartView { document: theirs.into(), pairs, ..CounterpartView::default() };
            let sides = Sides { document: &ours, beside: &beside, widths: [20, 20], wraps: false };
            let from = |line, height| {
                let rows = sides.rows(Scroll { line, ..Scroll::default() }, height);
                let lines = |rows: &SideRows| rows.iter().flatten().map(|row| row.line).collect::<Vec<_>>();
                let (own, other) = (lines(&rows.own), lines(&rows.other));
                // Each side shows all of its lines from its first one on.
                prop_assert!(own.iter().copied().eq(line..line + own.len()));
                prop_assert!(other.is_sorted_by(|line, next| line + 1 == *next));
                Ok(rows.own.into_iter().zip(rows.other).filter(|(own, _)| own.is_some()).collect::<Vec<_>>())
            };
            let all = from(0, 200)?;
            prop_assert_eq!(all.len(), ours.line_starts.len());
            for line in 0..ours.line_starts.len() {
                let seen = from(line, 7)?;
                prop_assert_eq!(&seen[..], &all[line..line + seen.len()]);
            }
        }
    }
}
