//! Changes of what passages are, and of which kinds are set aside.

use std::collections::HashSet;

use super::decision_outcome::{DecisionOutcome, OF_ANOTHER};
use super::lists::Decisions;
use crate::protocol::{DecisionResult, counted};
use crate::rows::Item;
use crate::rows::list_row::RowSource;
use dupi_base::config::Kind;
use dupi_index::taboo::{AcceptedId, AsideEntry, CountingEntry, KindEntry, TabooError, excerpt, today};

/// The message for rows that have no kind.
const NO_KIND: &str = "Only passages have a kind.";

/// Sets the kind of some passages; `None` leaves it to the rules.
pub(super) fn set(
    decisions: &mut Decisions,
    source: &RowSource,
    rows: &[Item],
    kind: Option<Kind>,
) -> Result<DecisionOutcome, TabooError> {
    let corrected = source.known.map(|known| known.corrected(decisions.kinds()));
    let entry_of = |of: AcceptedId| {
        let entry = corrected.as_ref().zip(of.passage()).and_then(|(corrected, id)| corrected.entry(id));
        entry.unwrap_or(CountingEntry::own(of))
    };
    let ids = rows.iter().filter_map(|row| {
        let of = row.row().accepted_as().filter(|of| of.passage().is_some())?;
        Some((of, row))
    });
    let ids: Vec<(AcceptedId, &Item)> = ids.collect();
    if ids.is_empty() {
        return Ok((NO_KIND.to_owned(), DecisionResult::Nothing));
    }
    let words = |count: usize| counted(count as u64, ["passage", "passages"]);
    let Some(kind) = kind else {
        let counting: Vec<CountingEntry> = ids.iter().map(|(of, _)| entry_of(*of)).collect();
        let meant: HashSet<AcceptedId> =
            counting.iter().filter(|entry| entry.is_removable).map(|entry| entry.id).collect();
        let removed =
            decisions.edit::<KindEntry, _>(|list| list.remove_all(|entry| meant.contains(&entry.of)))?;
        return Ok(match removed {
            0 if counting.iter().any(|entry| !entry.is_removable) => {
                (OF_ANOTHER.to_owned(), DecisionResult::Nothing)
            }
            0 => ("The rules decide about the kind already.".to_owned(), DecisionResult::Nothing),
            removed => (format!("Of the kind that the rules say: {}", words(removed)), DecisionResult::Done),
        });
    };
    let entry = |(of, row): (AcceptedId, &Item)| {
        let (text, texts) = (excerpt(&row.decided_text()), source.kept_texts(of));
        (entry_of(of), KindEntry { of, kind, text, texts, added: today() })
    };
    let changed = decisions.edit::<KindEntry, _>(|list| list.set_as(ids.into_iter().map(entry)))?;
    Ok(match changed {
        0 => (format!("This was set to {kind} already."), DecisionResult::Nothing),
        changed => (format!("Set to {kind}: {}", words(changed)), DecisionResult::Done),
    })
}

/// Sets a kind aside or lists it; `None` leaves that to the settings. `is_aside` is what comes of it.
pub(super) fn set_aside(
    decisions: &mut Decisions,
    kind: Kind,
    to: Option<bool>,
    is_aside: bool,
) -> Result<DecisionOutcome, TabooError> {
    let is_new = decisions.edit::<AsideEntry, _>(|list| list.set(kind, to, today()))?;
    let now =
        if is_aside { "set aside in this corpus from now on" } else { "listed in this corpus from now on" };
    Ok(match is_new {
        true => (format!("Passages of the kind {kind} are {now}"), DecisionResult::Done),
        false => ("This was decided already.".to_owned(), DecisionResult::Nothing),
    })
}
