//! Draws the footer: the last message or the filter, and the most relevant keys.

use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use crate::action::Action;
use crate::cells;
use crate::model::{Ask, Focus, Model};
use crate::text::{Canvas, behind, grouped, row_of, several, wrapped};
use crate::view::columns::subject_of;
use crate::view::status::search;
use crate::view::{copies, status};
use crate::views::documents::partner;
use crate::views::{ListSpec, list_of};
use dupi_session::{Item, Listing, Phase};

/// Space between the message and the position.
const GAP: u16 = 2;

/// The room that the place of the selected row takes at most.
const PLACE: usize = 24;

/// Draws the two lines.
pub(super) fn draw(canvas: &mut Canvas, area: Rect, model: &Model) {
    let (theme, first, second) = (canvas.theme, row_of(area, 0), row_of(area, 1));
    match (&model.dialogue.prompt, model.said()) {
        (Some(prompt), _) => status::draw_prompt(canvas, first, model, prompt),
        // A message is more important than the keys, which return with the next key press.
        (None, Some(sentence)) if cells::width(sentence) > usize::from(area.width) => {
            return draw_long(canvas, area, sentence);
        }
        (None, Some(sentence)) => draw_status(canvas, first, model, sentence, theme.accent),
        (None, None) => draw_status(canvas, first, model, &applied(model), theme.text),
    }
    for FooterKey { key, word, area, .. } in placed(model, second) {
        let left = canvas.put(area, &key, theme.accent);
        canvas.put(behind(left, 1), word, theme.quiet);
    }
}

/// A key of the footer, with its word.
struct FooterKey {
    action: Action,
    key: String,
    word: &'static str,
    area: Rect,
}

/// The keys that fit into a line.
fn placed(model: &Model, line: Rect) -> Vec<FooterKey> {
    let mut x = line.x;
    let prints = model.settings.prints && model.dialogue.prompt.is_none();
    let first = prints.then_some(Action::Print);
    let keys =
        first.into_iter().chain(keys(model).iter().copied()).filter(|action| is_of_use(model, *action));
    let all = keys.map(|action| (action, key_of(model, action), word(model, action)));
    let placed = all.filter(|(_, key, _)| !key.is_empty()).map_while(|(action, key, word)| {
        let width = (key.chars().count() + word.chars().count() + 1) as u16;
        let area = Rect { x, width, ..line };
        x += width + 2;
        (area.right() <= line.right()).then_some(FooterKey { action, key, word, area })
    });
    placed.collect()
}

/// The action of the key at a position, unless a message covers the keys.
pub(crate) fn action_at(model: &Model, area: Rect, at: Position) -> Option<Action> {
    let is_covered =
        |said: &str| model.dialogue.prompt.is_none() && cells::width(said) > usize::from(area.width);
    let line = Rect { y: area.y + 1, height: 1, ..area };
    let keys = if model.said().is_some_and(is_covered) { Vec::new() } else { placed(model, line) };
    keys.into_iter().find(|key| key.area.contains(at)).map(|key| key.action)
}

/// Draws a sentence that is longer than a line over both lines, and over as many lines above as it needs.
fn draw_long(canvas: &mut Canvas, area: Rect, sentence: &str) {
    let most = area.height + area.y / 3;
    let lines = wrapped(sentence, usize::from(area.width), usize::from(most));
    let height = (lines.len() as u16).max(area.height);
    let area = Rect { y: area.bottom() - height, height, ..area };
    canvas.clear(area);
    canvas.buffer.set_style(area, canvas.theme.text);
    canvas.put_lines(area, &lines, canvas.theme.accent);
}

/// Draws the message, then as far as they fit the position in the list and the distribution of frequencies.
fn draw_status(canvas: &mut Canvas, area: Rect, model: &Model, said: &str, style: Style) {
    let left = canvas.put(area, said, style);
    let left = if said.is_empty() { left } else { behind(left, GAP) };
    let place = place(model);
    if place.chars().count() > usize::from(left.width) {
        return;
    }
    let left = canvas.put_right(left, &place, canvas.theme.quiet);
    if model.page.list().is_some() && list(model).has_sigma {
        let left = Rect { width: left.width.saturating_sub(1), ..left };
        status::draw_spread(canvas, left, &model.list.listing);
    }
}

