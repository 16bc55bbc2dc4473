//! What a review is asked for, by the command line and a file.

use std::env;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use serde::Deserialize;

use crate::cli::args::{FindArgs, KindList, MatchArgs, Matching, MeasureArgs, path};
use crate::cli::error::CliError;
use dupi_base::config::{Kind, from_toml};
use dupi_base::corpus::{self, read_stream};
use dupi_base::storage::{in_words, shown};
use dupi_index::query::filter::ReviewState;
use dupi_review::review::{ReviewPlan, ReviewedChange};
use dupi_text::token::IgnoredText;

/// Examples and exit codes, below the help of `review`.
pub(crate) const ABOUT: &str = "\
Examples:
  dupi-tui review                        what this branch adds since it left the main branch, uncommitted changes too
  dupi-tui review origin/main..HEAD      only what is committed
  dupi-tui review --staged               what the next commit adds; for a hook
  git diff main | dupi-tui review --patch -

What a row says: new-copy, a copy of what was there before; within-change, a text that the change adds several times;
one-more, a copy more of what was accepted; drifted, copies of which the change changed only some. Copies that were moved
are not new.

On a terminal the rows are shown on the screen, in the view review: r turns the state of a row (open, to fix, accepted,
taboo), v shows the change beside the original, b says which commits the lines come from. Elsewhere, or with --no-screen or an
option that is about the report, the report is printed.

Exit codes: 0 nothing that --fail-on names; 1 more than --max-new; 2 wrong use or failure. Of the screen: 0.";

/// `review`.
#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// Where the change begins: at the last common commit of HEAD and BASE, by default the main branch. It ends in the
    /// working tree, with untracked files; with `..HEAD` it ends at the last commit
    #[arg(value_name = "BASE[..HEAD]", conflicts_with_all = ["staged", "patch"])]
    pub range: Option<String>,
    /// Review what is staged for the next commit
    #[arg(long, conflicts_with = "patch")]
    pub staged: bool,
    /// Review a unified patch that is applied to the folder; `-` is standard input
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub patch: Option<PathBuf>,
    /// What makes the exit code 1 [default: new]
    #[arg(long, value_name = "WHAT")]
    pub fail_on: Option<FailOn>,
    /// The number of such rows up to which the exit code is 0 [default: 0]
    #[arg(long, value_name = "N")]
    pub max_new: Option<u64>,
    /// Only new copies of passages with at least this worth: the bits of information that keeping one copy would save
    #[arg(long, value_name = "BITS")]
    pub min_worth: Option<u64>,
    /// The fewest tokens of a passage, not counting taboo text [default: 25]
    #[arg(long, visible_alias = "min-length", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub min_tokens: Option<u32>,
    /// How alike copies are.
    #[command(flatten)]
    pub measure: MeasureArgs,
    /// How source code is compared.
    #[command(flatten)]
    pub matching: MatchArgs,
    /// Set these kinds aside, separated by commas, or `none` [default: as `passages` does]
    #[arg(long, value_name = "KINDS", value_parser = KindList::parse_or_none)]
    pub aside: Option<KindList>,
    /// Only rows in these states, separated by commas: open, fix (marked to be fixed on the screen), accepted, taboo
    /// [default: open,fix]
    #[arg(long = "state", value_name = "STATES", value_delimiter = ',', value_parser = states())]
    pub states: Option<Vec<ReviewState>>,
    /// Read decisions from this file too: what is accepted, and what is taboo
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub baseline: Option<PathBuf>,
    /// Write the decisions of the corpus and what is reported now to the baseline, as accepted
    #[arg(long)]
    pub update_baseline: bool,
    /// Read options from this file, such as the dupi.toml of a repository. It has base, fail-on, max-new, min-worth,
    /// min-tokens, aside, baseline and ignore-pattern
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub config: Option<PathBuf>,
    /// Say which commits the lines of the copies come from: of those that were changed, and of the first eight others of
    /// each row. This asks the program git
    #[arg(long)]
    pub blame: bool,
    /// Show the rows on the screen, also where a report is usual
    #[arg(long, conflicts_with = "no_screen")]
    pub screen: bool,
    /// Print the report, also on a terminal. It is printed too when standard output is no terminal, when CI is set, in a git
    /// hook, and with any option that is about the report
    #[arg(long)]
    pub no_screen: bool,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
}

impl ReviewArgs {
    /// The first option that is about the report, if one is given.
    pub fn report_option(&self) -> Option<&'static str> {
        let is_stdin = self.patch.as_deref().is_some_and(|patch| patch.as_os_str() == "-");
        let given = [
            (self.find.format.is_given, "--format, --json, --color or --hyperlink-format"),
            (self.fail_on.is_some(), "--fail-on"),
            (self.max_new.is_some(), "--max-new"),
            (self.states.is_some(), "--state"),
            (self.baseline.is_some(), "--baseline"),
            (self.update_baseline, "--update-baseline"),
            (self.config.is_some(), "--config"),
            (self.blame, "--blame"),
            (self.matching.by != Matching::Exact, "--match"),
            (self.find.target.no_update, "--no-update"),
            (is_stdin, "--patch -"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }
}

/// The states of rows by their names.
fn states() -> impl TypedValueParser<Value = ReviewState> {
    PossibleValuesParser::new(ReviewState::ALL.map(ReviewState::name))
        .map(|given| ReviewState::ALL.into_iter().find(|state| state.name() == given).unwrap_or_default())
}

/// What makes a review fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailOn {
    /// New copies
    #[default]
    New,
    /// Copies that drifted
    Drift,
    /// Both
    Any,
    /// Nothing
    Never,
}

