//! Which commits the lines of a copy come from.

use serde::Serialize;

use super::date::day;
use dupi_base::storage::one_line;
use dupi_review::change::blame::BlamedCommit;

/// A commit that lines of a copy come from.
#[derive(Clone, Debug, Serialize)]
pub struct BlameRow {
    /// How many of the lines.
    pub lines: u32,
    /// The commit; none of lines that are not committed.
    #[serde(flatten)]
    pub commit: Option<BlamedRow>,
}

/// A commit that lines come from.
#[derive(Clone, Debug, Serialize)]
pub struct BlamedRow {
    /// The begin of its name.
    pub commit: String,
    /// Who wrote it.
    pub author: String,
    /// The day on which it was written, in UTC: `2026-03-01`.
    pub date: String,
    /// The first line of its message.
    pub subject: String,
}

impl From<(Option<&BlamedCommit>, u32)> for BlameRow {
    fn from((commit, lines): (Option<&BlamedCommit>, u32)) -> Self {
        let commit = commit.map(|commit| BlamedRow {
            commit: commit.name.clone(),
            author: commit.author.clone(),
            date: day(commit.seconds),
            subject: commit.subject.clone(),
        });
        Self { lines, commit }
    }
}

/// The commit of most lines, for people, behind a comma; nothing if none is known.
pub(super) fn said(blame: &[BlameRow]) -> String {
    let Some(first) = blame.first() else { return String::new() };
    let all: u32 = blame.iter().map(|row| row.lines).sum();
    let part = if first.lines == all { String::new() } else { format!("{} of {all} lines ", first.lines) };
    match &first.commit {
        Some(BlamedRow { commit, author, date, .. }) => {
            format!(", {part}by {} on {date} in {commit}", one_line(author, 40))
        }
        None => format!(", {part}not committed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_the_commit_of_most_lines() {
        let (name, author, subject) = ("0123456789ab".to_owned(), "Ada\tL.".to_owned(), "One".to_owned());
        let commit = BlamedCommit { name, author, seconds: 86_400, subject };
        let rows = [BlameRow::from((Some(&commit), 12)), BlameRow::from((None, 6))];
        assert_eq!(said(&rows), ", 12 of 18 lines by Ada L. on 1970-01-02 in 0123456789ab");
        assert_eq!(said(&rows[1..]), ", not committed");
        assert_eq!(said(&[]), "");
    }
}
