//! Draws the help: the keys of a context in groups, and the legend with the signs used there and the words of the program,
//! in two columns where there is room. On a narrow screen descriptions are placed below long keys.

use std::borrow::Cow;

use ratatui::layout::Rect;

use crate::action::{Action, KeyContext, ViewPage};
use crate::keys::{BINDINGS, Binding, GROUPS};
use crate::model::{HelpPage, Model};
use crate::text::{Canvas, behind, wrapped};
use crate::theme::{Charset, glyphs};
use crate::user_commands::UserCommand;

/// The width of a column of keys and descriptions.
const COLUMN: u16 = 76;
/// The width of the keys in it.
const KEYS: usize = 20;
/// On narrower screens descriptions are wrapped,
const WHOLE_FROM: u16 = 77;
/// with this indent, so that short keys fit before them,
const INDENT: u16 = 8;
/// to at most this number of lines.
const LINES: usize = 4;

/// A key, a command of the user, a sign or a word, with its description.
struct HelpEntry<'m> {
    /// What is explained, as the terminal shows it,
    sample: Cow<'m, str>,
    /// and in Unicode, for the search.
    unicode: Cow<'m, str>,
    /// Whether it fits before its description on a narrow screen.
    is_short: bool,
    words: Cow<'m, str>,
}

impl<'m> HelpEntry<'m> {
    fn new(sample: impl Into<Cow<'m, str>>, words: impl Into<Cow<'m, str>>) -> Self {
        let (sample, words) = (sample.into(), words.into());
        let is_short = sample.chars().count() + 2 < usize::from(INDENT);
        Self { unicode: sample.clone(), sample, is_short, words }
    }
}

/// Related entries, with a heading.
type HelpGroup<'m> = (&'static str, Vec<HelpEntry<'m>>);

/// The keys of a context in groups, the signs, and the words.
fn groups<'m>(model: &'m Model, help: &HelpPage, charset: Charset) -> Vec<HelpGroup<'m>> {
    let context = help.context;
    let lines = ViewPage::at(context).and_then(ViewPage::lines);
    // Names of keys are longer in ASCII; the layout is the same for both.
    let key = |of: &'static Binding| {
        let sample = |charset| model.settings.keymap.words_in(context, of.action, charset == Charset::Ascii);
        let lines = lines.filter(|_| of.action == Action::Enter);
        let entry = HelpEntry::new(
            sample(Charset::Ascii),
            lines.map_or(of.words, |lines| lines.enter.binding().words),
        );
        HelpEntry { sample: sample(charset).into(), unicode: sample(Charset::Unicode).into(), ..entry }
    };
    let command = |of: &'m UserCommand| HelpEntry::new(of.key.to_string(), of.in_words());
    let sign = |of: &'static LegendEntry| match of.sample {
        glyphs::UNEXAMINED => HelpEntry::new(glyphs::unexamined(charset), of.words),
        sample => HelpEntry::new(sample, of.words),
    };
    let mut groups: Vec<HelpGroup> = Vec::new();
    for binding in BINDINGS.iter() {
        if let Some((_, name)) = GROUPS.iter().find(|(first, _)| *first == binding.action) {
            groups.push((name, Vec::new()));
        }
        if let Some((_, keys)) = groups.last_mut().filter(|_| is_listed(model, binding, context)) {
            keys.push(key(binding));
        }
    }
    if context.meets(KeyContext::SPANS) {
        groups.push(("your commands", model.settings.commands.iter().map(|of| command(of)).collect()));
    }
    for (name, legend) in [("signs", SIGNS), ("words", WORDS)] {
        let is_used = |sign: &&LegendEntry| sign.contexts.meets(context);
        groups.push((name, legend.iter().filter(is_used).map(sign).collect()));
    }
    if let Some(typed) = &help.search {
        let typed = typed.text().to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&typed);
        for (name, entries) in &mut groups {
            entries.retain(|entry| has(name) || has(&entry.words) || has(&entry.unicode));
        }
    }
    groups.retain(|(_, entries)| !entries.is_empty());
    groups
}

/// Whether the help of a context lists an action. Only a screen that prints has a key for that, and takes it from another
/// action.
fn is_listed(model: &Model, binding: &Binding, context: KeyContext) -> bool {
    let is_taken = match binding.action {
        Action::Print => !model.settings.prints,
        Action::Enter => model.settings.prints && model.settings.keymap.keys(Action::Enter).is_empty(),
        _ => false,
    };
    binding.contexts.meets(context) && !is_taken
}

/// The wrapped description of an entry on a narrow screen.
fn lines_of(entry: &HelpEntry, width: u16) -> Vec<String> {
    wrapped(&entry.words, usize::from(width.saturating_sub(4 + INDENT)), LINES)
}

