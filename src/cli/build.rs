//! `index`: builds an index or brings it up to date, and optionally follows the folder.

use std::io::{self, Write};
use std::sync::mpsc::channel;
use std::time::Instant;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::args::IndexArgs;
use super::error::CliError;
use super::messages::tell;
use super::outcome::{Outcome, tell_lack};
use super::output::Output;
use super::progress::{Terminal, Then};
use super::target::CorpusTarget;
use dupi_base::config::Settings;
use dupi_base::storage::printable;
use dupi_ingest::{Observer, Phase, Watch, bring_up_to_date};
use dupi_report::{ReportRow, SummaryRow, TEXT};
use dupi_session::{Session, Update};

/// Builds an index or brings it up to date.
pub(super) fn index(args: &IndexArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let watch = match (args.watch, args.poll) {
        (false, _) => Watch::Off,
        (true, Some(every)) => Watch::Poll(every),
        (true, None) => Watch::Events,
    };
    let place = CorpusTarget::of_paths(&args.paths, (&args.build, &args.indexed.choice()), watch, settings)?;
    let started = Instant::now();
    let then = if args.watch { Then::Follow } else { Then::Answer };
    let terminal = Terminal::new(args.quiet, then).map_err(CliError::Signals)?;
    // Registered before the work, so that no signal after it is missed.
    let ending =
        args.watch.then(|| Signals::new([SIGINT, SIGTERM])).transpose().map_err(CliError::Signals)?;
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
    if !args.quiet || args.format.0.format != TEXT {
        let mut output = Output::begin(&args.format)?;
        output.row(&ReportRow::Summary(summary))?;
        output.end()?;
    }
    let outcome = tell_lack(snapshot).and_then(|()| Outcome::of(false, snapshot.unread()));
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
