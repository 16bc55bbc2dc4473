//! `inspect`: what is in an index, and how it was made.

use std::num::NonZeroU64;

use super::look_at;
use crate::cli::args::InspectArgs;
use crate::cli::error::CliError;
use crate::cli::outcome::Outcome;
use crate::cli::output::Output;
use dupi_base::config::Settings;
use dupi_index::index::ranking::{HEAD, Ranking};
use dupi_index::index::snapshot::Snapshot;
use dupi_report::{DocumentName, InspectionRow, ReportRow, SkippedRow};

/// Tells about an index, or lists what is left out.
pub(crate) fn run(args: &InspectArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let (place, snapshot) = look_at(&args.find.target, &args.only, args.place.as_deref(), settings)?;
    let mut output = Output::begin(&args.find.format)?;
    if args.skipped {
        let skipped = snapshot.skipped();
        for left in &skipped {
            let (path, reason) = (DocumentName::new(&left.path, None), left.reason.to_string());
            let row = SkippedRow { path, reason, more: NonZeroU64::new(left.more) };
            output.row(&ReportRow::Skipped(row))?;
        }
        output.end()?;
        return Outcome::of(skipped.is_empty(), snapshot.unread());
    }
    let ranking = match Ranking::read(&place.options.home, &snapshot) {
        Some(ranking) => ranking,
        None => Ranking::scan(&snapshot, HEAD)?,
    };
    let index = DocumentName::new(place.options.home.path(), None);
    output.row(&ReportRow::Inspection(inspect(&snapshot, &ranking, index)))?;
    output.end()?;
    Outcome::of(false, snapshot.unread())
}

fn inspect(snapshot: &Snapshot, ranking: &Ranking, index: DocumentName) -> InspectionRow {
    let manifest = snapshot.manifest();
    let totals = snapshot.totals();
    InspectionRow {
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
