//! `index`, `inspect` and `clean`: builds an index, brings it up to date, follows the folder; tells what is in an index;
//! removes indexes.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::iter;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use clap::Args;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::args::{
    BuildArgs, IndexedArgs, OnlyArgs, PlaceArgs, PlainFindArgs, PlainFormatArgs, path, seconds,
};
use super::ask::{Question, look_at};
use super::error::CliError;
use super::output::{Outcome, Output, say, tell, tell_lack};
use super::progress::{Terminal, Then};
use super::target::{CorpusTarget, beside_of, home};
use dupi_base::config::{ProgramFolders, Settings};
use dupi_base::corpus::{Corpus, Watch};
use dupi_base::storage::{Folder, printable, shown, typed_path};
use dupi_index::index::IndexError;
use dupi_index::index::manifest::Manifest;
use dupi_index::index::ranking::{HEAD, Ranking};
use dupi_index::index::snapshot::Snapshot;
use dupi_index::index::writer::remove;
use dupi_index::taboo;
use dupi_ingest::{Observer, Phase, bring_up_to_date};
use dupi_report::{DocumentName, InspectionRow, SkippedRow, SummaryRow, TEXT};
use dupi_session::{Session, Update};

/// `index`.
#[derive(Debug, Args)]
pub struct IndexArgs {
    /// Folders and files to index; `-` reads their list from standard input [default: .]
    #[arg(value_name = "PATH", value_parser = path())]
    pub paths: Vec<PathBuf>,
    /// Follow the folder until interrupted
    #[arg(long)]
    pub watch: bool,
    /// With --watch: check for changes every SECONDS instead of using file events
    #[arg(long, value_name = "SECONDS", requires = "watch", value_parser = seconds)]
    pub poll: Option<Duration>,
    /// Print nothing except errors
    #[arg(short, long)]
    pub quiet: bool,
    /// How to print the summary.
    #[command(flatten)]
    pub format: PlainFormatArgs,
    /// Where and how to index.
    #[command(flatten)]
    pub build: BuildArgs,
    /// Which files are indexed.
    #[command(flatten)]
    pub indexed: IndexedArgs,
}

/// `inspect`.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// Which corpus.
    #[command(flatten)]
    pub place: PlaceArgs,
    /// List the skipped files, with the reasons
    #[arg(long)]
    pub skipped: bool,
    /// Which index.
    #[command(flatten)]
    pub find: PlainFindArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}

/// `clean`.
#[derive(Debug, Args)]
pub struct CleanArgs {
    /// The corpus whose index is removed [default: .]
    #[arg(value_parser = path())]
    pub path: Option<PathBuf>,
    /// Remove all indexes whose corpus no longer exists
    #[arg(long, conflicts_with = "path")]
    pub gone: bool,
    // Not clap's `env`: a value from the environment would conflict with PATH and --gone.
    /// The folder of the index, when it is not in the user's data folder [env: DUPI_INDEX]
    #[arg(long, value_name = "DIR", conflicts_with_all = ["path", "gone"], value_parser = path())]
    pub index: Option<PathBuf>,
}

/// Builds an index or brings it up to date.
pub(super) fn index(args: &IndexArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let watch = match (args.watch, args.poll) {
        (false, _) => Watch::Off,
        (true, Some(every)) => Watch::Poll(every),
        (true, None) => Watch::Events,
    };
    let place = CorpusTarget::of_paths(&args.paths, (&args.build, args.indexed.choice()), watch, settings)?;
    let started = Instant::now();
    let then = if args.watch { Then::Follow } else { Then::Answer };
    let terminal = Terminal::new(args.quiet, then)?;
    // Registered before the work, so that no signal after it is missed.
    let ending =
        args.watch.then(|| Signals::new([SIGINT, SIGTERM])).transpose().map_err(CliError::signals)?;
    let mut updater = place.open()?;
    let updated = bring_up_to_date(&mut updater, &terminal);
    terminal.clear();
    updated?;
    if terminal.is_cancelled() {
        return Err(CliError::Interrupted);
    }
    let snapshot = updater.snapshot();
    let totals = snapshot.totals();
    let summary = SummaryRow {
        documents: totals.documents,
        files: totals.files,
        bytes: totals.bytes,
        tokens: totals.tokens,
        postings: totals.postings,
        index_bytes: totals.index_bytes,
        segments: snapshot.segments().len(),
        generation: snapshot.manifest().generation,
        skipped: snapshot.skipped_count(),
        seconds: started.elapsed().as_secs_f64(),
    };
    // --quiet leaves out the text for people, not what a program asked for.
    if !args.quiet || args.format.format != TEXT {
        Output::list(&args.format, [summary])?;
    }
    let outcome = tell_lack(snapshot).and_then(|()| Outcome::from_answer(false, snapshot.unread()));
    drop(updater);
    let Some(ending) = ending else { return outcome };
    // Files that could not be read are tried again later.
    if let Err(error) = outcome {
        tell(error);
    }
    follow(place, args.quiet, ending)
}

