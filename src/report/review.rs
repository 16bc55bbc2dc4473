//! Rows of `review`, and which commits the lines of a copy come from.

use serde::Serialize;

use super::copies::{CopyRow, place_in_words};
use super::finding::{Finding, Level, Place, Rule};
use super::passages::PassageRow;
use super::words::in_short;
use crate::format::{Reading, ReportRow};
use crate::words::OccurrenceRow;
use dupi_base::storage::one_line;
use dupi_index::query::filter::ReviewState;
use dupi_judge::kind::Kind;
use dupi_judge::location::LocatedPassage;
use dupi_judge::passages::{Passage, PassageId};
use dupi_review::change::blame::{BlamedCommit, BlamedLines, day};
use dupi_review::review::drift::{Drift, LineEdit};
use dupi_review::review::{ReviewedPassage, Verdict};

/// The most unchanged copies of a row whose origin is told.
const EXPLAINED: usize = 8;

/// `review`: what is new with a change, or has drifted.
#[derive(Debug, Serialize)]
pub struct ReviewRow {
    /// What it is: `new-copy`, `within-change`, `one-more` or `drifted`.
    pub verdict: &'static str,
    /// Its name: of a passage the one that `passages` prints, of a drift one made from what was changed.
    pub id: String,
    /// How many tokens the text has.
    pub tokens: u32,
    /// How many copies there are.
    pub copies: usize,
    /// How many copies there were before the change.
    pub before: usize,
    /// The information, in bits, that keeping one copy would save; none of a drift.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth: Option<u64>,
    /// What the text is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// What was decided about it: `fix`, `accepted` or `taboo`; nothing of what is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<&'static str>,
    /// The text.
    pub text: String,
    /// The copy to use instead of the new ones, if one was there before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original: Option<OccurrenceRow>,
    /// The copies that the change adds or changes.
    pub changed: Vec<ReviewCopyRow>,
    /// The others.
    pub others: Vec<ReviewCopyRow>,
}

/// A copy in a row of `review`.
#[derive(Debug, Serialize)]
pub struct ReviewCopyRow {
    /// Where it stands.
    #[serde(flatten)]
    pub at: OccurrenceRow,
    /// How much of it agrees with the others, 0 to 1, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// The line that names the function or section in which it begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// What was changed in it and not in the others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<LineEdit>,
    /// Which commits its lines come from, those of most lines first, if that was asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blame: Vec<BlamedLines>,
    /// Its place for people.
    #[serde(skip)]
    place: String,
}

impl ReviewRow {
    /// A passage that is new with a change, as it stands in its files now.
    pub fn new(
        passage: &Passage,
        reviewed: &ReviewedPassage,
        kind: Option<Kind>,
        located: LocatedPassage,
    ) -> Self {
        let numbers: Vec<usize> = located.copies.iter().map(|copy| copy.number).collect();
        let row = PassageRow::new(passage, kind, located, None, None);
        let (mut changed, mut others, mut original) = (Vec::new(), Vec::new(), None);
        for (number, copy) in numbers.into_iter().zip(row.occurrences) {
            if reviewed.of.original == Some(number) {
                original = Some(copy.at.clone());
            }
            let of = if reviewed.of.touched[number] { &mut changed } else { &mut others };
            of.push(ReviewCopyRow::from_copy(copy));
        }
        // The copy to use comes first.
        if let Some(first) = &original {
            others.sort_by_key(|copy: &ReviewCopyRow| {
                let (path, start) = (&copy.at.path, copy.at.part.start);
                (*path != first.path || start != first.part.start, path.clone(), start)
            });
        }
        Self {
            verdict: reviewed.verdict.name(),
            id: row.id,
            tokens: row.tokens,
            copies: row.copies,
            before: reviewed.of.counts.former(),
            worth: Some(row.worth),
            kind: row.kind,
            state: decided(reviewed.state),
            text: row.text,
            original,
            changed,
            others,
        }
    }

