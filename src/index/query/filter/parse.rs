//! The parser of filters. An invalid term becomes a problem with its position, and the other terms still apply: so an
//! incomplete term does not disable the rest while it is typed.

use std::ops::Range;

use super::files::{FileTest, PathPattern};
use super::names::{NAMES, Name, Quality, TermKind, nearest};
use super::number::{NumberRange, Since};
use super::pieces::{Form, Piece, pieces};
use super::words::WordPattern;
use super::{Filter, Kind, Problem, SyntaxKind, Term, Test};
use dupi_base::config::SavedFilters;
use dupi_text::token::Language;

/// Reads a filter.
pub fn parse(text: &str, saved: &SavedFilters) -> (Filter, Vec<Problem>) {
    parse_for(text, saved, &[])
}

/// Reads a filter for rows to which some kinds of terms do not apply. Such terms are problems too.
pub fn parse_for(text: &str, saved: &SavedFilters, lacking: &[TermKind]) -> (Filter, Vec<Problem>) {
    let (filter, problems) = (Filter::default(), Vec::new());
    let mut parser = Parser { filter, problems, saved, lacking, within: Vec::new(), read: 0 };
    parser.filter.terms = parser.terms(text, None);
    (parser.filter, parser.problems)
}

/// The syntactic parts of a filter, in order, for colouring. `problems` are those of parsing it.
pub fn syntax(text: &str, problems: &[Problem]) -> Vec<(Range<usize>, SyntaxKind)> {
    let mut marks = Vec::new();
    if text.len() > Filter::MAX_BYTES {
        return vec![(0..text.len(), SyntaxKind::Wrong)];
    }
    for piece in pieces(text) {
        if problems.iter().any(|problem| problem.span == piece.span) {
            marks.push((piece.span, SyntaxKind::Wrong));
            continue;
        }
        let head = piece.span.start + usize::from(piece.negated);
        if piece.negated {
            marks.push((piece.span.start..head, SyntaxKind::Minus));
        }
        match piece.form {
            Form::Word(_) => marks.push((head..piece.span.end, SyntaxKind::Word)),
            Form::Exact(_) => marks.push((head..piece.span.end, SyntaxKind::Exact)),
            Form::Saved(_) => marks.push((head..piece.span.end, SyntaxKind::Saved)),
            Form::Named(..) => {
                marks.push((head..piece.body.start, SyntaxKind::Name));
                marks.push((piece.body, SyntaxKind::Value));
            }
        }
    }
    marks
}

struct Parser<'a> {
    filter: Filter,
    problems: Vec<Problem>,
    saved: &'a SavedFilters,
    /// The kinds of terms that do not apply to the rows.
    lacking: &'a [TermKind],
    /// The saved filters that are being read, each used by the one before it.
    within: Vec<String>,
    /// How many terms were read, including those of saved filters.
    read: usize,
}

