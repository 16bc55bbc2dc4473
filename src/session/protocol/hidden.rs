//! How much the taboo list hides, and how much a change of it hides or shows.

use std::collections::HashSet;

use super::subject::Subject;
use dupi_index::index::IndexError;
use dupi_index::index::ranking::Ranking;
use dupi_index::index::snapshot::{DocumentId, Snapshot};
use dupi_index::taboo::TabooSet;

/// What the taboo list hides of the rows of a view. For passages, all known ones are counted; for blots, those that were
/// looked at so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HiddenCounts {
    /// The number of rows.
    pub rows: u64,
    /// The number of copies (of documents, where copies were not counted).
    pub copies: u64,
    /// The number of documents of all these rows together; for blots, the sum over the rows.
    pub documents: u64,
}

impl HiddenCounts {
    /// Whether nothing is hidden.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What one taboo set hides and another does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TabooDifference {
    /// The kind of rows that were counted.
    pub of: Subject,
    /// The number of these rows, with their copies and documents.
    pub sum: HiddenCounts,
    /// Not all rows were counted: there may be more.
    pub is_least: bool,
}

impl TabooDifference {
    /// Counts the blots of a ranking that `more` hides and `less` does not.
    pub fn between(
        snapshot: &Snapshot,
        ranking: &Ranking,
        less: &TabooSet,
        more: &TabooSet,
    ) -> Result<Self, IndexError> {
        let mut difference = Self { is_least: !ranking.is_complete(), ..Self::default() };
        let mut documents: HashSet<DocumentId> = HashSet::new();
        for group in ranking.groups() {
            let mut newly =
                group.iter().filter(|entry| more.contains(entry.blot()) && !less.contains(entry.blot()));
            if let Some(entry) = newly.next() {
                let places = snapshot.find(entry.blot())?;
                difference.sum.rows += 1;
                difference.sum.copies += u64::from(entry.documents());
                documents.extend(places.into_iter().map(|place| snapshot.document_at(place)));
            }
        }
        difference.sum.documents = documents.len() as u64;
        Ok(difference)
    }

    /// Whether there is no difference.
    pub fn is_empty(&self) -> bool {
        self.sum.rows == 0
    }

    /// The difference in words: `3 rows with 120 copies in 60 documents`, after `at least` if not all were counted.
    pub fn words(&self) -> String {
        let unit = match self.of {
            Subject::Passages => ["passage", "passages"],
            _ => ["row", "rows"],
        };
        let HiddenCounts { rows, copies, documents } = self.sum;
        let [rows, copies, documents] =
            [(rows, unit), (copies, ["copy", "copies"]), (documents, ["document", "documents"])]
                .map(|(number, words)| counted(number, words));
        format!("{}{rows} with {copies} in {documents}", if self.is_least { "at least " } else { "" })
    }
}

/// A number with its word: `1 copy`, `2 copies`.
pub(crate) fn counted(number: u64, [one, many]: [&str; 2]) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_counted_to_the_end_is_at_least_so_many() {
        let sum = HiddenCounts { rows: 1, copies: 3, documents: 2 };
        let of = |is_least| TabooDifference { of: Subject::Blots, sum, is_least }.words();
        assert_eq!(of(true), "at least 1 row with 3 copies in 2 documents");
        assert_eq!(of(false), "1 row with 3 copies in 2 documents");
    }
}
