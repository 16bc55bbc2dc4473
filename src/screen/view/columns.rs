//! Layout of the columns before a row's text.
//!
//! Each column requires a minimum width of the text beside it. In a narrower list, columns are removed, the one with
//! the largest requirement first. The text and the column of the sort order always stay.

use unicode_width::UnicodeWidthStr;

use crate::model::Model;
use crate::theme::glyphs;
use crate::views::{Column, MEASURED, list_of};
use dupi_session::{Item, Sort, Subject};

/// The widths of the columns of some rows: the widest number or heading.
pub(crate) fn widths(rows: &[Item], subject: Subject) -> Vec<usize> {
    let rows = || rows.iter().filter(|row| !matches!(row, Item::Aside(_))).take(MEASURED);
    let width = |column: &Column| {
        if column.is_text {
            let words = rows().map(|row| (column.words)(0, row).width());
            return words.max().unwrap_or(0).max(column.name.len());
        }
        // There can be many rows: only the widest number is formatted.
        let numbered = rows().enumerate().map(|(rank, row)| ((column.number)(rank, row), row));
        let widest = numbered.max_by_key(|(number, row)| (number.checked_ilog10(), row.copies().is_none()));
        let words = widest.map_or(0, |(number, row)| (column.words)(number, row).chars().count());
        words.max(column.name.chars().count())
    };
    list_of(subject).columns.iter().map(width).collect()
}

/// The subject of the rows on the screen, which can stand in for others that are not found yet.
pub(crate) fn subject_of(model: &Model) -> Subject {
    let of = model.list.view.of;
    list_of(of).stand_in.filter(|_| model.list.listing.has_stand_ins()).unwrap_or(of)
}

/// The sort order of the rows on the screen.
pub(crate) fn sort_of(model: &Model) -> Sort {
    model.list.view.sort.or_usual(subject_of(model))
}

/// Whether the rows on the screen are in the reverse of their sort order.
pub(crate) fn is_reversed(model: &Model) -> bool {
    model.list.view.is_reversed && Sort::ways(subject_of(model)).len() > 1
}

/// The columns that fit, with their widths.
pub(crate) struct Columns {
    shown: Vec<(&'static Column, usize)>,
    sort: Sort,
    is_reversed: bool,
}

impl Columns {
    /// The columns of the current list in a width of the terminal.
    pub(crate) fn fit(model: &Model, width: u16) -> Self {
        let subject = subject_of(model);
        let sort = sort_of(model);
        let wanted = list_of(subject).columns.iter().zip(&model.list.widths).filter(|(column, _)| {
            model.settings.columns.has(subject, column) && !(column.is_blank)(&model.list.listing.rows)
        });
        let mut shown: Vec<(&Column, usize)> = wanted.map(|(column, width)| (column, *width)).collect();
        loop {
            let taken: usize = shown.iter().map(|(_, width)| width + 2).sum();
            let room = usize::from(width).saturating_sub(taken);
            let tight = shown.iter().filter(|(column, _)| column.least > room && column.sort != Some(sort));
            let Some(name) = tight.max_by_key(|(column, _)| column.least).map(|(column, _)| column.name)
            else {
                break;
            };
            shown.retain(|(column, _)| column.name != name);
        }
        Self { shown, sort, is_reversed: is_reversed(model) }
    }

    /// The headings, and for each whether the rows are sorted by it.
    pub(crate) fn heads(&self) -> impl Iterator<Item = (String, bool)> + '_ {
        self.shown.iter().map(move |(column, width)| {
            let is_sorted = column.sort == Some(self.sort);
            let mark = if is_sorted { glyphs::SORTED[usize::from(self.is_reversed)] } else { " " };
            let name = if column.is_text {
                format!("{:<width$}", column.name)
            } else {
                format!("{:>width$}", column.name)
            };
            (name + mark + " ", is_sorted)
        })
    }