    /// Copies of which a change changed only some.
    pub fn drifted(drift: &Drift, state: ReviewState) -> Self {
        let Drift { id, tokens, changed, others, .. } = drift.clone();
        let copies = changed.len() + others.len();
        let text = changed.first().map(|copy| copy.text.clone()).unwrap_or_default();
        let plain = |at: OccurrenceRow, edits: Vec<LineEdit>| ReviewCopyRow {
            place: format!("{}:{}-{}", at.path, at.part.line, at.part.end_line),
            at,
            similarity: None,
            within: None,
            edits,
            blame: Vec::new(),
        };
        Self {
            verdict: Verdict::Drifted.name(),
            id: PassageId(id).to_string(),
            tokens,
            copies,
            before: copies,
            worth: None,
            kind: None,
            state: decided(state),
            text,
            original: None,
            changed: changed
                .into_iter()
                .map(|copy| plain(OccurrenceRow::from(&copy.at), copy.edits))
                .collect(),
            others: others.iter().map(|at| plain(OccurrenceRow::from(at), Vec::new())).collect(),
        }
    }

    /// The copies of which it is told where they come from: those that were changed, and the first of the others.
    pub fn explained(&mut self) -> impl Iterator<Item = &mut ReviewCopyRow> {
        self.changed.iter_mut().chain(self.others.iter_mut().take(EXPLAINED))
    }

    /// What was found, in a few words.
    fn summary(&self) -> String {
        let Self { copies, before, tokens, .. } = self;
        let bits = self.worth.map(|worth| format!(", {} bits", in_short(worth))).unwrap_or_default();
        let state = self.state.map(|state| format!(", {}", if state == "fix" { "to fix" } else { state }));
        let state = state.unwrap_or_default();
        let summary = match self.rule().id {
            "review-new-copy" => {
                format!("new copy of existing code, {before} before and {copies} now, {tokens} tokens{bits}")
            }
            "review-within-change" => {
                format!("copy within the change, {copies} copies, {tokens} tokens{bits}")
            }
            "review-one-more" => {
                format!(
                    "one more copy of an accepted group, {before} before and {copies} now, {tokens} tokens{bits}"
                )
            }
            _ => format!("drifted: {} of {copies} copies changed, {tokens} tokens", self.changed.len()),
        };
        summary + &state
    }

    fn rule(&self) -> &'static Rule {
        RULES.iter().find(|rule| rule.id.strip_prefix("review-") == Some(self.verdict)).unwrap_or(&RULES[0])
    }
}

/// The name of a state, if anything was decided.
fn decided(state: ReviewState) -> Option<&'static str> {
    (state != ReviewState::Open).then(|| state.name())
}

impl ReviewCopyRow {
    fn from_copy(copy: CopyRow) -> Self {
        let place = place_in_words(&copy);
        let (edits, blame) = (Vec::new(), Vec::new());
        Self { at: copy.at, similarity: Some(copy.similarity), within: copy.within, edits, blame, place }
    }

    /// Its lines for people, behind a mark.
    fn lines(&self, mark: &str, note: &str) -> String {
        let within =
            self.within.as_ref().map(|line| format!(" in {}", one_line(line, 80))).unwrap_or_default();
        let alike = self.place(None).alike();
        let edit = |edit: &LineEdit| {
            let line = |sign: &str, text: &String| format!("\t\t{sign} {}\n", one_line(text, 160));
            let removed = edit.removed.iter().map(|text| line("-", text));
            removed.chain(edit.added.iter().map(|text| line("+", text))).collect::<String>()
        };
        let edits: String = self.edits.iter().map(edit).collect();
        let blame = said(&self.blame);
        format!("\t{mark} {}{alike}{within}{note}{blame}\n{edits}", self.place)
    }

    fn place<'a>(&'a self, note: Option<&'static str>) -> Place<'a> {
        Place {
            similarity: self.similarity,
            note: match (note.or(self.within.as_deref()), said(&self.blame)) {
                (None, blame) if blame.is_empty() => None,
                (note, blame) if blame.is_empty() => note.map(Into::into),
                (note, blame) => Some(format!("{}{blame}", note.unwrap_or("lines")).into()),
            },
            ..Place::of(&self.at)
        }
    }
}

impl ReportRow for ReviewRow {
    fn reading(&self) -> Reading {
        let is_drifted = self.verdict == Verdict::Drifted.name();
        let mark = if is_drifted { "~" } else { "+" };
        let changed: String = self.changed.iter().map(|copy| copy.lines(mark, "")).collect();
        let notes = match is_drifted {
            true => [" lacks these lines"; 2],
            false if self.original.is_some() => [" is the original: use it", ""],
            false => ["", ""],
        };
        let others = self.others.iter().enumerate();
        let others: String = others.map(|(number, copy)| copy.lines("=", notes[number.min(1)])).collect();
        let text = one_line(&self.text, 120);
        Reading::Lines(format!("{} {}: {text}\n{changed}{others}", self.id, self.summary()))
    }

