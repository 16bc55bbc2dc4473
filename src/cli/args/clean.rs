//! The arguments of `clean`.

use std::path::PathBuf;

use clap::Args;

use super::given::path;

/// `clean`.
#[derive(Debug, Args)]
pub struct CleanArgs {
    /// The corpus whose index is removed [default: .]
    #[arg(value_parser = path())]
    pub path: Option<PathBuf>,
    /// Remove all indexes whose corpus no longer exists
    #[arg(long, conflicts_with = "path")]
    pub gone: bool,
    // Not clap's `env`: a value from the environment would conflict with PATH and --gone.
    /// The folder of the index, when it is not in the user's data folder [env: DUPI_INDEX]
    #[arg(long, value_name = "DIR", conflicts_with_all = ["path", "gone"], value_parser = path())]
    pub index: Option<PathBuf>,
}
