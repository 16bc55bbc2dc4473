//! What the rules for lines look for.

use super::lines::Line;
use super::phrases::Phrases;
use super::scan::{Bytes, Words, has};
use super::signs_of_imports::begins_import;
use super::words::{FIELDS, STATEMENTS, STOPWORDS};
use dupi_index::query::filter::Kind;

/// What the lines before say about the next one.
#[derive(Debug, Default)]
pub(super) struct Around {
    /// Brackets of an import that are open, and for how many lines.
    import: Option<(i32, u32)>,
    /// Whether the line belongs to an import.
    is_import: bool,
    /// Lines behind the dashes that begin a signature.
    signature: Option<u32>,
    /// Whether the line before was a notice of rights.
    after_notice: bool,
    /// Whether the line before was an import.
    after_import: bool,
    /// Whether the line before was data.
    after_data: bool,
    /// Whether a fence of Markdown is open.
    fenced: bool,
}

impl Around {
    /// Takes note of what a line opens.
    pub(super) fn enter(&mut self, line: &Line) {
        let text = line.text;
        if let Some((depth, lines)) = self.import {
            let depth = depth + depth_of(text);
            let goes_on = (depth > 0 || text.ends_with('\\')) && lines < 80;
            self.import = goes_on.then_some((depth, lines + 1));
            self.is_import = true;
        } else {
            self.is_import = begins_import(line);
            let goes_on = self.is_import && (depth_of(text) > 0 || text.ends_with('\\'));
            self.import = goes_on.then(|| (depth_of(text), 0));
        }
        self.signature = match self.signature {
            _ if !line.tongue.is_source && (text == "--" || text == "- --") => Some(0),
            Some(lines) if !text.is_empty() && lines < 8 => Some(lines + 1),
            _ => None,
        };
        if !line.tongue.is_source && text.starts_with("```") {
            self.fenced = !self.fenced;
        }
    }

    /// Takes note of what a line was.
    pub(super) fn leave(&mut self, line: &Line, kind: Option<Kind>) {
        if !line.text.is_empty() {
            self.after_notice = kind == Some(Kind::Licence);
            self.after_import = kind == Some(Kind::Imports);
            self.after_data = kind == Some(Kind::Data);
        }
    }
}

/// How many more brackets a text opens than it closes.
fn depth_of(text: &str) -> i32 {
    let of = |byte: u8| match byte {
        b'{' | b'(' | b'[' => 1,
        b'}' | b')' | b']' => -1,
        _ => 0,
    };
    text.bytes().map(of).sum()
}

/// A text without the marks of comments before it.
fn bare(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || "/*#;!-%.\"'|>".contains(c))
}

/// Whether a text begins so, whatever the case.
fn begins(text: &str, with: &str) -> bool {
    text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with))
}

/// SPDX, a copyright, a reservation of rights; or years and names that follow one.
pub(super) fn is_notice(line: &Line, around: &Around) -> bool {
    if line.tongue.is_source && line.code > line.comment {
        return false;
    }
    let text = bare(line.text);
    if line.tongue.is_source && names_writer(line, text) {
        return true;
    }
    let is_year = |text: &str| text.len() >= 4 && text.as_bytes()[..4].iter().all(u8::is_ascii_digit);
    let follows = around.after_notice && is_year(text) && line.tongue.is_source;
    if !begins(text, "(c) ") && !begins(text, "\u{a9} ") && !has(text, "right") && !has(text, "spdx-") {
        return follows;
    }
    let begins_notice = begins(text, "copyright") || begins(text, "(c) ") || begins(text, "\u{a9} ");
    let says_more = || text.contains(|c: char| c.is_ascii_digit()) || has(text, "rights") || has(text, "(c)");
    begins(text, "spdx-")
        || has(text, "spdx-license-identifier")
        || begins_notice && (says_more() || begins(text, "copyright the "))
        || has(text, "all rights reserved")
        || has(text, "copyright (c)")
        || has(text, "copyright \u{a9}")
        || follows
}

