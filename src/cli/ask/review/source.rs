//! Which change the arguments ask for.

use std::env;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::cli::args::ReviewArgs;
use crate::cli::error::CliError;
use crate::review::ReviewedChange;
use crate::storage::shown;

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
    let mut bytes = Vec::new();
    if patch.as_os_str() == "-" {
        io::stdin().lock().read_to_end(&mut bytes).map_err(CliError::Input)?;
        return Ok(bytes);
    }
    std::fs::read(patch).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => CliError::NoFile(shown(patch).to_string()),
        _ => CliError::Patch(shown(patch).to_string(), error),
    })
}
