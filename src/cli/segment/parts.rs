//! `segment shatter near`, `segment tally`, `segment query`: the parts of a search for similar documents or for passages,
//! which tasks make of an index that stays as it is.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::limits::{memory, on_threads};
use crate::cli::args::{MOST_TOKENS, MatchArgs, MeasureArgs, OnlyArgs, path};
use crate::cli::ask::chosen;
use crate::cli::error::CliError;
use crate::cli::near::{MethodArgs, antecedents};
use crate::cli::output::say;
use crate::cli::target::CorpusTarget;
use dupi_base::config::{Settings, Size};
use dupi_base::storage::{Folder, shown};
use dupi_index::index::repeated::tallied;
use dupi_index::index::snapshot::Snapshot;
use dupi_ingest::segments::check_outside;
use dupi_judge::search::SearchSettings;
use dupi_near::NearError;
use dupi_near::blocks::{self as near_blocks, BlockPlan};
use dupi_passage::blocks::BlockNumber;

/// What the help of `segment shatter near` says after the options.
pub(super) const SHATTER_ABOUT: &str = "\
Term-Split: --print writes batches of rows, column by column, after the number of rows; each number has 8 bytes, little-endian. A \
batch of no rows ends the stream.

  jaccard, spotsigs     document · its size · feature · how often the document has it
  minhash, simhash      document · what tells its content · band or table · bucket

A document is the number of its block, shifted left by 32 bits, plus its number in the block. Its size is the sum of how often it \
has its features. Of documents of a block that are equal only the first is there.

What documents have in common goes to `segment query near --links`.";

/// What the help of `segment query near` says after the options.
pub(super) const QUERY_ABOUT: &str = "\
The task of two blocks A and B, of which A is not the later one, has the number B (B + 1) / 2 + A.

Term-Split: --links reads batches of rows, column by column, after the number of rows, at most 1048576; each number has 8 bytes, \
little-endian. A batch of no rows ends the stream; two blocks without a link have only that.

  jaccard, spotsigs     document of A · document of B · what they have in common · sum of their sizes
  minhash, simhash      document of A · document of B · first band or table in which they share a bucket · 0

`segment shatter near --print` prints what is linked. Here a document is only its number in the block: the lower 32 bits of what \
is printed, of which the upper ones are the block. Two documents are linked once, and in one block the earlier one comes first. \
What they have in common is the sum of the smaller of their two counts of each feature.

With minhash and simhash, of equal documents of all blocks only the first is linked. With simhash only those need a link whose \
contents, as printed, differ in at most --distance bits. With minhash, a bucket of more than 256 documents links none of them \
with each other, but each with itself, and then band 0 is said.";

/// What the help of `segment query passages` says after the options.
pub(super) const PASSAGES_ABOUT: &str = "\
A block is a file with what a search for passages needs of some documents. Their files are divided into blocks in the order of \
their paths. When all blocks are made, anywhere, `dupi-tui passages --reduce DIR` with the same options prints what `dupi-tui \
passages` prints. All must see the index and the documents at the same paths.

  dupi-tui segment tally blots --index index --out blots     (prints the path of FILE)
  dupi-tui segment query passages --index index --task 0 --blocks 8 --repeated FILE --out blocks     (and 1 to 7)
  dupi-tui passages --index index --reduce blocks";

/// What the help of `segment tally blots` says after the options.
pub(super) const TALLY_ABOUT: &str = "\
A blot is repeated that occurs in two documents, or twice in one. Around those the tasks of `segment query passages` read the \
text, unless they read all of it.";

/// Where a part of a search has its index and its files, and what it may use.
#[derive(Debug, Args)]
pub struct PartArgs {
    /// The folder of the index, which all tasks see at the same path; it is used as it is
    #[arg(long, value_name = "DIR", env = "DUPI_INDEX", value_parser = path())]
    pub index: PathBuf,
    /// The folder for the files of all tasks, outside of the corpus, in a folder that is there; the path of the new file is
    /// printed
    #[arg(long, value_name = "DIR", value_parser = path())]
    pub out: PathBuf,
    /// The memory limit of this process; as in a whole search, it says which files are too large to be read [default: 1G]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Size>,
    /// Threads that read and compare [default: one per core]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
}

