//! Reads unified patches as `git diff`, `git format-patch` and `diff -u` write them.
//!
//! A patch may come from anywhere: nothing in it is trusted. Its paths only name documents of a corpus; one that leaves the
//! corpus is an error, as is a hunk that has not as many lines as its head says, or that lies before an earlier one.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::ops::Range;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, PathBuf};

use super::error::ChangeError;
use super::files::Mode;
use super::lines::{ChangedFile, Hunk, lines_of};

/// How many equal lines programs write around each difference, if nobody asks for fewer.
const USUAL: u32 = 3;

/// The part of a patch that is about one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PatchedFile {
    /// Its path in the new state, or the former one if it is removed.
    pub path: PathBuf,
    /// Its change.
    pub file: ChangedFile,
    /// The path that it no longer has, if the patch removes or renames it.
    pub gone: Option<PathBuf>,
    /// What it is, or was if it is removed, where the patch tells it.
    mode: Option<Mode>,
    /// Lines that the new text has: added ones, and those around them.
    expected: Vec<(u32, String)>,
    /// How many lines the new text has, if a hunk reaches its end.
    length: Option<u32>,
}

impl PatchedFile {
    /// Whether it is another repository: git keeps only which commit of that is meant.
    pub fn is_repository(&self) -> bool {
        self.mode == Some(Mode::Repository)
    }

    /// Whether it is a symbolic link: its text is where that leads.
    pub fn is_link(&self) -> bool {
        self.mode == Some(Mode::Link)
    }

    /// Whether the patch tells neither what it is nor any of its lines, as of one that was only renamed.
    pub fn is_untold(&self) -> bool {
        self.mode.is_none() && self.file.hunks.is_empty()
    }

    /// The first line, from 1, in which a text differs from what the patch makes.
    pub fn differing_line(&self, new: &str) -> Option<u32> {
        let lines: Vec<&str> = lines_of(new).collect();
        let is_there = |at: u32, line: &str| {
            lines.get(at as usize).is_some_and(|found| found.trim_end() == line.trim_end())
        };
        // What is not UTF-8 in the patch cannot be compared.
        let is_other = |at: u32, line: &str| !is_there(at, line) && !line.contains('\u{fffd}');
        let other = self.expected.iter().find(|(at, line)| is_other(*at, line)).map(|(at, _)| at + 1);
        // Only lines that follow tell a removal from lines that are still there.
        let is_told = |hunk: &Hunk| {
            self.expected.binary_search_by_key(&hunk.added.start, |(at, _)| *at).is_ok()
                || !hunk.added.is_empty()
        };
        let still_there = |hunk: &&Hunk| {
            !is_told(hunk)
                && (hunk.added.start..).zip(lines_of(&hunk.text)).all(|(at, line)| is_there(at, line))
        };
        let kept = self.file.hunks.iter().find(still_there).map(|hunk| hunk.added.start + 1);
        other
            .or(kept)
            .or(self.length.filter(|length| lines.len() > *length as usize).map(|length| length + 1))
    }
}

/// The files of a patch.
///
/// # Errors
/// [`ChangeError::Patch`] for the first line that is malformed.
pub fn parse(patch: &[u8]) -> Result<Vec<PatchedFile>, ChangeError> {
    let mut parser =
        Parser { lines: patch.split_inclusive(|byte| *byte == b'\n').collect(), ..Parser::default() };
    while parser.at < parser.lines.len() {
        parser.head_line()?;
        parser.at += 1;
    }
    parser.close()?;
    if !parser.has_head && !patch.trim_ascii().is_empty() {
        return Err(ChangeError::Patch { line: 1, wrong: "begins no unified diff, and no later line does" });
    }
    Ok(parser.files)
}

/// The names of a file before and after; `None` inside for a file that is not there.
type Names = (Option<PathBuf>, Option<PathBuf>);

