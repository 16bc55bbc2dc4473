//! `extract`: repeated blots, by descending document frequency, with their documents.

use super::ask;
use crate::cli::args::ExtractArgs;
use crate::cli::output::Output;
use crate::cli::{CliError, Outcome};
use crate::config::Settings;
use crate::index::ranking::{HEAD, Ranking};
use crate::index::snapshot::Snapshot;
use crate::query::unblot::documents_of;
use crate::report::{BlotRow, DocumentName};
use crate::taboo::{TabooList, TabooSet};

/// Lists repeated blots.
pub fn run(args: &ExtractArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let (place, snapshot) = ask(&args.find, settings)?;
    let ranking = ranking(&snapshot, &place.options.home, args)?;
    let taboo = if args.taboo {
        TabooSet::default()
    } else {
        TabooSet::new(&TabooList::load(&place.options.taboo_list())?, &snapshot.manifest().recipe)
    };
    let cut = args.sigma.map_or(0, |sigma| ranking.stats.cut(sigma)).max(args.min_docs);
    let entries =
        ranking.entries.iter().filter(|entry| entry.documents() >= cut && !taboo.contains(entry.blot()));
    let mut output = Output::new(args.find.json);
    let mut printed = 0;
    for entry in entries.take(args.top.unwrap_or(usize::MAX)) {
        printed += 1;
        let blot = entry.blot();
        if args.blots_only {
            output.item(&blot.to_string(), |blot| format!("{blot}\n"))?;
            continue;
        }
        let names = documents_of(&snapshot, &snapshot.find(blot)?).into_iter().map(|(document, _)| {
            let record = snapshot.document(document).record;
            DocumentName::new(snapshot.path(snapshot.file_of(document)), (record > 0).then_some(record))
        });
        let row = BlotRow { blot: blot.to_string(), df: entry.documents(), documents: names.collect() };
        output.item(&row, |row| {
            let names: String = row.documents.iter().map(|name| format!("\t{}\n", name.0)).collect();
            format!("{} {}\n{names}", row.blot, row.df)
        })?;
    }
    output.finish()?;
    Ok(if printed == 0 { Outcome::Nothing } else { Outcome::Done })
}

/// The ranking's head where it is enough, or all of it.
fn ranking(snapshot: &Snapshot, home: &std::path::Path, args: &ExtractArgs) -> Result<Ranking, CliError> {
    let kept = Ranking::read(home, snapshot).filter(|kept| {
        // What is taboo is passed over: the head is only enough when it is far longer than what is asked for.
        kept.is_complete() || (args.taboo && args.top.is_some_and(|top| top <= HEAD))
    });
    match kept {
        Some(kept) => Ok(kept),
        None => Ok(Ranking::scan(snapshot, usize::MAX)?),
    }
}
