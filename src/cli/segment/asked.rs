//! The documents of which a task tells something.

use std::path::Path;

use crate::cli::args::AskedArgs;
use crate::cli::ask::chosen;
use crate::cli::error::CliError;
use crate::cli::target::CorpusTarget;
use dupi_index::index::snapshot::Snapshot;

/// The documents that are asked of an index, as it is.
pub(super) fn asked(index: &Path, args: &AskedArgs) -> Result<Snapshot, CliError> {
    let ignored = args.matching.ignore.ignored()?;
    let place = CorpusTarget::of_index(index)?;
    let place = if args.this_index { place } else { place.matching(args.matching.by, ignored, false)? };
    chosen(place.newest()?, &args.only)
}
