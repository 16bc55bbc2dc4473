//! Passages in the form in which they are kept, some thousand to a section, so that all threads decode. A row names its
//! parent and the head of its family by their numbers. A copy is relative to the copy before it and to the representative:
//! most copies take seven bytes.

use serde::{Deserialize, Serialize};

use crate::HashedMap;
use crate::copy_texts::CopyTexts;
use crate::kind::Kind;
use crate::passages::{Passage, PassageCopy, PassageId};
use dupi_base::storage::sealed::take_value;
use dupi_passage::Measure;
use dupi_passage::unit::Unit;

/// How many passages a section has.
pub(super) const SECTION: usize = 2048;

/// The fewest bytes of a copy.
const LEAST: usize = 4;

/// A passage as it is kept, with its copies and with the texts of these besides that of its id.
#[derive(Serialize)]
pub(super) struct KeptPassage(KeptRow, Vec<KeptCopy>, Vec<u64>);

/// A passage without its copies.
#[derive(Serialize, Deserialize)]
struct KeptRow {
    id: PassageId,
    /// The number of its parent.
    parent: Option<u32>,
    /// The number of the head of its family; `None` if it is the head.
    family: Option<u32>,
    members: u64,
    unit: Unit,
    kind: Option<Kind>,
    worth: u64,
    lines: u64,
    documents: u32,
    representative: u32,
    /// The tokens and bytes of the representative.
    shown: (u32, u32),
}

/// A copy as it is kept.
#[derive(Serialize, Deserialize)]
struct KeptCopy {
    /// The distance of its source from that of the copy before it.
    distance: u32,
    /// Where it begins; in the same source, how far behind the copy before it.
    start: u32,
    first: u32,
    /// `None` if it is as long as the representative and equal to it.
    own: Option<KeptDifference>,
}

/// What a copy has that the representative has not.
#[derive(Serialize, Deserialize)]
struct KeptDifference {
    tokens: i32,
    bytes: i32,
    similarity: KeptSimilarity,
}

#[derive(Serialize, Deserialize)]
enum KeptSimilarity {
    /// The number of tokens that do not agree.
    Missing(u32),
    /// The similarity, which is no share of the tokens.
    Exactly(f32),
}

/// The form of passages that is kept; `numbers` are those of all. `None` if one of them cannot be kept.
pub(super) fn keep(
    passages: &[Passage],
    numbers: &HashedMap<PassageId, u32>,
    texts: &CopyTexts,
    measure: &Measure,
) -> Option<Vec<KeptPassage>> {
    let number = |id: &PassageId| numbers.get(id).copied();
    let keep = |passage: &Passage| {
        let shown = passage.copies.get(passage.representative as usize)?;
        let mut before = (0, 0);
        let copies = passage.copies.iter().map(|copy| keep_copy(copy, shown, &mut before, measure));
        let row = KeptRow {
            id: passage.id,
            parent: match &passage.parent {
                Some(parent) => Some(number(parent)?),
                None => None,
            },
            family: if passage.is_head() { None } else { Some(number(&passage.family)?) },
            members: passage.members,
            unit: passage.unit,
            kind: passage.kind,
            worth: passage.worth,
            lines: passage.lines,
            documents: passage.documents,
            representative: passage.representative,
            shown: (shown.tokens, shown.end.checked_sub(shown.start)?),
        };
        Some(KeptPassage(row, copies.collect::<Option<_>>()?, texts.others(passage.id).to_vec()))
    };
    passages.iter().map(keep).collect()
}

fn keep_copy(
    copy: &PassageCopy,
    shown: &PassageCopy,
    before: &mut (u32, u32),
    measure: &Measure,
) -> Option<KeptCopy> {
    let (bytes, length) = (copy.end.checked_sub(copy.start)?, shown.end - shown.start);
    let distance = copy.source.checked_sub(before.0)?;
    let start = copy.start.checked_sub(if distance == 0 { before.1 } else { 0 })?;
    *before = (copy.source, copy.start);
    let own = match (copy.tokens, bytes, copy.similarity) == (shown.tokens, length, 1.0) {
        true => None,
        false => {
            let of = measure.of([shown.tokens, copy.tokens]);
            let matches = (f64::from(copy.similarity) * f64::from(of)).round() as u32;
            let is_share = matches <= of && share(matches, of).to_bits() == copy.similarity.to_bits();
            Some(KeptDifference {
                tokens: i32::try_from(i64::from(copy.tokens) - i64::from(shown.tokens)).ok()?,
                bytes: i32::try_from(i64::from(bytes) - i64::from(length)).ok()?,
                similarity: match is_share {
                    true => KeptSimilarity::Missing(of - matches),
                    false => KeptSimilarity::Exactly(copy.similarity),
                },
            })
        }
    };
    Some(KeptCopy { distance, start, first: copy.first, own })
}

