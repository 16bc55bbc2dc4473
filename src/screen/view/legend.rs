//! The legend: all signs on the screen and the words of the program, with their meaning, for the help.

use crate::action::KeyContext;
use crate::theme::Glyphs;

/// A sign or a word, and its meaning.
pub(super) struct LegendEntry {
    /// The contexts in which it is used.
    pub contexts: KeyContext,
    /// The sign or word, in the glyphs of the terminal.
    pub sample: fn(&Glyphs) -> String,
    /// Its meaning, at most 50 characters.
    pub words: &'static str,
}

const fn sign(contexts: KeyContext, sample: fn(&Glyphs) -> String, words: &'static str) -> LegendEntry {
    LegendEntry { contexts, sample, words }
}

/// All signs, in the order of the help: those of lists, of texts, of sparklines.
#[rustfmt::skip]
pub(super) static SIGNS: &[LegendEntry] = {
    use KeyContext as P;
    const TEXTS: P = P::PASSAGES.or(P::BLOTS).or(P::REVIEW);
    const ACCEPTED: P = TEXTS.or(P::CLUSTERS);
    const SHARES: P = P::DOCUMENTS.or(P::FILES);
    &[
        sign(P::SPANS, |of| of.pointer.into(), "the selected row, the current copy"),
        sign(P::PASSAGES, |of| of.pinned.into(), "the copy that you compare the others with"),
        sign(P::LISTS, |of| of.marked.into(), "a marked row"),
        sign(P::LISTS, |of| of.sorted.join(" "), "the rows are sorted by this column; in reverse"),
        sign(TEXTS, |of| of.fix.into(), "a row that is to be fixed"),
        sign(TEXTS, |of| of.cross.into(), "a taboo row"),
        sign(ACCEPTED, |of| of.check.into(), "an accepted row"),
        sign(P::REVIEW, |_| "=".into(), "in front of the copy to use instead"),
        sign(P::REVIEW, |_| "+".into(), "a copy, or a line, that the change adds"),
        sign(P::CLUSTERS, |of| of.folds.join(" "), "a cluster that is folded, or unfolded"),
        sign(P::CLUSTERS, |_| "=".into(), "before a path: all of the cluster are the same"),
        sign(ACCEPTED, |of| format!("{}+", of.check), "accepted, but it has gained copies since"),
        sign(P::PASSAGES, |_| "new:".into(), "before a text: new since you left this screen"),
        sign(P::PASSAGES, |_| "2 new:".into(), "before a text: it has gained so many copies"),
        sign(P::BLOTS, |_| "93+".into(), "a lower bound: not all copies were counted"),
        sign(P::BLOTS, |_| "+3".into(), "after a row: this many more blots are joined"),
        sign(P::TABOO, |of| of.ellipsis.into(), "not counted yet"),
        sign(SHARES, |of| of.blocks[7].repeat(3), "a bar: the duplicated share"),
        sign(TEXTS.or(P::CLUSTERS).or(P::TABOO), |of| of.blocks[7].repeat(3), "a bar: the number, relative to the greatest"),
        sign(P::SPANS, |of| of.margin[0].into(), "in a text: the current copy"),
        sign(P::SPANS, |of| of.margin[1].into(), "in a text: another copy of it"),
        sign(P::SPANS, |of| of.margin[2].into(), "in a text: other duplicated text"),
        sign(P::SPANS, |of| of.margin[3].into(), "in a text: taboo"),
        sign(P::SPANS, |of| of.differs.into(), "in a text: differs from the reference copy"),
        sign(P::SPANS, |of| of.ellipsis.into(), "in code: the copy begins or ends inside this line"),
        sign(P::SPANS, |of| of.cut.join(" "), "in a text: the line continues"),
        sign(P::SPANS, |of| of.strip[2].into(), "at its right edge: the visible part"),
        sign(P::SPANS, |of| of.strip[1].into(), "at its right edge: not examined yet"),
        sign(P::SPANS, |of| of.strip[0].into(), "at its right edge: matches of the search"),
        sign(P::SPANS, heights, "above a text: distribution of copies in the corpus"),
        sign(P::BLOTS, heights, "below the list: blots by document frequency"),
        sign(P::BLOTS, |of| of.vertical.into(), "between these: the σ threshold"),
        sign(P::ACTIVITY, heights, "reading speed per half-second"),
    ]
};

/// The words of the program, for the help.
#[rustfmt::skip]
pub(super) static WORDS: &[LegendEntry] = &[
    sign(KeyContext::SPANS, |_| "token".into(), "a word or number; in source code, a sign too"),
    sign(KeyContext::SPANS, |_| "blot".into(), "the fingerprint of a few adjacent tokens"),
    sign(KeyContext::SPANS, |_| "passage".into(), "a stretch of text that occurs at least twice"),
    sign(KeyContext::SPANS, |_| "cluster".into(), "documents that are similar to each other as wholes"),
    sign(KeyContext::SPANS, |_| "worth".into(), "the bits of information saved by keeping one copy"),
    sign(KeyContext::SPANS, |_| "kind".into(), "what a passage is, such as code, prose or licence"),
    sign(KeyContext::SPANS, |_| "family".into(), "passages that overlap in mostly the same documents"),
];

fn heights(of: &Glyphs) -> String {
    [0, 3, 7].map(|height| of.blocks[height]).concat()
}