impl Parser<'_> {
    /// The terms of a text. Problems in a saved filter are reported at `asked_at`, where the filter is used.
    fn terms(&mut self, text: &str, asked_at: Option<&Range<usize>>) -> Vec<Term> {
        let mut terms = Vec::new();
        if text.len() > Filter::MAX_BYTES {
            let sentence = format!(
                "a filter has at most {} bytes, and this one has {}; search for a part of it",
                Filter::MAX_BYTES,
                text.len()
            );
            self.problem(&asked_at.cloned().unwrap_or(0..text.len()), sentence);
            return terms;
        }
        for piece in pieces(text) {
            let span = asked_at.cloned().unwrap_or_else(|| piece.span.clone());
            self.read += 1;
            if self.read > Filter::MAX_TERMS {
                // Nested saved filters could repeat this problem without end.
                if self.read == Filter::MAX_TERMS + 1 {
                    self.problem(
                        &span,
                        format!("a filter has at most {} terms; this is one more", Filter::MAX_TERMS),
                    );
                }
                break;
            }
            match self.test(&piece, &span, &text[piece.span.clone()]) {
                Ok(test) => {
                    terms.push(Term { negated: piece.negated, test });
                    if let Some(quote) = piece.open_quote {
                        let quote = asked_at.cloned().unwrap_or(quote..quote + 1);
                        self.problem(&quote, "a quote is not closed; close it with another \"".to_owned());
                    }
                }
                Err(sentence) => self.problem(&span, sentence),
            }
        }
        terms.sort_by_key(|term| term.test.cost());
        terms
    }

    fn problem(&mut self, span: &Range<usize>, sentence: String) {
        let sentence = match self.within.last() {
            Some(name) => format!("in @{name}: {sentence}"),
            None => sentence,
        };
        self.problems.push(Problem { span: span.clone(), sentence });
    }

    fn test(&mut self, piece: &Piece, span: &Range<usize>, typed: &str) -> Result<Test, String> {
        match &piece.form {
            Form::Word("") => Err("-: a term is missing, as in -path:vendor".to_owned()),
            Form::Word(word) => match without_colon(word) {
                Some(sentence) => Err(sentence),
                None => self.word(WordPattern::fuzzy(word), typed),
            },
            Form::Exact(text) if text.trim().is_empty() => {
                Err(format!("{typed}: the words are missing, as in \"all rights reserved\""))
            }
            Form::Exact(text) => self.word(WordPattern::exact(text), typed),
            Form::Named(name, value) => self.named(name, value, typed),
            Form::Saved(name) => self.saved(name, span),
        }
    }

    /// A test for words, or the message when they are too many for a pattern.
    fn word(&mut self, words: Option<WordPattern>, typed: &str) -> Result<Test, String> {
        let words = words.ok_or_else(|| {
            let begin: String = typed.chars().take(20).collect();
            format!("{begin}…: too many words in one term")
        })?;
        let file = self.file(FileTest::Named(words.clone()));
        self.filter.texts.push(words);
        Ok(Test::Word { file, text: self.filter.texts.len() - 1 })
    }

    fn file(&mut self, test: FileTest) -> usize {
        self.filter.files.push(test);
        self.filter.files.len() - 1
    }

    fn named(&mut self, given: &str, value: &str, typed: &str) -> Result<Test, String> {
        let Some(name) = NAMES.iter().find(|name| name.name.eq_ignore_ascii_case(given)) else {
            return Err(unknown(given));
        };
        let unlike = |why: &str| format!("{}: {why}, as in {}", typed.trim_end_matches(':'), name.example);
        let wanted = || unlike(name.wants);
        if self.lacking.contains(&name.kind) {
            return Err(format!("{}: does not apply here; it applies to {}", name.name, name.of));
        }
        let is_list = matches!(
            name.kind,
            TermKind::Extension | TermKind::Language | TermKind::Kind | TermKind::State | TermKind::Is
        );
        if value.is_empty() || (is_list && values(value).next().is_none()) {
            return Err(wanted());
        }
        match name.kind {
            TermKind::Number(quantity) => {
                let numbers = NumberRange::parse(value).ok_or_else(wanted)?;
                match value.split_once("..").filter(|_| numbers.is_empty()) {
                    Some((a, b)) => {
                        Err(format!("{typed}: the range is empty; did you mean {}:{b}..{a}?", name.name))
                    }
                    None => Ok(Test::Number(quantity, numbers)),
                }
            }
            TermKind::Path => {
                let none = |error| format!("{}; invalid pattern: {error}", wanted());
                let pattern = PathPattern::parse(value).map_err(none)?;
                Ok(Test::File(self.file(FileTest::Path(pattern))))
            }
            TermKind::Extension => {
                let extensions: Vec<String> =
                    values(value).map(|value| value.trim_start_matches('.').to_owned()).collect();
                Ok(Test::File(self.file(FileTest::Extension(extensions))))
            }
            TermKind::Language => {
                let languages = values(value).map(|value| {
                    Language::from_name_or_extension(value).ok_or_else(|| {
                        let meant = nearest(value, Language::all().map(Language::name));
                        let meant = meant.map(|meant| format!("; did you mean {meant}?")).unwrap_or_default();
                        format!("unknown language {value}{meant}")
                    })
                });
                let languages =
                    languages.collect::<Result<_, _>>().map_err(|why| match why.ends_with('?') {
                        true => format!("{typed}: {why}"),
                        false => unlike(&why),
                    })?;
                Ok(Test::File(self.file(FileTest::Language(languages))))
            }
            TermKind::Kind => {
                let kinds: Result<Vec<Kind>, String> = values(value).map(kind).collect();
                Ok(Test::Kind(kinds.map_err(|why| unlike(&format!("{why}; {}", name.wants)))?))
            }
            TermKind::Since => Ok(Test::Since(Since::parse(value).ok_or_else(wanted)?)),
            TermKind::State | TermKind::Is => {
                let qualities: Option<Vec<Quality>> =
                    values(value).map(|value| quality(name, value)).collect();
                Ok(Test::Quality(qualities.ok_or_else(wanted)?))
            }
            TermKind::Passage => {
                let is_whole = value.len() == 16 && value.bytes().all(|byte| byte.is_ascii_hexdigit());
                let id = u64::from_str_radix(value, 16).ok().filter(|_| is_whole);
                Ok(Test::Passage(id.ok_or_else(wanted)?))
            }
            TermKind::Blot => Ok(Test::Blot(value.parse().map_err(|_| wanted())?)),
        }
    }

    fn saved(&mut self, name: &str, span: &Range<usize>) -> Result<Test, String> {
        let saved = self.saved;
        let Some(text) = saved.get(name) else {
            return Err(match nearest(name, saved.names()) {
                _ if name.is_empty() => "@: expected the name of a saved filter, as in @mine".to_owned(),
                Some(meant) => format!("@{name}: unknown saved filter; did you mean @{meant}?"),
                None => format!(
                    "@{name}: unknown saved filter; type @ on the screen or run dupi-tui filter list to see all"
                ),
            });
        };
        if self.within.iter().any(|within| within == name) {
            let way = self.within.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join(" → @");
            return Err(format!("@{name}: a saved filter cannot contain itself (@{way})"));
        }
        self.within.push(name.to_owned());
        let terms = self.terms(text, Some(span));
        self.within.pop();
        Ok(Test::All(terms))
    }
}

