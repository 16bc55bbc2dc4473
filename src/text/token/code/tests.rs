use proptest::prelude::*;

use super::*;
use crate::token::Words;

fn language(name: &str) -> Option<Language> {
    Some(Language::from_name(name).expect(name))
}

fn lex(name: &str, comments: Comments, text: &str) -> Vec<Token> {
    Code::new(text, language(name), comments, LexState::default()).collect()
}

#[test]
fn code_has_the_tokens_of_the_table() {
    crate::script::table("cases/code.txt", |comments, line| {
        let (name, text) = line.split_once(": ").unwrap();
        let comments = if comments == "drop" { Comments::Drop } else { Comments::Keep };
        let tokens = lex(name, comments, text).into_iter();
        let spans: Vec<&str> = tokens.map(|t| &text[t.start as usize..t.end as usize]).collect();
        vec![spans.join(" · ")]
    });
}

#[test]
fn white_space_inside_a_token_does_not_count() {
    let hashes = |text| {
        let tokens = lex("C", Comments::Keep, text).into_iter();
        tokens.map(|t| t.hash).collect::<Vec<_>>()
    };
    assert_eq!(hashes("f(a) ;\n}\n\n}"), hashes("f ( a\u{a0});}}"));
    assert_eq!(hashes("a)"), [xxh3_64(b"a)")]);
    assert_ne!(hashes("A)"), hashes("a)"));
}

#[test]
fn comments_give_the_tokens_of_words_or_none() {
    let licence = "Permission is hereby granted, FREE of charge";
    let words: Vec<_> = Words::new(licence).map(|t| t.hash).collect();
    for (name, comment) in [
        ("C", format!("/* {licence} */")),
        ("Rust", format!("// {licence}\n")),
        ("Shell", format!("# {licence}")),
        ("Haskell", format!("-- {licence}")),
    ] {
        let tokens = lex(name, Comments::Keep, &comment).into_iter();
        assert_eq!(tokens.map(|t| t.hash).collect::<Vec<_>>(), words, "{name}");
    }
}

#[test]
fn without_a_language_there_are_no_comments() {
    let text = "a // b \"c\n# d";
    let tokens = Code::new(text, None, Comments::Drop, LexState::default());
    assert_eq!(tokens.count(), 4);
}

#[test]
fn in_every_language_tokens_are_ordered_and_not_empty() {
    let names = Language::all().map(Language::name);
    let text = "x \u{ab} 💭🔜 疏曰。y “z” =begin a\n=end /* ( { \" ' ` 'q 漢\u{301} */ ) } b";
    for name in names {
        for comments in [Comments::Keep, Comments::Drop] {
            let both = Folding { identifiers: true, literals: true };
            let language = Language::from_name(name).expect(name);
            let folded = Code::folded(text, language, comments, both, LexState::default()).collect();
            for tokens in [lex(name, comments, text), folded] {
                assert!(tokens.is_sorted_by(|a, b| a.end <= b.start), "{name}");
                assert!(tokens.iter().all(|t| t.start < t.end), "{name}");
            }
        }
    }
}

/// The hashes of C with names or literals folded, and without comments.
fn folded(identifiers: bool, literals: bool, text: &str) -> Vec<u64> {
    let c = Language::from_name("C").expect("C");
    let folding = Folding { identifiers, literals };
    Code::folded(text, c, Comments::Drop, folding, LexState::default()).map(|token| token.hash).collect()
}

#[test]
fn names_are_folded_and_reserved_words_are_not() {
    let renamed = |text| folded(true, false, text);
    assert_eq!(renamed("if (count > 3) return f(count, b);"), renamed("if (n > 3) return g(x , y) ;"));
    assert_ne!(renamed("if (a) return b;"), renamed("while (a) return b;"));
    assert_ne!(renamed("f(a, 3);"), renamed("f(a, 4);"));
    assert_ne!(renamed("f(a + b);"), renamed("f(a - b);"));
    assert_ne!(renamed("f(\"a\");"), renamed("f(\"b\");"), "words in strings are no names");
}

#[test]
fn literals_are_folded_as_wholes() {
    let literals = |text| folded(false, true, text);
    assert_eq!(literals("f(a, 1.5e-3, \"one, two\", 'x');"), literals("f(a, 0x2f, \"\", '\\n');"));
    assert_eq!(literals("x = 'a';"), literals("x = \"any // text\";"));
    assert_ne!(literals("f(a);"), literals("f(b);"));
    assert_eq!(literals("x = \"open\ny;"), literals("x = \"\ny;"), "a string ends with its line");
    assert_eq!(folded(true, true, "a = 7; // why\n}"), folded(true, true, "bcd = 9;}"));
}

