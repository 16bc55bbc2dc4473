//! The door for scripts, and the way to the terminal UI: from the command line to a verb to an exit code.

mod accept;
pub mod args;
mod ask;
mod build;
mod clean;
mod demo;
mod filter;
mod output;
mod place;
mod progress;
mod screen;
mod settings;
mod table;
mod taboo;

use std::env;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use crate::blot::RecipeError;
use crate::config::{FiltersError, Homeless, LogFilterError, Places, SettingsFile, log_to_file};
use crate::corpus::{CorpusError, SkipReason, Unread, raise_limit};
use crate::index::IndexError;
use crate::ingest::UpdateError;
use crate::passage::PassageError;
use crate::passage::bounds::LeftOut;
use crate::storage::{in_words, printable, shown};
use crate::taboo::TabooError;
use crate::tui::TuiError;
use args::{Cli, Verb};

/// What a verb came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Done.
    Done,
    /// Something was asked for, and there is none.
    Nothing,
}

impl Outcome {
    /// What an answer came to: all of it, or an error that says which files could not be read for it.
    fn of(is_empty: bool, unread: &Unread) -> Result<Self, CliError> {
        match unread.tell() {
            Some(sentence) => Err(CliError::Unread(sentence)),
            None => Ok(if is_empty { Self::Nothing } else { Self::Done }),
        }
    }
}

/// Why a verb failed.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The corpus.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// Bringing the index up to date.
    #[error(transparent)]
    Update(#[from] UpdateError),
    /// The taboo list.
    #[error(transparent)]
    Taboo(#[from] TabooError),
    /// The saved filters.
    #[error(transparent)]
    Filters(#[from] FiltersError),
    /// A filter that cannot be understood: what is wrong, and the line that shows where.
    #[error("{0}")]
    Filter(String),
    /// The recipe.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// Finding passages.
    #[error(transparent)]
    Passages(#[from] PassageError),
    /// Passages were found, but not all of them.
    #[error("{0}; what was found is told")]
    LeftOut(LeftOut),
    /// The folders of the program.
    #[error(transparent)]
    Home(#[from] Homeless),
    /// The terminal.
    #[error(transparent)]
    Tui(#[from] TuiError),
    /// The index was built with another recipe.
    #[error("{0}; leave the options away, or add --rebuild to build it anew")]
    Mismatch(String),
    /// Another corpus's index would be replaced.
    #[error(
        "the index in {} is that of {}; name another folder with --index, or add --rebuild to replace it",
        shown(home),
        shown(corpus)
    )]
    OtherCorpus {
        /// The folder of the index.
        home: PathBuf,
        /// The base of the corpus that it belongs to.
        corpus: PathBuf,
    },
    /// A limit beyond what spans can count.
    #[error("--max-filesize can be at most 4 GiB (4294967295 bytes)")]
    TooLarge,
    /// A file that was named cannot be read as text.
    #[error("cannot read {0}: {1}")]
    File(String, SkipReason),
    /// A file that was named is not there.
    #[error("there is no file {0}; check the path")]
    NoFile(String),
    /// Standard input.
    #[error("cannot read standard input: {}", in_words(.0))]
    Input(io::Error),
    /// Another file or stream.
    #[error("cannot write {}: {}", .0, in_words(.1))]
    Write(String, io::Error),
    /// Standard output.
    #[error("cannot write to standard output: {}", in_words(.0))]
    Output(io::Error),
    /// The signal handlers.
    #[error("cannot prepare for signals: {}", in_words(.0))]
    Signals(io::Error),
    /// Files could not be read: what was answered may not be all.
    #[error("{0}")]
    Unread(String),
    /// A request that means nothing here.
    #[error("{0}")]
    Usage(String),
}

/// Lets a write that makes a file larger than `ulimit -f` allows fail, so that it is told; by default it would
/// end the process. Programs that we start have the default again.
fn survive_limits() {
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    survive_limits();
    let cli = match Cli::read(&env::args_os().collect::<Vec<_>>()) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    raise_limit();
    let mut file = SettingsFile::default();
    let mut unlogged = None;
    if let Ok(places) = Places::find() {
        file = SettingsFile::load(&places.settings());
        let variable = |name: &str| env::var(name).ok();
        let level = file.settings.log.as_deref();
        unlogged = log_to_file(&places.log(), cli.log_level, variable, level).err();
    }
    // The screen shows what is wrong itself, and `config` what is wrong in the settings.
    if let Some(verb) = &cli.verb {
        unlogged.iter().for_each(tell);
        let problems = if matches!(verb, Verb::Config(_)) { &[] } else { &file.problems[..] };
        problems.iter().for_each(tell);
    }
    match dispatch(cli, file, unlogged) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Nothing) => ExitCode::from(1),
        // Whoever reads no further has what they wanted.
        Err(CliError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            tell(error);
            ExitCode::from(2)
        }
    }
}

/// Says what is wrong with the arguments, or prints the help that they ask for. They may be names of files, so
/// what is wrong is quoted without colours: they could not be told from what the names hold.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        error.exit();
    }
    let _ = write!(io::stderr().lock(), "{}", printable(&error.render().to_string()));
    ExitCode::from(2)
}

/// Writes a sentence to standard error; when nobody reads it, the exit code has to do.
fn tell(sentence: impl Display) {
    let _ = writeln!(io::stderr().lock(), "dupi-tui: {}", printable(&sentence.to_string()));
}

fn dispatch(cli: Cli, file: SettingsFile, unlogged: Option<LogFilterError>) -> Result<Outcome, CliError> {
    let settings = &file.settings;
    match cli.verb {
        None => screen::open(&cli.screen, file, unlogged),
        Some(Verb::Config(args)) => settings::run(&args, file),
        Some(Verb::Index(args)) => build::index(&args, settings),
        Some(Verb::Extract(args)) => ask::extract::run(&args, settings),
        Some(Verb::Blot(args)) => ask::blot::run(&args, settings),
        Some(Verb::Unblot(args)) => ask::unblot::run(&args, settings),
        Some(Verb::Passages(args)) => ask::passages::run(&args, settings),
        Some(Verb::Documents(args)) => ask::shares::documents(&args, settings),
        Some(Verb::Files(args)) => ask::shares::files(&args, settings),
        Some(Verb::Like(args)) => ask::like::run(&args, settings),
        Some(Verb::Inspect(args)) => ask::inspect::run(&args, settings),
        Some(Verb::Filter(verb)) => filter::run(&verb),
        Some(Verb::Taboo(verb)) => taboo::run(&verb, settings),
        Some(Verb::Accept(verb)) => accept::run(&verb, settings),
        Some(Verb::Clean(args)) => clean::run(&args),
    }
}
