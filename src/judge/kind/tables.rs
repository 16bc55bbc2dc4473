//! Files that are tables: most of such a file are stretches that come again and again in it, as a program writes them,
//! or a person who copies a row to fill it in. What stands in tables alone is a row of a table, or a part of some rows.

use std::ops::Range;

use crate::covered::covered;
use crate::passages::Passage;

/// The number of copies in one file from which on they fill it.
const OFTEN: usize = 50;

/// The least share of a table's tokens that stands in such copies, in percent.
const FILLED: u64 = 60;

/// For each passage, whether it stands in tables alone; given the number of tokens of each source.
pub(super) fn stand_in_tables(tokens: &[u32], passages: &[Passage]) -> Vec<bool> {
    let mut often: Vec<Vec<Range<u32>>> = vec![Vec::new(); tokens.len()];
    for passage in passages.iter().filter(|passage| passage.copies.len() >= OFTEN) {
        let of_sources = passage.copies.chunk_by(|a, b| a.source == b.source);
        for copies in of_sources.filter(|copies| copies.len() >= OFTEN) {
            let ranges = copies.iter().map(|copy| copy.first..copy.end_token());
            often[copies[0].source as usize].extend(ranges);
        }
    }
    let is_filled = |(ranges, tokens): (Vec<Range<u32>>, &u32)| {
        !ranges.is_empty() && covered(ranges) * 100 >= u64::from(*tokens) * FILLED
    };
    let are_tables: Vec<bool> = often.into_iter().zip(tokens).map(is_filled).collect();
    let in_table = |passage: &Passage| passage.copies.iter().all(|copy| are_tables[copy.source as usize]);
    passages.iter().map(in_table).collect()
}
