//! `passages`: whole duplicated stretches, each once with all its copies.

use std::borrow::Cow;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::args::{AlikeArgs, FindArgs, KindList, MatchArgs, OnlyArgs, PathGlob, PlaceArgs, path};
use super::ask::{Question, accepted, aside, ask, corrected, hidden, in_corpus, no_document_in};
use super::error::CliError;
use super::filter::given;
use super::output::{Outcome, Output, tell};
use super::progress::SearchBar;
use super::target::CorpusTarget;
use dupi_base::config::Settings;
use dupi_base::corpus::{Unread, portions};
use dupi_base::storage::Folder;
use dupi_index::index::snapshot::Snapshot;
use dupi_judge::PassageOrder;
use dupi_judge::amend::load_or_amend;
use dupi_judge::aside::AsideRule;
use dupi_judge::choice::PassageChoice;
use dupi_judge::copies::with_base;
use dupi_judge::copies::{edits, texts};
use dupi_judge::kept;
use dupi_judge::known::Visit;
use dupi_judge::location::locate;
use dupi_judge::passages::Passage;
use dupi_judge::search::{Passages, SearchSettings};
use dupi_passage::bounds::Omissions;
use dupi_report::{PassageRow, TEXT, left_out, suppressed};
use dupi_session::Subject;

/// What marks in a source file do, below the help of `passages`.
pub(super) const ABOUT: &str = "\
In a comment, dupi:ignore-start suppresses what follows up to dupi:ignore-end or the end of the file, and dupi:ignore its line,
or the next one when only comments stand in its own. A copy with fewer than --min-tokens tokens outside of what is suppressed
is none. What is suppressed is counted, and listed by `taboo report`.";

/// `passages`.
#[derive(Debug, Args)]
pub struct PassagesArgs {
    /// Which corpus.
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Which passages.
    #[command(flatten)]
    pub alike: AlikeArgs,
    /// How source code is compared.
    #[command(flatten)]
    pub matching: MatchArgs,
    /// The order of the rows: worth (bits of information saved if only one copy were kept), copies, tokens, score
    /// (tokens saved if only one copy were kept), lines (whole lines that could then be deleted), documents, spread
    /// (number of folders), path (of the representative copy) or recent (last changed first)
    #[arg(long, value_name = "BY", default_value = "worth", value_parser = order())]
    pub sort: PassageOrder,
    /// Reverse the order
    #[arg(long)]
    pub reverse: bool,
    /// Only the first N
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Only passages with at least N copies
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub min_copies: usize,
    /// List at most N copies of each passage, or all [default: 5 in text on a terminal, else all]
    #[arg(long, value_name = "N|all", value_parser = CopyLimit::parse)]
    pub copies: Option<CopyLimit>,
    /// Only passages with a copy in a file whose path matches this pattern, such as `src/**`
    #[arg(long, value_name = "GLOB", value_parser = PathGlob::parse)]
    pub path: Option<PathGlob>,
    /// Only passages that pass a filter, such as `ext:c copies:>5 -path:vendor`
    #[arg(long, value_name = "FILTER", allow_hyphen_values = true)]
    pub filter: Option<String>,
    /// Only passages of these kinds: code, prose, comment, licence, imports, data, generated, markup, test
    #[arg(long, value_name = "KIND,…", value_parser = KindList::parse)]
    pub kind: Option<KindList>,
    /// Leave out passages of these kinds, or of none, unless --kind or --filter asks for them or nothing else is found
    /// [default: what `kind aside` and `kind show` say, the setting `aside`, or licence,imports,data,generated,markup]
    #[arg(long, value_name = "KIND,…|none", value_parser = KindList::parse_or_none)]
    pub aside: Option<KindList>,
    /// List all passages of a family: those that lie within, over or beside each other, of which only the one with the
    /// highest worth is listed otherwise
    #[arg(long)]
    pub members: bool,
    /// Show this many words before and after each copy
    #[arg(long, value_name = "WORDS")]
    pub context: Option<usize>,
    /// Show how each copy differs from the representative
    #[arg(long)]
    pub edits: bool,
    /// Compare the copies with the one in this document or folder: given by its path in the corpus, instead of with the
    /// representative
    #[arg(long, value_name = "PATH", value_parser = path())]
    pub base: Option<PathBuf>,
    /// Search only around what has changed since the last search, in a large corpus: what changes touch is listed, but worth is
    /// estimated, and copies with differences may be missing until all documents are searched again
    #[arg(long)]
    pub amended: bool,
    /// Search the blocks in this folder, which `segment query passages` made, instead of the documents; the index is used as
    /// it is
    #[arg(long, value_name = "DIR", conflicts_with_all = ["amended", "rebuild"], value_parser = path())]
    pub reduce: Option<PathBuf>,
    /// Which index.
    #[command(flatten)]
    pub find: FindArgs,
    /// Which files.
    #[command(flatten)]
    pub only: OnlyArgs,
}

