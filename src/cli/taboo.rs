//! `taboo`: edits the taboo lists: that of a corpus, and that of the user; undoes and redoes all decisions. Only `add` and
//! `report` read the index; the other verbs need only the list.

mod report;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::args::{HomeArgs, ListArgs, TargetArgs, path};
use super::ask::Given;
use super::decisions::{numbered, short};
use super::error::CliError;
use super::output::{Outcome, Output, print_exact, say, tell};
use super::progress::{Terminal, Then};
use super::target::{CorpusTarget, folders_of};
use dupi_base::config::Settings;
use dupi_base::corpus::read_stream;
use dupi_base::storage::{in_words, shown, typed_path};
use dupi_index::query::unblot::unblot;
use dupi_index::taboo::{TabooEntry, TabooList, TabooScope, TabooSet, today};
use dupi_report::{DecisionRow, TabooRow};
use dupi_text::blot::Blot;
use dupi_text::token::Language;
use report::TabooReportArgs;

/// `taboo`.
#[derive(Debug, Subcommand)]
pub enum TabooVerb {
    /// Hide a text: an argument, the text of a blot or a file, or standard input (`-`)
    Add(Box<TabooAddArgs>),
    /// List the hidden texts
    List(TabooListArgs),
    /// Show a text again, given its number in the list or the text itself
    Remove(TabooRemoveArgs),
    /// Write the list to a file, or to standard output (`-`)
    Export(TabooFileArgs),
    /// Add the entries of a list
    Import(TabooFileArgs),
    /// Set the reason of an entry; an empty one removes it
    Reason(TabooReasonArgs),
    /// Undo the last decision that is not undone yet, whether taken here or in the terminal UI, for this or all corpora
    Undo(HomeArgs),
    /// Redo the decision that was undone last
    Redo(HomeArgs),
    /// Report how many passages are hidden, by which texts, why and since when
    Report(Box<TabooReportArgs>),
    /// List the decisions that can be undone or redone, the oldest first
    Log(ListArgs),
}

/// `taboo reason`.
#[derive(Debug, Args)]
pub struct TabooReasonArgs {
    /// A number from `taboo list`, or a text
    pub entry: String,
    /// The reason
    pub reason: String,
    /// Which list.
    #[command(flatten)]
    pub list: TabooHomeArgs,
}

/// `taboo add`.
#[derive(Debug, Args)]
pub struct TabooAddArgs {
    /// The text, or a file with the text, such as a licence; `-` reads it from standard input
    #[arg(required_unless_present_any = ["blot", "file"], conflicts_with_all = ["blot", "file"])]
    pub text: Option<String>,
    /// Hide the text of a blot
    #[arg(long, conflicts_with = "file")]
    pub blot: Option<Blot>,
    /// Hide the text of a file, such as a licence
    #[arg(long, value_parser = path())]
    pub file: Option<PathBuf>,
    /// The reason, for readers of the list
    #[arg(long)]
    pub reason: Option<String>,
    /// Hide it in all corpora: add it to the list of your own
    #[arg(long)]
    pub user: bool,
    /// Which corpus.
    #[command(flatten)]
    pub target: TargetArgs,
}

/// `taboo list`.
#[derive(Debug, Args)]
pub struct TabooListArgs {
    /// The list of your own, which applies to all corpora
    #[arg(long)]
    pub user: bool,
    /// Which list, and how it is printed.
    #[command(flatten)]
    pub list: ListArgs,
}

/// `taboo remove`.
#[derive(Debug, Args)]
pub struct TabooRemoveArgs {
    /// A number from `taboo list`, or a text
    pub entry: String,
    /// Which list.
    #[command(flatten)]
    pub list: TabooHomeArgs,
}

/// `taboo export` and `taboo import`.
#[derive(Debug, Args)]
pub struct TabooFileArgs {
    /// The file; `-` is standard output, or input
    #[arg(value_parser = path())]
    pub file: PathBuf,
    /// Which list.
    #[command(flatten)]
    pub list: TabooHomeArgs,
}

