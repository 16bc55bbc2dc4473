//! Markdown for the description or a comment of a pull request: a line that counts, a table, and folded details. GitHub
//! takes [`LIMIT`] characters; what does not fit is counted. Nothing in a text is read as Markdown, HTML, a mention or a
//! reference.

use std::collections::HashSet;
use std::io::{self, Write};

use super::finding::{Finding, Place};
use super::format::{Format, Report, ReportSettings};
use dupi_base::storage::{printable, shown, without_commands};

/// Markdown for a pull request.
pub(super) const FORMAT: Format = Format::of_findings(
    "markdown",
    Some("md"),
    "Markdown for a pull request: counts, a table and folded details, at most 65,536 characters",
    |settings| Box::new(Markdown::new(settings.clone())),
);

/// The most characters of a description or comment.
const LIMIT: usize = 65_536;
/// Characters that are kept for the first lines and the last ones.
const FRAME: usize = 1_000;
/// The most characters of the table; details take the rest.
const TABLE: usize = LIMIT / 3;
/// The most lines of the table.
const LINES: u64 = 50;
/// The most lines and characters of a text in the details.
const QUOTED: (usize, usize) = (40, 4_000);
/// The most places in the details of a finding.
const PLACES: usize = 20;
/// The first characters of a text in the table.
const WORDS: usize = 60;

struct Markdown {
    settings: ReportSettings,
    findings: u64,
    copies: u64,
    documents: HashSet<u64>,
    table: Bounded,
    details: Bounded,
}

/// A text that takes whole parts as long as there is room for the next one.
struct Bounded {
    text: String,
    characters: usize,
    most: usize,
    parts: u64,
    is_full: bool,
}

impl Bounded {
    fn new(most: usize) -> Self {
        Self { text: String::new(), characters: 0, most, parts: 0, is_full: false }
    }

    fn add(&mut self, part: &str) {
        let characters = part.chars().count();
        self.is_full |= self.characters + characters > self.most;
        if !self.is_full {
            self.text.push_str(part);
            self.characters += characters;
            self.parts += 1;
        }
    }
}

impl Markdown {
    fn new(settings: ReportSettings) -> Self {
        let (table, details) = (Bounded::new(TABLE), Bounded::new(LIMIT - TABLE - FRAME));
        Self { settings, findings: 0, copies: 0, documents: HashSet::new(), table, details }
    }

    fn place(&self, place: &Place) -> String {
        let path = place.below(&self.settings.base);
        let lines = match place.part {
            Some(part) if part.line == part.end_line => format!(":{}", part.line),
            Some(part) => format!(":{}-{}", part.line, part.end_line),
            None => String::new(),
        };
        format!("{}{}", code(&format!("{}{lines}", shown(&path))), place.alike())
    }

    fn detail(&self, finding: &Finding) -> String {
        let mut text = format!("<details><summary>{}</summary>\n\n", code_free(&finding.summary));
        if !finding.text.is_empty() {
            let (lines, characters) = QUOTED;
            let quoted: String = finding.text.split_inclusive('\n').take(lines).collect();
            let quoted: String = quoted.chars().take(characters).collect();
            let more = if quoted.len() < finding.text.len() { "\n…" } else { "" };
            text.push_str(&format!("<pre>{}{more}</pre>\n\n", in_html(&printable(&quoted))));
        }
        for place in finding.places.iter().take(PLACES) {
            let note = place.note.as_ref().map(|note| format!(" in {}", code(note))).unwrap_or_default();
            text.push_str(&format!("- {}{note}\n", self.place(place)));
        }
        match finding.copies.saturating_sub(finding.places.len().min(PLACES) as u64) {
            0 => {}
            more => text.push_str(&format!("- and {more} more\n")),
        }
        text.push_str("\n</details>\n\n");
        text
    }
}

impl Report for Markdown {
    fn finding(&mut self, finding: &Finding, _: &mut dyn Write) -> io::Result<()> {
        self.findings += 1;
        self.copies += finding.copies;
        let paths =
            finding.places.iter().map(|place| xxhash_rust::xxh3::xxh3_64(place.path.spelled().as_bytes()));
        self.documents.extend(paths);
        if self.findings <= LINES {
            let first = finding.places.first().map(|place| self.place(place)).unwrap_or_default();
            let words = dupi_base::storage::one_line(finding.text, WORDS);
            let words = if words.is_empty() { String::new() } else { code(&words) };
            let tokens = finding.tokens.map(|tokens| tokens.to_string()).unwrap_or_default();
            let title = finding.rule.title;
            self.table.add(&format!("| {title} | {} | {tokens} | {first} | {words} |\n", finding.copies));
        }
        if !self.details.is_full {
            let detail = self.detail(finding);
            self.details.add(&detail);
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let Self { findings, copies, documents, table, details, .. } = self;
        if *findings == 0 {
            return out.write_all(b"**Nothing is duplicated.**\n");
        }
        let counted = |count: u64, of: &str| format!("{count} {of}{}", if count == 1 { "" } else { "s" });
        writeln!(
            out,
            "**{} with {} places in {} files or folders**\n",
            counted(*findings, "finding"),
            copies,
            documents.len(),
        )?;
        out.write_all(
            b"| what | copies | tokens | first place | text |\n| --- | ---: | ---: | --- | --- |\n",
        )?;
        out.write_all(table.text.as_bytes())?;
        if *findings > table.parts {
            writeln!(out, "\n{} more are not in the table.", *findings - table.parts)?;
        }
        write!(out, "\n{}", details.text)?;
        if *findings > details.parts {
            writeln!(out, "{} more are without details here.", *findings - details.parts)?;
        }
        Ok(())
    }
}

/// A text as code in a line or a cell: each sign that Markdown could read is written by its number.
fn code(text: &str) -> String {
    format!("<code>{}</code>", code_free(text))
}

/// A text in a line or a cell.
fn code_free(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in printable(text).chars() {
        match character {
            '\n' | '\t' => escaped.push(' '),
            // A dot behind `www` would make a link.
            '.' if escaped.ends_with(['w', 'W']) => escaped.push_str("&#46;"),
            ',' | '.' | '-' | '/' | '%' => escaped.push(character),
            _ if character.is_ascii_punctuation() => escaped.push_str(&format!("&#{};", character as u32)),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// A text in a block of HTML.
fn in_html(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    without_commands(&text, "&#58;", "&#35;").into_owned()
}
