//! Conditions of rules, as they are asked of lines, passages and files.

use std::sync::Arc;

use regex::Regex;

use super::file::{self, FileSigns};
use super::measure::Comparison;
use super::pattern::{Needs, Pattern};
use super::scene::Scene;
use super::written::{Scope, Subject};
use dupi_base::config::Kind;
use dupi_index::query::filter::PathPattern;
use dupi_text::token::Language;

/// A test in Rust.
pub(super) type Named = fn(&Scene) -> bool;

/// A condition on files that is known of most files with a copy.
pub(super) type OfMost = fn(&FileSigns) -> bool;

/// One part of a condition.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Language(Vec<Language>),
    After(Vec<Kind>),
    LinesAre(Vec<Kind>),
    Within(Vec<usize>),
    Measure(Comparison),
    Text(Subject, Vec<Pattern>),
    Files(Vec<PathPattern>),
    Phrases(Vec<Regex>),
    Named(Named),
    /// A condition on the file.
    File(usize, Arc<Condition>),
    /// A condition on most files with a copy, or on the file where that is not known.
    MostFiles(usize, Arc<Condition>, OfMost),
}

impl Test {
    fn holds(&self, on: &Scene) -> bool {
        match self {
            Self::Language(languages) => on.file.tongue.language.is_some_and(|own| languages.contains(&own)),
            Self::After(kinds) => {
                on.around.and_then(|around| around.after).is_some_and(|kind| kinds.contains(&kind))
            }
            Self::LinesAre(kinds) => on.shares.is_some_and(|shares| kinds.contains(&shares.greatest())),
            Self::Within(blocks) => {
                on.around.is_some_and(|around| blocks.iter().any(|block| around.is_within(*block)))
            }
            Self::Measure(comparison) => comparison.holds(on),
            Self::Text(Subject::Line, patterns) => {
                let line = on.line();
                patterns.iter().any(|pattern| pattern.matches(line.text, line.outline))
            }
            Self::Text(Subject::HeadLine, patterns) => {
                let lines = on.file.head.lines().take(30).filter(|line| line.len() < 200);
                lines.into_iter().any(|line| patterns.iter().any(|pattern| pattern.regex().is_match(line)))
            }
            Self::Text(subject, patterns) => {
                let text = on.text(*subject, 0);
                patterns.iter().any(|pattern| pattern.regex().is_match(text))
            }
            Self::Files(patterns) => patterns.iter().any(|pattern| pattern.matches(on.file.path)),
            Self::Phrases(phrases) => phrases.iter().any(|phrase| phrase.is_match(on.sample().own())),
            Self::Named(named) => named(on),
            Self::File(number, condition) => on.file.once(*number, || condition.holds(&Scene::file(on.file))),
            Self::MostFiles(number, condition, of) => {
                let own = || on.file.once(*number, || condition.holds(&Scene::file(on.file)));
                on.sample().of_most.as_ref().map_or_else(own, of)
            }
        }
    }

    /// Whether it asks for nothing.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Language(languages) => languages.is_empty(),
            Self::After(kinds) | Self::LinesAre(kinds) => kinds.is_empty(),
            Self::Within(blocks) => blocks.is_empty(),
            Self::Text(_, patterns) => patterns.is_empty(),
            Self::Files(patterns) => patterns.is_empty(),
            Self::Phrases(phrases) => phrases.is_empty(),
            _ => false,
        }
    }

    /// What a line needs for it.
    fn needs(&self) -> Needs {
        match self {
            Self::Text(Subject::Line, patterns) => Needs::either(patterns.iter().map(Pattern::needs)),
            _ => Needs::NOTHING,
        }
    }
}

/// A condition: all of its parts must hold.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    /// What a line needs for it.
    needs: Needs,
    /// Classes of languages: one of these, if there are any, and none of those.
    classes: u32,
    other_than: u32,
    tests: Vec<Test>,
    all: Vec<Self>,
    any: Vec<Self>,
    not: Vec<Self>,
}