/// Which taboo list.
#[derive(Debug, Args)]
pub struct TabooHomeArgs {
    /// The list of your own, which applies to all corpora
    #[arg(long)]
    pub user: bool,
    /// Which corpus.
    #[command(flatten)]
    pub home: HomeArgs,
}

/// Runs a verb of `taboo`.
pub(super) fn run(verb: &TabooVerb, settings: &Settings) -> Result<Outcome, CliError> {
    match verb {
        TabooVerb::Add(args) => add(args, settings),
        TabooVerb::List(args) => list(args),
        TabooVerb::Remove(args) => remove(args),
        TabooVerb::Export(args) => export(args),
        TabooVerb::Import(args) => import(args),
        TabooVerb::Reason(args) => reason(args),
        TabooVerb::Undo(args) => turn(args, true),
        TabooVerb::Redo(args) => turn(args, false),
        TabooVerb::Log(args) => log(args),
        TabooVerb::Report(args) => report::report(args, settings),
    }
}

fn add(args: &TabooAddArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let place = CorpusTarget::of_verb(&args.target, None, settings)?;
    let (text, language) = match (&args.blot, &args.file, &args.text) {
        (Some(blot), _, _) => {
            let terminal = Terminal::new(true, Then::Answer)?;
            let snapshot = place.snapshot(args.target.no_update, &terminal)?;
            let Some(snippet) = unblot(&snapshot, *blot)?.into_iter().next() else {
                return Outcome::from_answer(true, snapshot.unread());
            };
            let path = snippet.occurrences.first().map(|at| at.path.clone()).unwrap_or_default();
            (snippet.text, Language::detect(&path, ""))
        }
        (_, Some(file), _) => document(file)?,
        (_, _, Some(text)) if is_file(text) => document(&typed_path(OsStr::new(text)))?,
        (_, _, Some(text)) if text != "-" => (text.clone(), None),
        _ => (Given::read(Path::new("-"))?.text, None),
    };
    if text.trim().is_empty() {
        return Err(CliError::failed("the text is empty; give a text with some words"));
    }
    let entry = TabooEntry {
        text,
        added: today(),
        reason: args.reason.clone(),
        language: language.map(|language| language.name().to_owned()),
    };
    let recipe = place.recipe()?;
    let is_short = TabooSet::from_entry(&entry, &recipe).blots().next().is_none();
    let (list, is_new) = place.folders().edit_taboo(scope(args.user), |list| list.add(entry))?;
    match is_new {
        true => say(&format!("added as number {}\n", list.entries().len()))?,
        false => say("it is already on the list\n")?,
    }
    if is_short {
        let tile = recipe.tile_tokens();
        say(&format!("it hides nothing: a text must have at least {tile} tokens to have an effect\n"))?;
    }
    Ok(Outcome::Done)
}

/// Whether an argument is the name of a file, whose text is then used.
fn is_file(text: &str) -> bool {
    text.len() < 4096 && typed_path(OsStr::new(text)).is_file()
}

/// The text of a file, and its language.
fn document(file: &Path) -> Result<(String, Option<Language>), CliError> {
    let text = Given::read(file)?.text;
    let language = Language::detect(file, &text);
    Ok((text, language))
}

/// Which list is meant.
fn scope(user: bool) -> TabooScope {
    if user { TabooScope::User } else { TabooScope::Corpus }
}

/// A list as it is now.
fn load(home: &HomeArgs, user: bool) -> Result<TabooList, CliError> {
    Ok(TabooList::load(folders_of(home)?.folder(scope(user))?)?)
}

/// Changes a list.
fn edit<T>(list: &TabooHomeArgs, change: impl FnOnce(&mut TabooList) -> T) -> Result<T, CliError> {
    let (_, changed) = folders_of(&list.home)?.edit_taboo(scope(list.user), change)?;
    Ok(changed)
}

