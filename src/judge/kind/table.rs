//! The table of rules, `assets/kinds.toml`, and how rules are compiled: those of the table, and those of a user.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use regex::{Regex, RegexBuilder};
use toml::Spanned;

use super::condition::{Condition, MOST_FILES, NAMED, Test};
use super::file::SampleFile;
use super::measure::{Comparison, Count, Counted};
use super::pattern::Pattern;
use super::scan::{Bytes, Signs, Words};
use super::scene::Scene;
use super::written::{GoesOn, Scope, Subject, Written, WrittenBlock, WrittenCount, WrittenCounted, written};
use dupi_base::config::{Kind, KindCondition, KindRule, SettingProblem, Texts};
use dupi_index::query::filter::PathPattern;
use dupi_text::token::Language;

/// A compiled rule, for lines or passages.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The kinds of passages, by their lines, of which it is asked.
    pub(super) of: Vec<Kind>,
    pub(super) when: Condition,
}

/// The rules of a user.
#[derive(Clone, Debug, Default)]
pub struct KindPatterns {
    /// A fingerprint of the rules as they are written, and of those of the program.
    pub(super) fingerprint: u64,
    /// Those that are asked of all passages, before their lines are read.
    pub(super) whole: Vec<Rule>,
    /// Those for lines.
    pub(super) lines: Vec<Rule>,
    /// Those for passages of some kinds.
    pub(super) passages: Vec<Rule>,
}

/// Whether a part of a condition asks what stands before or around a line.
fn asks_around(condition: &KindCondition) -> bool {
    let KindCondition { after, within, all, any, not, .. } = condition;
    !(after.is_empty() && within.is_empty()) || [all, any, not].into_iter().flatten().any(asks_around)
}

/// The compiled table.
pub(super) struct Table {
    written: &'static Written,
    counts: Vec<(String, Arc<Count>)>,
    pub(super) files: Vec<Arc<Condition>>,
    pub(super) blocks: Vec<(GoesOn, Condition)>,
    pub(super) lines: Vec<Rule>,
    pub(super) passages: Vec<Rule>,
    /// What is asked of the lines of files, by the classes of their languages.
    by_classes: Mutex<HashMap<u32, Arc<LineRules>>>,
}

/// What is asked of the lines of files of some classes of languages.
pub(super) struct LineRules {
    /// All blocks, each with the condition by which it begins, if it can.
    pub(super) blocks: Vec<(GoesOn, Option<Condition>)>,
    /// The rules that can hold.
    pub(super) rules: Vec<Rule>,
    /// How many of the rules decide what the next lines feel of a line: whether it is a notice, or an import.
    pub(super) felt: usize,
}

/// The table, compiled once.
pub(super) fn table() -> &'static Table {
    static COMPILED: LazyLock<Table> = LazyLock::new(|| {
        Table::new(written()).unwrap_or_else(|problem| panic!("assets/kinds.toml: {:?}", problem.parts()))
    });
    &COMPILED
}

/// Whether a condition of the table is true of a file.
pub(super) fn is_true_of(file: &SampleFile, name: &str) -> bool {
    let condition = |number: usize| table().files[number].holds(&Scene::file(file));
    written().file_condition(name).is_some_and(|number| file.once(number, || condition(number)))
}

