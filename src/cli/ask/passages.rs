//! `passages`: whole duplicated stretches, each once with all its copies.

use std::borrow::Cow;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use super::{accepted, aside, ask_target, hidden, in_corpus, no_document_in, refuse_gap};
use crate::cli::args::{AlikeArgs, CopyLimit, MatchArgs, PassagesArgs};
use crate::cli::error::CliError;
use crate::cli::filter::given;
use crate::cli::messages::tell;
use crate::cli::outcome::Outcome;
use crate::cli::output::Output;
use crate::cli::progress::SearchBar;
use crate::cli::target::CorpusTarget;
use dupi_base::config::Settings;
use dupi_base::corpus::{Unread, portions};
use dupi_base::storage::Folder;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::taboo::{CorrectedKinds, KindList};
use dupi_judge::PassageOrder;
use dupi_judge::amend::load_or_amend;
use dupi_judge::aside::AsideRule;
use dupi_judge::base::with_base;
use dupi_judge::blocks;
use dupi_judge::choice::PassageChoice;
use dupi_judge::edits::{edits, texts};
use dupi_judge::kept;
use dupi_judge::location::locate;
use dupi_judge::passages::Passage;
use dupi_judge::search::{Passages, SearchSettings};
use dupi_judge::since_visit::Visit;
use dupi_passage::bounds::Omissions;
use dupi_report::{PassageRow, ReportRow, TEXT, left_out, suppressed};
use dupi_session::Subject;

/// Bytes that the place of a copy takes while it is printed.
const LOCATED: u64 = 384;
/// The part of the memory that what is printed next may take.
const LOCATED_SHARE: u64 = 4;

/// Lists passages.
pub(crate) fn run(args: &PassagesArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let index = prepare(args, settings)?;
    answer(args, settings, index, args.reduce.as_deref())
}

/// An index that is asked.
pub(crate) struct AskedIndex {
    /// The folder of the index of the corpus, beside which that for a way of matching lies.
    pub(crate) main: PathBuf,
    /// The index.
    pub(crate) place: CorpusTarget,
    /// What it has now.
    pub(crate) snapshot: Snapshot,
}

/// The index that is asked. What is refused is refused before it is brought up to date, or soon after.
pub(crate) fn prepare(args: &PassagesArgs, settings: &Settings) -> Result<AskedIndex, CliError> {
    refuse_gap(&args.matching, args.alike.measure.gap)?;
    given(args.filter.as_deref(), Subject::Passages)?;
    let matching = (args.matching.by, args.matching.ignore.ignored()?);
    let no_update = args.find.target.no_update || args.reduce.is_some();
    let place = CorpusTarget::of_verb(&args.find.target, args.place.as_deref(), settings)?;
    let main = place.options.home.path();
    let main = absolute(main).unwrap_or_else(|_| main.to_owned());
    let place = place.matching(matching.0, matching.1, !no_update)?;
    let (place, snapshot) = ask_target(place, no_update, Some(&args.only), false)?;
    if let Some(given) = &args.base
        && let base = in_corpus(given, &place.corpus.base)
        && !snapshot.files().any(|file| snapshot.path(file).starts_with(&base))
    {
        return Err(no_document_in(given));
    }
    Ok(AskedIndex { main, place, snapshot })
}

/// Prints the passages of an index; with `blocks` those that are found in the blocks in this folder.
pub(crate) fn answer(
    args: &PassagesArgs,
    settings: &Settings,
    AskedIndex { place, snapshot, .. }: AskedIndex,
    blocks: Option<&Path>,
) -> Result<Outcome, CliError> {
    let filter = given(args.filter.as_deref(), Subject::Passages)?;
    let base = args.base.as_ref().map(|base| in_corpus(base, &place.corpus.base));
    let is_base = base.as_ref().map(|base| move |path: &Path| path.starts_with(base));
    let (taboo, accepted) = (hidden(&place, &snapshot)?, accepted(&place)?);
    let corrected = CorrectedKinds::new(&KindList::load(&place.options.decisions)?);
    let given = args.aside.as_ref().map(|kinds| &kinds.0[..]);
    let aside = aside(given, &place.options.decisions, settings)?;
    let shows_taboo = args.alike.taboo || filter.wants_taboo();
    let source = match blocks {
        Some(folder) => Source::Blocks(folder),
        None if args.amended => Source::Amended,
        None => Source::Documents,
    };
    let (passages, wanted) = find_matching(&place, &snapshot, &args.alike, &args.matching, source)?;
    if filter.asks_for_visit() {
        // The screen has visits of its own in an index with patterns, and none where names are folded.
        match Visit::load(snapshot.folder()).or_else(|| Visit::load(&place.options.decisions)) {
            Some(visit) => kept::compare_with(&Arc::new(visit), &snapshot, &passages),
            None => {
                tell(
                    "since:visit: nothing is known of a visit; open this corpus on the screen, and leave it",
                );
            }
        }
    }
    kept::know_hidden(&snapshot, &wanted, &passages, &taboo, args.alike.min_tokens);
    let is_meant = args.path.as_ref().map(|pattern| |path: &Path| pattern.matches(path));
    let choice = PassageChoice {
        filter,
        taboo: &taboo,
        shows_taboo,
        accepted: &accepted,
        corrected: &corrected,
        least: args.alike.min_tokens,
        min_copies: args.min_copies,
        path: is_meant.as_ref().map(|is_meant| is_meant as &dyn Fn(&Path) -> bool),
        kinds: args.kind.as_ref().map_or(&[], |kinds| &kinds.0),
        aside: AsideRule { kinds: aside, members: args.members },
        order: args.sort,
        is_reversed: args.reverse,
        most: args.top.unwrap_or(usize::MAX),
    };
    let chosen = choice.of(&snapshot, &passages)?;
    let mut output = Output::begin_on(&args.find.format, &snapshot.manifest().corpus.base)?;
    let mut is_empty = true;
    let CopyLimit(most) = limit(args);
    // Copies that are looked up at once take as much as their places and texts do.
    let bytes = |passage: &&Passage| {
        let text = passage.representative().end - passage.representative().start;
        passage.copies.len() as u64 * LOCATED + u64::from(text)
    };
    for some in portions(&chosen.listed, place.options.memory / LOCATED_SHARE, bytes) {
        let based = some.iter().map(|&passage| {
            let with = is_base
                .as_ref()
                .and_then(|is| with_base(&snapshot, &passages.sources, passage, &wanted.measure, is));
            with.map_or(Cow::Borrowed(passage), Cow::Owned)
        });
        let some: Vec<Cow<Passage>> = based.collect();
        let some: Vec<&Passage> = some.iter().map(Cow::as_ref).collect();
        let located = locate(&snapshot, &passages.sources, &some, args.context);
        // Files may have changed since they were searched.
        let rows = some.iter().zip(located);
        for (passage, located) in rows.filter(|(_, located)| located.copies.len() > 1) {
            is_empty = false;
            let edits = args.edits.then(|| edits(&snapshot, &passages.sources, passage));
            let kind = passage.kind_by(&chosen.corrected);
            let needs = args.find.format.format.needs_texts;
            let texts = needs.then(|| texts(&snapshot, &passages.sources, passage));
            let row = PassageRow::with_texts(passage, kind, located, edits, texts).listing(most);
            output.row(&ReportRow::Passage(row))?;
        }
    }
    output.end()?;
    left_out(&chosen.aside, chosen.members).iter().for_each(tell);
    suppressed(&snapshot, &passages.sources, &passages.suppressed).iter().for_each(tell);
    if is_empty && io::stderr().is_terminal() {
        tell("no passages were found");
    }
    complete(is_empty, snapshot.unread(), passages.omissions)
}

