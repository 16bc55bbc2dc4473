//! `filter`: edits the saved filters. Also parses the `--filter` option of other verbs.

use clap::{Args, Subcommand};

use super::args::PlainFormatArgs;
use super::error::CliError;
use super::output::{Outcome, Output, say};
use dupi_base::config::{ProgramFolders, SavedFilters};
use dupi_base::storage::one_line;
use dupi_index::query::filter::names::{NAMES, TermKind};
use dupi_index::query::filter::{Filter, parse_for};
use dupi_report::FilterRow;
use dupi_session::Subject;

/// The help text on the filter language.
pub(super) fn language() -> String {
    let names = NAMES.map(|name| format!("  {:<24} {}\n", name.example, name.about));
    format!(
        "A filter is a list of terms separated by white space. A row passes when all of them hold:\n  \
           {:<24} in the text or a path, also misspelt\n  \
           {:<24} exactly this text\n  \
           {:<24} a saved filter\n  \
           {:<24} negation\n{}\n\
         Numbers: copies:>5 copies:>=5 copies:<5 copies:5 copies:2..10. Quotes keep white space: path:\"my texts/**\".",
        "kfree",
        "'kfree \"all rights\"",
        "@mine",
        "-path:vendor",
        names.concat()
    )
}

/// `filter`.
#[derive(Debug, Subcommand)]
pub enum FilterVerb {
    /// List the saved filters
    List(FilterListArgs),
    /// Save a filter under a name, replacing one with that name
    Save(FilterSaveArgs),
    /// Remove a saved filter
    Remove(FilterRemoveArgs),
}

/// `filter list`.
#[derive(Debug, Args)]
pub struct FilterListArgs {
    /// How to print the rows.
    #[command(flatten)]
    pub format: PlainFormatArgs,
}

/// `filter save`.
#[derive(Debug, Args)]
pub struct FilterSaveArgs {
    /// The name: letters, digits, - and _
    pub name: String,
    /// The filter, such as `ext:c copies:>5 -path:vendor`
    #[arg(value_name = "FILTER", allow_hyphen_values = true)]
    pub text: String,
}

/// `filter remove`.
#[derive(Debug, Args)]
pub struct FilterRemoveArgs {
    /// The name
    pub name: String,
}

/// Runs a verb of `filter`.
pub(super) fn run(verb: &FilterVerb) -> Result<Outcome, CliError> {
    match verb {
        FilterVerb::List(args) => list(args),
        FilterVerb::Save(args) => save(args),
        FilterVerb::Remove(args) => remove(args),
    }
}

/// Parses the filter option of a verb for the rows of a subject. A problem in it is an error.
pub(super) fn given(text: Option<&str>, of: Subject) -> Result<Filter, CliError> {
    let Some(text) = text else { return Ok(Filter::default()) };
    // Without a home folder there are no saved filters.
    let saved = match ProgramFolders::find() {
        Ok(places) => SavedFilters::load(&places.user())?,
        Err(_) => SavedFilters::default(),
    };
    understood(text, &saved, of.lacks())
}

fn understood(text: &str, saved: &SavedFilters, lacking: &[TermKind]) -> Result<Filter, CliError> {
    let (filter, problems) = parse_for(text, saved, lacking);
    match problems.first() {
        // The filter is too long to show the position in it.
        Some(problem) if text.len() > Filter::MAX_BYTES => Err(CliError::Failed(problem.to_string())),
        Some(problem) => Err(CliError::Failed(format!("{problem}\n{}", problem.pointed_out(text)))),
        None => Ok(filter),
    }
}

fn list(args: &FilterListArgs) -> Result<Outcome, CliError> {
    let saved = SavedFilters::load(&ProgramFolders::find()?.user())?;
    let rows =
        saved.iter().map(|(name, filter)| FilterRow { name: name.to_owned(), filter: filter.to_owned() });
    Output::list(&args.format, rows)
}

/// Saves a filter if it is valid together with all saved filters. A filter that contains itself is rejected here.
fn save(args: &FilterSaveArgs) -> Result<Outcome, CliError> {
    let user = ProgramFolders::find()?.user();
    let saved = SavedFilters::load(&user)?;
    let with = saved.iter().map(|(name, text)| (name.to_owned(), text.to_owned()));
    let with: SavedFilters = with.chain([(args.name.clone(), args.text.clone())]).collect();
    understood(&args.text, &with, &[])?;
    SavedFilters::save(&user, &args.name, &args.text)?;
    Ok(Outcome::Done)
}

fn remove(args: &FilterRemoveArgs) -> Result<Outcome, CliError> {
    let (_, removed) = SavedFilters::remove(&ProgramFolders::find()?.user(), &args.name)?;
    let Some(text) = removed else { return Ok(Outcome::Nothing) };
    say(&format!("removed: {}\n", one_line(&text, 100)))?;
    Ok(Outcome::Done)
}