impl Table {
    fn new(written: &'static Written) -> Result<Self, SettingProblem> {
        let (counts, files, blocks) = (Vec::new(), Vec::new(), Vec::new());
        let (lines, passages, by_classes) = (Vec::new(), Vec::new(), Mutex::default());
        let mut table = Self { written, counts, files, blocks, lines, passages, by_classes };
        let count = |(name, written): (&String, &WrittenCount)| {
            let wrong = |detail| SettingProblem::at(0..0, format!("{name}: {detail}"));
            Ok((name.clone(), Arc::new(table.count(written).map_err(wrong)?)))
        };
        table.counts = table.written.measures.iter().map(count).collect::<Result<_, SettingProblem>>()?;
        for file in written.file.values() {
            let compiled = Arc::new(table.condition(file, Scope::File)?);
            table.files.push(compiled);
        }
        let block = |block: &WrittenBlock| Ok((block.goes_on, table.condition(&block.when, Scope::Line)?));
        table.blocks = table.written.block.iter().map(block).collect::<Result<_, SettingProblem>>()?;
        let rules = |rules: &[KindRule], scope| {
            rules.iter().map(|rule| table.rule(rule, scope)).collect::<Result<Vec<_>, _>>()
        };
        (table.lines, table.passages) =
            (rules(&table.written.line, Scope::Line)?, rules(&table.written.passage, Scope::Passage)?);
        Ok(table)
    }

    /// What is asked of the lines of files of some classes of languages.
    pub(super) fn line_rules(&self, classes: u32) -> Arc<LineRules> {
        let mut by_classes = self.by_classes.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(by_classes.entry(classes).or_insert_with(|| Arc::new(self.make_line_rules(classes))))
    }

    fn make_line_rules(&self, classes: u32) -> LineRules {
        let blocks = self.blocks.iter().map(|(goes_on, when)| (*goes_on, when.for_classes(classes)));
        let rule = |rule: &Rule| Some(Rule { when: rule.when.for_classes(classes)?, ..rule.clone() });
        let rules: Vec<Rule> = self.lines.iter().filter_map(rule).collect();
        let is_felt = |rule: &Rule| matches!(rule.kind, Kind::Licence | Kind::Imports);
        let felt = rules.iter().rposition(is_felt).map_or(0, |last| last + 1);
        LineRules { blocks: blocks.collect(), rules, felt }
    }

    fn count(&self, written: &WrittenCount) -> Result<Count, String> {
        let list =
            |name: &str| self.written.lists.get(name).cloned().ok_or_else(|| format!("no list {name}"));
        let what = match &written.what {
            WrittenCounted::Bytes(bytes) => Counted::Bytes(Bytes::new(bytes.as_bytes())),
            WrittenCounted::Matches(given) => Counted::Matches(self.pattern(given)?),
            WrittenCounted::Covered(given) => Counted::Covered(self.pattern(given)?),
            WrittenCounted::Like(given) => Counted::Like(self.pattern(given)?),
            WrittenCounted::Words(name) => Counted::Words(Words::new(list(name)?)?),
            WrittenCounted::Which(name) => Counted::Which(Words::new(list(name)?)?),
            WrittenCounted::Different(name) => {
                Counted::Different(Pattern::parse(alternatives(&list(name)?))?, list(name)?)
            }
            WrittenCounted::Signs(name) => {
                let but = written.but.as_ref().map(|but| self.pattern(but)).transpose()?;
                Counted::Signs(Signs::new(list(name)?)?, but)
            }
        };
        Ok(Count { of: written.of.clone(), before: written.before, what })
    }

    /// Compiles a rule for lines or passages.
    pub(super) fn rule(&self, written: &KindRule, scope: Scope) -> Result<Rule, SettingProblem> {
        if *written.when.get_ref() == KindCondition::default() {
            let detail = "this rule has no condition; write what must hold, as when.line = ['^TODO']";
            return Err(SettingProblem::at(written.when.span(), detail));
        }
        if scope == Scope::Line && !written.of.is_empty() {
            let detail = "`of` is for rules for passages; leave it out, or write [[kinds.passage]]";
            return Err(SettingProblem::at(written.name.span(), detail));
        }
        if scope != Scope::Line && asks_around(written.when.get_ref()) {
            let detail =
                "`after` and `within` are for rules for lines; write [[kinds.line]], or leave them out";
            return Err(SettingProblem::at(written.when.span(), detail));
        }
        let when = self.condition(written.when.get_ref(), scope)?;
        // The kinds of lines are known only when rules for passages of some kinds are asked.
        if written.of.is_empty() && when.asks_kinds_of_lines() {
            let detail = "`lines_are` and shares of kinds are for rules for passages of some kinds; write `of` too, or \
                          leave them out";
            return Err(SettingProblem::at(written.when.span(), detail));
        }
        Ok(Rule { name: written.name.get_ref().clone(), kind: written.kind, of: written.of.clone(), when })
    }

