//! The lines of a passage, each with what the rules ask of it. Some lines before the passage are read too: they weigh
//! nothing, but the rules need to know what they open.

use super::pattern::Outline;
use super::phrases::{self, Phrases};
use super::sample::Sample;
use super::scan;
use dupi_text::token::{Comments, Language, LexState, Lexer, Tokeniser, Visitor};

/// The bytes before the passage that are read as lines.
const WARM_UP: usize = 256;
/// The bytes before the passage in which the opening of a comment or tag is searched.
const REACH: usize = 4096;

/// The bytes that most lines have at least.
const USUAL_LINE: usize = 24;

/// A line, of which some or all lies in the passage.
#[derive(Debug, Default)]
pub(super) struct Line<'t> {
    /// The line without the white space around it.
    pub(super) text: &'t str,
    /// By how many bytes it is indented.
    pub(super) indent: usize,
    /// Its letters.
    pub(super) outline: Outline,
    /// Where it begins in the text that was read.
    start: usize,
    /// Where it begins in its file, in bytes.
    pub(super) offset: usize,
    /// Whether some of it lies in the passage.
    pub(super) is_own: bool,
    /// How much of it lies in the passage: letters and digits, and the signs of code.
    pub(super) own: u32,
    /// Of these, in code.
    pub(super) own_code: u32,
    /// Of these, in comments.
    pub(super) own_comment: u32,
    /// How much of it lies in comments.
    pub(super) comment: u32,
    /// How much of it lies elsewhere.
    pub(super) code: u32,
    /// Tokens that stand in no comment.
    pub(super) tokens: u32,
    /// Numbers among them.
    pub(super) numbers: u32,
    /// Words of strings among them.
    pub(super) strings: u32,
    /// Names among them that are not written as constants are, in capitals.
    pub(super) plain_names: u32,
    /// How much of it lies within tags.
    pub(super) tagged: u32,
    /// Of that, in comments between tags.
    pub(super) remark: u32,
    /// The phrases that most of its words belong to.
    pub(super) phrases: Option<Phrases>,
    /// Whether it and its neighbour keep the file from being included twice.
    pub(super) guards: bool,
}

/// The lines in a passage and right before it, in order.
pub(super) fn lines<'t>(sample: &Sample<'t>) -> Vec<Line<'t>> {
    let from = window(sample);
    let mut lines = split(sample, from);
    if let Some(language) = sample.file.language.filter(|_| sample.file.tongue.is_source) {
        count_tokens(sample, from, language, &mut lines);
    } else {
        let mut within = Within::end_of(right_before(sample, from));
        for line in &mut lines {
            count_words(line, &mut within);
        }
    }
    let phrases = phrases::of_lines(lines.iter().map(|line| line.text));
    for (line, phrases) in lines.iter_mut().zip(phrases) {
        line.phrases = phrases;
    }
    lines
}

/// Where the lines that are read begin.
fn window(sample: &Sample) -> usize {
    let from = sample.text.ceil_char_boundary(sample.start.saturating_sub(WARM_UP));
    let before = &sample.text[from..sample.start];
    match before.find('\n') {
        _ if from == 0 => 0,
        Some(end) => from + end + 1,
        // A long line tells by its beginning what it is.
        None => {
            let reach = sample.text.ceil_char_boundary(from.saturating_sub(REACH));
            sample.text[reach..from].rfind('\n').map_or(from, |end| reach + end + 1)
        }
    }
}

/// The lines from a place on, with what can be told of each alone.
fn split<'t>(sample: &Sample<'t>, from: usize) -> Vec<Line<'t>> {
    let mut lines = Vec::with_capacity((sample.text.len() - from) / USUAL_LINE + 8);
    let mut start = from;
    let before = sample.offset as i64 - sample.start as i64;
    let tongue = sample.file.tongue;
    for whole in sample.text[from..].split_inclusive('\n') {
        let text = whole.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let indent = whole.len() - text.len();
        let is_own = start + whole.len() > sample.start && !text.is_empty();
        let text = text.trim_end();
        let own = sample.start.max(start) - start;
        // Of source code the tokens tell it.
        let own = whole.get(own..).filter(|_| !tongue.is_source).map_or(0, solid);
        lines.push(Line {
            text,
            outline: Outline::from_text(text),
            indent,
            start,
            offset: (start as i64 + before).max(0) as usize,
            is_own,
            own,
            ..Line::default()
        });
        start += whole.len();
    }
    lines
}

