//! Blocks of bits, and how many of them a search makes.
//!
//! Of two hashes that differ in at most d bits, at least m − d of m blocks of bits agree (Manku, Jain, Das Sarma,
//! “Detecting near-duplicates for web crawling”, WWW 2007). More blocks give longer prefixes that agree, so fewer pairs
//! to compare, but more choices of m − d blocks, each of which the hashes are divided by.

/// The bits of a hash.
const BITS: u32 = u64::BITS;
/// The most hashes of a bucket that is compared pair by pair, for each division that this replaces. Measured:
/// then both cost the same.
const COMPARED: f64 = 20.0;
/// What comparing a pair costs, in nanoseconds.
const PAIR: f64 = 0.3;
/// What a hash costs beside its pairs.
const HASH: f64 = 2.0;
/// What dividing the hashes by eight bits costs for each of them, if they are in the processor's cache.
const DIVISION: f64 = 3.0;
/// The same for more hashes than the cache holds.
const FAR_DIVISION: f64 = 6.0;
/// The number of hashes that fit into the cache.
const CACHED: f64 = 65_536.0;
/// The most blocks that are tried beyond the distance. More make thousands of choices.
const MOST_CHOSEN: u32 = 12;

/// How far fingerprints may be apart, and how they are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimHashSettings {
    /// The largest number of differing bits, of 64, of two near fingerprints.
    pub(super) distance: u32,
    /// Into how many blocks the bits are divided.
    pub(super) blocks: Option<u32>,
}

/// Why there are no such settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SimHashSettingsError {
    /// The distance is more than the bits of a fingerprint.
    #[error("a distance of {0} bits is too large: a fingerprint has {BITS}")]
    Distance(u32),
    /// Pairs would be missed.
    #[error("{blocks} blocks are too few for a distance of {distance} bits: there must be at least {}", distance + 1)]
    FewBlocks {
        /// The number of blocks.
        blocks: u32,
        /// The distance.
        distance: u32,
    },
    /// More blocks than bits.
    #[error("{0} blocks are too many: a fingerprint has {BITS} bits")]
    ManyBlocks(u32),
}

impl SimHashSettings {
    /// The distance that is usual for 64 bits (Manku, Jain, Das Sarma 2007).
    pub const USUAL_DISTANCE: u32 = 3;

    /// Settings for a distance in bits, 0 to 64. The number of blocks changes the time that a search takes, not what it
    /// finds; by default, the search estimates which number is fastest.
    pub fn new(distance: u32, blocks: Option<u32>) -> Result<Self, SimHashSettingsError> {
        if distance > BITS {
            return Err(SimHashSettingsError::Distance(distance));
        }
        match blocks {
            Some(blocks) if blocks > BITS => Err(SimHashSettingsError::ManyBlocks(blocks)),
            Some(blocks) if blocks <= distance => Err(SimHashSettingsError::FewBlocks { blocks, distance }),
            blocks => Ok(Self { distance, blocks }),
        }
    }
}

/// Blocks of bits. A search chooses all but `distance` of them in every way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// The bits of each block; the highest are first.
    pub(super) blocks: Vec<u64>,
}

impl Plan {
    /// Divides the `varying` bits into `blocks` blocks, about equal in size; a block may be empty.
    pub(super) fn new(blocks: u32, varying: u64) -> Self {
        let bits: Vec<u64> = (0..BITS).rev().map(|bit| 1 << bit).filter(|bit| varying & bit != 0).collect();
        let end = |block: u32| bits.len() * block as usize / blocks as usize;
        let block = |number| bits[end(number)..end(number + 1)].iter().sum();
        Self { blocks: (0..blocks).map(block).collect() }
    }

    /// The blocks for `hashes` hashes that differ in the `varying` bits only, by the estimated cost; `None` if it is
    /// cheapest to compare all pairs.
    pub(super) fn cheapest(hashes: usize, varying: u64, distance: u32) -> Option<Self> {
        let width = varying.count_ones();
        let most = width.min(distance + MOST_CHOSEN);
        let cost = |blocks: u32| Estimate::new(width, distance, blocks).cost(hashes as f64);
        let costs = (distance + 1..=most).map(|blocks| (cost(blocks), blocks));
        let (cost, blocks) = costs.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (cost < compared(hashes as f64)).then(|| Self::new(blocks, varying))
    }
}

