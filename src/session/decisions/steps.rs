//! Carries out decisions, and says in one sentence what each did.
//!
//! One request is one step of the journal, however many rows it is about. First the rows are shown as they
//! are now; then, when everything that a decision hides or shows was counted, it is said.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use super::lists::{Decisions, today};
use crate::corpus::{self, SkipReason};
use crate::index::IndexError;
use crate::session::protocol::{Became, Difference, Item, Request, Update, counted};
use crate::session::rows::texts::Texts;
use crate::session::worker::shared::Shared;
use crate::storage::shown;
use crate::taboo::{Accepted, AcceptedId, Entry, TabooError, TabooList, TabooSet, Turned, beginning};

/// What is said of rows whose text is not at hand.
pub const CHANGED: &str = "The text has changed; the list follows as soon as it is read again.";
/// What is said when a row has no text.
const NO_TEXT: &str = "Only passages and blots have a text to decide about.";

/// So many bytes of a list are read that is taken in.
const MOST_IMPORTED: u64 = 64 << 20;

/// A decision that was carried out, and is to be said once it is counted.
pub struct Unsaid {
    /// What was done, and with how many, as the beginning of a sentence; a whole one when it hides and shows nothing.
    done: String,
    became: Became,
    before: Arc<TabooSet>,
    after: Arc<TabooSet>,
}

impl Unsaid {
    /// Says it. `compare` tells what the second of two sets hides and the first does not.
    pub fn say(
        self,
        shared: &Shared,
        mut compare: impl FnMut(&Arc<TabooSet>, &Arc<TabooSet>) -> Result<Difference, IndexError>,
    ) -> Result<(), IndexError> {
        let Self { done, became, before, after } = self;
        if Arc::ptr_eq(&before, &after) || !done.ends_with([':', ';']) {
            shared.tell(Update::Decided { sentence: done, became });
            return Ok(());
        }
        let counted = compare(&before, &after)
            .and_then(|hidden| Ok((hidden, compare(&after, &before)?)))
            .map(|(hidden, shown)| match (hidden.is_empty(), shown.is_empty()) {
                (false, _) => format!("{} hidden", hidden.words()),
                (true, false) => format!("{} shown again", shown.words()),
                (true, true) => "nothing more to hide or show".to_owned(),
            });
        // Whatever could not be counted, the decision is made.
        let words = counted.as_deref().unwrap_or("not counted");
        shared.tell(Update::Decided { sentence: format!("{done} {words}"), became });
        counted.map(drop)
    }
}

/// Carries out the decisions that wait. What they did is said later; why nothing was done, at once.
pub fn decide(shared: &Shared, texts: &Texts) -> Vec<Unsaid> {
    let _deciding = shared.deciding();
    let (pending, decisions) = {
        let mut state = shared.state();
        let Some(decisions) = state.decisions.clone() else { return Vec::new() };
        (std::mem::take(&mut state.pending), decisions)
    };
    if pending.is_empty() {
        return Vec::new();
    }
    let mut deciding = Deciding { decisions, texts };
    let mut unsaid = Vec::new();
    for request in pending {
        let before = Arc::clone(deciding.decisions.set());
        let outcome = deciding.carry_out(request);
        let (sentence, became) = outcome.unwrap_or_else(|error| (error.to_string(), Became::Failed));
        if matches!(became, Became::Done | Became::Undone) {
            let after = Arc::clone(deciding.decisions.set());
            unsaid.push(Unsaid { done: sentence, became, before, after });
        } else {
            shared.tell(Update::Decided { sentence, became });
        }
    }
    shared.state().decisions = Some(deciding.decisions);
    // A document that is shown has other marks now.
    shared.preview.raise();
    unsaid
}

/// What was done, as the beginning of a sentence; or why nothing was, as a whole one.
type Outcome = (String, Became);

struct Deciding<'a> {
    decisions: Decisions,
    texts: &'a Texts<'a>,
}