    fn condition(&self, written: &KindCondition, scope: Scope) -> Result<Condition, SettingProblem> {
        let (mut classes, mut languages) = self.languages(&written.language)?;
        let mut either = Vec::new();
        if classes != 0 && !languages.is_empty() {
            let of_classes = Condition::new((std::mem::take(&mut classes), 0), vec![], Default::default());
            let of_languages = Condition::of(Test::Language(std::mem::take(&mut languages)));
            let any = vec![of_classes, of_languages];
            either.push(Condition::new((0, 0), vec![], [vec![], any, vec![]]));
        }
        let (other_than, others) = self.languages(&written.other_than)?;
        let block = |name: &str| position(name, "block", self.written.block.iter().map(|block| &*block.name));
        let mut tests = vec![
            Test::Language(languages),
            Test::After(written.after.clone()),
            Test::LinesAre(written.lines_are.clone()),
            Test::Within(each(&written.within, block)?),
        ];
        let measures = each(&written.measure, |given| Comparison::parse(given, &self.counts, scope))?;
        tests.extend(measures.into_iter().map(Test::Measure));
        for (subject, given) in [
            (Subject::Name, &written.name),
            (Subject::Path, &written.path),
            (Subject::Line, &written.line),
            (Subject::Head, &written.head),
            (Subject::HeadLine, &written.head_line),
            (Subject::Text, &written.text),
        ] {
            let asked = |given: &str| match subject.scope() {
                of if scope.allows(of) => self.pattern(given),
                of => Err(format!("this is asked of {of}, and this rule is one for {scope}")),
            };
            tests.push(Test::Text(subject, Pattern::joined(each(given, asked)?)));
        }
        tests.push(Test::Files(each(&written.files, path_pattern)?));
        tests.push(Test::Phrases(each(&written.phrases, phrase)?));
        tests.retain(|test| !test.is_empty());
        tests.extend(each(&written.most_files, |name| self.most_files(name))?);
        let [all, any, mut not] = [&written.all, &written.any, &written.not]
            .map(|parts| parts.iter().map(|part| self.condition(part, scope)).collect::<Result<Vec<_>, _>>());
        if let (Ok(not), false) = (&mut not, others.is_empty()) {
            not.push(Condition::of(Test::Language(others)));
        }
        let named = each(&written.is, |name| self.named(name, scope))?;
        let all = named.into_iter().chain(all?).chain(either).collect();
        Ok(Condition::new((classes, other_than), tests, [all, any?, not?]))
    }

    /// Classes of languages, and languages.
    fn languages(&self, names: &Texts) -> Result<(u32, Vec<Language>), SettingProblem> {
        let (mut classes, mut languages) = (0, Vec::new());
        each(names, |name| {
            match (self.written.class(name), Language::from_name_or_extension(name)) {
                (Some(class), _) => classes |= class,
                (None, Some(language)) => languages.push(language),
                (None, None) => {
                    let known = listed(self.written.languages.keys().map(|name| &**name));
                    return Err(format!(
                        "there is no language `{name}`; write the name or the ending of one, or a class: source, {known}"
                    ));
                }
            }
            Ok(())
        })?;
        Ok((classes, languages))
    }

