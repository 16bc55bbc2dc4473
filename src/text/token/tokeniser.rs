//! Token modes, the choice of a lexer for a document, and static dispatch to it.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::distinct::DistinctTokens;
use super::embedded::embedded_language;
use super::mode::in_block_comment;
use super::{
    Code, Comments, Embedded, Folding, Language, LexState, Lexer, ParseTokensError, Token, Words, by_name,
};

/// How documents become tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TokenMode {
    /// By file name and content: `code` for source code, `words` for the rest.
    #[default]
    Auto,
    /// Folded words.
    Words,
    /// Lexemes of the file's language, exact.
    Code,
    /// As `auto`, with the identifiers of source code folded.
    Renamed,
    /// As `auto`, with the literals of source code folded.
    Literals,
    /// As `auto`, with both folded.
    Loose,
}

impl TokenMode {
    const NAMES: &str = "auto, words, code, renamed, literals or loose";

    /// What of source code is folded.
    pub fn folding(self) -> Folding {
        match self {
            Self::Auto | Self::Words | Self::Code => Folding::NONE,
            Self::Renamed => Folding { identifiers: true, literals: false },
            Self::Literals => Folding { identifiers: false, literals: true },
            Self::Loose => Folding { identifiers: true, literals: true },
        }
    }

    /// The names of all modes, in one line.
    pub fn help() -> String {
        format!(
            "{}; auto is code for source files, and words for the rest; renamed, literals and loose are auto with \
             the names of source code, its literals, or both taken for equal",
            Self::NAMES
        )
    }
}

impl fmt::Display for TokenMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl FromStr for TokenMode {
    type Err = ParseTokensError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        by_name(name, Self::NAMES)
    }
}

/// How one document becomes tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokeniser {
    /// As folded words.
    Words,
    /// As lexemes of a language.
    Code(Language, Comments),
    /// As lexemes of a language of which some are folded.
    Folded(Language, Comments, Folding),
    /// As a document in which other languages are embedded, each in its own.
    Embedded(Language, Comments, Folding),
    /// As lexemes of no known language: without comments and strings.
    Plain,
}

/// An operation on a lexer, compiled for each type of lexer, so that its loop has no dynamic dispatch.
pub trait Visitor {
    /// The result.
    type Output;

    /// Runs the operation.
    fn visit<L: Lexer>(self, lexer: L) -> Self::Output;
}

impl Tokeniser {
    /// The tokeniser for a document, by the token mode, its path and its text.
    pub fn for_file(mode: TokenMode, comments: Comments, path: &Path, text: &str) -> Self {
        match mode {
            TokenMode::Words => Self::Words,
            TokenMode::Auto | TokenMode::Renamed | TokenMode::Literals | TokenMode::Loose => {
                match Language::detect(path, text) {
                    Some(language) if language.embeds().is_some() => {
                        Self::Embedded(language, comments, mode.folding())
                    }
                    Some(language) if language.is_source() => Self::code(mode, language, comments),
                    _ => Self::Words,
                }
            }
            TokenMode::Code => match Language::detect(path, text) {
                Some(language) => Self::Code(language, comments),
                None => Self::Plain,
            },
        }
    }

    /// The tokenisers that may have read a text whose document is not known, given the language of that document if it
    /// was source code.
    pub fn candidates(mode: TokenMode, comments: Comments, language: Option<Language>) -> Vec<Self> {
        match mode {
            TokenMode::Words => vec![Self::Words],
            TokenMode::Auto | TokenMode::Renamed | TokenMode::Literals | TokenMode::Loose
                if let Some(host) = language.filter(|language| language.embeds().is_some()) =>
            {
                vec![Self::Words, Self::Embedded(host, comments, mode.folding())]
            }
            TokenMode::Auto | TokenMode::Code => {
                vec![Self::Words, language.map_or(Self::Plain, |language| Self::Code(language, comments))]
            }
            TokenMode::Renamed | TokenMode::Literals | TokenMode::Loose => {
                let code = |language| Self::code(mode, language, comments);
                vec![Self::Words, language.map_or(Self::Plain, code)]
            }
        }
    }

    fn code(mode: TokenMode, language: Language, comments: Comments) -> Self {
        let folding = mode.folding();
        if folding.is_any() {
            Self::Folded(language, comments, folding)
        } else {
            Self::Code(language, comments)
        }
    }

    /// The language, if it is known.
    pub fn language(self) -> Option<Language> {
        match self {
            Self::Code(language, _) | Self::Folded(language, ..) => Some(language),
            Self::Embedded(language, ..) => language.is_source().then_some(language),
            Self::Words | Self::Plain => None,
        }
    }

    /// The language at a byte of `text`, which this tokeniser reads: that of the embedded part that it is in, or else that
    /// of the document.
    pub fn language_at(self, text: &str, at: usize) -> Option<Language> {
        struct StateAt(usize);
        impl Visitor for StateAt {
            type Output = LexState;

            fn visit<L: Lexer>(self, mut lexer: L) -> LexState {
                while lexer.next().is_some_and(|token| (token.end as usize) <= self.0) {}
                lexer.state()
            }
        }
        match self {
            Self::Embedded(host, ..) => {
                Some(embedded_language(self.lex(text, LexState::default(), StateAt(at))).unwrap_or(host))
            }
            tokeniser => tokeniser.language(),
        }
    }

    /// The states in which a piece of a document may begin: in code, or in a comment. Of a document of several languages,
    /// those of its host.
    pub fn entry_states(self) -> Vec<LexState> {
        let comments = self.language().map_or(0, |language| Language::syntax(Some(language)).blocks.len());
        std::iter::once(LexState::default()).chain((0..comments).map(in_block_comment)).collect()
    }

