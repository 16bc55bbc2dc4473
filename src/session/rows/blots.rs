//! Rows of blots: adjacent tiles that occur in the same documents.

use std::borrow::Cow;
use std::path::Path;

use super::list_row::{ListRow, PlaceSource, RowReaders, RowSource, TEXT_IS_GONE, is_whole};
use crate::preview::copy_places::CopyPlaces;
use crate::protocol::ItemId;
use dupi_index::index::IndexError;
use dupi_index::query::filter::ReviewState;
use dupi_index::query::unblot::{documents_of, occurrences_in};
use dupi_index::taboo::AcceptedId;
use dupi_passage::BlotRun;
use dupi_passage::rows::anchored_text_of;
use dupi_report::{OccurrenceRow, ReportRow, SnippetRow};
use dupi_text::blot::Blot;

impl ListRow for BlotRun {
    fn id(&self) -> ItemId {
        ItemId::Blot(Self::id(self))
    }

    fn text(&self) -> Cow<'_, str> {
        self.text.as_str().into()
    }

    fn place(&self) -> Option<(&Path, bool)> {
        Some((&self.path, false))
    }

    fn token_count(&self) -> u64 {
        u64::from(self.tokens)
    }

    fn documents(&self) -> u64 {
        u64::from(self.documents)
    }

    fn copies(&self) -> Option<u64> {
        self.copies
    }

    fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    fn blots(&self) -> &[Blot] {
        &self.blots
    }

    fn state(&self) -> ReviewState {
        Self::state(self)
    }

    fn accepted(&self) -> Option<u64> {
        self.accepted
    }

    fn accepted_as(&self) -> Option<AcceptedId> {
        Some(AcceptedId::Blot(Self::id(self)))
    }

    fn accepted_by(&self) -> Vec<AcceptedId> {
        self.blots.iter().copied().map(AcceptedId::Blot).collect()
    }

    fn whole_text(&self, source: &RowSource, readers: &mut RowReaders) -> Option<String> {
        let found = anchored_text_of(source.snapshot, &mut readers.newest, self).ok().flatten();
        found.map(|(_, text)| text).or_else(|| is_whole(&self.text).then(|| self.text.clone()))
    }

    fn taboo_blots(&self, _: &RowSource) -> Vec<Vec<Blot>> {
        vec![self.blots.clone()]
    }

    fn places(&self, source: PlaceSource) -> Result<CopyPlaces, IndexError> {
        CopyPlaces::of_blots(self, source.snapshot, source.reader)
    }

    fn why_empty(&self) -> Option<&'static str> {
        Some(TEXT_IS_GONE)
    }

    fn export(&self, source: &RowSource, readers: &mut RowReaders) -> Result<Vec<ReportRow>, IndexError> {
        let (snapshot, reader) = (source.snapshot, &mut readers.newest);
        let Some((stretch, text)) = anchored_text_of(snapshot, reader, self)? else { return Ok(Vec::new()) };
        let mut occurrences = Vec::new();
        for (document, parts) in documents_of(snapshot, &snapshot.find(Self::id(self))?) {
            let Ok(pages) = reader.pages(snapshot, document, &parts) else { continue };
            occurrences.extend(
                occurrences_in(&pages, |page| stretch.copies_in(page)).iter().map(OccurrenceRow::from),
            );
        }
        Ok(vec![ReportRow::Snippet(SnippetRow { blot: Self::id(self).to_string(), text, occurrences })])
    }
}
