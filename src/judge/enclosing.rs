//! The function or heading that a place in a text belongs to, found by a scan of its line and the lines above it: by
//! indentation in source code, by the marks of headings in prose.

use std::ops::Range;

use super::headline::defines;

/// How many bytes above a place are read, and of its line.
const READ: usize = 32 << 10;
/// The most bytes of a line that is found.
const LONGEST: usize = 200;

/// The bytes of the line that names the innermost function, type or section around a place, without the sign that opens
/// its body and at most the beginning of a long one; none if neither the line of the place nor one above it does. `at`
/// must lie on a character boundary of `text`.
pub fn enclosing(text: &str, at: usize, is_code: bool) -> Option<Range<usize>> {
    Enclosing::new(text, is_code).range_at(at)
}

/// Finds what encloses places in one text. A scan that meets the one before it ends there: so the lines of a text are
/// read about once for all places in it, if these come in ascending order.
pub struct Enclosing<'t> {
    text: &'t str,
    is_code: bool,
    /// How many bytes above a place are read, and of its line.
    reach: usize,
    /// The place before.
    last: usize,
    /// The lines that the scan before read, the highest first: where each begins, and what was known above it.
    path: Vec<(usize, usize)>,
    /// What this scan found.
    found: Option<&'t str>,
    /// How many lines all scans read.
    #[cfg(test)]
    lines: usize,
}

/// What a line tells about what encloses those below it.
enum Step<'t> {
    /// This part of the line names it.
    Named(&'t str),
    /// Nothing does.
    Nothing,
    /// It depends on the lines above, and on this number.
    Above(usize),
}

impl<'t> Enclosing<'t> {
    /// For places in a text.
    pub fn new(text: &'t str, is_code: bool) -> Self {
        Self {
            text,
            is_code,
            reach: READ,
            last: 0,
            path: Vec::new(),
            found: None,
            #[cfg(test)]
            lines: 0,
        }
    }

    /// What [`enclosing`] returns for a place.
    pub fn range_at(&mut self, at: usize) -> Option<Range<usize>> {
        let text = self.text;
        let from = text.floor_char_boundary(at.saturating_sub(self.reach));
        let start = match text[from..at].rfind('\n') {
            Some(end) => from + end + 1,
            None if from == 0 => 0,
            None => return None,
        };
        // Lines above are read as a whole or not at all.
        let is_begin = from == 0 || text.as_bytes()[from - 1] == b'\n';
        let top =
            if is_begin { from } else { text[from..start].find('\n').map_or(start, |end| from + end + 1) };
        if at < std::mem::replace(&mut self.last, at) {
            self.path.clear();
        }
        let mut own = text[start..text.floor_char_boundary(start + self.reach)].lines();
        let (line, below) = (own.next().unwrap_or(&text[start..start]), own.next().unwrap_or_default());
        let lines = std::iter::once(line).chain(text[top..start].lines().rev());
        let name = self.scan(lines.map(str::trim_end), below.trim_end(), top)?;
        let name = &name[..name.floor_char_boundary(LONGEST)];
        let name = name.trim_end_matches(['{', ':', ' ', '\t']);
        let start = self.offset(name);
        Some(start..start + name.len())
    }

    /// What the nearest of some lines names as enclosing the first one. They come the nearest first, each whole one
    /// behind `top`; the one `below` them stands before the first.
    fn scan(
        &mut self,
        lines: impl Iterator<Item = &'t str>,
        mut below: &'t str,
        top: usize,
    ) -> Option<&'t str> {
        let mut read: Vec<(usize, usize)> = Vec::new();
        let (mut found, mut has_met) = (None, false);
        for line in lines {
            #[cfg(test)]
            {
                self.lines += 1;
            }
            let known = read.last().map(|&(_, known)| known);
            let step = if self.is_code { definition(line, known) } else { heading(line, below) };
            let known = match step {
                // The scan before is of more use to the next place than this one.
                Step::Named(name) if read.is_empty() => return Some(name),
                Step::Named(name) => {
                    found = Some(name);
                    break;
                }
                Step::Nothing => break,
                Step::Above(known) => known,
            };
            let start = self.offset(line);
            while self.path.last().is_some_and(|before| before.0 > start) {
                self.path.pop();
            }
            has_met = self.path.last() == Some(&(start, known));
            if has_met {
                break;
            }
            read.push((start, known));
            below = line;
        }
        if !has_met {
            self.path.clear();
            self.found = found;
        }
        self.path.extend(read.into_iter().rev());
        // Lines so far above are not read again: the next place is not before this one.
        if self.path.len() > 2 * self.reach {
            let above = self.path.partition_point(|&(start, _)| start < top);
            self.path.drain(..above);
        }
        self.found.filter(|name| self.offset(name) >= top)
    }

    /// Where a part of the text begins.
    fn offset(&self, part: &str) -> usize {
        part.as_ptr() as usize - self.text.as_ptr() as usize
    }
}

