//! `inspect`: what is in an index, and how it was made.

use serde::Serialize;

use super::ask;
use crate::cli::args::InspectArgs;
use crate::cli::error::CliError;
use crate::cli::outcome::Outcome;
use crate::cli::output::Output;
use crate::config::{Settings, Size};
use crate::index::ranking::{HEAD, Ranking};
use crate::index::snapshot::Snapshot;
use crate::report::{DocumentName, SkippedRow};

/// Everything there is to tell.
#[derive(Debug, Serialize)]
struct Inspection {
    corpus: DocumentName,
    index: DocumentName,
    generation: u64,
    recipe: String,
    guarantee: u32,
    files: u64,
    documents: u64,
    bytes: u64,
    tokens: u64,
    blots: u64,
    repeated_blots: u64,
    postings: u64,
    index_bytes: u64,
    bytes_per_posting: f64,
    segments: usize,
    df_mean: f64,
    df_deviation: f64,
    guessed_windows_1252: u64,
    skipped: u64,
}

/// Tells about an index, or lists what is left out.
pub fn run(args: &InspectArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let (place, snapshot) = ask(&args.find, settings)?;
    let mut output = Output::new(args.find.json);
    if args.skipped {
        let skipped = snapshot.skipped();
        for left in &skipped {
            let (path, reason) = (DocumentName::new(&left.path, None), left.reason.to_string());
            output.item(&SkippedRow { path, reason, more: left.more }, |row| match row.more {
                0 => format!("{}: {}\n", row.path, row.reason),
                more => format!("{0}: {1}\n{0}: and {more} more like it\n", row.path, row.reason),
            })?;
        }
        output.finish()?;
        return Outcome::of(skipped.is_empty(), snapshot.unread());
    }
    let ranking = match Ranking::read(&place.options.home, &snapshot) {
        Some(ranking) => ranking,
        None => Ranking::scan(&snapshot, HEAD)?,
    };
    output.item(&inspect(&snapshot, &ranking, DocumentName::new(place.options.home.path(), None)), text)?;
    output.finish()?;
    Outcome::of(false, snapshot.unread())
}

fn inspect(snapshot: &Snapshot, ranking: &Ranking, index: DocumentName) -> Inspection {
    let manifest = snapshot.manifest();
    let totals = snapshot.totals();
    Inspection {
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

fn text(found: &Inspection) -> String {
    let share = found.index_bytes as f64 / found.bytes.max(1) as f64 * 100.0;
    format!(
        "corpus       {}\nindex        {} (generation {}, {} segments)\nrecipe       {}\nguarantee    every shared run of {} tokens is found\n\
         documents    {} in {} files, {}\ntokens       {}\nblots        {}, {} of them repeated\npostings     {}\n\
         size         {}, {share:.1} % of the documents, {:.2} bytes a posting\ndf           mean {:.3}, standard deviation {:.3}\n\
         encoding     {} files taken for Windows-1252, the others told theirs\nleft out     {} files (inspect --skipped lists them)\n",
        found.corpus,
        found.index,
        found.generation,
        found.segments,
        found.recipe,
        found.guarantee,
        found.documents,
        found.files,
        Size(found.bytes),
        found.tokens,
        found.blots,
        found.repeated_blots,
        found.postings,
        Size(found.index_bytes),
        found.bytes_per_posting,
        found.df_mean,
        found.df_deviation,
        found.guessed_windows_1252,
        found.skipped,
    )
}
