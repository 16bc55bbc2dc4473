//! What the program notes for its developers goes to a file, never to the screen.

use std::env;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::Mutex;

use tracing_subscriber::EnvFilter;

/// A log that has grown beyond this is put aside, and the one put aside before is forgotten.
const LIMIT: u64 = 4 << 20;
/// Overrules the setting.
const VARIABLE: &str = "DUPI_LOG";

/// A filter that means nothing.
#[derive(Debug, thiserror::Error)]
#[error("`{given}` says not what to log ({detail}); write error, warn, info, debug or trace")]
pub struct LogFilterError {
    given: String,
    detail: String,
}

/// Sends what is logged to a file. `level` is overruled by `DUPI_LOG`. A log that cannot be written is done without.
///
/// # Errors
/// When the level means nothing; then nothing is logged.
pub fn log_to_file(path: &Path, level: &str) -> Result<(), LogFilterError> {
    let given = env::var(VARIABLE).ok().filter(|given| !given.is_empty()).unwrap_or_else(|| level.to_owned());
    let filter = EnvFilter::try_new(&given)
        .map_err(|error| LogFilterError { detail: error.to_string(), given: given.clone() })?;
    if let Ok(file) = open(path) {
        // A second subscriber, as in tests, changes nothing.
        let _ = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_ansi(false)
            .with_writer(Mutex::new(file))
            .try_init();
    }
    Ok(())
}

/// Opens the log for appending: another process may write to it as well.
fn open(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    if path.metadata().is_ok_and(|metadata| metadata.len() > LIMIT) {
        fs::rename(path, path.with_extension("log.old"))?;
    }
    OpenOptions::new().create(true).append(true).open(path)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_large_log_is_put_aside_and_a_small_one_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/dupi-tui.log");
        open(&path).unwrap().write_all(b"one\n").unwrap();
        open(&path).unwrap().write_all(b"two\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one\ntwo\n");
        OpenOptions::new().write(true).open(&path).unwrap().set_len(LIMIT + 1).unwrap();
        open(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"");
        assert_eq!(path.with_extension("log.old").metadata().unwrap().len(), LIMIT + 1);
    }
}
