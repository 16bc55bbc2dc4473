//! Opens the terminal UI, when no verb is given, or for a review on a terminal.

use std::env;
use std::io::{self, IsTerminal};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::args::{BuildArgs, CriteriaArgs, IgnoreArgs, IndexedArgs, Matching, path, seconds};
use super::demo;
use super::error::CliError;
use super::output::{Outcome, print_bytes, tell};
use super::review::{ReviewArgs, plan_of};
use super::target::CorpusTarget;
use dupi_base::config::{
    FiltersError, LogFilterError, PassageCriteria, ProgramFolders, SavedFilters, SettingsFile,
};
use dupi_base::storage::{Folder, printable, shown};
use dupi_index::index::IndexError;
use dupi_index::index::home::{SCREEN, check};
use dupi_passage::Measure;
use dupi_report::{ReportSettings, path_before_line};
use dupi_review::review::ReviewPlan;
use dupi_screen::{SavedScreen, TuiOptions, UserSettings};
use dupi_session::{Request, RowPlace, Session, Watch};
use dupi_text::token::IgnoredText;

/// The arguments of the terminal UI.
#[derive(Debug, Args)]
pub struct ScreenArgs {
    /// Folders and files to show; `-` reads their list from standard input [default: .]
    #[arg(value_name = "PATH", value_parser = path())]
    pub paths: Vec<PathBuf>,
    /// Show the built-in demo corpus
    #[arg(long, conflicts_with = "paths")]
    pub demo: bool,
    /// Print the rows that are marked when Enter leaves the screen, or the selected copy: a line `path:line` each. Leaving
    /// with q or Ctrl-c prints nothing, and the exit code is 130
    #[arg(long, help_heading = "Screen")]
    pub print: bool,
    /// Like --print, but end each row with NUL instead of a line break, and print the bytes of its path
    #[arg(short = '0', long = "null", help_heading = "Screen")]
    pub null: bool,
    /// What counts as a passage.
    #[command(flatten)]
    pub criteria: CriteriaArgs,
    /// What is not compared.
    #[command(flatten)]
    pub ignore: IgnoreArgs,
    /// Write the times of frames and keys to a file
    #[arg(long, value_name = "FILE", hide = true)]
    pub frame_log: Option<PathBuf>,
    /// Where and how to index.
    #[command(flatten)]
    pub build: BuildArgs,
    /// Which files are indexed.
    #[command(flatten)]
    pub indexed: IndexedArgs,
    /// How to follow the folder.
    #[command(flatten)]
    pub watch: WatchArgs,
}

/// How to follow the folder.
#[derive(Debug, Args)]
#[command(next_help_heading = "Screen")]
pub struct WatchArgs {
    /// Do not follow changes of the folder
    #[arg(long)]
    pub no_watch: bool,
    /// Check for changes every SECONDS instead of using file events, for network folders
    #[arg(long, value_name = "SECONDS", conflicts_with = "no_watch", value_parser = seconds)]
    pub poll: Option<Duration>,
    /// Do not capture the mouse
    #[arg(long)]
    pub no_mouse: bool,
}

/// Opens the terminal UI on a corpus. `unlogged` is the reason when there is no log, which the screen shows.
pub(super) fn open(
    args: &ScreenArgs,
    file: SettingsFile,
    unlogged: Option<LogFilterError>,
) -> Result<Outcome, CliError> {
    let paths = if args.demo { vec![demo::lay_out()?] } else { args.paths.clone() };
    let (build, watch) = ((&args.build, args.indexed.choice()), watch(&args.watch));
    let place = CorpusTarget::of_paths(&paths, build, watch, &file.settings)?;
    let ignored = args.ignore.ignored()?;
    let place = place.matching((Matching::Exact, ignored), false)?;
    let look = ScreenLook {
        title: title(args.demo, &place.corpus.base, ignored),
        prints: args.print || args.null,
        null: args.null,
        no_mouse: args.watch.no_mouse,
        frame_log: args.frame_log.clone(),
        criteria: args.criteria.criteria(),
        review: None,
    };
    show(place, look, file, unlogged)
}

