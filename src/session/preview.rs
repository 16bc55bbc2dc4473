//! Answers [`super::Request::Preview`]: the verified copies of a row, document by document, the document of
//! the current one with everything in it that is duplicated, and beside it the one it is compared with.

use std::sync::Arc;
use std::time::Instant;

use super::copies::Copies;
use super::duplicated::duplicated;
use super::shared::TELL;
use super::{Beside, DocumentView, Item, Preview};
use crate::index::IndexError;
use crate::passage::align::{TABLE, matched_within};
use crate::passage::copy::Standing;
use crate::query::ByteSpan;
use crate::query::page::Page;
use crate::taboo::TabooSet;
use crate::token::Token;

/// The current copy, as it is shown.
#[derive(Clone, Default)]
struct Current {
    similarity: f32,
    document: Option<Arc<DocumentView>>,
    differs: Vec<ByteSpan>,
    beside: Option<Arc<Beside>>,
}

impl Copies {
    /// Looks into more documents, until `tell`, which gets what there is so far, says not to go on.
    /// `current` is the occurrence whose document is shown.
    pub fn load(
        &mut self,
        taboo: &TabooSet,
        current: usize,
        mut tell: impl FnMut(Preview) -> bool,
    ) -> Result<(), IndexError> {
        let mut shown = Current { similarity: 1.0, ..Current::default() };
        let (mut told, mut tried) = (Instant::now(), None);
        loop {
            let is_last = self.unread() == 0;
            let number = current.min(self.found.len().saturating_sub(1));
            let is_known = current < self.found.len() || (is_last && !self.found.is_empty());
            let is_alone = is_last && self.found.is_empty();
            if (is_known || is_alone) && tried != Some(number) {
                tried = Some(number);
                let page = match self.standing(number) {
                    Some(standing) => {
                        shown = self.compared(number, &standing);
                        Some(standing.page)
                    }
                    None => self.alone(),
                };
                if let Some(page) = page {
                    // The text at once; what is duplicated in it needs other documents.
                    let mut view = view_of(&page);
                    shown.document = Some(Arc::new(view.clone()));
                    if !tell(self.preview(current, &shown)) {
                        return Ok(());
                    }
                    view.duplicated = duplicated(&self.snapshot, &mut self.reader, taboo, &page)?;
                    shown.document = Some(Arc::new(view));
                }
                told = Instant::now();
                if !tell(self.preview(current, &shown)) {
                    return Ok(());
                }
            }
            if is_last {
                if let Item::Taboo(row) = &self.item
                    && self.found.is_empty()
                {
                    // It hides nothing now: then the text itself is all there is to show.
                    shown.document = Some(Arc::new(text_view(&row.entry.text)));
                }
                tell(self.preview(current, &shown));
                return Ok(());
            }
            if told.elapsed() >= TELL {
                told = Instant::now();
                if !tell(self.preview(current, &shown)) {
                    return Ok(());
                }
            }
            self.read_next();
        }
    }

    fn preview(&self, current: usize, shown: &Current) -> Preview {
        let unread = self.unread() as u32;
        let Current { similarity, document, differs, beside } = shown.clone();
        // A taboo text that hides nothing is shown itself.
        let is_itself = matches!(self.item, Item::Taboo(_));
        let is_missing = unread == 0 && self.found.is_empty() && (document.is_none() || is_itself);
        let problem = problem(&self.item).filter(|_| is_missing).map(str::to_owned);
        // As bytes, because there may be many: paths are compared name by name.
        let path = document.as_ref().map(|document| document.path.as_os_str());
        let in_document = |copy: &&crate::query::Occurrence| path == Some(copy.path.as_os_str());
        let number = current.min(self.found.len().saturating_sub(1));
        Preview {
            copies: self.found.iter().filter(in_document).map(|copy| copy.text_span).collect(),
            row: Some(self.item.clone()),
            occurrences: Arc::clone(&self.found),
            unread,
            current: number,
            similarity,
            document,
            differs,
            beside,
            problem,
        }
    }

    /// A copy, compared with what it is shown beside.
    fn compared(&mut self, number: usize, standing: &Standing) -> Current {
        let Some((compared, similarity)) = self.counterpart(number) else {
            return Current { similarity: 1.0, ..Current::default() };
        };
        let other = &compared.standing;
        let (ours, theirs) = (standing.hashes(), other.hashes());
        let matches = matched_within(&ours, &theirs, TABLE);
        let (mut is_ours, mut is_theirs) = (vec![false; ours.len()], vec![false; theirs.len()]);
        for &(one, another) in &matches {
            (is_ours[one as usize], is_theirs[another as usize]) = (true, true);
        }
        let start = |&(one, another): &(u32, u32)| {
            (standing.tokens[one as usize].start, other.tokens[another as usize].start)
        };
        let beside = Beside {
            at: other.occurrence(),
            document: Arc::clone(&compared.document),
            differs: unmatched(&other.tokens, &is_theirs),
            pairs: matches.iter().map(start).collect(),
        };
        let differs = unmatched(&standing.tokens, &is_ours);
        let longer = ours.len().max(theirs.len()).max(1);
        let similarity = similarity.unwrap_or(matches.len() as f32 / longer as f32);
        Current { similarity, document: None, differs, beside: Some(Arc::new(beside)) }
    }
}

/// Why nothing of a row can be shown: a sentence. A folder has nothing to show.
fn problem(item: &Item) -> Option<&'static str> {
    match item {
        Item::Taboo(_) => Some("Nothing in the corpus has this text now."),
        Item::Row(_) | Item::Passage(_) => Some(
            "None of the documents has this text any more; the list follows as soon as they are read again.",
        ),
        Item::Folder(row) if row.is_folder => None,
        Item::Document(_) | Item::Folder(_) => {
            Some("The file cannot be read as it was; the list follows as soon as it is read again.")
        }
    }
}

/// The tokens that have no counterpart, neighbours together.
fn unmatched(tokens: &[Token], is_matched: &[bool]) -> Vec<ByteSpan> {
    let numbers: Vec<usize> = (0..tokens.len()).collect();
    let runs = numbers.chunk_by(|&a, &b| is_matched[a] == is_matched[b]);
    runs.filter(|run| !is_matched[run[0]])
        .map(|run| ByteSpan {
            start: u64::from(tokens[run[0]].start),
            end: u64::from(tokens[run[run.len() - 1]].end),
        })
        .collect()
}

/// A page's document, without its duplicated runs.
pub fn view_of(page: &Page) -> DocumentView {
    DocumentView {
        path: page.file.path.clone(),
        text: page.file.text.clone(),
        line_starts: page.file.line_starts.clone(),
        duplicated: Vec::new(),
        examined: page.span,
    }
}

/// A text that stands in no document.
fn text_view(text: &str) -> DocumentView {
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1));
    DocumentView { text: text.to_owned(), line_starts: starts.collect(), ..DocumentView::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_without_counterpart_are_one_stretch() {
        let token = |at: u32| Token { hash: 0, start: at * 10, end: at * 10 + 5 };
        let tokens: Vec<Token> = (0..5).map(token).collect();
        let spans = unmatched(&tokens, &[true, false, false, true, false]);
        assert_eq!(spans, [ByteSpan { start: 10, end: 25 }, ByteSpan { start: 40, end: 45 }]);
    }
}
