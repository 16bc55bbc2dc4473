//! Locates passages in the files as they are now: text, lines and columns.

use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;

use super::enclosing::Enclosing;
use super::passages::{Passage, PassageCopy, SourceDocument};
use crate::headline::LineStretch;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::Occurrence;
use dupi_index::query::page::{DocumentReader, OpenFile};

/// A passage as it is in its files now.
#[derive(Clone, Debug, Default)]
pub struct LocatedPassage {
    /// The text of the representative, or of the first copy when the representative's file has changed.
    pub text: String,
    /// What stands before and behind the text in its lines, if it is source code: signs where it covers the line whole,
    /// else an ellipsis.
    pub around: [String; 2],
    /// How many documents contain a copy.
    pub documents: u32,
    /// The copies whose files have not changed.
    pub copies: Vec<LocatedCopy>,
}

/// A copy as it is in its file now.
#[derive(Clone, Debug)]
pub struct LocatedCopy {
    /// Its index in the copies of the passage.
    pub number: usize,
    /// Its occurrence.
    pub occurrence: Occurrence,
    /// Whether its document is source code.
    pub is_code: bool,
    /// The lines that it covers, whole or in part.
    pub lines: CoveredLines,
    /// The line that names the function or section in which it begins: its first line or one above, if there is such a
    /// line.
    pub within: Option<String>,
    /// The words before and after it, when requested.
    pub context: Option<(String, String)>,
}

/// The lines of a file that a copy covers, whole or in part.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct CoveredLines {
    /// The number of the first one, from 1.
    pub first: u32,
    /// The number of the last one.
    pub last: u32,
    /// Whether letters or digits of the first one stand before the copy.
    pub begins_inside: bool,
    /// Whether letters or digits of the last one stand behind the copy.
    pub ends_inside: bool,
}

/// A copy to locate: the index of its passage, its index in the passage, and its position.
struct CopyTarget {
    passage: usize,
    copy: usize,
    spot: PassageCopy,
}

/// Locates passages in their files, with `context` words around them. A copy whose file has changed since the search is
/// omitted.
pub fn locate(
    snapshot: &Snapshot,
    sources: &[SourceDocument],
    passages: &[&Passage],
    context: Option<usize>,
) -> Vec<LocatedPassage> {
    let mut targets: Vec<CopyTarget> = passages
        .iter()
        .enumerate()
        .flat_map(|(passage, of)| {
            of.copies.iter().enumerate().map(move |(copy, spot)| CopyTarget { passage, copy, spot: *spot })
        })
        .collect();
    targets.par_sort_unstable_by_key(|target| (target.spot.source, target.passage, target.copy));
    let groups: Vec<&[CopyTarget]> = targets.chunk_by(|a, b| a.spot.source == b.spot.source).collect();
    let found: Vec<_> = groups
        .par_iter()
        .map_init(
            || DocumentReader::new(snapshot),
            |reader, group| {
                let file = sources[group[0].spot.source as usize].open(snapshot, reader);
                let file = file.map(|(file, record)| CodeFile::new(file, record));
                let all_in = |file| all_in(&file, group, passages, context);
                file.map_or_else(Vec::new, all_in)
            },
        )
        .flatten_iter()
        .collect();
    let mut located = vec![LocatedPassage::default(); passages.len()];
    let mut last = vec![None; passages.len()];
    for (target, copy, text) in found {
        let of = &mut located[target.passage];
        of.copies.push(copy);
        let document = Some(target.spot.source);
        of.documents += u32::from(last[target.passage] != document);
        last[target.passage] = document;
        if let Some(text) = text {
            (of.text, of.around) = text;
        }
    }
    let mut reader = DocumentReader::new(snapshot);
    for of in located.iter_mut().filter(|of| of.text.is_empty()) {
        let Some(LocatedCopy { occurrence, .. }) = of.copies.first() else { continue };
        if let Ok(file) = reader.file(&occurrence.path) {
            let (start, end) = (occurrence.text_span.start as usize, occurrence.text_span.end as usize);
            (of.text, of.around) = CodeFile::new(file, None).quoted(start, end);
        }
    }
    located
}

/// A part of a text, and what stands before and behind it in its lines.
type Quoted = (String, [String; 2]);

/// A file, and whether it is source code.
struct CodeFile {
    file: Arc<OpenFile>,
    record: Option<u32>,
    is_code: bool,
}

