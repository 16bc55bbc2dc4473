//! The comment and string syntax of a language, compiled from the language table for a lexer of bytes.
//!
//! Where a rule is uncertain, strings end with their line, so that a stray quote cannot swallow a file.

/// A byte of an identifier: an ASCII letter, a digit, `_`.
pub(super) const WORD: u8 = 1;
/// ASCII white space or a control character.
pub(super) const SPACE: u8 = 2;
/// Part of a character outside ASCII.
pub(super) const HIGH: u8 = 4;
/// May begin a delimiter, or otherwise affects where strings and comments begin and end.
pub(super) const SPECIAL: u8 = 8;

/// A line comment, block comment or string that begins with `open`.
#[derive(Debug)]
pub(super) struct Opener {
    /// The opening bytes, from the first that is not a word byte.
    pub(super) open: &'static str,
    /// Word bytes that must precede `open` (`R` of `R"(`).
    prefix: &'static str,
    /// Where it is recognised.
    place: OpenerPlace,
    /// What it opens.
    pub(super) kind: OpenerKind,
}

/// A rule of the language table: a comment or string of a language.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    /// A comment to the end of the line.
    Line { open: &'static str, place: OpenerPlace },
    /// A comment between delimiters.
    Block { open: &'static str, close: &'static str, nested: bool, place: OpenerPlace },
    /// A string.
    String { open: &'static str, close: &'static str, multi_line: bool, escapes: bool },
}

/// Where an opener is recognised.
#[derive(Clone, Copy, Debug)]
pub(super) enum OpenerPlace {
    Anywhere,
    /// As the first byte of a line.
    FirstColumn,
    /// With only blanks before it on its line.
    LineStart,
    /// After white space or one of `;&|()`, as in shells.
    Detached,
}

/// What an opener opens.
#[derive(Clone, Copy, Debug)]
pub(super) enum OpenerKind {
    /// A comment to the end of the line.
    Line,
    /// The block comment with this number.
    Block(u8),
    /// The string with this number.
    Str(u8),
}

/// A block comment's delimiters.
#[derive(Debug)]
pub(super) struct BlockComment {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    pub(super) nested: bool,
}

/// How a string ends.
#[derive(Debug)]
pub(super) struct StringSyntax {
    pub(super) close: &'static str,
    pub(super) multi_line: bool,
    pub(super) escapes: bool,
}

/// The comments and strings of a language, for the code lexer.
#[derive(Debug)]
pub(super) struct Syntax {
    /// The class of each byte, a set of [`WORD`], [`SPACE`], [`HIGH`] and [`SPECIAL`].
    pub(super) classes: [u8; 256],
    pub(super) blocks: Vec<BlockComment>,
    pub(super) strings: Vec<StringSyntax>,
    /// `'` opens neither a string nor a comment, so `'"'` may be a character literal.
    pub(super) chars: bool,
    /// Longest first.
    openers: Vec<Opener>,
}

impl OpenerPlace {
    fn matches(self, before: &[u8], resumed: bool) -> bool {
        let opens_line = |before: &[u8]| match before.last() {
            Some(&byte) => byte == b'\n',
            None => !resumed,
        };
        match self {
            Self::Anywhere => true,
            Self::FirstColumn => opens_line(before),
            Self::LineStart => {
                let blank = |b: &u8| *b == b' ' || *b == b'\t';
                let blanks = before.iter().rev().take_while(|b| blank(b)).count();
                opens_line(&before[..before.len() - blanks])
            }
            Self::Detached => before.last().is_none_or(|b| b.is_ascii_whitespace() || b";&|()".contains(b)),
        }
    }
}

impl Syntax {
    /// A syntax without comments and strings.
    pub(super) fn plain() -> Self {
        let mut classes = [0; 256];
        for (byte, class) in (0..=u8::MAX).zip(&mut classes) {
            *class = match byte {
                b'_' => WORD,
                b if b.is_ascii_alphanumeric() => WORD,
                0..=b' ' | 0x7f => SPACE,
                0x80.. => HIGH,
                _ => 0,
            };
        }
        Self { classes, blocks: Vec::new(), strings: Vec::new(), chars: false, openers: Vec::new() }
    }