/// The height of a group.
fn height((_, entries): &HelpGroup, width: u16) -> usize {
    let lines = |entry: &HelpEntry| match width {
        ..WHOLE_FROM => lines_of(entry, width).len() + usize::from(!entry.is_short),
        _ => 1,
    };
    entries.iter().map(lines).sum::<usize>() + 2
}

/// The width of the help of a context on a screen of a width.
pub(crate) fn width(model: &Model, help: &HelpPage, width: u16) -> usize {
    match width {
        ..WHOLE_FROM => usize::from(width.saturating_sub(4)),
        _ => usize::from(COLUMN) * columns(model, help, width, Charset::Unicode).len() - 3,
    }
}

/// The height of the help of a context on a screen of a width.
pub(crate) fn count(model: &Model, help: &HelpPage, width: u16) -> usize {
    let columns = columns(model, help, width, Charset::Unicode).into_iter();
    columns.map(|column| column.iter().map(|group| height(group, width)).sum()).max().unwrap_or(0)
}

/// The groups in one column, or in two of similar height.
fn columns<'m>(model: &'m Model, help: &HelpPage, width: u16, charset: Charset) -> Vec<Vec<HelpGroup<'m>>> {
    let mut left = groups(model, help, charset);
    if width < 2 * COLUMN {
        return vec![left];
    }
    let height = |group: &HelpGroup| height(group, width);
    let all: usize = left.iter().map(height).sum();
    let mut taken = 0;
    let half = left.iter().take_while(|group| {
        taken += height(group);
        taken <= all.div_ceil(2) + 2
    });
    let half = half.count();
    let right = left.split_off(half);
    vec![left, right]
}

/// Draws the help in an area, from a line on.
pub(crate) fn draw(canvas: &mut Canvas, area: Rect, model: &Model, help: &HelpPage) {
    let (theme, screen) = (canvas.theme, area.width + 4);
    for (number, column) in columns(model, help, screen, theme.charset).into_iter().enumerate() {
        let area = behind(area, number as u16 * COLUMN);
        let area = Rect { width: area.width.min(COLUMN - 2), ..area };
        let mut lines = Vec::new();
        for (name, entries) in column {
            lines.push(vec![(0, name.to_owned(), theme.accent)]);
            for entry in entries {
                let words = entry.sample.chars().count().max(KEYS) as u16 + 3;
                let sample = (2, entry.sample.to_string(), theme.text);
                if screen >= WHOLE_FROM {
                    lines.push(vec![sample, (words, entry.words.to_string(), theme.quiet)]);
                    continue;
                }
                lines.push(vec![sample]);
                for (number, words) in lines_of(&entry, screen).into_iter().enumerate() {
                    let words = (INDENT, words, theme.quiet);
                    match lines.last_mut().filter(|_| number == 0 && entry.is_short) {
                        Some(line) => line.push(words),
                        None => lines.push(vec![words]),
                    }
                }
            }
            lines.push(Vec::new());
        }
        for (row, line) in area.rows().zip(lines.iter().skip(help.first)) {
            for (at, words, style) in line {
                canvas.put(behind(row, *at), words, *style);
            }
        }
    }
}

/// A sign or a word, and its meaning.
pub(crate) struct LegendEntry {
    /// The contexts in which it is used.
    pub contexts: KeyContext,
    /// The sign or word.
    pub sample: &'static str,
    /// Its meaning, at most 50 characters.
    pub words: &'static str,
}

const fn sign(contexts: KeyContext, sample: &'static str, words: &'static str) -> LegendEntry {
    LegendEntry { contexts, sample, words }
}