#[test]
fn folded_tokens_are_the_exact_ones_when_only_names_are_folded() {
    let text = "int f(int a) { /* b c */ return g(\"x y\", 'c', 1.5) + a; } // d";
    let c = Language::from_name("C").expect("C");
    let folding = Folding { identifiers: true, literals: false };
    let folded = Code::folded(text, c, Comments::Keep, folding, LexState::default());
    let spans = |token: Token| (token.start, token.end);
    let exact = lex("C", Comments::Keep, text);
    assert_eq!(folded.map(spans).collect::<Vec<_>>(), exact.into_iter().map(spans).collect::<Vec<_>>());
}

/// Text made of pieces that matter to some lexer.
fn source() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "if", "_x9", "é", "漢", "\u{301}", "→", "\u{a0}", "(", ");", "{", " ", "\n", "\t", "\r\n", "\\",
        "\\\n", "\"", "'", "`", "\"\"\"", "'''", "//", "/*", "*/", "#", "--", "{-", "-}", "r#\"", "\"#",
        "'\"'", "'a'", "R\"(", ")\"", "=begin", "\n=end", "rem ", "*", "\nc ", "<!--", "-->", "<<EOT",
        "<<-'X'", "\nEOT\n", "\nX", "${", "#{", "\\(", "$(", "}", "f\"", "@\"", "\"\"", "$a$", "[==[",
        "]==]", "/", "= /", "q{", "s/", "%w[", "]", "[",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn any_language() -> impl Strategy<Value = &'static str> {
    prop::sample::select(Language::all().map(Language::name).collect::<Vec<_>>())
}

proptest! {
    #[test]
    fn folding_never_fails_and_its_tokens_are_text(
        text in source(),
        name in any_language(),
        (drop, identifiers, literals) in any::<(bool, bool, bool)>(),
    ) {
        let comments = if drop { Comments::Drop } else { Comments::Keep };
        let language = Language::from_name(name).unwrap();
        let folding = Folding { identifiers, literals };
        let tokens: Vec<Token> = Code::folded(&text, language, comments, folding, LexState::default()).collect();
        prop_assert!(tokens.is_sorted_by(|a, b| a.end <= b.start));
        prop_assert!(tokens.iter().all(|token| text.get(token.start as usize..token.end as usize).is_some()));
    }

    #[test]
    fn tokens_are_in_order_within_the_text_and_always_the_same(
        text in source(),
        name in any_language(),
        drop in any::<bool>(),
    ) {
        let comments = if drop { Comments::Drop } else { Comments::Keep };
        let tokens = lex(name, comments, &text);
        prop_assert!(tokens.is_sorted_by(|a, b| a.end <= b.start));
        prop_assert!(tokens.iter().all(|t| t.start < t.end && text.get(t.start as usize..t.end as usize).is_some()));
        prop_assert_eq!(lex(name, comments, &text), tokens);
    }

    #[test]
    fn lexing_goes_on_from_the_end_of_any_token(
        text in source(),
        name in any_language(),
        drop in any::<bool>(),
    ) {
        let comments = if drop { Comments::Drop } else { Comments::Keep };
        let all = lex(name, comments, &text);
        let mut lexer = Code::new(&text, language(name), comments, LexState::default());
        let mut passed = 0;
        while let Some(token) = lexer.next() {
            passed += 1;
            let rest = &text[token.end as usize..];
            let resumed: Vec<_> = Code::new(rest, language(name), comments, lexer.state())
                .map(|t| Token { start: t.start + token.end, end: t.end + token.end, ..t })
                .collect();
            prop_assert_eq!(&resumed, &all[passed..]);
        }
        prop_assert_eq!(passed, all.len());
    }

    #[test]
    fn a_text_cut_after_a_token_keeps_all_tokens_before(
        text in source(),
        name in any_language(),
    ) {
        let all = lex(name, Comments::Keep, &text);
        for (i, token) in all.iter().enumerate() {
            let cut = lex(name, Comments::Keep, &text[..token.end as usize]);
            prop_assert_eq!(&cut, &all[..=i]);
        }
    }

    #[test]
    fn a_token_hashes_its_text_without_white_space(text in source()) {
        let code = Code::new(&text, None, Comments::Keep, LexState::default());
        for token in code {
            let dense: String = text[token.start as usize..token.end as usize]
                .chars()
                .filter(|c| !c.is_whitespace())
                .collect();
            prop_assert_eq!(token.hash, xxh3_64(dense.as_bytes()));
        }
    }
}
