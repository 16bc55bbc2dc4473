//! Copies that the user pinned: the other copies of their passages are compared with them instead of the
//! representative. Pins are kept for the session, also when passages are searched again.

use super::shared::SharedSession;
use crate::protocol::Update;
use crate::rows::known_passages::KnownPassages;
use dupi_index::query::Occurrence;
use dupi_passage::passages::PassageId;

/// Pins a copy of a passage. Without a copy, or with the representative, removes the pin.
pub(crate) fn pin(shared: &SharedSession, id: PassageId, copy: Option<Occurrence>) {
    let Some(known) = shared.state().listed_passages() else { return };
    let number = copy.as_ref().and_then(|copy| known.copy_number(id, copy));
    let is_usual = known.get(id).map(|passage| passage.representative as usize) == number;
    let is_wanted = copy.is_some() && !is_usual;
    let newest = {
        let mut state = shared.state();
        match copy.filter(|_| number.is_some() && !is_usual) {
            Some(copy) => state.pins.insert(id, copy),
            None => state.pins.remove(&id),
        };
        // Passages that are found later get the pins from the search.
        state.listed_passages()
    };
    let Some(known) = newest else { return };
    apply(shared, &known);
    if is_wanted && !known.pins().contains_key(&id) {
        shared.state().pins.remove(&id);
        let sentence = "This copy has changed; it cannot be compared with until it is read again.";
        shared.send(Update::Notice(sentence.to_owned()));
    }
    shared.rows.raise();
    shared.preview.raise();
}

/// Applies all pins to passages that were found.
pub(crate) fn apply(shared: &SharedSession, known: &KnownPassages) {
    // One after the other, so that the last ones stay.
    let _applying = shared.applies_pins();
    let pins = shared.state().pins.clone();
    known.set_pins(&pins);
}
