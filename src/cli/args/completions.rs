//! The arguments of `completions` and `man`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::given::path;

/// `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: ShellName,
}

/// A shell that can complete arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShellName {
    /// bash.
    Bash,
    /// zsh.
    Zsh,
    /// fish.
    Fish,
    /// PowerShell.
    #[value(name = "powershell")]
    PowerShell,
    /// Elvish.
    Elvish,
    /// Nushell.
    Nushell,
}

/// `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write the page of the program and those of all verbs to this folder
    #[arg(long, value_name = "DIR", value_parser = path())]
    pub dir: Option<PathBuf>,
}
