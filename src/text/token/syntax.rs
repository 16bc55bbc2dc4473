//! The comment and string syntax of a language, compiled from the language table for a lexer of bytes.
//!
//! Where a rule is uncertain, strings end with their line, so that a stray quote cannot swallow a file.

mod opener;

use super::mode::MAX_STRINGS;
pub(super) use opener::{Opener, OpenerKind, OpenerPlace};

/// A byte of an identifier: an ASCII letter, a digit, `_`.
pub(super) const WORD: u8 = 1;
/// ASCII white space or a control character.
pub(super) const SPACE: u8 = 2;
/// Part of a character outside ASCII.
pub(super) const HIGH: u8 = 4;
/// May begin a delimiter, or otherwise affects where strings and comments begin and end.
pub(super) const SPECIAL: u8 = 8;

/// A rule of the language table: a comment or string of a language.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    /// A comment to the end of the line.
    Line { open: &'static str, place: OpenerPlace },
    /// A comment between delimiters.
    Block { open: &'static str, close: &'static str, nested: bool, place: OpenerPlace },
    /// A string; one of these words stands right before it, if there are any.
    String { open: &'static str, behind: Vec<&'static str>, place: OpenerPlace, string: StringSyntax },
    /// What looks like an opener and is none.
    Plain { open: &'static str },
    /// In code, the next character opens nothing.
    Escape { open: &'static str },
}

/// A block comment's delimiters.
#[derive(Debug)]
pub(super) struct BlockComment {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    pub(super) nested: bool,
}

/// How a string goes on and ends.
#[derive(Clone, Debug, Default)]
pub(super) struct StringSyntax {
    pub(super) close: &'static str,
    /// It goes on after the end of a line.
    pub(super) multi_line: bool,
    /// A backslash takes the next character.
    pub(super) escapes: bool,
    /// What closes it stands in it twice for itself.
    pub(super) doubled: bool,
    /// It closes at the second of what closes it, as `s/a/b/`.
    pub(super) twice: bool,
    /// Its brackets can be nested: the opening one.
    pub(super) nests: Option<u8>,
    /// What closes it does not between `[` and `]`, as in a regular expression.
    pub(super) has_class: bool,
    /// What opens code in it, up to the closing bracket.
    pub(super) hole: Option<&'static str>,
    /// What ends its tag where it opens, and where it closes.
    pub(super) tag: Option<(&'static str, &'static str)>,
    /// What its tag is made of, if that is no word.
    pub(super) tag_mark: Option<u8>,
    /// It is a here-document. Blanks can stand before its tag, or not.
    pub(super) here: Option<bool>,
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
    /// By first byte, longest first.
    openers: Vec<Opener>,
    /// The openers that begin with each byte.
    of_byte: Box<[(u8, u8); 256]>,
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
        Self {
            classes,
            blocks: Vec::new(),
            strings: Vec::new(),
            chars: false,
            openers: Vec::new(),
            of_byte: Box::new([(0, 0); 256]),
        }
    }

    /// Compiles rules.
    pub(super) fn from_rules(rules: &[Rule]) -> Self {
        let mut syntax = Self::plain();
        for rule in rules {
            match *rule {
                Rule::Line { open, place } => syntax.add(open, OpenerKind::Line, place),
                Rule::Block { open, close, nested, place } => {
                    let number = syntax.blocks.len() as u8;
                    syntax.blocks.push(BlockComment { open, close, nested });
                    syntax.mark(close);
                    syntax.add(open, OpenerKind::Block(number), place);
                }
                Rule::String { open, ref behind, place, ref string } => {
                    let number = syntax.strings.len().min(MAX_STRINGS) as u8;
                    syntax.mark_string(string);
                    syntax.strings.push(string.clone());
                    syntax.add(open, OpenerKind::Str(number), place);
                    if let Some(opener) = syntax.openers.last_mut() {
                        opener.behind.clone_from(behind);
                    }
                }
                Rule::Plain { open } => syntax.add(open, OpenerKind::Plain, OpenerPlace::Anywhere),
                Rule::Escape { open } => syntax.add(open, OpenerKind::Escape, OpenerPlace::Anywhere),
            }
        }
        let opens_character = |o: &Opener| o.open.starts_with('\'');
        syntax.chars = !syntax.openers.iter().any(opens_character);
        if syntax.chars {
            syntax.mark("'");
        }
        syntax.openers.sort_by_key(|o| {
            let open = o.open.as_bytes();
            (open.first().copied(), std::cmp::Reverse((open.len(), !o.behind.is_empty())))
        });
        for (number, opener) in (0..).zip(&syntax.openers) {
            if let Some(first) = opener.open.as_bytes().first() {
                let (start, end) = &mut syntax.of_byte[usize::from(*first)];
                *start = if *end == 0 { number } else { *start };
                *end = number + 1;
            }
        }
        syntax
    }

    /// The opener that matches at `at`. `resumed`: a token stands before the start of the text.
    pub(super) fn opener(&self, bytes: &[u8], at: usize, resumed: bool) -> Option<&Opener> {
        let (before, rest) = bytes.split_at_checked(at)?;
        let (start, end) = self.of_byte[usize::from(*rest.first()?)];
        let openers = &self.openers[usize::from(start)..usize::from(end)];
        openers.iter().find(|opener| opener.matches(before, rest, resumed))
    }

    fn mark_string(&mut self, string: &StringSyntax) {
        self.mark(string.close);
        self.mark("\\");
        if string.has_class {
            self.mark("[");
            self.mark("]");
        }
        if let Some(open) = string.nests {
            self.classes[usize::from(open)] |= SPECIAL;
        }
        if let Some(hole) = string.hole {
            self.mark(hole);
            let (open, close) = brackets(hole);
            self.classes[usize::from(open)] |= SPECIAL;
            self.classes[usize::from(close)] |= SPECIAL;
        }
    }

    fn add(&mut self, delimiter: &'static str, kind: OpenerKind, place: OpenerPlace) {
        let split = delimiter.bytes().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(0);
        let (prefix, open) = delimiter.split_at(split);
        self.mark(open);
        self.openers.push(Opener { open, prefix, behind: Vec::new(), place, kind });
    }

    fn mark(&mut self, delimiter: &str) {
        if let Some(&first) = delimiter.as_bytes().first() {
            self.classes[usize::from(first)] |= SPECIAL;
        }
    }
}

/// The brackets of a hole that `open` opens, such as `${` or `\(`.
pub(super) fn brackets(open: &str) -> (u8, u8) {
    match open.as_bytes().last() {
        Some(b'(') => (b'(', b')'),
        _ => (b'{', b'}'),
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
            assert!(syntax.blocks.len() < 256 && syntax.strings.len() <= MAX_STRINGS, "{language}");
            assert!(syntax.openers.len() < 256);
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
