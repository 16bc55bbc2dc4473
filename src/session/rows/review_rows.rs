//! The rows of a review, without decisions. Each is read from a document once.

use std::sync::Arc;

use rayon::prelude::*;

use super::known_review::KnownReview;
use super::passages::ListedPassage;
use super::reviews::ListedReview;
use dupi_index::query::page::DocumentReader;
use dupi_passage::copy::OpenCopy;
use dupi_review::review::drift::Drift;
use dupi_review::review::find::TouchedPassage;

/// A row without decisions, and its whole text.
pub(super) type ReviewedText = (ListedReview, String);

/// A review with a row for each finding.
pub(crate) struct ReviewRows {
    /// The review.
    pub review: Arc<KnownReview>,
    /// The rows of the touched passages; `None` where the files have changed since.
    pub(super) touched: Vec<Option<ReviewedText>>,
    /// The rows of the drifts.
    pub(super) drifted: Vec<ReviewedText>,
}

impl ReviewRows {
    /// The rows of a review. Reads a document for each.
    pub(crate) fn new(review: Arc<KnownReview>) -> Self {
        let reader = || DocumentReader::new(&review.known.snapshot);
        let touched = review.found.touched.par_iter();
        let touched = touched.map_init(reader, |reader, of| row_of(&review, reader, of)).collect();
        let of_drift = |drift: &Drift| {
            let texts: Vec<&str> = drift.changed.iter().map(|copy| copy.text.as_str()).collect();
            (ListedReview::of_drift(drift), texts.join("\n"))
        };
        let drifted = review.found.drifts.iter().map(|of| of_drift(&of.drift)).collect();
        Self { review, touched, drifted }
    }
}

/// The row of a touched passage; `None` if its files have changed since.
fn row_of(review: &KnownReview, reader: &mut DocumentReader, of: &TouchedPassage) -> Option<ReviewedText> {
    let (snapshot, passages) = (&review.known.snapshot, &review.known.passages);
    let (found, pins) = (&passages.found[of.number], review.known.pins());
    let passage = pins.get(&found.id).map_or(found, Arc::as_ref);
    let mut read =
        |number: usize| OpenCopy::read(snapshot, reader, &passages.sources, passage.copies.get(number)?);
    let at = read(of.touched.iter().position(|touched| *touched)?)?.occurrence();
    let original = of.original.and_then(|number| Some(read(number)?.occurrence()));
    let copy = OpenCopy::of(snapshot, reader, &passages.sources, passage)?;
    let listed = Arc::new(ListedPassage::new(passage, &copy));
    Some((ListedReview::new(listed, of, at, original), copy.text().to_owned()))
}
