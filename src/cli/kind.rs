//! `kind`: edits what passages are, and which kinds are set aside.

use super::accept::{FoundPassage, check, id_of, passage};
use super::args::{KindRemoveArgs, KindSetArgs, KindVerb, ListArgs, WholeKindArgs};
use super::error::CliError;
use super::outcome::Outcome;
use super::output::{Output, say};
use super::progress::{Terminal, Then};
use super::target::{CorpusTarget, home_of};
use dupi_base::config::{Kind, Settings};
use dupi_base::storage::one_line;
use dupi_index::taboo::{
    AcceptedId, AsideList, CorrectedKinds, CountingEntry, KindEntry, KindList, excerpt, today,
};
use dupi_judge::passages::PassageId;
use dupi_report::{KindRow, ReportRow};

/// Runs a verb of `kind`.
pub(super) fn run(verb: &KindVerb, settings: &Settings) -> Result<Outcome, CliError> {
    match verb {
        KindVerb::Set(args) => set(args, settings),
        KindVerb::List(args) => list(args),
        KindVerb::Remove(args) => remove(args),
        KindVerb::Show(args) => set_aside(args, false),
        KindVerb::Aside(args) => set_aside(args, true),
    }
}

fn set(args: &KindSetArgs, settings: &Settings) -> Result<Outcome, CliError> {
    check(&args.what)?;
    let id = match id_of(&args.what) {
        Some(AcceptedId::Blot(_)) => {
            return Err(CliError::Usage("a blot has no kind; give the id of a passage".to_owned()));
        }
        Some(AcceptedId::Cluster(_)) => {
            return Err(CliError::Usage(
                "a cluster of documents has no kind; give the id of a passage".to_owned(),
            ));
        }
        id => id.and_then(AcceptedId::passage).map(PassageId),
    };
    let place = CorpusTarget::of_verb(&args.target, None, settings)?;
    let terminal = Terminal::new(true, Then::Answer).map_err(CliError::Signals)?;
    let snapshot = place.snapshot(args.target.no_update, &terminal)?;
    drop(terminal);
    let start = if id.is_some() { "" } else { &args.what };
    let found = passage(&snapshot, place.options.memory, id, start)?;
    let Some((found, passages)) = found else { return Outcome::of(true, snapshot.unread()) };
    let FoundPassage { of, text, texts, .. } = found;
    let known = passages.corrected(&CorrectedKinds::new(&KindList::load(&place.options.home)?));
    let former = of.passage().and_then(|id| known.entry(id)).unwrap_or(CountingEntry::own(of));
    let entry = KindEntry { of, kind: args.kind, text: excerpt(&text), texts, added: today() };
    let words = format!("{of} is {} now: {}\n", args.kind, one_line(&entry.text, 100));
    KindList::edit(&place.options.home, |list| list.set_as([(former, entry)]))?;
    say(&words)?;
    Outcome::of(false, snapshot.unread())
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
    let rows = texts.chain(whole).zip(1..).map(|(row, number)| ReportRow::Kind(KindRow { number, ..row }));
    Output::list(&args.format, rows)
}

fn remove(args: &KindRemoveArgs) -> Result<Outcome, CliError> {
    check(&args.what)?;
    let home = home_of(&args.home)?;
    let (number, what) = (args.what.parse::<usize>().ok(), args.what.as_str());
    // The decisions about whole kinds follow those about texts in the list.
    let (kinds, removed) = KindList::edit(&home, |list| {
        let entries = list.entries();
        let by_number = number.and_then(|number| entries.get(number.checked_sub(1)?));
        let by_id = || entries.iter().find(|entry| Some(entry.of) == id_of(what));
        let id = id_of(what).and_then(AcceptedId::passage);
        let by_copy = || entries.iter().find(|entry| entry.texts.iter().any(|text| Some(text) == id));
        let is_kind = what.parse::<Kind>().is_ok() || number.is_some();
        let by_text = || entries.iter().find(|entry| !is_kind && entry.text.starts_with(what));
        let entry = by_number.or_else(by_id).or_else(by_copy).or_else(by_text)?.clone();
        list.take(&entry)
    })?;
    if let Some(entry) = removed {
        say(&format!("no kind is set any more: {} {}\n", entry.of, one_line(&entry.text, 100)))?;
        return Ok(Outcome::Done);
    }
    let (_, removed) = AsideList::edit(&home, |list| {
        let entries = list.entries();
        let at = number.and_then(|number| number.checked_sub(1 + kinds.entries().len()));
        let is_it = |kind: Kind| what == kind.name() || what == name_of(kind);
        let by_name = || entries.iter().find(|entry| is_it(entry.kind));
        let entry = at.and_then(|at| entries.get(at)).or_else(by_name)?.clone();
        list.take(&entry)
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
