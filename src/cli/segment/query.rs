//! `segment query`: asks an index about a block of documents.

use std::sync::Arc;

use super::asked::asked;
use super::limits::{memory, threads};
use super::near;
use crate::cli::args::{QueryPassagesArgs, QueryVerb};
use crate::cli::ask::refuse_gap;
use crate::cli::error::CliError;
use crate::cli::output::say;
use dupi_base::config::Settings;
use dupi_base::storage::{Folder, shown};
use dupi_ingest::UpdateError;
use dupi_ingest::priority::{self, Nice};
use dupi_ingest::segments::{SegmentError, check_outside};
use dupi_judge::blocks::{self, BlockNumber};
use dupi_judge::search::SearchSettings;

/// Runs a verb of `segment query`.
pub(super) fn run(verb: &QueryVerb, settings: &Settings) -> Result<(), CliError> {
    match verb {
        QueryVerb::Passages(args) => passages(args, settings),
        QueryVerb::Near(args) => near::query(args, settings),
    }
}

fn passages(args: &QueryPassagesArgs, settings: &Settings) -> Result<(), CliError> {
    refuse_gap(&args.asked.matching, args.measure.gap)?;
    let Some(block) = BlockNumber::new(args.task, args.blocks) else {
        let sentence = format!("there is no task {} of {}; they are numbered from 0", args.task, args.blocks);
        return Err(CliError::Usage(sentence));
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
    let threads = threads(args.part.threads, settings);
    check_outside(&snapshot.manifest().corpus, out.path())?;
    let pool = priority::pool(threads, Nice::Answering).map_err(UpdateError::Threads);
    let pool = pool.map_err(SegmentError::Update)?;
    let repeated = args.repeated.as_deref();
    let name = pool.install(|| blocks::write(&snapshot, &search, repeated, block, &out, &|_| Ok(())))?;
    say(&format!("{}\n", shown(&out.at(&name))))
}