#[derive(Default)]
struct Parser<'p> {
    lines: Vec<&'p [u8]>,
    /// The index of the line that is read.
    at: usize,
    files: Vec<PatchedFile>,
    known: BTreeSet<PathBuf>,
    /// What is read of the present file.
    file: FileParts,
    has_head: bool,
}

/// What a patch says of one file.
#[derive(Default)]
struct FileParts {
    names: Option<Names>,
    renamed: Names,
    /// What the head line of git names, if that is one file.
    named: Option<PathBuf>,
    copied: Option<PathBuf>,
    is_added: bool,
    is_deleted: bool,
    mode: Option<Mode>,
    length: Option<u32>,
    hunks: Vec<Hunk>,
    expected: Vec<(u32, String)>,
}

impl Parser<'_> {
    fn wrong<T>(&self, wrong: &'static str) -> Result<T, ChangeError> {
        Err(ChangeError::Patch { line: self.at + 1, wrong })
    }

    /// Reads a line outside of hunks; with the head of a hunk, the whole hunk.
    fn head_line(&mut self) -> Result<(), ChangeError> {
        let line = self.lines[self.at];
        let follows = |mark: &[u8]| self.lines.get(self.at + 1).is_some_and(|next| next.starts_with(mark));
        if line.starts_with(b"diff --git ") {
            self.close()?;
            self.has_head = true;
            self.file.named = self.same_name(&line[b"diff --git ".len()..]);
        } else if let Some(mode) = line.strip_prefix(b"new file mode ") {
            (self.file.is_added, self.file.mode) = (true, Some(Mode::parse(mode.trim_ascii())));
        } else if let Some(mode) = line.strip_prefix(b"deleted file mode ") {
            (self.file.is_deleted, self.file.mode) = (true, Some(Mode::parse(mode.trim_ascii())));
        } else if let Some(mode) = line.strip_prefix(b"new mode ") {
            self.file.mode = Some(Mode::parse(mode.trim_ascii()));
        } else if let Some(names) = line.strip_prefix(b"index ") {
            // `index 0123..4567 100644`, without a mode if that is told above.
            let mode = names.trim_ascii().split(|byte| *byte == b' ').nth(1).map(Mode::parse);
            self.file.mode = mode.or(self.file.mode);
        } else if let Some(name) = line.strip_prefix(b"copy to ") {
            self.file.copied = self.name(name, false)?;
        } else if let Some(name) = line.strip_prefix(b"rename from ") {
            self.file.renamed.0 = self.name(name, false)?;
        } else if let Some(name) = line.strip_prefix(b"rename to ") {
            self.file.renamed.1 = self.name(name, false)?;
        } else if let Some(former) = line.strip_prefix(b"--- ")
            && follows(b"+++ ")
        {
            if self.file.names.is_some() {
                self.close()?;
            }
            let former = self.name(former, true)?;
            self.at += 1;
            self.file.names = Some((former, self.name(&self.lines[self.at][4..], true)?));
            self.has_head = true;
        } else if line.starts_with(b"@@@ ") {
            return self.wrong("is of the combined diff of a merge; give the diff to one of its parents");
        } else if line.starts_with(b"@@ ") {
            if self.file.names.is_none() {
                return self.wrong("begins a hunk, but no `---` and `+++` before it name a file");
            }
            self.hunk()?;
        }
        Ok(())
    }

    fn name(&self, bytes: &[u8], has_prefix: bool) -> Result<Option<PathBuf>, ChangeError> {
        name_in(bytes, has_prefix).map_err(|wrong| ChangeError::Patch { line: self.at + 1, wrong })
    }

    /// The name in `a/name b/name`, if both are the same. Of a file without hunks there is no other line with it.
    fn same_name(&self, names: &[u8]) -> Option<PathBuf> {
        let names = names.trim_ascii_end();
        let (one, other) = names.split_at_checked(names.len() / 2)?;
        let [one, other] = [one, other.strip_prefix(b" ")?].map(|name| self.name(name, true).ok().flatten());
        one.filter(|one| other.as_ref() == Some(one))
    }

    /// Ends the file that is read.
    fn close(&mut self) -> Result<(), ChangeError> {
        let FileParts { names, renamed, named, copied, is_added, is_deleted, mode, length, hunks, expected } =
            std::mem::take(&mut self.file);
        // A file without hunks: it was renamed, copied, given another mode, is binary or empty.
        let of_head = |name: PathBuf| ((!is_added).then(|| name.clone()), (!is_deleted).then_some(name));
        let from = renamed.0.clone();
        let names = names.or(from.is_some().then_some(renamed));
        let names = names.or(copied.map(|copied| (None, Some(copied)))).or(named.map(of_head));
        let (former, new) = names.unwrap_or_default();
        let (existed, is_removed) = (former.is_some(), new.is_none());
        let Some(path) = new.or_else(|| former.clone()) else { return Ok(()) };
        // A file that becomes a link, or a link that becomes a file, is removed and added.
        let becomes_other =
            |last: &PatchedFile| last.path == path && last.file.is_removed && !existed && last.mode != mode;
        if !self.known.insert(path.clone()) && !self.files.last().is_some_and(becomes_other) {
            return self.wrong("ends a second change of one file; give one diff of all commits");
        }
        let gone = if is_removed { Some(path.clone()) } else { from };
        let former = former.filter(|former| *former != path);
        let file = ChangedFile { former, existed, is_removed, hunks };
        self.files.push(PatchedFile { path, file, gone, mode, expected, length });
        Ok(())
    }

    /// Reads a hunk. Stays at its last line.
    fn hunk(&mut self) -> Result<(), ChangeError> {
        let Some((removed, added)) = ranges(self.lines[self.at]) else {
            return self.wrong("is no head of a hunk; it should read like `@@ -1,7 +1,8 @@`");
        };
        let (mut old, mut new) = (removed.start, added.start);
        if self.file.hunks.last().is_some_and(|last| last.removed.end > old || last.added.end > new) {
            return self.wrong("begins a hunk that lies before the end of an earlier one");
        }
        // Of adjacent differences one is made.
        let mut joins = false;
        // The equal lines before the first difference, and behind the last one.
        let (mut before, mut behind, mut differs) = (0, 0, false);
        while old < removed.end || new < added.end || self.is_note(self.at + 1) {
            self.at += 1;
            let Some(&line) = self.lines.get(self.at) else {
                self.at -= 1;
                return self.wrong("is the last one, but its hunk should have more");
            };
            let text = || String::from_utf8_lossy(&line[1..]).into_owned();
            let (mark, room) = (line[0], (old < removed.end, new < added.end));
            match (mark, room) {
                (b' ' | b'\n' | b'\r', (true, true)) => {
                    let line = if mark == b' ' { text() } else { String::from_utf8_lossy(line).into_owned() };
                    self.file.expected.push((new, line));
                    (old, new, joins) = (old + 1, new + 1, false);
                    behind += 1;
                    before += u32::from(!differs);
                }
                (b'-', (true, _)) => {
                    let hunk = self.joined(joins, old, new);
                    hunk.text.push_str(&text());
                    hunk.removed.end += 1;
                    (old, joins, differs, behind) = (old + 1, true, true, 0);
                }
                (b'+', (_, true)) => {
                    self.file.expected.push((new, text()));
                    self.joined(joins, old, new).added.end += 1;
                    (new, joins, differs, behind) = (new + 1, true, true, 0);
                }
                (b'\\', _) => self.drop_line_end(),
                _ => return self.wrong("is not a line of its hunk, which should have more lines"),
            }
        }
        // As many equal lines follow as go before, and fewer only at the end of the text.
        self.file.length = (behind < before.min(USUAL)).then_some(added.end);
        Ok(())
    }

    /// Whether a line says that the one before it has no line end.
    fn is_note(&self, at: usize) -> bool {
        self.lines.get(at).is_some_and(|line| line.starts_with(b"\\"))
    }

    /// The difference that a line belongs to.
    fn joined(&mut self, joins: bool, old: u32, new: u32) -> &mut Hunk {
        if !joins || self.file.hunks.is_empty() {
            self.file.hunks.push(Hunk { removed: old..old, added: new..new, text: String::new() });
        }
        let last = self.file.hunks.len() - 1;
        &mut self.file.hunks[last]
    }

    /// The line before has no line end: a removed one is kept without it.
    fn drop_line_end(&mut self) {
        let is_removed = self.lines.get(self.at.wrapping_sub(1)).is_some_and(|line| line.starts_with(b"-"));
        if let Some(hunk) = self.file.hunks.last_mut().filter(|hunk| is_removed && hunk.text.ends_with('\n'))
        {
            hunk.text.pop();
        }
    }
}

