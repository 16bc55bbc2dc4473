//! Regular expressions of rules. Each knows the letters and signs that every match needs, and those that it can begin
//! with, so that most lines are told without it to be others.

use std::sync::{Arc, OnceLock};

use regex::Regex;
use regex_syntax::hir::literal::{ExtractKind, Extractor};
use regex_syntax::hir::{Class, ClassUnicodeRange, Hir, HirKind, Look};

/// A set of letters, in any case, and of signs: a bit for each, one for all digits, and one for all other characters.
pub(super) type Letters = u64;

/// The set that has the letter or sign of a byte.
static LETTER: [Letters; 256] = {
    let mut letters = [0; 256];
    let (mut byte, mut signs) = (0, 0);
    while byte < 256 {
        letters[byte] = 1
            << match byte as u8 {
                letter @ (b'a'..=b'z' | b'A'..=b'Z') => (letter | 0x20) - b'a',
                b'0'..=b'9' => 26,
                b' '..=b'~' => {
                    signs += 1;
                    26 + signs
                }
                b'\t' => 60,
                0x80.. => 61,
                _ => 62,
            };
        byte += 1;
    }
    letters
};

/// The set of the ends of an empty text. The letters of every text have it.
const EMPTY: Letters = 1 << 63;

/// What can be told of a text at a glance: its letters, the first one and the last one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outline {
    all: Letters,
    first: Letters,
    last: Letters,
}

impl Outline {
    /// The outline of a text.
    pub(super) fn from_text(text: &str) -> Self {
        let end = |byte: Option<u8>| byte.map_or(EMPTY, |byte| LETTER[usize::from(byte)]);
        let all = text.bytes().fold(EMPTY, |all, byte| all | LETTER[usize::from(byte)]);
        Self { all, first: end(text.bytes().next()), last: end(text.bytes().next_back()) }
    }
}

/// What a text needs, so that something can hold for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    /// It has all of these.
    all: Letters,
    /// It has one of these.
    some: Letters,
    /// It begins with one of these.
    first: Letters,
    /// It ends with one of these.
    last: Letters,
}

impl Needs {
    /// Whatever the text is.
    pub(super) const NOTHING: Self =
        Self { all: 0, some: Letters::MAX, first: Letters::MAX, last: Letters::MAX };

    /// Needed for both.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            all: self.all | other.all,
            some: smaller(self.some, other.some),
            first: self.first & other.first,
            last: self.last & other.last,
        }
    }

    /// Needed for at least one of some.
    pub(super) fn either(each: impl Iterator<Item = Self>) -> Self {
        let least = |a: Self, b: Self| Self {
            all: a.all & b.all,
            some: a.some | b.some,
            first: a.first | b.first,
            last: a.last | b.last,
        };
        each.reduce(least).unwrap_or(Self::NOTHING)
    }

    /// Whether a text with this outline has it.
    pub(super) fn are_met(self, text: Outline) -> bool {
        text.all & self.all == self.all
            && text.all & self.some != 0
            && text.first & self.first != 0
            && text.last & self.last != 0
    }
}

/// A regular expression, compiled when it is needed first.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// What a text needs for each of the expressions that it was made of: one of them is enough.
    needs: Vec<Needs>,
    /// Whether matches begin where the text does.
    is_anchored: bool,
    given: String,
    regex: Arc<OnceLock<Regex>>,
}

impl Pattern {
    /// Reads an expression; the error says what is wrong with it.
    pub(super) fn parse(given: String) -> Result<Self, String> {
        let wrong = |error: regex_syntax::Error| match error {
            regex_syntax::Error::Parse(error) => error.kind().to_string(),
            regex_syntax::Error::Translate(error) => error.kind().to_string(),
            other => other.to_string(),
        };
        let hir = regex_syntax::parse(&given).map_err(wrong)?;
        let is_anchored = hir.properties().look_set_prefix().contains(Look::Start);
        let first = if is_anchored { end_of(&hir, &ExtractKind::Prefix) } else { Letters::MAX };
        let is_ended = hir.properties().look_set_suffix().contains(Look::End);
        let last = if is_ended { end_of(&hir, &ExtractKind::Suffix) } else { Letters::MAX };
        let all = needed(&hir);
        let needs = vec![Needs { all, some: some_of(&hir, all), first, last }];
        Ok(Self { needs, is_anchored, given, regex: Arc::default() })
    }

    /// Patterns of which one matches where one of these does: one for all that are anchored, and one for the others. One
    /// search for many expressions costs little more than for one.
    pub(super) fn joined(patterns: Vec<Self>) -> Vec<Self> {
        let (anchored, others): (Vec<_>, Vec<_>) = patterns.into_iter().partition(|one| one.is_anchored);
        let join = |patterns: Vec<Self>| {
            let given: Vec<String> = patterns.iter().map(|one| format!("(?:{})", one.given)).collect();
            Self {
                is_anchored: patterns[0].is_anchored,
                given: given.join("|"),
                needs: patterns.into_iter().flat_map(|one| one.needs).collect(),
                regex: Arc::default(),
            }
        };
        [anchored, others].into_iter().filter(|patterns| !patterns.is_empty()).map(join).collect()
    }

    /// What a text needs to have a match.
    pub(super) fn needs(&self) -> Needs {
        Needs::either(self.needs.iter().copied())
    }

