//! Joins blocks and their pairs into the answer of the whole.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::files::{BlockFile, Kept, read_pairs, write_pairs};
use super::plan::BlockPlan;
use super::shatter::{MORE_BLOCKS, number_of, signature_of};
use crate::clusters::Similarity;
use crate::error::{NearError, PairLimit, check_memory};
use crate::features::{FeatureSets, Threshold};
use crate::found::Found;
use crate::jaccard::{join, join_across};
use crate::minhash::{Bands, Candidates};
use crate::pairs::{Equal, Pair, numbers_of, sort_pairs};
use crate::settings::{Method, Query};
use crate::trees::Content;
use crate::verifier::Compared;
use crate::{Tick, by_fingerprints, by_signatures, identical};

use dupi_index::query::documents::{Document, Made};

/// The memory for a document: its row and its place among those that are equal.
const BYTES_A_DOCUMENT: u64 = 192;
/// The memory for a feature of a document that has a partner.
const BYTES_A_FEATURE: u64 = 12;

/// The similar documents of all blocks, as [`find`](crate::search::find) gives them for the same settings.
///
/// # Errors
/// When a file is missing or damaged, when there are more documents or pairs than the memory has room for, or when `tick`
/// stops it.
pub fn reduce(plan: &BlockPlan, tick: &Tick) -> Result<Found, NearError> {
    check_memory(plan.snapshot.totals().documents * BYTES_A_DOCUMENT, plan.settings.memory, "")?;
    // What the methods take that find the pairs here is known before anything is read.
    match &plan.settings.method {
        Method::SimHash(rule) => by_fingerprints::check(plan.snapshot, *rule, plan.settings)?,
        Method::MinHash(_) => by_signatures::check(plan.snapshot, plan.settings)?,
        Method::Identical(_) | Method::Jaccard(_) | Method::SpotSigs(_) => {}
    }
    let blocks =
        (0..plan.blocks()).map(|block| BlockFile::open(plan, block)).collect::<Result<Vec<_>, _>>()?;
    let blocks = Blocks::new(blocks);
    match &plan.settings.method {
        Method::Jaccard(_) | Method::SpotSigs(_) => by_features(plan, &blocks, tick),
        Method::SimHash(rule) => {
            let known = linked(plan, &blocks)?;
            let made = blocks.made(|kept| kept.numbers.first().copied())?;
            by_fingerprints::found(&plan.query(tick), made, known.as_deref(), *rule)
        }
        Method::MinHash(rule) => {
            let known = linked(plan, &blocks)?.map(|found| {
                let (crowded, pairs): (Vec<Pair>, _) = found.into_iter().partition(|pair| pair.a == pair.b);
                Candidates { pairs, crowded: crowded.into_iter().map(|pair| pair.a).collect() }
            });
            let width = Bands::choose(plan.settings.rule.threshold).width();
            let made = blocks.made(|kept| signature_of(&kept.numbers, width))?;
            by_signatures::found(&plan.query(tick), made, known, *rule)
        }
        Method::Identical(identity) => {
            let made = blocks.made(|kept| Content(number_of(&kept.numbers).unwrap_or_default()))?;
            identical::found(&plan.query(tick), made, *identity)
        }
    }
}

