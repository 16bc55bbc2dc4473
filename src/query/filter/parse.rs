//! From what was typed to a filter. What cannot be understood becomes a problem with its place, and the
//! rest holds: so nobody is punished for a term that is not typed to its end.

use std::ops::Range;

use super::files::{FileTest, PathPattern};
use super::names::{Kind, NAMES, Name, Quality, nearest};
use super::number::Numbers;
use super::pieces::{Form, Piece, pieces};
use super::words::Words;
use super::{Filter, Mark, Problem, Term, Test};
use crate::config::SavedFilters;
use crate::token::Language;

/// Reads a filter.
pub fn parse(text: &str, saved: &SavedFilters) -> (Filter, Vec<Problem>) {
    let mut parser =
        Parser { filter: Filter::default(), problems: Vec::new(), saved, within: Vec::new(), read: 0 };
    parser.filter.terms = parser.terms(text, None);
    (parser.filter, parser.problems)
}

/// What the stretches of a filter are, in order; `problems` are those of parsing it.
pub fn marks(text: &str, problems: &[Problem]) -> Vec<(Range<usize>, Mark)> {
    let mut marks = Vec::new();
    for piece in pieces(text) {
        if problems.iter().any(|problem| problem.span == piece.span) {
            marks.push((piece.span, Mark::Wrong));
            continue;
        }
        let head = piece.span.start + usize::from(piece.negated);
        if piece.negated {
            marks.push((piece.span.start..head, Mark::Minus));
        }
        match piece.form {
            Form::Word(_) => marks.push((head..piece.span.end, Mark::Word)),
            Form::Exact(_) => marks.push((head..piece.span.end, Mark::Exact)),
            Form::Saved(_) => marks.push((head..piece.span.end, Mark::Saved)),
            Form::Named(..) => {
                marks.push((head..piece.body.start, Mark::Name));
                marks.push((piece.body, Mark::Value));
            }
        }
    }
    marks
}

struct Parser<'a> {
    filter: Filter,
    problems: Vec<Problem>,
    saved: &'a SavedFilters,
    /// The saved filters that are being read, each asked for by the one before it.
    within: Vec<String>,
    /// How many terms were read, those of saved filters too.
    read: usize,
}

