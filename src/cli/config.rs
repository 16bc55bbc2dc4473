//! `config`: shows the path of the settings file, its defaults, and its problems.

use clap::Args;

use super::error::CliError;
use super::output::{Outcome, print_exact, say};
use dupi_base::config::{ProgramFolders, SettingsFile};
use dupi_base::storage::shown;

/// `config`.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct ConfigArgs {
    /// Print the path of the settings file, whether it exists or not
    #[arg(long)]
    pub path: bool,
    /// Print a settings file with all settings and their defaults
    #[arg(long)]
    pub default: bool,
    /// Print the problems in the settings file, with line and column
    #[arg(long)]
    pub check: bool,
}

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
        let count = file.problems.len();
        if count > 0 {
            let problems = if count == 1 { "problem" } else { "problems" };
            return Err(CliError::Failed(format!("{count} {problems} in {}", shown(&file.path))));
        }
        say("The settings have no problems.\n")?;
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
