//! `segment tally blots`: which blots are repeated, for all tasks that gather text.

use super::limits::threads;
use crate::cli::args::TallyBlotsArgs;
use crate::cli::ask::chosen;
use crate::cli::error::CliError;
use crate::cli::output::say;
use crate::cli::target::CorpusTarget;
use crate::config::Settings;
use crate::index::repeated::tallied;
use crate::ingest::UpdateError;
use crate::ingest::priority::{self, Nice};
use crate::ingest::segments::{SegmentError, check_outside};
use crate::storage::{Folder, shown};

/// Makes the file.
pub(super) fn run(args: &TallyBlotsArgs, settings: &Settings) -> Result<(), CliError> {
    let place = CorpusTarget::of_index(&args.index)?;
    let ignored = args.matching.ignore.ignored()?;
    let place = if args.this_index { place } else { place.matching(args.matching.by, ignored, false)? };
    let snapshot = chosen(place.newest()?, &args.only)?;
    check_outside(&snapshot.manifest().corpus, &args.out)?;
    let pool = priority::pool(threads(args.threads, settings), Nice::Answering);
    let pool = pool.map_err(|error| CliError::Update(UpdateError::Threads(error)))?;
    let out = Folder::new(&args.out);
    let name = pool.install(|| tallied(&snapshot, &out)).map_err(SegmentError::from)?;
    say(&format!("{}\n", shown(&out.at(&name))))
}
