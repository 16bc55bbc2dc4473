//! Some passages of a first search are listed as such.

use super::screen::{plain, screen};
use crate::fixture::{model_of, tell};
use crate::model::Model;
use dupi_session::{Listing, SearchState, Subject, Update};

#[test]
fn a_first_look_says_what_it_is() {
    let mut model = model_of(Subject::Passages, 100, 24);
    tell(&mut model, Update::Searching(SearchState::At(0.42)));
    let last = |model: &Model| screen(model, &plain()).lines().nth(22).unwrap().trim().to_owned();
    assert!(!last(&model).contains("some of them"));
    model.list.listing = Listing { is_first_look: true, ..(*model.list.listing).clone() }.into();
    assert!(last(&model).contains("looking for passages: 42 %; these are some of them"), "{}", last(&model));
    let none = Listing { rows: Vec::new(), is_provisional: true, ..(*model.list.listing).clone() };
    model.list.listing = none.into();
    assert!(!screen(&model, &plain()).contains("blots, until"));
}
