//! What conditions measure of lines and passages, and the comparisons of such measures.

use std::sync::Arc;

use super::pattern::Pattern;
use super::scan::{Bytes, Signs, Words};
use super::scene::Scene;
use super::written::{Scope, Subject};
use dupi_base::config::Kind;

/// The measures that are found out by the program: a name, of what it is a measure, and the function.
type Known = (&'static str, Scope, fn(&Scene) -> usize);

const KNOWN: [Known; 23] = [
    ("tokens", Scope::Line, |on| on.line().tokens as usize),
    ("numbers", Scope::Line, |on| on.line().numbers as usize),
    ("strings", Scope::Line, |on| on.line().strings as usize),
    ("plain_names", Scope::Line, |on| on.line().plain_names as usize),
    ("code", Scope::Line, |on| on.line().code as usize),
    ("comment", Scope::Line, |on| on.line().comment as usize),
    ("tagged", Scope::Line, |on| on.line().tagged as usize),
    ("remark", Scope::Line, |on| on.line().remark as usize),
    ("indent", Scope::Line, |on| on.line().indent),
    ("offset", Scope::Line, |on| on.line().offset),
    ("length", Scope::Line, |on| on.line().text.len()),
    ("words", Scope::Line, |on| on.line().text.split_whitespace().count()),
    ("marked", Scope::Line, |on| on.line().text.bytes().filter(|byte| !byte.is_ascii_whitespace()).count()),
    ("quoted", Scope::Line, |on| on.line().text.bytes().filter(|byte| b"\"'".contains(byte)).count() / 2),
    ("cells", Scope::Line, |on| cells(on).count()),
    ("longest_cell", Scope::Line, |on| cells(on).map(str::len).max().unwrap_or(0)),
    ("cell_words", Scope::Line, |on| {
        cells(on).map(|cell| cell.split_whitespace().count()).max().unwrap_or(0)
    }),
    ("offset", Scope::Passage, |on| on.sample().offset),
    ("length", Scope::Passage, |on| on.sample().own().len()),
    ("line_start", Scope::Passage, |on| on.sample().start - on.sample().line_start()),
    ("lines", Scope::Passage, |on| on.sample().own().lines().count()),
    ("longest_line", Scope::Passage, |on| {
        on.text(Subject::Lines, 0).lines().map(str::len).max().unwrap_or(0)
    }),
    ("words", Scope::Passage, |on| alphanumeric_words(on.sample().own()).count()),
];

/// The cells of a row, between strokes, tabs or two spaces.
fn cells<'t>(on: &Scene<'_, 't>) -> impl Iterator<Item = &'t str> {
    let cells = on.line().text.trim_start_matches('#').trim().split(['|', '\t']);
    cells.flat_map(|part| part.split("  ")).map(str::trim).filter(|cell| !cell.is_empty())
}

fn alphanumeric_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1)
}

/// A measure of the table: what is counted in which texts.
#[derive(Clone, Debug)]
pub(super) struct Count {
    pub(super) of: Vec<Subject>,
    /// Bytes before a passage that are read too.
    pub(super) before: usize,
    pub(super) what: Counted,
}

/// What is counted.
#[derive(Clone, Debug)]
pub(super) enum Counted {
    Bytes(Bytes),
    Matches(Pattern),
    Covered(Pattern),
    Like(Pattern),
    Words(Words),
    Which(Words),
    /// A text of the list, and the list.
    Different(Pattern, Vec<String>),
    Signs(Signs, Option<Pattern>),
}

impl Count {
    fn count(&self, on: &Scene) -> usize {
        let texts = || self.of.iter().map(|subject| on.text(*subject, self.before));
        match &self.what {
            Counted::Different(any, list) => {
                if !texts().any(|text| any.regex().is_match(text)) {
                    return 0;
                }
                list.iter().filter(|item| texts().any(|text| text.contains(&***item))).count()
            }
            what => texts().map(|text| what.count(text, self.of[0] == Subject::Line)).sum(),
        }
    }
}

impl Counted {
    fn count(&self, text: &str, is_line: bool) -> usize {
        let known = |words: &Words| -> Vec<usize> {
            if is_line {
                let bare =
                    text.split_whitespace().map(|word| word.trim_matches(|c: char| c.is_ascii_punctuation()));
                // In capitals they are names and letters.
                let small = bare.filter(|word| !word.bytes().any(|byte| byte.is_ascii_uppercase()));
                return small.filter_map(|word| words.position(word)).collect();
            }
            alphanumeric_words(text).filter_map(|word| words.position(word)).collect()
        };
        match self {
            Self::Bytes(bytes) => bytes.count_in(text),
            Self::Matches(pattern) => pattern.regex().find_iter(text).count(),
            Self::Covered(pattern) if pattern.regex().captures_len() == 1 => {
                pattern.regex().find_iter(text).map(|found| found.len()).sum()
            }
            Self::Covered(pattern) => {
                let groups = pattern.regex().captures_iter(text);
                groups.filter_map(|groups| Some(groups.iter().skip(1).flatten().next()?.len())).sum()
            }
            Self::Like(pattern) => {
                text.split_whitespace().filter(|word| pattern.regex().is_match(word)).count()
            }
            Self::Words(words) => known(words).len(),
            Self::Which(words) => {
                known(words).into_iter().fold(0_u64, |seen, which| seen | 1 << which).count_ones() as usize
            }
            Self::Signs(signs, but) => match (signs.count(text), but) {
                (0, _) => 0,
                (count, None) => count,
                (_, Some(but)) => {
                    let lines = text.split_inclusive('\n').filter(|line| !but.regex().is_match(line));
                    lines.map(|line| signs.count(line)).sum()
                }
            },
            Self::Different(..) => 0,
        }
    }
}

