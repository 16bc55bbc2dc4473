//! The thread that watches the lists of decisions: a verb, another session or an editor may change them. It does not wait
//! for the indexer.

use std::time::Duration;

use super::shared::SharedSession;
use crate::protocol::Update;

/// The interval at which the lists are checked.
const TICK: Duration = Duration::from_secs(1);

/// Reads the lists again when they change, until the session stops.
pub(crate) fn follow_decisions(shared: &SharedSession) {
    while !shared.end.closes_within(TICK) {
        look(shared);
    }
}

fn look(shared: &SharedSession) {
    let known = shared.state().decisions.clone();
    if known.is_none_or(|known| known.is_newest()) {
        return;
    }
    let deciding = shared.deciding();
    let Some(before) = shared.state().decisions.clone() else { return };
    let mut decisions = before.clone();
    let wrong = decisions.renew();
    let is_same = decisions.is_same(&before);
    shared.state().decisions = Some(decisions);
    drop(deciding);
    if !is_same {
        shared.rows.raise();
        shared.preview.raise();
        shared.excluded.raise();
    }
    for sentence in wrong {
        shared.send(Update::Notice(sentence));
    }
}
