//! What tells paths apart: the part between what all of them begin with and what all of them end with. Both end at
//! whole words, so that a name is never taken apart.

/// How much some paths have in common, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shared {
    /// How many equal bytes all begin with.
    head: usize,
    /// How many equal bytes all end with.
    tail: usize,
}

impl Shared {
    /// What some paths have in common; of a single path nothing.
    pub(super) fn among<'p>(mut paths: impl Iterator<Item = &'p str>) -> Self {
        let Some(first) = paths.next() else { return Self::default() };
        let (mut head, mut tail, mut shortest) = (first.len(), first.len(), first.len());
        let (mut is_alone, mut are_equal) = (true, true);
        for path in paths {
            head = equal(first.bytes(), path.bytes()).min(head);
            tail = equal(first.bytes().rev(), path.bytes().rev()).min(tail);
            shortest = shortest.min(path.len());
            is_alone = false;
            are_equal &= path == first;
        }
        match (is_alone, are_equal) {
            (true, _) => Self::default(),
            (false, true) => Self { head, tail: 0 },
            (false, false) => {
                let head =
                    first[..first.floor_char_boundary(head)].rfind(is_between_words).map_or(0, |at| at + 1);
                let tail = tail.min(shortest - head);
                let tail = &first[first.ceil_char_boundary(first.len() - tail)..];
                Self { head, tail: tail.find(is_between_words).map_or(0, |at| tail.len() - at) }
            }
        }
    }

    /// The parts of a path as it is shown, where its beginning can be left out, and whether each is shared.
    pub(super) fn parts<'s>(self, path: &str, shown: &'s str) -> [(&'s str, bool); 3] {
        // An ellipsis takes the place of what is left out.
        let rest = shown.strip_prefix('…').filter(|_| shown != path);
        let cut = shown.len() - rest.map_or(shown.len(), str::len);
        let head = match cut {
            0 => self.head.min(shown.len()),
            _ => (self.head + shown.len()).saturating_sub(path.len()).clamp(cut, shown.len()),
        };
        let tail = shown.len().saturating_sub(self.tail).max(head);
        match (shown.get(..head), shown.get(head..tail), shown.get(tail..)) {
            (Some(before), Some(between), Some(behind)) => [(before, true), (between, false), (behind, true)],
            _ => [(shown, false), ("", true), ("", true)],
        }
    }
}

fn equal(one: impl Iterator<Item = u8>, other: impl Iterator<Item = u8>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

/// ASCII, so it takes one byte.
fn is_between_words(letter: char) -> bool {
    letter.is_ascii() && !letter.is_ascii_alphanumeric()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cells::fit_end;

    fn apart<'p>(paths: &[&'p str]) -> Vec<&'p str> {
        let shared = Shared::among(paths.iter().copied());
        paths.iter().map(|path| shared.parts(path, path)[1].0).collect()
    }

    #[test]
    fn whole_words_between_what_is_equal_tell_paths_apart() {
        assert_eq!(apart(&["fs/nls/nls_cp437.c", "fs/nls/nls_cp850.c"]), ["cp437", "cp850"]);
        assert_eq!(apart(&["fs/affs/inode.c", "fs/adfs/inode.c"]), ["affs", "adfs"]);
        assert_eq!(apart(&["a/x.c", "a/x.c"]), ["", ""]);
        assert_eq!(apart(&["a/x.c"]), ["a/x.c"]);
        assert_eq!(apart(&["a", "a/a"]), ["a", "a/a"]);
        assert_eq!(apart(&["d/a.a", "d/a.a.a"]), ["a", "a.a"]);
        assert_eq!(apart(&["港/é.md", "港/è.md"]), ["é", "è"]);
        assert!(apart(&[]).is_empty());
    }

    #[test]
    fn of_a_path_that_is_cut_the_same_part_is_told() {
        let paths = ["deep/down/in/a/tree/one.c", "deep/down/in/a/tree/other.c"];
        let shared = Shared::among(paths.into_iter());
        assert_eq!(shared.parts(paths[0], "…tree/one.c"), [("…tree/", true), ("one", false), (".c", true)]);
        assert_eq!(shared.parts(paths[1], "…er.c"), [("…", true), ("er", false), (".c", true)]);
    }

    proptest! {
        #[test]
        fn the_parts_are_the_path_and_paths_that_differ_differ_in_the_middle(
            paths in prop::collection::vec("[ab/.é…]{0,9}", 1..5), width in 0usize..12,
        ) {
            let shared = Shared::among(paths.iter().map(String::as_str));
            for path in &paths {
                let whole = shared.parts(path, path);
                prop_assert_eq!(&whole.map(|part| part.0).concat(), path);
                for other in &paths {
                    prop_assert_eq!(path == other, whole[1] == shared.parts(other, other)[1]);
                }
                let shown = fit_end(path, width);
                prop_assert_eq!(shared.parts(path, &shown).map(|part| part.0).concat(), shown);
            }
        }
    }
}
