//! Finds the pairs of distinct hashes that differ in few bits.
//!
//! A search chooses all but d of m blocks of bits in every way ([`Plan`]). The choices form a tree: hashes are divided
//! by the first chosen block, each bucket by the second one, and so on, so that choices that begin alike share their
//! tables. A bucket is compared pair by pair as soon as that is cheaper than dividing it further. A pair agrees in
//! every block of several choices, but only in the first of them it also differs in all blocks that were left out
//! before. It is reported there alone, so nothing must remember what was reported.
//!
//! Hashes of real documents are not random. A bucket that stays large after all its blocks is searched like a list of
//! its own, by blocks of the bits that still vary in it.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::compare::{Buckets, Comparer, Condition, Digit};
use super::plan::{Choice, Plan, SimHashSettings};
use crate::{SearchError, Tick};
use dupi_base::parallel;

/// The most tables in memory at once.
const MOST_TABLES: usize = 4;
/// The fewest hashes of a bucket whose own buckets are searched in parallel.
const PARALLEL: usize = 1 << 15;
/// A bucket of which all chosen blocks agree is compared pair by pair up to this number of hashes: finding other
/// blocks for it has a cost of its own.
const LAST_COMPARED: usize = 512;
/// The number of hashes of a part of a bucket that is compared pair by pair.
const PART: usize = 1 << 11;
/// The number of pairs that are handed over at once.
const BATCH: usize = 1 << 12;

/// What is done with pairs: they come in batches, in any order and from several threads.
pub(crate) type Sink<'s> = dyn Fn(&[(u64, u64)]) + Sync + 's;

/// Finds all pairs of `hashes` within a distance. The hashes must be distinct. `tick` gets the progress.
pub(crate) fn search_near(
    hashes: &[u64],
    settings: SimHashSettings,
    sink: &Sink<'_>,
    tick: &Tick<'_>,
) -> Result<(), SearchError> {
    let SimHashSettings { distance, blocks } = settings;
    let varying = varying(hashes);
    if varying == 0 || distance == 0 {
        return Ok(());
    }
    let plan = match blocks {
        Some(blocks) => Some(Plan::new(blocks, varying)),
        None => Plan::cheapest(hashes.len(), varying, distance),
    };
    let tables = plan.as_ref().map_or(1, |plan| Choice::from_plan(plan, distance).left_out + 1);
    let search =
        Search { distance, sink, tick, done: AtomicU64::new(0), all: (hashes.len() * tables) as f64 };
    match plan {
        Some(plan) => search.by_tables(hashes, &plan),
        None => search.pairs(&mut Worker::new(sink, &[]), hashes, 0),
    }
}

/// The bits in which some hashes differ.
fn varying(hashes: &[u64]) -> u64 {
    let first = hashes.first().copied().unwrap_or(0);
    hashes.iter().fold(0, |varying, hash| varying | (hash ^ first))
}

struct Search<'s> {
    distance: u32,
    sink: &'s Sink<'s>,
    tick: &'s Tick<'s>,
    /// How many hashes of tables are done, and how many there are.
    done: AtomicU64,
    all: f64,
}

/// What a thread needs for itself.
struct Worker<'w> {
    comparer: Comparer,
    /// The blocks that were left out: a pair is reported if it differs in each.
    left_out: Vec<u64>,
    /// Where hashes are divided.
    space: Vec<u64>,
    sink: &'w Sink<'w>,
}

impl<'w> Worker<'w> {
    fn new(sink: &'w Sink<'w>, left_out: &[u64]) -> Self {
        Self { comparer: Comparer::default(), left_out: left_out.to_vec(), space: Vec::new(), sink }
    }

    /// Divides hashes in their own place.
    fn divide(&mut self, hashes: &mut [u64], digit: &Digit) -> Buckets {
        if self.space.len() < hashes.len() {
            self.space.resize(hashes.len(), 0);
        }
        let space = &mut self.space[..hashes.len()];
        let buckets = Buckets::divide(hashes, space, digit);
        hashes.copy_from_slice(space);
        buckets
    }

    /// Hands over what was found.
    fn hand_over(&mut self) {
        (self.sink)(&self.comparer.found);
        self.comparer.found.clear();
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.hand_over();
    }
}

