use super::*;

fn document(text: &str) -> DocumentView {
    let line_starts =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
    DocumentView { text: text.to_owned().into(), line_starts, ..DocumentView::default() }
}

fn rows_of(document: &DocumentView, width: usize, wraps: bool, scroll: Scroll) -> Vec<(usize, usize)> {
    Rows::new(document, width, wraps).from(scroll).map(|row| (row.line, row.byte)).collect()
}

#[test]
fn lines_are_wrapped_between_words_and_where_there_are_none() {
    let document = document("one two three\nabcdefghijklmnop\r\n\nend");
    let rows = rows_of(&document, 8, true, Scroll::default());
    assert_eq!(rows, [(0, 0), (0, 8), (1, 0), (1, 8), (2, 0), (3, 0)]);
    assert_eq!(rows_of(&document, 8, false, Scroll::default()), [(0, 0), (1, 0), (2, 0), (3, 0)]);
}

#[test]
fn scrolling_down_and_up_again_leads_back() {
    let document = document(&"some words that are wrapped 東京 more than once\n\n".repeat(9));
    for wraps in [true, false] {
        let rows = Rows::new(&document, 11, wraps);
        let mut scroll = Scroll::default();
        let mut seen = vec![scroll];
        for _ in 0..12 {
            rows.scroll(&mut scroll, 1);
            seen.push(scroll);
        }
        for expected in seen.iter().rev() {
            assert_eq!(scroll, *expected);
            rows.scroll(&mut scroll, -1);
        }
        assert_eq!(scroll, Scroll::default());
    }
}

/// What a document of any length and lines of any length does.
mod long {
    use proptest::prelude::*;

    use super::*;
    use crate::document::{row_start, rows_around};

    #[test]
    fn a_line_of_64_megabytes_costs_no_more_than_what_is_seen() {
        let document = document(&"some words, and more ".repeat((64 << 20) / 21));
        let (_, text) = line(&document, 0);
        let started = std::time::Instant::now();
        for number in 0..1000 {
            let column = number * (text.len() / 1000);
            let (from, at) = seek(text, column);
            assert_eq!(visible(text, from, column - at, 80).0.len(), 80);
            assert!(row_start(text, column, 80) <= column);
            assert_eq!(column_of(text, column), column);
        }
        assert!(started.elapsed().as_secs() < 20, "a thousand frames took {:?}", started.elapsed());
        let rows = Rows::new(&document, 80, true);
        let mut scroll = Scroll::default();
        rows.scroll(&mut scroll, isize::MAX / 2);
        assert!(scroll.byte > text.len() - 100, "the end of the only line is the end of the document");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn rows_of_a_long_line_are_the_same_from_above_and_below(
            words in prop::collection::vec("[a-z東é\t]{1,300}", 30..50), width in 40_usize..90,
        ) {
            let text = words.join(" ");
            let mut rows = vec![0];
            while let Some(next) = next_row(&text, rows[rows.len() - 1], width) {
                prop_assert!(next > rows[rows.len() - 1]);
                rows.push(next);
            }
            for (number, &row) in rows.iter().enumerate().step_by(5) {
                prop_assert_eq!(row_start(&text, row, width), row);
                let end = rows.get(number + 1).copied().unwrap_or(text.len());
                prop_assert_eq!(row_start(&text, end - 1, width), row);
                prop_assert!(rows_around(&text, row, width).contains(&row));
            }
            let document = document(&(text + "\nmore"));
            let shown = Rows::new(&document, width, true);
            let mut scroll = Scroll::default();
            shown.scroll(&mut scroll, rows.len() as isize);
            prop_assert_eq!((scroll.line, scroll.byte), (1, 0));
            for back in (1..=rows.len()).step_by(7) {
                let mut above = scroll;
                shown.scroll(&mut above, -(back as isize));
                prop_assert_eq!((above.line, above.byte), (0, rows[rows.len() - back]));
            }
        }

    }

    proptest! {
        #[test]
        fn a_column_is_found_again(text in "[a-z\t é東]{0,200}", column in 0_usize..300) {
            let (from, at) = seek(&text, column);
            prop_assert!(at <= column);
            prop_assert_eq!(column_of(&text, from), at, "where it is read from");
            // Reading from there shows what reading from the beginning shows.
            let shown: Vec<_> = visible(&text, from, column - at, 40).0;
            prop_assert_eq!(&shown, &visible(&text, 0, column, 40).0);
            for (at, cell) in shown {
                prop_assert_eq!(column_of(&text, cell.byte), column + at);
            }
        }
    }
}

#[test]
fn columns_before_the_first_are_left_out() {
    let (shown, is_cut) = visible("a\tb東c", 0, 8, 4);
    let shown: Vec<(usize, &str)> = shown.iter().map(|(at, cell)| (*at, &*cell.symbol)).collect();
    assert_eq!((shown, is_cut), (vec![(0, "b"), (1, "東"), (3, "c")], false));
    assert!(visible("a\tb東c", 0, 8, 3).1);
}
