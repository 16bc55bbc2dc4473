//! `completions` and `man`: what a shell completes, and the manual pages, both made from the arguments.

use std::fs;

use clap::CommandFactory;
use clap_complete::{Shell, generate};
use clap_complete_nushell::Nushell;

use super::args::{Cli, CompletionsArgs, ManArgs, ShellName};
use super::error::CliError;
use super::outcome::Outcome;
use super::output::print_bytes;
use dupi_base::storage::shown;

/// The name of the program.
const NAME: &str = env!("CARGO_PKG_NAME");

/// Prints a script for a shell.
pub(super) fn completions(args: &CompletionsArgs) -> Result<Outcome, CliError> {
    let (mut command, mut script) = (Cli::command(), Vec::new());
    match args.shell {
        ShellName::Bash => generate(Shell::Bash, &mut command, NAME, &mut script),
        ShellName::Zsh => generate(Shell::Zsh, &mut command, NAME, &mut script),
        ShellName::Fish => generate(Shell::Fish, &mut command, NAME, &mut script),
        ShellName::PowerShell => generate(Shell::PowerShell, &mut command, NAME, &mut script),
        ShellName::Elvish => generate(Shell::Elvish, &mut command, NAME, &mut script),
        ShellName::Nushell => generate(Nushell, &mut command, NAME, &mut script),
    }
    print_bytes(&script)?;
    Ok(Outcome::Done)
}

/// Prints the manual page of the program, or writes it and those of all verbs to a folder.
pub(super) fn man(args: &ManArgs) -> Result<Outcome, CliError> {
    let command = Cli::command();
    match &args.dir {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page).map_err(CliError::Output)?;
            print_bytes(&page)?;
        }
        Some(folder) => {
            let failed = |error| CliError::Write(shown(folder).to_string(), error);
            fs::create_dir_all(folder).map_err(failed)?;
            clap_mangen::generate_to(command, folder).map_err(failed)?;
        }
    }
    Ok(Outcome::Done)
}
