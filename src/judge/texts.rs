//! The tokens of the representatives, by the ids of their passages: so a taboo decision is applied to all passages. A search has
//! gathered them; of kept passages they are read from the documents when they are needed first: each file once; if it has
//! changed since, another copy takes the place of the representative. A passage is hidden if the list leaves too little of it.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use rayon::prelude::*;

use crate::hashed::HashedMap;
use crate::passages::{Passage, PassageCopy, PassageId, SourceDocument};
use dupi_base::corpus::{self, Records};
use dupi_base::storage::Folder;
use dupi_base::storage::map::Scratch;
use dupi_index::index::snapshot::{FileId, Snapshot};
use dupi_index::taboo::TabooSet;
use dupi_passage::gather::Gathered;
use dupi_passage::group::RunGroup;
use dupi_text::blot::{Blot, Recipe, tiles_of};
use dupi_text::token::{LexState, Token, Tokeniser};

/// The most searches whose tokens amended passages have.
const MOST_PARTS: usize = 64;

/// The tokens of the representatives. Those of amended passages are in several parts, the last search first.
#[derive(Default)]
pub struct RepresentativeTokens(Vec<Arc<TokensPart>>);

/// The tokens of the representatives of one search.
struct TokensPart {
    held: OnceLock<HeldTokens>,
    /// Where they are read from when they are needed.
    unread: Option<Reread>,
}

/// Tokens in memory, or in a scratch file.
#[derive(Default)]
pub(super) struct HeldTokens {
    tokens: Vec<u64>,
    /// The tokens, when they are in a scratch file.
    scratch: Option<Scratch>,
    /// Where the tokens of each passage stand.
    ranges: HashedMap<PassageId, Range<usize>>,
    /// Whether the tokens of all passages could be read.
    is_complete: bool,
}

impl RepresentativeTokens {
    /// The tokens of a search.
    pub(super) fn held(of: HeldTokens) -> Self {
        Self(vec![Arc::new(TokensPart { held: of.into(), unread: None })])
    }

    /// Tokens that are read when they are needed.
    pub(super) fn unread(of: Reread) -> Self {
        Self(vec![Arc::new(TokensPart { held: OnceLock::new(), unread: Some(of) })])
    }

    /// Whether there are none, not even of passages without tokens.
    pub(super) fn are_absent(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the tokens of another search can be added.
    pub(super) fn can_be_amended(&self) -> bool {
        self.0.len() < MOST_PARTS
    }

    /// These tokens and those of passages that were `found` since.
    pub(super) fn amended(&self, found: &Self) -> Self {
        Self(found.0.iter().chain(&self.0).map(Arc::clone).collect())
    }

    /// Whether the tokens of all representatives have been read. A passage whose document has changed since has none.
    pub(super) fn are_read(&self) -> bool {
        self.0.iter().all(|part| part.held.get().is_some_and(|held| held.is_complete))
    }

    /// The tokens of the representative of a passage.
    pub fn get(&self, passage: PassageId) -> &[u64] {
        self.0.iter().find_map(|part| part.held().get(passage)).unwrap_or_default()
    }

    /// Whether the representative of a passage has a blot.
    pub fn has_blot(&self, passage: PassageId, blot: Blot, recipe: &Recipe) -> bool {
        let mut has = false;
        let tokens = self.get(passage).iter().map(|&hash| Token { hash, start: 0, end: 0 });
        tiles_of(tokens, recipe, |tile| has |= tile.blot == blot);
        has
    }

    /// For each of some passages, whether the taboo list hides it. `least` is the fewest tokens of a passage.
    pub fn hidden(&self, passages: &[Passage], least: u32, taboo: &TabooSet, recipe: &Recipe) -> Vec<bool> {
        if taboo.is_empty() {
            return vec![false; passages.len()];
        }
        // Read before the threads of a pool need them.
        for part in &self.0 {
            part.held();
        }
        let passages = passages.par_iter().with_min_len(256);
        passages.map(|passage| is_hidden(self.get(passage.id), least, taboo, recipe)).collect()
    }
}

impl TokensPart {
    /// The tokens. Other threads wait while they are read.
    fn held(&self) -> &HeldTokens {
        self.held.get_or_init(|| self.unread.as_ref().map(Reread::read).unwrap_or_default())
    }
}

impl HeldTokens {
    /// Copies the tokens of the representatives of some groups. If they exceed `memory`, in bytes, they go to a scratch file in
    /// the index's folder.
    pub(super) fn gathered(gathered: &Gathered, groups: &[RunGroup], memory: u64, folder: &Folder) -> Self {
        let run = |group: &RunGroup| group.runs[group.representative as usize];
        let mut total = 0;
        let range = |group: &RunGroup| {
            let start = total;
            total += run(group).tokens as usize;
            (group.id, start..total)
        };
        let ranges = groups.iter().map(range).collect();
        let texts = || groups.iter().map(|group| gathered.tokens_of(&run(group)));
        let scratch = if exceeds(total, memory) { written(texts(), folder) } else { None };
        let mut tokens = Vec::new();
        if scratch.is_none() {
            tokens.reserve_exact(total);
            texts().for_each(|text| tokens.extend_from_slice(text));
        }
        Self { tokens, scratch, ranges, is_complete: true }
    }

