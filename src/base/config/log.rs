//! The log goes to a file, never to the screen.
//!
//! The level comes from the command line, or else from `DUPI_LOG`, `RUST_LOG` or the settings file; the default is
//! warnings. The two variables and the setting may name modules, as in `dupi::session=debug`.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::Mutex;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{fmt, registry};

use crate::storage::{Folder, append};

/// A log larger than this many bytes is renamed to `.log.old`, replacing the previous old log.
const LIMIT: u64 = 4 << 20;
/// The first one that is set applies. Both override the setting.
const VARIABLES: [&str; 2] = ["DUPI_LOG", "RUST_LOG"];
/// The default level.
const DEFAULT: LevelFilter = LevelFilter::WARN;

/// An invalid log filter.
#[derive(Debug, thiserror::Error)]
#[error("`{given}` is not a log level; write off, error, warn, info, debug or trace")]
pub struct LogFilterError {
    given: String,
}

/// Sends log messages to a file. If the file cannot be opened, nothing is logged.
///
/// # Errors
/// When the filter is invalid; then nothing is logged.
pub fn log_to_file(
    path: &Path,
    option: Option<LevelFilter>,
    variable: impl Fn(&str) -> Option<String>,
    setting: Option<&str>,
) -> Result<(), LogFilterError> {
    let given = chosen(option, variable, setting);
    let filter = filter(&given)?;
    if let Ok(file) = open(path) {
        // A second subscriber, as in tests, changes nothing.
        let lines = fmt::layer().with_ansi(false).with_writer(Mutex::new(file));
        let _ = registry().with(filter).with(lines).try_init();
    }
    Ok(())
}

/// The filter that applies.
fn chosen(
    option: Option<LevelFilter>,
    variable: impl Fn(&str) -> Option<String>,
    setting: Option<&str>,
) -> String {
    let from_environment =
        || VARIABLES.iter().find_map(|name| variable(name).filter(|given| !given.is_empty()));
    let named = option.map(|level| level.to_string()).or_else(from_environment);
    named.or_else(|| setting.map(str::to_owned)).unwrap_or_else(|| DEFAULT.to_string())
}

/// Parses a level by its name in small letters.
///
/// # Errors
/// When there is no such level.
pub fn log_level(given: &str) -> Result<LevelFilter, LogFilterError> {
    let level = given.parse().ok().filter(|level: &LevelFilter| level.to_string() == given);
    level.ok_or_else(|| LogFilterError { given: given.to_owned() })
}

/// Parses a level, or levels of modules. A bare word that is not a level is an error; [`Targets`] would take it for a
/// module.
pub(super) fn filter(given: &str) -> Result<Targets, LogFilterError> {
    let is_known = given.split(',').all(|directive| directive.contains('=') || log_level(directive).is_ok());
    let parsed = given.parse().ok().filter(|_| is_known);
    parsed.ok_or_else(|| LogFilterError { given: given.to_owned() })
}

/// Opens the log for appending. Other processes may append to it too.
fn open(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        Folder::new(folder).create_private().map_err(|error| error.source)?;
    }
    let log = append(path)?;
    if log.metadata()?.len() <= LIMIT {
        return Ok(log);
    }
    fs::rename(path, path.with_extension("log.old"))?;
    append(path)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn the_command_line_overrides_the_variables_and_these_the_setting() {
        let variables = |known: &'static [(&str, &str)]| {
            move |name: &str| known.iter().find(|known| known.0 == name).map(|known| known.1.to_owned())
        };
        let both = variables(&[("DUPI_LOG", "debug"), ("RUST_LOG", "trace")]);
        assert_eq!(chosen(Some(LevelFilter::ERROR), both, Some("info")), "error");
        assert_eq!(chosen(None, both, Some("info")), "debug");
        assert_eq!(
            chosen(None, variables(&[("DUPI_LOG", ""), ("RUST_LOG", "trace")]), Some("info")),
            "trace"
        );
        assert_eq!(chosen(None, variables(&[]), Some("info")), "info");
        assert_eq!(chosen(None, variables(&[]), None), "warn");
    }

    #[test]
    fn a_filter_is_a_level_or_levels_of_parts() {
        for good in ["off", "warn", "warn,dupi::session=debug", "dupi=trace"] {
            assert!(filter(good).is_ok(), "{good}");
        }
        for bad in ["loud", "dupi", "dupi=loud", ""] {
            assert!(filter(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_large_log_is_rotated_and_a_small_one_is_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/dupi-tui.log");
        open(&path).unwrap().write_all(b"one\n").unwrap();
        open(&path).unwrap().write_all(b"two\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one\ntwo\n");
        File::options().write(true).open(&path).unwrap().set_len(LIMIT + 1).unwrap();
        open(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"");
        assert_eq!(path.with_extension("log.old").metadata().unwrap().len(), LIMIT + 1);
    }
}
