//! `like`: the documents that share text with a given one.

use std::path::{Path, PathBuf};

use clap::Args;

use super::args::{FindArgs, MOST_TOKENS, MatchArgs, MeasureArgs, OnlyArgs, path};
use super::ask::{Given, Question, ask};
use super::decisions::id_of;
use super::error::CliError;
use super::output::{Outcome, Output};
use dupi_base::config::Settings;
use dupi_base::storage::shown;
use dupi_near::features::resemblance_of_blots;
use dupi_passage::like::{Probe, like};
use dupi_report::{DocumentName, LikeRow, LikeSpan, OccurrenceRow, rounded};
use dupi_text::token::{LexState, Tokeniser, folded_name};

/// `like`.
#[derive(Debug, Args)]
pub struct LikeArgs {
    /// The file; `-` is standard input
    #[arg(value_parser = path())]
    pub file: PathBuf,
    /// Only the best N
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub top: usize,
    /// The fewest tokens of a shared run
    #[arg(long, visible_alias = "min-length", value_name = "N", default_value_t = 12,
          value_parser = clap::value_parser!(u32).range(1..=MOST_TOKENS))]
    pub min_tokens: u32,
    /// How alike the runs are.
    #[command(flatten)]
    pub measure: MeasureArgs,
    /// How source code is compared.
    #[command(flatten)]
    pub matching: MatchArgs,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}

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
    Err(CliError::Failed(format!("{name} {why}")))
}

/// Lists the documents that are most like a text.
pub(super) fn run(args: &LikeArgs, settings: &Settings) -> Result<Outcome, CliError> {
    check(&args.file)?;
    args.matching.refuse_gap(args.measure.gap)?;
    let given = Given::read(&args.file)?;
    let matching = args.matching.matching()?;
    let question = Question { matching, ..Question::new(None, &args.only) };
    let (_, snapshot) = ask(&args.find.target, settings, question)?;
    let recipe = snapshot.manifest().recipe;
    let tokeniser = Tokeniser::for_file(recipe.tokens, recipe.comments, &args.file, &given.text);
    let text = recipe.ignored.blanked(&given.text);
    let tokens = tokeniser.tokens(&text, LexState::default());
    let names = || tokens.iter().map(|token| folded_name(&text, token, tokeniser)).collect();
    let names = args.matching.is_consistent().then(names);
    let mut probe = Probe::new(tokens, &recipe);
    if let Some(names) = names {
        probe = probe.with_names(names);
    }
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
        output.row(&row)?;
    }
    output.end()?;
    Outcome::from_answer(found.is_empty(), snapshot.unread())
}