/// Opens the terminal UI on the review of a change.
pub(super) fn review(
    args: &ReviewArgs,
    file: SettingsFile,
    unlogged: Option<LogFilterError>,
) -> Result<Outcome, CliError> {
    let (root, plan) = plan_of(args)?;
    let place = CorpusTarget::of_verb(&args.find.target, Some(&root), &file.settings)?;
    let ignored = args.matching.ignore.ignored()?;
    let mut place = place.matching((Matching::Exact, ignored), false)?;
    place.options.watch = Watch::Events;
    let title = title(false, &place.corpus.base, ignored);
    show(place, ScreenLook { title, review: Some(plan), ..ScreenLook::default() }, file, unlogged)
}

/// What a screen shows, and how.
#[derive(Default)]
struct ScreenLook {
    title: String,
    /// Whether the chosen rows are printed,
    prints: bool,
    /// each ended by NUL.
    null: bool,
    no_mouse: bool,
    frame_log: Option<PathBuf>,
    /// The criteria of passages that are given.
    criteria: PassageCriteria,
    /// The change to review, if that is what it shows first.
    review: Option<ReviewPlan>,
}

/// Shows a corpus until the user leaves.
fn show(
    mut place: CorpusTarget,
    look: ScreenLook,
    mut file: SettingsFile,
    unlogged: Option<LogFilterError>,
) -> Result<Outcome, CliError> {
    let (screen, colours) = dupi_screen::settings(&mut file);
    let SettingsFile { settings, mut problems, .. } = file;
    let ScreenLook { title, prints, null, no_mouse, frame_log, criteria, review } = look;
    let (base, home) = (place.corpus.base.clone(), place.options.home.clone());
    let places = ProgramFolders::find().ok();
    let user = places.as_ref().map(ProgramFolders::user);
    let saved = saved(user.as_ref());
    problems.extend(unlogged.map(|error| error.to_string()));
    problems.extend(saved.as_ref().err().map(ToString::to_string));
    let remembered = remembered(&home);
    let criteria = criteria.or(remembered.criteria().or(settings.passages));
    place.options.criteria = criteria;
    // An index that cannot be read is told of when it is opened.
    let usual = Measure::usual(&place.recipe().unwrap_or_default());
    let screen = UserSettings {
        prints,
        files_in: files_in(&base),
        home: env::home_dir(),
        aside: settings.aside,
        criteria,
        usual_overlap: (usual.overlap * 100.0).round() as u32,
        saved: Arc::new(saved.unwrap_or_default()),
        has_mouse: !no_mouse && settings.mouse.unwrap_or(true),
        ..screen
    };
    let look = TuiOptions {
        title,
        base: base.clone(),
        theme: settings.theme,
        colours,
        editor: settings.editor,
        settings: screen,
        user,
        remembered,
        frame_log,
        shows_review: review.is_some(),
        problems,
        reports: places.map(|places| places.state().to_owned()),
    };
    if place.rebuild {
        drop(place.open()?);
    }
    let CorpusTarget { corpus, options, .. } = place;
    let left = dupi_screen::run(look, |updates| {
        let session = Session::start(corpus, options, updates);
        review.into_iter().for_each(|plan| session.send(Request::Review(plan)));
        session
    })?;
    left.unread.iter().for_each(tell);
    remember(&home, &left.remembered);
    match left.printed {
        _ if !prints => Ok(Outcome::Done),
        None => Ok(Outcome::Cancelled),
        Some(places) => {
            let lines = printed(&places, &ReportSettings::below(&base).base, null);
            print_bytes(&lines)?;
            Ok(Outcome::Done)
        }
    }
}

