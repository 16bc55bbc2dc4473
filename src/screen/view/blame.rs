//! The lines that say which commits a copy comes from.

use crate::cells;
use crate::text::several;
use dupi_base::storage::shown;
use dupi_index::query::Occurrence;
use dupi_report::day;
use dupi_session::{BlameAnswer, BlamedLines};

/// The width of the number of lines.
const COUNT: usize = 11;
/// The widest that a name is.
const AUTHOR: usize = 20;

/// The heading: the file and lines.
pub(super) fn title(at: &Occurrence) -> String {
    format!("where {}:{}-{} comes from", shown(&at.path), at.line, at.end_line)
}

/// The lines, in a width; what is not known yet is said.
pub(crate) fn lines(answer: Option<&BlameAnswer>, width: usize) -> Vec<String> {
    match answer.map(|answer| &answer.lines) {
        None => vec!["asking git…".to_owned()],
        Some(Err(sentence)) => crate::text::wrapped(sentence, width, usize::MAX),
        Some(Ok(lines)) => lines.iter().map(|of| line(of, width)).collect(),
    }
}

fn line(of: &BlamedLines, width: usize) -> String {
    let count = several(u64::from(of.lines), "line");
    let words = match &of.commit {
        None => "not committed yet".to_owned(),
        Some(commit) => {
            let author = cells::line(&commit.author, AUTHOR);
            format!("{} {} {author}: {}", commit.name, day(commit.seconds), commit.subject)
        }
    };
    format!("{count:>9}  {}", cells::line(&words, width.saturating_sub(COUNT)))
}
