//! Carries out taboo decisions, and says in one sentence what each did.

use super::decisions::{Decisions, Difference};
use super::item::Item;
use super::passages::Known;
use super::shared::Shared;
use super::{Request, Update};
use crate::blot::{Blot, tiles_of};
use crate::index::IndexError;
use crate::index::snapshot::Snapshot;
use crate::passage::copy::Standing;
use crate::passage::rows::{TEXT_LIMIT, stretch_of};
use crate::query::page::Reader;
use crate::taboo::{TabooError, TabooSet};

/// What the second of two sets hides and the first does not.
type Compare<'a> = dyn Fn(&TabooSet, &TabooSet) -> Result<Difference, IndexError> + 'a;

/// Carries out the decisions that wait.
pub fn decide(shared: &Shared, snapshot: &Snapshot, compare: &Compare) -> Result<(), IndexError> {
    let (pending, decisions, known) = {
        let mut state = shared.state();
        (std::mem::take(&mut state.pending), state.decisions.take(), state.passages.clone())
    };
    let Some(mut decisions) = decisions else {
        shared.state().pending = pending;
        return Ok(());
    };
    let texts = Texts { snapshot, known: known.as_deref() };
    let mut failed = Ok(());
    for request in pending {
        let before = decisions.set().clone();
        let said = match carry_out(&mut decisions, &texts, request) {
            Ok(Outcome::Done(verb)) => match sentence(verb, compare, &before, decisions.set()) {
                Ok(said) => said,
                Err(error) => {
                    failed = Err(error);
                    format!("{verb}.")
                }
            },
            Ok(Outcome::Nothing(why)) => why.to_owned(),
            Err(error) => error.to_string(),
        };
        shared.tell(Update::Taboo(said));
    }
    // Whatever could not be counted, the decisions are made.
    shared.state().decisions = Some(decisions);
    failed
}

/// What became of a request.
enum Outcome {
    /// This was done: a verb.
    Done(&'static str),
    /// Nothing, for a reason: a sentence.
    Nothing(&'static str),
}

fn carry_out(decisions: &mut Decisions, texts: &Texts, request: Request) -> Result<Outcome, TabooError> {
    match request {
        Request::Taboo { rows, reason } => {
            let row = rows[0].clone();
            let text = match texts.whole(&row) {
                Some(text) => text,
                // The row has only the beginning of a long text.
                None if row.text().len() + char::MAX.len_utf8() > TEXT_LIMIT => {
                    return Ok(Outcome::Nothing(
                        "The text has changed; the list follows as soon as it is read again.",
                    ));
                }
                None => row.text().into_owned(),
            };
            decisions.add(text, row.language().map(str::to_owned), reason)?;
            Ok(Outcome::Done("Taboo"))
        }
        Request::ShowAgain { rows } => {
            let row = rows[0].clone();
            if decisions.remove(&texts.blots(&row))? {
                return Ok(Outcome::Done("No longer taboo"));
            }
            Ok(Outcome::Nothing("No entry of the taboo list hides this text as it stands now."))
        }
        _ if decisions.undo()? => Ok(Outcome::Done("Undone")),
        _ => Ok(Outcome::Nothing("There is nothing to undo.")),
    }
}

/// Where the texts of rows are found.
struct Texts<'a> {
    snapshot: &'a Snapshot,
    known: Option<&'a Known>,
}

impl Texts<'_> {
    fn whole(&self, item: &Item) -> Option<String> {
        match item {
            Item::Row(row) => {
                let whole = stretch_of(self.snapshot, &mut Reader::new(self.snapshot), row).ok()?;
                whole.map(|(_, text)| text)
            }
            Item::Passage(_) => Some(self.standing(item)?.text().to_owned()),
            Item::Taboo(row) => Some(row.entry.text.clone()),
            // A path is no text.
            Item::Document(_) | Item::Folder(_) => None,
        }
    }

    fn blots(&self, item: &Item) -> Vec<Blot> {
        if let Item::Row(row) = item {
            return row.blots.clone();
        }
        let mut blots = Vec::new();
        if let Some(standing) = self.standing(item) {
            let recipe = &self.snapshot.manifest().recipe;
            tiles_of(standing.tokens.iter().copied(), recipe, |tile| blots.push(tile.blot));
        }
        blots
    }

    fn standing(&self, item: &Item) -> Option<Standing> {
        let Item::Passage(passage) = item else { return None };
        let known = self.known?;
        let passage = known.get(passage.id)?;
        Standing::of(&known.snapshot, &mut Reader::new(&known.snapshot), &known.passages.sources, passage)
    }
}

fn sentence(
    verb: &str,
    compare: &Compare,
    before: &TabooSet,
    after: &TabooSet,
) -> Result<String, IndexError> {
    let (hidden, shown) = (compare(before, after)?, compare(after, before)?);
    Ok(match (hidden.is_empty(), shown.is_empty()) {
        (false, _) => format!("{verb}: {} hidden; u undoes it", hidden.words()),
        (true, false) => format!("{verb}: {} shown again", shown.words()),
        (true, true) => format!("{verb}: nothing more to hide or show"),
    })
}
