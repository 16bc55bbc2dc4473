//! Lines of a text. The headline is the line or sentence that tells a reader most about a stretch: for source code the line that
//! defines something, else the line with the most distinct words; for prose a whole sentence. A [`LineStretch`] is a stretch with
//! the whole lines that it covers: lines of which no letter or digit lies outside.

use std::collections::BTreeSet;
use std::ops::Range;

/// Only the beginning of a line or sentence is judged, as far as a list can show it. In characters.
const SHOWN: usize = 120;
/// A word counts at most as many letters, so that a long identifier does not outweigh a sentence.
const LONGEST_WORD: usize = 12;
/// A whole sentence has at least this number of words.
const SENTENCE_WORDS: usize = 4;

/// Words that begin a definition in many languages, before the name that is defined.
const DEFINERS: [&str; 22] = [
    "class",
    "def",
    "define",
    "defn",
    "enum",
    "fn",
    "func",
    "function",
    "impl",
    "interface",
    "macro_rules",
    "module",
    "namespace",
    "object",
    "package",
    "proc",
    "procedure",
    "struct",
    "sub",
    "trait",
    "type",
    "union",
];
/// Words before a parenthesis that do not define a function.
const STATEMENTS: [&str; 14] = [
    "assert", "await", "case", "catch", "do", "elif", "else", "for", "if", "return", "sizeof", "switch",
    "while", "with",
];

/// The bytes of the line or sentence that tells most about a stretch of a text. `span` must lie on character boundaries
/// of `text`. Lines that the stretch covers only in part are taken if there are no others.
pub fn headline(text: &str, span: Range<usize>, is_code: bool) -> Range<usize> {
    let inner = LineStretch::around(text, span.clone()).inner(text);
    let inner = if inner.is_empty() { span.clone() } else { inner };
    let chosen = if is_code { code_line(text, inner.clone()) } else { sentence(text, span) };
    chosen.or_else(|| best(text, lines_of(text, inner.clone()))).unwrap_or(inner)
}

/// The first line that defines something.
fn code_line(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    lines_of(text, span).find(|line| defines(&text[line.clone()], is_at_margin(text, line.start)))
}

/// The whole sentence with the most distinct words. The full stop behind the last token belongs to it.
fn sentence(text: &str, mut span: Range<usize>) -> Option<Range<usize>> {
    let is_stop = |letter: &char| !letter.is_alphanumeric() && !letter.is_whitespace();
    span.end += text[span.end..].chars().take_while(is_stop).map(char::len_utf8).sum::<usize>();
    let sentences =
        sentences(text, span).filter(|sentence| words(&text[sentence.clone()]).count() >= SENTENCE_WORDS);
    best(text, sentences)
}

/// The stretch whose beginning has the most letters in distinct words; the first of several.
fn best(text: &str, stretches: impl Iterator<Item = Range<usize>>) -> Option<Range<usize>> {
    let score = |stretch: &Range<usize>| {
        let shown = &text[stretch.clone()];
        let end = shown.char_indices().nth(SHOWN).map_or(shown.len(), |(at, _)| at);
        let distinct: BTreeSet<&str> = words(&shown[..end]).collect();
        distinct.iter().map(|word| word.chars().count().min(LONGEST_WORD)).sum::<usize>()
    };
    let mut best: Option<(usize, Range<usize>)> = None;
    for stretch in stretches {
        let score = score(&stretch);
        if score > 0 && best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, stretch));
        }
    }
    best.map(|(_, stretch)| stretch)
}

/// Words of two letters or more that are not numbers.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |word: &&str| word.chars().nth(1).is_some() && word.chars().any(char::is_alphabetic);
    parts(text).filter(is_word)
}

/// Words and numbers, as they stand between other signs.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|part| !part.is_empty())
}

/// The lines of a stretch without the white space around them; empty ones are left out.
fn lines_of(text: &str, span: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = span.start;
    text[span].split_inclusive('\n').filter_map(move |line| {
        let from = start;
        start += line.len();
        trimmed(text, from..from + line.len())
    })
}

