//! `spark passages`: the text of blocks is gathered by tasks, and searched here.

use std::ffi::OsString;
use std::path::{Path, absolute};

use clap::Args;

use super::submit::{self, CORES, Spark, SparkArgs, TASK, WorkFolder};
use crate::cli::error::CliError;
use crate::cli::output::Outcome;
use crate::cli::passages::{PassagesArgs, answer, prepare};
use crate::cli::target::CorpusTarget;
use dupi_base::config::Settings;
use dupi_base::storage::Folder;
use dupi_index::index::repeated::{repeated_name, tallied};
use dupi_ingest::segments::USUAL_TASK;

/// What the help says after the options.
pub(super) const ABOUT: &str = "\
The index is brought up to date as `passages` does. Each task gathers the text of a block of documents in which passages can \
occur; this program searches it, within --memory, and prints what `passages` prints. The executors must see the index, the \
documents and the folder of --work at the same paths as this machine, and run as the same user. All tasks read the generation of \
the index that the job was planned for: the job fails if another program, such as an open screen, finds changed documents and \
updates the index before the last task is done.";

/// `spark passages`.
#[derive(Debug, Args)]
pub struct SparkPassagesArgs {
    /// What `passages` takes.
    #[command(flatten)]
    pub passages: PassagesArgs,
    /// How Spark is used.
    #[command(flatten)]
    pub spark: SparkArgs,
    /// The number of tasks [default: one for each 64 MiB]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=999_999), help_heading = "Spark")]
    pub tasks: Option<u32>,
}

/// The folders of the blocks and of the file of repeated blots.
const BLOCKS: &str = "blocks";
const REPEATED: &str = "repeated";

/// Gathers the text of all blocks as tasks of a job, and lists the passages in it.
pub(super) fn run(args: &SparkPassagesArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let unfit = [(args.passages.reduce.is_some(), "--reduce"), (args.passages.amended, "--amended")];
    if let Some((_, option)) = unfit.iter().find(|(is_given, _)| *is_given) {
        return Err(CliError::Failed(format!("{option} is for `dupi-tui passages`; leave it out")));
    }
    let spark = Spark::new(&args.spark)?;
    let (place, snapshot) = prepare(&args.passages, settings)?;
    let main = place.options.decisions.path();
    let main = absolute(main).unwrap_or_else(|_| main.to_owned());
    let work = WorkFolder::new(args.spark.work.as_deref(), &main, &place.corpus)?.scratch()?;
    let blocks = work.at(BLOCKS);
    let usual = || snapshot.totals().bytes.div_ceil(USUAL_TASK).clamp(1, 999_999) as usize;
    let tasks = args.tasks.map_or_else(usual, |tasks| tasks as usize);
    let mut verb = verb(&args.passages, &place, &blocks, tasks);
    let (recipe, matching) = (&snapshot.manifest().recipe, &args.passages.matching);
    let search = args.passages.alike.search(recipe, matching, &place.options);
    if search.scope(&snapshot).is_located {
        let folder = work.at(REPEATED);
        add(&mut verb, "--repeated", folder.join(repeated_name(&snapshot)));
        tallied(&snapshot, &Folder::new(&folder))?;
    }
    spark.run(&[submit::tasks(tasks, &verb)])?;
    answer(&args.passages, settings, (&place, &snapshot), Some(&blocks))
}

/// What each task runs that gathers text.
fn verb(args: &PassagesArgs, place: &CorpusTarget, blocks: &Path, count: usize) -> Vec<OsString> {
    let mut verb: Vec<OsString> = ["segment", "query", "passages", "--task", TASK].map(OsString::from).into();
    verb.extend(["--blocks".into(), count.to_string().into(), "--threads".into(), CORES.into()]);
    verb.extend(["--memory".into(), place.options.memory.to_string().into()]);
    add(&mut verb, "--out", blocks);
    add(&mut verb, "--min-tokens", args.alike.min_tokens.to_string());
    if let Some(gap) = args.alike.measure.gap {
        add(&mut verb, "--gap", gap.to_string());
    }
    // The settings of this machine have chosen the index.
    let index = place.options.home.path();
    add(&mut verb, "--index", absolute(index).unwrap_or_else(|_| index.to_owned()));
    add(&mut verb, "--match", args.matching.by.to_string());
    args.matching.ignore.patterns().iter().for_each(|pattern| add(&mut verb, "--ignore-pattern", pattern));
    verb.extend(args.only.words());
    verb.push("--this-index".into());
    verb
}

/// Adds an option with a value.
fn add(verb: &mut Vec<OsString>, option: &str, value: impl Into<OsString>) {
    // In one word: the value may begin with a hyphen.
    let mut word = OsString::from(option);
    word.push("=");
    word.push(value.into());
    verb.push(word);
}