    /// Compiles rules.
    pub(super) fn of(rules: &[Rule]) -> Self {
        let mut syntax = Self::plain();
        for &rule in rules {
            match rule {
                Rule::Line { open, place } => syntax.add(open, OpenerKind::Line, place),
                Rule::Block { open, close, nested, place } => {
                    let number = syntax.blocks.len() as u8;
                    syntax.blocks.push(BlockComment { open, close, nested });
                    syntax.mark(close);
                    syntax.add(open, OpenerKind::Block(number), place);
                }
                Rule::String { open, close, multi_line, escapes } => {
                    let number = syntax.strings.len() as u8;
                    syntax.strings.push(StringSyntax { close, multi_line, escapes });
                    syntax.mark(close);
                    syntax.mark("\\");
                    syntax.add(open, OpenerKind::Str(number), OpenerPlace::Anywhere);
                }
            }
        }
        syntax.chars = !syntax.openers.iter().any(|o| o.open.starts_with('\''));
        if syntax.chars {
            syntax.mark("'");
        }
        syntax.openers.sort_by_key(|o| std::cmp::Reverse(o.open.len()));
        syntax
    }

    /// The opener that matches at `at`. `resumed`: a token stands before the start of the text.
    pub(super) fn opener(&self, bytes: &[u8], at: usize, resumed: bool) -> Option<&Opener> {
        let (before, rest) = bytes.split_at_checked(at)?;
        self.openers.iter().find(|opener| {
            rest.starts_with(opener.open.as_bytes())
                && !breaks_word(opener.open, rest, in_identifier)
                && before.ends_with(opener.prefix.as_bytes())
                && opener.place.matches(before, resumed)
        })
    }

    fn add(&mut self, delimiter: &'static str, kind: OpenerKind, place: OpenerPlace) {
        let split = delimiter.bytes().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(0);
        let (prefix, open) = delimiter.split_at(split);
        self.mark(open);
        self.openers.push(Opener { open, prefix, place, kind });
    }

    fn mark(&mut self, delimiter: &str) {
        if let Some(&first) = delimiter.as_bytes().first() {
            self.classes[usize::from(first)] |= SPECIAL;
        }
    }
}

/// Whether a delimiter that ends in a word byte (`rem`, `=begin`) is only the beginning of a longer word in `rest`.
/// `word` must accept the same bytes as the lexer does: otherwise a delimiter could be found at the end of a cut
/// text but not in the whole text.
pub(super) fn breaks_word(delimiter: &str, rest: &[u8], word: impl Fn(&u8) -> bool) -> bool {
    delimiter.as_bytes().last().is_some_and(&word) && rest.get(delimiter.len()).is_some_and(word)
}

fn in_identifier(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::super::language::Language;
    use super::*;

    fn opens(name: &str, text: &str, at: usize) -> bool {
        syntax(name).opener(text.as_bytes(), at, false).is_some()
    }

    fn syntax(name: &str) -> &'static Syntax {
        Language::syntax(Some(Language::from_name(name).expect(name)))
    }

    #[test]
    fn every_language_compiles_and_marks_what_may_begin_a_delimiter() {
        for language in Language::all() {
            let syntax = Language::syntax(Some(language));
            assert!(syntax.blocks.len() < 256 && syntax.strings.len() < 256);
            for opener in &syntax.openers {
                let first = opener.open.as_bytes()[0];
                assert_ne!(syntax.classes[usize::from(first)] & SPECIAL, 0);
            }
        }
    }

    #[test]
    fn the_longest_opener_wins() {
        let opener = syntax("Python").opener(b"\"\"\"doc", 0, false).expect("a docstring");
        assert_eq!(opener.open, "\"\"\"");
    }

    #[test]
    fn openers_are_recognised_only_in_their_position() {
        assert!(opens("BASH", "x #y", 2));
        assert!(!opens("BASH", "${#y}", 2));
        assert!(opens("FORTRAN Legacy", "c note", 0));
        assert!(!opens("FORTRAN Legacy", "      c = 1", 6));
        assert!(!opens("FORTRAN Legacy", "a*b", 1));
        assert!(opens("COBOL", "      * note", 6));
        assert!(!opens("COBOL", "a * b", 2));
        assert!(opens("C++", "R\"(a)\"", 1));
        assert!(opens("M4", "dnl x", 0));
        assert!(!opens("M4", "dnlx", 0));
    }

    #[test]
    fn a_resumed_text_does_not_begin_a_line() {
        let syntax = syntax("COBOL");
        assert!(syntax.opener(b" * b", 1, false).is_some());
        assert!(syntax.opener(b" * b", 1, true).is_none());
        assert!(syntax.opener(b" \n* b", 2, true).is_some());
    }
}
