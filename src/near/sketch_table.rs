//! The sketches of all documents in memory, for the question which documents a text is similar to. An answer looks at every
//! sketch, which takes a millisecond for some ten thousand documents.

use super::document::Document;
use super::documents::{Made, ReadDocument};
use super::minhash::estimate;
use super::sketched::{Making, map_sketched};
use dupi_base::parallel;
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::Snapshot;
use dupi_text::sketch::{Sketch, Sketcher, USUAL_SHINGLE};

/// Documents with their sketches.
#[derive(Clone, Debug, Default)]
pub struct SketchTable {
    /// The documents, sorted by path and record.
    pub documents: Vec<Document>,
    /// Of each document its sketch; none without tokens.
    pub sketches: Vec<Option<Sketch>>,
    /// How many files were skipped because their tokens would take too much memory.
    pub too_large: u64,
}

impl SketchTable {
    /// The documents of a snapshot. Those whose sketches are not kept, or that changed since, are read. `memory` is in bytes.
    ///
    /// # Errors
    /// When `tick` stops it.
    pub fn read(snapshot: &Snapshot, memory: u64, tick: &Tick) -> Result<Self, SearchError> {
        let making = Making {
            uses_kept: true,
            of_sketch: |sketch: Sketch| sketch,
            of_read: |read: &ReadDocument| sketch_of(read.tokens),
        };
        let Made { documents: made, too_large } = map_sketched(snapshot, memory, tick, making)?;
        let (documents, sketches) = made.into_iter().map(|(_, made)| made).unzip();
        Ok(Self { documents, sketches, too_large })
    }

    /// The numbers of the documents whose signatures let expect a resemblance to that of a sketch of at least `least`,
    /// ascending.
    pub fn near_signatures(&self, sketch: &Sketch, least: f64) -> Vec<u32> {
        self.found(|other| estimate(&sketch.signature, &other.signature) >= least)
    }

    /// The numbers of the documents whose fingerprints differ from that of a sketch in at most `distance` bits, ascending.
    pub fn near_fingerprints(&self, sketch: &Sketch, distance: u32) -> Vec<u32> {
        self.found(|other| (sketch.fingerprint ^ other.fingerprint).count_ones() <= distance)
    }

    fn found(&self, is_near: impl Fn(&Sketch) -> bool + Sync) -> Vec<u32> {
        let is_found = |number: usize| self.sketches[number].as_ref().is_some_and(&is_near);
        let found = parallel::filter_numbers(self.sketches.len(), is_found);
        found.into_iter().map(|number| number as u32).collect()
    }
}

/// The sketch of a document with these tokens, as an index keeps it.
pub fn sketch_of(tokens: &[u64]) -> Option<Sketch> {
    Sketcher::new(USUAL_SHINGLE).sketch(tokens).map(|whole| whole.kept())
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use dupi_text::sketch::mix::avalanche;

    /// Sketches of some documents, of which each ten have half of their tokens in common.
    fn table(documents: u64) -> SketchTable {
        let sketch = |number: u64| {
            let tokens: Vec<u64> = (0..200)
                .map(|at| avalanche(if at < 140 { number / 10 * 1000 + at } else { number << 32 | at }))
                .collect();
            sketch_of(&tokens)
        };
        SketchTable { sketches: (0..documents).map(sketch).collect(), ..SketchTable::default() }
    }

    #[test]
    fn the_documents_of_a_group_are_near_each_other() {
        let mut table = table(200);
        table.sketches[55] = None;
        let sketch = table.sketches[57].unwrap();
        assert_eq!(table.near_signatures(&sketch, 0.3), [50, 51, 52, 53, 54, 56, 57, 58, 59]);
        assert_eq!(table.near_signatures(&sketch, 1.0), [57]);
        assert_eq!(table.near_fingerprints(&sketch, 0), [57]);
        assert_eq!(table.near_fingerprints(&sketch, 64).len(), 199);
    }

    /// `cargo test --release --lib near::sketch_table -- --ignored --nocapture`
    #[test]
    #[ignore = "measures"]
    fn a_look_up_among_many_documents_takes_this_long() {
        let table = table(80_000);
        let sketch = table.sketches[4321].unwrap();
        for (name, ask) in [
            (
                "signatures",
                (|table, sketch| table.near_signatures(sketch, 0.32))
                    as fn(&SketchTable, &Sketch) -> Vec<u32>,
            ),
            ("fingerprints", |table, sketch| table.near_fingerprints(sketch, 3)),
        ] {
            let time = |_| {
                let start = Instant::now();
                (ask(&table, &sketch).len(), start.elapsed())
            };
            let (found, least) = (0..20).map(time).min_by_key(|(_, time)| *time).unwrap();
            println!("{name} of 80,000 documents: {found} found in {least:?}");
        }
    }
}
