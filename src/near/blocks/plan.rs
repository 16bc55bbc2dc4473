//! How the documents of a snapshot are divided into blocks, and what the files of tasks are called.

use std::io::ErrorKind;

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::Tick;
use crate::error::NearError;
use crate::minhash::{Bands, CROWD};
use crate::settings::{FeatureRule, Method, NearSettings, Query};
use crate::spotsigs::IdfBounds;
use dupi_base::corpus;
use dupi_base::storage::sealed::{FileKind, SealedError, SealedFile};
use dupi_base::storage::{Folder, shown};
use dupi_index::index::snapshot::{FileId, Snapshot};
use dupi_index::query::current::largest;
use dupi_text::token::LEXING_VERSION;

/// Bytes of documents in a block. Each block is compared with each, so many of them cost more than what each task can do
/// alone: measured on 1 GB with spotsigs, 17 blocks take three times as long to compare as 4.
const USUAL_BLOCK: u64 = 512 << 20;
/// More blocks make more tasks than a job should have.
const MOST_BLOCKS: u32 = 1_000;
/// The share of the memory that is left free, because blocks differ in size.
const SLACK_SHARE: u64 = 10;
/// What a document counts besides its tokens.
const PER_DOCUMENT: u64 = 16;

/// A division of the documents of a snapshot into blocks of about equal tokens, in the order of their paths. A file is in
/// one block with all of its records.
pub struct BlockPlan<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) settings: &'a NearSettings,
    /// Where the files of tasks are.
    pub(super) folder: Folder,
    blocks: u32,
    key: u128,
    /// The key of the blocks before features are left out.
    raw_key: u128,
}

impl<'a> BlockPlan<'a> {
    /// A division into this number of blocks.
    pub fn new(snapshot: &'a Snapshot, settings: &'a NearSettings, folder: Folder, blocks: u32) -> Self {
        let blocks = blocks.max(1);
        let index = snapshot.fingerprint();
        let key = |raw| key(snapshot, index, settings, raw);
        Self { snapshot, settings, folder, blocks, key: key(false), raw_key: key(true) }
    }

    /// The division whose files are in a folder: that of the fewest blocks of which all are there.
    ///
    /// # Errors
    /// [`NearError::Part`] if there is none.
    pub fn in_folder(
        snapshot: &'a Snapshot,
        settings: &'a NearSettings,
        folder: Folder,
    ) -> Result<Self, NearError> {
        let mut plan = Self::new(snapshot, settings, folder, 1);
        let key = format!("{:032x}-", plan.key);
        let blocks = |name: &String| {
            let number = name.strip_prefix(&key)?.strip_suffix(BLOCK)?.rsplit_once("-of-")?.1;
            number.parse::<u32>().ok().filter(|&blocks| blocks > 0)
        };
        let mut numbers: Vec<u32> = plan.folder.names()?.iter().filter_map(blocks).collect();
        numbers.sort_unstable();
        let whole = numbers.chunk_by(|a, b| a == b).find(|same| same.len() == same[0] as usize);
        // Of one that is not whole, the first missing block is told.
        plan.blocks = whole.map_or(numbers.first(), |same| same.first()).copied().unwrap_or(1);
        Ok(plan)
    }

    /// How many blocks are usual: as many as the memory for two of them demands, with slack because they differ in size, and
    /// one for each 512 MiB of documents; not more than 1,000.
    pub fn usual_blocks(snapshot: &Snapshot, settings: &NearSettings) -> u32 {
        let totals = snapshot.totals();
        let bytes = FeatureRule::from_method(&settings.method).map_or(0, FeatureRule::bytes_a_token);
        let needed = totals.tokens.saturating_mul(2 * bytes);
        let needed = needed.saturating_add(needed / SLACK_SHARE);
        let blocks = needed.div_ceil(settings.memory.max(1)).max(totals.bytes.div_ceil(USUAL_BLOCK));
        u32::try_from(blocks).unwrap_or(u32::MAX).clamp(1, MOST_BLOCKS)
    }

    /// A search of what the plan divides.
    pub(super) fn query(&self, tick: &'a Tick<'a>) -> Query<'a> {
        Query { snapshot: self.snapshot, settings: self.settings, tick }
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// How many tasks [`query`](super::query()) has: one for each two blocks and for each block with itself, or none.
    pub fn queries(&self) -> u64 {
        if self.features().is_some() { self.twos() } else { 0 }
    }