    /// Whether a text with this outline has a match.
    pub(super) fn matches(&self, text: &str, outline: Outline) -> bool {
        self.needs.iter().any(|needs| needs.are_met(outline)) && self.regex().is_match(text)
    }

    /// Compiles it; the error says why that is impossible.
    pub(super) fn compile(&self) -> Result<&Regex, String> {
        if self.regex.get().is_none() {
            let regex = Regex::new(&self.given).map_err(|error| error.to_string())?;
            let _ = self.regex.set(regex);
        }
        Ok(self.regex())
    }

    pub(super) fn regex(&self) -> &Regex {
        self.regex.get_or_init(|| Regex::new(&self.given).expect("its syntax was checked"))
    }
}

/// What matches can begin or end with.
fn end_of(hir: &Hir, end: &ExtractKind) -> Letters {
    let found = Extractor::new().kind(end.clone()).extract(hir);
    let letter = |literal: &[u8]| {
        let byte = if matches!(end, ExtractKind::Prefix) { literal.first() } else { literal.last() };
        byte.map_or(Letters::MAX, |byte| LETTER[usize::from(*byte)])
    };
    let literals = found.literals().unwrap_or_default().iter();
    let all = literals.fold(0, |all, literal| all | letter(literal.as_bytes()));
    if all == 0 { Letters::MAX } else { all }
}

/// What each match of an expression has.
fn needed(hir: &Hir) -> Letters {
    match hir.kind() {
        HirKind::Literal(literal) => literal.0.iter().fold(0, |all, byte| all | LETTER[usize::from(*byte)]),
        // A letter in either case.
        HirKind::Class(Class::Unicode(class)) => {
            // The long s and the sign of Kelvin are other cases of `s` and `k`, which hardly any text has.
            let is_other_case = |range: &&ClassUnicodeRange| ['\u{17f}', '\u{212a}'].contains(&range.start());
            let ranges = class.iter().filter(|range| !is_other_case(range));
            let letter = |range: &ClassUnicodeRange| {
                let is_one = range.start() == range.end() && range.start().is_ascii();
                is_one.then(|| LETTER[range.start() as usize])
            };
            let all = ranges.map(letter).try_fold(0, |all, letter| Some(all | letter?));
            all.filter(|all| all.count_ones() == 1).unwrap_or(0)
        }
        HirKind::Repetition(repetition) if repetition.min > 0 => needed(&repetition.sub),
        HirKind::Capture(capture) => needed(&capture.sub),
        HirKind::Concat(parts) => parts.iter().fold(0, |all, part| all | needed(part)),
        HirKind::Alternation(parts) => parts.iter().map(needed).reduce(|a, b| a & b).unwrap_or(0),
        _ => 0,
    }
}

/// A set of which each match of an expression has a letter; one that says more than that it has all of `all`.
fn some_of(hir: &Hir, all: Letters) -> Letters {
    let some = match hir.kind() {
        HirKind::Literal(literal) => LETTER[usize::from(literal.0[0])],
        HirKind::Class(Class::Unicode(class)) => {
            let letters = |range: &ClassUnicodeRange| {
                let ascii =
                    (range.start()..=range.end()).take_while(char::is_ascii).map(|c| LETTER[c as usize]);
                let others = if range.end().is_ascii() { 0 } else { LETTER[0x80] };
                ascii.fold(others, |all, letter| all | letter)
            };
            class.iter().fold(0, |all, range| all | letters(range))
        }
        HirKind::Repetition(repetition) if repetition.min > 0 => some_of(&repetition.sub, all),
        HirKind::Capture(capture) => some_of(&capture.sub, all),
        HirKind::Concat(parts) => parts.iter().map(|part| some_of(part, all)).fold(Letters::MAX, smaller),
        HirKind::Alternation(parts) => parts.iter().fold(0, |some, part| some | some_of(part, all)),
        _ => Letters::MAX,
    };
    if some & all == 0 { some } else { Letters::MAX }
}

/// The set with fewer letters.
fn smaller(a: Letters, b: Letters) -> Letters {
    if b.count_ones() < a.count_ones() { b } else { a }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const GIVEN: [&str; 11] = [
        "^a+[,;]*$",
        ",$",
        "(?i)^k|s$",
        "b.$",
        "^[éa]b?$",
        "a(?:b|,)*$",
        "^$",
        r"^\s*a",
        "(?m)b$",
        "b.*[,;]",
        "a[^b]*[é;]|k",
    ];

    proptest! {
        #[test]
        fn joined_patterns_match_where_one_of_them_does(
            text in "[abkKs,;é\n\u{17f}]{0,5}",
            which in prop::sample::subsequence(GIVEN.to_vec(), 1..=3),
        ) {
            let patterns: Vec<Pattern> = which.iter().map(|given| Pattern::parse((*given).to_owned()).unwrap()).collect();
            let outline = Outline::from_text(&text);
            let of_one = which.iter().any(|given| Regex::new(given).unwrap().is_match(&text));
            prop_assert_eq!(patterns.iter().any(|pattern| pattern.matches(&text, outline)), of_one);
            prop_assert_eq!(Pattern::joined(patterns).iter().any(|pattern| pattern.matches(&text, outline)), of_one);
        }
    }
}