/// The orders of passages, with their names and descriptions.
const ORDERS: [(&str, PassageOrder, &str); 9] = [
    ("worth", PassageOrder::Worth, "The bits of information saved if only one copy were kept"),
    ("copies", PassageOrder::Copies, "The number of copies"),
    ("tokens", PassageOrder::Tokens, "The length in tokens"),
    ("score", PassageOrder::Score, "The number of tokens saved if only one copy were kept"),
    (
        "lines",
        PassageOrder::Lines,
        "The number of whole lines that could be deleted if only one copy were kept",
    ),
    ("documents", PassageOrder::Documents, "The number of documents with a copy"),
    ("spread", PassageOrder::Spread, "The number of folders with a copy"),
    ("path", PassageOrder::Path, "The path of the representative copy, ascending"),
    ("recent", PassageOrder::Recent, "The last change of a document with a copy, the newest first"),
];

/// The parser of `--sort`.
fn order() -> impl TypedValueParser<Value = PassageOrder> {
    let names =
        PossibleValuesParser::new(ORDERS.map(|(name, _, about)| PossibleValue::new(name).help(about)));
    names.map(|given| ORDERS.iter().find(|(name, ..)| *name == given).map(|of| of.1).unwrap_or_default())
}

/// How many copies of a passage are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyLimit(pub usize);

impl CopyLimit {
    /// The limit on a terminal, where a passage with many copies would push the others off the screen.
    pub const ON_TERMINAL: Self = Self(5);
    /// No limit.
    pub const NONE: Self = Self(usize::MAX);

    /// Reads a number from 1, or `all`.
    fn parse(given: &str) -> Result<Self, String> {
        if given.trim().eq_ignore_ascii_case("all") {
            return Ok(Self::NONE);
        }
        let number = given.parse().ok().filter(|&number| number > 0).map(Self);
        number.ok_or_else(|| format!("`{given}` is not a number of copies; write 1, 2, … or all"))
    }
}

/// Bytes that the place of a copy takes while it is printed.
const LOCATED: u64 = 384;
/// The part of the memory that what is printed next may take.
const LOCATED_SHARE: u64 = 4;

/// Lists passages.
pub(super) fn run(args: &PassagesArgs, settings: &Settings) -> Result<Outcome, CliError> {
    let (place, snapshot) = prepare(args, settings)?;
    answer(args, settings, (&place, &snapshot), args.reduce.as_deref())
}

/// The index that is asked. What is refused is refused before it is brought up to date, or soon after.
pub(super) fn prepare(
    args: &PassagesArgs,
    settings: &Settings,
) -> Result<(CorpusTarget, Snapshot), CliError> {
    args.matching.refuse_gap(args.alike.measure.gap)?;
    given(args.filter.as_deref(), Subject::Passages)?;
    let question = Question {
        matching: args.matching.matching()?,
        is_as_it_is: args.reduce.is_some(),
        ..Question::new(args.place.place.as_deref(), &args.only)
    };
    let (place, snapshot) = ask(&args.find.target, settings, question)?;
    if let Some(given) = &args.base
        && let base = in_corpus(given, &place.corpus.base)
        && !snapshot.files().any(|file| snapshot.path(file).starts_with(&base))
    {
        return Err(no_document_in(given));
    }
    Ok((place, snapshot))
}

