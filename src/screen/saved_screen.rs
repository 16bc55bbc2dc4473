//! The state of the screen that is saved per corpus and restored when the corpus is opened again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::action::ViewPage;
use crate::filters::FilterHistory;
use crate::model::{ListState, Model};
use crate::reader::Split;
use crate::views::PAGES;
use dupi_base::config::{ChosenCriteria, PassageCriteria, UsualCriteria};
use dupi_session::{ItemId, Sort, View};

/// The saved state of the views of a corpus.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedScreen {
    /// The name of the view.
    page: String,
    /// The lists by the names of their views.
    lists: BTreeMap<String, SavedScreenList>,
    /// The user's choices of line wrapping, by kind of document.
    wraps: BTreeMap<String, bool>,
    /// The split of the screen.
    split: Split,
    /// The filters that were typed, the newest first.
    filters: Vec<String>,
    /// What the user chose to count as a passage.
    criteria: Option<PassageCriteria>,
    /// Which of these the user chose to be as usual.
    usual: UsualCriteria,
}

/// The saved state of a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct SavedScreenList {
    selected: Option<ItemId>,
    #[serde(flatten)]
    view: View,
}

impl SavedScreenList {
    fn restore(self, usual: View) -> (View, Option<ItemId>) {
        let is_known = Sort::ways(usual.of).contains(&self.view.sort);
        let View { of, wanted, .. } = usual;
        let sort = if is_known { self.view.sort } else { usual.sort };
        let sigma = self.view.sigma.filter(|sigma| sigma.is_finite());
        (View { of, wanted, sort, sigma, ..self.view }, self.selected)
    }
}

/// The index of the view's own list among the history and the current list: the first one or, if folders were entered
/// from there, the last of these. The length of the history stands for the current list.
pub(super) fn own_list_position(model: &Model) -> usize {
    let lists = model.history.iter().map(|(page, kept)| (*page, &kept.view));
    let mut lists = lists.chain([(model.page, &model.list.view)]);
    let Some((page, first)) = lists.next() else { return 0 };
    let goes_on = |(of, view): &(ViewPage, &View)| *of == page && view.filter == first.filter;
    lists.take_while(goes_on).count()
}

impl SavedScreen {
    /// The state to save. Of lists reached by links only their origin is saved.
    pub fn save(model: &Model) -> Self {
        let shown = ListState {
            view: model.list.view.clone(),
            selected: model.list.selected.filter(|_| model.list.is_chosen).or(model.list.sought),
            ..ListState::default()
        };
        let (page, first) = model
            .history
            .get(own_list_position(model))
            .map_or((model.page, &shown), |(page, kept)| (*page, kept));
        let kept =
            model.other_lists.iter().map(|(page, kept)| (*page, kept)).filter(|(kept, _)| *kept != page);
        let lists = kept.chain([(page, first)]).filter(|(page, _)| matches!(page, ViewPage::List(_)));
        let list = |kept: &ListState| SavedScreenList {
            selected: kept.selected.filter(|_| kept.is_chosen || kept.listing.rows.is_empty()),
            view: kept.view.clone(),
        };
        Self {
            page: page.name().to_owned(),
            lists: lists.map(|(page, kept)| (page.name().to_owned(), list(kept))).collect(),
            wraps: model.reader.wraps.clone(),
            split: model.reader.split,
            filters: model.dialogue.filters.filters().to_vec(),
            criteria: Some(model.settings.chosen_criteria.criteria),
            usual: model.settings.chosen_criteria.usual,
        }
    }

    /// What the user chose to count as a passage.
    pub fn criteria(&self) -> ChosenCriteria {
        ChosenCriteria { criteria: self.criteria.unwrap_or_default().possible(), usual: self.usual }
    }

    /// Restores the state.
    pub fn restore(self, model: &mut Model) {
        model.settings.chosen_criteria = self.criteria();
        (model.reader.wraps, model.reader.split) = (self.wraps, self.split);
        model.dialogue.filters = FilterHistory::new(self.filters);
        let mut lists = self.lists;
        let shown = ViewPage::named(&self.page).unwrap_or(model.page);
        for page in PAGES {
            let (ViewPage::List(of), Some(list)) = (page, lists.remove(page.name())) else { continue };
            let (view, selected) = list.restore(crate::views::spec::view_of(of));
            if page == shown {
                (model.list.view, model.list.sought) = (view, selected);
            } else {
                model.other_lists.insert(
                    page,
                    ListState { view, selected, is_chosen: selected.is_some(), ..ListState::default() },
                );
            }
        }
        model.page = shown;
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    use std::path::PathBuf;

    use super::*;
    use crate::fixture::{again, model_of};
    use dupi_base::config::Kind;
    use dupi_session::{Item, Subject};

    #[test]
    fn what_is_left_is_found_again() {
        let mut model = model_of(Subject::Passages, 120, 30);
        (model.list.view.filter, model.list.view.sort, model.list.is_chosen) =
            ("ext:c".into(), Sort::Score, true);
        (model.list.view.open, model.list.view.is_reversed) = (vec![Kind::Licence, Kind::Data], true);
        model.list.selected = model.list.listing.rows.get(3).map(Item::id);
        let of_files = View { folder: "a/b".into(), ..crate::views::spec::view_of(Subject::Files) };
        model.other_lists.insert(
            ViewPage::List(Subject::Files),
            ListState { view: of_files.clone(), ..ListState::default() },
        );
        let again = again(&model);
        assert_eq!(
            (again.page, again.list.view.clone(), again.list.sought),
            (model.page, model.list.view.clone(), model.list.selected)
        );
        assert_eq!(again.other_lists[&ViewPage::List(Subject::Files)].view, of_files);
        assert_eq!(SavedScreen::save(&again).lists.len(), 2);
    }

    #[test]
    fn earlier_filters_are_remembered() {
        let mut model = model_of(Subject::Passages, 120, 30);
        ["ext:c", "fish"].iter().for_each(|filter| model.dialogue.filters.add(filter));
        let again = again(&model);
        assert_eq!(again.dialogue.filters.filters(), ["fish", "ext:c"]);
    }

    #[test]
    fn a_folder_whose_name_is_no_text_is_remembered_with_all_the_rest() {
        let folder = PathBuf::from(OsString::from_vec(b"a/\xff".to_vec()));
        let mut model = model_of(Subject::Files, 120, 30);
        model.list.view.folder.clone_from(&folder);
        let left = serde_json::to_vec(&SavedScreen::save(&model)).unwrap();
        let again = serde_json::from_slice::<SavedScreen>(&left).unwrap();
        assert_eq!(serde_json::to_vec(&again).unwrap(), left);
        again.restore(&mut model);
        assert_eq!(model.list.view.folder, folder);
    }

    #[test]
    fn what_nobody_wrote_is_as_good_as_nothing() {
        let mut model = Model::new("x".into(), (80, 24));
        let odd = r#"{"page":"moon","lists":{"blots":{"sort":"Share","sigma":1e999},"moon":{}}}"#;
        if let Ok(odd) = serde_json::from_str::<SavedScreen>(odd) {
            odd.restore(&mut model);
        }
        assert_eq!((model.page, model.list.view.filter.as_str()), (ViewPage::List(Subject::Passages), ""));
    }
}
