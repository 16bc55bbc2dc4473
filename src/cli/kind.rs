//! `kind`: edits what passages are, and which kinds are set aside. Only `set` reads the index.

use clap::{Args, Subcommand};

use super::args::{HomeArgs, ListArgs, TargetArgs};
use super::ask::corrected;
use super::decisions::{FoundPassage, check, id_of, numbered, passage, remove, short};
use super::error::CliError;
use super::output::{Outcome, Output, say};
use super::progress::{Terminal, Then};
use super::target::{CorpusTarget, home_of};
use dupi_base::config::{Kind, Settings};
use dupi_index::taboo::{
    AcceptedId, AsideEntry, AsideList, CountingEntry, KindEntry, KindList, excerpt, today,
};
use dupi_judge::passages::PassageId;
use dupi_report::KindRow;

/// `kind`.
#[derive(Debug, Subcommand)]
pub enum KindVerb {
    /// Set the kind of a passage, wherever its text stands, when the rules are wrong
    Set(Box<KindSetArgs>),
    /// List what was decided: the kinds of passages, and which kinds are set aside
    List(ListArgs),
    /// Remove a decision, so that the rules or the settings decide again
    Remove(KindRemoveArgs),
    /// List the passages of a kind in this corpus, whatever the settings set aside
    Show(WholeKindArgs),
    /// Set the passages of a kind aside in this corpus, whatever the settings say
    Aside(WholeKindArgs),
}

/// `kind set`.
#[derive(Debug, Args)]
pub struct KindSetArgs {
    /// The id of a passage as printed by `passages`, or the beginning of its text
    pub what: String,
    /// code, prose, comment, licence, imports, data, generated, markup or test
    pub kind: Kind,
    /// Which corpus.
    #[command(flatten)]
    pub target: TargetArgs,
}

/// `kind remove`.
#[derive(Debug, Args)]
pub struct KindRemoveArgs {
    /// A number from `kind list`, the id of a passage, the name of a kind, or the beginning of a text
    pub what: String,
    /// Which corpus.
    #[command(flatten)]
    pub home: HomeArgs,
}

/// `kind show` and `kind aside`.
#[derive(Debug, Args)]
pub struct WholeKindArgs {
    /// code, prose, comment, licence, imports, data, generated, markup or test
    pub kind: Kind,
    /// Which corpus.
    #[command(flatten)]
    pub home: HomeArgs,
}

/// Runs a verb of `kind`.
pub(super) fn run(verb: &KindVerb, settings: &Settings) -> Result<Outcome, CliError> {
    match verb {
        KindVerb::Set(args) => set(args, settings),
        KindVerb::List(args) => list(args),
        KindVerb::Remove(args) => undecide(args),
        KindVerb::Show(args) => set_aside(args, false),
        KindVerb::Aside(args) => set_aside(args, true),
    }
}

fn set(args: &KindSetArgs, settings: &Settings) -> Result<Outcome, CliError> {
    check(&args.what)?;
    let refused = |what| CliError::Failed(format!("{what} has no kind; give the id of a passage"));
    let id = match id_of(&args.what) {
        Some(AcceptedId::Blot(_)) => return Err(refused("a blot")),
        Some(AcceptedId::Cluster(_)) => return Err(refused("a cluster of documents")),
        Some(AcceptedId::Passage(id)) => Some(PassageId(id)),
        None => None,
    };
    let place = CorpusTarget::of_verb(&args.target, None, settings)?;
    let terminal = Terminal::new(true, Then::Answer)?;
    let snapshot = place.snapshot(args.target.no_update, &terminal)?;
    drop(terminal);
    let start = if id.is_some() { "" } else { &args.what };
    let found = passage(&snapshot, place.options.memory, id, start)?;
    let Some((found, passages)) = found else { return Outcome::from_answer(true, snapshot.unread()) };
    let FoundPassage { of, text, texts, .. } = found;
    let known = passages.corrected(&corrected(&place)?);
    let former = known.entry(of).unwrap_or(CountingEntry::own(of));
    let entry = KindEntry { of, kind: args.kind, text: excerpt(&text), texts, added: today() };
    let words = format!("{of} is {} now: {}\n", args.kind, short(&entry.text));
    KindList::edit(&place.options.home, |list| list.decide_as([(former, entry)]))?;
    say(&words)?;
    Outcome::from_answer(false, snapshot.unread())
}

/// The name of a decision about a whole kind.
fn name_of(kind: Kind) -> String {
    format!("kind:{kind}")
}

fn list(args: &ListArgs) -> Result<Outcome, CliError> {
    let home = home_of(&args.home)?;
    let (kinds, aside) = (KindList::load(&home)?, AsideList::load(&home)?);
    let texts = kinds.entries().iter().map(|entry| KindRow {
        number: 0,
        of: entry.of.to_string(),
        is: entry.kind.to_string(),
        added: entry.added.to_string(),
        text: Some(entry.text.clone()),
    });
    let whole = aside.entries().iter().map(|entry| KindRow {
        number: 0,
        of: name_of(entry.kind),
        is: if entry.aside { "aside" } else { "listed" }.to_owned(),
        added: entry.added.to_string(),
        text: None,
    });
    let rows = texts.chain(whole).zip(1..).map(|(row, number)| KindRow { number, ..row });
    Output::list(&args.format, rows)
}

fn undecide(args: &KindRemoveArgs) -> Result<Outcome, CliError> {
    check(&args.what)?;
    let (home, what) = (home_of(&args.home)?, args.what.as_str());
    let number = what.parse::<usize>().ok();
    let id = id_of(what);
    let passage = id.and_then(AcceptedId::passage);
    let is_kind = what.parse::<Kind>().is_ok() || number.is_some();
    let mut before = 0;
    let removed = remove(&home, |list: &KindList| {
        before = list.entries().len();
        let find = |is_it: &dyn Fn(&KindEntry) -> bool| list.entries().iter().find(|entry| is_it(entry));
        numbered(list, what)
            .or_else(|| find(&|entry| Some(entry.of) == id))
            .or_else(|| find(&|entry| entry.texts.iter().any(|text| Some(text) == passage)))
            .or_else(|| find(&|entry| !is_kind && entry.text.starts_with(what)))
    })?;
    if let Some(entry) = removed {
        say(&format!("no kind is set any more: {} {}\n", entry.of, short(&entry.text)))?;
        return Ok(Outcome::Done);
    }
    // The decisions about whole kinds follow those about texts in the list.
    let number = number.and_then(|number| number.checked_sub(1 + before));
    let removed = remove(&home, |list: &AsideList| {
        let is_it = |entry: &&AsideEntry| what == entry.kind.name() || what == name_of(entry.kind);
        let by_name = || list.entries().iter().find(is_it);
        number.and_then(|at| list.entries().get(at)).or_else(by_name)
    })?;
    let Some(entry) = removed else { return Ok(Outcome::Nothing) };
    say(&format!("the settings decide whether {} is set aside\n", entry.kind))?;
    Ok(Outcome::Done)
}

fn set_aside(args: &WholeKindArgs, aside: bool) -> Result<Outcome, CliError> {
    let (_, _) = AsideList::edit(&home_of(&args.home)?, |list| list.set(args.kind, Some(aside), today()))?;
    let now = if aside { "set aside" } else { "listed" };
    say(&format!("{} is {now} in this corpus\n", args.kind))?;
    Ok(Outcome::Done)
}
