//! `spark near`: tasks make the blocks and compare them, and the parts are joined here.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf, absolute};

use clap::{Args, ValueEnum};

use super::submit::{CORES, Spark, SparkArgs, TASK, WorkFolder, tasks};
use crate::cli::ask::{Question, ask};
use crate::cli::error::CliError;
use crate::cli::near::{NearArgs, answer, antecedents};
use crate::cli::output::Outcome;
use crate::cli::scratch::Scratch;
use dupi_base::config::Settings;
use dupi_base::storage::{Folder, StorageError};
use dupi_near::blocks::{BlockPlan, Sharing};
use dupi_near::settings::Method;
use dupi_near::spotsigs::Antecedents;

/// What the help of `spark near` says after the options.
pub(super) const ABOUT: &str = "\
All tasks read the generation of the index that the job was planned for: the job fails if another program, such as an open \
screen, finds changed documents and updates the index before the last task is done.";

/// `spark near`.
#[derive(Debug, Args)]
pub struct SparkNearArgs {
    /// What is found, and how it is printed: what `near` takes, except --like and --reduce.
    #[command(flatten)]
    pub near: NearArgs,
    /// How Spark is used.
    #[command(flatten)]
    pub spark: SparkArgs,
    /// The number of blocks that the documents are divided into; a task compares two of them [default: as many as --memory demands, at
    /// least one for each 512 MiB, and at most 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000), help_heading = "Spark")]
    pub blocks: Option<u32>,
    /// How the search for pairs is divided: by documents or by terms; the pairs are the same. With minhash and simhash, the
    /// search is divided only with `term`
    #[arg(
        long,
        value_enum,
        default_value = "document",
        hide_possible_values = true,
        value_name = "document|term",
        help_heading = "Spark"
    )]
    pub split: Split,
}

/// How the search for pairs is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Split {
    /// By documents: nothing is shuffled
    Document,
    /// By what documents have: their features, or the bands or tables by which they are found, are shuffled
    Term,
}

/// The folder of the parts, and the file with the antecedents, which the tasks see.
const PARTS: &str = "parts";
const ANTECEDENTS: &str = "antecedents";

/// Runs the tasks of a search for similar documents, and prints what it finds.
pub(super) fn run(args: &SparkNearArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let SparkNearArgs { near, spark, blocks, split } = args;
    if near.like.is_some() || near.reduce.is_some() {
        return Err(CliError::failed("--like and --reduce are for `near`; leave them out"));
    }
    // What is refused is refused before any job.
    let begins = antecedents(&near.compared)?;
    let wanted = near.settings(0, &begins)?;
    if *split == Split::Term && matches!(wanted.method, Method::Identical(_)) {
        return Err(CliError::failed("--split term has no effect with the method identical; leave it out"));
    }
    let place = near.place.place.as_deref();
    let question = Question::new(place, &near.only);
    let (place, snapshot) = ask(&near.find.target, settings, question)?;
    let memory = place.options.memory;
    let wanted = near.settings(memory, &begins)?;
    let home = place.options.home.path();
    let home = absolute(home).unwrap_or_else(|_| home.to_owned());
    let work = WorkFolder::new(spark.work.as_deref(), &home, &place.corpus)?;
    let spark = Spark::new(spark)?;
    let work = work.scratch()?;
    let mut compared = near.compared.clone();
    compared.antecedents = seen_by_tasks(compared.antecedents.as_deref(), &work)?;
    let blocks = blocks.unwrap_or_else(|| BlockPlan::usual_blocks(&snapshot, &wanted));
    let parts = work.at(PARTS);
    let plan = BlockPlan::new(&snapshot, &wanted, Folder::new(&parts), blocks);
    let of_task = ["--task", TASK].map(OsString::from);
    let options = {
        let mut verb: Vec<OsString> = vec!["--index".into()];
        verb.extend([home.into(), "--blocks".into(), blocks.to_string().into()]);
        verb.extend(["--threads".into(), CORES.into()]);
        verb.extend(["--memory".into(), memory.to_string().into(), "--out".into(), parts.clone().into()]);
        verb.extend(compared.words());
        verb.extend(near.only.words());
        verb
    };
    let verb = |name: &str| [&["segment", name, "near"].map(OsString::from)[..], &options].concat();
    let shatter = [&verb("shatter")[..], &of_task].concat();
    let mut jobs = vec![tasks(blocks as usize, &shatter)];
    if plan.is_bounded() {
        jobs.push(tasks(1, &verb("tally")));
        jobs.push(tasks(blocks as usize, &[&shatter[..], &["--tallied".into()]].concat()));
    }
    if let (Split::Term, Some(sharing)) = (*split, plan.sharing()) {
        let (name, option, value) = match sharing {
            Sharing::Features => ("links", "--threshold", format!("{:?}", wanted.rule.threshold)),
            Sharing::Bands { crowd } => ("buckets", "--crowd", crowd.to_string()),
            Sharing::Tables { distance } => ("buckets", "--distance", distance.to_string()),
        };
        let mut job =
            [name, "--blocks", &blocks.to_string(), option, &value, "--"].map(OsString::from).to_vec();
        // The cores of a task are of no use to a stream.
        job.extend(options.iter().map(|word| if word == CORES { "1".into() } else { word.clone() }));
        jobs.push(job);
    } else if plan.queries() > 0 {
        jobs.push(tasks(plan.queries() as usize, &[&verb("query")[..], &of_task].concat()));
    }
    spark.run(&jobs)?;
    answer(near, (&place, &snapshot), &wanted, None, Some(&parts))
}

/// A copy of a file of antecedents where the tasks see it; a language as it is.
fn seen_by_tasks(given: Option<&Path>, work: &Scratch) -> Result<Option<PathBuf>, CliError> {
    let Some(given) = given else { return Ok(None) };
    if given.to_str().is_some_and(|name| Antecedents::of_language(name).is_ok()) {
        return Ok(Some(given.to_owned()));
    }
    let copy = work.at(ANTECEDENTS);
    fs::copy(given, &copy).map_err(StorageError::during("copy", given))?;
    Ok(Some(copy))
}
