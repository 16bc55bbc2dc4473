//! Passages as bytes, some thousand to a section, so that all threads decode. A row names its parent and the head of its
//! family by their numbers. A copy is written relative to the copy before it and to the representative.
//!
//! ```text
//! passage   id u64 · unit | has a parent << 2 | is a head << 3 | number of the kind + 1 << 4 ·
//!           [parent] · members, or the head · [documents, tokens and depth of a folder] ·
//!           worth · lines · documents · representative · its tokens · its bytes · copies · texts
//! copy      distance of the source << 1 | whether it is like the representative · start · first token ·
//!           [tokens · bytes, both less those of the representative · similarity]
//! text      u64
//! ```
//!
//! The start is less that of the copy before it in the same source. A similarity is the number of tokens that do not
//! agree, plus 1; or 0 and then the four bytes of the number, if it is no such share.

use crate::HashedMap;
use crate::copy_texts::CopyTexts;
use crate::kind::Kind;
use crate::measure::Measure;
use crate::passages::{Passage, PassageCopy, PassageId};
use crate::unit::{Tree, Unit};
use crate::varints::{NumberReader, put, put_fixed, put_signed};

/// The fewest bytes of a copy, and of a passage.
const LEAST: usize = 3;
const LEAST_OF_PASSAGE: usize = 18;

/// What a section has besides its passages.
pub(super) struct RowTexts {
    /// The texts of the copies, of one passage after another.
    pub(super) texts: Vec<u64>,
    /// For each passage, how many these are.
    pub(super) counts: Vec<u32>,
    /// How many sources there are at least.
    pub(super) sources: u32,
}

/// In place of the number of a passage: the passage itself is the head of its family.
pub(super) const OWN: PassageId = PassageId(u64::MAX);

/// Encodes passages; `numbers` are those of all. `None` if one of them is not of the form that is written.
pub(super) fn encode(
    passages: &[Passage],
    numbers: &HashedMap<PassageId, u32>,
    texts: &CopyTexts,
    measure: &Measure,
) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for passage in passages {
        put_passage(&mut bytes, passage, numbers)?;
        let others = texts.others(passage.id);
        put(&mut bytes, passage.copies.len() as u64);
        put(&mut bytes, others.len() as u64);
        put_copies(&mut bytes, passage, measure)?;
        others.iter().for_each(|&text| put_fixed(&mut bytes, text));
    }
    Some(bytes)
}

fn put_passage(bytes: &mut Vec<u8>, passage: &Passage, numbers: &HashedMap<PassageId, u32>) -> Option<()> {
    let Passage { id, parent, unit, family, members, kind, worth, lines, documents, representative, .. } =
        passage;
    let kind =
        kind.map_or(0, |kind| Kind::ALL.iter().position(|of| *of == kind).map_or(0, |at| at as u8 + 1));
    let (of_unit, tree) = match unit {
        Unit::Passage => (0, None),
        Unit::Document => (1, None),
        Unit::Folder(tree) => (2, Some(tree)),
    };
    put_fixed(bytes, id.0);
    bytes.push(of_unit | u8::from(parent.is_some()) << 2 | u8::from(passage.is_head()) << 3 | kind << 4);
    if let Some(parent) = parent {
        put(bytes, u64::from(*numbers.get(parent)?));
    }
    match passage.is_head() {
        true => put(bytes, *members),
        false => put(bytes, u64::from(*numbers.get(family).filter(|_| *members == 0)?)),
    }
    if let Some(Tree { documents, tokens, depth }) = tree {
        [documents, tokens, depth].into_iter().for_each(|&number| put(bytes, u64::from(number)));
    }
    let shown = passage.copies.get(*representative as usize)?;
    let numbers =
        [*worth, *lines, u64::from(*documents), u64::from(*representative), u64::from(shown.tokens)];
    numbers.into_iter().for_each(|number| put(bytes, number));
    put(bytes, u64::from(shown.end.checked_sub(shown.start)?));
    Some(())
}

fn put_copies(bytes: &mut Vec<u8>, passage: &Passage, measure: &Measure) -> Option<()> {
    let shown = passage.representative();
    let length = shown.end - shown.start;
    let mut before = (0, 0);
    for copy in &passage.copies {
        let own = copy.end.checked_sub(copy.start)?;
        let is_like = (copy.tokens, own, copy.similarity) == (shown.tokens, length, 1.0);
        let distance = copy.source.checked_sub(before.0)?;
        let start = copy.start.checked_sub(if distance == 0 { before.1 } else { 0 })?;
        before = (copy.source, copy.start);
        put(bytes, u64::from(distance) << 1 | u64::from(is_like));
        put(bytes, u64::from(start));
        put(bytes, u64::from(copy.first));
        if !is_like {
            put_signed(bytes, i64::from(copy.tokens) - i64::from(shown.tokens));
            put_signed(bytes, i64::from(own) - i64::from(length));
            put_similarity(bytes, copy.similarity, measure.of([shown.tokens, copy.tokens]));
        }
        copy.first.checked_add(copy.tokens)?;
    }
    Some(())
}