/// Places as `path:line`, a folder as its path, each as it is reached from the current folder. With `-0` a path is made of
/// its bytes; on a line, one that would break it or read as another is escaped, and on a terminal all that harms that.
fn printed(places: &[RowPlace], base: &Path, null: bool) -> Vec<u8> {
    let mut lines = Vec::new();
    let is_for_people = io::stdout().is_terminal();
    for place in places {
        let path = base.join(&place.path);
        match (null, is_for_people) {
            (true, _) => lines.extend_from_slice(path.as_os_str().as_bytes()),
            (false, true) => lines.extend(shown(&path).to_string().bytes()),
            (false, false) => lines.extend(path_before_line(&path)),
        }
        lines.extend(place.line.map(|line| format!(":{line}")).unwrap_or_default().bytes());
        lines.push(if null { 0 } else { b'\n' });
    }
    lines
}

/// The default folder for written files: the current folder unless it is in the corpus, where they would be indexed.
fn files_in(base: &Path) -> PathBuf {
    let is_within = env::current_dir().is_ok_and(|here| here.starts_with(base));
    let elsewhere = || env::home_dir().filter(|home| !home.starts_with(base)).unwrap_or_else(env::temp_dir);
    if is_within { elsewhere() } else { PathBuf::new() }
}

/// The printable path of a folder, with `~` for the home folder.
fn name(folder: &Path, home: Option<&Path>) -> String {
    let in_home = home.filter(|home| home.is_absolute()).and_then(|home| folder.strip_prefix(home).ok());
    shown(&in_home.map_or(folder.to_path_buf(), |rest| Path::new("~").join(rest))).to_string()
}

/// The title of a screen, which says what is not read.
fn title(is_demo: bool, base: &Path, ignored: IgnoredText) -> String {
    let corpus = if is_demo { "the demo corpus".to_owned() } else { name(base, env::home_dir().as_deref()) };
    let patterns = ignored.patterns().iter();
    patterns.fold(corpus, |title, pattern| format!("{title}, without `{}`", printable(pattern)))
}

/// The saved filters of a user. Without a home folder there are none, and nothing is wrong.
fn saved(user: Option<&Folder>) -> Result<SavedFilters, FiltersError> {
    user.map_or(Ok(SavedFilters::default()), SavedFilters::load)
}

/// The remembered state of the screen; the default when it cannot be read.
fn remembered(home: &Folder) -> SavedScreen {
    let bytes = home.read(SCREEN).ok().flatten();
    bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// Saves the state of the screen; a failure is only logged. Two screens may be closed at the same time: each writes a
/// draft of its own, and the later one is kept.
fn remember(home: &Folder, left: &SavedScreen) {
    let write = |bytes: Vec<u8>| {
        check(home)?;
        let mut draft = home.draft_unique(SCREEN)?;
        draft.write(&bytes)?;
        Ok(draft.seal()?)
    };
    let spelt = serde_json::to_vec(left).map_err(|error| error.to_string());
    if let Err(error) = spelt.and_then(|bytes| write(bytes).map_err(|error: IndexError| error.to_string())) {
        tracing::warn!("cannot save the state of the screen: {error}");
    }
}

fn watch(args: &WatchArgs) -> Watch {
    match args.poll {
        _ if args.no_watch => Watch::Off,
        Some(every) => Watch::Poll(every),
        None => Watch::Events,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_home_folder_is_nothing_wrong() {
        assert!(saved(None).is_ok());
    }

    #[test]
    fn files_are_not_written_into_the_corpus() {
        let here = env::current_dir().unwrap();
        assert_eq!(files_in(&here.join("a-folder-below")), Path::new(""));
        for base in [&*here, Path::new("/")] {
            let folder = files_in(base);
            assert!(folder.is_absolute() && !folder.starts_with(&here), "{}", shown(&folder));
        }
    }

    #[test]
    fn a_folder_in_the_home_is_written_from_there() {
        let home = Some(Path::new("/home/ida"));
        assert_eq!(name(Path::new("/home/ida/letters"), home), "~/letters");
        assert_eq!(name(Path::new("/home/idabel"), home), "/home/idabel");
        assert_eq!(name(Path::new("/srv/letters"), home), "/srv/letters");
        assert_eq!(name(Path::new("/srv"), Some(Path::new(""))), "/srv");
        assert_eq!(name(Path::new("/srv"), None), "/srv");
    }
}