impl Condition {
    pub(super) fn new(
        (classes, other_than): (u32, u32),
        mut tests: Vec<Test>,
        [all, any, not]: [Vec<Self>; 3],
    ) -> Self {
        let (of_tests, all): (Vec<_>, Vec<_>) = all.into_iter().partition(Self::has_only_tests);
        tests.extend(of_tests.into_iter().flat_map(|part| part.tests));
        let each = tests.iter().map(Test::needs).chain(all.iter().map(|part| part.needs));
        let needs =
            each.fold(Needs::NOTHING, Needs::and).and(Needs::either(any.iter().map(|part| part.needs)));
        Self { needs, classes, other_than, tests, all, any, not }
    }

    /// A condition of one part.
    pub(super) fn of(test: Test) -> Self {
        Self::new((0, 0), vec![test], [vec![], vec![], vec![]])
    }

    /// Whether it holds.
    pub(super) fn holds(&self, on: &Scene) -> bool {
        on.line.is_none_or(|line| self.needs.are_met(line.outline))
            && self.is_of(on.file.tongue.classes)
            && self.tests.iter().all(|test| test.holds(on))
            && self.all.iter().all(|part| part.holds(on))
            && (self.any.is_empty() || self.any.iter().any(|part| part.holds(on)))
            && !self.not.iter().any(|part| part.holds(on))
    }

    /// Compiles all expressions; the error says why that is impossible.
    pub(super) fn compile(&self) -> Result<(), String> {
        for test in &self.tests {
            if let Test::Text(_, patterns) = test {
                patterns.iter().try_for_each(|pattern| pattern.compile().map(|_| ()))?;
            }
        }
        [&self.all, &self.any, &self.not].into_iter().flatten().try_for_each(Self::compile)
    }

    /// The condition for files of some classes of languages, without the parts that cannot hold there; `None` if it
    /// cannot hold there itself.
    pub(super) fn for_classes(&self, classes: u32) -> Option<Self> {
        let possible = |parts: &[Self]| parts.iter().filter_map(|part| part.for_classes(classes)).collect();
        let all = self.all.iter().map(|part| part.for_classes(classes)).collect::<Option<_>>()?;
        let any: Vec<Self> = possible(&self.any);
        let can_hold = self.is_of(classes) && (self.any.is_empty() || !any.is_empty());
        can_hold.then(|| Self::new((0, 0), self.tests.clone(), [all, any, possible(&self.not)]))
    }

    /// Whether it asks of which kinds the lines of a passage are.
    pub(super) fn asks_kinds_of_lines(&self) -> bool {
        let asks = |test: &Test| match test {
            Test::LinesAre(_) => true,
            Test::Measure(comparison) => comparison.has_share(),
            _ => false,
        };
        let mut parts = [&self.all, &self.any, &self.not].into_iter().flatten();
        self.tests.iter().any(asks) || parts.any(Self::asks_kinds_of_lines)
    }

    fn has_only_tests(&self) -> bool {
        self.classes | self.other_than == 0
            && self.all.is_empty()
            && self.any.is_empty()
            && self.not.is_empty()
    }

    fn is_of(&self, classes: u32) -> bool {
        (self.classes == 0 || self.classes & classes != 0) && self.other_than & classes == 0
    }
}

/// The tests in Rust that conditions name.
pub(super) const NAMED: [(&str, Scope, Named); 5] = [
    ("guard", Scope::Line, |on| on.line().guards),
    ("links", Scope::Line, |on| super::named::is_links(on.line().text)),
    ("licence phrases", Scope::Line, |on| on.line().phrases == Some(super::phrases::Phrases::Licence)),
    ("mail phrases", Scope::Line, |on| on.line().phrases == Some(super::phrases::Phrases::Mail)),
    ("repeated fields", Scope::Passage, |on| super::named::has_repeated_fields(on.sample())),
];

/// The conditions on files that are known of most files with a copy.
pub(super) const MOST_FILES: [(&str, OfMost); 5] = [
    (file::GENERATED, |signs| signs.head.is_generated),
    (file::NAMES_TESTS, |signs| signs.head.names_tests),
    (file::WITH_TESTS, |signs| signs.lies_with_tests),
    (file::LICENCE, |signs| signs.is_licence),
    (file::RIGHTS, |signs| signs.is_about_rights),
];
