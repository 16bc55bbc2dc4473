//! Documents with several languages: the scripts and styles of HTML, Vue and Svelte, and the fenced code of Markdown, are
//! lexed each in their own language; the rest is lexed as its host, as words or as code.
//!
//! A text is cut into stretches: of the host, of what opens an embedded part (a tag, or the line of a fence, lexed as the
//! host is), and of that part. No token crosses the border of a stretch. An embedded part that nothing closes goes on to the
//! end of the text, as HTML and Markdown have it. A part of an unknown language is of the host.

mod openings;

use super::distinct::DistinctTokens;
use super::mode::{Mode, Outer};
use super::{Code, Comments, EmbeddedBy, Folding, Language, LexState, Lexer, Token, Words};
use openings::{Opening, find};

/// The lexer of a document with several languages.
pub struct Embedded<'t> {
    text: &'t str,
    rules: Rules,
    stretch: Stretch,
    inner: Inner<'t>,
    /// The state at the start of the text.
    first: LexState,
    /// The end of the last token.
    last_end: Option<usize>,
}

/// How stretches are lexed.
#[derive(Clone, Copy)]
struct Rules {
    by: EmbeddedBy,
    /// The language of a host that is code.
    host: Option<Language>,
    comments: Comments,
    folding: Folding,
}

/// A stretch of the text.
#[derive(Clone, Copy)]
struct Stretch {
    start: usize,
    end: usize,
    place: Place,
}

/// What a stretch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Host,
    /// What opens a part.
    Opener(Opening),
    /// The part.
    Inside(Opening),
}

/// The lexer of a stretch.
enum Inner<'t> {
    Words(Words<'t>),
    Code(Code<'t>),
    Folded(DistinctTokens),
}

impl<'t> Embedded<'t> {
    /// Lexes `text` (shorter than 4 GiB), starting in `state`. The host is lexed as code if the language is source code.
    pub fn new(
        text: &'t str,
        language: Language,
        comments: Comments,
        folding: Folding,
        state: LexState,
    ) -> Self {
        // The rules of a Vue file are those of its scripts.
        let host = language.is_source().then(|| Language::from_name("HTML").unwrap_or(language));
        let by = language.embeds().unwrap_or(EmbeddedBy::Tags);
        let rules = Rules { by, host, comments, folding };
        let place = Place::of(state);
        let stretch = rules.stretch(text, 0, place, state.is_resumed());
        let inner_state = state.with_embedded(0);
        let inner = rules.lexer(text, stretch, inner_state);
        Self { text, rules, stretch, inner, first: state, last_end: None }
    }

    /// Goes on with the stretch behind the last one. Returns whether there is one.
    fn advance(&mut self) -> bool {
        let at = self.stretch.end;
        let place = match self.stretch.place {
            Place::Host => match find(self.rules.by, self.text, at, false) {
                Some((opener, opening)) if opener == at => Place::Opener(opening),
                _ => return false,
            },
            Place::Opener(opening) => Place::Inside(opening),
            Place::Inside(_) => Place::Host,
        };
        if at >= self.text.len() {
            return false;
        }
        self.stretch = self.rules.stretch(self.text, at, place, false);
        self.inner = self.rules.lexer(self.text, self.stretch, LexState::default());
        true
    }
}

impl Rules {
    /// The stretch that begins at `start`. `resumed`: a token stands right before it, so no line begins there.
    fn stretch(self, text: &str, start: usize, place: Place, resumed: bool) -> Stretch {
        let end = match place {
            Place::Host => find(self.by, text, start, resumed).map(|(opener, _)| opener),
            Place::Opener(opening) => opening.end_of_opener(text, start),
            Place::Inside(opening) => opening.end(text, start, resumed),
        };
        Stretch { start, end: end.unwrap_or(text.len()), place }
    }

    fn lexer(self, text: &str, stretch: Stretch, state: LexState) -> Inner<'_> {
        let text = &text[stretch.start..stretch.end];
        let language = match stretch.place {
            Place::Inside(opening) => opening.language().filter(|language| language.is_source()),
            Place::Host | Place::Opener(_) => self.host,
        };
        match language {
            None => Inner::Words(Words::new(text)),
            Some(language) if self.folding.is_any() => {
                let code = Code::folded(text, language, self.comments, self.folding, state);
                Inner::Folded(DistinctTokens::new(text, code))
            }
            Some(language) => Inner::Code(Code::new(text, Some(language), self.comments, state)),
        }
    }
}

const PLACE_SHIFT: u32 = 30;

impl Place {
    fn encode(self) -> u32 {
        match self {
            Self::Host => 0,
            Self::Opener(opening) => 1 << PLACE_SHIFT | opening.encode(),
            Self::Inside(opening) => 2 << PLACE_SHIFT | opening.encode(),
        }
    }

    fn of(state: LexState) -> Self {
        let opening = Opening::decode(state.embedded & ((1 << PLACE_SHIFT) - 1));
        match state.embedded >> PLACE_SHIFT {
            0 => Self::Host,
            1 => Self::Opener(opening),
            _ => Self::Inside(opening),
        }
    }
}

/// The language of the part that a state is in, if it is in one.
pub(super) fn embedded_language(state: LexState) -> Option<Language> {
    match Place::of(state) {
        Place::Inside(opening) => opening.language(),
        Place::Host | Place::Opener(_) => None,
    }
}

impl Iterator for Embedded<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let next = match &mut self.inner {
                Inner::Words(words) => words.next(),
                Inner::Code(code) => code.next(),
                Inner::Folded(folded) => folded.next(),
            };
            if let Some(token) = next {
                let offset = self.stretch.start as u32;
                self.last_end = Some((token.end + offset) as usize);
                return Some(Token { start: token.start + offset, end: token.end + offset, ..token });
            }
            if !self.advance() {
                return None;
            }
        }
    }
}

impl Lexer for Embedded<'_> {
    fn state(&self) -> LexState {
        let Some(last_end) = self.last_end else { return self.first };
        let inner = match &self.inner {
            Inner::Words(_) => LexState::after(Mode::Code, Outer::default()),
            Inner::Code(code) => code.state(),
            Inner::Folded(folded) => folded.state(),
        };
        match self.stretch.place {
            // What opens the part is read.
            Place::Opener(opening) if last_end == self.stretch.end => {
                LexState::default().with_embedded(Place::Inside(opening).encode())
            }
            place => inner.with_embedded(place.encode()),
        }
    }
}

#[cfg(test)]
mod tests;