fn by_features(plan: &BlockPlan, blocks: &Blocks, tick: &Tick) -> Result<Found, NearError> {
    let documents = blocks.blocks.iter().flat_map(|block| &block.rows).map(|row| row.document).collect();
    let equal = blocks.equal();
    let pairs = pairs(plan, blocks, &equal, &plan.settings.pair_limit())?;
    tick(0.5)?;
    let numbers = numbers_of(&pairs);
    let features: u64 = numbers.iter().map(|&number| blocks.size(number)).sum();
    // If the features of all similar documents are too much for the memory, they are read when they are asked for.
    let compared = match plan.settings.clusters && features * BYTES_A_FEATURE <= plan.settings.memory {
        true => blocks.compared(&numbers)?,
        false => Compared::default(),
    };
    let failed = Mutex::new(None);
    let similarity = |a: u32, b: u32| {
        let read = || {
            let read = blocks.compared(&[a.min(b), a.max(b)]).map(|two| two.resemblance(a, b));
            let failed = |error| *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            read.map_err(failed).ok().flatten().unwrap_or_default()
        };
        compared.resemblance(a, b).unwrap_or_else(read)
    };
    let similarity = Similarity { of: &similarity, size: &|of| blocks.size(of) };
    let query = Query { tick: &|share| tick(0.5 + share * 0.5), ..plan.query(tick) };
    let found = Found::new(&query, documents, equal, pairs, &similarity)?;
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(Found { too_large: blocks.too_large(), ..found }),
    }
}

/// The pairs that tasks found by links, with a method that can also find them here. `None` if no task did.
fn linked(plan: &BlockPlan, blocks: &Blocks) -> Result<Option<Vec<Pair>>, NearError> {
    if !plan.has_pairs()? {
        return Ok(None);
    }
    // As in the search of a whole: pairs that are too many for clusters may be left out of them.
    let limit = PairLimit::for_list(plan.settings.memory);
    let mut found = pairs(plan, blocks, &blocks.equal(), &limit)?;
    sort_pairs(&mut found);
    Ok(Some(found))
}

/// The pairs of documents that are the first of those that are equal to them.
fn pairs(
    plan: &BlockPlan,
    blocks: &Blocks,
    equal: &Equal,
    limit: &PairLimit,
) -> Result<Vec<Pair>, NearError> {
    let starts = &blocks.starts;
    let is_first = |number: u32| equal.distinct.binary_search(&number).is_ok();
    let mut pairs = Vec::new();
    for task in 0..plan.links() {
        let (a, b) = BlockPlan::two_blocks(task, plan.links())?;
        let before = pairs.len();
        let [first, second] = [a, b].map(|block| starts[block as usize]);
        let lengths = [a, b].map(|block| starts[block as usize + 1] - starts[block as usize]);
        for pair in read_pairs(plan, (a, b), lengths)? {
            let (x, y) = (first + pair.a, second + pair.b);
            if is_first(x) && is_first(y) {
                pairs.push(Pair { a: x.min(y), b: x.max(y), ..pair });
            }
        }
        limit.add(pairs.len() - before)?;
    }
    Ok(pairs)
}

/// All blocks. Their documents are numbered from 0 through all of them.
struct Blocks {
    blocks: Vec<BlockFile>,
    /// The number of the first document of each block, and how many there are.
    starts: Vec<u32>,
}

impl Blocks {
    fn new(blocks: Vec<BlockFile>) -> Self {
        let mut starts = vec![0];
        for block in &blocks {
            starts.push(starts[starts.len() - 1] + block.rows.len() as u32);
        }
        Self { blocks, starts }
    }

    fn too_large(&self) -> u64 {
        self.blocks.iter().map(|block| block.too_large).sum()
    }

    /// The block of a document, and its number there.
    fn place(&self, number: u32) -> (&BlockFile, u32) {
        // The first one that ends behind it.
        let block = self.starts[1..].partition_point(|&end| end <= number);
        (&self.blocks[block], number - self.starts[block])
    }

    /// How many features a document has.
    fn size(&self, number: u32) -> u64 {
        let (block, number) = self.place(number);
        u64::from(block.rows[number as usize].numbers)
    }

    /// Those with equal features.
    fn equal(&self) -> Equal {
        let of_block = |(block, &start): (&BlockFile, &u32)| {
            block.with_numbers().map(move |(digest, number)| (digest, start + number)).collect::<Vec<_>>()
        };
        Equal::of_digests(self.blocks.iter().zip(&self.starts).flat_map(of_block).collect())
    }

