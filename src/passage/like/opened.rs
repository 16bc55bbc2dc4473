//! Keeps the documents that several probes are compared with, so that each is read once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::corpus::SkipReason;
use crate::index::posting::PartId;
use crate::index::snapshot::DocumentId;
use crate::query::page::DocumentPage;

/// So many tokens of documents are kept: they take about 50 MB.
const TOKENS: usize = 1 << 20;

/// The pages of a document that are compared, with the hashes of their tokens.
#[derive(Default)]
pub struct Opened {
    /// The pages.
    pub pages: Vec<DocumentPage>,
    /// Of each page, the hashes of its tokens.
    pub hashes: Vec<Vec<u64>>,
}

impl Opened {
    /// Some pages.
    pub fn new(pages: Vec<DocumentPage>) -> Self {
        let hashes = |page: &DocumentPage| page.tokens.iter().map(|token| token.hash).collect();
        Self { hashes: pages.iter().map(hashes).collect(), pages }
    }
}

/// A document, and which parts of it are open.
type Parts = (DocumentId, Vec<PartId>);

/// The documents that were opened for the probes of one snapshot.
#[derive(Default)]
pub struct OpenedDocuments {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    documents: HashMap<Parts, Arc<Opened>>,
    tokens: usize,
}

impl OpenedDocuments {
    /// Some parts of a document, opened now or before.
    ///
    /// # Errors
    /// When they cannot be opened.
    pub fn get(
        &self,
        parts: &Parts,
        open: impl FnOnce() -> Result<Vec<DocumentPage>, SkipReason>,
    ) -> Result<Arc<Opened>, SkipReason> {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().documents.get(parts) {
            return Ok(Arc::clone(known));
        }
        let opened = Arc::new(Opened::new(open()?));
        let tokens: usize = opened.hashes.iter().map(Vec::len).sum();
        let mut known = lock();
        if known.tokens + tokens > TOKENS {
            *known = Known::default();
        }
        // Another thread may have opened it meanwhile.
        if tokens <= TOKENS && known.documents.insert(parts.clone(), Arc::clone(&opened)).is_none() {
            known.tokens += tokens;
        }
        Ok(opened)
    }
}