/// All signs, in the order of the help: those of lists, of texts, of sparklines.
#[rustfmt::skip]
static SIGNS: &[LegendEntry] = {
    use KeyContext as P;
    const TEXTS: P = P::PASSAGES.or(P::BLOTS).or(P::REVIEW);
    const ACCEPTED: P = TEXTS.or(P::CLUSTERS);
    const SHARES: P = P::DOCUMENTS.or(P::FILES);
    &[
        sign(P::SPANS, "▶", "the selected row, the current copy"),
        sign(P::PASSAGES, "◆", "the copy that you compare the others with"),
        sign(P::LISTS, "●", "a marked row"),
        sign(P::LISTS, "▼ ▲", "the rows are sorted by this column; in reverse"),
        sign(TEXTS, "!", "a row that is to be fixed"),
        sign(TEXTS, "×", "a taboo row"),
        sign(ACCEPTED, "✓", "an accepted row"),
        sign(P::REVIEW, "=", "in front of the copy to use instead"),
        sign(P::REVIEW, "+", "a copy, or a line, that the change adds"),
        sign(P::CLUSTERS, "▸ ▾", "a cluster that is folded, or unfolded"),
        sign(P::CLUSTERS, "=", "before a path: all of the cluster are the same"),
        sign(ACCEPTED, "✓+", "accepted, but it has gained copies since"),
        sign(P::PASSAGES, "new:", "before a text: new since you left this screen"),
        sign(P::PASSAGES, "2 new:", "before a text: it has gained so many copies"),
        sign(P::BLOTS, "93+", "a lower bound: not all copies were counted"),
        sign(P::BLOTS, "+3", "after a row: this many more blots are joined"),
        sign(P::TABOO, "…", "not counted yet"),
        sign(SHARES, "███", "a bar: the duplicated share"),
        sign(TEXTS.or(P::CLUSTERS).or(P::TABOO), "███", "a bar: the number, relative to the greatest"),
        sign(P::SPANS, "▌", "in a text: the current copy"),
        sign(P::SPANS, "┃", "in a text: another copy of it"),
        sign(P::SPANS, "│", "in a text: other duplicated text"),
        sign(P::SPANS, "┊", "in a text: taboo"),
        sign(P::SPANS, "≠", "in a text: differs from the reference copy"),
        sign(P::SPANS, "…", "in code: the copy begins or ends inside this line"),
        sign(P::SPANS, "‹ ›", "in a text: the line continues"),
        sign(P::SPANS, "▐", "at its right edge: the visible part"),
        sign(P::SPANS, "·", "at its right edge: not examined yet"),
        sign(P::SPANS, "•", "at its right edge: matches of the search"),
        sign(P::SPANS, "▁▄█", "above a text: distribution of copies in the corpus"),
        sign(P::BLOTS, "▁▄█", "below the list: blots by document frequency"),
        sign(P::BLOTS, "│", "between these: the σ threshold"),
        sign(P::ACTIVITY, "▁▄█", "reading speed per half-second"),
    ]
};

/// The words of the program, for the help.
#[rustfmt::skip]
pub(crate) static WORDS: &[LegendEntry] = &[
    sign(KeyContext::SPANS, "token", "a word or number; in source code, a sign too"),
    sign(KeyContext::SPANS, "blot", "the fingerprint of a few adjacent tokens"),
    sign(KeyContext::SPANS, "passage", "a stretch of text that occurs at least twice"),
    sign(KeyContext::SPANS, "cluster", "documents that are similar to each other as wholes"),
    sign(KeyContext::SPANS, "worth", "the bits of information saved by keeping one copy"),
    sign(KeyContext::SPANS, "kind", "what a passage is, such as code, prose or licence"),
    sign(KeyContext::SPANS, "family", "passages that overlap in mostly the same documents"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::showing;
    use crate::model::Overlay;
    use crate::tests::screen::{plain, screen};
    use crate::views::PAGES;

    #[test]
    fn nothing_of_the_help_is_cut_however_narrow_the_screen_is() {
        for (page, columns) in PAGES.into_iter().flat_map(|page| [40, 60, 80, 160].map(|width| (page, width)))
        {
            let mut model = showing(page, columns, 10);
            let lines = count(&model, &HelpPage::new(page.key_context()), columns);
            let mut shown = String::new();
            for first in (0..lines).step_by(8) {
                model.dialogue.overlay =
                    Some(Overlay::Help(HelpPage { first, ..HelpPage::new(page.key_context()) }));
                let seen = screen(&model, &plain());
                shown.extend(seen.lines().take(10).map(|line| line.replace('─', " ") + "\n"));
            }
            let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
            for (_, entries) in groups(&model, &HelpPage::new(page.key_context()), Charset::Unicode) {
                for entry in entries {
                    let words = entry.words;
                    assert!(words.chars().count() <= 50, "{words}");
                    let is_whole = shown.contains(&*words) || columns < WHOLE_FROM;
                    assert!(is_whole, "{} at {columns}: {words}\n{shown}", page.name());
                }
            }
            let own_ellipses = groups(&model, &HelpPage::new(page.key_context()), Charset::Unicode)
                .iter()
                .flat_map(|(_, entries)| entries)
                .map(|entry| entry.words.matches('…').count())
                .sum::<usize>();
            // Two signs are ellipses.
            let signs = [KeyContext::TABOO, KeyContext::SPANS].map(|of| of.meets(page.key_context()));
            let samples = signs.into_iter().filter(|&is_there| is_there).count();
            assert_eq!(shown.matches('…').count(), own_ellipses + samples, "{shown}");
        }
    }
}
