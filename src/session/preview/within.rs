//! What the copies in a file begin in: the lines that name the functions or sections around them.

use std::sync::Arc;

use dupi_index::query::Occurrence;
use dupi_index::query::page::OpenFile;
use dupi_judge::enclosing::enclosing;

/// The most copies that are examined in one file. Some files have a hundred thousand.
const MOST: usize = 1000;

/// The line that names what each copy in a file begins in, if there is one.
pub(super) fn lines_around(file: &OpenFile, copies: &[Occurrence]) -> Vec<Option<Arc<str>>> {
    let is_code = file.is_source();
    let line = |copy: &Occurrence| {
        let line = enclosing(&file.text, copy.text_span.start as usize, is_code)?;
        Some(Arc::from(&file.text[line]))
    };
    let looked_at = copies.iter().take(MOST).map(line);
    looked_at.chain(std::iter::repeat_n(None, copies.len().saturating_sub(MOST))).collect()
}
