//! `extract`, `blot` and `unblot`: repeated blots with their documents, the blots of a file, and where blots stand.

use std::path::PathBuf;

use clap::Args;

use super::args::{FindArgs, OnlyArgs, PlaceArgs, PlainFindArgs, path};
use super::ask::{Given, Question, accepted, ask, hidden};
use super::error::CliError;
use super::filter::given;
use super::output::{Outcome, Output};
use super::target::CorpusTarget;
use dupi_base::config::Settings;
use dupi_index::index::IndexError;
use dupi_index::index::ranking::{RankedBlot, Ranking};
use dupi_index::query::blot_rows::{BlotRun, RowMaker};
use dupi_index::query::filter::{Fact, Quantity, ReviewState};
use dupi_index::query::page::DocumentReader;
use dupi_index::query::unblot::{documents_of, unblot as snippets_of};
use dupi_index::taboo::AcceptedId;
use dupi_judge::filter::{BlotSieve, BlotsOf};
use dupi_report::{BlotName, BlotRow, DocumentName, OccurrenceRow, SnippetRow, TileRow};
use dupi_session::Subject;
use dupi_text::blot::{Blot, shatter};
use dupi_text::token::{LexState, Tokeniser};

/// `extract`.
#[derive(Debug, Args)]
pub struct ExtractArgs {
    /// Which corpus.
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Only blots with a document frequency at or above mean + SIGMA · standard deviation
    #[arg(long, allow_negative_numbers = true, value_parser = finite)]
    pub sigma: Option<f64>,
    /// Only blots with at least N documents
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub min_docs: u32,
    /// Only the first N
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Only blots that pass a filter, such as `ext:c docs:>5 -path:vendor`
    #[arg(long, value_name = "FILTER", allow_hyphen_values = true)]
    pub filter: Option<String>,
    /// Print only the blots, one per line
    #[arg(short, long)]
    pub blots_only: bool,
    /// Include taboo text
    #[arg(long)]
    pub taboo: bool,
    /// Which index.
    #[command(flatten)]
    pub find: PlainFindArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}

/// `blot`.
#[derive(Debug, Args)]
pub struct BlotArgs {
    /// The file; `-` is standard input
    #[arg(value_parser = path())]
    pub file: PathBuf,
    /// Print the start and end of each tile in bytes
    #[arg(long)]
    pub offsets: bool,
    /// Which index's recipe.
    #[command(flatten)]
    pub find: PlainFindArgs,
}

/// `unblot`.
#[derive(Debug, Args)]
pub struct UnblotArgs {
    /// The blots, as `extract` and `blot` print them
    #[arg(required = true, value_name = "BLOT")]
    pub blots: Vec<Blot>,
    /// Include texts that occur only once
    #[arg(long)]
    pub all: bool,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}

fn finite(given: &str) -> Result<f64, String> {
    let number = given.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("`{given}` is not a number"))
}