/// Prints the passages of an index; with `blocks` those that are found in the blocks in this folder.
pub(super) fn answer(
    args: &PassagesArgs,
    settings: &Settings,
    (place, snapshot): (&CorpusTarget, &Snapshot),
    blocks: Option<&Path>,
) -> Result<Outcome, CliError> {
    let filter = given(args.filter.as_deref(), Subject::Passages)?;
    let base = args.base.as_ref().map(|base| in_corpus(base, &place.corpus.base));
    let is_base = base.as_ref().map(|base| move |path: &Path| path.starts_with(base));
    let (taboo, accepted, corrected) = (hidden(place, snapshot)?, accepted(place)?, corrected(place)?);
    let given = args.aside.as_ref().map(|kinds| &kinds.0[..]);
    let aside = aside(given, &place.options.decisions, settings)?;
    let shows_taboo = args.alike.taboo || filter.wants_taboo();
    let source = match blocks {
        Some(folder) => Source::Blocks(folder),
        None if args.amended => Source::Amended,
        None => Source::Documents,
    };
    let (passages, wanted) = find_matching(place, snapshot, &args.alike, &args.matching, source)?;
    if filter.asks_for_visit() {
        // The screen has visits of its own in an index with patterns, and none where names are folded.
        match Visit::load(snapshot.folder()).or_else(|| Visit::load(&place.options.decisions)) {
            Some(visit) => kept::compare_with(&Arc::new(visit), snapshot, &passages),
            None => {
                tell(
                    "since:visit: nothing is known of a visit; open this corpus on the screen, and leave it",
                );
            }
        }
    }
    kept::know_hidden(snapshot, &wanted, &passages, &taboo, args.alike.min_tokens);
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
    let chosen = choice.of(snapshot, &passages)?;
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
                .and_then(|is| with_base(snapshot, &passages.sources, passage, &wanted.measure, is));
            with.map_or(Cow::Borrowed(passage), Cow::Owned)
        });
        let some: Vec<Cow<Passage>> = based.collect();
        let some: Vec<&Passage> = some.iter().map(Cow::as_ref).collect();
        let located = locate(snapshot, &passages.sources, &some, args.context);
        // Files may have changed since they were searched.
        let rows = some.iter().zip(located);
        for (passage, located) in rows.filter(|(_, located)| located.copies.len() > 1) {
            is_empty = false;
            let edits = args.edits.then(|| edits(snapshot, &passages.sources, passage));
            let kind = passage.kind_by(&chosen.corrected);
            let needs = args.find.format.format.needs_texts;
            let texts = needs.then(|| texts(snapshot, &passages.sources, passage));
            let row = PassageRow::new(passage, kind, located, edits, texts).listing(most);
            output.row(&row)?;
        }
    }
    output.end()?;
    left_out(&chosen.aside, chosen.members).iter().for_each(tell);
    suppressed(snapshot, &passages.sources, &passages.suppressed).iter().for_each(tell);
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
pub(super) fn complete(is_empty: bool, unread: &Unread, omissions: Omissions) -> Result<Outcome, CliError> {
    let outcome = Outcome::from_answer(is_empty, unread);
    if omissions.is_empty() {
        return outcome;
    }
    if let Err(error) = outcome {
        tell(error);
    }
    Err(CliError::Failed(omissions.to_string()))
}

/// The passages that are kept in the index. If there are none it looks for them, tells how far it is, and keeps them.
pub(super) fn find(
    place: &CorpusTarget,
    snapshot: &Snapshot,
    alike: &AlikeArgs,
) -> Result<(Passages, SearchSettings), CliError> {
    find_matching(place, snapshot, alike, &MatchArgs::default(), Source::Documents)
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
    let wanted = alike.search(&snapshot.manifest().recipe, matching, &place.options);
    let bar = SearchBar::new("passages");
    let tick = bar.tick();
    let passages = match source {
        Source::Documents => None,
        Source::Amended => load_or_amend(snapshot, &wanted, &tick)?,
        Source::Blocks(folder) => {
            let folder = Folder::new(folder);
            let passages =
                Passages::find_in_blocks(snapshot, &wanted, PassageOrder::default(), &folder, &tick)?;
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
    fn a_limit_is_a_number_or_all() {
        assert_eq!(CopyLimit::parse("7"), Ok(CopyLimit(7)));
        assert_eq!(CopyLimit::parse("ALL"), Ok(CopyLimit::NONE));
        for wrong in ["0", "-1", "", "some"] {
            assert!(CopyLimit::parse(wrong).unwrap_err().contains("or all"), "{wrong}");
        }
    }

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
