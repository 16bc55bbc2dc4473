//! `taboo`: edits the taboo lists: that of a corpus, and that of the user.

mod report;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;

use super::args::{
    HomeArgs, ListArgs, TabooAddArgs, TabooFileArgs, TabooListArgs, TabooReasonArgs, TabooRemoveArgs,
    TabooVerb,
};
use super::ask::Given;
use super::error::CliError;
use super::messages::tell;
use super::outcome::Outcome;
use super::output::{Output, print_exact, say};
use super::progress::{Terminal, Then};
use super::target::{CorpusTarget, folders_of};
use dupi_base::config::Settings;
use dupi_base::corpus::read_stream;
use dupi_base::storage::{in_words, one_line, shown, typed_path};
use dupi_index::query::unblot::unblot;
use dupi_index::taboo::{TabooEntry, TabooList, TabooScope, TabooSet, today};
use dupi_report::{DecisionRow, ReportRow, TabooRow};
use dupi_text::token::Language;

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
            let terminal = Terminal::new(true, Then::Answer).map_err(CliError::Signals)?;
            let snapshot = place.snapshot(args.target.no_update, &terminal)?;
            let Some(snippet) = unblot(&snapshot, *blot)?.into_iter().next() else {
                return Outcome::of(true, snapshot.unread());
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
        return Err(CliError::Usage("the text is empty; give a text with some words".to_owned()));
    }
    let entry = TabooEntry {
        text,
        added: today(),
        reason: args.reason.clone(),
        language: language.map(|language| language.name().to_owned()),
    };
    let recipe = place.recipe()?;
    let is_short = TabooSet::new(&[entry.clone()].into_iter().collect(), &recipe).blots().next().is_none();
    let (list, is_new) = place.folders().edit_taboo(scope(args.user), |list| list.add(entry))?;
    if is_new {
        say(&format!("added as number {}\n", list.entries().len()))?;
    } else {
        say("it is already on the list\n")?;
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
    Ok(TabooList::load(folders_of(home)?.of(scope(user))?)?)
}

/// Changes a list.
fn edit<T>(home: &HomeArgs, user: bool, change: impl FnOnce(&mut TabooList) -> T) -> Result<T, CliError> {
    let (_, changed) = folders_of(home)?.edit_taboo(scope(user), change)?;
    Ok(changed)
}

fn list(args: &TabooListArgs) -> Result<Outcome, CliError> {
    let list = load(&args.list.home, args.user)?;
    let rows = (1..).zip(list.entries()).map(|(number, entry)| {
        let TabooEntry { text, added, reason, .. } = entry.clone();
        ReportRow::Taboo(TabooRow { number, added: added.to_string(), reason, text })
    });
    Output::list(&args.list.format, rows)
}

/// The entry with this number in the list, or with this text.
fn named(list: &TabooList, name: &str) -> Option<TabooEntry> {
    let by_number = name.parse::<usize>().ok().and_then(|number| list.entries().get(number.checked_sub(1)?));
    by_number.or_else(|| list.get(name)).cloned()
}

fn reason(args: &TabooReasonArgs) -> Result<Outcome, CliError> {
    let changed = edit(&args.home, args.user, |list| {
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
    say(&format!("{verb}: {}{by_hand}{later}\n", one_line(&steps.words(), 100)))?;
    Ok(Outcome::Done)
}

fn log(args: &ListArgs) -> Result<Outcome, CliError> {
    let folders = folders_of(&args.home)?;
    folders.repair_journals()?.iter().for_each(tell);
    let rows = folders.log()?.into_iter().map(|(scope, step)| DecisionRow::new(scope, step));
    Output::list(&args.format, rows.map(ReportRow::Decision))
}

fn remove(args: &TabooRemoveArgs) -> Result<Outcome, CliError> {
    let removed = edit(&args.home, args.user, |list| {
        let entry = named(list, &args.entry)?;
        list.take(&entry)
    })?;
    let Some(entry) = removed else { return Ok(Outcome::Nothing) };
    say(&format!("removed: {}\n", one_line(&entry.text, 100)))?;
    Ok(Outcome::Done)
}

fn export(args: &TabooFileArgs) -> Result<Outcome, CliError> {
    let failed = |error| CliError::Write(shown(&args.file).to_string(), error);
    let text = load(&args.home, args.user)?.to_text().map_err(failed)?;
    if args.file.as_os_str() == "-" {
        print_exact(&text)?;
    } else {
        fs::write(&args.file, text).map_err(failed)?;
    }
    Ok(Outcome::Done)
}

fn import(args: &TabooFileArgs) -> Result<Outcome, CliError> {
    let is_input = args.file.as_os_str() == "-";
    let bytes = if is_input {
        read_stream(io::stdin().lock()).map_err(CliError::Input)?
    } else {
        let failed = |error: io::Error| {
            let why = match error.kind() {
                ErrorKind::IsADirectory => "it is a folder".to_owned(),
                _ => in_words(&error),
            };
            CliError::Usage(format!(
                "cannot read {}: {why}; check the path and its permissions",
                shown(&args.file)
            ))
        };
        File::open(&args.file).and_then(read_stream).map_err(failed)?
    };
    let from = if is_input { "standard input".to_owned() } else { shown(&args.file).to_string() };
    let imported = TabooList::import(&from, &bytes)?;
    let added = edit(&args.home, args.user, |list| list.add_all(imported.entries().iter().cloned()))?;
    say(&format!("{added} of {} entries were new\n", imported.entries().len()))?;
    Ok(Outcome::Done)
}
