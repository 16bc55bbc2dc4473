//! Documents that say the same all through. What they share is one fact, wherever in them it stands: one row.
//!
//! - A document lies in another one if more than two thirds of its tokens are in passages that both have: a bundle and
//!   the sources in it, a text and its pages, two versions of a file. A passage that stands once in some such documents,
//!   and nowhere else, is one of those that tell it.
//! - A document repeats itself if more than half of its tokens are in passages that it has again and again, each
//!   [`AGAIN`] times or more: a table in code, a list of declarations. A passage most of whose copies stand in it, so
//!   many of them, is one of those that tell it.

use std::collections::HashMap;
use std::ops::Range;

use super::super::covered::covered;
use super::super::passages::{Passage, PassageCopy};
use dupi_passage::unit::Unit;

/// Of shorter documents every passage counts: there are few in each.
const SHORTEST: u32 = 300;
/// What stands in more documents does not tell that two of them are alike.
const MOST_DOCUMENTS: usize = 4;
/// A document that has a passage so often repeats itself.
const AGAIN: usize = 30;

/// What passages of the same documents tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum DocumentRelation {
    /// That documents lie in this one.
    LiesIn(u32),
    /// That this document repeats itself.
    Repeats(u32),
}

/// What each passage tells. `tokens` are the numbers of the documents' tokens.
pub(super) fn document_relations(passages: &[Passage], tokens: &[u32]) -> Vec<Option<DocumentRelation>> {
    let (lies_in, repeats) = (lying_in(passages, tokens), repeating(passages, tokens));
    let relation = |passage: &Passage| {
        if passage.unit != Unit::Passage {
            return None;
        }
        let repeated = often(passage).find(|copies| copies.len() * 2 > passage.copies.len());
        if let Some(document) = repeated.map(|copies| copies[0].source)
            && repeats[document as usize]
        {
            return Some(DocumentRelation::Repeats(document));
        }
        let outer = lies_in[passage.copies[0].source as usize];
        let is_inner = |copy: &PassageCopy| lies_in[copy.source as usize] == outer;
        (stands_once(passage) && passage.copies.iter().all(is_inner))
            .then_some(DocumentRelation::LiesIn(outer))
    };
    passages.iter().map(relation).collect()
}

/// Whether a passage stands in several documents, once in each.
fn stands_once(passage: &Passage) -> bool {
    passage.copies.len() > 1 && passage.copies.windows(2).all(|pair| pair[0].source != pair[1].source)
}

/// For each document the one in which it lies, and in which that one lies …; itself if there is none. It lies in the one
/// that has the most of it; of documents that lie in each other, the smaller one does.
fn lying_in(passages: &[Passage], tokens: &[u32]) -> Vec<u32> {
    let telling = || {
        let is_telling = |passage: &&Passage| {
            passage.unit == Unit::Passage && passage.copies.len() <= MOST_DOCUMENTS && stands_once(passage)
        };
        passages.iter().filter(is_telling)
    };
    let is_most = |document: u32, sum: u64| sum * 3 > u64::from(tokens[document as usize]) * 2;
    // Sums first: few pairs need to be looked at more closely.
    let mut sums: HashMap<(u32, u32), u64> = HashMap::new();
    for passage in telling() {
        in_larger(passage, tokens, |pair, copy| *sums.entry(pair).or_default() += u64::from(copy.tokens));
    }
    sums.retain(|&(document, _), sum| is_most(document, *sum));
    let mut ranges: HashMap<(u32, u32), Vec<Range<u32>>> = HashMap::new();
    for passage in telling().filter(|_| !sums.is_empty()) {
        in_larger(passage, tokens, |pair, copy| {
            if sums.contains_key(&pair) {
                ranges.entry(pair).or_default().push(copy.first..copy.end_token());
            }
        });
    }
    let mut outer: Vec<Option<(u64, u32)>> = vec![None; tokens.len()];
    for ((document, other), ranges) in ranges {
        let sum = covered(ranges);
        let outer = &mut outer[document as usize];
        let is_better =
            |&(most, known): &(u64, u32)| sum > most || sum == most && is_larger(tokens, other, known);
        if is_most(document, sum) && outer.as_ref().is_none_or(is_better) {
            *outer = Some((sum, other));
        }
    }
    let last = |mut document: u32| {
        // Each is larger than the one before.
        while let Some((_, other)) = outer[document as usize] {
            document = other;
        }
        document
    };
    (0..tokens.len() as u32).map(last).collect()
}

/// Whether a document has more tokens than another one, or as many and an earlier path.
fn is_larger(tokens: &[u32], a: u32, b: u32) -> bool {
    let size = |document: u32| (tokens[document as usize], u32::MAX - document);
    size(a) > size(b)
}

/// Shows the copies of a passage that stand in documents that are not short, each with every larger document that has
/// one too.
fn in_larger(passage: &Passage, tokens: &[u32], mut see: impl FnMut((u32, u32), &PassageCopy)) {
    for copy in passage.copies.iter().filter(|copy| tokens[copy.source as usize] >= SHORTEST) {
        let others = passage.copies.iter().map(|other| other.source);
        for other in others.filter(|&other| is_larger(tokens, other, copy.source)) {
            see((copy.source, other), copy);
        }
    }
}

/// The copies in each document that has a passage again and again.
fn often(passage: &Passage) -> impl Iterator<Item = &[PassageCopy]> {
    let by_document = passage.copies.chunk_by(|a, b| a.source == b.source);
    by_document.filter(|copies| copies.len() >= AGAIN && passage.unit == Unit::Passage)
}

/// For each document, whether it repeats itself.
fn repeating(passages: &[Passage], tokens: &[u32]) -> Vec<bool> {
    let mut ranges: HashMap<u32, Vec<Range<u32>>> = HashMap::new();
    for copies in passages.iter().flat_map(often) {
        let of_document = ranges.entry(copies[0].source).or_default();
        of_document.extend(copies.iter().map(|copy| copy.first..copy.end_token()));
    }
    let mut repeats = vec![false; tokens.len()];
    for (document, ranges) in ranges {
        repeats[document as usize] = covered(ranges) * 2 > u64::from(tokens[document as usize]);
    }
    repeats
}
