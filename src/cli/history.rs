//! `history`: how much of a repository is duplicated, commit by commit.

mod checkout;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::args::{AlikeArgs, HomeArgs, MatchArgs, PlainFormatArgs};
use super::ask::aside;
use super::error::CliError;
use super::output::{Outcome, Output, say, tell};
use super::passages::complete;
use super::progress::{SearchBar, Terminal, Then};
use super::target::folders_of;
use checkout::Checkout;
use dupi_base::config::{Kind, Settings, Size};
use dupi_base::corpus::{Corpus, Unread, WalkRules, Watch};
use dupi_base::storage::{Folder, StorageError};
use dupi_index::index::manifest::Manifest;
use dupi_index::index::search::SearchError;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::filter::Filter;
use dupi_index::taboo::{
    AcceptedList, AcceptedSet, CorrectedKinds, ExcludedList, KindList, TabooList, TabooSet,
};
use dupi_ingest::{Observer, Opened, Options, bring_up_to_date};
use dupi_judge::PassageOrder;
use dupi_judge::aside::AsideRule;
use dupi_judge::choice::PassageChoice;
use dupi_judge::kind::patterns::KindPatterns;
use dupi_judge::search::Passages;
use dupi_passage::bounds::Omissions;
use dupi_report::{HistoryRow, TEXT, day, rounded, trends};
use dupi_review::change::commits::{Blob, Commit};
use dupi_review::change::repository::Repository;
use dupi_session::{ListedFolder, Overview};
use dupi_text::blot::{Recipe, RecipeChoice};

/// Examples, below the help of `history`.
pub(super) const ABOUT: &str = "\
Examples:
  dupi-tui history                       the main line of HEAD, from its first commit
  dupi-tui history v1.0..v2.0            from one release to another
  dupi-tui history --commits 200 --json  more of the commits, for a program

The commits are those that first parents lead to. The numbers are those that `files` and `passages` tell of a checkout of
the commit, with the decisions, the recipe and the rules that the index of the repository has now. The working tree and
that index are not touched; the files of the commits are written to a temporary folder (TMPDIR), which is removed.";

/// `history`.
#[derive(Debug, Args)]
pub struct HistoryArgs {
    /// The commits: from BASE to TIP, or all that lead to TIP [default: HEAD]
    #[arg(value_name = "[BASE..]TIP")]
    pub range: Option<String>,
    /// The largest number of commits. If there are more, they are evenly spaced, with the first and the last one
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..))]
    pub commits: u32,
    /// What counts.
    #[command(flatten)]
    pub alike: AlikeArgs,
    /// The memory limit of each search [default: 1G]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Size>,
    /// Threads that read and shatter [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// How to print the rows.
    #[command(flatten)]
    pub format: PlainFormatArgs,
    /// Which repository, and whose decisions.
    #[command(flatten)]
    pub home: HomeArgs,
}

/// Tells how share and worth went on.
pub(super) fn run(args: &HistoryArgs, settings: &Settings) -> Result<Outcome, CliError> {
    // From here on a signal ends the work in order, with what it left in a temporary folder.
    let terminal = Terminal::new(true, Then::Answer)?;
    let is_wanted = || !terminal.is_cancelled();
    let repository = Repository::of_commits(&args.home.corpus, &is_wanted)?;
    let line = repository.commits(args.range.as_deref(), args.commits as usize)?;
    let history = History::new(args, settings, &repository)?;
    let mut checkout = Checkout::new().map_err(CliError::temporary)?;
    let bar = SearchBar::new("history");
    let mut rows: Vec<HistoryRow> = Vec::new();
    let mut omissions = Omissions::default();
    let count = line.commits.len();
    for (number, commit) in line.commits.iter().enumerate() {
        let share = |of_commit: f64| (number as f64 + of_commit) / count as f64;
        bar.set(share(0.0));
        let files = history.files(commit)?;
        let changed = checkout.turn_to(files, |blob| history.bytes(blob))?;
        let numbers = match rows.last() {
            Some(last) if !changed => last.clone(),
            _ => {
                let (row, omitted) = history.measured(&checkout, &terminal, &|of| bar.set(share(of)))?;
                if !omitted.is_empty() {
                    omissions = omitted;
                }
                row
            }
        };
        let (commit, date, subject) = (commit.name.clone(), day(commit.seconds), commit.subject.clone());
        rows.push(HistoryRow { commit, date, subject, ..numbers });
    }
    terminal.clear();
    drop((bar, checkout));
    let is_empty = Output::begin(&args.format)?.all(rows.iter().cloned())?;
    if args.format.format == TEXT
        && let Some(trends) = trends(&rows)
    {
        say(&trends)?;
    }
    if line.all > count {
        tell(format_args!("{count} of {} commits; --commits N shows more", line.all));
    }
    complete(is_empty, &Unread::default(), omissions)
}

/// What all commits have in common.
struct History<'a, 'w> {
    args: &'a HistoryArgs,
    repository: &'a Repository<'w>,
    /// Where the corpus lies in the repository.
    below: PathBuf,
    /// How an index of the repository is built, by its own one.
    options: Options,
    excluded: ExcludedList,
    taboo: Vec<TabooList>,
    accepted: AcceptedSet,
    corrected: CorrectedKinds,
    aside: Vec<Kind>,
}

