//! `config`: shows the path of the settings file, its defaults, and its problems.

use super::args::ConfigArgs;
use super::error::CliError;
use super::outcome::Outcome;
use super::output::Output;
use crate::config::{Places, SettingsFile};
use crate::storage::shown;
use crate::tui;

/// The default settings file without its keys, which the program adds.
const HEAD: &str = include_str!("../../assets/config.toml");

/// Runs `config`.
pub fn run(args: &ConfigArgs, mut file: SettingsFile) -> Result<Outcome, CliError> {
    let mut output = Output::new(false);
    if args.path {
        Places::find()?;
        output.text(&format!("{}\n", shown(&file.path)))?;
    } else if args.default {
        output.exact(&format!("{HEAD}{}", tui::default_keys()))?;
    } else {
        tui::settings(&mut file);
        for problem in &file.problems {
            output.text(&format!("{problem}\n"))?;
        }
        if file.problems.is_empty() {
            output.text("The settings have no problems.\n")?;
        }
        output.finish()?;
        return if file.problems.is_empty() {
            Ok(Outcome::Done)
        } else {
            let count = file.problems.len();
            let problems = if count == 1 { "problem" } else { "problems" };
            Err(CliError::Usage(format!("{count} {problems} in {}", shown(&file.path))))
        };
    }
    output.finish()?;
    Ok(Outcome::Done)
}
