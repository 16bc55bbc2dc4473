//! `review`: which copies are new with a change, and which did it change on one side only.

mod options;

use std::collections::{BTreeMap, HashSet};
use std::env;
use std::io::{self, IsTerminal};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

pub(super) use options::{ABOUT, ReviewArgs};

use super::ask::{Question, aside, ask, corrected, hidden};
use super::error::CliError;
use super::output::{Outcome, Output, tell};
use super::progress::SearchBar;
use super::target::CorpusTarget;
use dupi_base::config::Settings;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::filter::ReviewState;
use dupi_index::query::page::DocumentReader;
use dupi_index::taboo::{
    AcceptedEntry, AcceptedId, AcceptedList, AcceptedSet, KeptTexts, TabooList, excerpt, today,
};
use dupi_judge::location::{LocatedPassage, locate};
use dupi_judge::passages::Passage;
use dupi_judge::search::{Passages, SearchSettings};
use dupi_passage::stages::Stages;
use dupi_report::{OccurrenceRow, ReviewRow};
use dupi_review::change::ChangeError;
use dupi_review::change::blame::Blame;
use dupi_review::change::repository::Repository;
use dupi_review::review::baseline::Baseline;
use dupi_review::review::verdict::{LeftOut, UNDECIDED};
use dupi_review::review::{
    FoundReview, Review, ReviewDecisions, ReviewPlan, ReviewRules, ReviewedPassage, Source, find,
};
use options::{FailOn, ReviewOptions};

/// Whether the rows are shown on the screen: to a person at a terminal who asked for nothing that is about the report.
pub(super) fn opens_screen(args: &ReviewArgs) -> Result<bool, CliError> {
    match args.report_option() {
        Some(option) if args.screen => Err(CliError::Failed(format!(
            "{option} is about the report, which --screen does not print; leave one of them out"
        ))),
        option => Ok(args.screen || (option.is_none() && !args.no_screen && is_at_terminal())),
    }
}

/// Whether a person sits at a terminal: git sets its variables for hooks, and so do systems of continuous integration.
fn is_at_terminal() -> bool {
    let is_set = |name: &&str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_by_program = ["CI", "GIT_INDEX_FILE", "GIT_DIR"].iter().any(is_set);
    !is_by_program && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// The folder of the corpus, and what is reviewed in it, for the screen.
pub(super) fn plan_of(args: &ReviewArgs) -> Result<(PathBuf, ReviewPlan), CliError> {
    let plan = ReviewOptions::from_args(args)?.plan(args)?;
    Ok((source_of(args, &plan)?.root().to_owned(), plan))
}

/// Where a change is looked for.
fn source_of(args: &ReviewArgs, plan: &ReviewPlan) -> Result<Source<'static>, CliError> {
    let given = args.find.target.corpus.as_deref().unwrap_or(Path::new("."));
    Ok(Source::open(given, &plan.change, &|| true)?)
}

