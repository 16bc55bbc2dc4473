//! The command line: parses the arguments, runs a verb or opens the terminal UI, and sets the exit code.

mod accept;
mod args;
mod ask;
mod blots;
mod config;
mod decisions;
mod demo;
mod error;
mod exclude;
mod filter;
mod help;
mod history;
mod index;
mod kind;
mod like;
mod near;
mod output;
mod passages;
pub mod program;
mod progress;
mod review;
mod scratch;
mod screen;
mod segment;
mod shares;
mod simhash;
mod spark;
mod taboo;
mod target;

use std::env;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::CommandFactory;

use dupi_base::config::{LogFilterError, ProgramFolders, SettingsFile, log_to_file};
use dupi_base::corpus::raise_limit;
use dupi_base::panics;
use dupi_judge::kind::patterns::KindPatterns;
use error::CliError;
use output::{Outcome, refuse, tell};
use program::{Cli, Verb};

/// The exit code of a screen that was to print rows and was left without choosing any: that of fzf, and of a program that
/// Ctrl-C ends. 1 says that nothing was found, which is another thing.
const CANCELLED: u8 = 130;

/// Makes a write beyond the file size limit (`ulimit -f`) fail with an error that is reported. By default its signal
/// would end the process. Child processes get the default again.
fn survive_limits() {
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    survive_limits();
    let given: Vec<_> = env::args_os().collect();
    let cli = match Cli::read(&given) {
        Ok(cli) => cli,
        Err(error) => {
            let code = refuse(&error);
            let meant = given.get(1).and_then(|word| Cli::verb_like(word));
            meant.iter().for_each(|verb| tell(format_args!("did you mean the verb `{verb}`?")));
            return code;
        }
    };
    raise_limit();
    let mut file = SettingsFile::default();
    let mut unlogged = None;
    let places = ProgramFolders::find();
    panics::end_process(places.as_ref().ok().map(|places| places.state().to_owned()), || ());
    if let Ok(places) = places {
        file = SettingsFile::load(&places.settings());
        let (_, problems) = KindPatterns::new(&file.settings);
        file.add(problems);
        let variable = |name: &str| env::var(name).ok();
        let level = file.settings.log.as_deref();
        unlogged = log_to_file(&places.log(), cli.log_level, variable, level).err();
    }
    // The screen shows these problems itself, and `config` shows those of the settings.
    if let Some(verb) = &cli.verb {
        unlogged.iter().for_each(tell);
        let problems = if matches!(verb, Verb::Config(_)) { &[] } else { &file.problems[..] };
        problems.iter().for_each(tell);
    }
    match dispatch(cli, file, unlogged) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Nothing) => ExitCode::from(1),
        Ok(Outcome::Cancelled) => ExitCode::from(CANCELLED),
        // A reader that closed the pipe has what it wanted.
        Err(CliError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            tell(error);
            ExitCode::from(2)
        }
    }
}

fn dispatch(cli: Cli, file: SettingsFile, unlogged: Option<LogFilterError>) -> Result<Outcome, CliError> {
    let settings = &file.settings;
    match cli.verb {
        None => {
            screen::open(&cli.screen, file, unlogged).map_err(|error| with_verb(error, &cli.screen.paths))
        }
        Some(Verb::Config(args)) => config::run(&args, file),
        Some(Verb::Index(args)) => index::index(&args, settings),
        Some(Verb::Extract(args)) => blots::extract(&args, settings),
        Some(Verb::Blot(args)) => blots::blot(&args, settings),
        Some(Verb::Unblot(args)) => blots::unblot(&args, settings),
        Some(Verb::Passages(args)) => passages::run(&args, settings),
        Some(Verb::Documents(args)) => shares::documents(&args, settings),
        Some(Verb::Files(args)) => shares::files(&args, settings),
        Some(Verb::Like(args)) => like::run(&args, settings),
        Some(Verb::Review(args)) if review::opens_screen(&args)? => screen::review(&args, file, unlogged),
        Some(Verb::Review(args)) => review::run(&args, settings),
        Some(Verb::History(args)) => history::run(&args, settings),
        Some(Verb::Near(args)) => near::run(&args, settings),
        Some(Verb::Inspect(args)) => index::inspect(&args, settings),
        Some(Verb::Filter(verb)) => filter::run(&verb),
        Some(Verb::Taboo(verb)) => taboo::run(&verb, settings),
        Some(Verb::Accept(verb)) => accept::run(&verb, settings),
        Some(Verb::Kind(verb)) => kind::run(&verb, settings),
        Some(Verb::Exclude(verb)) => exclude::run(&verb, settings),
        Some(Verb::SimHash(verb)) => simhash::run(&verb),
        Some(Verb::Segment(verb)) => segment::run(&verb, settings),
        Some(Verb::Spark(verb)) => spark::run(&verb, settings),
        Some(Verb::Clean(args)) => index::clean(&args),
        Some(Verb::Completions(args)) => help::completions(&args, Cli::command()),
        Some(Verb::Man(args)) => help::man(&args, Cli::command()),
        Some(Verb::Help(args)) => help::help(&args, Cli::command()),
    }
}

/// Adds the verb that was meant to the error about a first path that does not exist.
fn with_verb(error: CliError, paths: &[PathBuf]) -> CliError {
    let missing = paths.first().filter(|path| !path.exists());
    match (missing.and_then(|path| Cli::verb_like(path.as_os_str())), error) {
        (Some(verb), CliError::Failed(sentence)) => {
            CliError::Failed(format!("{sentence}; did you mean the verb `{verb}`?"))
        }
        (_, error) => error,
    }
}