/// Counts the tokens of source code in its lines.
fn count_tokens<'t>(sample: &Sample<'t>, from: usize, language: Language, lines: &mut [Line<'t>]) {
    struct Counter<'a, 't> {
        text: &'t str,
        from: usize,
        own: usize,
        lines: &'a mut [Line<'t>],
        state: LexState,
    }
    impl Visitor for Counter<'_, '_> {
        type Output = ();

        fn visit<L: Lexer>(self, mut lexer: L) {
            let (mut number, mut state) = (0, self.state);
            while let Some(token) = lexer.next() {
                let start = self.from + token.start as usize;
                while self.lines.get(number + 1).is_some_and(|next| next.start <= start) {
                    number += 1;
                }
                let line = &mut self.lines[number];
                let text = &self.text[start..self.from + token.end as usize];
                // Punctuation behind a lexeme may reach into the next line, but weighs nothing.
                let in_comment = lexer.state().is_in_comment();
                let weight = if in_comment { solid(text) } else { marked(text) };
                let is_own = start >= self.own;
                let was = std::mem::replace(&mut state, lexer.state());
                if in_comment {
                    line.comment += weight;
                    line.own_comment += if is_own { weight } else { 0 };
                    continue;
                }
                line.code += weight;
                line.own_code += if is_own { weight } else { 0 };
                line.tokens += 1;
                let is_mark = |byte: &u8| byte.is_ascii_punctuation() && *byte != b'_';
                let name = &text[text.bytes().take_while(|byte| is_mark(byte)).count()..];
                if name.is_empty() {
                    line.tokens -= 1;
                } else if was.is_in_string() || text.starts_with(['"', '\'']) {
                    line.strings += 1;
                } else if name.as_bytes()[0].is_ascii_digit() {
                    line.numbers += 1;
                } else if has_small_letter(name) {
                    line.plain_names += 1;
                }
            }
        }
    }
    let within = scan::ends_in_comment(right_before(sample, from)) || begins_within(&sample.text[from..]);
    let tokeniser = Tokeniser::Code(language, Comments::Keep);
    let state = if within { tokeniser.entry_states().get(1).copied() } else { None }.unwrap_or_default();
    tokeniser.lex(
        &sample.text[from..],
        state,
        Counter { text: sample.text, from, own: sample.start, lines, state },
    );
    for line in lines {
        line.own = line.own_code + line.own_comment;
    }
}

/// Whether the letters and digits that a text begins with have a small letter among them.
fn has_small_letter(text: &str) -> bool {
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' => return true,
            b'A'..=b'Z' | b'0'..=b'9' | b'_' => {}
            0..=0x7f => return false,
            _ => {
                let mut name = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_');
                return name.any(char::is_lowercase);
            }
        }
    }
    false
}

/// The text right before a place.
fn right_before<'t>(sample: &Sample<'t>, place: usize) -> &'t str {
    &sample.text[sample.text.ceil_char_boundary(place.saturating_sub(REACH))..place]
}

/// Whether a text seems to begin within a block comment: such a comment ends in it before one begins, or its lines
/// have the asterisks that such lines begin with.
fn begins_within(text: &str) -> bool {
    let has_asterisk = |line: &str| {
        let line = line.trim_start();
        line.strip_prefix('*').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '/']))
    };
    scan::begins_in_comment(text)
        .unwrap_or_else(|| text.lines().take(3).filter(|line| has_asterisk(line)).count() >= 2)
}

/// Whether a place in a text lies in a tag, or in a comment as pages have them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Text,
    Tag,
    Remark,
}

impl Within {
    /// Where a text ends. A sign behind a backtick is told of.
    fn end_of(text: &str) -> Self {
        match text.bytes().rposition(|byte| b"<>".contains(&byte)) {
            Some(sign) if text[..sign].ends_with('`') => Self::Text,
            Some(sign) if text[sign..].starts_with("<!--") => Self::Remark,
            Some(sign) if text[sign..].starts_with('<') => Self::Tag,
            _ => Self::Text,
        }
    }
}

/// Counts the words of a line that is no source code.
fn count_words(line: &mut Line, within: &mut Within) {
    (line.tokens, line.numbers) = words_and_numbers(line.text);
    line.code = solid(line.text);
    let mut add = |weight: u32, within: Within| {
        line.tagged += if within == Within::Text { 0 } else { weight };
        line.remark += if within == Within::Remark { weight } else { 0 };
    };
    if !line.text.bytes().any(|byte| byte == b'<' || byte == b'>') {
        add(line.code, *within);
        return;
    }
    for piece in line.text.split_inclusive(['<', '>']) {
        if *within == Within::Tag && piece.starts_with("!--") {
            *within = Within::Remark;
        }
        add(solid(piece), *within);
        *within = match (*within, piece.as_bytes().last()) {
            (Within::Remark, _) if !piece.ends_with("-->") => Within::Remark,
            (_, Some(b'<')) if piece.ends_with("`<") => Within::Text,
            (_, Some(b'<')) => Within::Tag,
            (_, Some(b'>')) => Within::Text,
            (within, _) => within,
        };
    }
}

/// How many words a text has, and how many of them begin with a digit.
fn words_and_numbers(text: &str) -> (u32, u32) {
    let (mut words, mut numbers) = (0, 0);
    if text.is_ascii() {
        let mut is_within = false;
        for byte in text.bytes() {
            let begins = byte.is_ascii_alphanumeric() & !is_within;
            words += u32::from(begins);
            numbers += u32::from(begins & byte.is_ascii_digit());
            is_within = byte.is_ascii_alphanumeric();
        }
        return (words, numbers);
    }
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        words += 1;
        numbers += u32::from(word.as_bytes()[0].is_ascii_digit());
    }
    (words, numbers)
}

/// How many bytes of a text are no white space.
fn marked(text: &str) -> u32 {
    text.bytes().filter(|byte| !byte.is_ascii_whitespace()).count() as u32
}

/// How many bytes of a text belong to letters and digits.
pub(super) fn solid(text: &str) -> u32 {
    text.bytes().filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()).count() as u32
}
