//! The line over two copies side by side that tells how the others differ: which of them are equal to the current one, and
//! how many words of the rest differ from the reference copy.

use crate::text::{grouped, several};
use dupi_session::Preview;

/// How the copies that are not shown differ; empty where nothing is known of them.
pub(super) fn words(preview: &Preview) -> String {
    let known = preview.occurrences.len();
    if preview.variants.is_empty() {
        return match preview.alike.iter().all(|percent| *percent == 100) {
            true if preview.unread == 0 => {
                format!("all {} copies have the same words", grouped(known as u64))
            }
            _ => "comparing the other copies…".to_owned(),
        };
    }
    let reference = preview.beside.as_ref().map(|beside| &beside.at);
    let is_other = |number: usize| number != preview.current && preview.occurrences.get(number) != reference;
    let own = preview.variants.get(preview.current).copied().flatten();
    // The copies with the same words, the equal ones first.
    let mut groups: Vec<(u8, u64, u32, Vec<usize>)> = Vec::new();
    for (number, variant) in preview.variants.iter().enumerate().filter(|(number, _)| is_other(*number)) {
        let Some(variant) = variant else { continue };
        let order = match variant.differing {
            _ if own.is_some_and(|own| own.print == variant.print) => 0,
            0 => 1,
            _ => 2,
        };
        match groups.iter_mut().find(|group| (group.0, group.1) == (order, variant.print)) {
            Some(group) => group.3.push(number + 1),
            None => groups.push((order, variant.print, variant.differing, vec![number + 1])),
        }
    }
    groups.sort_by_key(|group| group.0);
    let said = groups.iter().map(|(order, _, differing, numbers)| {
        let copies = copies(numbers);
        match (order, differing) {
            (0, _) => format!("{copies} equal to this one"),
            (1, _) => format!("{copies}: no difference"),
            (_, 1) => format!("{copies}: 1 word differs"),
            (_, words) => format!("{copies}: {} differ", several(u64::from(*words), "word")),
        }
    });
    let more = known.saturating_sub(preview.variants.len()) as u64 + u64::from(preview.unread);
    let more = (more > 0).then(|| format!("{} more not compared", grouped(more)));
    said.chain(more).collect::<Vec<_>>().join(" · ")
}

/// `copy 2`, `copies 3–9, 12`.
fn copies(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next).map(|run| match run {
        [first, .., last] => format!("{first}–{last}"),
        run => run.iter().map(usize::to_string).collect(),
    });
    let runs: Vec<String> = runs.collect();
    format!("{} {}", if numbers.len() == 1 { "copy" } else { "copies" }, runs.join(", "))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use dupi_index::query::{ByteSpan, Occurrence};
    use dupi_session::{CopyVariant, CounterpartView};

    /// Copies of a text, each given by the words that it has and by how many of them differ; the first is the reference.
    fn preview(current: usize, variants: &[(u64, u32)], of: usize) -> Preview {
        let span = ByteSpan { start: 0, end: 9 };
        let (line, column, end_line, end_column) = (1, 1, 1, 10);
        let path = |number: usize| format!("{number}.c").into();
        let copy = |number| Occurrence {
            path: path(number),
            record: None,
            span,
            text_span: span,
            line,
            column,
            end_line,
            end_column,
        };
        let variant = |&(print, differing): &(u64, u32)| Some(CopyVariant { print, differing });
        Preview {
            occurrences: Arc::new((0..of).map(copy).collect()),
            alike: Arc::new((0..of).map(|number| if number == 0 { 100 } else { 90 }).collect()),
            beside: Some(Arc::new(CounterpartView { at: copy(0), ..CounterpartView::default() })),
            variants: Arc::new(variants.iter().map(variant).collect()),
            current,
            ..Preview::default()
        }
    }

    #[test]
    fn the_others_are_told_by_what_they_have_in_common() {
        let variants = [(1, 0), (2, 4), (3, 2), (3, 2), (3, 2), (1, 0), (3, 2), (4, 1)];
        assert_eq!(
            words(&preview(2, &variants, 8)),
            "copies 4–5, 7 equal to this one · copy 6: no difference · copy 2: 4 words differ · \
             copy 8: 1 word differs"
        );
        assert_eq!(
            words(&preview(1, &variants, 8)),
            "copy 6: no difference · copies 3–5, 7: 2 words differ · copy 8: 1 word differs"
        );
        assert_eq!(words(&preview(1, &variants[..3], 8)), "copy 3: 2 words differ · 5 more not compared");
        assert_eq!(words(&preview(1, &[], 3)), "comparing the other copies…");
        let equal = Preview { alike: Arc::default(), ..preview(1, &[], 3) };
        assert_eq!(words(&equal), "all 3 copies have the same words");
    }
}