impl Search<'_> {
    /// Searches by tables of all hashes: one for each block that can be the first of a choice.
    fn by_tables(&self, hashes: &[u64], plan: &Plan) -> Result<(), SearchError> {
        let choice = Choice::from_plan(plan, self.distance);
        let first: Vec<usize> = (0..=choice.left_out).collect();
        for some in first.chunks(rayon::current_num_threads().clamp(1, MOST_TABLES)) {
            let divided = |&block: &usize| {
                let digit = Digit::choose(plan.blocks[block], hashes.len());
                let mut table = vec![0; hashes.len()];
                let buckets = Buckets::divide(hashes, &mut table, &digit);
                (block, digit, table, buckets)
            };
            let mut tables: Vec<_> = parallel::map(some, divided);
            let buckets: Vec<_> = tables
                .iter_mut()
                .flat_map(|(block, digit, table, buckets)| {
                    let (block, digit) = (*block, *digit);
                    buckets.of(table).map(move |bucket| (block, digit, bucket))
                })
                .collect();
            buckets.into_par_iter().try_for_each_init(
                || Worker::new(self.sink, &[]),
                |worker, (block, digit, bucket)| {
                    worker.left_out.clear();
                    worker.left_out.extend(&plan.blocks[..block]);
                    let (agree, choice) = (plan.blocks[block], choice.after(block));
                    self.divide(worker, bucket, plan, choice, agree, agree & !digit.mask)?;
                    self.progress(bucket.len())
                },
            )?;
        }
        Ok(())
    }

    /// Chooses the next block in every way that is left.
    fn choose(
        &self,
        worker: &mut Worker<'_>,
        bucket: &mut [u64],
        plan: &Plan,
        choice: Choice,
        agree: u64,
    ) -> Result<(), SearchError> {
        if choice.is_compared(bucket.len()) || choice.chosen == 0 && bucket.len() <= LAST_COMPARED {
            return self.pairs(worker, bucket, agree);
        }
        if choice.chosen == 0 {
            return self.by_other_blocks(worker, bucket, agree);
        }
        let before = worker.left_out.len();
        for left_out in 0..=choice.left_out {
            let block = plan.blocks[choice.next + left_out];
            self.divide(worker, bucket, plan, choice.after(left_out), agree | block, block)?;
            worker.left_out.push(block);
        }
        worker.left_out.truncate(before);
        Ok(())
    }

    /// Divides a bucket by the `rest` of the bits of the block that was chosen last, then chooses the next one. `agree`
    /// has all bits of that block.
    fn divide(
        &self,
        worker: &mut Worker<'_>,
        bucket: &mut [u64],
        plan: &Plan,
        choice: Choice,
        agree: u64,
        rest: u64,
    ) -> Result<(), SearchError> {
        if rest == 0 {
            return self.choose(worker, bucket, plan, choice, agree);
        }
        if choice.is_compared(bucket.len()) {
            return self.pairs(worker, bucket, agree);
        }
        let digit = Digit::choose(rest, bucket.len());
        let rest = rest & !digit.mask;
        let buckets = worker.divide(bucket, &digit);
        if bucket.len() < PARALLEL {
            return buckets
                .of(bucket)
                .try_for_each(|bucket| self.divide(worker, bucket, plan, choice, agree, rest));
        }
        self.progress(0)?;
        let left_out = &worker.left_out;
        buckets.of(bucket).collect::<Vec<_>>().into_par_iter().try_for_each_init(
            || Worker::new(self.sink, left_out),
            |worker, bucket| self.divide(worker, bucket, plan, choice, agree, rest),
        )
    }

    /// Searches a bucket of which all chosen blocks agree by blocks of its other bits.
    fn by_other_blocks(
        &self,
        worker: &mut Worker<'_>,
        bucket: &mut [u64],
        agree: u64,
    ) -> Result<(), SearchError> {
        match Plan::cheapest(bucket.len(), varying(bucket), self.distance) {
            Some(plan) => self.choose(worker, bucket, &plan, Choice::from_plan(&plan, self.distance), agree),
            None => self.pairs(worker, bucket, agree),
        }
    }

    /// Compares all pairs of a bucket.
    fn pairs(&self, worker: &mut Worker<'_>, bucket: &[u64], agree: u64) -> Result<(), SearchError> {
        let compare = |worker: &mut Worker<'_>, parts: &[&[u64]]| {
            let condition = Condition { distance: self.distance, agree, differ: &worker.left_out };
            worker.comparer.all(parts[0], condition);
            let mut next = 1;
            loop {
                if worker.comparer.found.len() > BATCH {
                    (self.sink)(&worker.comparer.found);
                    worker.comparer.found.clear();
                }
                let Some(others) = parts.get(next) else { break };
                worker.comparer.across(parts[0], others, condition);
                next += 1;
            }
        };
        if bucket.len() <= PART {
            compare(worker, &[bucket]);
            return Ok(());
        }
        let parts: Vec<&[u64]> = bucket.chunks(PART).collect();
        let left_out = &worker.left_out;
        (0..parts.len()).into_par_iter().try_for_each_init(
            || Worker::new(self.sink, left_out),
            |worker, first| {
                compare(worker, &parts[first..]);
                self.progress(0)
            },
        )
    }

    /// Reports the number of hashes that are done. An error ends the search.
    fn progress(&self, hashes: usize) -> Result<(), SearchError> {
        let before = self.done.fetch_add(hashes as u64, Ordering::Relaxed);
        (self.tick)((before as f64 + hashes as f64) / self.all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowded_bucket_hands_its_pairs_over_by_parts() {
        let hashes: Vec<u64> = (0..2 * PART as u64 + 100).collect();
        let (found, largest) = (AtomicU64::new(0), AtomicU64::new(0));
        let sink = |some: &[(u64, u64)]| {
            found.fetch_add(some.len() as u64, Ordering::Relaxed);
            largest.fetch_max(some.len() as u64, Ordering::Relaxed);
        };
        search_near(&hashes, SimHashSettings::new(64, None).unwrap(), &sink, &|_| Ok(())).unwrap();
        let count = hashes.len() as u64;
        assert_eq!(found.into_inner(), count * (count - 1) / 2);
        let largest = largest.into_inner();
        assert!(largest <= (PART * PART + BATCH) as u64, "{largest}");
    }
}