/// What a line of source code tells, given by how much the lines from it down to that of the place are indented at
/// least; `None` if it is the line of the place. It names what encloses the others if it defines something and is
/// indented less.
fn definition(line: &str, least: Option<usize>) -> Step<'_> {
    let trimmed = line.trim_start();
    let indent = indentation(line);
    let Some(mut least) = least else {
        return if defines(trimmed, indent == 0) { Step::Named(trimmed) } else { Step::Above(indent) };
    };
    if line.is_empty() {
        return Step::Above(least);
    }
    if indent < least {
        if defines(trimmed, indent == 0) {
            return Step::Named(trimmed);
        }
        least = indent;
    }
    // What was defined above ends here, unless the line goes on or opens a body of its own.
    let is_body = trimmed.starts_with(['{', ')', '(']) || trimmed.ends_with(['{', ',', ':', '\\']);
    let is_label = trimmed.starts_with('#') || trimmed.ends_with(':');
    if indent == 0 && !is_body && !is_label && least == 0 {
        return Step::Nothing;
    }
    // The brace of a body stands in the column of its head.
    Step::Above(if trimmed.starts_with('{') { indent + 1 } else { least })
}

fn indentation(line: &str) -> usize {
    line.chars()
        .take_while(|letter| letter.is_whitespace())
        .map(|letter| if letter == '\t' { 8 } else { 1 })
        .sum()
}

/// What a line of prose tells: a heading has `#` before it or a ruler below it, or is the subject of a mail.
fn heading<'t>(line: &'t str, below: &str) -> Step<'t> {
    let is_marked = line.strip_prefix('#').is_some_and(|rest| rest.trim_start_matches('#').starts_with(' '));
    if is_marked || is_ruler(below) && !line.is_empty() && !is_ruler(line) {
        return Step::Named(line.trim_start_matches('#').trim());
    }
    line.strip_prefix("Subject: ").map_or(Step::Above(0), Step::Named)
}

/// Whether a line is drawn of one sign, as below a heading.
fn is_ruler(line: &str) -> bool {
    let mut signs = line.chars();
    let first = signs.next().filter(|sign| "=-~^*\"'`+#_:.".contains(*sign));
    line.len() >= 3 && first.is_some_and(|first| signs.all(|sign| sign == first))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of<'a>(text: &'a str, at: &str, is_code: bool) -> Option<&'a str> {
        enclosing(text, text.find(at).unwrap(), is_code).map(|line| &text[line])
    }

    #[test]
    fn places_lie_in_what_the_table_says() {
        crate::script::table("cases/enclosing.txt", |word, marked| {
            let text = marked.replace('¦', "");
            let places =
                marked.match_indices('¦').enumerate().map(|(count, (at, sign))| at - count * sign.len());
            let line =
                |at| enclosing(&text, at, word == "code").map_or("nothing", |line| &text[line]).to_owned();
            places.map(line).collect()
        });
    }

    #[test]
    fn what_is_far_above_is_not_sought() {
        let far = format!("# One\n{}\nhere", "word\n".repeat(READ / 5 + 1));
        assert_eq!(of(&far, "here", false), None);
        let long = format!("# One\n{} here", "word ".repeat(READ / 5 + 1));
        assert_eq!(of(&long, "here", false), None);
    }

    /// Some text of lines that name something, go on, or end what was defined.
    fn lines() -> impl Strategy<Value = String> {
        let line = prop::sample::select(
            "|word|\tword|    word {|  {|{|}|fn f() {|  fn f() {|\tint g(int a)|# One|---|Subject: a|\
            if (é) {|a,|label:|long word after word after word"
                .split('|')
                .collect::<Vec<_>>(),
        );
        prop::collection::vec(line, 0..60).prop_map(|lines| lines.join("\n"))
    }

    proptest! {
        #[test]
        fn places_in_one_text_are_told_as_each_alone(
            text in lines(),
            mut places in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
            is_ascending: bool,
            is_code: bool,
            reach in 1..120_usize,
        ) {
            let with_reach = || Enclosing { reach, ..Enclosing::new(&text, is_code) };
            let place = |index: &prop::sample::Index| text.floor_char_boundary(index.index(text.len() + 1));
            if is_ascending {
                places.sort_by_key(place);
            }
            let mut all = with_reach();
            for at in places.iter().map(place) {
                prop_assert_eq!(all.range_at(at), with_reach().range_at(at), "{} of {:?}", at, &text);
            }
        }
    }

    #[test]
    fn the_lines_of_a_text_are_read_about_once() {
        for line in ["word\n", "\tword\n", "\t{\n", "\tword {\n"] {
            let text = line.repeat(100_000);
            for is_code in [false, true] {
                let mut all = Enclosing::new(&text, is_code);
                for at in (0..text.len()).step_by(line.len()) {
                    assert_eq!(all.range_at(at), None);
                    assert!(all.path.len() <= 2 * READ + 1);
                }
                assert!(all.lines <= 3 * 100_000, "{line:?} {is_code}: {}", all.lines);
            }
        }
    }
}
