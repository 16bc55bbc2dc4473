//! An inverted index of prefixes.

use std::ops::Range;

use rayon::prelude::*;

use super::record::{PrefixFeature, Record};

/// For each feature of a prefix that is indexed, the records that have it there.
pub(super) struct Prefixes {
    /// Sorted by feature and record.
    postings: Vec<PrefixPosting>,
    /// For each value of the upper bits of a feature, the first posting; and the end of the last.
    starts: Vec<u32>,
    /// How far a feature is shifted right to that value.
    shift: u32,
}

/// A record with a feature in its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PrefixPosting {
    feature: u64,
    pub(super) record: u32,
    /// How much of the record comes before the feature, or `u32::MAX` if that is more.
    pub(super) before: u32,
}

impl Prefixes {
    /// Indexes the first features of records, as many as `indexed` says. The records are named by their places.
    pub(super) fn new(records: &[Record], indexed: impl Fn(&Record) -> usize + Sync) -> Self {
        let posting = |record, &PrefixFeature { feature, before }: &PrefixFeature| PrefixPosting {
            feature,
            record,
            before: u32::try_from(before).unwrap_or(u32::MAX),
        };
        let mut postings: Vec<PrefixPosting> = records
            .par_iter()
            .enumerate()
            .flat_map_iter(|(number, record)| {
                record.prefix[..indexed(record)].iter().map(move |feature| posting(number as u32, feature))
            })
            .collect();
        postings.par_sort_unstable();
        let bits = postings.len().next_power_of_two().ilog2().clamp(1, 30);
        let shift = u64::BITS - bits;
        let mut starts = Vec::with_capacity((1 << bits) + 1);
        let mut start = 0;
        for upper in 0..1_u64 << bits {
            while postings.get(start as usize).is_some_and(|posting| posting.feature >> shift < upper) {
                start += 1;
            }
            starts.push(start);
        }
        starts.push(postings.len() as u32);
        Self { postings, starts, shift }
    }

    /// The postings of a feature whose records are in a range.
    pub(super) fn of(&self, feature: u64, records: &Range<u32>) -> &[PrefixPosting] {
        let upper = (feature >> self.shift) as usize;
        let bucket = &self.postings[self.starts[upper] as usize..self.starts[upper + 1] as usize];
        let place = |record: u32| {
            bucket.partition_point(|posting| (posting.feature, posting.record) < (feature, record))
        };
        &bucket[place(records.start)..place(records.end)]
    }
}
