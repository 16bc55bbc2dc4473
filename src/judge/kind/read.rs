//! The kinds of many passages, read from their files. Each file is read once, whatever the number of passages in it.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::file::{FileSigns, HeadSigns, SNAPSHOT, SampleFile, is_records};
use super::judge::{Judged, judge};
use super::majority::of_most;
use super::patterns::KindPatterns;
use super::sample::Sample;
use super::table::is_true_of;
use super::tables::stand_in_tables;
use super::twins::are_made_of_one;
use crate::passages::{Passage, PassageCopy, SourceDocument};
use dupi_base::parallel;
use dupi_index::index::search::{SearchError, Tick};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::filter::Kind;
use dupi_index::query::page::DocumentReader;
use dupi_text::token::Language;

/// The most copies of a passage that are tried when the files of the first ones have changed.
const TRIED: usize = 8;
/// From this number of passages on, those of one file are judged by several threads.
const MANY: usize = 64;

/// The kind of each passage by the user's patterns, else by the rules: of its representative, or of another copy if the
/// file of that one has changed; `None` if the files of the first copies have changed too. For what is true of a file as
/// a whole, the documents of most copies decide. What one document has and the others quote, in records or
/// snapshots, has the kind of these, and so has what few have and many quote, as translations do; else what two documents
/// have and others quote has the kind of the former. What a program
/// made of one of the copies is generated. Takes some bytes a passage, and a file's text for each thread.
///
/// # Errors
/// What `tick` returns.
pub fn kinds_of(
    snapshot: &Snapshot,
    sources: &[SourceDocument],
    passages: &[Passage],
    patterns: &KindPatterns,
    tick: &Tick,
) -> Result<Vec<Option<Kind>>, SearchError> {
    let quotes: Vec<bool> = parallel::map(sources, |source| may_quote(snapshot, source));
    let signs: Vec<FileSigns> = parallel::map(sources, |source| signs_of(snapshot, source));
    let most: Vec<FileSigns> = parallel::map(passages, |passage| signs_of_most(passage, &quotes, &signs));
    let judge = Judge { snapshot, sources, patterns, most: &most, tick };
    let representatives =
        passages.iter().enumerate().map(|(number, passage)| (*representative(passage, &quotes), number));
    let mut judged = vec![None; passages.len()];
    for (number, kind) in judge.kinds_at(representatives.collect())? {
        judged[number] = kind;
    }
    let mut reader = DocumentReader::new(snapshot);
    for (number, judged) in judged.iter_mut().enumerate().filter(|(_, judged)| judged.is_none()) {
        tick(1.0)?;
        let mut copies = passages[number].copies.iter().take(TRIED);
        *judged = copies.find_map(|copy| judge.of_file(&mut reader, &[(*copy, number)])[0].1);
    }
    let is_by_rules = |number: &usize| judged[*number].is_none_or(|judged| !judged.by_user);
    let by_rules = (0..passages.len()).filter(is_by_rules);
    let quotations =
        by_rules.filter_map(|number| Some((*quotation(&passages[number], &quotes)?, number))).collect();
    // Those that quote decide here, and not those that are quoted.
    let judge = Judge { most: &[], ..judge };
    for (number, kind) in judge.kinds_at(quotations)? {
        if kind.is_some_and(|judged| judged.kind.is_aside()) {
            judged[number] = kind;
        }
    }
    let are_made = are_made_of_one(snapshot, sources, passages);
    let tokens: Vec<u32> = sources.iter().map(|source| source.tokens).collect();
    let kind = |((judged, is_made), is_row): ((Option<Judged>, bool), bool)| {
        let Judged { kind, by_user } = judged?;
        Some(match kind {
            _ if by_user => kind,
            Kind::Code | Kind::Comment | Kind::Prose if is_made => Kind::Generated,
            Kind::Code | Kind::Comment if is_row => Kind::Data,
            kind => kind,
        })
    };
    let of_all = judged.into_iter().zip(are_made).zip(stand_in_tables(&tokens, passages));
    Ok(of_all.map(kind).collect())
}

/// What copies of passages are judged with.
struct Judge<'a> {
    snapshot: &'a Snapshot,
    sources: &'a [SourceDocument],
    patterns: &'a KindPatterns,
    /// What is true of the files of most copies of each passage.
    most: &'a [FileSigns],
    tick: &'a Tick<'a>,
}

