//! `spark near`: tasks make the blocks and compare them, and the parts are joined here.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, absolute};

use super::scratch::Scratch;
use super::submit::{CORES, Spark, TASK};
use crate::cli::args::{SparkNearArgs, Split};
use crate::cli::ask::ask_as_it_is;
use crate::cli::ask::near::{antecedents, run_with};
use crate::cli::error::CliError;
use crate::cli::outcome::Outcome;
use crate::config::Settings;
use crate::ingest::segments::{SegmentError, check_outside};
use crate::near::blocks::BlockPlan;
use crate::near::settings::Method;
use crate::near::spotsigs::Antecedents;
use crate::storage::{Folder, StorageError, shown};

/// The folder of the parts, and the file with the antecedents, which the tasks see.
const PARTS: &str = "parts";
const ANTECEDENTS: &str = "antecedents";

/// Runs the tasks of a search for similar documents, and prints what it finds.
pub(super) fn run(args: &SparkNearArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let SparkNearArgs { near, spark, blocks, split, work } = args;
    if near.like.is_some() || near.reduce.is_some() {
        return Err(CliError::Usage("--like and --reduce are for `near`; leave them out".to_owned()));
    }
    // What is refused is refused before any job.
    let begins = antecedents(&near.compared)?;
    near.settings(0, &begins).map_err(CliError::Usage)?;
    let (place, snapshot) =
        ask_as_it_is(&near.find.target, Some(&near.only), near.place.as_deref(), settings)?;
    let memory = place.options.memory;
    let wanted = near.settings(memory, &begins).map_err(CliError::Usage)?;
    let home = place.options.home.path();
    let home = absolute(home).unwrap_or_else(|_| home.to_owned());
    let work = work.as_deref().or(home.parent()).unwrap_or(Path::new("."));
    let work = absolute(work).unwrap_or_else(|_| work.to_owned());
    check_outside(&place.corpus, &work).map_err(|error| match error {
        SegmentError::Inside(_) => CliError::Usage(format!(
            "{}, for the blocks, lies in the corpus; name a folder elsewhere with --work",
            shown(&work)
        )),
        error => error.into(),
    })?;
    if *split == Split::Term && !matches!(wanted.method, Method::Jaccard(_) | Method::SpotSigs(_)) {
        return Err(CliError::Usage(
            "--split term is for the methods jaccard and spotsigs; leave it out".to_owned(),
        ));
    }
    let spark = Spark::new(spark)?;
    Folder::new(&work).create().map_err(SegmentError::from)?;
    let work = Scratch::create(&work).map_err(SegmentError::from)?;
    let mut compared = near.compared.clone();
    compared.antecedents = seen_by_tasks(compared.antecedents.as_deref(), &work)?;
    let blocks = blocks.unwrap_or_else(|| BlockPlan::usual_blocks(&snapshot, &wanted));
    let parts = work.at(PARTS);
    let plan = BlockPlan::new(&snapshot, &wanted, Folder::new(&parts), blocks);
    let of_task = ["--task", TASK].map(OsString::from);
    let options = {
        let mut verb: Vec<OsString> = vec!["--index".into()];
        verb.extend([home.clone().into(), "--blocks".into(), blocks.to_string().into()]);
        verb.extend(["--threads".into(), CORES.into()]);
        verb.extend(["--memory".into(), memory.to_string().into(), "--out".into(), parts.clone().into()]);
        verb.extend(compared.words());
        verb.extend(near.only.words());
        verb
    };
    let verb = |name: &str| [&["segment", name, "near"].map(OsString::from)[..], &options].concat();
    let shatter = [&verb("shatter")[..], &of_task].concat();
    spark.run_tasks(blocks as usize, &shatter)?;
    if plan.is_bounded() {
        spark.run_tasks(1, &verb("tally"))?;
        spark.run_tasks(blocks as usize, &[&shatter[..], &["--tallied".into()]].concat())?;
    }
    if *split == Split::Term && plan.queries() > 0 {
        let mut job: Vec<OsString> = vec!["links".into(), "--blocks".into(), blocks.to_string().into()];
        job.extend(["--threshold".into(), format!("{:?}", wanted.rule.threshold).into(), "--".into()]);
        // The cores of a task are of no use to a stream.
        job.extend(options.iter().map(|word| if word == CORES { "1".into() } else { word.clone() }));
        spark.run(&job)?;
    } else if plan.queries() > 0 {
        spark.run_tasks(plan.queries() as usize, &[&verb("query")[..], &of_task].concat())?;
    }
    run_with(near, Some(&parts), settings)
}

/// A copy of a file of antecedents where the tasks see it; a language as it is.
fn seen_by_tasks(given: Option<&Path>, work: &Scratch) -> Result<Option<std::path::PathBuf>, CliError> {
    let Some(given) = given else { return Ok(None) };
    if given.to_str().is_some_and(|name| Antecedents::of_language(name).is_ok()) {
        return Ok(Some(given.to_owned()));
    }
    let copy = work.at(ANTECEDENTS);
    fs::copy(given, &copy).map_err(|error| SegmentError::from(StorageError::of("copy", given)(error)))?;
    Ok(Some(copy))
}
