//! What lies in identical folders, as bytes: documents and rows by their numbers.
//!
//! ```text
//! row · count of documents · document less the one before … · count of rows · row less the one before … ·
//! count of others · document less the one before …
//! ```

use std::collections::HashMap;

use super::documents::NamedDocuments;
use crate::passages::SourceDocument;
use crate::trees::{TreeDocuments, Trees};
use crate::varints::{NumberReader, put, put_signed};
use dupi_index::index::snapshot::DocumentId;

/// Encodes the folders of all rows, with the documents in them that are no sources, in the order of their numbers.
pub(super) fn encode(trees: &Trees, sources: &[SourceDocument]) -> (Vec<u8>, Vec<DocumentId>) {
    let mut rows: Vec<(u32, &TreeDocuments<u32>)> = trees.iter().collect();
    rows.sort_unstable_by_key(|(number, _)| *number);
    let mut numbers: HashMap<DocumentId, u32> = HashMap::new();
    let mut others = Vec::new();
    if !rows.is_empty() {
        numbers.extend((0..).zip(sources).map(|(number, source)| (source.id, number)));
    }
    let mut bytes = Vec::new();
    for (row, tree) in rows {
        put(&mut bytes, u64::from(row));
        for documents in [&tree.documents, &tree.others] {
            let number = |document: &DocumentId| {
                *numbers.entry(*document).or_insert_with(|| {
                    others.push(*document);
                    (sources.len() + others.len() - 1) as u32
                })
            };
            put_all(&mut bytes, documents.iter().map(number));
        }
        put_all(&mut bytes, tree.rows.iter().copied());
    }
    (bytes, others)
}

fn put_all(bytes: &mut Vec<u8>, numbers: impl ExactSizeIterator<Item = u32>) {
    put(bytes, numbers.len() as u64);
    let mut before = 0;
    for number in numbers {
        put_signed(bytes, i64::from(number) - i64::from(before));
        before = number;
    }
}

/// Decodes the folders of a result with `rows` rows; `None` if the bytes are invalid.
pub(super) fn decode(bytes: &[u8], documents: &NamedDocuments, rows: usize) -> Option<Trees> {
    let mut reader = NumberReader(bytes);
    let mut trees = HashMap::new();
    let is_row = |row: &u32| (*row as usize) < rows;
    while !reader.is_at_end() {
        let row = Some(reader.small()?).filter(is_row)?;
        let mut all = [Vec::new(), Vec::new()];
        for some in &mut all {
            *some = numbers(&mut reader, |number| documents.get(number))?;
        }
        let [documents, others] = all;
        let rows = numbers(&mut reader, |number| Some(number).filter(is_row))?;
        trees.insert(row, TreeDocuments { documents, rows, others });
    }
    Some(Trees::of_rows(trees))
}

fn numbers<T>(reader: &mut NumberReader, of: impl Fn(u32) -> Option<T>) -> Option<Vec<T>> {
    let mut before = 0;
    let count = reader.count()?;
    let mut all = Vec::with_capacity(count);
    for _ in 0..count {
        before = reader.near(before)?;
        all.push(of(before)?);
    }
    Some(all)
}
