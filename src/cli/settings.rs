//! `config`: shows the path of the settings file, its defaults, and its problems.

use super::args::ConfigArgs;
use super::error::CliError;
use super::outcome::Outcome;
use super::output::{print_exact, say};
use dupi_base::config::{ProgramFolders, SettingsFile};
use dupi_base::storage::shown;

/// The default settings file without its keys, which the program adds.
const HEAD: &str = include_str!("../../assets/config.toml");

/// Runs `config`.
pub(super) fn run(args: &ConfigArgs, mut file: SettingsFile) -> Result<Outcome, CliError> {
    if args.path {
        ProgramFolders::find()?;
        say(&format!("{}\n", shown(&file.path)))?;
    } else if args.default {
        print_exact(&format!("{HEAD}{}", dupi_screen::default_keys()))?;
    } else if args.check {
        dupi_screen::settings(&mut file);
        for problem in &file.problems {
            say(&format!("{problem}\n"))?;
        }
        if file.problems.is_empty() {
            say("The settings have no problems.\n")?;
        }
        return if file.problems.is_empty() {
            Ok(Outcome::Done)
        } else {
            let count = file.problems.len();
            let problems = if count == 1 { "problem" } else { "problems" };
            Err(CliError::Usage(format!("{count} {problems} in {}", shown(&file.path))))
        };
    } else {
        ProgramFolders::find()?;
        dupi_screen::settings(&mut file);
        let state = match file.problems.len() {
            0 if !file.path.exists() => "This file does not exist; the defaults apply.".to_owned(),
            0 => "The settings have no problems.".to_owned(),
            1 => "The settings have a problem; dupi-tui config --check shows it.".to_owned(),
            count => format!("The settings have {count} problems; dupi-tui config --check shows them."),
        };
        say(&format!("{}\n{state}\n", shown(&file.path)))?;
    }
    Ok(Outcome::Done)
}
