//! `like`: the documents that share text with a given one.

use super::{Given, ask};
use crate::cli::args::LikeArgs;
use crate::cli::error::CliError;
use crate::cli::outcome::Outcome;
use crate::cli::output::Output;
use crate::config::Settings;
use crate::near::resemblance;
use crate::passage::like::{Probe, like};
use crate::report::{DocumentName, LikeRow, LikeSpan, OccurrenceRow, ReportRow, rounded};
use crate::token::{LexState, Tokeniser};

/// Lists the documents that are most like a text.
pub(crate) fn run(args: &LikeArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let given = Given::read(&args.file)?;
    let (_, snapshot) = ask(&args.find, None, settings)?;
    let recipe = snapshot.manifest().recipe;
    let tokeniser = Tokeniser::of(recipe.tokens, recipe.comments, &args.file, &given.text);
    let tokens = tokeniser.tokens(&given.text, LexState::default());
    let probe = Probe::new(tokens, &recipe);
    let blots = probe.blots();
    let found = like(&snapshot, &probe, args.near.measure(args.min_tokens, &recipe), args.top)?;
    let mut output = Output::begin(args.find.format)?;
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
            resemblance: resemblance(&blots, &document.blots),
            spans: spans.collect(),
        };
        output.row(&ReportRow::Like(row))?;
    }
    output.end()?;
    Outcome::of(found.is_empty(), snapshot.unread())
}
