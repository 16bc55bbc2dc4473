//! `segment`: an index in parts. A plan of tasks, the segment of each, and the index of all.

mod limits;
mod parts;

use std::io::{self, BufWriter, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};

pub(super) use limits::threads;

use super::args::{IndexedArgs, RecipeArgs, WalkArgs, file_size, path};
use super::error::CliError;
use super::output::{Outcome, say};
use super::target::{corpus_of, home};
use dupi_base::config::{Settings, Size};
use dupi_base::corpus::{Corpus, Exclusions, Formats, WalkRules, read_list};
use dupi_base::storage::{Folder, shown};
use dupi_index::index::manifest::Manifest;
use dupi_index::taboo::ExcludedList;
use dupi_ingest::segments::{Adoption, Documents, SegmentError, SegmentTask, TaskPlan};
use dupi_text::blot::Recipe;
use limits::memory;
use parts::{NearPartArgs, QueryNearArgs, QueryPassagesArgs, ShatterNearArgs, TallyBlotsArgs};

/// What the help says after the verbs.
pub(super) const ABOUT: &str = "\
Each verb is a function from files to files, for Spark, make or ssh: `dupi-tui spark` runs them on a cluster.

  dupi-tui segment plan ~/corpus --tasks 8 --out plan
  dupi-tui segment build --plan plan --task 0 --out segments     (and 1 to 7, anywhere)
  dupi-tui segment adopt segments --plan plan --index index
  dupi-tui --index index ~/corpus

A segment lies in a folder of its own. It is written under a temporary name and then renamed; its name is derived from its \
input, so a task may run twice. Segments have paths relative to the root: with --root the index is that of the same files \
elsewhere.

Similar documents of an index, in two blocks:

  dupi-tui segment shatter near --index index --blocks 2 --task 0 --out parts     (and 1)
  dupi-tui segment query near --index index --blocks 2 --task 0 --out parts       (and 1 and 2)
  dupi-tui near --index index --reduce parts";

/// What the help of `segment shatter blots` says after the options.
const SHATTER_ABOUT: &str = "\
For each document that has blots: length and bytes of its path, relative to the root; the number of its record, from 1, or 0 if \
the file is one document; the count of its blots; and of each the blot, and the number of the first token of its tile, less that \
of the blot before. Numbers are varints (LEB128). The blots are those that an index with this recipe keeps.";

/// `segment`.
#[derive(Debug, Subcommand)]
pub enum SegmentVerb {
    /// Divide a corpus into tasks of similar size, in a folder
    Plan(Box<SegmentPlanArgs>),
    /// Build the segment of a task, of files, or of documents in standard input
    Build(Box<SegmentBuildArgs>),
    /// Extract from a part of the documents what a search in parts compares
    #[command(subcommand)]
    Shatter(ShatterVerb),
    /// Sum up over all parts what their tasks need next
    #[command(subcommand)]
    Tally(TallyVerb),
    /// Gather or compare the documents of blocks of an index, for a search that another process ends
    #[command(subcommand)]
    Query(QueryVerb),
    /// Check segments and join them into one index, without rewriting them
    Adopt(SegmentAdoptArgs),
}

/// `segment query`.
#[derive(Debug, Subcommand)]
pub enum QueryVerb {
    /// Gather the text of a block in which passages can occur
    #[command(after_help = parts::PASSAGES_ABOUT)]
    Passages(Box<QueryPassagesArgs>),
    /// Find the similar documents of two blocks, with the methods jaccard and spotsigs, and with --links also minhash and simhash:
    /// of N blocks N (N + 1) / 2 tasks
    #[command(after_help = parts::QUERY_ABOUT)]
    Near(Box<QueryNearArgs>),
}

/// `segment shatter`.
#[derive(Debug, Subcommand)]
pub enum ShatterVerb {
    /// Compute the features, signatures or fingerprints of a block of documents, for `near --reduce`; --blocks tasks
    #[command(after_help = parts::SHATTER_ABOUT)]
    Near(Box<ShatterNearArgs>),
    /// Print the blots of the documents of a task, of files, or of documents in standard input
    #[command(after_help = SHATTER_ABOUT)]
    Blots(Box<ShatterBlotsArgs>),
}