    /// By what similar documents are found in Term-Split; `None` if there is no such search.
    pub fn sharing(&self) -> Option<Sharing> {
        match &self.settings.method {
            Method::Jaccard(_) | Method::SpotSigs(_) => Some(Sharing::Features),
            Method::MinHash(_) => Some(Sharing::Bands { crowd: CROWD }),
            Method::SimHash(rule) => Some(Sharing::Tables { distance: rule.distance }),
            Method::Identical(_) => None,
        }
    }

    /// How many tasks take links: one for each two blocks and for each block with itself, or none.
    pub fn links(&self) -> u64 {
        if self.sharing().is_some() { self.twos() } else { 0 }
    }

    /// The two blocks that a task compares, the earlier one first.
    ///
    /// # Errors
    /// [`NearError::Part`].
    pub(super) fn two_blocks(task: u64, tasks: u64) -> Result<(u32, u32), NearError> {
        let two = Some(task).filter(|&task| task < tasks).and_then(two_of);
        two.map(|(a, b)| (a as u32, b as u32)).ok_or_else(|| NearError::no_task(task, tasks))
    }

    /// How many two blocks there are, each block with itself too.
    fn twos(&self) -> u64 {
        let blocks = u64::from(self.blocks);
        blocks * (blocks + 1) / 2
    }

    /// Whether features are left out that too many or too few of all documents have: then there is a
    /// [`tally`](super::tally()) of all blocks, by which they are left out of each.
    pub fn is_bounded(&self) -> bool {
        self.bounds().is_some()
    }

    /// The bounds of features that only all documents together tell, if there are any.
    pub(super) fn bounds(&self) -> Option<IdfBounds> {
        self.features()?.bounds()
    }

    /// Whether features have counts.
    pub(super) fn has_bags(&self) -> bool {
        self.features().is_some_and(FeatureRule::is_bag)
    }

    /// How documents become features, if all features of two documents are compared.
    pub(super) fn features(&self) -> Option<FeatureRule<'a>> {
        FeatureRule::from_method(&self.settings.method)
    }

    /// The same division before features are left out.
    pub(super) fn raw(&self) -> Self {
        Self { key: self.raw_key, folder: self.folder.clone(), ..*self }
    }

    /// The verb that makes the files of these blocks.
    pub(super) fn verb(&self) -> &'static str {
        if self.key == self.raw_key { "segment shatter near" } else { "segment shatter near --tallied" }
    }

    /// What the files of these blocks are known by.
    pub(super) fn key(&self) -> u128 {
        self.key
    }

    /// What the files of pairs are known by.
    pub(super) fn pairs_key(&self) -> u64 {
        let (key, threshold) = (self.key.to_le_bytes(), self.settings.rule.threshold.to_le_bytes());
        xxh3_64(&[&key[..], &threshold, found_by(self.settings).as_bytes()].concat())
    }

    /// The name of the file of a block.
    pub(super) fn block_name(&self, block: u32) -> String {
        format!("{:032x}-{block:06}-of-{:06}{BLOCK}", self.key, self.blocks)
    }

    /// The name of the file of the counts of a block.
    pub(super) fn counts_name(&self, block: u32) -> String {
        format!("{:032x}-{block:06}-of-{:06}.counts", self.raw_key, self.blocks)
    }

    /// The name of the file of the features that count.
    pub(super) fn tally_name(&self) -> String {
        format!("{:032x}-of-{:06}.tally", self.key, self.blocks)
    }

    /// Opens the file of a task, which the verb makes.
    pub(super) fn open(
        &self,
        kind: &'static FileKind,
        name: &str,
        what: String,
        verb: &'static str,
    ) -> Result<SealedFile, NearError> {
        kind.open(&self.folder, name).map_err(|error| match error {
            SealedError::Storage(error) if error.source.kind() == ErrorKind::NotFound => {
                NearError::Part(format!(
                    "{} has no {what} of this generation of the index and of these options; run `dupi-tui {verb}` for \
                     it, with the same options",
                    shown(self.folder.path())
                ))
            }
            other => other.into(),
        })
    }

    /// The name of the file of the pairs of two blocks.
    pub(super) fn pairs_name(&self, (a, b): (u32, u32)) -> String {
        format!("{:016x}-{a:06}-{b:06}-of-{:06}.pairs", self.pairs_key(), self.blocks)
    }

    /// Whether the file of the pairs of some two blocks is there.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub(super) fn has_pairs(&self) -> Result<bool, NearError> {
        let (key, end) = (format!("{:016x}-", self.pairs_key()), format!("-of-{:06}.pairs", self.blocks));
        Ok(self.folder.names()?.iter().any(|name| name.starts_with(&key) && name.ends_with(&end)))
    }

    /// The snapshot as if it had only the files of a block.
    ///
    /// # Errors
    /// [`NearError::Part`].
    pub(super) fn part(&self, block: u32) -> Result<Snapshot, NearError> {
        if block >= self.blocks {
            return Err(NearError::no_task(block.into(), self.blocks.into()));
        }
        let mut files: Vec<FileId> = self.snapshot.files().collect();
        files.sort_by_cached_key(|&file| self.snapshot.path(file).as_os_str());
        let size = |&file: &FileId| {
            let table = self.snapshot.segment(file.segment).table();
            let of = |document| u64::from(table.document(document).tokens) + PER_DOCUMENT;
            table.documents_of(file.file).map(of).sum::<u64>()
        };
        let sizes: Vec<u64> = files.iter().map(size).collect();
        let own = &files[corpus::part(&sizes, block, self.blocks)];
        let path = |file: &FileId| self.snapshot.path(*file).as_os_str();
        let (Some(first), Some(last)) = (own.first().map(path), own.last().map(path)) else {
            return Ok(self.snapshot.only(&|_| false));
        };
        Ok(self.snapshot.only(&|of| first <= of.as_os_str() && of.as_os_str() <= last))
    }
}

