//! `segment`: an index in parts. A plan of tasks, the segment of each, and the index of all.

mod asked;
mod limits;
mod near;
mod query;
mod tally;

use std::io::{self, BufWriter, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use limits::memory;
pub(super) use limits::threads;

use super::args::{
    PlanningArgs, SegmentAdoptArgs, SegmentBuildArgs, SegmentPlanArgs, SegmentVerb, ShatterBlotsArgs,
    ShatterVerb, TallyVerb, TaskArgs,
};
use super::error::CliError;
use super::outcome::Outcome;
use super::output::say;
use super::target::{LARGEST_FILE, choice, home, rules};
use dupi_base::config::Settings;
use dupi_base::corpus::{Corpus, Exclusions, Formats, WalkRules, read_list};
use dupi_base::storage::{Folder, shown};
use dupi_index::index::manifest::Manifest;
use dupi_index::taboo::ExcludedList;
use dupi_ingest::segments::{Adoption, Documents, SegmentError, SegmentTask, TaskPlan};
use dupi_text::blot::Recipe;

/// Runs a verb of `segment`.
pub(super) fn run(verb: &SegmentVerb, settings: &Settings) -> Result<Outcome, CliError> {
    match verb {
        SegmentVerb::Plan(args) => plan(args)?,
        SegmentVerb::Build(args) => build(args, settings)?,
        SegmentVerb::Shatter(ShatterVerb::Near(args)) => near::shatter(args, settings)?,
        SegmentVerb::Tally(TallyVerb::Near(args)) => near::tally(args, settings)?,
        SegmentVerb::Tally(TallyVerb::Blots(args)) => tally::run(args, settings)?,
        SegmentVerb::Adopt(args) => return adopt(args, settings),
        SegmentVerb::Shatter(ShatterVerb::Blots(args)) => shatter_blots(args, settings)?,
        SegmentVerb::Query(verb) => query::run(verb, settings)?,
    }
    Ok(Outcome::Done)
}

fn plan(args: &SegmentPlanArgs) -> Result<(), CliError> {
    let corpus = match &args.paths[..] {
        [] => Corpus::resolve(&[PathBuf::from(".")])?,
        [only] if only.as_os_str() == "-" => Corpus::from_list(io::stdin().lock())?,
        paths => Corpus::resolve(paths)?,
    };
    let home = home(&corpus, args.index.as_deref())?;
    let (plan, files) = made(&empty(corpus, &args.planning)?, &home, args.planning.tasks, &args.out)?;
    say(&format!("{} tasks, {files} files\n", plan.tasks))
}

/// The manifest that arguments ask for.
pub(super) fn empty(corpus: Corpus, planning: &PlanningArgs) -> Result<Manifest, CliError> {
    let recipe = choice(&planning.recipe).apply(Recipe::default());
    recipe.validate()?;
    let rules = rules(&planning.walk, &planning.indexed.choice())?.unwrap_or_default();
    let formats = planning.walk.formats().unwrap_or_default();
    Ok(Manifest { sketches: !planning.no_sketch, ..Manifest::empty(corpus, rules, formats, recipe) })
}

/// Makes a plan in the folder `out` for the index in `home`. Returns also how many files there are.
pub(super) fn made(
    manifest: &Manifest,
    home: &Folder,
    tasks: Option<u32>,
    out: &Path,
) -> Result<(TaskPlan, usize), CliError> {
    let by_user = Arc::new(ExcludedList::load(home)?.scope());
    let exclusions = Exclusions { index: Some(home.path().to_owned()), by_user };
    Ok(TaskPlan::make(&Folder::new(out), manifest, &exclusions, tasks.map(u64::from))?)
}

fn build(args: &SegmentBuildArgs, settings: &Settings) -> Result<(), CliError> {
    with_task(&args.task, !args.no_sketch, settings, |task, documents| {
        let sealed = task.build(documents, &Folder::new(&args.out))?;
        say(&format!("{}\n", shown(&sealed.folder)))
    })
}

fn shatter_blots(args: &ShatterBlotsArgs, settings: &Settings) -> Result<(), CliError> {
    if io::stdout().is_terminal() {
        return Err(CliError::Usage("the records are for programs; redirect standard output".to_owned()));
    }
    with_task(&args.task, false, settings, |task, documents| {
        task.write_blots(documents, &mut BufWriter::new(io::stdout().lock())).map_err(|error| match error {
            SegmentError::Output(error) => CliError::Output(error),
            error => error.into(),
        })
    })
}

/// Passes the task of some arguments and its documents.
fn with_task(
    args: &TaskArgs,
    sketches: bool,
    settings: &Settings,
    work: impl FnOnce(SegmentTask, Documents) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let (manifest, files) = match (&args.plan, args.task, &args.root) {
        (Some(plan), Some(task), _) => {
            let plan = TaskPlan::open(&Folder::new(plan))?;
            let files = plan.files(task as usize)?;
            (plan.manifest, files)
        }
        (_, _, Some(root)) => (of_arguments(args, sketches, root)?, listed(&args.files)?),
        _ => return Err(CliError::Usage("name the folder of all documents with --root".to_owned())),
    };
    let task = SegmentTask {
        manifest,
        memory: memory(args.memory, settings),
        threads: threads(args.threads, settings),
    };
    let mut input = io::stdin().lock();
    let documents = if args.framed { Documents::Framed(&mut input) } else { Documents::Files(files) };
    work(task, documents)
}

/// What is built, without a plan.
fn of_arguments(args: &TaskArgs, sketches: bool, root: &PathBuf) -> Result<Manifest, CliError> {
    let recipe = choice(&args.recipe).apply(Recipe::default());
    recipe.validate()?;
    let corpus = Corpus::resolve(std::slice::from_ref(root))?;
    let max_filesize = args.max_filesize.map_or(WalkRules::default().max_filesize, |size| size.0);
    if max_filesize > LARGEST_FILE {
        return Err(CliError::TooLarge);
    }
    let rules = WalkRules { max_filesize, ..WalkRules::default() };
    let formats = Formats { jsonl: args.jsonl.clone() };
    Ok(Manifest { sketches, ..Manifest::empty(corpus, rules, formats, recipe) })
}

fn adopt(args: &SegmentAdoptArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let plan = args.plan.as_ref().map(|plan| TaskPlan::open(&Folder::new(plan))).transpose()?;
    let adoption = Adoption {
        from: listed(&args.from)?,
        root: args.root.clone(),
        plan,
        replace: args.rebuild,
        threads: threads(args.threads, settings),
    };
    adopt_all(&adoption, args.index.as_deref())
}

/// Checks segments, joins them and prints what the index has.
pub(super) fn adopt_all(adoption: &Adoption, index: Option<&Path>) -> Result<Outcome, CliError> {
    let adopted = adoption.check()?;
    let home = home(adopted.corpus(), index)?;
    let snapshot = adopted.join(&home)?;
    let (documents, segments) = (snapshot.totals().documents, snapshot.segments().len());
    let (left_out, place) = (snapshot.skipped_count(), shown(home.path()));
    say(&format!("{documents} documents in {segments} segments, {left_out} files left out: {place}\n"))?;
    Outcome::of(false, snapshot.unread())
}

/// The paths, or those that a list on standard input names.
fn listed(given: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    if !matches!(given, [only] if only.as_os_str() == "-") {
        return Ok(given.to_vec());
    }
    Ok(read_list(io::stdin().lock())?)
}