/// `segment tally`.
#[derive(Debug, Subcommand)]
pub enum TallyVerb {
    /// Choose the spot signatures that --idf-min and --idf-max keep, after `segment shatter near` of all blocks; one task
    Near(Box<NearPartArgs>),
    /// Write the repeated blots of an index to a file, for `segment query passages --repeated`; one task
    #[command(after_help = parts::TALLY_ABOUT)]
    Blots(Box<TallyBlotsArgs>),
}

/// Which documents an index will have, how they become blots, and into how many tasks they are divided.
#[derive(Debug, Args)]
pub struct PlanningArgs {
    /// The number of tasks; a small corpus may have fewer [default: one for each 64 MiB]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=999_999))]
    pub tasks: Option<u32>,
    /// Keep no sketches of documents, by which `near --method minhash` and `simhash` are fast; the index remembers this
    #[arg(long, help_heading = "Index")]
    pub no_sketch: bool,
    /// How documents become blots.
    #[command(flatten)]
    pub recipe: RecipeArgs,
    /// Which files are documents.
    #[command(flatten)]
    pub walk: WalkArgs,
    /// Which files are indexed.
    #[command(flatten)]
    pub indexed: IndexedArgs,
}

/// `segment plan`.
#[derive(Debug, Args)]
pub struct SegmentPlanArgs {
    /// Folders and files to index; `-` reads their list from standard input [default: .]
    #[arg(value_name = "PATH", value_parser = path())]
    pub paths: Vec<PathBuf>,
    /// A new or empty folder for the plan, outside of the corpus
    #[arg(long, value_name = "DIR", value_parser = path())]
    pub out: PathBuf,
    /// The folder of the index that the segments are for: what is left out of it by `exclude` is left out of the tasks
    #[arg(long, value_name = "DIR", env = "DUPI_INDEX", value_parser = path(), help_heading = "Index")]
    pub index: Option<PathBuf>,
    /// What is planned.
    #[command(flatten)]
    pub planning: PlanningArgs,
}

/// `segment build`.
#[derive(Debug, Args)]
pub struct SegmentBuildArgs {
    /// Of which documents.
    #[command(flatten)]
    pub task: TaskArgs,
    /// The folder in which the folder of the segment is made, outside of the corpus; its path is printed
    #[arg(long, value_name = "DIR", value_parser = path())]
    pub out: PathBuf,
    /// Keep no sketches of documents
    #[arg(long, conflicts_with = "plan")]
    pub no_sketch: bool,
}

/// `segment adopt`.
#[derive(Debug, Args)]
pub struct SegmentAdoptArgs {
    /// Folders of segments, or folders that hold such folders; `-` reads their list from standard input
    #[arg(value_name = "DIR", required = true, value_parser = path())]
    pub from: Vec<PathBuf>,
    /// Fail unless every document of the plan in this folder is in a segment
    #[arg(long, value_name = "DIR", value_parser = path())]
    pub plan: Option<PathBuf>,
    /// The folder of the documents, if it is another than when the segments were built; roots that were planned below that
    /// one are taken below this one
    #[arg(long, value_name = "DIR", value_parser = path())]
    pub root: Option<PathBuf>,
    /// Make the index in this folder instead of the user's data folder
    #[arg(long, value_name = "DIR", env = "DUPI_INDEX", value_parser = path())]
    pub index: Option<PathBuf>,
    /// Replace an existing index
    #[arg(long)]
    pub rebuild: bool,
    /// Threads that check [default: one per core]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
}

/// The options that a plan has already.
const PLANNED: [&str; 11] = [
    "files",
    "root",
    "framed",
    "jsonl",
    "max_filesize",
    "profile",
    "tokens",
    "comments",
    "k",
    "window",
    "blotter",
];

