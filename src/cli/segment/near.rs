//! `segment shatter near`, `segment tally near` and `segment query near`: the tasks of a search for similar documents in parts.

use std::io;
use std::path::PathBuf;

use super::limits::{memory, on_threads};
use crate::cli::args::{NearPartArgs, QueryNearArgs, ShatterNearArgs};
use crate::cli::ask::chosen;
use crate::cli::ask::near::antecedents;
use crate::cli::error::CliError;
use crate::cli::output::say;
use crate::cli::target::CorpusTarget;
use dupi_base::config::Settings;
use dupi_base::storage::{Folder, shown};
use dupi_ingest::segments::check_outside;
use dupi_near::NearError;
use dupi_near::blocks::{self, BlockPlan};

/// Makes the file of a block.
pub(super) fn shatter(args: &ShatterNearArgs, settings: &Settings) -> Result<(), CliError> {
    let task = |plan: &BlockPlan| {
        if args.print {
            return blocks::print_features(plan, args.task, &mut io::stdout().lock()).map(|()| None);
        }
        let made = match args.tallied {
            true => blocks::bound(plan, args.task),
            false => blocks::shatter(plan, args.task, &|_| Ok(())),
        };
        made.map(Some)
    };
    run(&args.part, settings, task)
}

/// Tells which features count.
pub(super) fn tally(args: &NearPartArgs, settings: &Settings) -> Result<(), CliError> {
    run(args, settings, |plan| blocks::tally(plan, &|_| Ok(())).map(Some))
}

/// Finds the pairs of two blocks.
pub(super) fn query(args: &QueryNearArgs, settings: &Settings) -> Result<(), CliError> {
    let task = |plan: &BlockPlan| match args.links {
        true => blocks::take_links(plan, args.task, &mut io::stdin().lock()),
        false => blocks::query(plan, args.task, &|_| Ok(())),
    };
    run(&args.part, settings, |plan| task(plan).map(Some))
}

fn run(
    args: &NearPartArgs,
    settings: &Settings,
    task: impl FnOnce(&BlockPlan) -> Result<Option<PathBuf>, NearError> + Send,
) -> Result<(), CliError> {
    let memory = memory(args.part.memory, settings);
    let wanted = args.compared.settings(memory, &antecedents(&args.compared)?).map_err(CliError::Usage)?;
    let snapshot = chosen(CorpusTarget::of_index(&args.part.index)?.newest()?, &args.only)?;
    check_outside(&snapshot.manifest().corpus, &args.part.out)?;
    let plan = BlockPlan::new(&snapshot, &wanted, Folder::new(&args.part.out), args.blocks);
    let path = on_threads(args.part.threads, settings, || task(&plan))??;
    path.map_or(Ok(()), |path| say(&format!("{}\n", shown(&path))))
}
