//! What the program notes for its developers goes to a file, never to the screen.

use std::fs::{self, OpenOptions};
use std::path::Path;
use std::sync::Mutex;

use tracing_subscriber::EnvFilter;

/// A log that has grown beyond this is begun anew.
const LIMIT: u64 = 4 << 20;

/// Sends what is logged to a file. `level` is overruled by `DUPI_LOG`. A log that cannot be written is done without.
pub fn log_to_file(path: &Path, level: &str) {
    let filter =
        EnvFilter::try_from_env("DUPI_LOG").or_else(|_| EnvFilter::try_new(level)).unwrap_or_default();
    let is_large = path.metadata().is_ok_and(|metadata| metadata.len() > LIMIT);
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    let file = folder.and_then(|()| {
        OpenOptions::new().create(true).write(true).append(!is_large).truncate(is_large).open(path)
    });
    if let Ok(file) = file {
        // A second subscriber, as in tests, changes nothing.
        let _ = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_ansi(false)
            .with_writer(Mutex::new(file))
            .try_init();
    }
}