impl Deciding<'_> {
    fn carry_out(&mut self, request: Request) -> Result<Outcome, TabooError> {
        match request {
            Request::Taboo { rows, reason } => self.hide(&rows, reason.as_ref()),
            Request::ShowAgain { rows } => self.show_again(&rows),
            Request::Accept { rows, reason } => self.accept(&rows, reason.as_ref()),
            Request::Reopen { rows } => self.reopen(&rows),
            Request::EditTaboo { text, entry } => self.replace(&text, entry),
            Request::RemoveTaboo { texts } => self.remove(&texts),
            Request::ImportTaboo { file } => self.import(&file),
            Request::Redo => Ok(turned(self.decisions.turn(false)?, false)),
            _ => Ok(turned(self.decisions.turn(true)?, true)),
        }
    }

    fn hide(&mut self, rows: &[Item], reason: Option<&String>) -> Result<Outcome, TabooError> {
        let (entries, unread) = taboo_entries(self.texts, rows, reason);
        if entries.is_empty() {
            let (why, became) =
                if unread > 0 { (CHANGED, Became::Failed) } else { (NO_TEXT, Became::Nothing) };
            return Ok((why.to_owned(), became));
        }
        let all = entries.len();
        let new = self.decisions.edit_taboo(|list| list.add_all(entries))?;
        if new == 0 {
            let these = if all == 1 { "this text" } else { "these texts" };
            return Ok((format!("The taboo list has {these} already."), Became::Nothing));
        }
        let mut done = if new == 1 { "Taboo:".to_owned() } else { format!("Taboo: {new} texts;") };
        if unread > 0 {
            done.push_str(&format!(
                " {} not read again yet and left out;",
                counted(unread, ["text", "texts"])
            ));
        }
        Ok((done, Became::Done))
    }

    fn show_again(&mut self, rows: &[Item]) -> Result<Outcome, TabooError> {
        let mut texts: Vec<String> = Vec::new();
        let hiders = self.decisions.hiders();
        for row in rows {
            match row {
                Item::Taboo(row) => texts.push(row.entry.text.clone()),
                row => texts.extend(self.decisions.hiding(&hiders, &self.texts.blots(row))),
            }
        }
        if texts.is_empty() {
            let why = "No entry of the taboo list hides this text as it stands now.";
            return Ok((why.to_owned(), Became::Nothing));
        }
        self.remove(&texts)
    }

    fn remove(&mut self, texts: &[String]) -> Result<Outcome, TabooError> {
        let texts: HashSet<&str> = texts.iter().map(String::as_str).collect();
        let removed =
            self.decisions.edit_taboo(|list| list.take_all(|entry| texts.contains(&*entry.text)))?;
        Ok(match removed {
            0 => ("The taboo list has no such text any more.".to_owned(), Became::Nothing),
            1 => ("No longer taboo:".to_owned(), Became::Done),
            many => (format!("No longer taboo: {many} texts;"), Became::Done),
        })
    }

    fn replace(&mut self, text: &str, entry: Entry) -> Result<Outcome, TabooError> {
        if entry.text.trim().is_empty() {
            return Ok(("A taboo text needs some words; nothing was changed.".to_owned(), Became::Nothing));
        }
        let words = beginning(&entry.text);
        let replaced = self.decisions.edit_taboo(|list| {
            let old = list.get(text)?.clone();
            let (is_other, hides_other) = (old != entry, old.text != entry.text);
            list.replace(&old, entry).map(|_| (is_other, hides_other))
        })?;
        Ok(match replaced {
            Some((false, _)) => ("The entry is so already.".to_owned(), Became::Nothing),
            Some((true, true)) => (format!("Changed: taboo \"{words}\";"), Became::Done),
            Some((true, false)) => (format!("Changed: why \"{words}\" is taboo"), Became::Done),
            None => ("The taboo list has no such text any more.".to_owned(), Became::Nothing),
        })
    }

    fn import(&mut self, file: &Path) -> Result<Outcome, TabooError> {
        let mut bytes = Vec::new();
        if let Err(reason) = corpus::read(file, MOST_IMPORTED, &mut bytes) {
            let file = shown(file);
            let why = match reason {
                SkipReason::Vanished => format!("There is no file {file}; check the path."),
                reason => format!("cannot read {file}: {reason}"),
            };
            return Ok((why, Became::Failed));
        }
        let imported = TabooList::import(&shown(file).to_string(), &bytes)?;
        let all = imported.entries().len();
        let new = self.decisions.edit_taboo(|list| list.add_all(imported.entries().iter().cloned()))?;
        Ok(match new {
            0 => (format!("The taboo list has all of these already: {all}."), Became::Nothing),
            new => (format!("Taboo: {new} of {all} texts were new;"), Became::Done),
        })
    }

    fn accept(&mut self, rows: &[Item], reason: Option<&String>) -> Result<Outcome, TabooError> {
        let entry = |row: &Item| {
            Some(Accepted {
                of: row.accepted_as()?,
                text: beginning(&row.text()),
                copies: row.reviewed_copies(),
                added: today(),
                reason: reason.cloned(),
            })
        };
        let entries: Vec<Accepted> = rows.iter().filter_map(entry).collect();
        if entries.is_empty() {
            return Ok((NO_TEXT.to_owned(), Became::Nothing));
        }
        let new = self.decisions.edit_accepted(|list| list.accept(entries))?;
        Ok(match new {
            0 => ("This is accepted already.".to_owned(), Became::Nothing),
            new => (format!("Accepted: {}", words_of(rows, new)), Became::Done),
        })
    }

    fn reopen(&mut self, rows: &[Item]) -> Result<Outcome, TabooError> {
        let meant: HashSet<AcceptedId> = rows.iter().flat_map(Item::accepted_by).collect();
        let removed =
            self.decisions.edit_accepted(|list| list.take_all(|entry| meant.contains(&entry.of)))?;
        Ok(match removed {
            0 => ("Nothing of this was accepted.".to_owned(), Became::Nothing),
            removed => (format!("Open again: {}", words_of(rows, removed)), Became::Done),
        })
    }
}

