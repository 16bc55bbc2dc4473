//! What marks suppress, as bytes.
//!
//! ```text
//! count of marks · (source · line << 1 | whether it is open) … ·
//! count of passages · (id u64 · count of copies << 1 | whether it is gone · (source · start · length · mark + 1, or 0) …) …
//! ```

use crate::passages::PassageId;
use crate::suppressed::{SuppressedCopy, SuppressedPassage, SuppressingMark, Suppressions};
use crate::varints::{NumberReader, put, put_fixed};

/// Encodes what marks suppress.
pub(super) fn encode(of: &Suppressions) -> Vec<u8> {
    let mut bytes = Vec::new();
    put(&mut bytes, of.marks.len() as u64);
    for SuppressingMark { source, line, is_open } in &of.marks {
        put(&mut bytes, u64::from(*source));
        put(&mut bytes, u64::from(*line) << 1 | u64::from(*is_open));
    }
    put(&mut bytes, of.passages.len() as u64);
    for SuppressedPassage { id, is_gone, copies } in &of.passages {
        put_fixed(&mut bytes, id.0);
        put(&mut bytes, (copies.len() as u64) << 1 | u64::from(*is_gone));
        for SuppressedCopy { source, start, end, mark } in copies {
            [*source, *start, end.saturating_sub(*start), mark.map_or(0, |mark| mark + 1)]
                .into_iter()
                .for_each(|number| put(&mut bytes, u64::from(number)));
        }
    }
    bytes
}

/// Decodes what marks suppress in `sources` sources; `None` if the bytes are invalid.
pub(super) fn decode(bytes: &[u8], sources: usize) -> Option<Suppressions> {
    let mut reader = NumberReader(bytes);
    let mut of = Suppressions::default();
    let is_source = |source: &u32| (*source as usize) < sources;
    for _ in 0..reader.count()? {
        let (source, line) = (reader.small().filter(is_source)?, reader.number()?);
        let is_open = line & 1 == 1;
        of.marks.push(SuppressingMark { source, line: u32::try_from(line >> 1).ok()?, is_open });
    }
    for _ in 0..reader.count()? {
        let (id, copies) = (PassageId(reader.fixed()?), reader.number()?);
        let mut passage = SuppressedPassage { id, is_gone: copies & 1 == 1, copies: Vec::new() };
        for _ in 0..copies >> 1 {
            let (source, start) = (reader.small().filter(is_source)?, reader.small()?);
            let end = start.checked_add(reader.small()?)?;
            let mark = reader.small().filter(|mark| *mark as usize <= of.marks.len())?.checked_sub(1);
            passage.copies.push(SuppressedCopy { source, start, end, mark });
        }
        of.passages.push(passage);
    }
    reader.is_at_end().then_some(of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_suppressed_is_read_back_and_no_cut_is_taken_for_it() {
        let copy = SuppressedCopy { source: 1, start: 300, end: 420, mark: Some(0) };
        let of = Suppressions {
            marks: vec![SuppressingMark { source: 1, line: 7, is_open: true }],
            passages: vec![SuppressedPassage {
                id: PassageId(9 << 60),
                is_gone: true,
                copies: vec![copy, SuppressedCopy { mark: None, ..copy }],
            }],
        };
        let bytes = encode(&of);
        assert_eq!(decode(&bytes, 2).as_ref(), Some(&of));
        assert_eq!(decode(&bytes, 1), None, "a source that is not there");
        assert!((0..bytes.len()).all(|end| decode(&bytes[..end], 2).is_none()));
        assert_eq!(decode(&encode(&Suppressions::default()), 0), Some(Suppressions::default()));
    }
}
