//! The legend: all signs on the screen and their meaning, for the help.

use crate::tui::action::KeyContext;
use crate::tui::theme::Glyphs;

/// A sign and its meaning.
pub struct LegendEntry {
    /// The contexts in which it is used.
    pub contexts: KeyContext,
    /// The sign, in the glyphs of the terminal.
    pub sample: fn(&Glyphs) -> String,
    /// Its meaning, at most 50 characters.
    pub words: &'static str,
}

const fn sign(contexts: KeyContext, sample: fn(&Glyphs) -> String, words: &'static str) -> LegendEntry {
    LegendEntry { contexts, sample, words }
}

/// All signs, in the order of the help: those of lists, of texts, of sparklines.
#[rustfmt::skip]
pub static SIGNS: &[LegendEntry] = {
    use KeyContext as P;
    const TEXTS: P = P::PASSAGES.or(P::BLOTS);
    const SHARES: P = P::DOCUMENTS.or(P::FILES);
    &[
        sign(P::SPANS, |of| of.pointer.into(), "the selected row, the current copy"),
        sign(P::LISTS, |of| of.marked.into(), "a row that is marked, for what is done next"),
        sign(P::LISTS, |of| of.sorted.into(), "rows are sorted by this, the most first"),
        sign(TEXTS, |of| of.cross.into(), "a row that is taboo"),
        sign(TEXTS, |of| of.check.into(), "a row that was accepted"),
        sign(TEXTS, |of| format!("{}+", of.check), "accepted, but it has more copies since then"),
        sign(P::BLOTS, |_| "93+".into(), "at least so many copies: not all were counted"),
        sign(P::BLOTS, |_| "+3".into(), "behind a row: it stands for so many more blots"),
        sign(P::TABOO, |of| of.ellipsis.into(), "not counted yet"),
        sign(SHARES, |of| of.blocks[7].repeat(3), "a bar: the share that stands elsewhere too"),
        sign(TEXTS.or(P::TABOO), |of| of.blocks[7].repeat(3), "a bar: how many, measured by the greatest number"),
        sign(P::SPANS, |of| of.margin[0].into(), "in a text: the current copy"),
        sign(P::SPANS, |of| of.margin[1].into(), "in a text: another copy of it"),
        sign(P::SPANS, |of| of.margin[2].into(), "in a text: what else stands elsewhere too"),
        sign(P::SPANS, |of| of.margin[3].into(), "in a text: taboo"),
        sign(P::SPANS, |of| of.differs.into(), "in a text: other than in the copy compared with"),
        sign(P::SPANS, |of| of.cut.join(" "), "in a text: the line goes on there"),
        sign(P::SPANS, |of| of.strip[2].into(), "at its right edge: what is seen of it"),
        sign(P::SPANS, |of| of.strip[1].into(), "at its right edge: not looked through yet"),
        sign(P::SPANS, |of| of.strip[0].into(), "at its right edge: what is searched for"),
        sign(P::SPANS, heights, "above a text: where in the corpus the copies are"),
        sign(P::BLOTS, heights, "below the list: how many blots have so many docs"),
        sign(P::BLOTS, |of| of.vertical.into(), "between these: where σ cuts"),
        sign(P::ACTIVITY, heights, "how fast files are read, by half-seconds"),
    ]
};

fn heights(of: &Glyphs) -> String {
    [0, 3, 7].map(|height| of.blocks[height]).concat()
}