/// The sentences of a stretch: text between full stops, and between empty lines. The first one counts if the stretch
/// begins with it, the last one if the stretch ends with it.
fn sentences(text: &str, span: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let ends_here = |at: usize| {
        let (before, behind) = (text[..at].chars().next_back(), &text[at..]);
        let is_break = |letter: char| letter.is_whitespace() || matches!(letter, '"' | '”' | '’' | ')' | '»');
        match before {
            Some('.' | '!' | '?' | '…') => behind.chars().next().is_none_or(is_break),
            Some('。' | '！' | '？') | None => true,
            Some('\n') => text[..at - 1].trim_end_matches([' ', '\t', '\r']).ends_with('\n'),
            Some(_) => behind.is_empty(),
        }
    };
    let begins = |at: usize| {
        let before = text[..at].trim_end();
        before.is_empty() || ends_here(before.len()) || text[before.len()..at].matches('\n').count() > 1
    };
    let stops = text[span.clone()].char_indices().map(|(at, letter)| at + letter.len_utf8());
    let stops: Vec<usize> = stops.map(|at| span.start + at).filter(|&at| ends_here(at)).collect();
    let mut start = begins(span.start).then_some(span.start);
    stops.into_iter().filter_map(move |stop| trimmed(text, start.replace(stop)?..stop))
}

/// A stretch without the white space around it, if anything else is in it.
fn trimmed(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let stretch = &text[span.clone()];
    let start = span.start + (stretch.len() - stretch.trim_start().len());
    let len = stretch.trim().len();
    (len > 0).then_some(start..start + len)
}

/// Whether nothing stands before a byte on its line.
fn is_at_margin(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_none_or(|letter| letter == '\n')
}

/// Whether a line of code defines a name: by a keyword, or as C and its kin begin a function or a table.
pub(super) fn defines(line: &str, is_at_margin: bool) -> bool {
    let line = line.trim();
    let is_comment = ["//", "/*", "*", "--", ";", "%", "\""].iter().any(|mark| line.starts_with(mark))
        || line.starts_with("# ");
    let ends_statement = line.ends_with(';') && !line.starts_with("type ");
    if is_comment || ends_statement {
        return false;
    }
    let first: Vec<&str> = parts(line).take(6).collect();
    let by_keyword = first.iter().position(|word| DEFINERS.contains(word));
    let before_keyword =
        |at: usize| first[..at].iter().all(|word| word.chars().all(|letter| letter.is_ascii_lowercase()));
    let is_aggregate =
        line.ends_with('{') || line.ends_with(':') || line.contains('(') || line.starts_with('#');
    if by_keyword.is_some_and(|at| at < 4 && at + 1 < first.len() && before_keyword(at) && is_aggregate) {
        return true;
    }
    let is_statement = first.first().is_none_or(|word| STATEMENTS.contains(word));
    let Some(open) = line.find(['(', '=']) else { return false };
    let has_name =
        line[..open].trim_end().ends_with(|letter: char| letter.is_alphanumeric() || "_]".contains(letter));
    is_at_margin && !is_statement && has_name && (line[open..].starts_with('(') || line.ends_with('{'))
}

/// The number of bytes before and behind a stretch in which the end of its line is looked for. A file can be one long line
/// with many copies.
const REACH: usize = 4 << 10;

/// A stretch, extended to the beginning and to the end of its lines where it covers these lines whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineStretch {
    /// The bytes. Without the last line break.
    pub span: Range<usize>,
    /// Whether letters or digits of the first line stand before the stretch, which therefore begins where it did.
    pub begins_inside: bool,
    /// Whether letters or digits of the last line stand behind the stretch, which therefore ends where it did.
    pub ends_inside: bool,
}

