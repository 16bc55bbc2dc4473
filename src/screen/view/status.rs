//! Parts of the status line: how far the searches are that the rows are made from, and the distribution of document
//! frequencies of all blots as a sparkline, with a line at the σ threshold and the excluded part dimmed.

use ratatui::layout::Rect;

use crate::model::Model;
use crate::text::{Canvas, behind, grouped, several};
use crate::theme::glyphs;
use crate::views::list_of;
use dupi_session::{ClusterFacts, Comparison, Listing, ReviewFacts, SearchState};

/// The progress of the search for passages, and what is shown meanwhile.
pub(crate) fn search(model: &Model) -> Option<String> {
    let (is_provisional, of) = (model.list.listing.is_provisional, model.list.view.of);
    let stand_in =
        list_of(of).stand_in.map(|of| list_of(of).view.name).filter(|_| model.list.listing.has_stand_ins());
    let meanwhile = match stand_in {
        Some(name) => format!("; until then {name}"),
        None if model.list.listing.is_first_look => "; these are some of them".to_owned(),
        None => String::new(),
    };
    match &model.passage_search {
        _ if of.is_from_clusters() => compared(model),
        _ if of.is_from_review() => reviewed(model),
        _ if !of.needs_passages() => None,
        SearchState::At(share) => {
            Some(format!("looking for passages: {:.0} %{meanwhile}", (share * 100.0).floor()))
        }
        _ if !is_provisional => None,
        SearchState::Failed(_) => Some(
            stand_in
                .map_or_else(|| "no passages".to_owned(), |name| format!("no passages: these are {name}")),
        ),
        SearchState::Idle if model.is_busy() => Some(format!("passages follow when all is read{meanwhile}")),
        SearchState::Idle => Some(format!("passages follow{meanwhile}")),
    }
}

/// How far the review is, and what was reviewed.
fn reviewed(model: &Model) -> Option<String> {
    let facts = model.list.listing.review;
    let mut words = match &model.review_search {
        SearchState::At(share) => vec![format!("reviewing: {:.0} %", (share * 100.0).floor())],
        _ if facts.is_none() && model.is_busy() => vec!["the review follows when all is read".to_owned()],
        _ => Vec::new(),
    };
    if let Some(ReviewFacts { files, added, left_out, moved }) = facts {
        words.push(format!("{} changed, {} added", several(files, "file"), several(added, "line")));
        words.extend((left_out > 0).then(|| format!("{} left out", grouped(left_out))));
        words.extend((moved > 0).then(|| format!("{} moved or edited", grouped(moved))));
    }
    (!words.is_empty()).then(|| words.join(" · "))
}

/// How documents are compared, how far that is, and what was found.
fn compared(model: &Model) -> Option<String> {
    let facts = model.list.listing.clusters;
    let mut words = match &model.cluster_search {
        SearchState::At(share) => vec![format!("comparing documents: {:.0} %", (share * 100.0).floor())],
        SearchState::Failed(_) if facts.is_none_or(|facts| facts.compared.is_none()) => {
            vec!["similar documents were not found".to_owned()]
        }
        _ if facts.is_none() && model.is_busy() => vec!["clusters follow when all is read".to_owned()],
        _ => Vec::new(),
    };
    if let Some(ClusterFacts { compared, trees, identical, similar, .. }) = facts {
        let by = compared.map(|Comparison { method, threshold }| format!("{method} ≥ {threshold}"));
        words.extend(by.or_else(|| words.is_empty().then(|| "identical only".to_owned())));
        let counts = [(trees, "trees"), (identical, "identical"), (similar, "similar")];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, what)| format!("{what} {}", grouped(count))).collect();
        words.extend((!counts.is_empty()).then(|| counts.join(", ")));
    }
    (!words.is_empty()).then(|| words.join(" · "))
}

/// Draws the distribution at the right end of a line if there is room.
pub(crate) fn draw(canvas: &mut Canvas, area: Rect, listing: &Listing) {
    let theme = canvas.theme;
    // Blots that occur once are no rows, and by far the most.
    let classes = listing.spread.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
    let classes = listing.spread.get(1..classes).unwrap_or_default();
    let ends = grouped(u64::from(listing.greatest));
    let cut = listing.cut.and_then(|cut| place_of(cut, classes.len()));
    let width = (classes.len() + usize::from(cut.is_some()) + ends.len() + "docs 2  ".len()) as u16;
    if classes.len() < 2 || width + 2 > area.width {
        return;
    }
    let mut left = canvas.put(behind(area, area.width - width), "docs 2 ", theme.quiet);
    for (class, &count) in classes.iter().enumerate() {
        if cut == Some(class) {
            left = canvas.put(left, glyphs::VERTICAL, theme.text);
        }
        let style = if cut.is_some_and(|cut| class < cut) { theme.quiet } else { theme.accent };
        left = canvas.put(left, level(count, classes), style);
    }
    if cut == Some(classes.len()) {
        left = canvas.put(left, glyphs::VERTICAL, theme.text);
    }
    canvas.put(behind(left, 1), &ends, theme.quiet);
}

/// The class before which the σ line is drawn: the nearest boundary if the threshold lies within a class. The first
/// class is that of 2 and 3 documents. `None` if nothing is excluded.
fn place_of(cut: u32, classes: usize) -> Option<usize> {
    let nearest = f64::from(cut).log2().round() as usize;
    (cut > 2).then(|| (nearest - 1).min(classes))
}

/// The block for a count. Counts fall tenfold with each class, so the height is logarithmic.
fn level(count: u64, among: &[u64]) -> &'static str {
    let most = among.iter().copied().max().unwrap_or(1);
    let height = |count: u64| ((count + 1) as f64).ln();
    let last = glyphs::BLOCKS.len() - 1;
    let level = (height(count) / height(most).max(f64::MIN_POSITIVE) * last as f64).round() as usize;
    if count == 0 { " " } else { glyphs::BLOCKS[level.min(last)] }
}

#[cfg(test)]
mod tests {
    use ratatui::buffer::Buffer;

    use super::*;
    use crate::theme::{Charset, Theme};

    fn drawn(cut: Option<u32>, theme: &Theme) -> String {
        let spread = std::array::from_fn(|class| if class < 5 { 100 >> class } else { 0 });
        let listing = Listing { cut, spread, greatest: 19, ..Listing::default() };
        let area = Rect::new(0, 0, 30, 1);
        let mut buffer = Buffer::empty(area);
        draw(&mut Canvas { buffer: &mut buffer, theme }, area, &listing);
        theme.finish(&mut buffer);
        buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect::<String>().trim().to_owned()
    }

    #[test]
    fn a_line_stands_where_sigma_cuts() {
        let theme = Theme::colourless(Charset::Unicode);
        assert_eq!(drawn(None, &theme), "docs 2 █▇▆▄ 19");
        assert_eq!(drawn(Some(2), &theme), drawn(None, &theme));
        assert_eq!(drawn(Some(3), &theme), "docs 2 █│▇▆▄ 19");
        assert_eq!(drawn(Some(5), &theme), "docs 2 █│▇▆▄ 19");
        assert_eq!(drawn(Some(8), &theme), "docs 2 █▇│▆▄ 19");
        assert_eq!(drawn(Some(900), &theme), "docs 2 █▇▆▄│ 19");
        assert!(drawn(Some(8), &Theme::colourless(Charset::Ascii)).contains('|'));
    }
}