    /// What `is` names: a condition on files, one that rules share, or a test in Rust.
    fn named(&self, name: &str, scope: Scope) -> Result<Condition, String> {
        let compiled = self.written.file_condition(name).and_then(|at| Some((at, self.files.get(at)?)));
        if let Some((number, condition)) = compiled {
            return Ok(Condition::of(Test::File(number, Arc::clone(condition))));
        }
        // A condition on files that is not compiled yet belongs to one that is.
        if let Some(shared) = self.written.condition.get(name).or_else(|| self.written.file.get(name)) {
            return self.condition(shared, scope).map_err(|problem| problem.parts().1.to_owned());
        }
        let known = NAMED.iter().filter(|named| named.1 == scope);
        let found = known.clone().find(|named| named.0 == name);
        found.map(|named| Condition::of(Test::Named(named.2))).ok_or_else(|| {
            let shared = self.written.file.keys().chain(self.written.condition.keys()).map(|name| &**name);
            let names = listed(shared.chain(known.map(|named| named.0)));
            format!("there is no condition `{name}`; those for {scope} are {names}")
        })
    }

    /// What `most_files` names.
    fn most_files(&self, name: &str) -> Result<Test, String> {
        let of_most =
            MOST_FILES[position(name, "condition on most files", MOST_FILES.iter().map(|of| of.0))?].1;
        let number = self.written.file_condition(name).ok_or("it is not in the table")?;
        Ok(Test::MostFiles(number, Arc::clone(&self.files[number]), of_most))
    }

    /// Reads an expression, with the pieces and lists that it names.
    fn pattern(&self, given: &str) -> Result<Pattern, String> {
        Pattern::parse(self.expanded(given)).map_err(|detail| {
            format!(
                "`{given}` is no regular expression: {detail}; write \\ before a sign that stands for itself"
            )
        })
    }

    fn expanded(&self, given: &str) -> String {
        let Some((start, end)) =
            given.find('{').and_then(|start| Some((start, start + given[start..].find('}')?)))
        else {
            return given.to_owned();
        };
        let name = &given[start + 1..end];
        let named = || self.written.pieces.get(name).map(|piece| self.expanded(piece));
        match named().or_else(|| self.written.lists.get(name).map(|list| alternatives(list))) {
            Some(text) => format!("{}{text}{}", &given[..start], self.expanded(&given[end + 1..])),
            None => format!("{}{}", &given[..=start], self.expanded(&given[start + 1..])),
        }
    }
}

/// An expression for one of some texts.
fn alternatives(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| regex::escape(text)).collect();
    format!("(?:{})", texts.join("|"))
}

fn each<T>(given: &Texts, mut read: impl FnMut(&str) -> Result<T, String>) -> Result<Vec<T>, SettingProblem> {
    let at = |given: &Spanned<String>| {
        read(given.get_ref()).map_err(|detail| SettingProblem::at(given.span(), detail))
    };
    given.iter().map(at).collect()
}

fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

fn position<'n>(
    name: &str,
    what: &str,
    mut names: impl Iterator<Item = &'n str> + Clone,
) -> Result<usize, String> {
    let known = names.clone();
    names
        .position(|known| known == name)
        .ok_or_else(|| format!("there is no {what} `{name}`; there are {}", listed(known)))
}

/// A pattern of paths.
pub(super) fn path_pattern(given: &str) -> Result<PathPattern, String> {
    let path = given.strip_prefix("path:").unwrap_or(given).trim();
    if path.is_empty() {
        return Err(format!(
            "`{given}` is empty; write a pattern of paths, as **/*.pb.go, or text: and a phrase"
        ));
    }
    PathPattern::parse(path).map_err(|detail| format!("`{given}` is no pattern of paths: {detail}"))
}

/// A phrase: its words in a row, whatever stands between them and in whichever case.
pub(super) fn phrase(given: &str) -> Result<Regex, String> {
    let is_of_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let words: Vec<&str> =
        given.split(|letter| !is_of_word(letter)).filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        return Err("a phrase after text: needs a word".to_owned());
    }
    let pattern = format!(r"\b{}\b", words.join(r"\W+"));
    let phrase = RegexBuilder::new(&pattern).case_insensitive(true).build();
    phrase.map_err(|_| "this phrase is too long; write fewer words".to_owned())
}
