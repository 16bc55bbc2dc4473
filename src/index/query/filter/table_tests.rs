//! The table of `cases/filters.txt`.

use std::path::Path;

use super::names::TermKind;
use super::pieces::pieces;
use super::*;
use crate::script::table;
use dupi_base::config::SavedFilters;

fn saved(filters: &[(&str, &str)]) -> SavedFilters {
    filters.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

/// What is wrong in a filter, and where.
fn problems(text: &str, saved: &SavedFilters) -> Vec<String> {
    let (filter, problems) = parse(text, saved);
    let count = format!("{} terms", filter.terms.len());
    let problem = |problem: Problem| format!("{:?}: {}", &text[problem.span], problem.sentence);
    std::iter::once(count).chain(problems.into_iter().map(problem)).collect()
}

/// The text after each candidate was applied; `|` is the cursor.
pub(super) fn completed(text: &str) -> Vec<String> {
    let cursor = text.find('|').unwrap();
    let text = text.replace('|', "");
    let saved = saved(&[("mine", "x"), ("most", "copies:>9")]);
    let languages = ["C", "C Header", "Rust"].map(str::to_owned);
    let extensions = ["c", "h", "rs"].map(str::to_owned);
    let folders = ["src", "src/tui", "my texts", "src/session", "src/tui/view"].map(str::to_owned);
    let lacking = &[TermKind::State];
    let values =
        Values { languages: &languages, extensions: &extensions, folders: &folders, saved: &saved, lacking };
    let with = |candidate: Candidate| {
        let (before, behind) = (&text[..candidate.span.start], &text[candidate.span.end..]);
        format!("{before}{}{behind}", candidate.text)
    };
    complete(&text, cursor, &values).into_iter().map(with).collect()
}

#[test]
fn filters_mean_what_the_table_says() {
    let filters = saved(&[
        ("a", "x @b"),
        ("b", "copies:>2 @c"),
        ("c", "@a"),
        ("bad", "copies:many"),
        ("t", "is:taboo"),
        ("k", "kind:data,Code"),
        ("s", "docs:7..9"),
    ]);
    table("cases/filters.txt", |word, text| {
        let (one, other) = text.split_once(": ").unwrap_or((text, ""));
        let one_line = |holds: bool| vec![if holds { "yes" } else { "no" }.to_owned()];
        match word {
            "read" => problems(text, &SavedFilters::default()),
            "saved" => problems(text, &filters),
            "asks" => {
                let filter = parse(text, &filters).0;
                let least = filter.least(Quantity::Documents);
                vec![format!("taboo {}, {:?}, {least} documents", filter.wants_taboo(), filter.kinds())]
            }
            "marked" => {
                let (_, problems) = parse(text, &SavedFilters::default());
                let marks = syntax(text, &problems).into_iter();
                vec![format!("{:?}", marks.map(|(span, mark)| (&text[span], mark)).collect::<Vec<_>>())]
            }
            "pieces" => {
                let open = |at: Option<usize>| at.map_or(String::new(), |at| format!(", open from {at}"));
                let sign = |negated| if negated { "-" } else { "" };
                let words = pieces(text).map(|piece| {
                    format!("{}{:?}{}", sign(piece.negated), piece.form, open(piece.open_quote))
                });
                words.collect()
            }
            "path" => match PathPattern::parse(one) {
                Ok(pattern) => one_line(pattern.matches(Path::new(other))),
                Err(sentence) => vec![sentence],
            },
            "like" => one_line(WordPattern::fuzzy(one).unwrap().matches(other)),
            "names" => one_line(WordPattern::fuzzy(one).unwrap().matches_path(other)),
            "number" => vec![NumberRange::parse(text).map_or("none".to_owned(), |range| {
                let least = range.least();
                let meant: Vec<u64> = (0..6).filter(|&number| range.contains(number)).collect();
                let has_least = if range.contains(least) { "" } else { ", which it lacks" };
                format!("{meant:?}, at least {least}{has_least}")
            })],
            _ => completed(text),
        }
    });
}
