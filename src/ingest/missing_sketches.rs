//! Makes the sketches of segments that have none: those of an older program, of a time when the index kept none, and those
//! whose file is missing or damaged. A search that needs sketches asks for it.

use std::collections::{HashMap, HashSet};

use super::progress::Observer;
use super::update::{UpdateError, Updater};
use dupi_index::index::IndexError;
use dupi_index::index::search::SearchError;
use dupi_index::index::sketches::SketchRows;
use dupi_index::index::snapshot::DocumentId;
use dupi_index::query::documents::sketch_of;
use dupi_index::query::documents::{ReadDocument, map};
use dupi_text::sketch::Sketch;

impl Updater {
    /// Makes missing and damaged sketches anew, if the index keeps sketches. A document that cannot be read, or changed since
    /// it was indexed, gets none.
    pub fn sketch(&mut self, observer: &dyn Observer) -> Result<(), UpdateError> {
        let snapshot = self.snapshot().clone();
        let segments = (0..).zip(snapshot.segments());
        let missing: HashSet<u32> = segments
            .filter(|(_, live)| !matches!(live.sketches(), Ok(Some(_))))
            .map(|(number, _)| number)
            .collect();
        if missing.is_empty() || !snapshot.manifest().sketches {
            return Ok(());
        }
        let tick = |_| if observer.is_cancelled() { Err(SearchError::Stopped) } else { Ok(()) };
        let make = |read: &ReadDocument| {
            let is_as_indexed = read.document.text == snapshot.document(read.document.id).key;
            sketch_of(read.tokens).filter(|_| is_as_indexed)
        };
        let is_missing = |id: DocumentId| missing.contains(&id.segment);
        let made = self.install(|memory| map(&snapshot, memory, &tick, is_missing, make));
        let made = match made {
            Err(SearchError::Index(error)) => return Err(error.into()),
            Err(_) => return Err(IndexError::Stopped.into()),
            Ok(made) => made,
        };
        let sketches: HashMap<_, Sketch> =
            made.documents.into_iter().filter_map(|(of, sketch)| Some((of.id, sketch?))).collect();
        let rows = |&segment: &u32| {
            let mut rows = SketchRows::default();
            for document in 0..snapshot.segment(segment).table().document_count() as u32 {
                let id = DocumentId { segment, document };
                rows.push(sketches.get(&id));
            }
            (segment, rows)
        };
        let mut made: Vec<(u32, SketchRows)> = missing.iter().map(rows).collect();
        made.sort_by_key(|(segment, _)| *segment);
        Ok(self.writer().add_sketches(&made)?)
    }
}