impl CodeFile {
    fn new(file: Arc<OpenFile>, record: Option<u32>) -> Self {
        let is_code = file.is_source();
        Self { file, record, is_code }
    }

    /// A part of the text, and what stands around it in its lines.
    fn quoted(&self, start: usize, end: usize) -> Quoted {
        let text = &self.file.text;
        let Some(quoted) = text.get(start..end) else { return Default::default() };
        let around = if self.is_code { around(text, start, end) } else { Default::default() };
        (quoted.to_owned(), around)
    }
}

/// What stands before and behind a part of source code in its lines: signs, or an ellipsis for words.
fn around(text: &str, start: usize, end: usize) -> [String; 2] {
    let LineStretch { span, begins_inside, ends_inside } = LineStretch::around(text, start..end);
    let shown = |is_inside, signs: &str| if is_inside { "…".to_owned() } else { signs.to_owned() };
    [shown(begins_inside, &text[span.start..start]), shown(ends_inside, &text[end..span.end])]
}

/// The copies in one file that it still has, in their order.
fn all_in<'s>(
    of: &CodeFile,
    targets: &'s [CopyTarget],
    passages: &[&Passage],
    context: Option<usize>,
) -> Vec<(&'s CopyTarget, LocatedCopy, Option<Quoted>)> {
    // What encloses them is found in the order of the text.
    let mut order: Vec<usize> = (0..targets.len()).collect();
    order.sort_by_key(|&number| targets[number].spot.start);
    let mut enclosing = Enclosing::new(&of.file.text, of.is_code);
    let mut found: Vec<_> = targets.iter().map(|_| None).collect();
    for number in order {
        found[number] = found_in(of, &mut enclosing, &targets[number], passages, context);
    }
    found.into_iter().flatten().collect()
}

/// A copy in its file; `None` if the file has no such place, as kept passages of others may say.
fn found_in<'s>(
    of: &CodeFile,
    enclosing: &mut Enclosing,
    target: &'s CopyTarget,
    passages: &[&Passage],
    context: Option<usize>,
) -> Option<(&'s CopyTarget, LocatedCopy, Option<Quoted>)> {
    let (start, end) = (target.spot.start as usize, target.spot.end as usize);
    of.file.text.get(start..end)?;
    let is_representative = passages[target.passage].representative as usize == target.copy;
    let text = is_representative.then(|| of.quoted(start, end));
    let whole: &str = &of.file.text;
    let LineStretch { begins_inside, ends_inside, .. } = LineStretch::around(whole, start..end);
    let occurrence = of.file.occurrence(of.record, start, end);
    let (first, last) = (occurrence.line, occurrence.end_line);
    let copy = LocatedCopy {
        number: target.copy,
        occurrence,
        is_code: of.is_code,
        lines: CoveredLines { first, last, begins_inside, ends_inside },
        within: enclosing.range_at(start).map(|line| whole[line].to_owned()),
        context: context.map(|words| context_around(whole, start, end, words)),
    };
    Some((target, copy, text))
}

/// The bytes of text that are read for each word of context.
const WORD: usize = 64;

/// The words before `start` and after `end`.
fn context_around(text: &str, start: usize, end: usize, words: usize) -> (String, String) {
    let most = words.saturating_mul(WORD);
    let from = text.ceil_char_boundary(start.saturating_sub(most));
    let to = text.floor_char_boundary(end.saturating_add(most));
    let before = text.get(from..start).unwrap_or_default();
    let behind = text.get(end..to).unwrap_or_default();
    let is_word = |word: &&str| word.contains(char::is_alphanumeric);
    let from = before.split_whitespace().rev().filter(is_word).take(words).last();
    let to = behind.split_whitespace().filter(is_word).take(words).last();
    // Words are slices of the text, so their addresses give their offsets.
    let offset = |word: &str, of: &str| word.as_ptr() as usize - of.as_ptr() as usize;
    let from = from.map_or(before.len(), |word| offset(word, before));
    let to = to.map_or(0, |word| offset(word, behind) + word.len());
    (before[from..].to_owned(), behind[..to].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn context_is_whole_words_as_they_stand() {
        let text = "one two,\nthree FOUR five six.";
        let at = text.find("FOUR").unwrap();
        let context = |words| context_around(text, at, at + 4, words);
        assert_eq!(context(2), ("two,\nthree ".to_owned(), " five six.".to_owned()));
        assert_eq!(context(9), ("one two,\nthree ".to_owned(), " five six.".to_owned()));
        assert_eq!(context(0), (String::new(), String::new()));
    }
}