    /// The features of some documents, ascending.
    fn compared(&self, numbers: &[u32]) -> Result<Compared, NearError> {
        let mut sets = FeatureSets::default();
        let (mut start, mut rest) = (0, numbers);
        for block in &self.blocks {
            let end = start + block.rows.len() as u32;
            let (own, others) = rest.split_at(rest.partition_point(|&number| number < end));
            let own: Vec<u32> = own.iter().map(|number| number - start).collect();
            block.add_features(&own, &mut sets)?;
            (start, rest) = (end, others);
        }
        Ok(Compared { numbers: numbers.to_vec(), sets })
    }

    /// All documents, with what `make` makes of what is kept of each.
    fn made<T>(&self, make: impl Fn(Kept) -> T) -> Result<Made<T>, NearError> {
        let mut documents: Vec<(Document, T)> = Vec::new();
        for block in &self.blocks {
            block.all(|document, kept| documents.push((document, make(kept))))?;
        }
        Ok(Made { documents, too_large: self.too_large() })
    }
}

// The pairs of the documents of two blocks.

/// The memory for a feature: itself, its count, its frequency, and its place in a prefix and in the index of prefixes.
const BYTES_OF_JOIN: u64 = 24;

/// Finds the similar documents of two blocks, of which one document is in each, or of one block, and writes them to a file,
/// of which it returns the path. If it is there already, nothing is done.
///
/// Of documents with equal features only the first one of a block is compared, and none of the later block that the earlier
/// one has too: its pairs are those of its equal there. So all pairs of documents that are the first of their kind are found.
///
/// # Errors
/// When a block is missing or damaged, and when there is not enough memory for both.
pub fn query(plan: &BlockPlan, task: u64, tick: &Tick) -> Result<PathBuf, NearError> {
    let (a, b) = BlockPlan::two_blocks(task, plan.queries())?;
    let path = plan.folder.at(&plan.pairs_name((a, b)));
    if read_pairs(plan, (a, b), [u32::MAX; 2]).is_ok() {
        return Ok(path);
    }
    let earlier = BlockFile::open(plan, a)?;
    let ours = earlier.distinct();
    let later = if a == b { None } else { Some(BlockFile::open(plan, b)?) };
    let theirs = later.as_ref().map(|later| {
        let known: HashSet<u128> = earlier.with_numbers().map(|(digest, _)| digest).collect();
        let mut theirs = later.distinct();
        theirs.retain(|&number| !known.contains(&later.rows[number as usize].digest));
        theirs
    });
    let features = |file: &BlockFile, numbers: &[u32]| {
        numbers.iter().map(|&number| u64::from(file.rows[number as usize].numbers)).sum::<u64>()
    };
    let both = later.as_ref().zip(theirs.as_deref());
    let all = features(&earlier, &ours) + both.map_or(0, |(file, numbers)| features(file, numbers));
    check_memory(all * BYTES_OF_JOIN, plan.settings.memory, MORE_BLOCKS)?;
    let mut sets = FeatureSets::default();
    earlier.add_features(&ours, &mut sets)?;
    if let Some((file, numbers)) = both {
        file.add_features(numbers, &mut sets)?;
    }
    let limit = plan.settings.pair_limit();
    let pairs = match (Threshold::new(plan.settings.rule.threshold), &theirs) {
        (None, _) => Vec::new(),
        (Some(least), None) => join(&sets, &(0..sets.len() as u32).collect::<Vec<_>>(), least, &limit, tick)?,
        (Some(least), Some(_)) => join_across(&sets, ours.len() as u32, least, &limit, tick)?,
    };
    let border = ours.len();
    let name = |place: u32| match (place as usize).checked_sub(border).zip(theirs.as_ref()) {
        Some((place, theirs)) => theirs[place],
        None => ours[place as usize],
    };
    let pairs: Vec<Pair> =
        pairs.iter().map(|pair| Pair { a: name(pair.a), b: name(pair.b), ..*pair }).collect();
    write_pairs(plan, (a, b), pairs)
}
