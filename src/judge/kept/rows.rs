//! Passages in the form in which they are kept, some thousand to a section, so that all threads decode. Each copy is relative
//! to the one before it: most copies take ten bytes.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::copy_texts::CopyTexts;
use crate::passages::{Passage, PassageCopy, PassageId};
use dupi_base::storage::sealed::{from_bytes, to_bytes};

/// How many passages a section has.
pub(super) const SECTION: usize = 2048;

/// A passage, whose copies are kept apart, with the texts of these besides that of its id.
#[derive(Serialize, Deserialize)]
struct KeptPassage(Passage, KeptCopies, Vec<u64>);

/// Copies, each relative to the one before it.
struct KeptCopies(Vec<PassageCopy>);

/// The distances of a copy from the one before it: of the sources, of the first bytes, which is where it begins in another
/// source, and of the lengths in tokens and bytes; its first token, and its similarity if it is not equal.
type KeptCopy = (u32, u32, i64, i64, u32, Option<f32>);

/// The bytes of some passages.
pub(super) fn keep(passages: &[Passage], texts: &CopyTexts) -> Vec<u8> {
    let keep = |passage: &Passage| {
        let row = Passage { copies: Vec::new(), ..*passage };
        KeptPassage(row, KeptCopies(passage.copies.clone()), texts.others(passage.id).to_vec())
    };
    to_bytes(&passages.iter().map(keep).collect::<Vec<_>>())
}

/// A passage, and its id with the texts of its copies besides that of the id.
type RestoredPassage = (Passage, (PassageId, Vec<u64>));

/// The passages of a section. `None` if the bytes are invalid, or numbers contradict each other.
pub(super) fn restore(bytes: &[u8], sources: usize) -> Option<Vec<RestoredPassage>> {
    let restore = |KeptPassage(row, KeptCopies(copies), texts): KeptPassage| {
        copies.get(row.representative as usize)?;
        copies.last().filter(|copy| (copy.source as usize) < sources)?;
        Some((Passage { copies, ..row }, (row.id, texts)))
    };
    from_bytes::<Vec<KeptPassage>>(bytes)?.into_iter().map(restore).collect()
}

impl Serialize for KeptCopies {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut before = PassageCopy::default();
        serializer
            .collect_seq(self.0.iter().map(|copy| relative(copy, &std::mem::replace(&mut before, *copy))))
    }
}

impl<'de> Deserialize<'de> for KeptCopies {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut before = PassageCopy::default();
        let absolute = |kept: KeptCopy| {
            before = absolute(kept, &before)?;
            Some(before)
        };
        let copies = Vec::deserialize(deserializer)?.into_iter().map(absolute).collect::<Option<_>>();
        copies.map(Self).ok_or_else(|| D::Error::custom("a copy has impossible numbers"))
    }
}

fn relative(copy: &PassageCopy, before: &PassageCopy) -> KeptCopy {
    let distance = copy.source - before.source;
    let length = |of: &PassageCopy| i64::from(of.end) - i64::from(of.start);
    (
        distance,
        if distance == 0 { copy.start - before.start } else { copy.start },
        i64::from(copy.tokens) - i64::from(before.tokens),
        length(copy) - length(before),
        copy.first,
        Some(copy.similarity).filter(|similarity| *similarity != 1.0),
    )
}

fn absolute(kept: KeptCopy, before: &PassageCopy) -> Option<PassageCopy> {
    let (distance, start, tokens, bytes, first, similarity) = kept;
    let start = if distance == 0 { before.start.checked_add(start)? } else { start };
    let bytes = i64::from(before.end - before.start).checked_add(bytes)?;
    let tokens = u32::try_from(i64::from(before.tokens).checked_add(tokens)?).ok()?;
    first.checked_add(tokens)?;
    Some(PassageCopy {
        source: before.source.checked_add(distance)?,
        start,
        end: start.checked_add(u32::try_from(bytes).ok()?)?,
        first,
        tokens,
        similarity: similarity.unwrap_or(1.0),
    })
}
