//! Searches a document for plain text, a slice at a time, starting from the reader's position.
//!
//! The search is case-sensitive only if the pattern has capital letters.

use std::sync::Arc;

use regex::{Regex, RegexBuilder};

use crate::document::Scroll;
use dupi_index::query::ByteSpan;
use dupi_session::DocumentView;

/// Bytes per slice: less than a millisecond of work.
const SLICE: usize = 256 << 10;
/// The largest number of matches.
const MOST: usize = 500_000;

/// A search in the document on the screen, and in the reference copy of a comparison.
pub struct TextSearch {
    /// The pattern.
    pub pattern: String,
    /// The scroll position where the search began.
    pub origin: Scroll,
    /// The current match.
    pub current: Option<ByteSpan>,
    /// A match to go to as soon as it is found.
    pub target: Option<SearchTarget>,
    regex: Option<Regex>,
    own: Matches,
    beside: Option<Matches>,
}

/// A wanted match: the first one at or after a byte, or the last one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchTarget {
    /// The byte.
    pub byte: usize,
    /// The direction.
    pub is_forward: bool,
}

/// The result of looking for a wanted match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchStep {
    /// The match, and whether the search wrapped around the end of the document.
    Match(ByteSpan, bool),
    /// It is not found yet.
    NotYet,
    /// There is no match.
    Nothing,
}

/// The matches in one document. It is searched from a byte to its end, then from its beginning.
pub struct Matches {
    text: Arc<String>,
    from: usize,
    /// All that are known, in order,
    known: Vec<ByteSpan>,
    /// and how many of them begin before `from`.
    before: usize,
    /// How far the part after `from`, and then the part before it, was searched.
    reached: usize,
    is_around: bool,
    is_complete: bool,
    current: Option<u64>,
}

impl TextSearch {
    /// Starts a search in a document at a byte.
    pub fn new(pattern: &str, document: &DocumentView, from: usize, origin: Scroll) -> Self {
        let is_exact = pattern.chars().any(char::is_uppercase);
        let regex = RegexBuilder::new(&regex::escape(pattern)).case_insensitive(!is_exact).build().ok();
        Self {
            pattern: pattern.to_owned(),
            origin,
            current: None,
            target: None,
            regex: regex.filter(|_| !pattern.is_empty()),
            own: Matches::new(document, from),
            beside: None,
        }
    }

    /// Searches another document from its beginning, without moving to a match.
    pub fn turn_to(&mut self, document: &DocumentView, beside: Option<&DocumentView>, origin: Scroll) {
        if !self.own.is_of(document) {
            self.own = Matches::new(document, 0);
            (self.current, self.target, self.origin) = (None, None, origin);
        }
        let is_same = |matches: &Matches| beside.is_some_and(|beside| matches.is_of(beside));
        if !self.beside.as_ref().is_some_and(is_same) {
            self.beside = beside.map(|beside| Matches::new(beside, 0));
        }
    }

    /// Searches one more slice. Returns whether there is more to search.
    pub fn advance(&mut self) -> bool {
        let Some(regex) = &self.regex else { return false };
        // Case folding can change the length: K also matches the Kelvin sign.
        let overlap = 4 * self.pattern.len();
        let mut left = SLICE;
        for matches in std::iter::once(&mut self.own).chain(&mut self.beside) {
            while left > 0 && !matches.is_complete {
                left -= matches.advance(regex, overlap, left);
            }
        }
        self.is_under_way()
    }

    /// Whether there is more to search.
    pub fn is_under_way(&self) -> bool {
        let mut all = std::iter::once(&self.own).chain(&self.beside);
        self.regex.is_some() && all.any(|matches| !matches.is_complete)
    }

    /// The matches in a document.
    pub fn matches(&self, document: &DocumentView) -> Option<&Matches> {
        std::iter::once(&self.own).chain(&self.beside).find(|matches| matches.is_of(document))
    }

