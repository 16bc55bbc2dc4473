//! `config`: where the settings are, what can be set, what is wrong.

use super::args::ConfigArgs;
use super::error::CliError;
use super::outcome::Outcome;
use super::output::{print_exact, say};
use crate::config::{Places, SettingsFile};
use crate::storage::shown;
use crate::tui;

/// The settings file with everything that can be set, as it is without one; the keys come from the program.
const HEAD: &str = include_str!("../../assets/config.toml");

/// Tells of the settings.
pub fn run(args: &ConfigArgs, mut file: SettingsFile) -> Result<Outcome, CliError> {
    if args.path {
        Places::find()?;
        say(&format!("{}\n", shown(&file.path)))?;
    } else if args.default {
        print_exact(&format!("{HEAD}{}", tui::default_keys()))?;
    } else {
        tui::settings(&mut file);
        for problem in &file.problems {
            say(&format!("{problem}\n"))?;
        }
        if file.problems.is_empty() {
            say("Nothing is wrong in the settings.\n")?;
        }
        return if file.problems.is_empty() {
            Ok(Outcome::Done)
        } else {
            let count = file.problems.len();
            let problems = if count == 1 { "problem" } else { "problems" };
            Err(CliError::Usage(format!("{count} {problems} in {}", shown(&file.path))))
        };
    }
    Ok(Outcome::Done)
}
