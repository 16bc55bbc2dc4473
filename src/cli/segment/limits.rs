//! The memory and the threads of tasks.

use std::thread;

use crate::cli::error::CliError;
use crate::cli::target::MOST_THREADS;
use dupi_base::config::{Settings, Size};
use dupi_ingest::UpdateError;
use dupi_ingest::priority::{self, Nice};

/// Without `--memory` and without a setting.
const USUAL_MEMORY: u64 = 1 << 30;

/// How much memory a task may use, in bytes: as given, as set, or 1 GiB.
pub(super) fn memory(given: Option<Size>, settings: &Settings) -> u64 {
    given.or(settings.memory).map_or(USUAL_MEMORY, |memory| memory.0)
}

/// How many threads are used: as given, as set, or one for each core.
pub(crate) fn threads(given: Option<u16>, settings: &Settings) -> usize {
    let usual = || thread::available_parallelism().map_or(1, usize::from);
    given.map(usize::from).or(settings.threads).unwrap_or_else(usual).clamp(1, MOST_THREADS)
}

/// Does the work of a task on its threads.
///
/// # Errors
/// If the threads cannot be made.
pub(super) fn on_threads<T: Send>(
    given: Option<u16>,
    settings: &Settings,
    work: impl FnOnce() -> T + Send,
) -> Result<T, CliError> {
    let pool = priority::pool(threads(given, settings), Nice::Answering).map_err(UpdateError::Threads)?;
    Ok(pool.install(work))
}
