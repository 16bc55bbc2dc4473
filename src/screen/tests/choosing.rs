//! Which row is selected while rows come and go, and which list a view shows when it is left and come back to.

use std::path::Path;

use crate::action::ViewPage;
use crate::event::Effect;
use crate::fixture::rows::passage;
use crate::fixture::{again, asked_view, keys, list, list_passages, listing, model_of, tell, tell_of};
use crate::model::Model;
use crate::view::columns;
use crate::views::FIRST_ROWS;
use dupi_session::{Item, ItemId, Listing, Request, Subject, Update};

fn passages(model: &Model, numbers: std::ops::Range<u64>, complete: bool) -> Update {
    let rows = numbers.map(|number| passage(number, "text")).collect();
    Update::Rows(Listing { view: model.list.view.clone(), rows, complete, ..Listing::default() }.into())
}

#[test]
fn a_row_that_is_not_loaded_again_yet_is_selected_when_it_comes() {
    let mut model = model_of(Subject::Passages, 120, 30);
    keys(&mut model, "G");
    let chosen = model.list.selected;
    for part in [passages(&model, 0..10, false), passages(&model, 0..20, false)] {
        tell(&mut model, part);
        assert_eq!(model.list.selected_row(), None);
    }
    list_passages(&mut model, 0..30);
    assert_eq!((model.list.selected, model.list.selected_row()), (chosen, Some(29)));
}

#[test]
fn in_the_place_of_a_row_that_never_comes_again_stands_another() {
    let mut model = model_of(Subject::Passages, 120, 30);
    keys(&mut model, "G k k");
    for part in [passages(&model, 0..10, false), passages(&model, 30..60, true)] {
        tell(&mut model, part);
    }
    assert_eq!(model.list.selected_row(), Some(27));
    tell_of(&mut model, |model| passages(model, 0..10, false));
    keys(&mut model, "k");
    assert_eq!(model.list.selected_row(), Some(9), "who goes on goes on from there");
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
fn a_filter_shows_its_first_row_and_without_it_that_stays() {
    let mut model = model_of(Subject::Passages, 120, 30);
    keys(&mut model, "G");
    keys(&mut model, "/ t e x t");
    list_passages(&mut model, 20..30);
    assert_eq!((model.list.selected_row(), model.list.first_row), (Some(0), 0));
    let chosen = model.list.selected;
    keys(&mut model, "Enter Esc");
    assert_eq!(model.list.view.filter, "");
    list_passages(&mut model, 0..30);
    assert_eq!((model.list.selected, model.list.selected_row()), (chosen, Some(20)));
}

#[test]
fn a_row_that_was_taken_away_is_not_looked_for_in_all_others() {
    let mut model = model_of(Subject::Passages, 120, 30);
    keys(&mut model, "j");
    let rows = passages(&model, 5..205, false);
    assert_eq!(asked_view(&tell(&mut model, rows)).map(|view| view.wanted), None);
    assert_eq!(model.list.selected_row(), Some(1));
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
fn a_view_shows_its_own_list_again_after_a_step_deeper() {
    let mut model = model_of(Subject::Passages, 120, 30);
    keys(&mut model, "/ x Enter j j");
    tell_of(&mut model, |model| listing(model, 9));
    let chosen = model.list.selected;
    keys(&mut model, "f");
    assert!(model.list.view.of == Subject::Documents && !model.list.view.filter.is_empty());
    keys(&mut model, "3");
    assert_eq!((model.page, model.list.view.filter.as_str()), (ViewPage::List(Subject::Documents), ""));
    keys(&mut model, "1");
    assert_eq!(
        (model.list.view.filter.as_str(), model.list.selected, model.list.listing.rows.len()),
        ("x", chosen, 9)
    );
    keys(&mut model, "f 1");
    assert_eq!((model.list.view.filter.as_str(), model.list.selected), ("x", chosen));
    keys(&mut model, "3");
    assert_eq!(model.list.view.filter, "", "what was looked at on the way is no list of its own");
}

#[test]
fn the_documents_of_a_row_are_shown_and_left_again() {
    for (subject, term) in
        [(Subject::Passages, "passage:"), (Subject::Blots, "blot:"), (Subject::Files, "path:")]
    {
        let mut model = model_of(subject, 120, 30);
        keys(&mut model, "j");
        let chosen = model.list.selected;
        let effects = keys(&mut model, "f");
        let view = asked_view(&effects).unwrap();
        assert!(view.of == Subject::Documents && view.filter.starts_with(term), "{view:?}");
        if let Some(ItemId::Blot(blot)) = chosen {
            assert_eq!(view.filter, format!("blot:{blot}"));
        }
        assert_eq!((view.parsed().1, view.show_taboo), (Vec::new(), false));
        keys(&mut model, "Esc");
        assert_eq!((model.page, model.list.selected), (ViewPage::List(subject), chosen));
    }
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
fn folders_are_left_and_remembered_where_one_was() {
    let mut model = model_of(Subject::Files, 120, 30);
    keys(&mut model, "j Enter");
    let inner = model.list.view.folder.clone();
    assert_eq!(inner.to_str(), Some("letters/1"));
    let folder_again = |model: &Model| again(model).list.view.folder;
    assert_eq!(folder_again(&model), inner);
    keys(&mut model, "1 4");
    assert_eq!(model.list.view.folder, inner);
    keys(&mut model, "h");
    tell_of(&mut model, |model| listing(model, 9));
    let outer = model.list.view.folder.clone();
    keys(&mut model, "f");
    assert_eq!(model.list.view.of, Subject::Documents);
    assert_eq!(folder_again(&model), outer, "the documents of a folder are no folder");
    keys(&mut model, "4");
    assert_eq!(model.list.view.folder, outer);
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

#[test]
fn of_documents_and_folders_the_paths_are_copied_and_the_rows_are_exported() {
    for subject in [Subject::Documents, Subject::Files] {
        let mut model = model_of(subject, 120, 30);
        keys(&mut model, "Space Space");
        let paths: Vec<String> = model.list.marks.rows().map(|row| row.text().into_owned()).collect();
        assert_eq!(paths.len(), 2);
        let effects = keys(&mut model, "y");
        assert!(matches!(&effects[..], [Effect::Copy(text)] if *text == paths.join("\n")), "{effects:?}");
        model.settings.files_in = "/home/ida".into();
        keys(&mut model, "x");
        let effects = keys(&mut model, "Enter");
        assert!(
            matches!(&effects[..], [Effect::Ask(Request::Export { rows, file, replace: false })]
                if rows.len() == 2 && file.as_path() == Path::new("/home/ida/duplicates.jsonl")),
            "{effects:?}"
        );
    }
    let mut model = model_of(Subject::Passages, 120, 30);
    let effects = keys(&mut model, "y");
    assert!(
        matches!(&effects[..], [Effect::Ask(Request::Text { rows })] if matches!(rows[..], [Item::Passage(_)]))
    );
    keys(&mut model, "x");
    assert!(model.dialogue.prompt.is_some());
}
