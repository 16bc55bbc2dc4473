//! Where the copies in the rows of a review come from.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::cli::error::CliError;
use crate::cli::progress::SearchBar;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::page::DocumentReader;
use dupi_report::{BlameRow, OccurrenceRow, ReviewRow};
use dupi_review::change::ChangeError;
use dupi_review::change::blame::Blame;
use dupi_review::change::repository::Repository;
use dupi_review::review::Source;

/// Adds to the copies of some rows which commits their lines come from.
pub(super) fn add_blame(
    rows: &mut [ReviewRow],
    source: &Source,
    snapshot: &Snapshot,
) -> Result<(), CliError> {
    let Source::Repository(own) = source else {
        return Err(ChangeError::NoRepository(source.root().to_owned()).into());
    };
    let mut wanted: BTreeMap<PathBuf, Vec<Range<u32>>> = BTreeMap::new();
    for copy in rows.iter_mut().flat_map(ReviewRow::explained) {
        wanted.entry(copy.at.path.file()).or_default().push(lines(&copy.at));
    }
    let corpus = &snapshot.manifest().corpus;
    let mut reader = DocumentReader::new(snapshot);
    let mut questions = Vec::new();
    for (path, ranges) in wanted {
        let Ok(file) = reader.file(&path) else { continue };
        let absolute = corpus.absolute(&path);
        let question = match own.path_of(&absolute) {
            Some(below) => own.blame(&below, &file.text, &ranges)?,
            // A file of another folder may have no history.
            None => match Repository::of_file(&absolute, &|| true) {
                Ok((other, below)) => other.blame(&below, &file.text, &ranges)?,
                Err(_) => continue,
            },
        };
        questions.push((path, question));
    }
    let bar = SearchBar::new("blame");
    let (all, done) = (questions.len(), AtomicUsize::new(0));
    let asked = questions.into_par_iter().map(|(path, question)| {
        let blame = question.ask_while(&|| true)?.unwrap_or_default();
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        bar.set(done as f64 / all as f64);
        Ok((path, blame))
    });
    let blames: BTreeMap<PathBuf, Blame> = asked.collect::<Result<_, ChangeError>>()?;
    for copy in rows.iter_mut().flat_map(ReviewRow::explained) {
        if let Some(blame) = blames.get(&copy.at.path.file()) {
            copy.blame = blame.of(&lines(&copy.at)).into_iter().map(BlameRow::from).collect();
        }
    }
    Ok(())
}

/// The lines of a copy, from 0.
fn lines(at: &OccurrenceRow) -> Range<u32> {
    at.part.line.saturating_sub(1)..at.part.end_line
}
