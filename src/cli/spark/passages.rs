//! `spark passages`: the text of blocks is gathered by tasks, and searched here.

use std::ffi::OsString;
use std::path::{Path, absolute};

use super::submit::{CORES, Spark, TASK};
use super::work::WorkFolder;
use crate::cli::args::{PassagesArgs, SparkPassagesArgs};
use crate::cli::ask::passages::{AskedIndex, answer, prepare};
use crate::cli::error::CliError;
use crate::cli::outcome::Outcome;
use crate::config::Settings;

/// Bytes of documents in a block.
const USUAL_BLOCK: u64 = 64 << 20;
/// The folder of the blocks.
const BLOCKS: &str = "blocks";

/// Gathers the text of all blocks as tasks of a job, and lists the passages in it.
pub(super) fn run(args: &SparkPassagesArgs, settings: &Settings) -> Result<Outcome, CliError> {
    for (is_given, option) in
        [(args.passages.reduce.is_some(), "--reduce"), (args.passages.amended, "--amended")]
    {
        if is_given {
            return Err(CliError::Usage(format!("{option} is for `dupi-tui passages`; leave it out")));
        }
    }
    let spark = Spark::new(&args.spark)?;
    let asked = prepare(&args.passages, settings)?;
    let work = WorkFolder::new(args.work.as_deref(), &asked.main, &asked.place.corpus)?.scratch()?;
    let blocks = work.at(BLOCKS);
    let usual = || asked.snapshot.totals().bytes.div_ceil(USUAL_BLOCK).clamp(1, 999_999) as usize;
    let tasks = args.tasks.map_or_else(usual, |tasks| tasks as usize);
    let verb = verb(&args.passages, &asked, &blocks, tasks);
    spark.run_tasks(tasks, &verb)?;
    answer(&args.passages, settings, asked, Some(&blocks))
}

/// What each task runs.
fn verb(args: &PassagesArgs, asked: &AskedIndex, blocks: &Path, count: usize) -> Vec<OsString> {
    let mut verb: Vec<OsString> = ["segment", "query", "passages", "--task", TASK].map(OsString::from).into();
    verb.extend(["--blocks".into(), count.to_string().into(), "--threads".into(), CORES.into()]);
    verb.extend(["--memory".into(), asked.place.options.memory.to_string().into()]);
    let mut add = |option: &str, value: OsString| {
        // In one word: it may begin with a hyphen.
        let mut word = OsString::from(option);
        word.push("=");
        word.push(value);
        verb.push(word);
    };
    // The settings of this machine have chosen it.
    let index = asked.place.options.home.path();
    add("--index", absolute(index).unwrap_or_else(|_| index.to_owned()).into());
    add("--out", blocks.into());
    add("--min-tokens", args.alike.min_tokens.to_string().into());
    if let Some(gap) = args.alike.measure.gap {
        add("--gap", gap.to_string().into());
    }
    add("--match", args.matching.by.to_string().into());
    args.matching.ignore.patterns().iter().for_each(|pattern| add("--ignore-pattern", pattern.into()));
    verb.extend(args.only.words());
    verb.push("--this-index".into());
    verb
}