/// A choice of blocks on its way: how many are still chosen, and how many still left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// The number of the next block.
    pub(super) next: usize,
    /// How many of the blocks from there are chosen.
    pub(super) chosen: usize,
    /// How many of them are left out. There are no others.
    pub(super) left_out: usize,
}

impl Choice {
    /// The first choice of a plan.
    pub(super) fn from_plan(plan: &Plan, distance: u32) -> Self {
        let left_out = (distance as usize).min(plan.blocks.len());
        Self { next: 0, chosen: plan.blocks.len() - left_out, left_out }
    }

    /// The choice after leaving out some blocks and choosing the next.
    pub(super) fn after(self, left_out: usize) -> Self {
        Self { next: self.next + left_out + 1, chosen: self.chosen - 1, left_out: self.left_out - left_out }
    }

    /// Whether it is cheaper to compare this number of hashes pair by pair than to divide them by every choice.
    pub(super) fn is_compared(self, hashes: usize) -> bool {
        hashes as f64 <= COMPARED * ways(self.chosen, self.left_out)
    }
}

/// In how many ways some blocks can be chosen and others left out.
fn ways(chosen: usize, left_out: usize) -> f64 {
    (1..=chosen.min(left_out)).fold(1.0, |ways, k| ways * (chosen + left_out + 1 - k) as f64 / k as f64)
}

/// What comparing all pairs of some hashes costs.
fn compared(hashes: f64) -> f64 {
    hashes * (hashes / 2.0 * PAIR + HASH)
}

/// Estimates what a search costs if the varying bits are random.
struct Estimate {
    /// Bits of a block.
    width: f64,
    distance: usize,
    blocks: usize,
}

impl Estimate {
    fn new(width: u32, distance: u32, blocks: u32) -> Self {
        let width = f64::from(width) / f64::from(blocks);
        Self { width, distance: distance as usize, blocks: blocks as usize }
    }

    fn cost(&self, hashes: f64) -> f64 {
        // The costs by the number of blocks left out, for one more block chosen in every round. How many hashes a
        // bucket has follows from the number of blocks that were chosen before.
        let all = self.blocks - self.distance;
        let size = |chosen: usize| hashes / (self.width * (all - chosen) as f64).exp2();
        let mut costs = vec![compared(size(0)); self.distance + 1];
        for chosen in 1..=all {
            let hashes = size(chosen);
            let parts = self.width.exp2();
            let passes = (self.width / 8.0).ceil().max(1.0);
            let division = hashes * passes * if hashes > CACHED { FAR_DIVISION } else { DIVISION };
            let mut sum = 0.0;
            for (left_out, cost) in costs.iter_mut().enumerate() {
                sum += division + parts * *cost;
                let is_compared = hashes <= COMPARED * ways(chosen, left_out);
                *cost = if is_compared { compared(hashes).min(sum) } else { sum };
            }
        }
        costs[self.distance]
    }
}

/// The most tables.
const MOST_TABLES: u64 = 1_000;
/// The cost of a row of a table in a shuffle, in comparisons of two fingerprints.
const ROW: f64 = 50.0;

/// The bits by which a shuffle finds near fingerprints: each table has some blocks of them, and two fingerprints that differ
/// in at most d bits agree in all bits of a table. Of m blocks at least m − d agree, so the tables are the choices of m − d
/// blocks. Here no choice shares the work of another, as in the search on one machine: each table is one more row for each
/// document.
///
/// Returns the bits of each table for a number of documents and a distance. None for the distance 0: no two different fingerprints are
/// that near.
pub(crate) fn tables(documents: u64, distance: u32) -> Vec<u64> {
    if distance == 0 {
        return Vec::new();
    }
    let cost = |blocks: u32| {
        let tables = choices(blocks, distance)?;
        let bits = f64::from(u64::BITS * (blocks - distance)) / f64::from(blocks);
        let in_bucket = documents as f64 / bits.exp2();
        Some((tables as f64 * documents as f64 * (ROW + in_bucket / 2.0), blocks))
    };
    let all = (distance + 1..=u64::BITS).map_while(cost);
    let Some((_, blocks)) = all.min_by(|a, b| a.0.total_cmp(&b.0)) else { return vec![0] };
    let plan = Plan::new(blocks, u64::MAX);
    let mut found = Vec::new();
    choose(&plan.blocks, (blocks - distance) as usize, 0, &mut found);
    found
}