/// The documents of a task, and how they are read.
#[derive(Debug, Args)]
pub struct TaskArgs {
    /// The documents: files below the root, absolute or relative to it; `-` reads their list from standard input
    #[arg(value_name = "FILE", value_parser = path(), required_unless_present_any = ["plan", "framed"])]
    pub files: Vec<PathBuf>,
    /// Take the documents of a task of the plan in this folder
    #[arg(long, value_name = "DIR", requires = "task", conflicts_with_all = PLANNED, value_parser = path())]
    pub plan: Option<PathBuf>,
    /// The number of the task, from 0
    #[arg(long, value_name = "N", requires = "plan")]
    pub task: Option<u32>,
    /// The folder of all documents
    #[arg(long, value_name = "DIR", required_unless_present = "plan", value_parser = path())]
    pub root: Option<PathBuf>,
    /// Read documents from standard input: length and bytes of the path, absolute or relative to the root, time of the last
    /// change in nanoseconds since 1970, length and bytes of the document; numbers are varints (LEB128)
    #[arg(long, conflicts_with = "files")]
    pub framed: bool,
    /// The memory limit; `build` makes further segments in the same folder of documents for which it has no room at once
    /// [default: 1G]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Size>,
    /// Threads that read and shatter [default: one per core]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Skip larger documents [default: 64M]
    #[arg(long, value_name = "SIZE")]
    pub max_filesize: Option<Size>,
    /// Read each line of .jsonl and .ndjson files as a document, with the string in FIELD as its text
    #[arg(long, value_name = "FIELD", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub jsonl: Option<String>,
    /// How documents become blots.
    #[command(flatten)]
    pub recipe: RecipeArgs,
}

/// `segment shatter blots`.
#[derive(Debug, Args)]
pub struct ShatterBlotsArgs {
    /// Of which documents.
    #[command(flatten)]
    pub task: TaskArgs,
}

/// Runs a verb of `segment`.
pub(super) fn run(verb: &SegmentVerb, settings: &Settings) -> Result<Outcome, CliError> {
    match verb {
        SegmentVerb::Plan(args) => plan(args)?,
        SegmentVerb::Build(args) => build(args, settings)?,
        SegmentVerb::Shatter(ShatterVerb::Near(args)) => parts::shatter_near(args, settings)?,
        SegmentVerb::Shatter(ShatterVerb::Blots(args)) => shatter_blots(args, settings)?,
        SegmentVerb::Tally(TallyVerb::Near(args)) => parts::tally_near(args, settings)?,
        SegmentVerb::Tally(TallyVerb::Blots(args)) => parts::tally_blots(args, settings)?,
        SegmentVerb::Query(QueryVerb::Near(args)) => parts::query_near(args, settings)?,
        SegmentVerb::Query(QueryVerb::Passages(args)) => parts::query_passages(args, settings)?,
        SegmentVerb::Adopt(args) => return adopt(args, settings),
    }
    Ok(Outcome::Done)
}

fn plan(args: &SegmentPlanArgs) -> Result<(), CliError> {
    let corpus = corpus_of(&args.paths)?;
    let home = home(&corpus, args.index.as_deref())?;
    let (plan, files) = made(&empty(corpus, &args.planning)?, &home, args.planning.tasks, &args.out)?;
    say(&format!("{} tasks, {files} files\n", plan.tasks))
}

/// The manifest that arguments ask for.
pub(super) fn empty(corpus: Corpus, planning: &PlanningArgs) -> Result<Manifest, CliError> {
    let recipe = planning.recipe.choice().apply(Recipe::default());
    recipe.validate()?;
    let rules = planning.walk.rules(planning.indexed.choice())?.unwrap_or_default();
    let formats = planning.walk.formats().unwrap_or_default();
    Ok(Manifest { sketches: !planning.no_sketch, ..Manifest::empty(corpus, rules, formats, recipe) })
}

