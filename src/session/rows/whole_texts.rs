//! The whole texts of rows, as the documents have them now.

use super::Item;
use super::list_row::{RowReaders, RowSource};

/// The whole texts of rows. Each document is read once. `None` for a row that has no text of its own, and when the
/// text has changed since the row was made and only its beginning is known.
pub(crate) fn whole_texts(source: &RowSource, rows: &[&Item]) -> Vec<Option<String>> {
    let mut readers = RowReaders::new(source);
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_cached_key(|&number| rows[number].row().text_source(source));
    let mut texts = vec![None; rows.len()];
    for number in order {
        texts[number] = rows[number].row().whole_text(source, &mut readers);
    }
    texts
}
