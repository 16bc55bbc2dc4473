//! Leaving files and folders out: what is asked for the row or copy that is shown, and what is sent.

use std::path::PathBuf;

use crate::event::Effect;
use crate::fixture::{keys, listing, model_of, preview, request_of, show_copy, tell};
use crate::model::{Menu, Model, Overlay};
use crate::tests::screen::{plain, screen};
use dupi_base::config::KeyPreset;
use dupi_session::{Request, Subject, Update};

/// The paths of each line of the open menu, and the chosen line.
fn offered(model: &Model) -> (Vec<Vec<String>>, usize) {
    let Some(Overlay::Menu(Menu::Exclude(choices), chosen)) = &model.dialogue.overlay else {
        panic!("{:?}", model.dialogue.overlay)
    };
    let paths =
        |paths: &[std::path::PathBuf]| paths.iter().map(|path| path.to_str().unwrap().to_owned()).collect();
    (choices.iter().map(|choice| paths(&choice.paths)).collect(), *chosen)
}

fn asked(effects: &[Effect]) -> Option<Vec<String>> {
    let names = |paths: &[PathBuf]| paths.iter().map(|path| path.to_str().unwrap().to_owned()).collect();
    request_of(
        effects,
        |request| if let Request::Exclude { paths } = request { Some(names(paths)) } else { None },
    )
}

#[test]
fn of_a_copy_the_file_or_a_folder_above_it_is_left_out() {
    for subject in [Subject::Passages, Subject::Blots, Subject::Taboo] {
        let mut model = model_of(subject, 120, 24);
        keys(&mut model, "L");
        assert_eq!(offered(&model), (vec![vec!["letters/0.md".into()], vec!["letters".into()]], 0));
        let effects = keys(&mut model, "j Enter");
        assert_eq!(asked(&effects).unwrap(), ["letters"]);
        assert!(model.dialogue.overlay.is_none());
        keys(&mut model, "L");
        assert!(asked(&keys(&mut model, "Esc")).is_none() && model.dialogue.overlay.is_none());
    }
    let mut model = model_of(Subject::Passages, 120, 24);
    // In the document, and of the copy that is shown there: a record of a file.
    keys(&mut model, "Enter n");
    show_copy(&mut model, 1);
    keys(&mut model, "L");
    let shown = screen(&model, &plain());
    assert!(shown.contains("file    letters/1.md, all its documents"), "{shown}");
    insta::assert_snapshot!("exclude_120x24", shown);
    assert_eq!(asked(&keys(&mut model, "Enter")).unwrap(), ["letters/1.md"]);
}

#[test]
fn of_documents_and_folders_the_row_is_meant_and_of_marked_ones_all() {
    let mut model = model_of(Subject::Files, 120, 24);
    keys(&mut model, "j L");
    assert_eq!(offered(&model).0, [["letters/1"], ["letters"]]);
    assert_eq!(asked(&keys(&mut model, "Enter")).unwrap(), ["letters/1"]);
    let mut model = model_of(Subject::Documents, 120, 24);
    keys(&mut model, "Space Space L");
    let files = ["letters/2025/1.md", "letters/港/0.md"];
    assert_eq!(offered(&model).0, [files, ["letters/2025", "letters/港"]]);
    let shown = screen(&model, &plain());
    assert!(shown.contains("all 2 files: letters/2025/1.md, letters/"), "{shown}");
    assert!(shown.contains("all 2 folders: letters/2025, letters/"), "{shown}");
    assert_eq!(asked(&keys(&mut model, "Enter")).unwrap().len(), 2);
    assert!(model.list.marks.is_empty());
}

#[test]
fn of_marked_passages_and_blots_the_files_that_they_are_shown_from_are_left_out() {
    for subject in [Subject::Passages, Subject::Blots] {
        let mut model = model_of(subject, 120, 24);
        keys(&mut model, "Space j Space j L");
        assert_eq!(offered(&model).0, [vec!["letters/0.md", "letters/2.md"], vec!["letters"]]);
        let shown = screen(&model, &plain());
        assert!(shown.contains("leave out from now on, for the 2 marked rows: Enter takes one"), "{shown}");
        assert!(shown.contains("all 2 files: letters/0.md, letters/2.md"), "{shown}");
        assert!(shown.contains("folder  letters"), "{shown}");
        assert_eq!(asked(&keys(&mut model, "Enter")).unwrap(), ["letters/0.md", "letters/2.md"]);
        assert!(model.list.marks.is_empty());
        // One that is marked, and not under the cursor.
        keys(&mut model, "g g Space j L");
        assert_eq!(offered(&model).0, [["letters/0.md"], ["letters"]]);
    }
    // Taboo texts have no place.
    let mut model = model_of(Subject::Taboo, 120, 24);
    keys(&mut model, "Space Space k k L");
    let shown = screen(&model, &plain());
    assert!(shown.contains("leave out from now on, for this copy only: Enter takes one"), "{shown}");
    keys(&mut model, "Enter");
    assert!(!model.list.marks.is_empty());
}

#[test]
fn before_the_copy_is_known_the_question_waits_for_it() {
    let mut model = model_of(Subject::Passages, 120, 24);
    keys(&mut model, "j L");
    assert!(model.dialogue.overlay.is_none() && model.said().unwrap().contains("as soon as"));
    let row = model.list.row().cloned().unwrap();
    tell(&mut model, preview(&row, 0));
    assert_eq!(offered(&model).1, 0);
    // Who goes on is not asked.
    let mut model = model_of(Subject::Passages, 120, 24);
    keys(&mut model, "j L j");
    tell(&mut model, preview(&row, 0));
    assert!(model.dialogue.overlay.is_none());
    let Update::Rows(_) = listing(&model, 3) else { panic!() };
}

#[test]
fn the_key_is_free_in_every_preset() {
    use crate::action::Action;
    use crate::keys::keymap::Keymap;
    for preset in [KeyPreset::Default, KeyPreset::Vim, KeyPreset::Emacs] {
        let settings = dupi_base::config::KeySettings { preset, ..Default::default() };
        assert_eq!(Keymap::new(&settings).0.first(Action::Exclude), "L");
    }
}