/// Makes a plan in the folder `out` for the index in `home`. Returns also how many files there are.
pub(super) fn made(
    manifest: &Manifest,
    home: &Folder,
    tasks: Option<u32>,
    out: &Path,
) -> Result<(TaskPlan, usize), CliError> {
    let by_user = Arc::new(ExcludedList::load(home)?.scope());
    let exclusions = Exclusions { index: Some(home.path().to_owned()), by_user };
    Ok(TaskPlan::make(&Folder::new(out), manifest, &exclusions, tasks.map(u64::from))?)
}

fn build(args: &SegmentBuildArgs, settings: &Settings) -> Result<(), CliError> {
    with_task(&args.task, !args.no_sketch, settings, |task, documents| {
        let sealed = task.build(documents, &Folder::new(&args.out))?;
        say(&format!("{}\n", shown(&sealed.folder)))
    })
}

fn shatter_blots(args: &ShatterBlotsArgs, settings: &Settings) -> Result<(), CliError> {
    if io::stdout().is_terminal() {
        return Err(CliError::failed("the records are for programs; redirect standard output"));
    }
    with_task(&args.task, false, settings, |task, documents| {
        task.write_blots(documents, &mut BufWriter::new(io::stdout().lock())).map_err(|error| match error {
            SegmentError::Output(error) => CliError::Output(error),
            error => error.into(),
        })
    })
}

/// Passes the task of some arguments and its documents.
fn with_task(
    args: &TaskArgs,
    sketches: bool,
    settings: &Settings,
    work: impl FnOnce(SegmentTask, Documents) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let (manifest, files) = match (&args.plan, args.task, &args.root) {
        (Some(plan), Some(task), _) => {
            let plan = TaskPlan::open(&Folder::new(plan))?;
            let files = plan.files(task as usize)?;
            (plan.manifest, files)
        }
        (_, _, Some(root)) => (of_arguments(args, sketches, root)?, listed(&args.files)?),
        _ => return Err(CliError::failed("name the folder of all documents with --root")),
    };
    let task = SegmentTask {
        manifest,
        memory: memory(args.memory, settings),
        threads: threads(args.threads, settings),
    };
    let mut input = io::stdin().lock();
    let documents = if args.framed { Documents::Framed(&mut input) } else { Documents::Files(files) };
    work(task, documents)
}

/// What is built, without a plan.
fn of_arguments(args: &TaskArgs, sketches: bool, root: &PathBuf) -> Result<Manifest, CliError> {
    let recipe = args.recipe.choice().apply(Recipe::default());
    recipe.validate()?;
    let corpus = Corpus::resolve(std::slice::from_ref(root))?;
    let rules = WalkRules { max_filesize: file_size(args.max_filesize)?, ..WalkRules::default() };
    let formats = Formats { jsonl: args.jsonl.clone() };
    Ok(Manifest { sketches, ..Manifest::empty(corpus, rules, formats, recipe) })
}

fn adopt(args: &SegmentAdoptArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let plan = args.plan.as_ref().map(|plan| TaskPlan::open(&Folder::new(plan))).transpose()?;
    let adoption = Adoption {
        from: listed(&args.from)?,
        root: args.root.clone(),
        plan,
        replace: args.rebuild,
        threads: threads(args.threads, settings),
    };
    adopt_all(&adoption, args.index.as_deref())
}

/// Checks segments, joins them and prints what the index has.
pub(super) fn adopt_all(adoption: &Adoption, index: Option<&Path>) -> Result<Outcome, CliError> {
    let adopted = adoption.check()?;
    let home = home(adopted.corpus(), index)?;
    let snapshot = adopted.join(&home)?;
    let (documents, segments) = (snapshot.totals().documents, snapshot.segments().len());
    let (left_out, place) = (snapshot.skipped_count(), shown(home.path()));
    say(&format!("{documents} documents in {segments} segments, {left_out} files left out: {place}\n"))?;
    Outcome::from_answer(false, snapshot.unread())
}

/// The paths, or those that a list on standard input names.
fn listed(given: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    if !matches!(given, [only] if only.as_os_str() == "-") {
        return Ok(given.to_vec());
    }
    Ok(read_list(io::stdin().lock())?)
}