/// The relevant keys: the five most important ones first.
fn keys(model: &Model) -> &'static [Action] {
    use Action as A;
    let footer = &model.page.spec().footer;
    if let Some(prompt) = &model.dialogue.prompt {
        return match prompt.ask {
            Ask::Filter => &[A::Enter, A::Back, A::NextView, A::Up],
            _ => &[A::Enter, A::Back],
        };
    }
    if !model.list.marks.is_empty() && model.focus == Focus::Rows {
        return footer.marked;
    }
    match (model.focus, model.page.list()) {
        (Focus::Rows, Some(_)) if model.list.listing.rows.is_empty() => {
            match model.list.view.filter.is_empty() {
                true => &[A::NextView, A::Help, A::Skipped, A::Undo, A::Quit],
                false => &[A::Back, A::Filter, A::Help, A::NextView, A::Quit],
            }
        }
        (Focus::Document, _) if model.reader.search.is_some() => {
            &[A::NextMatch, A::Back, A::Search, A::Edit, A::Help, A::Beside]
        }
        (Focus::Document, _) if model.beside.is_some() => {
            &[A::NextStretch, A::NextCopy, A::Taboo, A::Undo, A::Edit, A::Back, A::Help, A::Beside, A::Search]
        }
        (Focus::Document, _) => {
            &[A::NextCopy, A::Taboo, A::Undo, A::Edit, A::Back, A::Help, A::Beside, A::Search, A::NextStretch]
        }
        _ => footer.keys,
    }
}

/// The name of an action's key; in a prompt, the fixed keys.
fn key_of(model: &Model, action: Action) -> String {
    match (action, &model.dialogue.prompt) {
        (Action::Enter, Some(_)) => "Enter".to_owned(),
        (Action::Back, Some(_)) => "Esc".to_owned(),
        (Action::NextView, Some(_)) => "Tab".to_owned(),
        (Action::Up, Some(_)) => "Up".to_owned(),
        _ => model.settings.keymap.first(action),
    }
}

/// Whether a key has an effect on the chosen rows.
fn is_of_use(model: &Model, action: Action) -> bool {
    let does_something = match action {
        Action::Print => model.page.lines().is_none() && model.list.chosen_rows().next().is_some(),
        Action::Accept => model.list.chosen_rows().any(Item::can_be_accepted),
        _ if action.binding().needs_text => model.list.chosen_rows().any(Item::is_text),
        Action::Undo => model.undoable > 0,
        Action::Back => leads_back(model),
        Action::Up => !model.dialogue.filters.filters().is_empty(),
        Action::NextCopy | Action::Beside => copies::has_copies(model.list.row()),
        _ => true,
    };
    let is_in_prompt = model.dialogue.prompt.is_some() && action != Action::Up;
    is_in_prompt || (action.binding().contexts.meets(model.key_context()) && does_something)
}

/// Whether Esc has an effect.
fn leads_back(model: &Model) -> bool {
    let is_in_list = model.focus == Focus::Rows && model.beside.is_none();
    let has_marks = !model.list.marks.is_empty() || model.list.anchor.is_some();
    !is_in_list || has_marks || !model.history.is_empty() || !model.list.view.filter.is_empty()
}

/// Whether all chosen texts and clusters satisfy a condition.
fn are_all(model: &Model, is_such: impl Fn(&Item) -> bool) -> bool {
    let mut texts = model.list.chosen_rows().filter(|row| row.can_be_accepted()).peekable();
    texts.peek().is_some() && texts.all(is_such)
}

/// The word for an action.
fn word(model: &Model, action: Action) -> &'static str {
    let own = model.page.spec().footer.words.iter().find(|(of, _)| *of == action);
    match (action, &model.dialogue.prompt) {
        (Action::Enter, Some(prompt)) if prompt.ask != Ask::Filter => "done",
        (Action::Enter, Some(_)) => "keep",
        (Action::Back, Some(_)) => "drop",
        (Action::NextView, Some(_)) => "complete",
        (Action::Up, Some(_)) => "earlier",
        (Action::NextStretch, None) if model.beside.is_some() => "difference",
        (Action::Taboo, _) if are_all(model, Item::is_taboo) => "show again",
        (Action::Accept, _) if are_all(model, Item::is_accepted) => "open again",
        (Action::Enter, None) if let Some(Item::Aside(line)) = model.list.row() => {
            if line.is_open {
                "fold"
            } else {
                "open"
            }
        }
        (Action::Enter, None) if let Some(Item::Cluster(cluster)) = model.list.row() => {
            if cluster.is_open {
                "fold"
            } else {
                "unfold"
            }
        }
        _ => own.map_or(action.binding().short, |(_, word)| word),
    }
}

/// The index of the selected row, and the number of rows; below the line of a kind, those of that kind.
fn place(model: &Model) -> String {
    let lines = &model.list.lines;
    let loaded = model.list.listing.rows.len().saturating_sub(lines.len());
    if !model.list.marks.is_empty() {
        return format!("{} marked", grouped(model.list.marks.len() as u64));
    }
    match model.list.selected_row() {
        Some(row) if !lines.contains(&row) => {
            let listing = &model.list.listing;
            // Above the lines there can be more rows than are loaded. Below one, rows are counted from there.
            if let Some(at) = model.list.line_above()
                && let Some(Item::Aside(line)) = listing.rows.get(at)
            {
                let [row, all] = [(row - at) as u64, line.summary.passages].map(grouped);
                return format!("{} {row} of {all}", line.summary.kind);
            }
            let all = match listing.total.filter(|total| !listing.complete && *total >= loaded as u64) {
                Some(total) => grouped(total),
                None if listing.complete => grouped(loaded as u64),
                None => format!("{}+", grouped(loaded as u64)),
            };
            format!("row {} of {all}", grouped(row as u64 + 1))
        }
        _ => String::new(),
    }
}

