//! `like`: the documents that share text with a given one.

use std::path::Path;

use super::{Given, ask_matching, refuse_gap};
use crate::cli::accept::id_of;
use crate::cli::args::LikeArgs;
use crate::cli::error::CliError;
use crate::cli::outcome::Outcome;
use crate::cli::output::Output;
use dupi_base::config::Settings;
use dupi_base::storage::shown;
use dupi_near::features::resemblance_of_blots;
use dupi_passage::like::{Probe, like};
use dupi_report::{DocumentName, LikeRow, LikeSpan, OccurrenceRow, ReportRow, rounded};
use dupi_text::token::{LexState, Tokeniser, folded_name};

/// Refuses a folder, and the id of a row, which name no text.
fn check(file: &Path) -> Result<(), CliError> {
    let name = shown(file);
    let is_id = || file.to_str().is_some_and(|name| id_of(name).is_some());
    let why = if file.is_dir() {
        "is a folder; give one of the documents in it (`dupi-tui passages` lists identical folders)"
    } else if !file.exists() && is_id() {
        "is the id of a row and not a file; give one of the documents that `dupi-tui passages` prints below it"
    } else {
        return Ok(());
    };
    Err(CliError::Usage(format!("{name} {why}")))
}

/// Lists the documents that are most like a text.
pub(crate) fn run(args: &LikeArgs, settings: &Settings) -> Result<Outcome, CliError> {
    check(&args.file)?;
    refuse_gap(&args.matching, args.measure.gap)?;
    let given = Given::read(&args.file)?;
    let matching = (args.matching.by, args.matching.ignore.ignored()?);
    let (_, snapshot) = ask_matching(&args.find, Some(&args.only), None, settings, matching)?;
    let recipe = snapshot.manifest().recipe;
    let tokeniser = Tokeniser::of(recipe.tokens, recipe.comments, &args.file, &given.text);
    let text = recipe.ignored.blanked(&given.text);
    let tokens = tokeniser.tokens(&text, LexState::default());
    let names = || tokens.iter().map(|token| folded_name(&text, token, tokeniser)).collect();
    let names = args.matching.is_consistent().then(names);
    let probe = Probe::new(tokens, &recipe);
    let probe = match names {
        Some(names) => probe.with_names(names),
        None => probe,
    };
    let blots = probe.blots();
    let measure =
        args.measure.for_matching(args.matching.by, args.measure.with_least(args.min_tokens, &recipe));
    let found = like(&snapshot, &probe, measure, args.top)?;
    let mut output = Output::begin_on(&args.find.format, &snapshot.manifest().corpus.base)?;
    for document in &found {
        let Some(first) = document.shared.first() else { continue };
        let spans = document.shared.iter().map(|run| LikeSpan {
            start: given.offset(run.span.start),
            end: given.offset(run.span.end),
            tokens: run.tokens,
            similarity: rounded(f64::from(run.similarity)),
            at: OccurrenceRow::from(&run.occurrence),
        });
        let row = LikeRow {
            path: DocumentName::new(&first.occurrence.path, first.occurrence.record),
            covered: document.covered,
            resemblance: resemblance_of_blots(blots, &document.blots),
            spans: spans.collect(),
        };
        output.row(&ReportRow::Like(row))?;
    }
    output.end()?;
    Outcome::of(found.is_empty(), snapshot.unread())
}
