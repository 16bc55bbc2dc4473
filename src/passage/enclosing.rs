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
    let from = text.floor_char_boundary(at.saturating_sub(READ));
    let above = &text[from..at];
    let start = match above.rfind('\n') {
        Some(end) => from + end + 1,
        None if from == 0 => 0,
        None => return None,
    };
    let mut own = text[start..text.floor_char_boundary(start + READ)].lines().map(str::trim_end);
    let (line, below) = (own.next().unwrap_or_default(), own.next().unwrap_or_default());
    let above = text[from..start].lines().rev().map(str::trim_end);
    let found =
        if is_code { definition(above, line) } else { heading(std::iter::once(line).chain(above), below) };
    found.map(|line| {
        let line = &line[..line.floor_char_boundary(LONGEST)];
        let line = line.trim_end_matches(['{', ':', ' ', '\t']);
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        start..start + line.len()
    })
}

/// The line itself if it defines something, else the nearest line above that does and is indented less than all lines
/// between it and `line`. The lines above come the nearest first, without white space at their ends.
fn definition<'a>(above: impl Iterator<Item = &'a str>, line: &'a str) -> Option<&'a str> {
    let mut least = indentation(line);
    if defines(line.trim_start(), least == 0) {
        return Some(line.trim_start());
    }
    for line in above.filter(|line| !line.is_empty()) {
        let indent = indentation(line);
        let trimmed = line.trim_start();
        if indent < least {
            if defines(trimmed, indent == 0) {
                return Some(trimmed);
            }
            least = indent;
        }
        // What was defined above ends here, unless the line goes on or opens a body of its own.
        let is_body = trimmed.starts_with(['{', ')', '(']) || trimmed.ends_with(['{', ',', ':', '\\']);
        let is_label = trimmed.starts_with('#') || trimmed.ends_with(':');
        if indent == 0 && !is_body && !is_label && least == 0 {
            return None;
        }
        // The brace of a body stands in the column of its head.
        if trimmed.starts_with('{') {
            least = indent + 1;
        }
    }
    None
}

fn indentation(line: &str) -> usize {
    line.chars()
        .take_while(|letter| letter.is_whitespace())
        .map(|letter| if letter == '\t' { 8 } else { 1 })
        .sum()
}

/// The nearest heading, upwards from the line above `below`: a line with `#` before it or a ruler below it, or the
/// subject of a mail.
fn heading<'a>(lines: impl Iterator<Item = &'a str>, mut below: &'a str) -> Option<&'a str> {
    for line in lines {
        let is_marked =
            line.strip_prefix('#').is_some_and(|rest| rest.trim_start_matches('#').starts_with(' '));
        if is_marked || is_ruler(below) && !line.is_empty() && !is_ruler(line) {
            return Some(line.trim_start_matches('#').trim());
        }
        if let Some(subject) = line.strip_prefix("Subject: ") {
            return Some(subject);
        }
        below = line;
    }
    None
}

/// Whether a line is drawn of one sign, as below a heading.
fn is_ruler(line: &str) -> bool {
    let mut signs = line.chars();
    let first = signs.next().filter(|sign| "=-~^*\"'`+#_:.".contains(*sign));
    line.len() >= 3 && first.is_some_and(|first| signs.all(|sign| sign == first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<'a>(text: &'a str, at: &str, is_code: bool) -> Option<&'a str> {
        enclosing(text, text.find(at).unwrap(), is_code).map(|line| &text[line])
    }

    #[test]
    fn a_place_in_code_belongs_to_the_function_around_it() {
        let c = "int a(void)\n{\n\treturn 1;\n}\n\nstatic int b(struct inode *inode,\n\t     int flags)\n{\n\tif (flags) {\n\t\tx = 1;\n\t}\n\tlast = 2;\n}\n\nint z;\n";
        assert_eq!(of(c, "return 1", true), Some("int a(void)"));
        assert_eq!(of(c, "x = 1", true), Some("static int b(struct inode *inode,"));
        assert_eq!(of(c, "last", true), Some("static int b(struct inode *inode,"));
        assert_eq!(of(c, "flags)\n", true), Some("static int b(struct inode *inode,"));
        assert_eq!(of(c, "inode *inode", true), Some("static int b(struct inode *inode,"));
        assert_eq!(of(c, "int z", true), None);
        let python = "class A:\n    def f(self):\n        pass\n\n    def g(self):\n        if x:\n            y = 1\n\n\ndef h():\n    pass\n";
        assert_eq!(of(python, "y = 1", true), Some("def g(self)"));
        assert_eq!(of(python, "def g", true), Some("def g(self)"));
        assert_eq!(of(python, "def h", true), Some("def h()"));
        let rust = "impl A {\n    fn f(&self) -> u8 {\n        match x {\n            1 => 2,\n        }\n    }\n}\n";
        assert_eq!(of(rust, "1 => 2", true), Some("fn f(&self) -> u8"));
    }

    #[test]
    fn what_is_far_above_is_not_sought() {
        let far = format!("# One\n{}\nhere", "word\n".repeat(READ / 5 + 1));
        assert_eq!(of(&far, "here", false), None);
        let long = format!("# One\n{} here", "word ".repeat(READ / 5 + 1));
        assert_eq!(of(&long, "here", false), None);
    }

    #[test]
    fn a_place_in_prose_belongs_to_the_heading_above_it() {
        let markdown = "# One\n\ntext\n\n## Two words\n\nmore text\n";
        assert_eq!(of(markdown, "text", false), Some("One"));
        assert_eq!(of(markdown, "more", false), Some("Two words"));
        let rest = "Intro\n=====\n\nwords here\n\nUsage\n-----\n\nother words\n";
        assert_eq!(of(rest, "other", false), Some("Usage"));
        assert_eq!(of(rest, "age\n", false), Some("Usage"));
        assert_eq!(of(markdown, "words", false), Some("Two words"));
        assert_eq!(of("From: a\nSubject: Lunch\n\nHello", "Hello", false), Some("Lunch"));
        assert_eq!(of("plain\n\nwords", "words", false), None);
    }
}