fn list(args: &TabooListArgs) -> Result<Outcome, CliError> {
    let list = load(&args.list.home, args.user)?;
    let rows = (1..).zip(list.entries()).map(|(number, entry)| {
        let TabooEntry { text, added, reason, .. } = entry.clone();
        TabooRow { number, added: added.to_string(), reason, text }
    });
    Output::list(&args.list.format, rows)
}

/// The entry with this number in the list, or with this text.
fn named(list: &TabooList, name: &str) -> Option<TabooEntry> {
    numbered(list, name).or_else(|| list.get(name)).cloned()
}

fn reason(args: &TabooReasonArgs) -> Result<Outcome, CliError> {
    let changed = edit(&args.list, |list| {
        let entry = named(list, &args.entry)?;
        let reason = Some(args.reason.clone()).filter(|reason| !reason.trim().is_empty());
        list.replace(&entry, TabooEntry { reason, ..entry.clone() })
    })?;
    Ok(if changed.is_some() { Outcome::Done } else { Outcome::Nothing })
}

/// Undoes a decision, or redoes it.
fn turn(args: &HomeArgs, back: bool) -> Result<Outcome, CliError> {
    let folders = folders_of(args)?;
    folders.repair_journals()?.iter().for_each(tell);
    let turned = if back { folders.undo()? } else { folders.redo()? };
    let Some(steps) = turned else { return Ok(Outcome::Nothing) };
    let (_, gone) = steps.changed();
    let verb = if back { "undone" } else { "redone" };
    let by_hand = if gone > 0 { "; later changes by hand were kept" } else { "" };
    // The other lists have their effect without an update.
    let is_of_files = steps.has(|step| !step.excluded.is_empty());
    let later = if is_of_files { "; the index follows with its next update" } else { "" };
    say(&format!("{verb}: {}{by_hand}{later}\n", short(&steps.words())))?;
    Ok(Outcome::Done)
}

fn log(args: &ListArgs) -> Result<Outcome, CliError> {
    let folders = folders_of(&args.home)?;
    folders.repair_journals()?.iter().for_each(tell);
    let rows = folders.log()?.into_iter().map(|(scope, step)| DecisionRow::new(scope, step));
    Output::list(&args.format, rows)
}

fn remove(args: &TabooRemoveArgs) -> Result<Outcome, CliError> {
    let removed = edit(&args.list, |list| {
        let entry = named(list, &args.entry)?;
        list.take(&entry)
    })?;
    let Some(entry) = removed else { return Ok(Outcome::Nothing) };
    say(&format!("removed: {}\n", short(&entry.text)))?;
    Ok(Outcome::Done)
}

fn export(args: &TabooFileArgs) -> Result<Outcome, CliError> {
    let failed = CliError::write(&args.file);
    let text = load(&args.list.home, args.list.user)?.to_text().map_err(failed)?;
    if args.file.as_os_str() == "-" {
        print_exact(&text)?;
    } else {
        fs::write(&args.file, text).map_err(failed)?;
    }
    Ok(Outcome::Done)
}

fn import(args: &TabooFileArgs) -> Result<Outcome, CliError> {
    let (from, bytes) = if args.file.as_os_str() == "-" {
        ("standard input".to_owned(), read_stream(io::stdin().lock()).map_err(CliError::input)?)
    } else {
        let name = shown(&args.file).to_string();
        let bytes = File::open(&args.file).and_then(read_stream).map_err(|error| {
            let why = match error.kind() {
                ErrorKind::IsADirectory => "it is a folder".to_owned(),
                _ => in_words(&error),
            };
            CliError::Failed(format!("cannot read {name}: {why}; check the path and its permissions"))
        })?;
        (name, bytes)
    };
    let imported = TabooList::import(&from, &bytes)?;
    let added = edit(&args.list, |list| list.add_all(imported.entries().iter().cloned()))?;
    say(&format!("{added} of {} entries were new\n", imported.entries().len()))?;
    Ok(Outcome::Done)
}