    /// Finds the wanted match, as far as the document is searched.
    pub fn next(&self, target: SearchTarget) -> SearchStep {
        let matches = &self.own;
        let at = target.byte as u64;
        if target.is_forward && target.byte >= matches.from {
            let next = matches.known.partition_point(|span| span.start < at);
            if let Some(&span) = matches.known.get(next) {
                return SearchStep::Match(span, false);
            }
        }
        if self.regex.is_some() && !matches.is_complete {
            return SearchStep::NotYet;
        }
        let all = &matches.known;
        let next = all.partition_point(|span| span.start < at);
        let inside = if target.is_forward { all.get(next) } else { all[..next].last() };
        match (inside, if target.is_forward { all.first() } else { all.last() }) {
            (Some(&span), _) => SearchStep::Match(span, false),
            (None, Some(&span)) => SearchStep::Match(span, true),
            (None, None) => SearchStep::Nothing,
        }
    }

    /// Makes a match the current one.
    pub fn stand_on(&mut self, span: ByteSpan) {
        (self.current, self.own.current) = (Some(span), Some(span.start));
    }

    /// The number of the current match and of all: `3 of 17`.
    pub fn count(&self) -> String {
        let matches = &self.own;
        let known = matches.known.len();
        let is_full = matches.is_full();
        match self.current.filter(|_| matches.is_complete) {
            _ if self.regex.is_none() => String::new(),
            _ if known == 0 && matches.is_complete => "not found".to_owned(),
            Some(current) => {
                let number = matches.known.partition_point(|span| span.start <= current.start);
                format!("{number} of {known}{}", if is_full { "+" } else { "" })
            }
            None => format!("{known}{} found", if matches.is_complete && !is_full { "" } else { "+" }),
        }
    }
}

impl Matches {
    fn new(document: &DocumentView, from: usize) -> Self {
        let from = document.text.floor_char_boundary(from);
        Self {
            text: Arc::clone(&document.text),
            from,
            known: Vec::new(),
            before: 0,
            reached: from,
            is_around: false,
            is_complete: false,
            current: None,
        }
    }

    fn is_of(&self, document: &DocumentView) -> bool {
        Arc::ptr_eq(&self.text, &document.text)
    }

    fn is_full(&self) -> bool {
        self.known.len() >= MOST
    }

    /// Searches at most `most` bytes. Returns how many it searched.
    fn advance(&mut self, regex: &Regex, overlap: usize, most: usize) -> usize {
        let limit = if self.is_around { self.from } else { self.text.len() };
        let end = self.text.ceil_char_boundary(self.reached + most).min(limit);
        let searched = end.saturating_sub(self.reached).min(most);
        let seen =
            self.text.get(self.reached..self.text.ceil_char_boundary(end + overlap)).unwrap_or_default();
        let spans = regex.find_iter(seen).map(|span| ByteSpan {
            start: (self.reached + span.start()) as u64,
            end: (self.reached + span.end()) as u64,
        });
        let spans = spans.take_while(|span| span.start < end as u64).take(MOST - self.known.len());
        let found: Vec<ByteSpan> = spans.collect();
        self.reached = found.last().map_or(end, |last| end.max(last.end as usize));
        let at = if self.is_around { self.before } else { self.known.len() };
        self.before += if self.is_around { found.len() } else { 0 };
        self.known.splice(at..at, found);
        if self.is_full() || (self.is_around && self.reached >= limit) {
            self.complete();
        } else if self.reached >= limit {
            (self.is_around, self.reached) = (true, 0);
        }
        searched
    }

    fn complete(&mut self) {
        // A match across the start of the search can overlap the first one after it.
        if let Some(last) = self.before.checked_sub(1)
            && self.known.get(self.before).is_some_and(|next| self.known[last].end > next.start)
        {
            self.known.remove(last);
        }
        (self.is_around, self.is_complete) = (true, true);
    }