impl Test {
    /// The relative cost of the test.
    fn cost(&self) -> u8 {
        match self {
            Self::Number(..) | Self::Kind(_) | Self::Since(_) | Self::Passage(_) => 0,
            Self::File(_) | Self::Blot(_) => 1,
            Self::Quality(_) => 2,
            Self::All(terms) => terms.last().map_or(0, |term| term.test.cost()),
            Self::Word { .. } => 3,
        }
    }
}

/// The values of a list: `c,h`.
fn values(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|value| !value.is_empty())
}

fn quality(name: &Name, value: &str) -> Option<Quality> {
    let mut qualities = name.kind.qualities();
    qualities.find(|(known, ..)| known.eq_ignore_ascii_case(value)).map(|(_, quality, _)| *quality)
}

/// The kind with this name, or the message for an unknown one.
fn kind(value: &str) -> Result<Kind, String> {
    value.to_lowercase().parse().map_err(|_| {
        let meant = nearest(value, Kind::ALL.into_iter().map(Kind::name));
        let meant = meant.map(|meant| format!(" (did you mean {meant}?)")).unwrap_or_default();
        format!("unknown kind {value}{meant}")
    })
}

/// The message for a word that would be a term with a colon: `docs>5`.
fn without_colon(word: &str) -> Option<String> {
    let (given, value) = word.split_at(word.find(['<', '>', '='])?);
    let is_meant =
        |name: &&Name| matches!(name.kind, TermKind::Number(_)) && name.name.eq_ignore_ascii_case(given);
    let name = NAMES.iter().find(is_meant).filter(|_| NumberRange::parse(value).is_some())?;
    Some(format!("{word}: a colon is missing, as in {}:{value}; '{word} searches for the text", name.name))
}

fn unknown(given: &str) -> String {
    match nearest(given, NAMES.iter().map(|name| name.name)) {
        Some(meant) => {
            let example = NAMES.iter().find(|name| name.name == meant).map_or("", |name| name.example);
            format!("{given}: unknown term; did you mean {meant}:, as in {example}?")
        }
        None => format!("{given}: unknown term; put the text in quotes to search for it exactly"),
    }
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
