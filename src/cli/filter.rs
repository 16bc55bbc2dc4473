//! `filter`: the saved filters from a script, and filters as other verbs are given them.

use super::args::{FilterListArgs, FilterRemoveArgs, FilterSaveArgs, FilterVerb};
use super::error::CliError;
use super::outcome::Outcome;
use super::output::{Output, say};
use crate::config::{Places, SavedFilters};
use crate::query::filter::names::TermKind;
use crate::query::filter::{Filter, parse_for};
use crate::report::{FilterRow, ReportRow};
use crate::session::Subject;
use crate::storage::one_line;

/// Runs a verb of `filter`.
pub fn run(verb: &FilterVerb) -> Result<Outcome, CliError> {
    match verb {
        FilterVerb::List(args) => list(args),
        FilterVerb::Save(args) => save(args),
        FilterVerb::Remove(args) => remove(args),
    }
}

/// A filter that a verb was given for rows of a subject; what cannot be understood of it is an error.
pub fn given(text: Option<&str>, of: Subject) -> Result<Filter, CliError> {
    let Some(text) = text else { return Ok(Filter::default()) };
    // Without a home folder nothing can have been saved.
    let saved = match Places::find() {
        Ok(places) => SavedFilters::load(&places.user())?,
        Err(_) => SavedFilters::default(),
    };
    understood(text, &saved, of.lacks())
}

fn understood(text: &str, saved: &SavedFilters, lacking: &[TermKind]) -> Result<Filter, CliError> {
    let (filter, problems) = parse_for(text, saved, lacking);
    match problems.first() {
        // Nobody would find the place in as much as that.
        Some(problem) if text.len() > Filter::MAX_BYTES => Err(CliError::Filter(problem.to_string())),
        Some(problem) => Err(CliError::Filter(format!("{problem}\n{}", problem.pointed_out(text)))),
        None => Ok(filter),
    }
}

fn list(args: &FilterListArgs) -> Result<Outcome, CliError> {
    let saved = SavedFilters::load(&Places::find()?.user())?;
    let mut output = Output::begin(args.format)?;
    for (name, filter) in saved.iter() {
        let row = FilterRow { name: name.to_owned(), filter: filter.to_owned() };
        output.row(&ReportRow::Filter(row))?;
    }
    output.end()?;
    Ok(if saved == SavedFilters::default() { Outcome::Nothing } else { Outcome::Done })
}

/// Saves a filter only when it is understood together with all that are saved: what holds itself is refused here.
fn save(args: &FilterSaveArgs) -> Result<Outcome, CliError> {
    let user = Places::find()?.user();
    let saved = SavedFilters::load(&user)?;
    let with = saved.iter().map(|(name, text)| (name.to_owned(), text.to_owned()));
    let with: SavedFilters = with.chain([(args.name.clone(), args.text.clone())]).collect();
    understood(&args.text, &with, &[])?;
    SavedFilters::save(&user, &args.name, &args.text)?;
    Ok(Outcome::Done)
}

fn remove(args: &FilterRemoveArgs) -> Result<Outcome, CliError> {
    let (_, removed) = SavedFilters::remove(&Places::find()?.user(), &args.name)?;
    let Some(text) = removed else { return Ok(Outcome::Nothing) };
    say(&format!("removed: {}\n", one_line(&text, 100)))?;
    Ok(Outcome::Done)
}