/// Lists repeated blots.
pub(super) fn extract(args: &ExtractArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let filter = given(args.filter.as_deref(), Subject::Blots)?;
    if !filter.passages().is_empty() {
        return Err(CliError::failed(
            "passage: blots are listed without looking for passages; ask passages --filter instead",
        ));
    }
    let question = Question::new(args.place.place.as_deref(), &args.only);
    let (place, snapshot) = ask(&args.find.target, settings, question)?;
    let (taboo, accepted) = (hidden(&place, &snapshot)?, accepted(&place)?);
    let shows_taboo = args.taboo || filter.wants_taboo();
    let least = u32::try_from(filter.least(Quantity::Documents)).unwrap_or(u32::MAX);
    let mut sieve = BlotSieve::new(filter, &snapshot, BlotsOf::default(), &|| false);
    let mut reader = DocumentReader::new(&snapshot);
    let mut maker = RowMaker::new(&snapshot, &taboo, true);
    let mut passes = |entry: RankedBlot| -> Result<bool, IndexError> {
        let is_taboo = taboo.contains(entry.blot());
        if is_taboo && !shows_taboo {
            return Ok(false);
        }
        let then = accepted.copies(AcceptedId::Blot(entry.blot()));
        let state = ReviewState::judge(is_taboo, then, u64::from(entry.documents()));
        if let Some(passes) = sieve.pass(&[entry], Fact::Is(state), &|| false)? {
            return Ok(passes);
        }
        match maker.rows(&[entry])?.into_iter().next() {
            Some(row) => sieve.has_row(&BlotRun { accepted: then, ..row }, &mut reader, &|| false),
            None => Ok(false),
        }
    };
    // The blots, and whether the list ends with them.
    let mut selected = |ranking: &Ranking| -> Result<(Vec<Blot>, bool), IndexError> {
        let cut = args.sigma.map_or(0, |sigma| ranking.stats.cut(sigma)).max(args.min_docs).max(least);
        let end = ranking.entries.partition_point(|entry| entry.documents() >= cut);
        let mut blots = Vec::new();
        for &entry in &ranking.entries[..end] {
            if args.top == Some(blots.len()) {
                break;
            }
            if passes(entry)? {
                blots.push(entry.blot());
            }
        }
        let is_end = end < ranking.entries.len() || ranking.is_complete() || args.top == Some(blots.len());
        Ok((blots, is_end))
    };
    // The head that is kept on disk is enough when the list ends within it.
    let head = Ranking::read(&place.options.home, &snapshot).map(|head| selected(&head)).transpose()?;
    let blots = match head {
        Some((blots, true)) => blots,
        _ => selected(&Ranking::scan(&snapshot, usize::MAX)?)?.0,
    };
    let mut output = Output::begin(&args.find.format)?;
    for &blot in &blots {
        let name = blot.to_string();
        if args.blots_only {
            output.row(&BlotName(name))?;
            continue;
        }
        let names = documents_of(&snapshot, &snapshot.find(blot)?).into_iter().map(|(document, _)| {
            let record = snapshot.document(document).record;
            DocumentName::new(snapshot.path(snapshot.file_of(document)), (record > 0).then_some(record))
        });
        let documents: Vec<DocumentName> = names.collect();
        output.row(&BlotRow { blot: name, df: documents.len(), documents })?;
    }
    output.end()?;
    Outcome::from_answer(blots.is_empty(), snapshot.unread())
}

/// Lists the blots of a file, in the order of its text.
pub(super) fn blot(args: &BlotArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let recipe = CorpusTarget::of_verb(&args.find.target, None, settings)?.recipe()?;
    let given = Given::read(&args.file)?;
    let tokeniser = Tokeniser::for_file(recipe.tokens, recipe.comments, &args.file, &given.text);
    let mut tiles = Vec::new();
    let text = recipe.ignored.blanked(&given.text);
    shatter(&text, tokeniser, LexState::default(), &recipe, |tile| tiles.push(tile));
    let rows = tiles.iter().map(|tile| TileRow {
        blot: tile.blot.to_string(),
        start: given.offset(u64::from(tile.start)),
        end: given.offset(u64::from(tile.end)),
        with_offsets: args.offsets,
    });
    Output::list(&args.find.format, rows)
}

/// Shows the snippets of some blots.
pub(super) fn unblot(args: &UnblotArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let question = Question::new(None, &args.only);
    let (_, snapshot) = ask(&args.find.target, settings, question)?;
    let mut output = Output::begin_on(&args.find.format, &snapshot.manifest().corpus.base)?;
    let mut is_empty = true;
    for &blot in &args.blots {
        let snippets = snippets_of(&snapshot, blot)?.into_iter();
        for snippet in snippets.filter(|snippet| args.all || snippet.occurrences.len() > 1) {
            is_empty = false;
            output.row(&SnippetRow {
                blot: blot.to_string(),
                text: snippet.text,
                occurrences: snippet.occurrences.iter().map(OccurrenceRow::from).collect(),
            })?;
        }
    }
    output.end()?;
    Outcome::from_answer(is_empty, snapshot.unread())
}
