//! From the lines of a passage to its kind.

use super::sample::{Sample, Shares};
use super::signs::Around;
use super::signs_of_imports::mark_guards;
use super::{lines, rules};
use dupi_index::query::filter::Kind;

/// The kind of a passage.
pub fn classify(sample: &Sample) -> Kind {
    judge(sample, |_, _| ())
}

/// The kind of a passage, and the names of the rules that held: for each line in it, and for the whole.
pub fn explain(sample: &Sample) -> (Kind, Vec<&'static str>) {
    let mut names = Vec::new();
    let kind = judge(sample, |name, _| names.push(name));
    (kind, names)
}

fn judge(sample: &Sample, mut report: impl FnMut(&'static str, Kind)) -> Kind {
    let mut shares = Shares::default();
    let mut around = Around::default();
    let mut lines = lines::lines(sample);
    mark_guards(&mut lines);
    for line in lines {
        match rules::of_line(&line, &mut around) {
            Some((name, kind)) if line.is_own => {
                // A ruler has no letters, but it is seen.
                shares.add(kind, line.own.max(2));
                report(name, kind);
            }
            Some(_) => {}
            None if line.tongue.is_source => {
                shares.add(Kind::Code, line.own_code);
                shares.add(Kind::Comment, line.own_comment);
            }
            None => shares.add(Kind::Prose, line.own),
        }
    }
    let kind = shares.greatest();
    let Some(rule) = rules::of_passage(sample, kind, &shares) else { return kind };
    report(rule.name, rule.kind);
    rule.kind
}