/// What two similar documents share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Features: how much they have in common is summed up.
    Features,
    /// A band of their signatures, of which all rows agree.
    Bands {
        /// Documents that share one with this number of others, or more, are not compared with each of them.
        crowd: usize,
    },
    /// The bits of a table, by which their fingerprints are found.
    Tables {
        /// The bits in which two fingerprints may differ.
        distance: u32,
    },
}

/// How the names of the files of blocks end.
const BLOCK: &str = ".features";

/// What the files of blocks are known by.
fn key(snapshot: &Snapshot, index: u128, settings: &NearSettings, raw: bool) -> u128 {
    let manifest = snapshot.manifest();
    let program = (env!("CARGO_PKG_VERSION"), LEXING_VERSION);
    let corpus = (&manifest.corpus.base, manifest.recipe, &manifest.formats);
    let largest = largest(settings.memory).min(manifest.rules.max_filesize);
    let made_of = made_of(settings, raw);
    xxh3_128(format!("{index:032x} {program:?} {corpus:?} {largest} {made_of}").as_bytes())
}

/// The two blocks of a query, by the later one and then by the earlier one, which comes first.
fn two_of(task: u64) -> Option<(u64, u64)> {
    let later = (task.checked_mul(8)?.checked_add(1)?.isqrt() - 1) / 2;
    Some((task - later * (later + 1) / 2, later))
}

/// All that decides what is kept of a document; without the bounds if it is `raw`.
fn made_of(settings: &NearSettings, raw: bool) -> String {
    match &settings.method {
        Method::Identical(identity) => format!("identical {identity:?}"),
        Method::Jaccard(shingling) => format!("jaccard {shingling:?}"),
        Method::MinHash(rule) => {
            format!("minhash {:?} {}", rule.shingling, Bands::choose(settings.rule.threshold).width())
        }
        Method::SimHash(rule) => format!("simhash {}", rule.shingle),
        Method::SpotSigs(rule) => {
            let bounds = if raw { IdfBounds::default() } else { rule.idf };
            format!("spotsigs {:?} {bounds:?}", rule.antecedents.sorted())
        }
    }
}

/// What decides besides the threshold which of these are similar.
fn found_by(settings: &NearSettings) -> String {
    match &settings.method {
        Method::SimHash(rule) => format!("distance {}", rule.distance),
        Method::MinHash(rule) => format!("verify {}", rule.verify),
        Method::Identical(_) | Method::Jaccard(_) | Method::SpotSigs(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_numbered_by_the_later_block_and_then_by_the_earlier_one() {
        let all = (0..1_000).flat_map(|later| (0..=later).map(move |earlier| (earlier, later)));
        for (task, two) in (0..).zip(all) {
            assert_eq!(two_of(task), Some(two));
        }
        assert_eq!(two_of(u64::MAX), None);
    }
}