    /// Whether a byte is in a match, and whether that is the current one.
    pub fn at(&self, byte: usize) -> Option<bool> {
        let span = self.known.get(self.known.partition_point(|span| span.end <= byte as u64))?;
        (span.start <= byte as u64).then_some(self.current == Some(span.start))
    }

    /// Whether a match touches a range of bytes.
    pub fn touches(&self, start: usize, end: usize) -> bool {
        let next = self.known.partition_point(|span| span.end <= start as u64);
        self.known.get(next).is_some_and(|span| span.start < end as u64)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn document(text: &str) -> DocumentView {
        DocumentView { text: text.to_owned().into(), ..DocumentView::default() }
    }

    fn starts(search: &TextSearch) -> Vec<u64> {
        search.own.known.iter().map(|span| span.start).collect()
    }

    #[test]
    fn capitals_count_only_when_there_are_some_in_the_pattern() {
        let document = document("Straße STRASSE Kelvin \u{212a}elvin");
        let found = |pattern: &str| {
            let mut search = TextSearch::new(pattern, &document, 0, Scroll::default());
            while search.advance() {}
            starts(&search).len()
        };
        assert_eq!((found("stra"), found("Stra"), found("kelvin"), found("Kelvin")), (2, 1, 2, 1));
        assert_eq!((found("."), found("")), (0, 0), "plain text is no pattern");
    }

    #[test]
    fn matches_that_lie_across_slices_are_found_once() {
        let mut text = "x".repeat(SLICE - 3) + "needle";
        text += &"y".repeat(SLICE);
        text += "Needle";
        let document = document(&text);
        for from in [0, 10, SLICE - 2, SLICE * 2] {
            let mut search = TextSearch::new("needle", &document, from, Scroll::default());
            while search.advance() {}
            assert_eq!(starts(&search), [SLICE as u64 - 3, SLICE as u64 * 2 + 3], "from {from}");
        }
    }

    #[test]
    fn the_first_match_is_known_before_all_is_searched_and_the_count_when_it_is() {
        let text = "needle ".to_owned() + &"x".repeat(3 * SLICE) + " needle here" + &"x".repeat(2 * SLICE);
        let document = document(&text);
        let mut search = TextSearch::new("needle", &document, 2 * SLICE, Scroll::default());
        let target = SearchTarget { byte: 2 * SLICE, is_forward: true };
        assert_eq!(search.next(target), SearchStep::NotYet);
        while search.next(target) == SearchStep::NotYet {
            assert!(search.advance());
        }
        let SearchStep::Match(span, false) = search.next(target) else { panic!("{:?}", search.next(target)) };
        assert_eq!((span.start as usize, search.count()), (3 * SLICE + 8, "1+ found".to_owned()));
        search.stand_on(span);
        while search.advance() {}
        assert_eq!(search.count(), "2 of 2");
        let after = SearchTarget { byte: span.end as usize, is_forward: true };
        assert!(matches!(search.next(after), SearchStep::Match(first, true) if first.start == 0));
        let back = SearchTarget { byte: 0, is_forward: false };
        assert!(matches!(search.next(back), SearchStep::Match(last, true) if last == span));
    }

    proptest! {
        #[test]
        fn it_finds_what_is_there(text in "[ab é]{0,40}", pattern in "[ab]{1,3}", from in 0_usize..40) {
            let document = document(&text);
            let mut search = TextSearch::new(&pattern, &document, from.min(text.len()), Scroll::default());
            while search.advance() {}
            for (start, _) in text.match_indices(&pattern) {
                prop_assert!(search.own.touches(start, start + pattern.len()));
            }
            for &start in &starts(&search) {
                prop_assert!(text[start as usize..].starts_with(&pattern));
            }
            let spans = &search.own.known;
            prop_assert!(spans.windows(2).all(|pair| pair[0].end <= pair[1].start));
        }
    }
}