impl<'a, 'w> History<'a, 'w> {
    fn new(
        args: &'a HistoryArgs,
        settings: &Settings,
        repository: &'a Repository<'w>,
    ) -> Result<Self, CliError> {
        let corpus = Corpus::resolve(std::slice::from_ref(&args.home.corpus))?;
        let below = repository.below(&corpus.base);
        let folders = folders_of(&args.home)?;
        let home = &folders.corpus;
        let usual = Options::new(home.clone());
        let known = Manifest::read(home).ok();
        let options = Options {
            recipe: known.as_ref().map_or_else(RecipeChoice::default, |known| known.recipe.into()),
            rules: known.as_ref().map(|known| known.rules.clone()),
            formats: known.as_ref().map(|known| known.formats.clone()),
            sketches: Some(false),
            memory: args.memory.or(settings.memory).map_or(usual.memory, |memory| memory.0),
            threads: args.threads.map(usize::from).or(settings.threads).unwrap_or(usual.threads),
            patterns: Arc::new(KindPatterns::new(settings).0),
            watch: Watch::Off,
            ..usual
        };
        Ok(Self {
            args,
            repository,
            below,
            options,
            excluded: ExcludedList::load(home)?,
            taboo: match args.alike.taboo {
                true => Vec::new(),
                false => vec![TabooList::load(home)?, folders.load_user()?],
            },
            accepted: AcceptedSet::new(&AcceptedList::load(home)?),
            corrected: CorrectedKinds::new(&KindList::load(home)?),
            aside: aside(None, home, settings)?,
        })
    }

    /// The files of a commit that may be documents, and those that say which ones are not.
    fn files(&self, commit: &Commit) -> Result<BTreeMap<PathBuf, Blob>, CliError> {
        let (mut files, excluded) = (self.repository.files_of(commit)?, self.excluded.scope());
        let is_rule = |path: &Path| {
            [".gitignore", ".ignore"].map(OsStr::new).contains(&path.file_name().unwrap_or_default())
        };
        files.retain(|path, _| match path.strip_prefix(&self.below) {
            Ok(inside) => !excluded.contains(inside),
            Err(_) => is_rule(path),
        });
        Ok(files)
    }

    fn bytes(&self, blob: Blob) -> Result<Option<Vec<u8>>, CliError> {
        let rules = self.options.rules.as_ref();
        let most = rules.map_or(WalkRules::default().max_filesize, |rules| rules.max_filesize);
        Ok(self.repository.bytes_of(blob, most)?)
    }

    /// The numbers of the files that are checked out.
    fn measured(
        &self,
        checkout: &Checkout,
        terminal: &Terminal,
        done: &(dyn Fn(f64) + Sync),
    ) -> Result<(HistoryRow, Omissions), CliError> {
        let folder = checkout.files_folder().join(&self.below);
        std::fs::create_dir_all(&folder)
            .map_err(StorageError::during("create", folder.clone()))
            .map_err(CliError::temporary)?;
        let corpus = Corpus::resolve(&[folder])?;
        let options = Options { home: Folder::new(checkout.index_folder()), ..self.options.clone() };
        let mut updater = match options.open(&corpus)? {
            Opened::Ready(updater) | Opened::Mismatch { updater, .. } => updater,
        };
        bring_up_to_date(&mut updater, terminal)?;
        if terminal.is_cancelled() {
            return Err(CliError::stopped());
        }
        let snapshot = updater.snapshot().clone();
        let recipe = snapshot.manifest().recipe;
        let wanted = self.args.alike.search(&recipe, &MatchArgs::default(), &options);
        let tick = |share| {
            done(share);
            if terminal.is_cancelled() { Err(SearchError::Stopped) } else { Ok(()) }
        };
        let found = Passages::find(&snapshot, &wanted, PassageOrder::default(), &tick);
        let passages = match found {
            Err(SearchError::Stopped) => return Err(CliError::stopped()),
            found => found?,
        };
        let omissions = passages.omissions;
        let (listed, worth) = self.listed(&snapshot, &passages)?;
        let overview = Overview::new(snapshot, passages, wanted, self.hidden(&recipe));
        let whole = overview.row(Path::new(""));
        let number = |of: fn(&ListedFolder) -> u64| whole.as_ref().map_or(0, of);
        let row = HistoryRow {
            commit: String::new(),
            date: String::new(),
            subject: String::new(),
            documents: number(|row| row.documents),
            tokens: number(|row| row.tokens),
            duplicated: number(|row| row.duplicated),
            share: rounded(whole.as_ref().map_or(0.0, ListedFolder::share)),
            passages: listed,
            worth,
        };
        Ok((row, omissions))
    }

    fn hidden(&self, recipe: &Recipe) -> TabooSet {
        let mut set = TabooSet::default();
        self.taboo.iter().flat_map(TabooList::entries).for_each(|entry| set.add(entry, recipe));
        set
    }

    /// How many passages `passages` lists, and the sum of their worth.
    fn listed(&self, snapshot: &Snapshot, passages: &Passages) -> Result<(u64, u64), CliError> {
        let choice = PassageChoice {
            filter: Filter::default(),
            taboo: &self.hidden(&snapshot.manifest().recipe),
            shows_taboo: self.args.alike.taboo,
            accepted: &self.accepted,
            corrected: &self.corrected,
            least: self.args.alike.min_tokens,
            min_copies: 2,
            path: None,
            kinds: &[],
            aside: AsideRule { kinds: self.aside.clone(), members: false },
            order: PassageOrder::default(),
            is_reversed: false,
            most: usize::MAX,
        };
        let chosen = choice.of(snapshot, passages)?;
        let worth = chosen.listed.iter().map(|passage| passage.worth).sum();
        Ok((chosen.listed.len() as u64, worth))
    }
}