/// The lines that the head of a hunk names: `@@ -1,7 +1,8 @@`, without a comma one line.
fn ranges(line: &[u8]) -> Option<(Range<u32>, Range<u32>)> {
    let line = std::str::from_utf8(line.strip_prefix(b"@@ -")?.split(|byte| *byte == b'@').next()?).ok()?;
    let (removed, added) = line.trim_end().split_once(" +")?;
    let range = |text: &str| {
        let (first, lines) = text.split_once(',').unwrap_or((text, "1"));
        let number = |text: &str| text.parse::<u32>().ok().filter(|_| !text.starts_with('+'));
        let (first, lines) = (number(first)?, number(lines)?);
        // An empty range names the line before it.
        let start = if lines == 0 { first } else { first.checked_sub(1)? };
        Some(start..start.checked_add(lines)?)
    };
    Some((range(removed)?, range(added)?))
}

/// The prefixes that git writes before the names of both sides.
const PREFIXES: [&[u8]; 8] = [b"a/", b"b/", b"i/", b"w/", b"c/", b"o/", b"1/", b"2/"];

/// The file that a line names behind `--- `, `+++ ` or `rename from `; `None` for `/dev/null`. What is behind a tab is a
/// time. A name with special characters is in quotation marks, as a string of C.
fn name_in(rest: &[u8], has_prefix: bool) -> Result<Option<PathBuf>, &'static str> {
    let rest = rest.trim_ascii_end();
    let name = match rest.strip_prefix(b"\"") {
        Some(quoted) => unquoted(quoted)
            .ok_or("has a name with a quotation mark that is not closed, or a wrong escape")?,
        None => rest.split(|byte| *byte == b'\t').next().unwrap_or_default().to_vec(),
    };
    if has_prefix && name == b"/dev/null" {
        return Ok(None);
    }
    let prefix = PREFIXES.iter().find(|prefix| has_prefix && name.starts_with(prefix));
    let name = PathBuf::from(OsString::from_vec(name[prefix.map_or(0, |prefix| prefix.len())..].to_vec()));
    let is_inside = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
    if name.as_os_str().is_empty() || !name.components().all(is_inside) {
        return Err("names a file outside of the folder");
    }
    Ok(Some(name.components().filter(|part| *part != Component::CurDir).collect()))
}

/// The text of a string of C without its first quotation mark.
fn unquoted(quoted: &[u8]) -> Option<Vec<u8>> {
    let (mut name, mut bytes) = (Vec::new(), quoted.iter().copied());
    loop {
        let byte = match bytes.next()? {
            b'"' => return Some(name),
            b'\\' => match bytes.next()? {
                b'a' => 7,
                b'b' => 8,
                b't' => b'\t',
                b'n' => b'\n',
                b'v' => 11,
                b'f' => 12,
                b'r' => b'\r',
                first @ b'0'..=b'3' => {
                    let digits = [first, bytes.next()?, bytes.next()?];
                    let is_octal = digits.iter().all(|digit| (b'0'..=b'7').contains(digit));
                    is_octal.then(|| digits.iter().fold(0, |sum: u8, digit| (sum << 3) | (digit - b'0')))?
                }
                byte @ (b'"' | b'\\') => byte,
                _ => return None,
            },
            byte => byte,
        };
        name.push(byte);
    }
}

#[cfg(test)]
mod tests;
