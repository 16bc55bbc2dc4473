//! `segment tally blots`: which blots are repeated, for all tasks that gather text.

use super::asked::asked;
use super::limits::on_threads;
use crate::cli::args::TallyBlotsArgs;
use crate::cli::error::CliError;
use crate::cli::output::say;
use dupi_base::config::Settings;
use dupi_base::storage::{Folder, shown};
use dupi_index::index::repeated::tallied;
use dupi_ingest::segments::{SegmentError, check_outside};

/// Makes the file.
pub(super) fn run(args: &TallyBlotsArgs, settings: &Settings) -> Result<(), CliError> {
    let snapshot = asked(&args.index, &args.asked)?;
    check_outside(&snapshot.manifest().corpus, &args.out)?;
    let out = Folder::new(&args.out);
    let name = on_threads(args.threads, settings, || tallied(&snapshot, &out))?;
    let name = name.map_err(SegmentError::from)?;
    say(&format!("{}\n", shown(&out.at(&name))))
}
