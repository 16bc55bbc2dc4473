//! `taboo report`: how much is hidden, by what, and since when.

use clap::Args;

use crate::cli::args::{AlikeArgs, MOST_TOKENS, MeasureArgs, PlaceArgs, PlainFindArgs};
use crate::cli::ask::{Question, ask};
use crate::cli::error::CliError;
use crate::cli::output::{Outcome, Output};
use crate::cli::passages::{complete, find};
use dupi_base::config::Settings;
use dupi_index::taboo::{TabooList, TabooSet};
use dupi_report::{HiddenRow, HidingRow, SuppressedRow};
use dupi_session::Hiding;

/// `taboo report`.
#[derive(Debug, Args)]
pub struct TabooReportArgs {
    /// Which corpus.
    #[command(flatten)]
    pub place: PlaceArgs,
    /// The fewest tokens of a passage, not counting taboo text
    #[arg(long, visible_alias = "min-length", value_name = "N", default_value_t = 25,
          value_parser = clap::value_parser!(u32).range(1..=MOST_TOKENS))]
    pub min_tokens: u32,
    /// How alike copies are.
    #[command(flatten)]
    pub measure: MeasureArgs,
    /// Which index.
    #[command(flatten)]
    pub find: PlainFindArgs,
}

/// Counts the passages that are hidden.
pub(super) fn report(args: &TabooReportArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let question = Question { place: args.place.place.as_deref(), ..Question::default() };
    let (place, snapshot) = ask(&args.find.target, settings, question)?;
    let folders = place.folders();
    let lists = [TabooList::load(&folders.corpus)?, folders.load_user()?];
    let recipe = snapshot.manifest().recipe;
    let mut all = TabooSet::default();
    lists.iter().flat_map(TabooList::entries).for_each(|entry| all.add(entry, &recipe));
    let sets: Vec<TabooSet> =
        lists.iter().flat_map(TabooList::entries).map(|entry| TabooSet::from_entry(entry, &recipe)).collect();
    let alike = AlikeArgs { min_tokens: args.min_tokens, measure: args.measure, across: false, taboo: false };
    let (passages, wanted) = find(&place, &snapshot, &alike)?;
    let (unread, omissions) = (snapshot.unread().clone(), passages.omissions);
    let gone = passages.suppressed.gone();
    let suppressed = SuppressedRow::all(&snapshot, &passages.sources, &passages.suppressed);
    let hiding = Hiding::new(snapshot, passages, wanted, &sets, &all);
    let mut output = Output::begin(&args.find.format)?;
    let together = HiddenRow {
        hidden: hiding.together.rows,
        passages: hiding.passages,
        copies: hiding.together.copies,
        documents: hiding.together.documents,
        entries: sets.len(),
        suppressed: gone,
    };
    output.row(&together)?;
    let entries = lists.iter().enumerate().flat_map(|(list, of)| {
        (1..).zip(of.entries()).map(move |(number, entry)| (list == 1, number, entry))
    });
    for ((all_corpora, number, entry), counts) in entries.zip(&hiding.entries) {
        output.row(&HidingRow {
            number,
            all_corpora,
            since: entry.added.to_string(),
            reason: entry.reason.clone(),
            hidden: counts.rows,
            copies: counts.copies,
            documents: counts.documents,
            text: entry.text.clone(),
        })?;
    }
    let is_empty = sets.is_empty() && suppressed.is_empty();
    for row in suppressed {
        output.row(&row)?;
    }
    output.end()?;
    complete(is_empty, &unread, omissions)
}
