//! `extract`: repeated blots, by descending document frequency, with their documents.

use super::{accepted, ask_index, hidden};
use crate::cli::args::ExtractArgs;
use crate::cli::error::CliError;
use crate::cli::filter::given;
use crate::cli::outcome::Outcome;
use crate::cli::output::Output;
use dupi_base::config::Settings;
use dupi_index::index::IndexError;
use dupi_index::index::ranking::{RankedBlot, Ranking};
use dupi_index::query::blot_rows::BlotRun;
use dupi_index::query::blot_rows::RowMaker;
use dupi_index::query::filter::{Fact, Quantity, ReviewState};
use dupi_index::query::page::DocumentReader;
use dupi_index::query::unblot::documents_of;
use dupi_index::taboo::AcceptedId;
use dupi_judge::filter::{BlotSieve, BlotsOf};
use dupi_report::{BlotName, BlotRow, DocumentName, ReportRow};
use dupi_session::Subject;
use dupi_text::blot::Blot;

/// Lists repeated blots.
pub(crate) fn run(args: &ExtractArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let filter = given(args.filter.as_deref(), Subject::Blots)?;
    if !filter.passages().is_empty() {
        return Err(CliError::Usage(
            "passage: blots are listed without looking for passages; ask passages --filter instead"
                .to_owned(),
        ));
    }
    let (place, snapshot) = ask_index(&args.find.target, Some(&args.only), args.place.as_deref(), settings)?;
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
        let state = ReviewState::of(is_taboo, then, u64::from(entry.documents()));
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
        if args.blots_only {
            output.row(&ReportRow::BlotName(BlotName(blot.to_string())))?;
            continue;
        }
        let names = documents_of(&snapshot, &snapshot.find(blot)?).into_iter().map(|(document, _)| {
            let record = snapshot.document(document).record;
            DocumentName::new(snapshot.path(snapshot.file_of(document)), (record > 0).then_some(record))
        });
        let documents: Vec<DocumentName> = names.collect();
        let row = BlotRow { blot: blot.to_string(), df: documents.len(), documents };
        output.row(&ReportRow::Blot(row))?;
    }
    output.end()?;
    Outcome::of(blots.is_empty(), snapshot.unread())
}
