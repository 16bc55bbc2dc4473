//! How the copies of a row differ from the one that they are compared with, and which of them are equal to each other.
//! They are read one by one when all else of the preview is known.

use std::sync::Arc;
use std::time::Instant;

use super::copies::Copies;
use crate::protocol::{CopyVariant, Item, Preview, SEND_INTERVAL};
use dupi_judge::copies::OpenCopy;
use dupi_passage::align::{TABLE, matched_within};
use xxhash_rust::xxh3::Xxh3Default;

/// The most copies that are read for it.
const MOST: usize = 100;

impl Copies {
    /// Compares the copies that are not compared yet, as long as `send`, which gets what is known so far, returns true.
    pub(super) fn tell_variants(&mut self, current: usize, mut send: impl FnMut(Preview) -> bool) {
        let is_of_copies = matches!(self.item, Item::Passage(_) | Item::Review(_) | Item::Cluster(_));
        let known = self.shown.occurrences.len();
        let differ = self.shown.alike.iter().any(|percent| *percent < 100);
        let number = current.min(known.saturating_sub(1));
        if !is_of_copies || !differ || known < 3 {
            return;
        }
        let Some((compared, _)) = self.counterpart(number) else { return };
        let other = compared.standing.hashes();
        let mut sent = Instant::now();
        for number in self.shown.variants.len()..known.min(MOST) {
            let variant = self.standing(number).map(|copy| variant(&copy, &other));
            Arc::make_mut(&mut self.shown.variants).push(variant);
            if sent.elapsed() >= SEND_INTERVAL {
                sent = Instant::now();
                if !send(self.preview(current)) {
                    return;
                }
            }
        }
        send(self.preview(current));
    }
}

fn variant(copy: &OpenCopy, other: &[u64]) -> CopyVariant {
    let own = copy.hashes();
    let mut print = Xxh3Default::new();
    own.iter().for_each(|hash| print.update(&hash.to_le_bytes()));
    let equal = if own == other { own.len() } else { matched_within(&own, other, TABLE).len() };
    let differing = own.len().max(other.len()) - equal;
    CopyVariant { print: print.digest(), differing: differing as u32 }
}