/// The entries that hide some rows, each text once; and of how many rows the text is not at hand.
pub fn taboo_entries(texts: &Texts, rows: &[Item], reason: Option<&String>) -> (Vec<Entry>, u64) {
    let (mut entries, mut unread): (Vec<Entry>, u64) = (Vec::new(), 0);
    let mut known: HashSet<String> = HashSet::new();
    let rows: Vec<&Item> = rows.iter().filter(|row| row.accepted_as().is_some()).collect();
    for (text, row) in texts.of(&rows).into_iter().zip(&rows) {
        let Some(text) = text else {
            unread += 1;
            continue;
        };
        let language = row.language().map(str::to_owned);
        if known.insert(text.clone()) {
            entries.push(Entry { text, added: today(), reason: reason.cloned(), language });
        }
    }
    (entries, unread)
}

fn words_of(rows: &[Item], count: usize) -> String {
    let is_passages = matches!(rows.first(), Some(Item::Passage(_)));
    counted(count as u64, if is_passages { ["passage", "passages"] } else { ["row", "rows"] })
}

fn turned(turned: Option<Turned>, undo: bool) -> Outcome {
    let Some(Turned { step, changed: (changed, gone) }) = turned else {
        let why = if undo { "There is nothing to undo." } else { "There is nothing to redo." };
        return (why.to_owned(), Became::Nothing);
    };
    let (verb, became) = if undo { ("Undone", Became::Undone) } else { ("Done again", Became::Done) };
    let words = step.words();
    let by_hand = "changed by hand since";
    if changed == 0 {
        return (format!("{verb}: {words}; nothing to change, as the list was {by_hand}."), Became::Nothing);
    }
    let mut done = format!("{verb}: {words}");
    if gone > 0 {
        done.push_str(&format!(", but for {gone} {by_hand}"));
    }
    if !step.taboo.is_empty() {
        done.push(';');
    }
    (done, became)
}