/// Whether a line of a comment names who wrote the file, or in its head who has the rights: `@author Ada Byron`,
/// `(*  v  *  Copyright INRIA, CNRS and contributors  *)`.
fn names_writer(line: &Line, text: &str) -> bool {
    /// So far reaches the head of a file.
    const HEAD: usize = 1500;
    /// Letters of a drawing before the notice.
    const DRAWN: usize = 4;
    if line.code > 0 {
        return false;
    }
    if text.starts_with("@author ") || text.starts_with("\\author ") {
        return true;
    }
    line.offset < HEAD
        && text.split_once("Copyright ").is_some_and(|(before, after)| {
            let begins = |is: fn(char) -> bool| after.starts_with(is);
            let is_bare = || before.chars().filter(|c| c.is_alphabetic()).count() <= DRAWN;
            begins(|c| c.is_ascii_digit()) || begins(char::is_uppercase) && is_bare()
        })
}

/// Most of its words belong to phrases of licences.
pub(super) fn has_licence_phrases(line: &Line, _: &Around) -> bool {
    line.phrases == Some(Phrases::Licence)
}

/// Most of its words belong to phrases that mail ends with.
pub(super) fn has_mail_phrases(line: &Line, _: &Around) -> bool {
    line.phrases == Some(Phrases::Mail)
}

/// It imports something, or stands in the brackets of what does.
pub(super) fn is_import(line: &Line, around: &Around) -> bool {
    let joins = line.text.starts_with("#[cfg")
        || line.text.starts_with("#[allow")
        || line.text.starts_with("@testable");
    around.is_import || around.after_import && joins && line.comment <= line.code
}

/// It is quoted in mail, or says who is.
pub(super) fn is_quoted(line: &Line, _: &Around) -> bool {
    let text = line.text;
    let is_quoted =
        text == ">" || text.starts_with("> ") || text.starts_with(">>") || text.starts_with("|> ");
    !line.tongue.is_source
        && !line.tongue.is_tagged
        && (is_quoted || text.ends_with(" wrote:") || text.ends_with(" schrieb:"))
}

/// It follows the dashes that begin a signature.
pub(super) fn is_in_signature(_: &Line, around: &Around) -> bool {
    around.signature.is_some()
}

/// It is a field of the head of a mail, of a page or of a description: `Subject: …`, `layout: …`, `:Author: …`.
pub(super) fn is_field(line: &Line, _: &Around) -> bool {
    /// So far reaches the head of a file of settings.
    const HEAD: usize = 1500;
    let is_head = line.tongue.is_yaml && line.offset < HEAD && line.indent == 0;
    if line.tongue.is_source && !is_head || line.tongue.is_records {
        return false;
    }
    let text = line.text.trim_start_matches(':');
    let Some((key, value)) = text.split_once(':') else {
        return is_head && (text == "---" || text.starts_with("%YAML"));
    };
    let is_long = value.len() > 160 || key.len() > 32;
    let known = || FIELDS.iter().any(|field| key.eq_ignore_ascii_case(field)) || begins(key, "x-");
    let is_bare = line.text.starts_with(':') && !key.is_empty() && !key.contains(' ');
    !is_long && (is_bare || known() && (value.is_empty() || value.starts_with([' ', '\t'])))
}