/// Reviews a change.
pub(super) fn run(args: &ReviewArgs, settings: &Settings) -> Result<Outcome, CliError> {
    args.matching.refuse_gap(args.measure.gap)?;
    let options = ReviewOptions::from_args(args)?;
    let plan = options.plan(args)?;
    let mut stages = Stages::begin();
    let source = source_of(args, &plan)?;
    let matching = (args.matching.by, options.ignored);
    let question = Question { place: Some(source.root()), matching, ..Question::default() };
    let (place, snapshot) = ask(&args.find.target, settings, question)?;
    stages.end("index");
    let changed = source.changes(&plan.change, &snapshot)?;
    stages.end("change");
    changed.absent().for_each(tell);
    let mut baseline = match &options.baseline {
        Some(file) if args.update_baseline && !file.exists() => Baseline::default(),
        Some(file) => Baseline::read(file)?,
        None => Baseline::default(),
    };
    let recipe = snapshot.manifest().recipe;
    let mut taboo = hidden(&place, &snapshot)?;
    baseline.taboo.iter().for_each(|entry| taboo.add(entry, &recipe));
    let mut accepted = AcceptedList::load(&place.options.decisions)?;
    // What is to fix in this corpus stays so, whatever the baseline accepts.
    let to_fix: HashSet<AcceptedId> =
        accepted.entries().iter().filter(|entry| entry.fix).map(|entry| entry.of).collect();
    let is_accepted = |entry: &&AcceptedEntry| !entry.fix && !to_fix.contains(&entry.of);
    accepted.decide(baseline.accepted.iter().filter(is_accepted).cloned());
    let aside = aside(options.aside.as_deref(), &place.options.decisions, settings)?;
    let search = plan.search(&recipe, place.options.memory, &place.options.patterns);
    let search = SearchSettings {
        measure: args.measure.for_matching(args.matching.by, search.measure),
        consistent: args.matching.is_consistent(),
        ..search
    };
    let decisions = ReviewDecisions {
        taboo: &taboo,
        accepted: &AcceptedSet::new(&accepted),
        corrected: &corrected(&place)?,
        states: args.states.as_deref().unwrap_or(&UNDECIDED),
    };
    let rules = ReviewRules { decisions, aside: &aside, min_worth: options.min_worth };
    let bar = SearchBar::new("review");
    let (passages, found) = find(&snapshot, &changed, &search, &rules, &bar.tick())?;
    let review = found.judged(&passages, &recipe, &decisions);
    drop(bar);
    stages.end("review");
    let (new, drifted) = (review.new.len() as u64, review.drifted.len() as u64);
    if args.update_baseline
        && let Some(file) = &options.baseline
    {
        update(&mut baseline, file, &place, &snapshot, (&passages, &found, &review))?;
    }
    print(args, &source, &place, &snapshot, (&passages, &found, &review))?;
    stages.end("rows");
    let failing = match options.fail_on {
        FailOn::New => new,
        FailOn::Drift => drifted,
        FailOn::Any => new + drifted,
        FailOn::Never => 0,
    };
    if new + drifted == 0 && io::stderr().is_terminal() {
        tell(format_args!("nothing new in {} changed files", changed.len()));
    }
    if let Some(sentence) = snapshot.unread().take_message() {
        return Err(CliError::Unread(sentence));
    }
    Ok(if failing > options.max_new && !args.update_baseline { Outcome::Nothing } else { Outcome::Done })
}

/// Prints what was found, and tells what is not reported.
fn print(
    args: &ReviewArgs,
    source: &Source,
    place: &CorpusTarget,
    snapshot: &Snapshot,
    (passages, found, review): (&Passages, &FoundReview, &Review),
) -> Result<(), CliError> {
    let Review { new, drifted, left_out } = review;
    let some: Vec<&Passage> = new.iter().map(|reviewed| &passages.found[reviewed.of.number]).collect();
    let located = locate(snapshot, &passages.sources, &some, None);
    let row = |((passage, reviewed), located): ((&&Passage, &ReviewedPassage), LocatedPassage)| {
        ReviewRow::new(passage, reviewed, passage.kind, located)
    };
    let new = some.iter().zip(new).zip(located).map(row);
    let drifted = drifted.iter().map(|(number, state)| ReviewRow::drifted(&found.drifts[*number], *state));
    let mut rows: Vec<ReviewRow> = new.chain(drifted).collect();
    if args.blame {
        add_blame(&mut rows, source, snapshot)?;
    }
    Output::begin_on(&args.find.format, &place.corpus.base)?.all(rows)?;
    if let Some(sentence) = in_words(left_out) {
        tell(sentence);
    }
    if !passages.omissions.is_empty() {
        tell(passages.omissions);
    }
    Ok(())
}

