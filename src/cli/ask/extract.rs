//! `extract`: repeated blots, by descending document frequency, with their documents.

use super::{ask, hidden};
use crate::blot::Blot;
use crate::cli::args::ExtractArgs;
use crate::cli::output::Output;
use crate::cli::{CliError, Outcome};
use crate::config::Settings;
use crate::index::ranking::Ranking;
use crate::query::unblot::documents_of;
use crate::report::{BlotRow, DocumentName};

/// Lists repeated blots.
pub fn run(args: &ExtractArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let (place, snapshot) = ask(&args.find, settings)?;
    let taboo = hidden(&place, &snapshot, args.taboo)?;
    let selected = |ranking: &Ranking| -> Vec<Blot> {
        let cut = args.sigma.map_or(0, |sigma| ranking.stats.cut(sigma)).max(args.min_docs);
        let entries = ranking.entries.iter().take_while(|entry| entry.documents() >= cut);
        let shown = entries.map(|entry| entry.blot()).filter(|&blot| !taboo.contains(blot));
        shown.take(args.top.unwrap_or(usize::MAX)).collect()
    };
    // The head that is kept on disk is enough when the list ends within it.
    let head = Ranking::read(&place.options.home, &snapshot).map(|head| (selected(&head), head));
    let blots = match head {
        Some((blots, head)) if head.is_complete() || args.top == Some(blots.len()) => blots,
        _ => selected(&Ranking::scan(&snapshot, usize::MAX)?),
    };
    let mut output = Output::new(args.find.json);
    for &blot in &blots {
        if args.blots_only {
            output.item(&blot.to_string(), |blot| format!("{blot}\n"))?;
            continue;
        }
        let names = documents_of(&snapshot, &snapshot.find(blot)?).into_iter().map(|(document, _)| {
            let record = snapshot.document(document).record;
            DocumentName::new(snapshot.path(snapshot.file_of(document)), (record > 0).then_some(record))
        });
        let documents: Vec<DocumentName> = names.collect();
        let row = BlotRow { blot: blot.to_string(), df: documents.len(), documents };
        output.item(&row, |row| {
            let names: String = row.documents.iter().map(|name| format!("\t{}\n", name.0)).collect();
            format!("{} {}\n{names}", row.blot, row.df)
        })?;
    }
    output.finish()?;
    Ok(if blots.is_empty() { Outcome::Nothing } else { Outcome::Done })
}
