//! Passages in the form in which they are kept, some thousand to a section, so that all threads decode. A row names its
//! parent and the head of its family by their numbers. A copy is relative to the copy before it and to the representative:
//! most copies take seven bytes.

use serde::{Deserialize, Serialize};

use crate::HashedMap;
use crate::copy_texts::CopyTexts;
use crate::kind::Kind;
use crate::passages::{Passage, PassageCopy, PassageId};
use dupi_passage::Measure;
use dupi_passage::unit::Unit;

/// A passage as it is kept.
#[derive(Serialize, Deserialize)]
pub(super) struct KeptPassage {
    pub(super) id: PassageId,
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
    copies: Vec<KeptCopy>,
    /// The texts of its copies besides that of its id.
    pub(super) texts: Vec<u64>,
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
    tokens: i64,
    bytes: i64,
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
        Some(KeptPassage {
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
            copies: copies.collect::<Option<_>>()?,
            texts: texts.others(passage.id).to_vec(),
        })
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
    let own = ((copy.tokens, bytes, copy.similarity) != (shown.tokens, length, 1.0)).then(|| {
        let of = measure.of([shown.tokens, copy.tokens]);
        let matches = (f64::from(copy.similarity) * f64::from(of)).round() as u32;
        let is_share = matches <= of && share(matches, of).to_bits() == copy.similarity.to_bits();
        KeptDifference {
            tokens: i64::from(copy.tokens) - i64::from(shown.tokens),
            bytes: i64::from(bytes) - i64::from(length),
            similarity: match is_share {
                true => KeptSimilarity::Missing(of - matches),
                false => KeptSimilarity::Exactly(copy.similarity),
            },
        }
    });
    Some(KeptCopy { distance, start, first: copy.first, own })
}

fn share(matches: u32, of: u32) -> f32 {
    matches as f32 / of.max(1) as f32
}

impl KeptPassage {
    /// The passage; `ids` has those of all. `None` if its numbers contradict each other, or it stands in a source behind the
    /// last one.
    pub(super) fn restore(self, ids: &[PassageId], sources: usize, measure: &Measure) -> Option<Passage> {
        let named = |number: u32| ids.get(number as usize).copied();
        let mut copies = Vec::with_capacity(self.copies.len());
        let mut before = (0, 0);
        for copy in &self.copies {
            copies.push(copy.restore(self.shown, &mut before, measure)?);
        }
        let is_sound = (before.0 as usize) < sources && (self.representative as usize) < copies.len();
        is_sound.then_some(())?;
        Some(Passage {
            id: self.id,
            copies,
            representative: self.representative,
            documents: self.documents,
            parent: match self.parent {
                Some(parent) => Some(named(parent)?),
                None => None,
            },
            unit: self.unit,
            family: match self.family {
                Some(family) => named(family)?,
                None => self.id,
            },
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
            tokens = u32::try_from(i64::from(shown).checked_add(own.tokens)?).ok()?;
            bytes = u32::try_from(i64::from(length).checked_add(own.bytes)?).ok()?;
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