impl Judge<'_> {
    /// The kinds of some copies, with the numbers of their passages. Each file is read once.
    fn kinds_at(
        &self,
        mut copies: Vec<(PassageCopy, usize)>,
    ) -> Result<Vec<(usize, Option<Judged>)>, SearchError> {
        copies.par_sort_unstable_by_key(|(copy, number)| (copy.source, *number));
        // Sources are sorted by path, so those of a file follow each other. The text of a record is not of the language
        // of its file.
        let file = |copy: &PassageCopy| {
            let source = self.source(copy)?;
            Some((self.snapshot.file_of(source.id), self.is_whole(source)))
        };
        let files: Vec<&[(PassageCopy, usize)]> =
            copies.chunk_by(|a, b| a.0.source == b.0.source || file(&a.0) == file(&b.0)).collect();
        let done = AtomicUsize::new(0);
        let reader = || DocumentReader::new(self.snapshot);
        let read = files.par_iter().map_init(reader, |reader, file| {
            (self.tick)(done.fetch_add(1, Ordering::Relaxed) as f64 / files.len() as f64)?;
            Ok(self.of_file(reader, file))
        });
        Ok(read.collect::<Result<Vec<_>, SearchError>>()?.into_iter().flatten().collect())
    }

    /// The kinds of copies in one file.
    fn of_file(
        &self,
        reader: &mut DocumentReader,
        copies: &[(PassageCopy, usize)],
    ) -> Vec<(usize, Option<Judged>)> {
        let none = || copies.iter().map(|(_, number)| (*number, None)).collect();
        let Some(first) = self.source(&copies[0].0) else { return none() };
        let path = self.snapshot.path(self.snapshot.file_of(first.id));
        let Ok((text, stamp)) = reader.stamped_text(path) else { return none() };
        let language = Language::detect(path, &text).filter(|_| self.is_whole(first));
        let file = SampleFile::new(path, &text, language);
        let kind = |copy: &PassageCopy, number: usize| {
            // Otherwise the file has changed since it was searched.
            self.source(copy).filter(|source| source.stamp == stamp)?;
            self.kind(copy, number, &file, &text)
        };
        // A table of registers has so many that one thread would be behind all others.
        let judged = |(copy, number): &(PassageCopy, usize)| (*number, kind(copy, *number));
        match copies.len() {
            0..MANY => copies.iter().map(judged).collect(),
            _ => parallel::map(copies, judged),
        }
    }

    /// The kind of a copy of the passage with a number, in a file with a text.
    fn kind(&self, copy: &PassageCopy, number: usize, file: &SampleFile, text: &str) -> Option<Judged> {
        let (start, text) = (copy.start as usize, text.get(..copy.end as usize)?);
        if start > text.len() || !text.is_char_boundary(start) {
            return None;
        }
        let of_most = self.most.get(number).copied();
        Some(judge(&Sample { text, start, offset: start, file, of_most }, self.patterns, |_| ()))
    }

    /// Whether a document is a whole file.
    fn is_whole(&self, source: &SourceDocument) -> bool {
        self.snapshot.document(source.id).record == 0
    }

    fn source(&self, copy: &PassageCopy) -> Option<&SourceDocument> {
        self.sources.get(copy.source as usize)
    }
}

/// What is true of a document's file as a whole.
fn signs_of(snapshot: &Snapshot, source: &SourceDocument) -> FileSigns {
    let path = snapshot.path(snapshot.file_of(source.id));
    FileSigns::from_path(path, HeadSigns::from_flags(source.flags))
}

/// What is true of the documents of most copies of a passage, without those that quote it.
fn signs_of_most(passage: &Passage, quotes: &[bool], signs: &[FileSigns]) -> FileSigns {
    let usual = representative(passage, quotes);
    let is_meant = |copy: &&PassageCopy| does_quote(copy, quotes) == does_quote(usual, quotes);
    let of = |source: u32| signs.get(source as usize).copied().unwrap_or_default();
    let copies = passage.copies.iter().filter(is_meant);
    of_most(copies.map(|copy| (copy.source, of(copy.source))), of(usual.source))
}

/// Whether a document may hold texts of others, by the name of its file.
fn may_quote(snapshot: &Snapshot, source: &SourceDocument) -> bool {
    let path = snapshot.path(snapshot.file_of(source.id));
    let holds_records = || Language::detect(path, "").is_some_and(is_records);
    let is_snapshot = || is_true_of(&SampleFile::new(path, "", None), SNAPSHOT);
    snapshot.document(source.id).record == 0 && (is_snapshot() || holds_records())
}

/// Whether a copy stands in a document that may quote. `quotes` says it of each source.
fn does_quote(copy: &PassageCopy, quotes: &[bool]) -> bool {
    quotes.get(copy.source as usize).is_some_and(|quotes| *quotes)
}

/// The copy by which a passage is judged: its representative, unless that is a quotation and two documents have the
/// text that do not quote.
fn representative<'p>(passage: &'p Passage, quotes: &[bool]) -> &'p PassageCopy {
    let usual = passage.representative();
    if !does_quote(usual, quotes) {
        return usual;
    }
    let mut others = passage.copies.iter().filter(|copy| !does_quote(copy, quotes));
    let Some(first) = others.next() else { return usual };
    if others.any(|copy| copy.source != first.source) { first } else { usual }
}

/// A copy of a passage in a document that quotes it, if all documents with copies do but one, or nearly all.
fn quotation<'p>(passage: &'p Passage, quotes: &[bool]) -> Option<&'p PassageCopy> {
    /// The documents that quote, for each that does not, from which on they are nearly all.
    const MOST: usize = 9;
    let (mut quoting, mut others) = (0, 0);
    for copies in passage.copies.chunk_by(|a, b| a.source == b.source) {
        *(if does_quote(&copies[0], quotes) { &mut quoting } else { &mut others }) += 1;
    }
    let decides = others == 1 || others > 1 && quoting >= others * MOST;
    passage.copies.iter().find(|copy| decides && does_quote(copy, quotes))
}