impl Parser<'_> {
    /// The terms of a text; those of a saved filter stand where it was asked for.
    fn terms(&mut self, text: &str, asked_at: Option<&Range<usize>>) -> Vec<Term> {
        let mut terms = Vec::new();
        for piece in pieces(text) {
            let span = asked_at.cloned().unwrap_or_else(|| piece.span.clone());
            self.read += 1;
            if self.read > Filter::MOST {
                // Filters that ask for filters that ask for filters: each problem once is enough.
                if self.read == Filter::MOST + 1 {
                    self.problem(
                        &span,
                        format!("a filter has at most {} terms; this is one more", Filter::MOST),
                    );
                }
                break;
            }
            match self.test(&piece, &span, &text[piece.span.clone()]) {
                Ok(test) => terms.push(Term { negated: piece.negated, test }),
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
            Form::Word("") => Err("-: what is not wanted is missing, as in -path:vendor".to_owned()),
            Form::Word(word) => self.word(Words::nearly(word), typed),
            Form::Exact(text) if text.trim().is_empty() => {
                Err(format!("{typed}: the words are missing, as in \"all rights reserved\""))
            }
            Form::Exact(text) => self.word(Words::exactly(text), typed),
            Form::Named(name, value) => self.named(name, value, typed),
            Form::Saved(name) => self.saved(name, span),
        }
    }

    /// Words, or the sentence for so many of them that no pattern holds them.
    fn word(&mut self, words: Option<Words>, typed: &str) -> Result<Test, String> {
        let words = words.ok_or_else(|| {
            let begin: String = typed.chars().take(20).collect();
            format!("{begin}…: these are too many words to look for")
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
        let unlike = |why: &str| format!("{typed}: {why}, as in {}", name.example);
        let wanted = || unlike(name.wants);
        if value.is_empty() {
            return Err(wanted());
        }
        match name.kind {
            Kind::Number(quantity) => Ok(Test::Number(quantity, Numbers::parse(value).ok_or_else(wanted)?)),
            Kind::Path => {
                let pattern = PathPattern::parse(value).map_err(|error| unlike(&error))?;
                Ok(Test::File(self.file(FileTest::Path(pattern))))
            }
            Kind::Extension => {
                let extensions: Vec<String> =
                    values(value).map(|value| value.trim_start_matches('.').to_owned()).collect();
                Ok(Test::File(self.file(FileTest::Extension(extensions))))
            }
            Kind::Language => {
                let languages = values(value).map(|value| {
                    Language::meant_by(value).ok_or_else(|| {
                        let meant = nearest(value, Language::all().map(Language::name));
                        let meant = meant.map(|meant| format!("; did you mean {meant}?")).unwrap_or_default();
                        format!("{value} is no language that is known{meant}")
                    })
                });
                let languages =
                    languages.collect::<Result<_, _>>().map_err(|why| match why.ends_with('?') {
                        true => format!("{typed}: {why}"),
                        false => unlike(&why),
                    })?;
                Ok(Test::File(self.file(FileTest::Language(languages))))
            }
            Kind::State | Kind::Is => {
                let qualities: Option<Vec<Quality>> =
                    values(value).map(|value| quality(name, value)).collect();
                Ok(Test::Quality(qualities.ok_or_else(wanted)?))
            }
            Kind::Passage => {
                let is_whole = value.len() == 16 && value.bytes().all(|byte| byte.is_ascii_hexdigit());
                let id = u64::from_str_radix(value, 16).ok().filter(|_| is_whole);
                Ok(Test::Passage(id.ok_or_else(wanted)?))
            }
        }
    }

    fn saved(&mut self, name: &str, span: &Range<usize>) -> Result<Test, String> {
        let saved = self.saved;
        let Some(text) = saved.get(name) else {
            return Err(match nearest(name, saved.names()) {
                _ if name.is_empty() => "@: the name of a saved filter is wanted, as in @mine".to_owned(),
                Some(meant) => format!("@{name}: there is no such saved filter; did you mean @{meant}?"),
                None => format!("@{name}: there is no such saved filter; dupi-tui filter list names all"),
            });
        };
        if self.within.iter().any(|within| within == name) {
            let way = self.within.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join(" → @");
            return Err(format!("@{name}: a saved filter cannot hold itself (@{way})"));
        }
        self.within.push(name.to_owned());
        let terms = self.terms(text, Some(span));
        self.within.pop();
        Ok(Test::All(terms))
    }
}

impl Test {
    /// What is quicker to answer has less.
    fn cost(&self) -> u8 {
        match self {
            Self::Number(..) | Self::Passage(_) => 0,
            Self::File(_) => 1,
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

fn unknown(given: &str) -> String {
    match nearest(given, NAMES.iter().map(|name| name.name)) {
        Some(meant) => {
            let example = NAMES.iter().find(|name| name.name == meant).map_or("", |name| name.example);
            format!("{given}: there is no such term; did you mean {meant}:, as in {example}?")
        }
        None => format!("{given}: there is no such term; put the text in quotes to look for it as it stands"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Quantity;
    use super::*;

    fn problems(text: &str, saved: &[(&str, &str)]) -> Vec<(Range<usize>, String)> {
        let saved = saved.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
        parse(text, &saved).1.into_iter().map(|problem| (problem.span, problem.sentence)).collect()
    }

    #[test]
    fn every_example_is_understood() {
        for name in NAMES {
            assert_eq!(problems(name.example, &[]), [], "{}", name.example);
        }
    }

    #[test]
    fn a_wrong_term_is_named_with_its_place_and_the_rest_holds() {
        let text = "free copies:>x é pth:src -tokens:>3";
        let (filter, problems) = parse(text, &SavedFilters::default());
        assert_eq!(filter.terms.len(), 3);
        let places: Vec<&str> = problems.iter().map(|problem| &text[problem.span.clone()]).collect();
        assert_eq!(places, ["copies:>x", "pth:src"]);
        assert_eq!(problems[0].sentence, "copies:>x: a number is wanted, as in copies:>5");
        assert_eq!(
            problems[1].sentence,
            "pth: there is no such term; did you mean path:, as in path:src/**?"
        );
        let pointed = problems[1].pointed_out(text);
        assert_eq!(pointed, format!("{text}\n                 ^^^^^^^"));
    }

    #[test]
    fn every_mistake_has_a_sentence_with_a_way_out() {
        for (text, part) in [
            ("path:", "a name or a pattern is wanted, as in path:src/**"),
            ("path:a[", "as in path:src/**"),
            ("lang:rsut", "did you mean Rust?"),
            ("lang:qqqqqq", "no language that is known, as in lang:rust"),
            ("state:near", "open, accepted or taboo"),
            ("is:nice", "as in is:near"),
            ("passage:123", "sixteen digits"),
            ("passage:+123456789abcdef", "sixteen digits"),
            ("-", "-path:vendor"),
            ("\"", "words are missing"),
            ("zzz:x", "in quotes"),
            ("@", "@mine"),
            ("@nobody", "filter list"),
        ] {
            let found = problems(text, &[]);
            assert!(found.len() == 1 && found[0].1.contains(part), "{text}: {found:?}");
            assert_eq!(found[0].0, 0..text.len());
        }
    }

    #[test]
    fn saved_filters_stand_for_their_terms_and_may_not_hold_themselves() {
        let saved = [("a", "x @b"), ("b", "copies:>2 @c"), ("c", "@a"), ("bad", "copies:many")];
        let found = problems("y @a", &saved);
        assert_eq!(
            found,
            [(2..4, "in @c: @a: a saved filter cannot hold itself (@a → @b → @c → @a)".to_owned())]
        );
        let found = problems("@bad", &saved);
        assert_eq!(found[0].1, "in @bad: copies:many: a number is wanted, as in copies:>5");
        assert!(problems("@nad", &saved)[0].1.contains("did you mean @bad?"));
    }

    #[test]
    fn filters_that_grow_without_end_are_cut() {
        let names: Vec<(String, String)> =
            (0..40).map(|number| (format!("f{number}"), format!("@f{0} @f{0}", number + 1))).collect();
        let saved: SavedFilters = names.into_iter().chain([("f40".to_owned(), "x".to_owned())]).collect();
        let (filter, problems) = parse("@f0", &saved);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(filter.texts.len() <= Filter::MOST);
        let long = "a ".repeat(100);
        assert!(parse(&long, &saved).1[0].sentence.contains("at most 64 terms"));
    }

    #[test]
    fn taboo_rows_are_wanted_when_they_are_asked_for() {
        let saved: SavedFilters = [("t".to_owned(), "is:taboo".to_owned())].into_iter().collect();
        let wants = |text: &str| parse(text, &saved).0.wants_taboo();
        assert!(wants("is:taboo") && wants("x state:open,taboo") && wants("@t"));
        assert!(!wants("-is:taboo") && !wants("state:open") && !wants("-@t") && !wants("taboo"));
    }

    #[test]
    fn the_least_number_is_what_terms_say_outright() {
        let saved: SavedFilters = [("s".to_owned(), "docs:7..9".to_owned())].into_iter().collect();
        let least = |text: &str| parse(text, &saved).0.least(Quantity::Documents);
        assert_eq!(["docs:>2 docs:<9", "@s docs:>3", "docs:5"].map(least), [3, 7, 5]);
        assert_eq!(["", "copies:>5", "-docs:>5", "-@s", "docs:<5"].map(least), [0; 5]);
    }

    #[test]
    fn what_is_typed_is_marked() {
        let text = "-path:src x 'y copies:z @a";
        let (_, problems) = parse(text, &SavedFilters::default());
        let marked: Vec<(&str, Mark)> =
            marks(text, &problems).into_iter().map(|(span, mark)| (&text[span], mark)).collect();
        let expected = [
            ("-", Mark::Minus),
            ("path:", Mark::Name),
            ("src", Mark::Value),
            ("x", Mark::Word),
            ("'y", Mark::Exact),
            ("copies:z", Mark::Wrong),
            ("@a", Mark::Wrong),
        ];
        assert_eq!(marked, expected);
    }
}
