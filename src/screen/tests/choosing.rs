//! Which row is selected while rows come and go, and which list a view shows when it is left and come back to.

use crate::fixture::rows::passage;
use crate::fixture::{again, asked_view, keys, list, listing, model_of, tell, tell_of};
use crate::model::Model;
use crate::view::columns;
use crate::views::FIRST_ROWS;
use dupi_session::{Item, Listing, Subject, Update};

fn passages(model: &Model, numbers: std::ops::Range<u64>, complete: bool) -> Update {
    let rows = numbers.map(|number| passage(number, "text")).collect();
    Update::Rows(Listing { view: model.list.view.clone(), rows, complete, ..Listing::default() }.into())
}

#[test]
fn a_remembered_row_is_looked_for_beyond_the_first_rows() {
    let mut model = model_of(Subject::Passages, 120, 30);
    let far = passage(2 * FIRST_ROWS as u64, "text").id();
    (model.list.selected, model.list.is_chosen) = (Some(far), true);
    let mut again = again(&model);
    let asked = [200, 400].map(|count| {
        let part = passages(&again, 0..count, false);
        asked_view(&tell(&mut again, part)).map(|view| view.wanted)
    });
    assert_eq!(asked, [Some(400), Some(800)]);
    let part = passages(&again, 0..800, false);
    assert_eq!(asked_view(&tell(&mut again, part)).map(|view| view.wanted), None);
    assert_eq!((again.list.selected, again.list.sought), (Some(far), None));
}

#[test]
fn who_asks_for_help_or_switches_the_mouse_has_not_chosen_a_row() {
    let mut model = model_of(Subject::Passages, 120, 30);
    let sought = passage(25, "text").id();
    model.list.sought = Some(sought);
    keys(&mut model, "? Esc M u");
    assert_eq!((model.list.is_chosen, model.list.sought), (false, Some(sought)));
    assert_eq!(again(&model).list.sought, Some(sought), "it is remembered though it never came");
    keys(&mut model, "2 1");
    assert_eq!(model.list.sought, None, "it is there");
    assert_eq!(model.list.selected, Some(sought));
    model.list.sought = Some(passage(26, "text").id());
    keys(&mut model, "j");
    assert_eq!((model.list.is_chosen, model.list.sought), (true, None));
}

#[test]
fn the_documents_of_what_is_taboo_are_not_hidden_with_it() {
    let mut model = model_of(Subject::Blots, 120, 30);
    let Some(Item::Row(row)) = model.list.row().cloned() else { panic!("no blots") };
    let rows =
        vec![Item::Row(dupi_index::query::blot_rows::BlotRun { taboo: true, ..(*row).clone() }.into())];
    list(&mut model, rows);
    keys(&mut model, "f");
    assert!(model.list.view.of == Subject::Documents && model.list.view.show_taboo);
}

#[test]
fn the_columns_of_a_list_that_is_come_back_to_fit_it_at_once() {
    let mut model = model_of(Subject::Passages, 120, 30);
    let widths = model.list.widths.clone();
    keys(&mut model, "3");
    tell_of(&mut model, |model| listing(model, 9));
    assert_ne!(model.list.widths, widths);
    keys(&mut model, "1");
    assert_eq!(model.list.widths, columns::widths(&model.list.listing.rows, Subject::Passages));
}
