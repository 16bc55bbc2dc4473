//! The arguments of the terminal UI.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::alike::CriteriaArgs;
use super::files::IndexedArgs;
use super::given::path;
use super::ignore::IgnoreArgs;
use super::index::BuildArgs;

/// The arguments of the terminal UI.
#[derive(Debug, Args)]
pub struct ScreenArgs {
    /// Folders and files to show; `-` reads their list from standard input [default: .]
    #[arg(value_name = "PATH", value_parser = path())]
    pub paths: Vec<PathBuf>,
    /// Show the built-in demo corpus
    #[arg(long, conflicts_with = "paths")]
    pub demo: bool,
    /// Print the rows that are marked when Enter leaves the screen, or the selected copy: a line `path:line` each. Leaving
    /// with q or Ctrl-c prints nothing, and the exit code is 130
    #[arg(long, help_heading = "Screen")]
    pub print: bool,
    /// The same, each ended by NUL instead of a line break, and with the bytes of its path
    #[arg(short = '0', long = "null", help_heading = "Screen")]
    pub null: bool,
    /// What counts as a passage.
    #[command(flatten)]
    pub criteria: CriteriaArgs,
    /// What is not compared.
    #[command(flatten)]
    pub ignore: IgnoreArgs,
    /// Write the times of frames and keys to a file
    #[arg(long, value_name = "FILE", hide = true)]
    pub frame_log: Option<PathBuf>,
    /// Where and how to index.
    #[command(flatten)]
    pub build: BuildArgs,
    /// Which files are indexed.
    #[command(flatten)]
    pub indexed: IndexedArgs,
    /// How to follow the folder.
    #[command(flatten)]
    pub watch: WatchArgs,
}

/// How to follow the folder.
#[derive(Debug, Args)]
#[command(next_help_heading = "Screen")]
pub struct WatchArgs {
    /// Do not follow changes of the folder
    #[arg(long)]
    pub no_watch: bool,
    /// Check for changes every SECONDS instead of using file events, for network folders
    #[arg(long, value_name = "SECONDS", conflicts_with = "no_watch", value_parser = seconds)]
    pub poll: Option<Duration>,
    /// Do not capture the mouse
    #[arg(long)]
    pub no_mouse: bool,
}

/// A time in seconds.
pub(super) fn seconds(given: &str) -> Result<Duration, String> {
    let seconds: f64 = given.parse().map_err(|_| format!("`{given}` is not a number of seconds"))?;
    if (0.1..=86_400.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("expected 0.1 to 86400 seconds".to_owned())
    }
}