/// In how many ways all but `distance` blocks can be chosen; `None` if there are too many.
fn choices(blocks: u32, distance: u32) -> Option<u64> {
    let (blocks, distance) = (u64::from(blocks), u64::from(distance));
    let mut ways = 1;
    for chosen in 1..=distance.min(blocks - distance) {
        ways = ways * (blocks + 1 - chosen) / chosen;
        if ways > MOST_TABLES {
            return None;
        }
    }
    Some(ways)
}

/// Adds the bits of each choice of this number of blocks to those that are chosen already.
fn choose(blocks: &[u64], rest: usize, chosen: u64, found: &mut Vec<u64>) {
    match blocks.split_first() {
        _ if rest == 0 => found.push(chosen),
        Some((first, others)) if blocks.len() >= rest => {
            choose(others, rest - 1, chosen | first, found);
            choose(others, rest, chosen, found);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_text::sketch::avalanche;

    #[test]
    fn blocks_have_all_varying_bits_once_and_about_equal_numbers_of_them() {
        for (blocks, varying) in [(4, u64::MAX), (7, u64::MAX), (64, u64::MAX), (3, 0xf0f0_0001), (5, 0b101)]
        {
            let plan = Plan::new(blocks, varying);
            assert_eq!(plan.blocks.len(), blocks as usize);
            assert_eq!(plan.blocks.iter().fold(0, |all, block| all | block), varying);
            let sizes = plan.blocks.iter().map(|block| block.count_ones());
            assert_eq!(sizes.clone().sum::<u32>(), varying.count_ones());
            assert!(sizes.clone().max() <= sizes.min().map(|least| least + 1));
        }
    }

    #[test]
    fn ways_are_binomial_coefficients() {
        assert_eq!(
            [ways(0, 3), ways(3, 0), ways(1, 3), ways(2, 6), ways(3, 8)],
            [1.0, 1.0, 4.0, 28.0, 165.0]
        );
    }

    #[test]
    fn more_hashes_and_larger_distances_need_more_blocks() {
        let blocks =
            |hashes, distance| Plan::cheapest(hashes, u64::MAX, distance).map(|plan| plan.blocks.len());
        assert_eq!(blocks(10, 3), None);
        assert_eq!(blocks(1_000_000, 64), None);
        assert_eq!(blocks(1_000_000, 3), Some(4));
        assert!(blocks(1_000_000, 8) > blocks(1_000_000, 6));
        assert!(blocks(100_000_000, 6) > blocks(100_000, 6));
    }

    #[test]
    fn near_fingerprints_agree_in_a_table() {
        for (documents, distance) in [(10, 3), (1_000_000, 3), (1_000, 1), (100_000, 8), (1_000_000_000, 24)]
        {
            let tables = tables(documents, distance);
            assert!(!tables.is_empty() && tables.len() as u64 <= MOST_TABLES, "{}", tables.len());
            for number in 0..200 {
                let bits = (0..u64::from(distance)).map(|bit| 1 << (avalanche(number << 32 | bit) % 64));
                let differing: u64 = bits.fold(0, |all, bit: u64| all | bit);
                assert!(tables.iter().any(|table| table & differing == 0), "{distance}: {differing:x}");
            }
        }
    }

    #[test]
    fn more_documents_need_more_tables() {
        let count = |documents, distance| tables(documents, distance).len();
        assert_eq!([count(1_000, 3), count(1_000_000_000, 3), count(5, 0), count(5, 64)], [4, 10, 0, 1]);
    }

    #[test]
    fn there_are_more_blocks_than_bits_that_differ_and_at_most_64() {
        let said =
            |distance, blocks| SimHashSettings::new(distance, blocks).map_err(|error| error.to_string());
        for (distance, blocks) in [(0, Some(1)), (3, Some(4)), (63, Some(64)), (64, None)] {
            assert_eq!(said(distance, blocks), Ok(SimHashSettings { distance, blocks }));
        }
        for (distance, blocks, words) in
            [(3, Some(3), "at least 4"), (3, Some(65), "64"), (65, None, "too large")]
        {
            assert!(said(distance, blocks).unwrap_err().contains(words), "{distance} {blocks:?}");
        }
    }
}