    /// The sort order of the column whose heading is that many cells from the first one.
    pub(crate) fn sort_at(&self, x: usize) -> Option<Sort> {
        let mut end = 0;
        let heading = self.shown.iter().find(|(_, width)| {
            end += width + 2;
            x < end
        });
        heading.and_then(|(column, _)| column.sort)
    }

    /// Whether the column of the sort order is shown.
    pub(crate) fn have_sorted(&self) -> bool {
        self.shown.iter().any(|(column, _)| column.sort == Some(self.sort))
    }

    /// The cells of a row: numbers right-aligned, words left-aligned, with two spaces after each.
    pub(crate) fn counts(&self, rank: usize, row: &Item) -> String {
        let padded = |&(column, width): &(&Column, usize)| {
            let words = (column.words)((column.number)(rank, row), row);
            let blanks = " ".repeat(width.saturating_sub(words.width()));
            if column.is_text { words + &blanks + "  " } else { blanks + &words + "  " }
        };
        self.shown.iter().map(padded).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::model_of;
    use crate::settings::ColumnChoice;
    use crate::views::texts::reason;
    use dupi_base::config::Settings;

    fn heads(model: &Model, width: u16) -> Vec<String> {
        let is_of_name = |at: char| at == '▼' || at == ' ';
        let columns = Columns::fit(model, width);
        columns.heads().map(|(head, _)| head.trim_matches(is_of_name).to_owned()).collect()
    }

    #[test]
    fn the_column_of_the_sort_is_marked_and_no_wider_for_that() {
        let mut model = model_of(Subject::Passages, 120, 30);
        let sorts = [Sort::Worth, Sort::Copies, Sort::Documents, Sort::Tokens, Sort::Score, Sort::Lines];
        for (sort, is_reversed) in sorts.into_iter().flat_map(|sort| [(sort, false), (sort, true)]) {
            (model.list.view.sort, model.list.view.is_reversed) = (sort, is_reversed);
            let mark = if is_reversed { "▲ " } else { "▼ " };
            let columns = Columns::fit(&model, 200);
            for ((head, is_sorted), (_, width)) in columns.heads().zip(&columns.shown) {
                assert_eq!(head.ends_with(mark), is_sorted, "{head}");
                assert_eq!(head.chars().count(), width + 2);
            }
            assert!(columns.have_sorted());
        }
    }

    #[test]
    fn columns_go_one_after_the_other_and_that_of_the_sort_stays() {
        let mut model = model_of(Subject::Passages, 120, 30);
        model.list.view.sort = Sort::Copies;
        let all = heads(&model, 200);
        assert_eq!(all, ["#", "worth", "copies", "docs", "tokens", "score", "lines", "alike"]);
        let mut before = all;
        for width in (0..200).rev() {
            let now = heads(&model, width);
            assert!(now.iter().all(|head| before.contains(head)), "{width}: {now:?} after {before:?}");
            assert!(now.contains(&"copies".to_owned()));
            before = now;
        }
        model.list.view.sort = Sort::Score;
        assert_eq!(heads(&model, 10), ["score"]);
    }

    #[test]
    fn on_80_columns_a_text_has_room_to_be_read() {
        for (subject, least) in [(Subject::Passages, 28), (Subject::Blots, 28), (Subject::Taboo, 24)] {
            let model = model_of(subject, 80, 24);
            let list = model.layout().rows.width - 2;
            let taken: usize = Columns::fit(&model, list).shown.iter().map(|(_, width)| width + 2).sum();
            assert!(usize::from(list) >= taken + least, "{subject:?}: {taken} of {list}");
        }
    }

    #[test]
    fn on_120_columns_a_passage_has_room_for_a_line_of_code() {
        for (subject, sort) in [
            (Subject::Passages, Sort::Worth),
            (Subject::Passages, Sort::Score),
            (Subject::Passages, Sort::Spread),
            (Subject::Blots, Sort::Documents),
        ] {
            for wider in [0, 2] {
                let mut model = model_of(subject, 120, 40);
                model.list.view.sort = sort;
                // Counts of a large corpus are wider.
                for width in &mut model.list.widths {
                    *width += wider;
                }
                let list = model.layout().rows.width;
                let bar = crate::view::rows::bar_width(&model, list);
                let left = list - 2 - if bar > 0 { bar + 1 } else { 0 };
                let taken: usize = Columns::fit(&model, left).shown.iter().map(|(_, width)| width + 2).sum();
                assert!(usize::from(left) >= taken + 45, "{subject:?} {sort:?} {wider}: {taken} of {left}");
            }
        }
        for (width, expected) in
            [(120, &["worth", "copies"][..]), (200, &["worth", "copies", "docs", "alike"])]
        {
            let model = model_of(Subject::Passages, width, 40);
            let list = model.layout().rows.width;
            let bar = crate::view::rows::bar_width(&model, list);
            let left = list - 2 - if bar > 0 { bar + 1 } else { 0 };
            assert_eq!(heads(&model, left), expected);
            let taken: usize = Columns::fit(&model, left).shown.iter().map(|(_, width)| width + 2).sum();
            assert!(usize::from(left) >= taken + 45, "{width}: {taken} of {left}");
        }
    }

    #[test]
    fn why_texts_are_taboo_has_a_column_where_that_was_said() {
        let mut model = model_of(Subject::Taboo, 200, 60);
        assert_eq!(heads(&model, 120), ["rows", "copies", "docs", "for", "added", "reason"]);
        let columns = Columns::fit(&model, 120);
        let counts = |rank: usize| columns.counts(rank, &model.list.listing.rows[rank]);
        assert!(counts(1).ends_with("  our own licence  "), "{}", counts(1));
        assert!(counts(0).ends_with("  ") && counts(0).chars().count() == counts(1).chars().count());
        let mut listing = (*model.list.listing).clone();
        listing.rows.retain(|row| reason(row).is_empty());
        model.list.listing = listing.clone().into();
        assert_eq!(heads(&model, 120), ["rows", "copies", "docs", "for", "added"]);
        // The day is left out where it is the same for all.
        listing.rows.truncate(1);
        listing.rows.push(listing.rows[0].clone());
        model.list.listing = listing.into();
        assert_eq!(heads(&model, 120), ["rows", "copies", "docs", "for"]);
    }

    #[test]
    fn on_120_columns_the_reason_of_a_taboo_text_is_seen() {
        let model = model_of(Subject::Taboo, 120, 40);
        let list = model.layout().rows.width;
        assert_eq!(crate::view::rows::bar_width(&model, list), 0);
        assert_eq!(heads(&model, list - 2), ["copies", "for", "added", "reason"]);
    }

    #[test]
    fn what_is_shared_with_the_partner_has_a_column_for_those_who_sort_by_it() {
        let mut model = model_of(Subject::Documents, 120, 30);
        assert!(!heads(&model, 80).contains(&"shared".to_owned()));
        model.list.view.sort = Sort::Partner;
        assert_eq!(heads(&model, 80), ["#", "share", "shared", "tokens", "copies"]);
        assert_eq!(heads(&model, 10), ["shared"]);
        let columns = Columns::fit(&model, 10);
        let counts = [0, 1].map(|rank| columns.counts(rank, &model.list.listing.rows[rank]));
        assert_eq!(counts, ["     0  ", "   200  "], "the first one has no partner");
    }

    #[test]
    fn the_settings_choose_columns_and_what_they_get_wrong_is_named() {
        let text = "[columns]\npassages = [\"tokens\", \"colour\"]\ndocs = []\n";
        let (choice, problems) = ColumnChoice::new(&Settings::parse(text).0);
        assert_eq!(problems.len(), 2);
        let mut model = model_of(Subject::Passages, 120, 30);
        model.settings.columns = choice;
        assert_eq!(heads(&model, 200), ["tokens"]);
    }
}