fn put_similarity(bytes: &mut Vec<u8>, similarity: f32, of: u32) {
    let matches = (f64::from(similarity) * f64::from(of)).round() as u32;
    if matches <= of && share(matches, of).to_bits() == similarity.to_bits() {
        put(bytes, u64::from(of - matches) + 1);
    } else {
        put(bytes, 0);
        bytes.extend_from_slice(&similarity.to_bits().to_le_bytes());
    }
}

fn share(matches: u32, of: u32) -> f32 {
    matches as f32 / of.max(1) as f32
}

/// A passage to decode into.
pub(super) const EMPTY: Passage = Passage {
    id: OWN,
    copies: Vec::new(),
    representative: 0,
    documents: 0,
    parent: None,
    unit: Unit::Passage,
    family: OWN,
    members: 0,
    kind: None,
    worth: 0,
    lines: 0,
};

/// Decodes the passages of a section, which are exactly so many. Parents and families are numbers of passages, not their
/// ids. `None` if the bytes are invalid.
pub(super) fn decode(bytes: &[u8], measure: &Measure, passages: &mut [Passage]) -> Option<RowTexts> {
    let mut reader = NumberReader(bytes);
    let mut rows = RowTexts { texts: Vec::new(), counts: Vec::with_capacity(passages.len()), sources: 0 };
    for into in passages {
        let (mut passage, [tokens, length]) = passage(&mut reader)?;
        let (copies, texts) = (reader.count()?, reader.count()?);
        if copies > reader.0.len() / LEAST || passage.representative as usize >= copies {
            return None;
        }
        passage.copies.reserve_exact(copies);
        let mut before = (0, 0);
        for _ in 0..copies {
            let copy = copy(&mut reader, before, [tokens, length], measure)?;
            rows.sources = rows.sources.max(copy.source.checked_add(1)?);
            before = (copy.source, copy.start);
            passage.copies.push(copy);
        }
        for _ in 0..texts {
            rows.texts.push(reader.fixed()?);
        }
        rows.counts.push(texts as u32);
        *into = passage;
    }
    reader.is_at_end().then_some(rows)
}

/// The most passages that fit into a number of bytes.
pub(super) fn at_most(bytes: usize) -> usize {
    bytes / LEAST_OF_PASSAGE
}

/// A passage without its copies, with the tokens and bytes of its representative.
fn passage(reader: &mut NumberReader) -> Option<(Passage, [u32; 2])> {
    let (id, of) = (PassageId(reader.fixed()?), reader.byte()?);
    let parent = if of & 4 != 0 { Some(PassageId(reader.number()?)) } else { None };
    let head = reader.number()?;
    let is_head = of & 8 != 0;
    let unit = match of & 3 {
        0 => Unit::Passage,
        1 => Unit::Document,
        2 => {
            Unit::Folder(Tree { documents: reader.small()?, tokens: reader.small()?, depth: reader.small()? })
        }
        _ => return None,
    };
    let kind = match usize::from(of >> 4).checked_sub(1) {
        None => None,
        Some(number) => Some(*Kind::ALL.get(number)?),
    };
    let passage = Passage {
        id,
        parent,
        unit,
        family: if is_head { OWN } else { PassageId(head) },
        members: if is_head { head } else { 0 },
        kind,
        worth: reader.number()?,
        lines: reader.number()?,
        documents: reader.small()?,
        representative: reader.small()?,
        copies: Vec::new(),
    };
    Some((passage, [reader.small()?, reader.small()?]))
}

fn copy(
    reader: &mut NumberReader,
    before: (u32, u32),
    [shown, length]: [u32; 2],
    measure: &Measure,
) -> Option<PassageCopy> {
    let distance = reader.number()?;
    let source = before.0.checked_add(u32::try_from(distance >> 1).ok()?)?;
    let start = reader.small()?.checked_add(if distance >> 1 == 0 { before.1 } else { 0 })?;
    let first = reader.small()?;
    let (mut tokens, mut own, mut similarity) = (shown, length, 1.0);
    if distance & 1 == 0 {
        (tokens, own) = (reader.near(shown)?, reader.near(length)?);
        let of = measure.of([shown, tokens]);
        similarity = match reader.number()?.checked_sub(1) {
            None => f32::from_bits(reader.bits()?),
            Some(less) => share(of.checked_sub(u32::try_from(less).ok()?)?, of),
        };
    }
    let end = start.checked_add(own)?;
    first.checked_add(tokens)?;
    Some(PassageCopy { source, start, end, first, tokens, similarity })
}
