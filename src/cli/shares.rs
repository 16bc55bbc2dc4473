//! `documents` and `files`: how much of each document, or of each folder, stands elsewhere too.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::args::{AlikeArgs, FindArgs, OnlyArgs, PathGlob, PlaceArgs, path};
use super::ask::{Question, ask, hidden, in_corpus, no_document_in};
use super::error::CliError;
use super::output::{Outcome, Output};
use super::passages::{complete, find as find_passages};
use dupi_base::config::Settings;
use dupi_base::corpus::Unread;
use dupi_index::taboo::TabooSet;
use dupi_judge::kept;
use dupi_passage::bounds::Omissions;
use dupi_report::{DocumentShareRow, FolderShareRow};
use dupi_session::{Item, ListedDocument, Overview, Sort, Subject, View};

/// `documents`.
#[derive(Debug, Args)]
pub struct DocumentsArgs {
    /// Which corpus.
    #[command(flatten)]
    pub place: PlaceArgs,
    /// The order of the rows: share, partner (each next to the document that it shares the most with, in groups, the group with the
    /// most shared tokens first), tokens (duplicated ones), copies, path or recent
    #[arg(long, value_name = "BY", default_value = "share", value_parser = way(Subject::Documents))]
    pub sort: Sort,
    /// Reverse the order
    #[arg(long)]
    pub reverse: bool,
    /// Only the first N
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Only documents with at least this duplicated share: in per cent as in 90 or 90%, or as a number from 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = least_share)]
    pub min_share: Option<f64>,
    /// Only files whose path matches this pattern, such as `src/**`
    #[arg(long, value_name = "GLOB", value_parser = PathGlob::parse)]
    pub path: Option<PathGlob>,
    /// What counts.
    #[command(flatten)]
    pub alike: AlikeArgs,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}

/// `files`.
#[derive(Debug, Args)]
pub struct FilesArgs {
    /// The folder, by its path in the corpus [default: the whole corpus]
    #[arg(value_name = "FOLDER", value_parser = path())]
    pub folder: Option<PathBuf>,
    /// The number of levels to show
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..))]
    pub depth: u32,
    /// The order of the rows: share, tokens (duplicated ones), copies, documents or path
    #[arg(long, value_name = "BY", default_value = "share", value_parser = way(Subject::Files))]
    pub sort: Sort,
    /// Reverse the order
    #[arg(long)]
    pub reverse: bool,
    /// What counts.
    #[command(flatten)]
    pub alike: AlikeArgs,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}

/// Parses a share from 0 to 1. A greater number, or one with a percent sign, is in per cent.
fn least_share(given: &str) -> Result<f64, String> {
    let (number, has_sign) = given.strip_suffix('%').map_or((given, false), |number| (number, true));
    let number: Option<f64> = number.parse().ok().filter(|number| (0.0..=100.0).contains(number));
    let share = number.map(|number| if has_sign || number > 1.0 { number / 100.0 } else { number });
    share.ok_or_else(|| {
        format!("`{given}` is not a share; write per cent as in 90 or 90%, or a number from 0 to 1")
    })
}

/// The parser of `--sort` for the rows of a subject.
fn way(of: Subject) -> impl TypedValueParser<Value = Sort> {
    let ways = Sort::ways(of);
    let names = PossibleValuesParser::new(ways.iter().map(|way| way.name()));
    names.map(move |name| ways.iter().copied().find(|way| way.name() == name).unwrap_or_default())
}

/// Lists documents.
pub(super) fn documents(args: &DocumentsArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let place = args.place.place.as_deref();
    let (base, gaps, mut overview) = overview((&args.find, &args.only), place, &args.alike, settings)?;
    let view = View {
        of: Subject::Documents,
        sort: args.sort,
        is_reversed: args.reverse,
        wanted: usize::MAX,
        ..View::default()
    };
    let listing = overview.list(&view, &|| false)?;
    let is_meant = |item: &&Item| {
        args.path.as_ref().zip(document(item)).is_none_or(|(pattern, row)| pattern.matches(&row.path))
            && args.min_share.is_none_or(|least| item.share().is_some_and(|share| share >= least))
    };
    let meant = listing.rows.iter().filter(is_meant).take(args.top.unwrap_or(usize::MAX));
    let rows = meant.filter_map(document).map(DocumentShareRow::from);
    let is_empty = Output::begin_on(&args.find.format, &base)?.all(rows)?;
    gaps.complete(is_empty)
}

/// Lists what lies in a folder.
pub(super) fn files(args: &FilesArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let (base, gaps, mut overview) = overview((&args.find, &args.only), None, &args.alike, settings)?;
    let mut view = View {
        of: Subject::Files,
        sort: args.sort,
        is_reversed: args.reverse,
        wanted: usize::MAX,
        ..View::default()
    };
    let given = args.folder.as_deref();
    let path = given.map_or(PathBuf::new(), |folder| in_corpus(folder, &base));
    let Some(folder) = overview.row(&path) else {
        return given.map_or(gaps.complete(true), |folder| Err(no_document_in(folder)));
    };
    let mut rows = Vec::new();
    // What is still to be shown, the next last, and how deep it lies.
    let mut open = vec![(folder, 0)];
    while let Some((row, depth)) = open.pop() {
        if row.is_folder && depth < args.depth {
            view.folder.clone_from(&row.path);
            let inside = overview.list(&view, &|| false)?.rows.into_iter().rev();
            open.extend(inside.filter_map(|item| match item {
                Item::Folder(row) => Some(((*row).clone(), depth + 1)),
                _ => None,
            }));
        }
        rows.push(row);
    }
    let rows = rows.iter().map(FolderShareRow::from);
    Output::begin_on(&args.find.format, &base)?.all(rows)?;
    gaps.complete(false)
}

/// Looks for passages, and for what they say about documents; with the corpus's base and what could not be read.
fn overview(
    (find, only): (&FindArgs, &OnlyArgs),
    place: Option<&Path>,
    alike: &AlikeArgs,
    settings: &Settings,
) -> Result<(PathBuf, Gaps, Overview), CliError> {
    let question = Question::new(place, only);
    let (place, snapshot) = ask(&find.target, settings, question)?;
    let taboo = if alike.taboo { TabooSet::default() } else { hidden(&place, &snapshot)? };
    let (passages, wanted) = find_passages(&place, &snapshot, alike)?;
    kept::know_hidden(&snapshot, &wanted, &passages, &taboo, alike.min_tokens);
    let gaps = Gaps { unread: snapshot.unread().clone(), omissions: passages.omissions };
    Ok((place.corpus.base, gaps, Overview::new(snapshot, passages, wanted, taboo)))
}

fn document(item: &Item) -> Option<&ListedDocument> {
    if let Item::Document(row) = item { Some(row) } else { None }
}

/// What an answer may lack.
struct Gaps {
    unread: Unread,
    omissions: Omissions,
}

impl Gaps {
    fn complete(self, is_empty: bool) -> Result<Outcome, CliError> {
        complete(is_empty, &self.unread, self.omissions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_may_be_given_per_cent() {
        for (given, share) in
            [("90", 0.9), ("90%", 0.9), ("0.9", 0.9), ("1", 1.0), ("1%", 0.01), ("0", 0.0), ("100", 1.0)]
        {
            assert_eq!(least_share(given), Ok(share), "{given}");
        }
        for wrong in ["101", "-1", "half", "", "%", "nan"] {
            assert!(least_share(wrong).unwrap_err().contains("90%"), "{wrong}");
        }
    }
}