/// Adds what is reported now and not to be fixed, and the decisions of the corpus, to a baseline.
fn update(
    baseline: &mut Baseline,
    file: &Path,
    place: &CorpusTarget,
    snapshot: &Snapshot,
    (passages, found, review): (&Passages, &FoundReview, &Review),
) -> Result<(), CliError> {
    let stays = |state: ReviewState| state != ReviewState::Fix;
    let new = review.new.iter().filter(|reviewed| stays(reviewed.state));
    let some: Vec<&Passage> = new.map(|reviewed| &passages.found[reviewed.of.number]).collect();
    let located = locate(snapshot, &passages.sources, &some, None);
    let new = some.iter().zip(located).map(|(passage, located)| AcceptedEntry {
        of: AcceptedId::Passage(passage.id.0),
        text: excerpt(&located.text),
        copies: passage.copies.len() as u64,
        fix: false,
        texts: passages.copy_texts.kept(passage.id),
        added: today(),
        reason: None,
    });
    let drifted = review.drifted.iter().filter(|(_, state)| stays(*state));
    let drifted = drifted.map(|(number, _)| &found.drifts[*number]).map(|drift| AcceptedEntry {
        of: AcceptedId::Passage(drift.id),
        text: drift.changed.first().map(|copy| excerpt(&copy.text)).unwrap_or_default(),
        copies: (drift.changed.len() + drift.others.len()) as u64,
        fix: false,
        texts: KeptTexts::default(),
        added: today(),
        reason: None,
    });
    let decided = AcceptedList::load(&place.options.decisions)?.entries().to_vec();
    let decided = decided.into_iter().filter(|entry| !entry.fix);
    let taboo = TabooList::load(&place.folders().corpus)?.entries().to_vec();
    baseline.add(decided.chain(new).chain(drifted), taboo);
    Ok(baseline.write(file)?)
}

/// What is not reported, in a sentence; `None` if nothing is.
fn in_words(left_out: &LeftOut) -> Option<String> {
    let LeftOut { aside, decided, small, as_many, members, suppressed, frequent } = left_out;
    let kinds: Vec<String> = aside.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let kinds = (!kinds.is_empty()).then(|| format!("{} (--aside none shows them)", kinds.join(", ")));
    let number = |count: u64, words: &str| (count > 0).then(|| format!("{count} {words}"));
    let said = |state: ReviewState| number(decided.get(state.name()).copied().unwrap_or(0), state.words());
    let parts: Vec<String> = [
        kinds,
        said(ReviewState::Taboo),
        said(ReviewState::Accepted),
        said(ReviewState::Fix),
        said(ReviewState::Open),
        number(*small, "of less worth"),
        number(*as_many, "moved or edited, with as many copies as before"),
        number(*members, "in the families of others"),
        number(*suppressed, "suppressed by dupi:ignore"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let frequent = number(*frequent, "tiles are in too many documents to read these");
    let parts = (!parts.is_empty()).then(|| format!("not reported: {}", parts.join("; ")));
    let all: Vec<String> = parts.into_iter().chain(frequent).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

/// Adds to the copies of some rows which commits their lines come from.
fn add_blame(rows: &mut [ReviewRow], source: &Source, snapshot: &Snapshot) -> Result<(), CliError> {
    let Source::Repository(own) = source else {
        return Err(ChangeError::NoRepository(source.root().to_owned()).into());
    };
    let mut wanted: BTreeMap<PathBuf, Vec<Range<u32>>> = BTreeMap::new();
    for copy in rows.iter_mut().flat_map(ReviewRow::explained) {
        wanted.entry(copy.at.path.file()).or_default().push(lines(&copy.at));
    }
    let corpus = &snapshot.manifest().corpus;
    let mut reader = DocumentReader::new(snapshot);
    let mut questions = Vec::new();
    for (path, ranges) in wanted {
        let Ok(file) = reader.file(&path) else { continue };
        let absolute = corpus.absolute(&path);
        let question = match own.path_of(&absolute) {
            Some(below) => own.blame(&below, &file.text, &ranges)?,
            // A file of another folder may have no history.
            None => match Repository::of_file(&absolute, &|| true) {
                Ok((other, below)) => other.blame(&below, &file.text, &ranges)?,
                Err(_) => continue,
            },
        };
        questions.push((path, question));
    }
    let bar = SearchBar::new("blame");
    let (all, done) = (questions.len(), AtomicUsize::new(0));
    let asked = questions.into_par_iter().map(|(path, question)| {
        let blame = question.ask_while(&|| true)?;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        bar.set(done as f64 / all as f64);
        Ok((path, blame))
    });
    let blames: BTreeMap<PathBuf, Blame> = asked.collect::<Result<_, ChangeError>>()?;
    for copy in rows.iter_mut().flat_map(ReviewRow::explained) {
        if let Some(blame) = blames.get(&copy.at.path.file()) {
            copy.blame = blame.commits(&lines(&copy.at));
        }
    }
    Ok(())
}

/// The lines of a copy, from 0.
fn lines(at: &OccurrenceRow) -> Range<u32> {
    at.part.line.saturating_sub(1)..at.part.end_line
}
