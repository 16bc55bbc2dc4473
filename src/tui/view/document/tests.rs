use super::*;

fn document(text: &str) -> DocumentView {
    let line_starts =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
    DocumentView { text: text.into(), line_starts, ..DocumentView::default() }
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

#[test]
fn a_line_of_a_megabyte_costs_no_more_than_what_is_seen() {
    let document = document(&"x".repeat(1 << 20));
    let started = std::time::Instant::now();
    for column in (0..1 << 20).step_by(1 << 10) {
        let (_, text) = line(&document, 0);
        assert_eq!(visible(text, visible_from(text, column), 0, 80).len(), 80.min((1 << 20) - column));
        row_start(&document, 0, column, 80);
    }
    assert!(
        started.elapsed() < std::time::Duration::from_secs(5),
        "a thousand frames took {:?}",
        started.elapsed()
    );
}

#[test]
fn columns_before_the_first_are_left_out() {
    let shown = visible("a\tb東c", 0, 8, 4);
    let shown: Vec<(usize, &str)> = shown.iter().map(|(at, cell)| (*at, &*cell.symbol)).collect();
    assert_eq!(shown, [(0, "b"), (1, "東"), (3, "c")]);
}