/// Which documents of an index a part of a search for passages has, and how they are compared.
#[derive(Debug, Args)]
pub struct AskedArgs {
    /// The index is itself that for the way of matching, and not the one beside which that lies
    #[arg(long, hide = true)]
    pub this_index: bool,
    /// How source code is compared.
    #[command(flatten)]
    pub matching: MatchArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}

/// `segment shatter near`.
#[derive(Debug, Args)]
pub struct ShatterNearArgs {
    /// The number of the block, from 0
    #[arg(long, value_name = "N")]
    pub task: u32,
    /// Remove from the block what --idf-min and --idf-max leave out, after `segment tally near`
    #[arg(long)]
    pub tallied: bool,
    /// Write the features of the block, which is made already, to standard output, for Term-Split
    #[arg(long, conflicts_with = "tallied")]
    pub print: bool,
    /// What all parts have.
    #[command(flatten)]
    pub part: NearPartArgs,
}

/// `segment query near`.
#[derive(Debug, Args)]
pub struct QueryNearArgs {
    /// The number of the two blocks, from 0: the first with itself, the first with the second, the second with itself, the
    /// first with the third …
    #[arg(long, value_name = "N")]
    pub task: u64,
    /// Read what documents have in common from standard input, for Term-Split, instead of comparing them
    #[arg(long)]
    pub links: bool,
    /// What all parts have.
    #[command(flatten)]
    pub part: NearPartArgs,
}

/// A part of `near`. All parts of a search have the same options, but for the task.
#[derive(Debug, Args)]
pub struct NearPartArgs {
    /// Where it has its files.
    #[command(flatten)]
    pub part: PartArgs,
    /// The number of blocks that the documents are divided into
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=9_999))]
    pub blocks: u32,
    /// How documents are compared.
    #[command(flatten)]
    pub compared: MethodArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}

/// `segment tally blots`.
#[derive(Debug, Args)]
pub struct TallyBlotsArgs {
    /// The folder of the index; it is used as it is
    #[arg(long, value_name = "DIR", env = "DUPI_INDEX", value_parser = path())]
    pub index: PathBuf,
    /// The folder in which the file is made, outside of the corpus; its path is printed
    #[arg(long, value_name = "DIR", value_parser = path())]
    pub out: PathBuf,
    /// Threads that read [default: one per core]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Of which documents.
    #[command(flatten)]
    pub asked: AskedArgs,
}

/// `segment query passages`.
#[derive(Debug, Args)]
pub struct QueryPassagesArgs {
    /// Where it has its files.
    #[command(flatten)]
    pub part: PartArgs,
    /// The number of the task, from 0: it gathers the block of this number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..999_999))]
    pub task: u32,
    /// The number of blocks
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=999_999))]
    pub blocks: u32,
    /// The file of repeated blots that `segment tally blots` made with the same options, instead of looking for them in the whole
    /// index, as each task does without it. It is only checked where all text is read: of a corpus up to 256 MiB, unless --gap 0
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub repeated: Option<PathBuf>,
    /// The fewest tokens of a passage, not counting taboo text
    #[arg(long, visible_alias = "min-length", value_name = "N", default_value_t = 25,
          value_parser = clap::value_parser!(u32).range(1..=MOST_TOKENS))]
    pub min_tokens: u32,
    /// How alike copies are.
    #[command(flatten)]
    pub measure: MeasureArgs,
    /// Of which documents.
    #[command(flatten)]
    pub asked: AskedArgs,
}