/// How many copies of a passage are listed: all, except for people.
fn limit(args: &PassagesArgs) -> CopyLimit {
    let is_seen = args.find.format.format == TEXT && io::stdout().is_terminal();
    args.copies.unwrap_or(if is_seen { CopyLimit::ON_TERMINAL } else { CopyLimit::NONE })
}

/// The result of a verb that printed passages: whether there were none, what could not be read, and what was left out.
pub(crate) fn complete(is_empty: bool, unread: &Unread, omissions: Omissions) -> Result<Outcome, CliError> {
    let outcome = Outcome::of(is_empty, unread);
    if omissions.is_empty() {
        return outcome;
    }
    if let Err(error) = outcome {
        tell(error);
    }
    Err(CliError::Omissions(omissions))
}

/// The passages that are kept in the index. If there are none it looks for them, tells how far it is, and keeps them.
pub(crate) fn find(
    place: &CorpusTarget,
    snapshot: &Snapshot,
    alike: &AlikeArgs,
) -> Result<(Passages, SearchSettings), CliError> {
    find_matching(place, snapshot, alike, &MatchArgs::default(), Source::Documents)
}

/// The settings of a search for a way of matching.
pub(crate) fn wanted(
    place: &CorpusTarget,
    snapshot: &Snapshot,
    alike: &AlikeArgs,
    matching: &MatchArgs,
) -> SearchSettings {
    let measure = alike.measure.with_least(alike.min_tokens, &snapshot.manifest().recipe);
    SearchSettings {
        measure: alike.measure.for_matching(matching.by, measure),
        across: alike.across,
        consistent: matching.is_consistent(),
        memory: place.options.memory,
        patterns: Arc::clone(&place.options.patterns),
    }
}

/// What is searched if no passages are kept in the index.
#[derive(Clone, Copy)]
enum Source<'a> {
    Documents,
    /// What has changed since passages were kept last.
    Amended,
    /// The blocks in a folder, also if passages are kept.
    Blocks(&'a Path),
}

/// The same for a way of matching.
fn find_matching(
    place: &CorpusTarget,
    snapshot: &Snapshot,
    alike: &AlikeArgs,
    matching: &MatchArgs,
    source: Source,
) -> Result<(Passages, SearchSettings), CliError> {
    let wanted = wanted(place, snapshot, alike, matching);
    let bar = SearchBar::new("passages");
    let tick = |share| {
        bar.set(share);
        Ok(())
    };
    let passages = match source {
        Source::Documents => None,
        Source::Amended => load_or_amend(snapshot, &wanted, &tick)?,
        Source::Blocks(folder) => {
            let folder = Folder::new(folder);
            let passages = blocks::find(snapshot, &wanted, PassageOrder::default(), &folder, &tick)?;
            kept::save(snapshot, &wanted, &passages);
            Some(passages)
        }
    };
    let passages = match passages {
        Some(passages) => passages,
        None => kept::load_or_find(snapshot, &wanted, &tick)?,
    };
    Ok((passages, wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_from_which_something_was_left_out_is_a_failure_that_says_what() {
        let unread = Unread::default();
        assert!(matches!(complete(false, &unread, Omissions::default()), Ok(Outcome::Done)));
        let omissions = Omissions { places: 7, ..Omissions::default() };
        let said = complete(false, &unread, omissions).err().map(|error| error.to_string());
        let expected = "the list of passages is incomplete; omitted: 7 places in very repetitive text";
        assert_eq!(said.as_deref(), Some(expected));
    }
}