#[derive(Clone, Debug)]
enum Measure {
    Known(fn(&Scene) -> usize),
    Counted(usize, Arc<Count>),
    /// How much of a passage belongs to a kind.
    Share(Kind),
}

/// A comparison of two sums of measures: the difference of the sums, multiplied by a hundred, with zero.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    terms: Vec<(i64, Measure)>,
    constant: i64,
    holds: fn(&i64, &i64) -> bool,
}

impl Comparison {
    /// Whether it holds.
    pub(super) fn holds(&self, on: &Scene) -> bool {
        let value = |measure: &Measure| match measure {
            Measure::Known(measure) => measure(on),
            Measure::Counted(number, count) => on.once(*number, || count.count(on)),
            Measure::Share(kind) => on.share(*kind),
        };
        let terms = self.terms.iter().map(|(times, measure)| times * value(measure) as i64);
        (self.holds)(&(terms.sum::<i64>() + self.constant), &0)
    }

    /// Whether it asks how much of a passage belongs to a kind.
    pub(super) fn has_share(&self) -> bool {
        self.terms.iter().any(|(_, measure)| matches!(measure, Measure::Share(_)))
    }

    /// Reads a comparison, as `numbers >= 60 % of tokens`; the error says what is wrong with it.
    pub(super) fn parse(given: &str, counts: &[(String, Arc<Count>)], scope: Scope) -> Result<Self, String> {
        type Compare = fn(&i64, &i64) -> bool;
        const SIGNS: [(&str, Compare); 5] =
            [(" >= ", i64::ge), (" <= ", i64::le), (" > ", i64::gt), (" < ", i64::lt), (" = ", i64::eq)];
        let split = |(sign, holds): &(&str, Compare)| Some((given.split_once(sign)?, *holds));
        let Some(((left, right), holds)) = SIGNS.iter().find_map(split) else {
            return Err(format!(
                "`{given}` compares nothing; write two measures or numbers with >=, <=, >, < or = between them"
            ));
        };
        let mut comparison = Self { terms: Vec::new(), constant: 0, holds };
        for (sign, side) in [(1, left), (-1, right)] {
            for term in side.split(" + ") {
                comparison.add(sign, term.trim(), counts, scope)?;
            }
        }
        Ok(comparison)
    }

    fn add(
        &mut self,
        sign: i64,
        term: &str,
        counts: &[(String, Arc<Count>)],
        scope: Scope,
    ) -> Result<(), String> {
        let number = |text: &str| text.trim().parse::<u32>().ok().map(|number| i64::from(number) * sign);
        let percent = term.split_once("% of ").and_then(|(many, name)| Some((number(many)?, name)));
        let times = || term.split_once("* ").and_then(|(many, name)| Some((number(many)? * 100, name)));
        if let Some(number) = number(term) {
            self.constant += number * 100;
            return Ok(());
        }
        let (times, name) = percent.or_else(times).unwrap_or((sign * 100, term));
        self.terms.push((times, measure(name.trim(), counts, scope)?));
        Ok(())
    }
}

/// The measure with a name.
fn measure(name: &str, counts: &[(String, Arc<Count>)], scope: Scope) -> Result<Measure, String> {
    let of_scope = |known: &&Known| known.1 == scope;
    if let Some(known) = KNOWN.iter().filter(of_scope).find(|known| known.0 == name) {
        return Ok(Measure::Known(known.2));
    }
    if let Some(kind) = name.parse().ok().filter(|_| scope == Scope::Passage) {
        return Ok(Measure::Share(kind));
    }
    let is_possible = |of: &[Subject]| of.iter().all(|subject| scope.allows(subject.scope()));
    let counted = counts.iter().filter(|(_, count)| is_possible(&count.of));
    let number = counts.iter().position(|(counted, count)| counted == name && is_possible(&count.of));
    if let Some(number) = number {
        return Ok(Measure::Counted(number, Arc::clone(&counts[number].1)));
    }
    let known = KNOWN.iter().filter(of_scope).map(|known| known.0);
    let names: Vec<&str> = known.chain(counted.map(|(name, _)| &**name)).collect();
    Err(format!("there is no measure `{name}` of {scope}; the measures are {}", names.join(", ")))
}