/// Makes the file of a block.
pub(super) fn shatter_near(args: &ShatterNearArgs, settings: &Settings) -> Result<(), CliError> {
    let task = |plan: &BlockPlan| {
        if args.print {
            return near_blocks::print_features(plan, args.task, &mut io::stdout().lock()).map(|()| None);
        }
        let made = match args.tallied {
            true => near_blocks::bound(plan, args.task),
            false => near_blocks::shatter(plan, args.task, &|_| Ok(())),
        };
        made.map(Some)
    };
    run_near(&args.part, settings, task)
}

/// Tells which features count.
pub(super) fn tally_near(args: &NearPartArgs, settings: &Settings) -> Result<(), CliError> {
    run_near(args, settings, |plan| near_blocks::tally(plan, &|_| Ok(())).map(Some))
}

/// Finds the pairs of two blocks.
pub(super) fn query_near(args: &QueryNearArgs, settings: &Settings) -> Result<(), CliError> {
    let task = |plan: &BlockPlan| match args.links {
        true => near_blocks::take_links(plan, args.task, &mut io::stdin().lock()),
        false => near_blocks::query(plan, args.task, &|_| Ok(())),
    };
    run_near(&args.part, settings, |plan| task(plan).map(Some))
}

fn run_near(
    args: &NearPartArgs,
    settings: &Settings,
    task: impl FnOnce(&BlockPlan) -> Result<Option<PathBuf>, NearError> + Send,
) -> Result<(), CliError> {
    let memory = memory(args.part.memory, settings);
    let wanted = args.compared.settings(memory, &antecedents(&args.compared)?)?;
    let snapshot = chosen(CorpusTarget::of_index(&args.part.index)?.newest()?, &args.only)?;
    check_outside(&snapshot.manifest().corpus, &args.part.out)?;
    let plan = BlockPlan::new(&snapshot, &wanted, Folder::new(&args.part.out), args.blocks);
    let path = on_threads(args.part.threads, settings, || task(&plan))??;
    path.map_or(Ok(()), |path| say(&format!("{}\n", shown(&path))))
}

/// The documents that are asked of an index, as it is.
fn asked(index: &Path, args: &AskedArgs) -> Result<Snapshot, CliError> {
    let matching = args.matching.matching()?;
    let place = CorpusTarget::of_index(index)?;
    let place = if args.this_index { place } else { place.matching(matching, false)? };
    chosen(place.newest()?, &args.only)
}

/// Makes the file of the blots that are repeated, for all tasks that gather text.
pub(super) fn tally_blots(args: &TallyBlotsArgs, settings: &Settings) -> Result<(), CliError> {
    let snapshot = asked(&args.index, &args.asked)?;
    check_outside(&snapshot.manifest().corpus, &args.out)?;
    let out = Folder::new(&args.out);
    let name = on_threads(args.threads, settings, || tallied(&snapshot, &out))??;
    say(&format!("{}\n", shown(&out.at(&name))))
}

/// Gathers the text of a block in which passages can occur.
pub(super) fn query_passages(args: &QueryPassagesArgs, settings: &Settings) -> Result<(), CliError> {
    args.asked.matching.refuse_gap(args.measure.gap)?;
    let Some(block) = BlockNumber::new(args.task, args.blocks) else {
        let sentence = format!("there is no task {} of {}; they are numbered from 0", args.task, args.blocks);
        return Err(CliError::Failed(sentence));
    };
    let snapshot = asked(&args.part.index, &args.asked)?;
    let matching = &args.asked.matching;
    let measure = args.measure.with_least(args.min_tokens, &snapshot.manifest().recipe);
    let search = SearchSettings {
        measure: args.measure.for_matching(matching.by, measure),
        across: false,
        consistent: matching.is_consistent(),
        memory: memory(args.part.memory, settings),
        patterns: Arc::default(),
    };
    let out = Folder::new(&args.part.out);
    check_outside(&snapshot.manifest().corpus, out.path())?;
    let repeated = args.repeated.as_deref();
    let write = || search.in_blocks(&snapshot, &out).write(repeated, block, &|_| Ok(()));
    let name = on_threads(args.part.threads, settings, write)??;
    say(&format!("{}\n", shown(&out.at(&name))))
}
