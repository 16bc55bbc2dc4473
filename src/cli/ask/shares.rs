//! `documents` and `files`: how much of each document, or of each folder, stands elsewhere too.

use std::path::{Component, Path, PathBuf};

use super::passages::{complete, find as find_passages};
use super::{ask, hidden};
use crate::cli::args::{AlikeArgs, DocumentsArgs, FilesArgs, FindArgs};
use crate::cli::output::Output;
use crate::cli::table::table;
use crate::cli::{CliError, Outcome};
use crate::config::Settings;
use crate::passage::bounds::LeftOut;
use crate::passage::found::Order;
use crate::report::{DocumentShareRow, FolderShareRow, one_line};
use crate::session::overview::Overview;
use crate::session::{DocumentRow, FolderRow, Item, Subject, View};
use crate::taboo::TabooSet;

/// Paths are cut after so many characters.
const PATH: usize = 400;

/// Lists documents.
pub fn documents(args: &DocumentsArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let (_, mut overview, left_out) = overview(&args.find, &args.alike, settings)?;
    let view = View { of: Subject::Documents, sort: args.sort, wanted: usize::MAX, ..View::default() };
    let listing = overview.list(&view, &|| false)?;
    let is_meant = |item: &&Item| {
        args.path.as_ref().zip(document(item)).is_none_or(|(pattern, row)| pattern.matches(&row.path))
            && args.min_share.is_none_or(|least| item.share().is_some_and(|share| share >= least))
    };
    let meant = listing.rows.iter().filter(is_meant).take(args.top.unwrap_or(usize::MAX));
    let rows: Vec<DocumentShareRow> = meant.filter_map(document).map(DocumentShareRow::from).collect();
    let mut output = Output::new(args.find.json);
    if args.find.json {
        rows.iter().try_for_each(|row| output.item(row, |_| String::new()))?;
    } else if !rows.is_empty() {
        let headings = [">share", ">duplicated", ">tokens", ">copies", "document", ">shared", "partner"];
        output.text(&table(&headings, &rows.iter().map(cells).collect::<Vec<_>>()))?;
    }
    output.finish()?;
    complete(if rows.is_empty() { Outcome::Nothing } else { Outcome::Done }, left_out)
}

/// Lists what lies in a folder.
pub fn files(args: &FilesArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let (base, mut overview, left_out) = overview(&args.find, &args.alike, settings)?;
    let mut view = View { of: Subject::Files, sort: args.sort, wanted: usize::MAX, ..View::default() };
    let Some(folder) = overview.row(&named(args, &base)) else {
        return match &args.folder {
            None => Ok(Outcome::Nothing),
            Some(folder) => Err(CliError::Usage(format!(
                "no document lies in {}; name a folder or file as `dupi-tui files` prints it",
                folder.display()
            ))),
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
    let mut output = Output::new(args.find.json);
    if args.find.json {
        rows.iter().try_for_each(|row| output.item(&FolderShareRow::from(row), |_| String::new()))?;
    } else {
        let headings = [">share", ">duplicated", ">tokens", ">copies", ">documents", "path"];
        output.text(&table(&headings, &rows.iter().map(folder_cells).collect::<Vec<_>>()))?;
    }
    output.finish()?;
    complete(Outcome::Done, left_out)
}

/// The folder that is meant, relative to the corpus's base.
fn named(args: &FilesArgs, base: &Path) -> PathBuf {
    let Some(folder) = &args.folder else { return PathBuf::new() };
    let below = folder.strip_prefix(base).unwrap_or(folder);
    below.components().filter(|name| *name != Component::CurDir).collect()
}

/// Looks for passages, and for what they say about documents; with the corpus's base.
fn overview(
    find: &FindArgs,
    alike: &AlikeArgs,
    settings: &Settings,
) -> Result<(PathBuf, Overview, LeftOut), CliError> {
    let (place, snapshot) = ask(find, settings)?;
    let taboo = if alike.taboo { TabooSet::default() } else { hidden(&place, &snapshot)? };
    let (passages, wanted) = find_passages(&place, &snapshot, alike, &taboo, Order::default())?;
    let left_out = passages.left_out;
    Ok((place.corpus.base, Overview::new(snapshot, passages, wanted), left_out))
}

fn document(item: &Item) -> Option<&DocumentRow> {
    if let Item::Document(row) = item { Some(row) } else { None }
}

fn cells(row: &DocumentShareRow) -> Vec<String> {
    let partner = row.partner.as_ref();
    vec![
        percent(row.duplicated, row.tokens),
        row.duplicated.to_string(),
        row.tokens.to_string(),
        row.copies.to_string(),
        one_line(&row.path.0, PATH),
        partner.map(|partner| partner.tokens.to_string()).unwrap_or_default(),
        partner.map(|partner| one_line(&partner.path.0, PATH)).unwrap_or_default(),
    ]
}

fn folder_cells(row: &FolderRow) -> Vec<String> {
    let path = one_line(&row.path.to_string_lossy(), PATH);
    let is_all = row.path == Path::new("");
    vec![
        percent(row.duplicated, row.tokens),
        row.duplicated.to_string(),
        row.tokens.to_string(),
        row.copies.to_string(),
        row.documents.to_string(),
        if is_all { ".".to_owned() } else { path + if row.is_folder { "/" } else { "" } },
    ]
}

/// A share; what is not all is never 100 %.
fn percent(part: u64, of: u64) -> String {
    let thousandths = part * 1000 / of.max(1);
    format!("{}.{} %", thousandths / 10, thousandths % 10)
}
