//! The marks in comments that suppress duplicates: `dupi:ignore-start`, `dupi:ignore-end`, `dupi:ignore`.
//!
//! A mark counts in a comment of the file's language, also in languages that are read as words if they have comments
//! (HTML, XML, Markdown). A text of no known language has none. What follows a mark in its comment is for people.

use std::ops::Range;
use std::path::Path;

use super::{Code, Comments, Embedded, Folding, Language, LexState, Lexer};

/// What every mark begins with.
const MARK: &str = "dupi:ignore";

/// A mark in a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// What it says.
    pub kind: MarkKind,
    /// Where it stands in the text.
    pub at: usize,
    /// The bytes of its line, with the line break.
    pub line: Range<usize>,
}

/// What a mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// From its line on.
    Start,
    /// Up to its line.
    End,
    /// Its line.
    ThisLine,
    /// The line behind its own, in which only comments stand.
    NextLine,
}

/// The marks of a document, in order. Of marks in one line that say the same, only the first is given.
///
/// The text comes from outside, so it is read in one forward pass: what is known of the line and of the comments is kept
/// from mark to mark, and no mark looks back over text that was searched before.
pub fn marks(path: &Path, text: &str) -> Vec<Mark> {
    if !text.contains(MARK) {
        return Vec::new();
    }
    let Some(language) = Language::detect(path, text) else { return Vec::new() };
    // Spans of the lexer have 32 bits.
    let text = &text[..text.floor_char_boundary(u32::MAX as usize)];
    let lexed = language.is_source().then(|| lexed(text, language));
    let mut blocks: Vec<BlockComments> = language.block_comments().map(BlockComments::new).collect();
    let mut found = Vec::new();
    let mut line = 0..0;
    let (mut bound, mut has_single) = (None, false);
    for (at, _) in text.match_indices(MARK) {
        let Some(kind) = kind(&text[at..]) else { continue };
        let comment = match &lexed {
            Some(lexed) => lexed.is_comment(at).then_some(CommentAround::Lexed(lexed)),
            None => block_around(&mut blocks, text, at),
        };
        let Some(comment) = comment else { continue };
        if at >= line.end {
            line = line_around(text, line.end, at);
            (bound, has_single) = (None, false);
        }
        let is_repeated = match kind {
            MarkKind::Start | MarkKind::End => bound.replace(kind) == Some(kind),
            MarkKind::ThisLine | MarkKind::NextLine => std::mem::replace(&mut has_single, true),
        };
        if is_repeated {
            continue;
        }
        let is_for_next = kind == MarkKind::ThisLine && comment.is_alone(text, at, &line);
        let kind = if is_for_next { MarkKind::NextLine } else { kind };
        found.push(Mark { kind, at, line: line.clone() });
    }
    found
}

/// What a text says that begins with a mark; `None` if the mark is part of a longer word.
fn kind(text: &str) -> Option<MarkKind> {
    let rest = text.strip_prefix(MARK)?;
    let (kind, rest) = match (rest.strip_prefix("-start"), rest.strip_prefix("-end")) {
        (Some(rest), _) => (MarkKind::Start, rest),
        (_, Some(rest)) => (MarkKind::End, rest),
        _ => (MarkKind::ThisLine, rest),
    };
    let is_longer = rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        || rest.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric()));
    (!is_longer).then_some(kind)
}