/// The description of the rows on the screen.
fn list(model: &Model) -> &'static ListSpec {
    list_of(subject_of(model))
}

/// The filter, σ and the number of hidden rows.
fn applied(model: &Model) -> String {
    if model.page.lines().is_some() {
        return String::new();
    }
    if let Some(found) = model.reader.search.as_ref().filter(|_| model.focus == Focus::Document) {
        return format!("search: {} · {}", found.pattern, found.count());
    }
    let listing = &model.list.listing;
    let list = list(model);
    let mut words: Vec<String> = search(model).into_iter().collect();
    let has_failed =
        model.progress.as_ref().is_some_and(|progress| matches!(progress.phase, Phase::Failed(_)));
    if has_failed && !listing.rows.is_empty() {
        words.insert(0, "shown as it was indexed last".to_owned());
    }
    if !model.list.view.filter.is_empty() {
        let searched = if listing.complete {
            String::new()
        } else {
            format!(" ({:.0} % searched)", listing.searched * 100.0)
        };
        words.push(format!("filter: {}{searched}", model.list.view.filter));
        words.extend(listing.problems.first().map(std::string::ToString::to_string));
    }
    if let Some(sigma) = model.list.view.sigma.filter(|_| list.has_sigma) {
        let cut = listing.cut.map(|cut| format!(": docs ≥ {}", grouped(u64::from(cut)))).unwrap_or_default();
        words.push(format!("σ ≥ {sigma}{cut}"));
    }
    if model.list.view.unfolded && list.has_sigma {
        words.push("unfolded".to_owned());
    }
    if let Some(Item::Document(document)) = model.list.row()
        && !copies::has_head(model, model.layout().copies)
    {
        words.extend(partner(document, usize::from(model.size.0)));
    }
    if listing.hidden.rows > 0 {
        let verb = if model.list.view.show_taboo { "taboo" } else { "hidden as taboo" };
        let rows = several(listing.hidden.rows, list.unit);
        words.push(format!("{rows} {verb}"));
    }
    let taken: usize = words.iter().map(|words| words.chars().count() + 3).sum();
    words.extend(left_out(listing, usize::from(model.size.0).saturating_sub(taken + PLACE)));
    words.join(" · ")
}

/// What is left out of a list of passages because of its kind or family, in as many words as there is room for.
fn left_out(listing: &Listing, room: usize) -> Option<String> {
    let all: u64 = listing.aside.iter().map(|of| of.passages).sum();
    let kinds = listing.aside.iter().map(|of| format!("{} {}", grouped(of.passages), of.kind));
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    let families = format!("{} in families", grouped(listing.in_families));
    let words = match (all > 0, listing.in_families > 0) {
        (false, false) => return None,
        (false, true) => vec![families],
        (true, false) => vec![format!("aside: {kinds}"), format!("{} aside", grouped(all))],
        (true, true) => vec![
            format!("aside: {kinds} · {families}"),
            format!("{} aside · {families}", grouped(all)),
            format!("{} left out", grouped(all + listing.in_families)),
        ],
    };
    words.into_iter().find(|words| words.chars().count() <= room)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupi_judge::aside::AsideSummary;
    use dupi_judge::kind::Kind;

    #[test]
    fn the_number_of_rows_is_said_where_it_is_known() {
        let mut model = crate::fixture::model_of(dupi_session::Subject::Passages, 120, 30);
        for (complete, total, expected) in [
            (true, None, "row 1 of 30"),
            (true, Some(31), "row 1 of 30"),
            (false, Some(4_711), "row 1 of 4,711"),
            (false, None, "row 1 of 30+"),
        ] {
            let listing = Listing { complete, total, ..(*model.list.listing).clone() };
            model.list.listing = listing.into();
            assert_eq!(place(&model), expected);
        }
    }

    #[test]
    fn what_is_left_out_is_counted_in_the_words_that_fit() {
        let of = |kind, passages| AsideSummary { kind, passages, copies: 9, tokens: 99 };
        let aside = vec![of(Kind::Data, 1_200), of(Kind::Licence, 40)];
        let listing = Listing { aside, in_families: 311, ..Listing::default() };
        let said = |room| left_out(&listing, room).unwrap_or_default();
        assert_eq!(said(60), "aside: 1,200 data, 40 licence · 311 in families");
        assert_eq!(said(40), "1,240 aside · 311 in families");
        assert_eq!((said(20), said(9)), ("1,551 left out".to_owned(), String::new()));
        assert_eq!(left_out(&Listing::default(), 60), None);
    }
}