    /// A passage has the tokens of another one.
    pub(super) fn share(&mut self, passage: PassageId, other: PassageId) {
        if let Some(range) = self.ranges.get(&other).cloned() {
            self.ranges.insert(passage, range);
        }
    }

    fn get(&self, passage: PassageId) -> Option<&[u64]> {
        let range = self.ranges.get(&passage)?.clone();
        Some(&self.scratch.as_ref().map_or(&self.tokens[..], Scratch::numbers)[range])
    }
}

/// Whether a number of tokens takes more than some bytes of memory.
fn exceeds(tokens: usize, memory: u64) -> bool {
    (tokens * size_of::<u64>()) as u64 > memory
}

/// Writes texts to a scratch file, one after another; `None` if there cannot be one.
fn written<'t>(texts: impl IntoIterator<Item = &'t [u64]>, folder: &Folder) -> Option<Scratch> {
    let file = folder.scratch("passages-texts").map_err(|error| error.to_string());
    let written = file.and_then(|file| Scratch::write(file, texts, &[]).map_err(|error| error.to_string()));
    let warn = |error: &String| {
        tracing::warn!(error, "no scratch file; the texts of passages exceed their memory limit");
    };
    written.inspect_err(warn).ok()
}

/// Whether fewer than `least` tokens of a passage are outside of taboo text. A passage without taboo text is never
/// hidden, however short its representative is.
pub fn is_hidden(tokens: &[u64], least: u32, taboo: &TabooSet, recipe: &Recipe) -> bool {
    if taboo.is_empty() {
        return false;
    }
    let span = recipe.tile_tokens();
    let (mut left, mut covered) = (tokens.len() as u32, 0);
    let all = tokens.iter().map(|&hash| Token { hash, start: 0, end: 0 });
    // Tiles come in order. Each counts only the tokens that no tile before it covers.
    tiles_of(all, recipe, |tile| {
        if taboo.contains(tile.blot) {
            left -= tile.first + span - covered.max(tile.first);
            covered = tile.first + span;
        }
    });
    covered > 0 && left < least
}

/// A copy whose tokens are wanted.
#[derive(Clone, Copy)]
struct WantedCopy {
    source: u32,
    first: u32,
    tokens: u32,
}

/// The representatives of passages, in documents that are not read yet.
pub(super) struct Reread {
    snapshot: Snapshot,
    sources: Vec<SourceDocument>,
    /// Each passage with its representative, and the copy that takes its place.
    wanted: Vec<(PassageId, [WantedCopy; 2])>,
    /// How much the tokens may take in memory, in bytes.
    memory: u64,
}

/// A copy that is read, with its passage and the place of its tokens.
struct Reading {
    copy: WantedCopy,
    passage: u32,
    at: usize,
}

impl Reread {
    /// The representatives of some passages; `None` if one is longer than its document.
    pub(super) fn new(
        snapshot: &Snapshot,
        sources: &[SourceDocument],
        found: &[Passage],
        memory: u64,
    ) -> Option<Self> {
        let wanted = |copy: &PassageCopy| {
            let is_possible = copy.end_token() <= sources.get(copy.source as usize)?.tokens;
            is_possible.then_some(WantedCopy { source: copy.source, first: copy.first, tokens: copy.tokens })
        };
        let of_passage = |passage: &Passage| {
            let shown = passage.representative();
            let others = [passage.copies.first(), passage.copies.last()].into_iter().flatten();
            let other = others.max_by_key(|copy| copy.source != shown.source);
            Some((passage.id, [wanted(shown)?, wanted(other.unwrap_or(shown))?]))
        };
        let wanted = found.par_iter().map(of_passage).collect::<Option<_>>()?;
        Some(Self { snapshot: snapshot.clone(), sources: sources.to_vec(), wanted, memory })
    }

    /// The tokens; a passage has none if they cannot be read.
    pub(super) fn read(&self) -> HeldTokens {
        let mut tokens = Vec::new();
        let mut ranges = HashedMap::default();
        let mut missing: Vec<u32> = (0..self.wanted.len() as u32).collect();
        for number in 0..2 {
            let mut at = tokens.len();
            let reading = |&passage: &u32| {
                let (id, copies) = self.wanted[passage as usize];
                let (copy, start) = (copies[number], at);
                at += copy.tokens as usize;
                ranges.insert(id, start..at);
                Reading { copy, passage, at: start }
            };
            let mut copies: Vec<Reading> = missing.iter().map(reading).collect();
            tokens.resize(at, 0);
            copies.sort_by_key(|reading| (reading.copy.source, reading.copy.first));
            missing = self.fill(&copies, &mut tokens);
        }
        for &passage in &missing {
            ranges.insert(self.wanted[passage as usize].0, 0..0);
        }
        let is_large = exceeds(tokens.len(), self.memory);
        let scratch = if is_large { written([&tokens[..]], self.snapshot.folder()) } else { None };
        let tokens = if scratch.is_some() { Vec::new() } else { tokens };
        HeldTokens { tokens, scratch, ranges, is_complete: missing.is_empty() }
    }