/// Follows the folder until a signal arrives or has arrived.
fn follow(place: CorpusTarget, quiet: bool, mut ending: Signals) -> Result<Outcome, CliError> {
    let (sender, updates) = channel();
    let session = Session::start(place.corpus, place.options, move |update| drop(sender.send(update)));
    let printer = std::thread::spawn(move || {
        let (mut generation, mut failed) = (None, None);
        for update in updates {
            let line = match update {
                Update::Progress(progress) if progress.phase == Phase::Idle => {
                    failed = None;
                    if generation.replace(progress.generation) == Some(progress.generation) {
                        continue;
                    }
                    format!("generation {}: {} documents", progress.generation, progress.documents)
                }
                Update::Progress(progress) => match progress.phase {
                    // The update is retried, so the same error is printed only once.
                    Phase::Failed(sentence) if failed.as_ref() != Some(&sentence) => {
                        failed.insert(sentence).clone()
                    }
                    _ => continue,
                },
                Update::Notice(sentence) => sentence,
                _ => continue,
            };
            if !quiet {
                // A closed standard output does not stop the updates of the index.
                let _ = writeln!(io::stdout().lock(), "{}", printable(&line));
            }
        }
    });
    ending.forever().next();
    session.stop();
    let _ = printer.join();
    Ok(Outcome::Done)
}

/// Tells about an index, or lists what is left out.
pub(super) fn inspect(args: &InspectArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let question = Question::new(args.place.place.as_deref(), &args.only);
    let (place, snapshot) = look_at(&args.find.target, settings, question)?;
    let output = Output::begin(&args.find.format)?;
    let is_empty = if args.skipped {
        let skipped = snapshot.skipped().into_iter().map(|left| SkippedRow {
            path: DocumentName::new(&left.path, None),
            reason: left.reason.to_string(),
            more: NonZeroU64::new(left.more),
        });
        output.all(skipped)?
    } else {
        let ranking = match Ranking::read(&place.options.home, &snapshot) {
            Some(ranking) => ranking,
            None => Ranking::scan(&snapshot, HEAD)?,
        };
        let index = DocumentName::new(place.options.home.path(), None);
        output.all([inspection(&snapshot, &ranking, index)])?
    };
    Outcome::from_answer(is_empty, snapshot.unread())
}

fn inspection(snapshot: &Snapshot, ranking: &Ranking, index: DocumentName) -> InspectionRow {
    let manifest = snapshot.manifest();
    let totals = snapshot.totals();
    InspectionRow {
        corpus: DocumentName::new(&manifest.corpus.base, None),
        index,
        generation: manifest.generation,
        recipe: manifest.recipe.to_string(),
        guarantee: manifest.recipe.guarantee(),
        files: totals.files,
        documents: totals.documents,
        bytes: totals.bytes,
        tokens: totals.tokens,
        blots: ranking.stats.blots,
        repeated_blots: ranking.repeated,
        postings: totals.postings,
        index_bytes: totals.index_bytes,
        bytes_per_posting: totals.index_bytes as f64 / totals.postings.max(1) as f64,
        segments: manifest.segments.len(),
        df_mean: ranking.stats.mean(),
        df_deviation: ranking.stats.deviation(),
        guessed_windows_1252: totals.guessed,
        skipped: snapshot.skipped_count(),
    }
}

/// Removes indexes.
pub(super) fn clean(args: &CleanArgs) -> Result<Outcome, CliError> {
    let index = || args.index.clone().or_else(|| env::var_os("DUPI_INDEX").map(|given| typed_path(&given)));
    let homes = match &args.path {
        _ if args.gone => gone()?,
        Some(path) => vec![home(&Corpus::resolve(std::slice::from_ref(path))?, None)?],
        None => match index() {
            Some(index) => vec![Folder::new(index)],
            None => vec![home(&Corpus::resolve(&[PathBuf::from(".")])?, None)?],
        },
    };
    // Those in which something is folded or not read go with the index of the corpus.
    let homes: Vec<Folder> =
        homes.into_iter().flat_map(|home| iter::once(home.clone()).chain(beside_of(&home))).collect();
    let mut removed = 0;
    for home in &homes {
        if is_absent(home) {
            continue;
        }
        remove(home)?;
        taboo::sweep(home)?;
        // Fails when it contains decisions or other files; then it stays.
        let _ = fs::remove_dir(home.path());
        removed += 1;
        let mut kept: Vec<&str> = taboo::LISTS_IN_WORDS
            .into_iter()
            .filter_map(|(name, list)| home.at(name).exists().then_some(list))
            .collect();
        kept.dedup();
        let kept = match kept.len() {
            0 => String::new(),
            1 => format!("; {} stays", kept[0]),
            _ => format!("; {} stay", kept.join(" and ")),
        };
        say(&format!("removed the index in {}{kept}\n", shown(home.path())))?;
    }
    Ok(if removed == 0 { Outcome::Nothing } else { Outcome::Done })
}

fn is_absent(home: &Folder) -> bool {
    matches!(Manifest::read(home), Err(IndexError::Absent(_)))
}

/// The index folders whose corpus no longer exists.
fn gone() -> Result<Vec<Folder>, CliError> {
    let folder = ProgramFolders::find()?.indexes();
    let Ok(entries) = fs::read_dir(&folder) else { return Ok(Vec::new()) };
    let is_gone = |home: &Folder| Manifest::read(home).is_ok_and(|manifest| !manifest.corpus.base.exists());
    let mut homes: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    homes.sort();
    Ok(homes.into_iter().map(Folder::new).filter(is_gone).collect())
}
