//! Which change the arguments ask for.

use std::env;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::args::ReviewArgs;
use crate::cli::error::CliError;
use dupi_base::corpus::read_stream;
use dupi_base::storage::shown;
use dupi_review::review::ReviewedChange;

/// The change that the arguments ask for. `base` is where it begins, by the arguments or a file of options.
pub(super) fn change_of(args: &ReviewArgs, base: Option<String>) -> Result<ReviewedChange, CliError> {
    Ok(match &args.patch {
        Some(patch) => ReviewedChange::Patch(read(patch)?),
        // A hook of a commit of some files only is given an index of its own.
        None if args.staged => ReviewedChange::Staged(env::var_os("GIT_INDEX_FILE").map(PathBuf::from)),
        None => ReviewedChange::Range(base),
    })
}

fn read(patch: &Path) -> Result<Vec<u8>, CliError> {
    if patch.as_os_str() == "-" {
        return read_stream(io::stdin().lock()).map_err(CliError::Input);
    }
    // It may be a pipe: who names it waits for what comes through it.
    File::open(patch).and_then(read_stream).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => CliError::NoFile(shown(patch).to_string()),
        _ => CliError::Patch(shown(patch).to_string(), error),
    })
}
