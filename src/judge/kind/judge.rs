//! From the lines of a passage to its kind.

use std::cell::Cell;

use super::around::Around;
use super::condition::Condition;
use super::lines::lines;
use super::named::mark_guards;
use super::sample::{Sample, Shares};
use super::scene::Scene;
use super::table::{KindPatterns, Rule, table};
use super::written::written;
use dupi_base::config::Kind;

/// A kind, and who says so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged {
    pub(super) kind: Kind,
    /// Whether a rule of the user for passages says so.
    pub(super) by_user: bool,
}

/// The kind of a passage.
pub fn classify(sample: &Sample) -> Kind {
    judge(sample, &KindPatterns::default(), |_| ()).kind
}

/// The kind of a passage by the rules of a user and the program's, and the names of the rules that held: for each line in
/// it, and for the whole.
pub fn explain(sample: &Sample, own: &KindPatterns) -> (Kind, Vec<String>) {
    let mut names = Vec::new();
    let judged = judge(sample, own, |name| names.push(name.to_owned()));
    (judged.kind, names)
}

/// Judges a passage, and reports the name of each rule that holds.
pub(super) fn judge(sample: &Sample, own: &KindPatterns, mut report: impl FnMut(&str)) -> Judged {
    let table = table();
    let memo = vec![Cell::new(None); written().measures.len()];
    let scene = Scene { sample: Some(sample), memo: &memo, ..Scene::file(sample.file) };
    if let Some(rule) = own.whole.iter().find(|rule| rule.when.holds(&scene)) {
        report(&rule.name);
        return Judged { kind: rule.kind, by_user: true };
    }
    let tongue = sample.file.tongue;
    let asked = table.line_rules(tongue.classes);
    let mut shares = Shares::default();
    let mut around = Around::default();
    let mut lines = lines(sample);
    if tongue.is_source {
        mark_guards(&mut lines);
    }
    for line in &lines {
        let here = Scene { line: Some(line), ..scene };
        let begins = |when: &Option<Condition>| when.as_ref().is_some_and(|when| when.holds(&here));
        around.enter(line.text, asked.blocks.iter().map(|(goes_on, when)| (*goes_on, || begins(when))));
        // Of a line that weighs nothing only that is asked which the next lines feel.
        let rules = if line.is_own || line.own > 0 { &asked.rules[..] } else { &asked.rules[..asked.felt] };
        let scene = Scene { line: Some(line), around: Some(&around), ..scene };
        let rule = own.lines.iter().chain(rules).find(|rule| rule.when.holds(&scene));
        match rule {
            Some(rule) if line.is_own => {
                // A ruler has no letters, but it is seen.
                shares.add(rule.kind, line.own.max(2));
                report(&rule.name);
            }
            Some(_) => {}
            None if tongue.is_source => {
                shares.add(Kind::Code, line.own_code);
                shares.add(Kind::Comment, line.own_comment);
            }
            None => shares.add(Kind::Prose, line.own),
        }
        let kind = rule.map(|rule| rule.kind);
        if !line.text.is_empty() {
            around.after = kind;
        }
    }
    let kind = shares.greatest();
    let scene = Scene { shares: Some(&shares), ..scene };
    let holds = |rule: &&Rule| rule.of.contains(&kind) && rule.when.holds(&scene);
    let by_user = own.passages.iter().find(holds);
    let Some(rule) = by_user.or_else(|| table.passages.iter().find(holds)) else {
        return Judged { kind, by_user: false };
    };
    report(&rule.name);
    Judged { kind: rule.kind, by_user: by_user.is_some() }
}