fn share(matches: u32, of: u32) -> f32 {
    matches as f32 / of.max(1) as f32
}

/// The passages of a section, each with the texts of its copies besides that of its id. Parents and families are the numbers
/// of passages in place of their ids ([`with_names`]). `None` if the bytes are invalid, or numbers contradict each other.
pub(super) fn restore(mut bytes: &[u8], measure: &Measure) -> Option<(Vec<Passage>, Vec<Vec<u64>>)> {
    let count: usize = take_value(&mut bytes)?;
    // No more memory is taken than the bytes are worth.
    if count > SECTION {
        return None;
    }
    let room = count.min(bytes.len() / LEAST);
    let (mut passages, mut texts) = (Vec::with_capacity(room), Vec::with_capacity(room));
    for _ in 0..count {
        let row: KeptRow = take_value(&mut bytes)?;
        let count: usize = take_value(&mut bytes)?;
        let mut copies = Vec::with_capacity(count.min(bytes.len() / LEAST));
        let mut before = (0, 0);
        for _ in 0..count {
            copies.push(take_value::<KeptCopy>(&mut bytes)?.restore(row.shown, &mut before, measure)?);
        }
        texts.push(take_value(&mut bytes)?);
        passages.push(row.restore(copies)?);
    }
    bytes.is_empty().then_some((passages, texts))
}

/// In place of the number of a passage: the passage itself is the head of its family.
const OWN: PassageId = PassageId(u64::MAX);

/// Puts ids in the place of the numbers of parents and families. `None` if there is no such passage, or if a copy stands in a
/// source behind the last one.
pub(super) fn with_names(passages: &mut [Passage], sources: usize) -> Option<Vec<PassageId>> {
    let ids: Vec<PassageId> = passages.iter().map(|passage| passage.id).collect();
    let named = |number: PassageId| ids.get(number.0 as usize).copied();
    for passage in passages {
        passage.parent = match passage.parent {
            Some(parent) => Some(named(parent)?),
            None => None,
        };
        passage.family = if passage.family == OWN { passage.id } else { named(passage.family)? };
        passage.copies.last().filter(|copy| (copy.source as usize) < sources)?;
    }
    Some(ids)
}

impl KeptRow {
    fn restore(self, copies: Vec<PassageCopy>) -> Option<Passage> {
        let number = |number: u32| PassageId(number.into());
        copies.get(self.representative as usize)?;
        Some(Passage {
            id: self.id,
            copies,
            representative: self.representative,
            documents: self.documents,
            parent: self.parent.map(number),
            unit: self.unit,
            family: self.family.map_or(OWN, number),
            members: self.members,
            kind: self.kind,
            worth: self.worth,
            lines: self.lines,
        })
    }
}

impl KeptCopy {
    fn restore(
        &self,
        (shown, length): (u32, u32),
        before: &mut (u32, u32),
        measure: &Measure,
    ) -> Option<PassageCopy> {
        let source = before.0.checked_add(self.distance)?;
        let start = self.start.checked_add(if self.distance == 0 { before.1 } else { 0 })?;
        *before = (source, start);
        let (mut tokens, mut bytes, mut similarity) = (shown, length, 1.0);
        if let Some(own) = &self.own {
            tokens = u32::try_from(i64::from(shown) + i64::from(own.tokens)).ok()?;
            bytes = u32::try_from(i64::from(length) + i64::from(own.bytes)).ok()?;
            let of = measure.of([shown, tokens]);
            similarity = match own.similarity {
                KeptSimilarity::Missing(missing) => share(of.checked_sub(missing)?, of),
                KeptSimilarity::Exactly(similarity) => similarity,
            };
        }
        self.first.checked_add(tokens)?;
        Some(PassageCopy {
            source,
            start,
            end: start.checked_add(bytes)?,
            first: self.first,
            tokens,
            similarity,
        })
    }
}