    /// Fills in the tokens of some copies, which are sorted by source. Returns the passages of those that could not be
    /// read.
    ///
    /// Plain threads read: a worker of a pool that waits may begin another job, which would wait for the same tokens.
    fn fill(&self, copies: &[Reading], tokens: &mut [u64]) -> Vec<u32> {
        let file = |reading: &Reading| self.file_of(reading.copy.source);
        let files: Vec<&[Reading]> = copies.chunk_by(|a, b| file(a) == file(b)).collect();
        let (tokens, missing, next) = (Mutex::new(tokens), Mutex::new(Vec::new()), AtomicUsize::new(0));
        let read = || {
            let mut buffers = (Vec::new(), Vec::new());
            while let Some(copies) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                let failed = self.read_file(copies, &mut buffers, |at, text| {
                    let mut tokens = tokens.lock().unwrap_or_else(PoisonError::into_inner);
                    let into = tokens[at..at + text.len()].iter_mut();
                    into.zip(text).for_each(|(hash, token)| *hash = token.hash);
                });
                missing.lock().unwrap_or_else(PoisonError::into_inner).extend(failed);
            }
        };
        thread::scope(|scope| {
            let others = thread::available_parallelism().map_or(0, |threads| threads.get() - 1);
            (0..others.min(files.len())).for_each(|_| drop(scope.spawn(read)));
            read();
        });
        let mut missing = missing.into_inner().unwrap_or_else(PoisonError::into_inner);
        missing.sort_unstable();
        missing
    }

    fn file_of(&self, source: u32) -> FileId {
        self.snapshot.file_of(self.sources[source as usize].id)
    }

    /// Reads copies in one file, and returns the passages of those that could not be read.
    fn read_file(
        &self,
        copies: &[Reading],
        (bytes, tokens): &mut (Vec<u8>, Vec<Token>),
        mut put: impl FnMut(usize, &[Token]),
    ) -> Vec<u32> {
        let manifest = self.snapshot.manifest();
        let path = self.snapshot.path(self.file_of(copies[0].copy.source));
        let read = corpus::read(&manifest.corpus.absolute(path), manifest.rules.max_filesize, bytes);
        let stamp = read.inspect_err(|reason| self.snapshot.unread().note(path, reason)).ok();
        let text = stamp.and_then(|_| corpus::decode(bytes).ok());
        let records = text.as_ref().map(|text| Records::split(path, &text.text, &manifest.formats));
        let mut missing = Vec::new();
        for of_document in copies.chunk_by(|a, b| a.copy.source == b.copy.source) {
            let source = &self.sources[of_document[0].copy.source as usize];
            let record = text.as_ref().zip(records.as_ref()).and_then(|(text, records)| {
                records.get(&text.text, self.snapshot.document(source.id).record)
            });
            tokens.clear();
            if let Some(record) = record.filter(|_| stamp == Some(source.stamp)) {
                let recipe = &manifest.recipe;
                let tokeniser = Tokeniser::for_file(recipe.tokens, recipe.comments, path, &record.text);
                let text = recipe.ignored.blanked(&record.text);
                tokeniser.tokens_into(&text, LexState::default(), tokens);
            }
            for Reading { copy, passage, at } in of_document {
                match tokens.get(copy.first as usize..(copy.first + copy.tokens) as usize) {
                    Some(text) => put(*at, text),
                    None => missing.push(*passage),
                }
            }
        }
        missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_index::taboo::{TabooEntry, TabooList};
    use dupi_text::token::{LexState, Tokeniser};

    #[test]
    fn a_passage_is_hidden_when_too_little_of_it_is_not_taboo() {
        let recipe = Recipe::default();
        let added = jiff::civil::date(2026, 1, 2);
        let entry =
            TabooEntry { text: "one two three four five six".into(), added, reason: None, language: None };
        let taboo = TabooSet::new(&TabooList::from_iter([entry]), &recipe);
        let hides = |text: &str, least| {
            let tokens = Tokeniser::Words.tokens(text, LexState::default());
            let hashes: Vec<u64> = tokens.iter().map(|token| token.hash).collect();
            is_hidden(&hashes, least, &taboo, &recipe)
        };
        assert!(hides("one two three four five six", 1));
        assert!(hides("two three four five six seven eight nine", 4));
        assert!(!hides("two three four five six seven eight nine", 3));
        assert!(!hides("four five six seven eight nine", 25));
    }
}
