//! Opens the terminal UI, when no verb is given, or for a review on a terminal.

use std::env;
use std::io::{self, IsTerminal};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::{Cli, Matching, ReviewArgs, ScreenArgs, WatchArgs};
use super::ask::review::plan_of;
use super::demo;
use super::error::CliError;
use super::messages::tell;
use super::outcome::Outcome;
use super::output::print_bytes;
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
use dupi_screen::{SavedScreen, TuiOptions};
use dupi_session::{Request, RowPlace, Session, Watch};
use dupi_text::token::IgnoredText;

/// Opens the terminal UI on a corpus. `unlogged` is the reason when there is no log, which the screen shows.
pub(super) fn open(
    args: &ScreenArgs,
    file: SettingsFile,
    unlogged: Option<LogFilterError>,
) -> Result<Outcome, CliError> {
    let settings = &file.settings;
    let paths = if args.demo { vec![demo::lay_out()?] } else { args.paths.clone() };
    let place =
        CorpusTarget::of_paths(&paths, (&args.build, &args.indexed.choice()), watch(&args.watch), settings)
            .map_err(|error| with_verb(error, &args.paths))?;
    let ignored = args.ignore.ignored()?;
    let place = place.matching(Matching::Exact, ignored, false)?;
    let title = if args.demo {
        "the demo corpus".to_owned()
    } else {
        name(&place.corpus.base, env::home_dir().as_deref())
    };
    let title = without(title, ignored);
    let look = ScreenLook {
        title,
        prints: args.print || args.null,
        null: args.null,
        mouse: !args.watch.no_mouse,
        frame_log: args.frame_log.clone(),
        rebuild: args.build.rebuild,
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
    let mut place = place.matching(Matching::Exact, ignored, false)?;
    place.options.watch = Watch::Events;
    let title = without(name(&place.corpus.base, env::home_dir().as_deref()), ignored);
    let rebuild = args.find.target.build.rebuild;
    let look = ScreenLook {
        title,
        prints: false,
        null: false,
        mouse: true,
        frame_log: None,
        rebuild,
        criteria: PassageCriteria::default(),
        review: Some(plan),
    };
    show(place, look, file, unlogged)
}

/// What a screen shows, and how.
struct ScreenLook {
    title: String,
    /// Whether the chosen rows are printed,
    prints: bool,
    /// each ended by NUL.
    null: bool,
    mouse: bool,
    frame_log: Option<PathBuf>,
    rebuild: bool,
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
    let screen = dupi_screen::settings(&mut file);
    let settings = &file.settings;
    let base = place.corpus.base.clone();
    let ScreenLook { title, prints, null, mouse, frame_log, rebuild, criteria, review } = look;
    let home = place.options.home.clone();
    let places = ProgramFolders::find().ok();
    let user = places.as_ref().map(ProgramFolders::user);
    let (saved, unread) = saved(user.as_ref());
    let others = unlogged.map(|error| error.to_string()).into_iter();
    let remembered = remembered(&home);
    let criteria = criteria.or(remembered.criteria().or(settings.passages));
    place.options.criteria = criteria;
    // An index that cannot be read is told of when it is opened.
    let usual = Measure::usual(&place.recipe().unwrap_or_default());
    let look = TuiOptions {
        title,
        base: base.clone(),
        theme: settings.theme,
        mouse: mouse && settings.mouse.unwrap_or(true),
        editor: settings.editor.clone(),
        screen,
        prints,
        files_in: files_in(&place.corpus.base),
        aside: settings.aside.clone(),
        saved: Arc::new(saved),
        user,
        criteria,
        usual_overlap: (usual.overlap * 100.0).round() as u32,
        remembered,
        frame_log,
        shows_review: review.is_some(),
        problems: file
            .problems
            .iter()
            .cloned()
            .chain(others)
            .chain(unread.map(|error| error.to_string()))
            .collect(),
        reports: places.map(|places| places.state().to_owned()),
    };
    if rebuild {
        drop(place.open()?);
    }
    let CorpusTarget { corpus, options, .. } = place;
    let left = dupi_screen::run(look, |updates| {
        let session = Session::start(corpus, options, updates);
        review.into_iter().for_each(|plan| session.send(Request::Review(plan)));
        session
    })?;
    for sentence in &left.unread {
        tell(sentence);
    }
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

/// Adds the verb that was meant to the error about a first path that does not exist.
fn with_verb(error: CliError, paths: &[PathBuf]) -> CliError {
    match paths.first().and_then(|path| Cli::verb_like(path.as_os_str())) {
        Some(verb) => CliError::Usage(format!("{error}; did you mean the verb `{verb}`?")),
        None => error,
    }
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

/// A title that says what is not read.
fn without(title: String, ignored: IgnoredText) -> String {
    let patterns = ignored.patterns().iter();
    patterns.fold(title, |title, pattern| format!("{title}, without `{}`", printable(pattern)))
}

/// The saved filters of a user, and the error if they cannot be read.
fn saved(user: Option<&Folder>) -> (SavedFilters, Option<FiltersError>) {
    match user.map(SavedFilters::load) {
        None => (SavedFilters::default(), None),
        Some(Ok(saved)) => (saved, None),
        Some(Err(error)) => (SavedFilters::default(), Some(error)),
    }
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
        assert!(saved(None).1.is_none());
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