/// The largest file of options, in bytes.
const LARGEST: u64 = 1 << 20;

/// A file of options. It is read only when it is named: a repository is not trusted.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct OptionsFile {
    base: Option<String>,
    fail_on: Option<FailOn>,
    max_new: Option<u64>,
    min_worth: Option<u64>,
    min_tokens: Option<u32>,
    aside: Option<Vec<String>>,
    baseline: Option<PathBuf>,
    ignore_pattern: Option<Vec<String>>,
}

/// What a review is asked for. The command line takes precedence over the file.
pub(super) struct ReviewOptions {
    base: Option<String>,
    pub fail_on: FailOn,
    pub max_new: u64,
    pub min_worth: u64,
    pub min_tokens: u32,
    pub aside: Option<Vec<Kind>>,
    pub baseline: Option<PathBuf>,
    pub ignored: IgnoredText,
}

impl ReviewOptions {
    /// Reads the file, if one is named.
    pub(super) fn from_args(args: &ReviewArgs) -> Result<Self, CliError> {
        let file = args.config.as_deref().map(read).transpose()?.unwrap_or_default();
        let is_of_head = args.staged || args.patch.is_some();
        let baseline = args.baseline.clone().or_else(|| {
            // Relative to the file that names it.
            let folder = args.config.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
            file.baseline.as_ref().map(|baseline| folder.join(baseline))
        });
        if args.update_baseline && baseline.is_none() {
            return Err(CliError::failed("--update-baseline needs the file: add --baseline FILE"));
        }
        let config = || shown(args.config.as_deref().unwrap_or(Path::new("")));
        let aside = file.aside.map(|names| KindList::named(names.iter().map(String::as_str))).transpose();
        let aside = aside.map_err(|error| CliError::Failed(format!("{}: aside: {error}", config())))?;
        let patterns = file.ignore_pattern.filter(|_| args.matching.ignore.is_none()).unwrap_or_default();
        let ignored = IgnoredText::new(&patterns)
            .map_err(|error| CliError::Failed(format!("{}: ignore-pattern: {error}", config())))?;
        Ok(Self {
            base: args.range.clone().or(file.base.filter(|_| !is_of_head)),
            fail_on: args.fail_on.or(file.fail_on).unwrap_or_default(),
            max_new: args.max_new.or(file.max_new).unwrap_or(0),
            min_worth: args.min_worth.or(file.min_worth).unwrap_or(0),
            min_tokens: args.min_tokens.or(file.min_tokens).unwrap_or(ReviewPlan::default().least).max(1),
            aside: args.aside.clone().or(aside).map(|kinds| kinds.0),
            baseline,
            ignored: if ignored.is_none() { args.matching.ignore.ignored()? } else { ignored },
        })
    }

    /// What is searched.
    pub(super) fn plan(&self, args: &ReviewArgs) -> Result<ReviewPlan, CliError> {
        let measure = &args.measure;
        Ok(ReviewPlan {
            change: change_of(args, self.base.clone())?,
            least: self.min_tokens,
            overlap: measure.min_overlap,
            one_sided: measure.one_sided,
            gap: measure.gap(),
            min_worth: self.min_worth,
            aside: self.aside.clone(),
        })
    }
}

fn read(path: &Path) -> Result<OptionsFile, CliError> {
    let mut bytes = Vec::new();
    let name = shown(path).to_string();
    match corpus::read(path, LARGEST, &mut bytes) {
        Ok(_) | Err(corpus::SkipReason::Empty) => {}
        Err(corpus::SkipReason::Vanished) => return Err(CliError::no_file(&name)),
        Err(reason) => return Err(CliError::File(name, reason)),
    }
    from_toml(&bytes).map_err(|wrong| CliError::Failed(format!("{name}, {wrong}; correct the file")))
}

/// The change that the arguments ask for. `base` is where it begins, by the arguments or a file of options.
fn change_of(args: &ReviewArgs, base: Option<String>) -> Result<ReviewedChange, CliError> {
    Ok(match &args.patch {
        Some(patch) => ReviewedChange::Patch(read_patch(patch)?),
        // A hook of a commit of some files only is given an index of its own.
        None if args.staged => ReviewedChange::Staged(env::var_os("GIT_INDEX_FILE").map(PathBuf::from)),
        None => ReviewedChange::Range(base),
    })
}

fn read_patch(patch: &Path) -> Result<Vec<u8>, CliError> {
    if patch.as_os_str() == "-" {
        return read_stream(io::stdin().lock()).map_err(CliError::input);
    }
    // It may be a pipe: who names it waits for what comes through it.
    File::open(patch).and_then(read_stream).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => CliError::no_file(&shown(patch).to_string()),
        _ => CliError::Failed(format!("cannot read {}: {}", shown(patch), in_words(&error))),
    })
}
