//! `documents` and `files`: how much of each document, or of each folder, stands elsewhere too.

use std::path::{Path, PathBuf};

use super::passages::{complete, find as find_passages};
use super::{ask, hidden, in_corpus, no_document_in};
use crate::cli::args::{AlikeArgs, DocumentsArgs, FilesArgs, FindArgs, OnlyArgs};
use crate::cli::error::CliError;
use crate::cli::outcome::Outcome;
use crate::cli::output::Output;
use dupi_base::config::Settings;
use dupi_base::corpus::Unread;
use dupi_index::taboo::TabooSet;
use dupi_judge::kept;
use dupi_passage::bounds::Omissions;
use dupi_report::{DocumentShareRow, FolderShareRow, ReportRow};
use dupi_session::{Item, ListedDocument, Overview, Subject, View};

/// Lists documents.
pub(crate) fn documents(args: &DocumentsArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let (base, gaps, mut overview) =
        overview((&args.find, &args.only), args.place.as_deref(), &args.alike, settings)?;
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
    let rows = meant.filter_map(document).map(DocumentShareRow::from).map(ReportRow::Document);
    let is_empty = Output::begin_on(&args.find.format, &base)?.all(rows)?;
    gaps.complete(is_empty)
}

/// Lists what lies in a folder.
pub(crate) fn files(args: &FilesArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let (base, gaps, mut overview) = overview((&args.find, &args.only), None, &args.alike, settings)?;
    let mut view = View {
        of: Subject::Files,
        sort: args.sort,
        is_reversed: args.reverse,
        wanted: usize::MAX,
        ..View::default()
    };
    let Some(folder) = overview.row(&named(args, &base)) else {
        return match &args.folder {
            None => gaps.complete(true),
            Some(folder) => Err(no_document_in(folder)),
        };
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
    let rows = rows.iter().map(FolderShareRow::from).map(ReportRow::Folder);
    Output::begin_on(&args.find.format, &base)?.all(rows)?;
    gaps.complete(false)
}

/// The folder that is meant, relative to the corpus's base.
fn named(args: &FilesArgs, base: &Path) -> PathBuf {
    args.folder.as_ref().map_or(PathBuf::new(), |folder| in_corpus(folder, base))
}

/// Looks for passages, and for what they say about documents; with the corpus's base and what could not be read.
fn overview(
    (find, only): (&FindArgs, &OnlyArgs),
    place: Option<&Path>,
    alike: &AlikeArgs,
    settings: &Settings,
) -> Result<(PathBuf, Gaps, Overview), CliError> {
    let (place, snapshot) = ask(find, Some(only), place, settings)?;
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
