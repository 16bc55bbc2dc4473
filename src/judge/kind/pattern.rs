//! Regular expressions of rules. Each knows the letters and signs that every match needs, and those that it can begin
//! with, so that most lines are told without it to be others.

use std::sync::OnceLock;

use regex::Regex;
use regex_syntax::hir::literal::Extractor;
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

/// The letters of a text.
pub(super) fn letters(text: &str) -> Letters {
    text.bytes().fold(0, |all, byte| all | LETTER[usize::from(byte)])
}

/// The letter that a text begins with; a bit of its own if it is empty.
pub(super) fn first(text: &str) -> Letters {
    text.bytes().next().map_or(1 << 63, |byte| LETTER[usize::from(byte)])
}

/// What a text needs, so that something can hold for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    /// It has all of these.
    pub(super) all: Letters,
    /// It begins with one of these.
    pub(super) first: Letters,
}

impl Needs {
    /// Whatever the text is.
    pub(super) const NOTHING: Self = Self { all: 0, first: Letters::MAX };

    /// Needed for both.
    pub(super) fn and(self, other: Self) -> Self {
        Self { all: self.all | other.all, first: self.first & other.first }
    }

    /// Needed for at least one of some.
    pub(super) fn either(each: impl Iterator<Item = Self>) -> Self {
        let least = |a: Self, b: Self| Self { all: a.all & b.all, first: a.first | b.first };
        each.reduce(least).unwrap_or(Self::NOTHING)
    }

    /// Whether a text has it, given its letters and its first one.
    pub(super) fn are_met(self, all: Letters, first: Letters) -> bool {
        all & self.all == self.all && first & self.first != 0
    }
}

/// A regular expression, compiled when it is needed first.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) needs: Needs,
    given: String,
    regex: OnceLock<Regex>,
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
        let begins = hir.properties().look_set_prefix().contains(Look::Start);
        let first = if begins { first_of(&hir) } else { Letters::MAX };
        Ok(Self { needs: Needs { all: needed(&hir), first }, given, regex: OnceLock::new() })
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

/// What matches of an anchored expression can begin with.
fn first_of(hir: &Hir) -> Letters {
    let prefixes = Extractor::new().extract(hir);
    let first = |literal: &[u8]| literal.first().map_or(Letters::MAX, |byte| LETTER[usize::from(*byte)]);
    let literals = prefixes.literals().unwrap_or_default().iter();
    let all = literals.fold(0, |all, literal| all | first(literal.as_bytes()));
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
