//! `spark passages`: the text of blocks is gathered by tasks, and searched here.

use std::ffi::OsString;
use std::path::{Path, absolute};

use super::submit::{self, CORES, Spark, TASK};
use super::work::WorkFolder;
use crate::cli::args::{PassagesArgs, SparkPassagesArgs};
use crate::cli::ask::passages::{AskedIndex, answer, prepare, wanted};
use crate::cli::error::CliError;
use crate::cli::outcome::Outcome;
use dupi_base::config::Settings;
use dupi_base::storage::Folder;
use dupi_index::index::repeated::{repeated_name, tallied};
use dupi_ingest::segments::{SegmentError, USUAL_TASK};
use dupi_judge::blocks::asks_for_blots;

/// The folders of the blocks and of the file of repeated blots.
const BLOCKS: &str = "blocks";
const REPEATED: &str = "repeated";

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
    let usual = || asked.snapshot.totals().bytes.div_ceil(USUAL_TASK).clamp(1, 999_999) as usize;
    let tasks = args.tasks.map_or_else(usual, |tasks| tasks as usize);
    let mut verb = verb(&args.passages, &asked, &blocks, tasks);
    let AskedIndex { place, snapshot, .. } = &asked;
    if asks_for_blots(snapshot, &wanted(place, snapshot, &args.passages.alike, &args.passages.matching)) {
        let folder = work.at(REPEATED);
        add(&mut verb, "--repeated", folder.join(repeated_name(snapshot)));
        tallied(snapshot, &Folder::new(&folder)).map_err(SegmentError::from)?;
    }
    spark.run(&[submit::tasks(tasks, &verb)])?;
    answer(&args.passages, settings, asked, Some(&blocks))
}

/// What each task runs that gathers text.
fn verb(args: &PassagesArgs, asked: &AskedIndex, blocks: &Path, count: usize) -> Vec<OsString> {
    let mut verb: Vec<OsString> = ["segment", "query", "passages", "--task", TASK].map(OsString::from).into();
    verb.extend(["--blocks".into(), count.to_string().into(), "--threads".into(), CORES.into()]);
    verb.extend(["--memory".into(), asked.place.options.memory.to_string().into()]);
    add(&mut verb, "--out", blocks);
    add(&mut verb, "--min-tokens", args.alike.min_tokens.to_string());
    if let Some(gap) = args.alike.measure.gap {
        add(&mut verb, "--gap", gap.to_string());
    }
    verb.extend(of_index(args, asked));
    verb
}

/// Which files of which index a task asks, in what way.
fn of_index(args: &PassagesArgs, asked: &AskedIndex) -> Vec<OsString> {
    let mut verb = Vec::new();
    // The settings of this machine have chosen it.
    let index = asked.place.options.home.path();
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