/// The bytes of the line around a place, with its line break; `from` is the start of that line or of one before.
fn line_around(text: &str, from: usize, at: usize) -> Range<usize> {
    let start = text[from..at].rfind('\n').map_or(from, |before| from + before + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
    start..end
}

/// The comment in which a mark stands.
enum CommentAround<'l> {
    /// Of source code.
    Lexed(&'l LexedCode),
    /// Of a language that is read as words: where it was opened, and what closes it.
    Block { opened: usize, close: &'static str },
}

impl CommentAround<'_> {
    /// Whether only a comment stands in the line of the mark.
    fn is_alone(&self, text: &str, at: usize, line: &Range<usize>) -> bool {
        match *self {
            Self::Lexed(lexed) => !lexed.has_code(line),
            Self::Block { opened, close } => {
                let before = text.get(line.start..opened).unwrap_or_default();
                let behind = text[at..line.end].split_once(close).map_or("", |(_, behind)| behind);
                before.trim().is_empty() && behind.trim().is_empty()
            }
        }
    }
}

/// The tokens of source code.
struct LexedCode {
    /// The first bytes of the words in comments, in order.
    comments: Vec<u32>,
    /// The spans of the other tokens, in order.
    code: Vec<Range<u32>>,
}

fn lexed(text: &str, language: Language) -> LexedCode {
    if language.embeds().is_some() {
        let embedded = Embedded::new(text, language, Comments::Keep, Folding::NONE, LexState::default());
        return gathered(embedded);
    }
    gathered(Code::new(text, Some(language), Comments::Keep, LexState::default()))
}

fn gathered(mut lexer: impl Lexer) -> LexedCode {
    let (mut comments, mut code) = (Vec::new(), Vec::new());
    while let Some(token) = lexer.next() {
        if lexer.state().is_in_comment() {
            comments.push(token.start);
        } else {
            code.push(token.start..token.end);
        }
    }
    LexedCode { comments, code }
}

impl LexedCode {
    fn is_comment(&self, at: usize) -> bool {
        self.comments.binary_search(&(at as u32)).is_ok()
    }

    fn has_code(&self, line: &Range<usize>) -> bool {
        let first = self.code.partition_point(|token| token.end as usize <= line.start);
        self.code.get(first).is_some_and(|token| (token.start as usize) < line.end)
    }
}

/// The comments of one kind in a language that is read as words.
struct BlockComments {
    open: &'static str,
    close: &'static str,
    /// Up to here the text was searched.
    searched: usize,
    /// Where the last opener begins.
    opened: Option<usize>,
    /// Where the last of what closes them begins.
    closed: Option<usize>,
}

impl BlockComments {
    fn new((open, close): (&'static str, &'static str)) -> Self {
        Self { open, close, searched: 0, opened: None, closed: None }
    }

    /// Where the comment around a place was opened, which is not before the place asked for last.
    fn opened_around(&mut self, text: &str, at: usize) -> Option<usize> {
        let last = |delimiter: &str| {
            // It may begin in what was searched, and end behind it.
            let from = text.floor_char_boundary((self.searched + 1).saturating_sub(delimiter.len()));
            text[from..at].rfind(delimiter).map(|found| from + found)
        };
        let (opened, closed) = (last(self.open), last(self.close));
        self.opened = opened.or(self.opened);
        self.closed = closed.or(self.closed);
        self.searched = at;
        self.opened.filter(|opened| self.closed < Some(*opened))
    }
}

/// Of a language that is read as words: the comment in which a mark stands.
fn block_around(blocks: &mut [BlockComments], text: &str, at: usize) -> Option<CommentAround<'static>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if text[..at].ends_with(is_word) {
        return None;
    }
    blocks.iter_mut().find_map(|block| {
        let opened = block.opened_around(text, at)?;
        Some(CommentAround::Block { opened, close: block.close })
    })
}

#[cfg(test)]
mod tests {
    use super::MarkKind::{NextLine, ThisLine};
    use super::*;

    fn kinds(name: &str, text: &str) -> Vec<MarkKind> {
        marks(Path::new(name), text).into_iter().map(|mark| mark.kind).collect()
    }

    #[test]
    fn files_have_the_marks_of_the_table() {
        crate::script::table("cases/marks.txt", |name, text| vec![format!("{:?}", kinds(name, text))]);
    }

    #[test]
    fn a_mark_knows_its_place_and_its_line() {
        let text = "a;\nb; // dupi:ignore\nc;";
        let mark = &marks(Path::new("a.c"), text)[0];
        assert_eq!(&text[mark.at..], "dupi:ignore\nc;");
        assert_eq!(&text[mark.line.clone()], "b; // dupi:ignore\n");
    }

    #[test]
    fn many_marks_in_one_line_take_linear_time() {
        let many = "dupi:ignore ".repeat(200_000);
        assert_eq!(kinds("a.md", &many), [], "no comment is open");
        assert_eq!(kinds("a.md", &format!("Text <!-- {many}")), [ThisLine]);
        assert_eq!(kinds("a.md", &format!("<!-- {many}")), [NextLine]);
        assert_eq!(kinds("a.md", &"<!-- dupi:ignore --> ".repeat(200_000)), [ThisLine]);
        assert_eq!(kinds("a.c", &format!("// {many}")), [NextLine]);
    }
}
