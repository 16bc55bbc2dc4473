use proptest::prelude::*;

use super::*;
use crate::token::{TokenMode, Tokeniser};

fn tokeniser(path: &str) -> Tokeniser {
    Tokeniser::of(TokenMode::Auto, Comments::Keep, path.as_ref(), "")
}

fn tokens(path: &str, text: &str) -> Vec<Token> {
    tokeniser(path).tokens(text, LexState::default())
}

fn spans<'t>(path: &str, text: &'t str) -> Vec<&'t str> {
    tokens(path, text).iter().map(|token| &text[token.start as usize..token.end as usize]).collect()
}

fn hashes(path: &str, text: &str) -> Vec<u64> {
    tokens(path, text).iter().map(|token| token.hash).collect()
}

#[test]
fn scripts_and_styles_are_read_in_their_own_language() {
    let page = "<p class=a>It's A_b</p><script>f(a_b); // It's</script><style>\na { b: c }</style> end_x";
    assert_eq!(
        spans("a.html", page),
        [
            "p", "class", "a", "It", "s", "A", "b", "p", "script", "f(", "a_b);", "It", "s", "script",
            "style", "a {", "b:", "c }", "style", "end", "x"
        ]
    );
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
    assert_eq!(spans("a.html", "<script type='text/template'>a_b</script>").len(), 7);
    assert_eq!(spans("a.html", "<script src=x />a_b"), ["script", "src", "x", "a", "b"]);
    assert_eq!(spans("a.html", "<scripts>a_b"), ["scripts", "a", "b"]);
    assert_eq!(spans("a.html", "<style lang=scss>a_b // c"), ["style", "lang", "scss", "a_b", "c"]);
}

#[test]
fn fences_are_read_by_their_info_word() {
    let text = "It's A_b:\n\n```py title=x\nf(a_b) # It's\n```\nc_d\n~~~~ {.rust}\nlet r = r\"\\\"; // e\n~~~\n~~~~\ng_h";
    assert_eq!(
        spans("a.md", text),
        [
            "It", "s", "A", "b", "py", "title", "x", "f(", "a_b)", "It", "s", "c", "d", "rust", "let", "r =",
            "r\"\\\";", "e", "~~~", "g", "h"
        ]
    );
    assert_eq!(
        spans("a.md", "```\na_b\n```\n```unheard-of\nc_d\n```"),
        ["a", "b", "unheard", "of", "c", "d"]
    );
    assert_eq!(spans("a.md", "a ```py\nb_c\n"), ["a", "py", "b", "c"], "inline code is no fence");
    assert_eq!(
        spans("a.md", "```py\na_b(\n# It's never closed"),
        ["py", "a_b(", "It", "s", "never", "closed"]
    );
}

#[test]
fn documents_without_embedded_parts_have_the_tokens_that_they_had() {
    let text = "# It's A_b\n\n```\nno_word\n```\n<p> x";
    let words: Vec<Token> = Words::new(text).collect();
    assert_eq!(tokens("a.md", text), words);
    assert_eq!(tokens("a.html", text), words);
    let as_words = Tokeniser::of(TokenMode::Words, Comments::Keep, "a.html".as_ref(), "");
    assert_eq!(as_words, Tokeniser::Words);
}

fn page() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a_b",
        "é漢",
        " ",
        "\n",
        "```py",
        "```",
        "~~~~rust\n",
        "~~~",
        "<script>",
        "<script lang=ts>",
        "</script>",
        "<style>",
        "</style>",
        "<",
        ">",
        "/",
        "'",
        "\"",
        "`",
        "${",
        "}",
        "//",
        "/*",
        "*/",
        "#",
        "<!--",
        "-->",
        "f(",
        "\n```\n",
        "\n```js\n",
    ]);
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
