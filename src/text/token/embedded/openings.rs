//! What opens and closes an embedded part: the tags `<script>` and `<style>`, and the fences of Markdown.

use super::super::{EmbeddedBy, Language};

/// A longer tag opens nothing, so that many tags without an end take linear time.
const LONGEST_TAG: usize = 4096;

/// What was opened: with all that finds its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Opening {
    language: u16,
    closed_by: ClosedBy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClosedBy {
    Script,
    Style,
    /// A line with at least as many of this mark.
    Fence {
        mark: u8,
        count: u8,
    },
}

impl Opening {
    /// The opening in 30 bits.
    pub(super) fn encode(self) -> u32 {
        let closed_by = match self.closed_by {
            ClosedBy::Script => 0,
            ClosedBy::Style => 1,
            ClosedBy::Fence { mark: b'`', count } => 2 | u32::from(count) << 2,
            ClosedBy::Fence { count, .. } => 3 | u32::from(count) << 2,
        };
        u32::from(self.language) | closed_by << 16
    }

    pub(super) fn decode(bits: u32) -> Self {
        let count = (bits >> 18) as u8;
        let closed_by = match bits >> 16 & 3 {
            0 => ClosedBy::Script,
            1 => ClosedBy::Style,
            2 => ClosedBy::Fence { mark: b'`', count },
            _ => ClosedBy::Fence { mark: b'~', count },
        };
        Self { language: bits as u16, closed_by }
    }

    pub(super) fn language(self) -> Option<Language> {
        Language::of_number(self.language)
    }

    /// Behind what opens the part, in which `from` is: behind its `>`, or its line.
    pub(super) fn end_of_opener(self, text: &str, from: usize) -> Option<usize> {
        let last = if let ClosedBy::Fence { .. } = self.closed_by { '\n' } else { '>' };
        text[from..].find(last).map(|found| from + found + 1)
    }

    /// The start of what closes the part. `resumed`: no line begins at `from`.
    pub(super) fn end(self, text: &str, from: usize, resumed: bool) -> Option<usize> {
        match self.closed_by {
            ClosedBy::Script => tags(text, from).find(|at| is_tag(text, *at, "</script")),
            ClosedBy::Style => tags(text, from).find(|at| is_tag(text, *at, "</style")),
            ClosedBy::Fence { mark, count } => lines(text, from, resumed).find(|line| {
                fence(&text[*line..]).is_some_and(|(own, own_count, info)| {
                    own == mark && own_count >= count && info.is_empty()
                })
            }),
        }
    }
}

/// The next opener at or behind `from`: its start, and what it opens. `resumed`: no line begins at `from`.
pub(super) fn find(by: EmbeddedBy, text: &str, from: usize, resumed: bool) -> Option<(usize, Opening)> {
    match by {
        EmbeddedBy::Tags => tags(text, from).find_map(|at| Some((at, tag(text, at)?))),
        EmbeddedBy::Fences => lines(text, from, resumed).find_map(|line| {
            let (mark, count, info) = fence(&text[line..])?;
            let language = language_of(info)?.number();
            Some((line, Opening { language, closed_by: ClosedBy::Fence { mark, count } }))
        }),
    }
}

/// Where a `<` stands.
fn tags(text: &str, from: usize) -> impl Iterator<Item = usize> {
    text[from..].match_indices('<').map(move |(at, _)| from + at)
}

fn is_tag(text: &str, at: usize, tag: &str) -> bool {
    let rest = &text.as_bytes()[at..];
    rest.get(..tag.len()).is_some_and(|name| name.eq_ignore_ascii_case(tag.as_bytes()))
        && !rest.get(tag.len()).is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'-')
}

/// What the tag at `at` opens, by its attributes `lang` and `type`.
fn tag(text: &str, at: usize) -> Option<Opening> {
    let (closed_by, usual) = if is_tag(text, at, "<script") {
        (ClosedBy::Script, "JavaScript")
    } else if is_tag(text, at, "<style") {
        (ClosedBy::Style, "CSS")
    } else {
        return None;
    };
    let tag = &text[at..at + text.bytes().skip(at).take(LONGEST_TAG).position(|byte| byte == b'>')?];
    if tag.ends_with('/') {
        return None;
    }
    let language = match (attribute(tag, "lang"), attribute(tag, "type")) {
        (Some(given), _) => language_of(given)?,
        (None, Some(given)) if given.contains("typescript") => Language::from_name("TypeScript")?,
        (None, Some(given)) if given.contains("json") => Language::from_name("JSON")?,
        (None, Some(given)) if !is_usual_type(given) => return None,
        _ => Language::from_name(usual)?,
    };
    Some(Opening { language: language.number(), closed_by })
}

fn is_usual_type(given: &str) -> bool {
    given.is_empty()
        || ["javascript", "ecmascript", "module", "babel", "jsx", "css"].iter().any(|of| given.contains(of))
}

/// The value of an attribute of a tag.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    tag.match_indices(name).find_map(|(at, _)| {
        let is_whole = tag[..at].ends_with(|c: char| c.is_ascii_whitespace());
        let value = tag[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let value = match quote {
            Some(quote) => value[1..].split(quote).next()?,
            None => value.split_ascii_whitespace().next()?,
        };
        is_whole.then_some(value)
    })
}

/// The starts of the lines at or behind `from`.
fn lines(text: &str, from: usize, resumed: bool) -> impl Iterator<Item = usize> {
    let first = (!resumed).then_some(from);
    first.into_iter().chain(text[from..].match_indices('\n').map(move |(at, _)| from + at + 1))
}

/// The fence that a text begins with: its mark, how many there are, and the info behind them.
fn fence(text: &str) -> Option<(u8, u8, &str)> {
    let text = text.trim_start_matches([' ', '\t']);
    let mark = *text.as_bytes().first().filter(|mark| matches!(mark, b'`' | b'~'))?;
    let count = text.bytes().take_while(|b| *b == mark).count();
    let info = text[count..].split('\n').next()?.trim();
    (count >= 3 && !(mark == b'`' && info.contains('`'))).then_some((mark, count.min(255) as u8, info))
}

/// The language of an info string such as `rust,ignore`, `{.python}` or `js title="a"`.
fn language_of(info: &str) -> Option<Language> {
    let info = info.trim_start_matches(['{', '.', ' ']);
    let end = info.find(|c: char| !(c.is_ascii_alphanumeric() || "+#-_".contains(c))).unwrap_or(info.len());
    let word = &info[..end];
    // Usual words that are neither a name nor an extension.
    let word = match word {
        "csharp" => "C#",
        "fsharp" => "F#",
        "golang" => "Go",
        "objc" | "objective-c" => "Objective-C",
        "" | "text" | "console" | "output" => return None,
        word => word,
    };
    Language::from_name_or_extension(word)
}
