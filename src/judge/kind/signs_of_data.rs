//! What the rules for lines look for in data: records, constants, and tables set with spaces or strokes.

use super::lines::Line;
use super::sample::{Sample, Shares};
use super::signs::Around;
use super::words::STOPWORDS;

/// It is of a language that holds data.
pub(super) fn is_record(line: &Line, _: &Around) -> bool {
    line.tongue.is_records
}

/// It is a row of a table of values: a path, a code and what belongs to it, short words between strokes, numbers with
/// their units, numbers and what they stand for, a number behind a line of dots, or names of files. A row with a sentence in a cell is text.
pub(super) fn is_row(line: &Line, _: &Around) -> bool {
    if line.tongue.is_source {
        return false;
    }
    if has_leader(line.text) {
        return true;
    }
    if line.tongue.is_tagged {
        return false;
    }
    if is_path(line.text) || lists_files(line.text) {
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
            || cells.len() >= 3 && cells[..2].iter().all(|cell| is_value(cell))
            || line.numbers >= 2 && line.numbers * 3 >= line.tokens)
}

/// Whether a number stands behind a line of dots: `Entries........ 12`.
fn has_leader(text: &str) -> bool {
    const DOTS: &str = "......";
    // Hardly any line has them.
    text.contains(DOTS)
        && text.rsplit_once(DOTS).is_some_and(|(_, value)| {
            let value = value.trim_start_matches('.').trim();
            value.starts_with(|c: char| c.is_ascii_digit()) && value.split_whitespace().count() <= 3
        })
}

/// Whether a line is the path of a file and nothing else.
fn is_path(text: &str) -> bool {
    let is_one = || !text.contains(|c: char| c.is_whitespace() || "<>(){}[]=\"'`:;,|*".contains(c));
    // Hardly any line has two strokes.
    text.bytes().filter(|byte| *byte == b'/').count() >= 2
        && is_one()
        && text.rsplit('/').next().is_some_and(|name| name.contains('.'))
}

/// Whether nearly all words of a line are names of files: `po/de.po, po/fr.po, po/it.po`.
fn lists_files(text: &str) -> bool {
    let is_file = |word: &str| {
        let ending =
            word.rsplit_once('.').map_or("", |(name, ending)| if name.is_empty() { "" } else { ending });
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || "_./-+".contains(c);
        ending.len() <= 5
            && ending.starts_with(|c: char| c.is_ascii_alphabetic())
            && word.chars().all(is_of_name)
    };
    if text.bytes().filter(|byte| *byte == b'.').count() < 3 {
        return false;
    }
    let (mut words, mut files) = (0, 0);
    for word in text.split_whitespace().map(|word| word.trim_matches([',', ':', ';', '*', '.', '(', ')'])) {
        words += usize::from(!word.is_empty());
        files += usize::from(is_file(word));
    }
    files >= 3 && files * 4 >= words * 3
}

/// Whether a cell holds a number, in whichever base.
fn is_value(cell: &str) -> bool {
    let is_part = |c: char| c.is_ascii_hexdigit() || "xX.,%+-".contains(c);
    cell.len() <= 10 && cell.contains(|c: char| c.is_ascii_digit()) && cell.chars().all(is_part)
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

/// It is a list of records in a file that is no source code: its lines are fields, and the same few names of fields come
/// again and again, between marks of items.
pub(super) fn is_records(sample: &Sample, _: &Shares) -> bool {
    /// Names of fields.
    const MOST: usize = 12;
    /// So many bytes before the passage are read too: it may be shorter than two records.
    const BEFORE: usize = 400;
    if sample.file.tongue.is_source || sample.file.tongue.is_tagged {
        return false;
    }
    let is_name =
        |key: &&str| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let (mut lines, mut fields, mut items) = (0, 0, 0);
    let mut keys: Vec<(&str, u32)> = Vec::new();
    let from = sample.text.ceil_char_boundary(sample.start.saturating_sub(BEFORE));
    for line in sample.text[from..].lines().skip(1) {
        let line = line.trim();
        let field = line.strip_prefix("- ").unwrap_or(line);
        lines += u32::from(!line.is_empty());
        items += u32::from(line == "-" || field.len() < line.len());
        let Some(key) = field.split_once(": ").map(|(key, _)| key).filter(is_name) else { continue };
        fields += 1;
        match keys.iter().position(|(known, _)| *known == key) {
            Some(at) => keys[at].1 += 1,
            None if keys.len() < MOST => keys.push((key, 1)),
            None => return false,
        }
    }
    let again = keys.iter().filter(|(_, count)| *count > 1).count();
    items >= 2 && again >= 2 && (fields + items) * 5 >= lines * 4 && fields >= keys.len() as u32 * 2 - 1
}

/// A name that gets a constant value: `#define A 1`, `pub const A: u8 = 1;`, `CONFIG_A=y`.
pub(super) fn is_constant(line: &Line, _: &Around) -> bool {
    let text = line.text;
    let is_plain = |c: char| c.is_lowercase();
    if !line.tongue.is_source {
        let Some((name, value)) = text.split_once('=') else {
            return text.starts_with("# CONFIG_") && text.ends_with(" is not set");
        };
        let (name, value) = (name.trim(), value.trim());
        let is_value = !value.is_empty() && !value.contains(is_plain);
        return name.len() > 3
            && (name.contains('_') || is_value)
            && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
            && !value.contains(' ');
    }
    if let Some(define) = text.strip_prefix("#define") {
        let mut parts = define.trim_start().splitn(2, [' ', '\t']);
        let (name, value) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let has_number = line.numbers > 0 && line.plain_names <= 1 && !value.is_empty();
        return !name.contains('(') && (has_number || is_number(value));
    }
    if !text.contains('=') {
        return false;
    }
    let Some((name, value)) = text.split_once(" = ") else { return false };
    let value = value.trim_end_matches([';', ',']);
    let is_literal =
        value.starts_with(|c: char| c.is_ascii_digit() || "\"'-".contains(c)) && !value.contains('(');
    let declares = ["const ", "static final ", "constexpr "].iter().any(|word| name.contains(word));
    let is_constants_name = !name.trim_end().contains(|c: char| is_plain(c) || c == ' ');
    let is_member = is_constants_name && (text.ends_with(',') || is_number(value));
    is_literal && (declares && text.ends_with(';') || is_member)
}

/// Whether a value is a number, or made of numbers: `0x2868`, `(1 << 4)`, `-8L`.
fn is_number(value: &str) -> bool {
    let value = value.split("/*").next().unwrap_or_default();
    let value = value.split("//").next().unwrap_or_default().trim();
    let is_part = |c: char| c.is_ascii_hexdigit() || "xXuUlL()-~+<>| ".contains(c);
    value.chars().all(is_part)
        && value.trim_start_matches(['(', '-', '~']).starts_with(|c: char| c.is_ascii_digit())
}