    /// The tokens of `text`, starting in `state`.
    pub fn tokens(self, text: &str, state: LexState) -> Vec<Token> {
        /// In most texts a token takes at least this many bytes.
        const USUAL_BYTES: usize = 8;
        let mut tokens = Vec::with_capacity(text.len() / USUAL_BYTES);
        self.tokens_into(text, state, &mut tokens);
        tokens
    }

    /// Replaces the content of `tokens` by the tokens of `text`, starting in `state`.
    pub fn tokens_into(self, text: &str, state: LexState, tokens: &mut Vec<Token>) {
        struct CollectTokens<'t>(&'t mut Vec<Token>);
        impl Visitor for CollectTokens<'_> {
            type Output = ();

            fn visit<L: Lexer>(self, lexer: L) {
                self.0.extend(lexer);
            }
        }
        tokens.clear();
        self.lex(text, state, CollectTokens(tokens));
    }

    /// Lexes `text`, starting in `state`. Spans have 32 bits: text beyond 4 GiB is not read.
    pub fn lex<V: Visitor>(self, text: &str, state: LexState, visitor: V) -> V::Output {
        let text = &text[..text.floor_char_boundary(u32::MAX as usize)];
        match self {
            Self::Words => visitor.visit(Words::new(text)),
            Self::Code(language, comments) => visitor.visit(Code::new(text, Some(language), comments, state)),
            Self::Folded(language, comments, folding) => {
                let folded = Code::folded(text, language, comments, folding, state);
                visitor.visit(DistinctTokens::new(text, folded))
            }
            Self::Embedded(language, comments, folding) => {
                visitor.visit(Embedded::new(text, language, comments, folding, state))
            }
            Self::Plain => visitor.visit(Code::new(text, None, Comments::Keep, state)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(mode: TokenMode, name: &str, text: &str) -> Tokeniser {
        Tokeniser::for_file(mode, Comments::Drop, Path::new(name), text)
    }

    #[test]
    fn auto_reads_code_as_code_and_the_rest_as_words() {
        let c = Language::from_name("C").expect("C");
        assert_eq!(of(TokenMode::Auto, "a.c", ""), Tokeniser::Code(c, Comments::Drop));
        assert_eq!(of(TokenMode::Auto, "a.rst", ""), Tokeniser::Words);
        assert_eq!(of(TokenMode::Auto, "notes", ""), Tokeniser::Words);
        assert_eq!(of(TokenMode::Words, "a.c", ""), Tokeniser::Words);
    }

    #[test]
    fn modes_are_read_as_they_are_written_and_listed_in_errors_and_help() {
        let error = "Words".parse::<TokenMode>().expect_err("case matters");
        assert_eq!(error.to_string(), "`Words` is not auto, words, code, renamed, literals or loose");
        for name in ["auto", "words", "code", "renamed", "literals", "loose"] {
            assert_eq!(name.parse::<TokenMode>().unwrap().to_string(), name);
            assert!(TokenMode::help().contains(name));
        }
    }

    #[test]
    fn a_text_without_its_document_may_be_words_or_code() {
        let c = Language::from_name("C");
        let of = |mode, language| Tokeniser::candidates(mode, Comments::Drop, language);
        assert_eq!(of(TokenMode::Words, c), [Tokeniser::Words]);
        assert_eq!(of(TokenMode::Auto, None), [Tokeniser::Words, Tokeniser::Plain]);
        assert_eq!(of(TokenMode::Code, c), [Tokeniser::Words, Tokeniser::Code(c.unwrap(), Comments::Drop)]);
    }

    #[test]
    fn code_reads_everything_as_code() {
        let markdown = of(TokenMode::Code, "a.md", "").language();
        assert_eq!(markdown.map(Language::name), Some("Markdown"));
        assert_eq!(of(TokenMode::Code, "notes", ""), Tokeniser::Plain);
        assert_eq!(Tokeniser::Plain.language(), None);
    }

    #[test]
    fn a_text_of_an_embedded_part_is_read_again_without_its_document() {
        let text = "Words before.\n\n```python\nprint(a)  # isn't it\nreturn f(b)\n```\n\nWords behind.\n";
        let tokeniser = Tokeniser::for_file(TokenMode::Auto, Comments::Keep, Path::new("a.md"), text);
        let all = tokeniser.tokens(text, LexState::default());
        for part in ["print(a)  # isn't it\nreturn f(b)", "Words before.", text] {
            let start = text.find(part).unwrap();
            let range = start as u32..(start + part.len()) as u32;
            let is_within = |token: &&Token| range.start <= token.start && token.end <= range.end;
            let own: Vec<u64> = all.iter().filter(is_within).map(|token| token.hash).collect();
            let language = tokeniser.language_at(text, start);
            let again = Tokeniser::candidates(TokenMode::Auto, Comments::Keep, language)
                .into_iter()
                .map(|tokeniser| tokeniser.tokens(part, LexState::default()))
                .map(|tokens| tokens.iter().map(|token| token.hash).collect::<Vec<_>>());
            assert!(again.into_iter().any(|hashes| hashes == own), "{part}: {language:?}");
        }
    }

    #[test]
    fn a_visitor_gets_the_documents_own_lexer() {
        struct Count;
        impl Visitor for Count {
            type Output = usize;
            fn visit<L: Lexer>(self, lexer: L) -> usize {
                lexer.count()
            }
        }
        let text = "f(a_b) /* c d */";
        let run = |name| of(TokenMode::Auto, name, text).lex(text, LexState::default(), Count);
        assert_eq!(run("a.c"), 2);
        assert_eq!(run("a.txt"), 5);
    }
}
