//! `blot`: the blots of a file, as the index would keep them.

use super::Given;
use crate::cli::args::BlotArgs;
use crate::cli::error::CliError;
use crate::cli::outcome::Outcome;
use crate::cli::output::Output;
use crate::cli::target::CorpusTarget;
use dupi_base::config::Settings;
use dupi_report::{ReportRow, TileRow};
use dupi_text::blot::shatter;
use dupi_text::token::{LexState, Tokeniser};

/// Lists the blots of a file, in the order of its text.
pub(crate) fn run(args: &BlotArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let recipe = CorpusTarget::of_verb(&args.find.target, None, settings)?.recipe()?;
    let given = Given::read(&args.file)?;
    let tokeniser = Tokeniser::of(recipe.tokens, recipe.comments, &args.file, &given.text);
    let mut tiles = Vec::new();
    let text = recipe.ignored.blanked(&given.text);
    shatter(&text, tokeniser, LexState::default(), &recipe, |tile| tiles.push(tile));
    let rows = tiles.iter().map(|tile| TileRow {
        blot: tile.blot.to_string(),
        start: given.offset(u64::from(tile.start)),
        end: given.offset(u64::from(tile.end)),
        with_offsets: args.offsets,
    });
    Output::list(&args.find.format, rows.map(ReportRow::Tile))
}