impl LineStretch {
    /// Extends a stretch. `span` must lie on character boundaries of `text`.
    pub fn around(text: &str, span: Range<usize>) -> Self {
        let from = text.ceil_char_boundary(span.start.saturating_sub(REACH));
        let to = text.floor_char_boundary(span.end.saturating_add(REACH));
        let (before, behind) = (&text[from..span.start], &text[span.end..to]);
        let is_edge = |letter: char| letter == '\n' || letter.is_alphanumeric();
        let start = match before.rfind(is_edge) {
            None => (from == 0).then_some(0),
            Some(at) => before[at..].starts_with('\n').then_some(from + at + 1),
        };
        let end = match behind.find(is_edge) {
            None => (to == text.len()).then_some(to),
            Some(at) => behind[at..].starts_with('\n').then_some(span.end + at),
        };
        let without_return = |end: usize| if text[span.end..end].ends_with('\r') { end - 1 } else { end };
        Self {
            span: start.unwrap_or(span.start)..end.map_or(span.end, without_return),
            begins_inside: start.is_none(),
            ends_inside: end.is_none(),
        }
    }
    /// The lines that are covered whole; an empty range when there are none.
    pub fn inner(&self, text: &str) -> Range<usize> {
        let lines = &text[self.span.clone()];
        let skipped = if self.begins_inside { lines.find('\n').map_or(lines.len(), |at| at + 1) } else { 0 };
        let kept = if self.ends_inside { lines.rfind('\n').unwrap_or(0) } else { lines.len() };
        let start = self.span.start + skipped;
        start..(self.span.start + kept).max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts_have_the_headlines_of_the_table() {
        crate::script::table("cases/headlines.txt", |word, text| {
            let parts: Vec<&str> = text.split('¦').collect();
            let text = parts.concat();
            let stretch = match parts[..] {
                [before, within, _] => before.len()..before.len() + within.len(),
                _ => 0..text.len(),
            };
            vec![match word {
                "defines" => if defines(&text, true) { "yes" } else { "no" }.to_owned(),
                _ => text[headline(&text, stretch, word == "code")].to_owned(),
            }]
        });
        assert!(!defines("spin_lock(&inode->lock)", false));
    }

    proptest! {
        #[test]
        fn any_stretch_of_any_text_has_a_headline_close_to_it(text in "[a-c .!(){};=#\n\t0é漢。]{0,60}", cut in any::<(prop::sample::Index, prop::sample::Index)>()) {
            let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let (a, b) = (*cut.0.get(&bounds), *cut.1.get(&bounds));
            let span = a.min(b)..a.max(b);
            for is_code in [true, false] {
                let line = headline(&text, span.clone(), is_code);
                let first = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
                let last = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at);
                let touched = first..last;
                prop_assert!(text.is_char_boundary(line.start) && text.is_char_boundary(line.end));
                prop_assert!(touched.start <= line.start && line.end <= touched.end);
            }
        }
    }

    /// The same, line by line.
    fn naive(text: &str, span: Range<usize>) -> LineStretch {
        let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at);
        let says = |part: &str| part.contains(char::is_alphanumeric);
        let (begins_inside, ends_inside) = (says(&text[start..span.start]), says(&text[span.end..end]));
        let end = (start + text[start..end].trim_end_matches('\r').len()).max(span.end);
        let first = if begins_inside { span.start } else { start };
        LineStretch { span: first..if ends_inside { span.end } else { end }, begins_inside, ends_inside }
    }

    proptest! {
        #[test]
        fn a_stretch_is_extended_to_the_lines_that_it_covers_whole(
            text in "([a-b .{};\n\t0é漢。]|\r\n){0,40}",
            cut in any::<(prop::sample::Index, prop::sample::Index)>(),
        ) {
            let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let (a, b) = (*cut.0.get(&bounds), *cut.1.get(&bounds));
            let span = a.min(b)..a.max(b);
            prop_assert_eq!(LineStretch::around(&text, span.clone()), naive(&text, span));
        }
    }

    #[test]
    fn the_end_of_an_endless_line_is_not_sought() {
        let signs = "-".repeat(2 * REACH);
        let text = format!("{signs}word{signs}");
        let span = signs.len()..signs.len() + 4;
        let stretch = LineStretch::around(&text, span.clone());
        assert_eq!(stretch, LineStretch { span, begins_inside: true, ends_inside: true });
    }

    #[test]
    fn a_line_is_whole_if_only_signs_of_it_are_left_out() {
        let text = "x\n#include <a.h>;\ny";
        let span = text.find("include").unwrap()..text.find(">;").unwrap();
        let lines = LineStretch::around(text, span);
        assert_eq!(&text[lines.span.clone()], "#include <a.h>;");
        assert!(!lines.begins_inside && !lines.ends_inside);
        assert_eq!(lines.inner(text), lines.span);
    }

    #[test]
    fn lines_that_are_begun_inside_are_marked_and_not_inner() {
        let text = "one two\nthree\nfour five\n";
        let lines = LineStretch::around(text, 4..18);
        assert!(lines.begins_inside && lines.ends_inside);
        assert_eq!(&text[lines.inner(text)], "three");
        let one = LineStretch::around(text, 4..5);
        assert!(one.inner(text).is_empty());
    }
}
