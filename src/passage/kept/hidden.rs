//! Which of the kept passages the taboo list hides: so a list is shown without the texts of the passages, which are not
//! kept. It is in a small file beside the passages, for the last state of the taboo list.

use super::files;
use super::sections::{Sections, head};
use crate::kept_as::{HiddenRows, fingerprint};
use crate::search::{Passages, SearchSettings};
use dupi_index::index::home::hidden_name;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::taboo::TabooSet;

/// Finds out which passages a taboo list hides, if that is not known, and keeps it when the passages are kept.
pub fn know_hidden(
    snapshot: &Snapshot,
    settings: &SearchSettings,
    passages: &Passages,
    taboo: &TabooSet,
    least: u32,
) {
    if !taboo.is_empty() && passages.kept.file.get().is_some() && passages.kept.hidden(taboo, least).is_none()
    {
        let hidden = passages.hidden(least, taboo, &snapshot.manifest().recipe);
        keep_hidden(snapshot, settings, passages, taboo, (least, &hidden));
    }
}

/// Keeps which passages a taboo list hides, with the fewest tokens that must be left of them. Nothing is written if the
/// passages are not kept, if it is known already, and if the text of a passage could not be read: then it is known only as
/// long as these passages are in memory.
pub fn keep_hidden(
    snapshot: &Snapshot,
    settings: &SearchSettings,
    passages: &Passages,
    taboo: &TabooSet,
    (least, hidden): (u32, &[bool]),
) {
    let Some(&of) = passages.kept.file.get() else { return };
    if taboo.is_empty() || passages.kept.hidden(taboo, least).is_some() {
        return;
    }
    let rows = HiddenRows { taboo: fingerprint(taboo), least, hidden: hidden.to_vec() };
    if passages.texts.are_read() {
        write(snapshot, settings, &rows, of);
    }
    passages.kept.remember(rows);
}

fn write(snapshot: &Snapshot, settings: &SearchSettings, rows: &HiddenRows, of: u64) {
    let name = hidden_name(super::identity::of_settings(snapshot, settings) as u64);
    let (numbers, sections) = encode(rows, of);
    let written = snapshot.folder().draft_unique(&name).and_then(|mut draft| {
        draft.write(&head(&numbers, &sections))?;
        sections.iter().try_for_each(|section| draft.write(section))?;
        draft.seal()
    });
    if let Err(error) = written {
        tracing::info!(name, %error, "what the taboo list hides is not kept");
    }
}

/// What is kept for the passages of a file; `None` if nothing is.
pub(super) fn load(snapshot: &Snapshot, settings: u128, of: u64, passages: usize) -> Option<HiddenRows> {
    let name = hidden_name(settings as u64);
    let bytes = files::open(snapshot, &name)?;
    let Some(sections) = Sections::of(&bytes) else {
        tracing::warn!(name, "the file is damaged or of another version; what it has is found out again");
        return None;
    };
    decode(&sections, of, passages)
}

fn encode(rows: &HiddenRows, of: u64) -> ([u64; 5], [Vec<u8>; 1]) {
    let HiddenRows { taboo, least, hidden } = rows;
    let numbers = [of, *taboo as u64, (taboo >> 64) as u64, u64::from(*least), hidden.len() as u64];
    let byte = |some: &[bool]| some.iter().rev().fold(0, |byte, &is_hidden| byte << 1 | u8::from(is_hidden));
    (numbers, [hidden.chunks(8).map(byte).collect()])
}

fn decode(sections: &Sections, of: u64, passages: usize) -> Option<HiddenRows> {
    let &[own, low, high, least, count] = &sections.numbers[..] else { return None };
    let bytes = sections.get(0).filter(|bytes| bytes.len() == passages.div_ceil(8))?;
    if own != of || count != passages as u64 {
        return None;
    }
    let hidden = (0..passages).map(|number| bytes[number / 8] >> (number % 8) & 1 == 1).collect();
    let taboo = u128::from(low) | u128::from(high) << 64;
    Some(HiddenRows { taboo, least: u32::try_from(least).ok()?, hidden })
}
