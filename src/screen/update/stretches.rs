//! Stretches of files, of which it is told by bisection whether another one overlaps any.

use std::collections::HashMap;
use std::path::Path;

use dupi_index::query::{ByteSpan, Occurrence};

/// For each file its stretches by their first bytes: this byte, and the farthest end up to this stretch.
pub(super) struct Stretches<'a>(HashMap<&'a Path, Vec<(u64, u64)>>);

impl<'a> Stretches<'a> {
    /// Where some copies stand.
    pub(super) fn of(copies: &[&'a Occurrence]) -> Self {
        let mut files: HashMap<&Path, Vec<(u64, u64)>> = HashMap::new();
        for copy in copies {
            files.entry(&copy.path).or_default().push((copy.text_span.start, copy.text_span.end));
        }
        for stretches in files.values_mut() {
            stretches.sort_unstable();
            let mut farthest = 0;
            for (_, end) in stretches {
                farthest = farthest.max(*end);
                *end = farthest;
            }
        }
        Self(files)
    }

    /// Whether one of them overlaps a stretch of a file.
    pub(super) fn overlap(&self, path: &Path, span: ByteSpan) -> bool {
        let Some(stretches) = self.0.get(path) else { return false };
        let before = stretches.partition_point(|(start, _)| *start < span.end);
        before.checked_sub(1).is_some_and(|last| span.start < stretches[last].1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn occurrence(path: &str, span: ByteSpan) -> Occurrence {
        Occurrence {
            path: path.into(),
            record: None,
            span,
            text_span: span,
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 1,
        }
    }

    proptest! {
        #[test]
        fn overlaps_are_those_of_a_naive_search(
            copies in prop::collection::vec(("[ab]", 0..40_u64, 0..9_u64), 0..12),
            start in 0..40_u64,
            length in 0..9_u64,
        ) {
            let copies: Vec<Occurrence> = copies
                .into_iter()
                .map(|(path, start, length)| occurrence(&path, ByteSpan { start, end: start + length }))
                .collect();
            let span = ByteSpan { start, end: start + length };
            let naive = copies.iter().any(|copy| {
                let own = copy.text_span;
                own.start < span.end && span.start < own.end && copy.path == Path::new("a")
            });
            let copies: Vec<&Occurrence> = copies.iter().collect();
            prop_assert_eq!(Stretches::of(&copies).overlap(Path::new("a"), span), naive);
        }
    }
}
