//! Lists the places of rows: of their copies, verified, or of the documents and folders that they are about.

use crate::protocol::{PlacesAnswer, RowPlace, RowPlaces};
use crate::rows::Item;
use crate::rows::list_row::{RowReaders, RowSource};
use dupi_index::index::IndexError;
use dupi_report::{Finding, ReportRow};

/// The places of some rows. A row whose text is gone, or that is no text of a document, has none and is left out.
pub(super) fn places_of(source: &RowSource, rows: &[Item]) -> Result<PlacesAnswer, IndexError> {
    let mut readers = RowReaders::new(source);
    let mut known = Vec::with_capacity(rows.len());
    for row in rows {
        let exported = row.row().export(source, &mut readers)?;
        known.extend(exported.iter().filter_map(ReportRow::finding).map(|finding| places(&finding)));
    }
    known.retain(|row: &RowPlaces| !row.places.is_empty());
    Ok(PlacesAnswer { of: rows.iter().map(Item::id).collect(), rows: known })
}

fn places(finding: &Finding) -> RowPlaces {
    let places = finding
        .places
        .iter()
        .map(|place| RowPlace { path: place.path.file(), line: (!place.is_folder).then(|| place.line()) });
    RowPlaces { id: finding.id.to_string(), places: places.collect() }
}