    fn finding(&self) -> Option<Finding<'_>> {
        let note = (self.verdict == Verdict::Drifted.name()).then_some("lacks the changed lines");
        let changed = self.changed.iter().map(|copy| copy.place(None));
        let others = self.others.iter().map(|copy| copy.place(note));
        Some(Finding {
            text: &self.text,
            kind: self.kind.map(Kind::name),
            tokens: Some(u64::from(self.tokens)),
            worth: self.worth,
            copies: self.copies as u64,
            places: changed.chain(others).collect(),
            ..Finding::new(self.rule(), &self.id, self.summary())
        })
    }
}

/// The commit of most lines, for people, behind a comma; nothing if none is known.
fn said(blame: &[BlamedLines]) -> String {
    let Some(first) = blame.first() else { return String::new() };
    let all: u32 = blame.iter().map(|row| row.lines).sum();
    let part = if first.lines == all { String::new() } else { format!("{} of {all} lines ", first.lines) };
    match &first.commit {
        Some(BlamedCommit { name, author, seconds, .. }) => {
            format!(", {part}by {} on {} in {name}", one_line(author, 40), day(*seconds))
        }
        None => format!(", {part}not committed"),
    }
}

/// The sorts of findings of a review.
const RULES: [Rule; 4] = [
    Rule {
        id: "review-new-copy",
        title: "New copy of existing code",
        help: "The change adds a copy of a text that was there before. Use the original, or accept the copy in dupi-tui.",
        level: Level::Warning,
    },
    Rule {
        id: "review-within-change",
        title: "Copy within the change",
        help: "The change adds the same text several times. Keep one copy and refer to it.",
        level: Level::Warning,
    },
    Rule {
        id: "review-one-more",
        title: "One more copy of an accepted group",
        help: "The copies of this text were accepted when there were fewer. Use one of them, or accept the new one too.",
        level: Level::Warning,
    },
    Rule {
        id: "review-drifted",
        title: "Drifted copy",
        help: "The change changes some copies of a text and leaves others as they were. Change these too, or make one of them.",
        level: Level::Warning,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::DocumentName;
    use dupi_index::query::Occurrence;
    use dupi_index::query::filter::ReviewState;
    use dupi_review::review::drift::DriftedCopy;

    #[test]
    fn a_drift_names_the_lines_that_the_others_lack() {
        let at = |path: &str| Occurrence { path: path.into(), line: 3, end_line: 9, ..Occurrence::default() };
        let edits = vec![LineEdit { line: 5, removed: vec!["old".into()], added: vec!["new".into()] }];
        let changed = vec![DriftedCopy { at: at("a"), text: "x\ny".into(), edits }];
        let row = ReviewRow::drifted(
            &Drift { id: 7, tokens: 90, changed, others: vec![at("b"), at("c")], around: None },
            ReviewState::Open,
        );
        let lines = "0000000000000007 drifted: 1 of 3 copies changed, 90 tokens: x y\n\t~ a:3-9\n\t\t- old\n\t\t+ new\n\
            \t= b:3-9 lacks these lines\n\t= c:3-9 lacks these lines\n";
        assert_eq!(row.reading(), Reading::Lines(lines.to_owned()));
        let finding = row.finding().unwrap();
        assert_eq!((finding.rule.id, finding.places.len(), finding.copies), ("review-drifted", 3, 3));
        assert_eq!(finding.places[0].path, &DocumentName::new(std::path::Path::new("a"), None));
        assert!(
            Verdict::ALL.iter().all(|verdict| RULES.iter().any(|rule| rule.id.ends_with(verdict.name())))
        );
    }

    #[test]
    fn people_read_the_commit_of_most_lines() {
        let (name, author, subject) = ("0123456789ab".to_owned(), "Ada\tL.".to_owned(), "One".to_owned());
        let commit = dupi_review::change::blame::BlamedCommit { name, author, seconds: 86_400, subject };
        let of = |lines, commit| BlamedLines { lines, commit };
        let rows = [of(12, Some(commit)), of(6, None)];
        assert_eq!(said(&rows), ", 12 of 18 lines by Ada L. on 1970-01-02 in 0123456789ab");
        assert_eq!(said(&rows[1..]), ", not committed");
        assert_eq!(said(&[]), "");
    }
}
