//! `segment shatter near` and `segment query near`: the tasks of a search for similar documents in parts.

use std::path::PathBuf;

use super::{USUAL_MEMORY, threads};
use crate::cli::args::NearPartArgs;
use crate::cli::ask::near::antecedents;
use crate::cli::error::CliError;
use crate::cli::output::say;
use crate::config::Settings;
use crate::index::snapshot::Snapshot;
use crate::ingest::UpdateError;
use crate::ingest::segments::check_outside;
use crate::near::NearError;
use crate::near::blocks::{self, BlockPlan};
use crate::storage::{Folder, shown};
use crate::token::LEXING_VERSION;

/// Makes the file of a block.
pub(super) fn shatter(args: &NearPartArgs, settings: &Settings) -> Result<(), CliError> {
    let block = u32::try_from(args.task).unwrap_or(u32::MAX);
    run(args, settings, |plan| blocks::shatter(plan, block, &|_| Ok(())))
}

/// Finds the pairs of two blocks.
pub(super) fn query(args: &NearPartArgs, settings: &Settings) -> Result<(), CliError> {
    run(args, settings, |plan| blocks::query(plan, args.task, &|_| Ok(())))
}

fn run(
    args: &NearPartArgs,
    settings: &Settings,
    task: impl FnOnce(&BlockPlan) -> Result<PathBuf, NearError> + Send,
) -> Result<(), CliError> {
    let memory = args.memory.or(settings.memory).map_or(USUAL_MEMORY, |memory| memory.0);
    let wanted = args.compared.settings(memory, &antecedents(&args.compared)?).map_err(CliError::Usage)?;
    let mut snapshot = Snapshot::open(&Folder::new(&args.index))?;
    if snapshot.manifest().lexing != LEXING_VERSION {
        return Err(CliError::OtherTokens);
    }
    let corpus = &snapshot.manifest().corpus;
    check_outside(corpus, &args.out)?;
    let choice = args.only.choice();
    if !choice.is_all() {
        let matcher = choice.matcher(&corpus.base)?;
        snapshot = snapshot.only(&|path| matcher.matches(path));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads(args.threads, settings)).build();
    let pool = pool.map_err(|error| CliError::Update(UpdateError::Threads(error)))?;
    let plan = BlockPlan::new(&snapshot, &wanted, Folder::new(&args.out), args.blocks);
    let path = pool.install(|| task(&plan))?;
    say(&format!("{}\n", shown(&path)))
}
