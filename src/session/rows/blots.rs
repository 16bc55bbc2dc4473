//! Rows of blots: adjacent tiles that occur in the same documents.

use std::borrow::Cow;

use super::list_row::{CopySource, ListRow, RowFacts, RowReaders, is_whole};
use crate::known::Found;
use crate::protocol::ItemId;
use dupi_index::index::IndexError;
use dupi_index::query::blot_rows::BlotRun;
use dupi_index::query::blot_rows::anchored_text_of;
use dupi_index::query::unblot::{documents_of, occurrences_in};
use dupi_index::taboo::AcceptedId;
use dupi_report::{OccurrenceRow, ReportRow, SnippetRow};
use dupi_text::blot::Blot;

impl ListRow for BlotRun {
    fn id(&self) -> ItemId {
        ItemId::Blot(Self::id(self))
    }

    fn text(&self) -> Cow<'_, str> {
        self.text.as_str().into()
    }

    fn facts(&self) -> RowFacts<'_> {
        RowFacts {
            place: Some((&self.path, false)),
            tokens: u64::from(self.tokens),
            documents: u64::from(self.documents),
            copies: self.copies,
            language: self.language.as_deref(),
            state: Self::state(self),
            accepted: self.accepted,
            reviewed_copies: u64::from(self.documents),
            accepted_as: Some(AcceptedId::Blot(Self::id(self))),
            is_text: true,
            source: CopySource::Blots(self),
            ..RowFacts::default()
        }
    }

    fn whole_text(&self, found: &Found, readers: &mut RowReaders) -> Option<String> {
        let text = anchored_text_of(&found.snapshot, &mut readers.newest, self).ok().flatten();
        text.map(|(_, text)| text).or_else(|| is_whole(&self.text).then(|| self.text.clone()))
    }

    fn taboo_blots(&self, _: &Found) -> Vec<Vec<Blot>> {
        vec![self.blots.clone()]
    }

    fn export(&self, found: &Found, readers: &mut RowReaders) -> Result<Vec<Box<dyn ReportRow>>, IndexError> {
        let (snapshot, reader) = (&found.snapshot, &mut readers.newest);
        let Some((stretch, text)) = anchored_text_of(snapshot, reader, self)? else { return Ok(Vec::new()) };
        let mut occurrences = Vec::new();
        for (document, parts) in documents_of(snapshot, &snapshot.find(Self::id(self))?) {
            let Ok(pages) = reader.pages(snapshot, document, &parts) else { continue };
            occurrences.extend(
                occurrences_in(&pages, |page| stretch.copies_in(page)).iter().map(OccurrenceRow::from),
            );
        }
        Ok(vec![Box::new(SnippetRow { blot: Self::id(self).to_string(), text, occurrences })])
    }
}
