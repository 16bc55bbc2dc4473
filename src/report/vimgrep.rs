//! `path:line:column:text`, one line for each place, as `grep -n` and its like write: editors read it as a list of
//! places (vim: `:cfile`, `vim -q`; Emacs: `compilation-mode`).
//!
//! A path stands there as its bytes, so that the editor can open it. One that would break the line, read as another path or
//! [command](dupi_base::storage::without_commands) a workflow run is written in the [printable form](dupi_base::storage::shown).

use std::borrow::Cow;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::finding::Finding;
use super::format::{Format, Report, ReportSettings};
use dupi_base::storage::{escape, is_harmful, printable, shown, uncommanded};

/// Lines for editors.
pub(super) const FORMAT: Format = Format::of_findings(
    "vimgrep",
    Some("vimgrep"),
    "path:line:column:text, one line for each place, for editors (vim -q)",
    |settings| Box::new(Lines(settings.clone())),
);

/// The first characters of a text that are shown.
const TEXT: usize = 120;

struct Lines(ReportSettings);

impl Report for Lines {
    fn finding(&mut self, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
        let headline = printable(&finding.headline(TEXT));
        let headline = uncommanded(&headline);
        for (number, place) in finding.places.iter().enumerate() {
            let (line, column) = place.part.map_or((1, 1), |part| (part.line, part.column));
            out.write_all(&path_before_line(&place.below(&self.0.base)))?;
            let (of, alike) = (finding.copies, place.alike());
            writeln!(out, ":{line}:{column}:{} {} of {of}{alike}: {headline}", finding.id, number + 1)?;
        }
        Ok(())
    }
}

/// The bytes of a path, or where they would break a line, read as another path or command a workflow run, its printable
/// form. It ends before the first colon and number behind it.
pub fn path_before_line(path: &Path) -> Vec<u8> {
    let bytes = path.as_os_str().as_bytes();
    let is_number_next = |at: usize| bytes[at] == b':' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
    let has_number = (0..bytes.len()).any(is_number_next);
    let reads_otherwise = (0..bytes.len()).any(|at| escape(&bytes[at..]).is_some());
    let is_harmful = bytes.utf8_chunks().any(|chunk| chunk.valid().chars().any(is_harmful));
    let text = shown(path).to_string();
    let is_command = matches!(uncommanded(&text), Cow::Owned(safe) if safe != text);
    if !has_number && !reads_otherwise && !is_harmful && !is_command {
        return bytes.to_vec();
    }
    let text = uncommanded(&text);
    let mut spelt = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        match character {
            ':' if text[at + 1..].starts_with(|next: char| next.is_ascii_digit()) => {
                spelt.push_str("\\x3a");
            }
            _ => spelt.push(character),
        }
    }
    spelt.into_bytes()
}