/// It begins or ends an entry of a log of changes, and tells no change: a version, a commit, who and when.
pub(super) fn is_entry_head(line: &Line, _: &Around) -> bool {
    if line.tongue.is_source || line.tongue.is_tagged {
        return false;
    }
    let text = line.text;
    let names_mail = || text.contains(" <") && text.contains('@') && text.contains('>');
    let is_trailer = text.starts_with("-- ") && names_mail() && line.numbers >= 4;
    let is_version = text.contains(") ") && text.contains("; urgency=");
    let is_commit = text.strip_prefix("commit ").is_some_and(|id| {
        id.len() >= 40 && !id.contains(' ') && id.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    is_trailer || is_version || is_commit
}

/// It is little more than an address: of mail, of a page, of a telephone.
pub(super) fn is_address(line: &Line, _: &Around) -> bool {
    if lists_pages(line) {
        return true;
    }
    if line.tongue.is_source && !line.tongue.is_yaml {
        return false;
    }
    let text = line.text.trim_end_matches([',', ';']);
    let has_mail = text.contains('@') && text.contains('.') && !text.contains(['(', '=', ';']);
    let words = || text.split_whitespace().count();
    let names_page = || text.ends_with('>') && text.contains(" <http") && !text.contains(['(', '[', '`']);
    let is_mail = if has_mail {
        words() <= if text.ends_with('>') { 7 } else { 2 }
    } else {
        line.text.ends_with(',') && names_page() && words() <= 7
    };
    let has_number =
        line.numbers >= 3 && (begins(text, "phone") || begins(text, "tel") || begins(text, "fax"));
    is_mail || !line.tongue.is_source && has_number
}

/// Whether addresses of pages fill most of it, in a comment as an item of a list or as the target of a link.
fn lists_pages(line: &Line) -> bool {
    // Most lines are told by this alone.
    if line.tongue.is_source && line.code > 0 || !has(line.text, "://") {
        return false;
    }
    let text = bare(line.text);
    let is_item = text.starts_with(['[', '*', '<']) || line.text.contains(" - [") && line.comment > 0;
    if line.tongue.is_source
        && !(line.code == 0 && is_item && (text.contains("]: ") || !text.starts_with('[')))
    {
        return false;
    }
    let of_pages = line.text.split_whitespace().filter(|word| word.contains("://")).map(str::len);
    of_pages.sum::<usize>() * 5 > line.text.len() * 3
}

/// Most of its tokens are numbers.
pub(super) fn is_numbers(line: &Line, _: &Around) -> bool {
    let most = line.numbers * 10 >= line.tokens * 6;
    if line.tongue.is_tagged && line.text.contains(['"', '<', '>', '=']) {
        return false;
    }
    if line.tongue.is_source {
        let has_triple = line.numbers >= 3 && line.numbers * 3 >= line.tokens && line.text.ends_with(',');
        return has_triple || line.numbers > 0 && most && (line.plain_names == 0 || line.tokens >= 5);
    }
    most && line.numbers >= 3 || line.numbers == line.tokens && line.numbers >= 2
}

/// It stands within tags for the most part.
pub(super) fn is_tags(line: &Line, _: &Around) -> bool {
    let has_tag = |text: &str| text.starts_with("</") || text.starts_with("<!--") || text.starts_with("<?");
    if line.tongue.is_tagged {
        let attribute = line.text.contains("=\"") && !line.text.contains("; ");
        return line.tagged * 2 > line.code || attribute || has_tag(line.text);
    }
    // A page in a string that goes on in the next line.
    let is_quoted = || line.text.starts_with('<') && line.text.ends_with(">\\");
    if line.tongue.is_source { is_quoted() } else { has_tag(line.text) }
}

/// It is drawn, not written.
pub(super) fn is_ruler(line: &Line, _: &Around) -> bool {
    const STROKES: &str = "-=~*_+#^|.:─━│┌┐└┘├┤┬┴┼═║ ";
    let text = line.text;
    !line.tongue.is_source
        && !text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().count() >= 4
        && text.chars().all(|c| STROKES.contains(c))
}

/// It is a badge, a link's target or a tag of a template.
pub(super) fn is_badge(line: &Line, _: &Around) -> bool {
    let text = line.text;
    let is_target =
        || text.starts_with('[') && text.split_once("]: ").is_some_and(|(_, to)| to.contains("://"));
    let is_template = || text.starts_with("{%") || text.starts_with("{{") || text.starts_with("<%");
    let is_badge =
        || text.starts_with("[![") || text.starts_with("![") || text.contains("](https://img.shields.io");
    !line.tongue.is_source && (is_target() || is_template() || is_badge())
}

static QUOTES: Bytes = Bytes::of(b"\"'");
static COMMA: Bytes = Bytes::of(b",");

/// Literals, or what only constants and literals make up, one behind the other.
pub(super) fn is_literals(line: &Line, around: &Around) -> bool {
    let text = line.text;
    if !line.tongue.is_source {
        // Four items have three commas between them.
        if COMMA.count_in(text) < 3 {
            return false;
        }
        let items = text.split(", ").filter(|item| !item.trim().contains(' '));
        let technical =
            items.filter(|item| item.contains(['_', '-']) || item.contains(|c: char| c.is_ascii_digit()));
        return technical.count() >= 4 && text.matches(", ").count() * 4 >= text.matches(' ').count() * 3;
    }
    if line.code == 0 || line.tongue.is_settings {
        return false;
    }
    // A string of bytes or letters by their numbers, as `"\x08\x9f"`.
    if text.contains('\\')
        && (text.matches("\\x").count() * 4 + text.matches("\\u").count() * 6) * 2 > text.len()
    {
        return true;
    }
    let quoted = QUOTES.count_in(text) as u32 / 2;
    // Many words of one kind, as the variants of a type, or their names.
    if line.tokens >= 8 && text.matches(" | ").count() as u32 + 3 >= line.tokens && !text.contains('(') {
        return true;
    }
    if quoted >= 8 && line.strings <= quoted * 2 && line.plain_names * 2 <= quoted {
        return true;
    }
    // The row in which the passage ends.
    let is_cut = around.after_data && text.starts_with('{') && !text.contains(['}', '(']);
    if is_cut || is_record_of_literals(line, quoted) {
        return true;
    }
    let is_list = text.ends_with(['[', ']', '{', '}', '(', ')', ',', '|'])
        || text.ends_with("};")
        || text.ends_with("];");
    let is_constants = line.plain_names == 0 && (line.numbers + line.strings) * 2 >= line.tokens;
    let has_initial = || text.contains("= {") || text.contains("= [") || text.contains("={");
    let is_initialised =
        |quoted: u32| has_initial() && !text.contains('(') && (quoted >= 2 || line.numbers >= 2);
    let is_numbered = line.tokens == 2 && line.numbers == 1 && text.contains('(') && text.ends_with("),");
    if is_numbered || !is_list {
        return is_numbered;
    }
    let has_short_strings = line.strings <= quoted * 3;
    let has_literal = line.numbers + quoted > 0;
    has_literal && has_short_strings && (is_constants || is_initialised(quoted))
}

/// Whether a line is an object of which all fields have literals: `{url: "a.html", text: "Tides"},`.
fn is_record_of_literals(line: &Line, quoted: u32) -> bool {
    let text = line.text;
    if quoted < 2 || !text.starts_with('{') || !text.ends_with(['}', ',']) {
        return false;
    }
    let fields =
        [":\"", ": \"", ":'", ": '"].iter().map(|sign| text.matches(sign).count() as u32).sum::<u32>();
    fields >= 2 && line.plain_names <= fields + line.numbers
}

/// Signs that sentences seldom have.
static UNUSUAL: Bytes = Bytes::of(b"{}=<>;$@&|[]+\\_");
static SMALL_WORDS: Words = Words::of(&STOPWORDS);

/// Whether a text reads like a sentence or part of one.
fn is_sentence(text: &str) -> bool {
    let (mut words, mut small) = (0, 0);
    for word in text.split_whitespace() {
        let word = word.trim_matches(|c: char| c.is_ascii_punctuation());
        words += 1;
        small += u32::from(SMALL_WORDS.has(word));
    }
    let is_worded = words >= 5 && small * 7 >= words && small >= 1;
    is_worded && UNUSUAL.count_in(text) as u32 * 3 <= words
}

/// It is a sentence, though the language takes it for code: the text of a string, of a description.
pub(super) fn is_sentence_in_code(line: &Line, _: &Around) -> bool {
    if !line.tongue.is_source || line.code == 0 || line.comment > 0 {
        return false;
    }
    let text = line.text;
    let has_key = || text.split_once(": ").is_some_and(|(key, _)| !key.contains(' '));
    let first = || text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_statement = || text.ends_with(':') || text.contains(['(', '"']) || STATEMENTS.contains(&first());
    !is_statement() && !has_key() && is_sentence(text)
}

/// Signs that code has.
static OF_CODE: Bytes = Bytes::of(b"{}=<>;$&|[]()+\\_/*#");

/// It is code, though the language is none of source code: an example, a session of a shell.
pub(super) fn is_code_in_text(line: &Line, around: &Around) -> bool {
    if line.tongue.is_source || line.tongue.is_tagged {
        return false;
    }
    let text = line.text;
    let signs = OF_CODE.count_in(text);
    let all = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).count();
    let ends = text.ends_with([';', '{', '}']) || text.ends_with("*/");
    let is_shell = line.indent > 0 && (text.starts_with("$ ") || text.starts_with("# "));
    around.fenced
        || is_shell
        || (ends || signs * 6 >= all && (line.indent >= 1 || signs * 4 >= all)) && !is_sentence(text)
}
