//! `segment tally blots`: which blots are repeated, for all tasks that gather text.

use std::io::{self, BufWriter};

use super::asked::asked;
use super::limits::on_threads;
use crate::cli::args::TallyBlotsArgs;
use crate::cli::error::CliError;
use crate::cli::output::say;
use dupi_base::config::Settings;
use dupi_base::storage::{Folder, shown};
use dupi_index::index::repeated::{RepeatedError, print_counts, take_repeated, tallied, tallied_shard};
use dupi_index::index::snapshot::Snapshot;
use dupi_ingest::segments::{SegmentError, check_outside};

/// Makes the file, or that of a shard, or prints the counts of a share.
pub(super) fn run(args: &TallyBlotsArgs, settings: &Settings) -> Result<(), CliError> {
    let snapshot = asked(&args.index, &args.asked)?;
    let Some(out) = &args.out else {
        let share = (args.task.unwrap_or_default(), args.tasks.unwrap_or(1));
        return print(&snapshot, share);
    };
    check_outside(&snapshot.manifest().corpus, out)?;
    let out = Folder::new(out);
    let name = on_threads(args.threads, settings, || match args.shard.map(usize::from) {
        None => tallied(&snapshot, &out),
        Some(shard) if args.counted => take_repeated(&snapshot, shard, &mut io::stdin().lock(), &out),
        Some(shard) => tallied_shard(&snapshot, shard, &out),
    })?;
    let name = name.map_err(SegmentError::from)?;
    say(&format!("{}\n", shown(&out.at(&name))))
}

/// Writes the counts of the blots of a share.
fn print(snapshot: &Snapshot, (share, shares): (u32, u32)) -> Result<(), CliError> {
    if share >= shares {
        return Err(CliError::Usage(format!(
            "there is no task {share} of {shares}; they are numbered from 0"
        )));
    }
    let printed = print_counts(snapshot, (share, shares), &mut BufWriter::new(io::stdout().lock()));
    printed.map_err(|error| match error {
        RepeatedError::Stream(error) => CliError::Output(error),
        error => SegmentError::from(error).into(),
    })
}
