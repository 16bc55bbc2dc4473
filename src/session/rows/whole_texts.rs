//! The whole texts of rows, as the documents have them now.

use super::Item;
use super::list_row::{ListRow, RowReaders, RowSource, TabooText};

/// The whole texts of rows. Each document is read once. `None` for a row that has no text of its own, and when the
/// text has changed since the row was made and only its beginning is known.
pub(crate) fn whole_texts(source: &RowSource, rows: &[&Item]) -> Vec<Option<String>> {
    read(source, rows, |row, readers| row.whole_text(source, readers))
}

/// The texts of rows for the taboo list, for each row those that it stands for. `None` for a text that has changed.
pub(crate) fn taboo_texts(source: &RowSource, rows: &[&Item]) -> Vec<Vec<Option<TabooText>>> {
    read(source, rows, |row, readers| row.taboo_texts(source, readers))
}

fn read<T: Default>(
    source: &RowSource,
    rows: &[&Item],
    mut text: impl FnMut(&dyn ListRow, &mut RowReaders) -> T,
) -> Vec<T> {
    let mut readers = RowReaders::new(source);
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_cached_key(|&number| rows[number].row().text_source(source));
    let mut texts: Vec<T> = rows.iter().map(|_| T::default()).collect();
    for number in order {
        texts[number] = text(rows[number].row(), &mut readers);
    }
    texts
}
