//! The names that folding replaced: two copies with consistent names have the same ones at the same places.

use xxhash_rust::xxh3::xxh3_64;

use super::class::Class;
use super::{Code, Comments, Language, LexState, Token, Tokeniser};

/// The hash of the name that a token has in the text of its document, which this tokeniser read, if the name is folded;
/// else 0.
pub fn folded_name(text: &str, token: &Token, tokeniser: Tokeniser) -> u32 {
    let own = &text[token.start as usize..token.end as usize];
    let end = own
        .find(|c: char| !(c.is_alphanumeric() || c == '_' || Class::from_char(c).is_mark()))
        .unwrap_or(own.len());
    let name = &own[..end];
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    let dense: Vec<u8> = own.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    if xxh3_64(&dense) == token.hash || is_commented(own, token, tokeniser) {
        return 0;
    }
    (xxh3_64(name.as_bytes()) as u32).max(1)
}

/// Whether nothing is folded in a token, which has a dropped comment in its text.
fn is_commented(own: &str, token: &Token, tokeniser: Tokeniser) -> bool {
    let is_unfolded = |language, folding| {
        let mut code = Code::folded(own, language, Comments::Drop, folding, LexState::default());
        code.next().is_some() && xxh3_64(code.unfolded()) == token.hash
    };
    match tokeniser {
        Tokeniser::Folded(language, Comments::Drop, folding) => is_unfolded(language, folding),
        // Which language the token is in is not known. The hash tells whether the right one is among these.
        Tokeniser::Embedded(_, Comments::Drop, folding) => COMMENTED.iter().any(|(open, language)| {
            own.contains(open)
                && Language::from_name(language).is_some_and(|language| is_unfolded(language, folding))
        }),
        _ => false,
    }
}

/// What opens comments, each with a language that has such.
const COMMENTED: [(&str, &str); 5] =
    [("//", "JavaScript"), ("/*", "JavaScript"), ("#", "Python"), ("--", "SQL"), ("<!--", "HTML")];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::Folding;

    #[test]
    fn a_reserved_word_with_a_dropped_comment_behind_it_is_no_name() {
        let c = Language::from_name("C").unwrap();
        let tokeniser = Tokeniser::Folded(c, Comments::Drop, Folding { identifiers: true, literals: false });
        // Enough different tokens for names to be folded.
        let text = "return /* why */ (a + b) * c - d / e; if // how\n(f % g) { h(i); } while (j) k += l & m | n ^ o;";
        let tokens = tokeniser.tokens(text, LexState::default());
        let names = tokens.iter().map(|token| folded_name(text, token, tokeniser));
        let named: Vec<bool> = names.map(|name| name != 0).collect();
        let reserved = |token: &Token| {
            ["return", "if", "while"].iter().any(|word| text[token.start as usize..].starts_with(word))
        };
        assert_eq!(named, tokens.iter().map(|token| !reserved(token)).collect::<Vec<_>>());
    }

    #[test]
    fn nor_is_one_in_an_embedded_part() {
        let code = "return /* why */ (a + b) * c - d / e; if // how\n(f % g) { h(i); } while (j) k += l & m | n ^ o;";
        let folding = Folding { identifiers: true, literals: false };
        for (name, text) in
            [("Markdown", format!("```c\n{code}\n```\n")), ("HTML", format!("<script>{code}</script>"))]
        {
            let tokeniser = Tokeniser::Embedded(Language::from_name(name).unwrap(), Comments::Drop, folding);
            let tokens = tokeniser.tokens(&text, LexState::default());
            let own = |token: &&Token| {
                text[token.start as usize..].starts_with("return")
                    || text[token.start as usize..].starts_with("if")
            };
            assert_eq!(tokens.iter().filter(own).count(), 2, "{name}");
            assert!(
                tokens.iter().filter(own).all(|token| folded_name(&text, token, tokeniser) == 0),
                "{name}"
            );
            let names = tokens.iter().filter(|token| folded_name(&text, token, tokeniser) != 0).count();
            assert_eq!(names, 15, "{name}");
        }
    }
}
