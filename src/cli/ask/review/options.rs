//! What a review is asked for, by the command line and a file.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::source::change_of;
use crate::cli::args::{FailOn, KindList, ReviewArgs};
use crate::cli::error::CliError;
use dupi_base::config::{Kind, from_toml};
use dupi_base::corpus;
use dupi_base::storage::shown;
use dupi_review::review::ReviewPlan;
use dupi_text::token::IgnoredText;

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
    pub base: Option<String>,
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
    pub(super) fn of(args: &ReviewArgs) -> Result<Self, CliError> {
        let file = args.config.as_deref().map(read).transpose()?.unwrap_or_default();
        let is_of_head = args.staged || args.patch.is_some();
        let baseline = args.baseline.clone().or_else(|| {
            // Relative to the file that names it.
            let folder = args.config.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
            file.baseline.as_ref().map(|baseline| folder.join(baseline))
        });
        if args.update_baseline && baseline.is_none() {
            return Err(CliError::Usage("--update-baseline needs the file: add --baseline FILE".to_owned()));
        }
        let named = file.aside.map(|names| KindList::named(&names)).transpose();
        let named = named.map_err(|error| {
            let config = args.config.clone().unwrap_or_default();
            CliError::Usage(format!("{}: aside: {error}", shown(&config)))
        })?;
        let patterns = file.ignore_pattern.filter(|_| args.matching.ignore.is_none()).unwrap_or_default();
        let ignored = IgnoredText::new(&patterns).map_err(|error| {
            let config = args.config.clone().unwrap_or_default();
            CliError::Usage(format!("{}: ignore-pattern: {error}", shown(&config)))
        })?;
        Ok(Self {
            base: args.range.clone().or(file.base.filter(|_| !is_of_head)),
            fail_on: args.fail_on.or(file.fail_on).unwrap_or_default(),
            max_new: args.max_new.or(file.max_new).unwrap_or(0),
            min_worth: args.min_worth.or(file.min_worth).unwrap_or(0),
            min_tokens: args.min_tokens.or(file.min_tokens).unwrap_or(ReviewPlan::default().least).max(1),
            aside: args.aside.clone().map(|kinds| kinds.0).or(named),
            baseline,
            ignored: if ignored.is_none() { args.matching.ignore.ignored()? } else { ignored },
        })
    }
}

impl ReviewOptions {
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
        Err(corpus::SkipReason::Vanished) => return Err(CliError::NoFile(name)),
        Err(reason) => return Err(CliError::File(name, reason)),
    }
    from_toml(&bytes).map_err(|wrong| CliError::Usage(format!("{name}, {wrong}; correct the file")))
}
