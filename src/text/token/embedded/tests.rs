use proptest::prelude::*;

use super::*;
use crate::token::{TokenMode, Tokeniser};

fn tokeniser(path: &str) -> Tokeniser {
    Tokeniser::for_file(TokenMode::Auto, Comments::Keep, path.as_ref(), "")
}

fn tokens(path: &str, text: &str) -> Vec<Token> {
    tokeniser(path).tokens(text, LexState::default())
}

fn hashes(path: &str, text: &str) -> Vec<u64> {
    tokens(path, text).iter().map(|token| token.hash).collect()
}

#[test]
fn scripts_and_styles_are_read_in_their_own_language() {
    let code = "const a_b = `x // ${f(c)}`; g(a_b);";
    for (path, before) in [
        ("a.html", "<SCRIPT TYPE=\"module\">"),
        ("a.vue", "<template><p>It's</p></template>\n<script setup>"),
        ("a.svelte", "<script>"),
    ] {
        let page = format!("{before}{code}</script>");
        let (host, own) = (hashes(path, &page), hashes("a.js", code));
        assert!(host.windows(own.len()).any(|run| run == own), "{path}");
    }
}

#[test]
fn attributes_name_the_language_or_say_that_it_is_none() {
    let script = |tag: &str, code: &str| hashes("a.vue", &format!("{tag}{code}</script>"));
    let typed = "let s: 'a' | \"b\" = f<T>(x_y); // It";
    let own = hashes("a.ts", typed);
    assert!(script("<script lang=\"ts\">", typed).windows(own.len()).any(|run| run == own));
}

#[test]
fn documents_with_embedded_parts_have_the_tokens_of_the_table() {
    crate::script::table("cases/embedded.txt", |path, text| {
        let tokens = tokens(path, text).into_iter();
        let spans: Vec<&str> = tokens.map(|t| &text[t.start as usize..t.end as usize]).collect();
        vec![spans.join(" · ")]
    });
}

#[test]
fn documents_without_embedded_parts_have_the_tokens_that_they_had() {
    let text = "# It's A_b\n\n```\nno_word\n```\n<p> x";
    let words: Vec<Token> = Words::new(text).collect();
    assert_eq!(tokens("a.md", text), words);
    assert_eq!(tokens("a.html", text), words);
    let as_words = Tokeniser::for_file(TokenMode::Words, Comments::Keep, "a.html".as_ref(), "");
    assert_eq!(as_words, Tokeniser::Words);
}

fn page() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(
        "a_b ¦ é漢 ¦   ¦ \n ¦ ```py ¦ ``` ¦ ~~~~rust\n ¦ ~~~ ¦ <script> ¦ <script lang=ts> ¦ </script> ¦ \
        <style> ¦ </style> ¦ < ¦ > ¦ / ¦ ' ¦ \" ¦ ` ¦ ${ ¦ } ¦ // ¦ /* ¦ */ ¦ # ¦ <!-- ¦ --> ¦ f( ¦ \
        \n```\n ¦ \n```js\n"
            .split(" ¦ ")
            .collect::<Vec<_>>(),
    );
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn lexing_goes_on_from_the_end_of_any_token(
        text in page(),
        path in prop::sample::select(vec!["a.md", "a.html", "a.vue", "a.svelte"]),
        drop in any::<bool>(),
    ) {
        let comments = if drop { Comments::Drop } else { Comments::Keep };
        let language = Language::detect(path.as_ref(), "").unwrap();
        let lexer = |text, state| Embedded::new(text, language, comments, Folding::NONE, state);
        let mut all = lexer(&text, LexState::default());
        let mut tokens: Vec<Token> = lexer(&text, LexState::default()).collect();
        prop_assert!(tokens.is_sorted_by(|a, b| a.end <= b.start));
        prop_assert!(tokens.iter().all(|t| text.get(t.start as usize..t.end as usize).is_some()));
        tokens.reverse();
        while let Some(token) = all.next() {
            tokens.pop();
            let rest = &text[token.end as usize..];
            let resumed: Vec<Token> = lexer(rest, all.state())
                .map(|t| Token { start: t.start + token.end, end: t.end + token.end, ..t })
                .collect();
            let expected: Vec<Token> = tokens.iter().rev().copied().collect();
            prop_assert_eq!(resumed, expected);
        }
        prop_assert!(tokens.is_empty());
    }
}
