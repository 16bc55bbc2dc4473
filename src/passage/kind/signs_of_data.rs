//! What the rules for lines look for in data that is not written as code: records, and tables set with spaces or
//! strokes.

use super::lines::Line;
use super::signs::Around;
use super::words::STOPWORDS;

/// It is of a language that holds data.
pub(super) fn is_record(line: &Line, _: &Around) -> bool {
    line.tongue.is_records
}

/// It is a row of a table of values: a path, a code and what belongs to it, short words between strokes, or numbers
/// with their units. A row with a sentence in a cell is text.
pub(super) fn is_row(line: &Line, _: &Around) -> bool {
    if line.tongue.is_source || line.tongue.is_tagged {
        return false;
    }
    if is_path(line.text) {
        return true;
    }
    if !line.text.contains(['|', '\t']) && !line.text.contains("  ") {
        return false;
    }
    let text = line.text.trim_start_matches('#').trim();
    let is_small = |word: &str| STOPWORDS.contains(&word);
    if text.split(|c: char| !c.is_alphanumeric()).any(is_small) {
        return false;
    }
    let cells: Vec<&str> = text
        .split(['|', '\t'])
        .flat_map(|part| part.split("  "))
        .map(str::trim)
        .filter(|cell| !cell.is_empty())
        .collect();
    cells.len() >= 2
        && (is_within_strokes(text, &cells)
            || begins_with_code(cells[0])
            || line.numbers >= 2 && line.numbers * 3 >= line.tokens)
}

/// Whether a line is the path of a file and nothing else.
fn is_path(text: &str) -> bool {
    let is_one = !text.contains(|c: char| c.is_whitespace() || "<>(){}[]=\"'`:;,|*".contains(c));
    is_one && text.matches('/').count() >= 2 && text.rsplit('/').next().is_some_and(|name| name.contains('.'))
}

/// Whether strokes are around the row, and hardly more than a word in each cell.
fn is_within_strokes(text: &str, cells: &[&str]) -> bool {
    const LONGEST: usize = 14;
    let is_short = |cell: &&str| cell.len() <= LONGEST && cell.split_whitespace().count() <= 2;
    text.len() > 2 && text.starts_with('|') && text.ends_with('|') && cells.iter().all(is_short)
}

/// Whether a cell begins with a code that has one name or two: `U+00c0 Agrave`.
fn begins_with_code(cell: &str) -> bool {
    let mut words = cell.split(' ');
    words.next().is_some_and(is_code) && words.count() <= 2
}

/// Whether a word has letters and digits, as `U+00e9` and `gpio12` have.
fn is_code(word: &str) -> bool {
    let has = |is: fn(&char) -> bool| word.chars().any(|c| is(&c));
    let is_word = |c: char| c.is_ascii_alphanumeric() || "+_-".contains(c);
    word.chars().all(is_word) && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic)
}
