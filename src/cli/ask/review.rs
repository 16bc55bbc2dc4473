//! `review`: which copies are new with a change, and which did it change on one side only.

mod blame;
mod options;
mod source;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{ask, hidden};
use crate::cli::args::{FailOn, ReviewArgs};
use crate::cli::error::CliError;
use crate::cli::messages::tell;
use crate::cli::outcome::Outcome;
use crate::cli::output::Output;
use crate::cli::progress::SearchBar;
use crate::cli::target::CorpusTarget;
use crate::config::{Kind, Settings};
use crate::index::snapshot::Snapshot;
use crate::passage::location::{LocatedPassage, locate};
use crate::passage::passages::Passage;
use crate::passage::search::SearchSettings;
use crate::report::{ReportRow, ReviewRow};
use crate::review::baseline::Baseline;
use crate::review::find::LeftOut;
use crate::review::{Review, ReviewCriteria, ReviewedPassage, review};
use crate::storage::shown;
use crate::taboo::{
    AcceptedEntry, AcceptedId, AcceptedList, AcceptedSet, AsideList, CorrectedKinds, KeptTexts, KindList,
    TabooList, excerpt, today,
};
use blame::add_blame;
use options::ReviewOptions;
use source::Source;

/// Reviews a change.
pub(crate) fn run(args: &ReviewArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let options = ReviewOptions::of(args)?;
    let given = args.find.target.corpus.clone().unwrap_or_else(|| PathBuf::from("."));
    let source = Source::of(args, &given)?;
    let (place, snapshot) = ask(&args.find, None, Some(source.root()), settings)?;
    let changed = source.changes(args, options.base.as_deref(), &snapshot)?;
    for path in changed.absent() {
        tell(format_args!(
            "{} has lines in the change that the working tree does not have; these are not reviewed",
            shown(path)
        ));
    }
    let mut baseline = match &options.baseline {
        Some(file) if args.update_baseline && !file.exists() => Baseline::default(),
        Some(file) => Baseline::read(file)?,
        None => Baseline::default(),
    };
    let recipe = snapshot.manifest().recipe;
    let mut taboo = hidden(&place, &snapshot)?;
    baseline.taboo().iter().for_each(|entry| taboo.add(entry, &recipe));
    let mut accepted = AcceptedList::load(&place.options.home)?;
    accepted.accept(baseline.accepted().iter().cloned());
    let aside = match &options.aside {
        Some(kinds) => kinds.clone(),
        None => AsideList::load(&place.options.home)?.of(settings.aside.as_deref().unwrap_or(&Kind::ASIDES)),
    };
    let search = SearchSettings {
        measure: args.measure.with_least(options.min_tokens, &recipe),
        across: false,
        memory: place.options.memory,
        patterns: Arc::clone(&place.options.patterns),
    };
    let criteria = ReviewCriteria {
        search: &search,
        taboo: &taboo,
        accepted: &AcceptedSet::new(&accepted),
        corrected: &CorrectedKinds::new(&KindList::load(&place.options.home)?),
        aside: &aside,
        min_worth: options.min_worth,
    };
    let bar = SearchBar::new("review");
    let tick = |share| {
        bar.set(share);
        Ok(())
    };
    let found = review(&snapshot, &changed, &criteria, &tick)?;
    drop(bar);
    let (new, drifted) = (found.new.len() as u64, found.drifted.len() as u64);
    if args.update_baseline
        && let Some(file) = &options.baseline
    {
        update(&mut baseline, file, &place, &snapshot, &found)?;
    }
    print(args, &source, &place, &snapshot, found)?;
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
    found: Review,
) -> Result<(), CliError> {
    let Review { passages, new, drifted, left_out } = found;
    let some: Vec<&Passage> = new.iter().map(|reviewed| &passages.found[reviewed.number]).collect();
    let located = locate(snapshot, &passages.sources, &some, None);
    let row = |((passage, reviewed), located): ((&&Passage, &ReviewedPassage), LocatedPassage)| {
        ReviewRow::new(passage, reviewed, passage.kind, located)
    };
    let new = some.iter().zip(&new).zip(located).map(row);
    let mut rows: Vec<ReviewRow> = new.chain(drifted.into_iter().map(ReviewRow::drifted)).collect();
    if args.blame {
        add_blame(&mut rows, source, snapshot)?;
    }
    let mut output = Output::begin_on(&args.find.format, &place.corpus.base)?;
    for row in rows {
        output.row(&ReportRow::Review(row))?;
    }
    output.end()?;
    if let Some(sentence) = in_words(&left_out) {
        tell(sentence);
    }
    if !passages.omissions.is_empty() {
        tell(passages.omissions);
    }
    Ok(())
}

/// Adds what is reported now, and the decisions of the corpus, to a baseline.
fn update(
    baseline: &mut Baseline,
    file: &Path,
    place: &CorpusTarget,
    snapshot: &Snapshot,
    found: &Review,
) -> Result<(), CliError> {
    let some: Vec<&Passage> =
        found.new.iter().map(|reviewed| &found.passages.found[reviewed.number]).collect();
    let located = locate(snapshot, &found.passages.sources, &some, None);
    let new = some.iter().zip(located).map(|(passage, located)| AcceptedEntry {
        of: AcceptedId::Passage(passage.id.0),
        text: excerpt(&located.text),
        copies: passage.copies.len() as u64,
        texts: found.passages.copy_texts.kept(passage.id),
        added: today(),
        reason: None,
    });
    let drifted = found.drifted.iter().map(|drift| AcceptedEntry {
        of: AcceptedId::Passage(drift.id),
        text: drift.changed.first().map(|copy| excerpt(&copy.text)).unwrap_or_default(),
        copies: (drift.changed.len() + drift.others.len()) as u64,
        texts: KeptTexts::default(),
        added: today(),
        reason: None,
    });
    let decided = AcceptedList::load(&place.options.home)?.entries().to_vec();
    let taboo = TabooList::load(&place.folders().corpus)?.entries().to_vec();
    baseline.add(decided.into_iter().chain(new).chain(drifted), taboo);
    Ok(baseline.write(file)?)
}

/// What is not reported, in a sentence; `None` if nothing is.
fn in_words(left_out: &LeftOut) -> Option<String> {
    let LeftOut { aside, taboo, accepted, small, as_many, members, frequent } = left_out;
    let kinds: Vec<String> = aside.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let kinds = (!kinds.is_empty()).then(|| format!("{} (--aside none shows them)", kinds.join(", ")));
    let number = |count: u64, words: &str| (count > 0).then(|| format!("{count} {words}"));
    let parts: Vec<String> = [
        kinds,
        number(*taboo, "taboo"),
        number(*accepted, "accepted"),
        number(*small, "of less worth"),
        number(*as_many, "moved or edited, with as many copies as before"),
        number(*members, "in the families of others"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let frequent = number(*frequent, "tiles are in too many documents to read these");
    let parts = (!parts.is_empty()).then(|| format!("not reported: {}", parts.join("; ")));
    let said: Vec<String> = parts.into_iter().chain(frequent).collect();
    (!said.is_empty()).then(|| said.join("; "))
}
