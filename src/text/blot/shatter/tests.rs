use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::token::{Comments, Language, Token, TokenMode};

fn tokeniser(name: &str) -> Tokeniser {
    Tokeniser::for_file(TokenMode::Auto, Comments::Keep, Path::new(name), "")
}

fn recipe(k: u32, blotter: Blotter, selection: Selection) -> Recipe {
    Recipe { k, blotter, selection, ..Recipe::default() }
}

fn recipes() -> impl Strategy<Value = Recipe> {
    let blotter = prop_oneof![
        Just(Blotter::Ordered),
        Just(Blotter::Circular),
        (1..4_u32).prop_map(Blotter::Interleaved),
    ];
    let selection = prop_oneof![Just(Selection::Every), (1..10_u32).prop_map(Selection::Winnow),];
    (1..7_u32, blotter, selection).prop_map(|(k, b, s)| recipe(k, b, s))
}

/// A text of few distinct words, so that tiles repeat; read as prose or as code.
fn document(longest: usize) -> impl Strategy<Value = String> {
    let piece = prop::sample::select(
        "a |b |a(b); |Été |漢字|if (x) |/* a b */ |// c\n|\"a /* b\" |\n|} ".split('|').collect::<Vec<_>>(),
    );
    prop::collection::vec(piece, 0..longest).prop_map(|pieces| pieces.concat())
}

fn names() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["a.txt", "a.c", "a.rs", "a.py"])
}

fn kept(text: &str, tokeniser: Tokeniser, recipe: &Recipe) -> Vec<Tile> {
    let mut tiles = Vec::new();
    shatter(text, tokeniser, LexState::default(), recipe, |t| tiles.push(t));
    tiles
}

fn all(text: &str, tokeniser: Tokeniser, state: LexState, recipe: &Recipe) -> Vec<Tile> {
    let mut tiles = Vec::new();
    every_tile(text, tokeniser, state, recipe, |t| tiles.push(t));
    tiles
}

fn tokens(text: &str, tokeniser: Tokeniser) -> Vec<Token> {
    struct CollectTokens;
    impl Visitor for CollectTokens {
        type Output = Vec<Token>;
        fn visit<L: Lexer>(self, lexer: L) -> Vec<Token> {
            lexer.collect()
        }
    }
    tokeniser.lex(text, LexState::default(), CollectTokens)
}

/// The identity of each tile, computed naively: the list of its token hashes.
fn windows(tokens: &[Token], recipe: &Recipe) -> Vec<Vec<u64>> {
    let span = recipe.tile_tokens() as usize;
    let step = (span - 1) / (recipe.k as usize - 1).max(1);
    let windows = tokens.windows(span);
    windows.map(|w| w.iter().map(|t| t.hash).step_by(step.max(1)).collect()).collect()
}

proptest! {
    #[test]
    fn every_tile_is_a_window_of_tokens_and_equal_windows_have_equal_blots(
        text in document(60), name in names(), recipe in recipes(),
    ) {
        let tokeniser = tokeniser(name);
        let tokens = tokens(&text, tokeniser);
        let windows = windows(&tokens, &recipe);
        let tiles = all(&text, tokeniser, LexState::default(), &recipe);
        prop_assert_eq!(tiles.len(), windows.len());
        let last = recipe.tile_tokens() as usize - 1;
        for (i, tile) in tiles.iter().enumerate() {
            prop_assert_eq!(tile.first as usize, i);
            prop_assert_eq!((tile.start, tile.end), (tokens[i].start, tokens[i + last].end));
            for j in 0..i {
                if windows[i] == windows[j] {
                    prop_assert_eq!(tile.blot, tiles[j].blot);
                } else if recipe.blotter == Blotter::Ordered {
                    prop_assert_ne!(tile.blot, tiles[j].blot);
                }
            }
        }
    }

    #[test]
    fn kept_tiles_are_tiles_and_one_stands_in_each_window(
        text in document(60), name in names(), recipe in recipes(),
    ) {
        let tokeniser = tokeniser(name);
        let every = all(&text, tokeniser, LexState::default(), &recipe);
        let kept = kept(&text, tokeniser, &recipe);
        prop_assert!(kept.iter().all(|tile| every.get(tile.first as usize) == Some(tile)));
        prop_assert!(kept.is_sorted_by(|a, b| a.first < b.first));
        let w = (recipe.guarantee() - recipe.tile_tokens() + 1) as usize;
        for window in every.windows(w.min(every.len()).max(1)) {
            let first = window[0].first;
            let numbers = first..first + window.len() as u32;
            prop_assert!(kept.iter().any(|tile| numbers.contains(&tile.first)));
        }
    }

    #[test]
    fn two_documents_that_share_a_run_as_long_as_guaranteed_share_a_blot(
        before in prop::collection::vec(0..4_u8, 0..20),
        shared in prop::collection::vec(0..4_u8, 40),
        after in prop::collection::vec(0..4_u8, 0..20),
        recipe in recipes(),
    ) {
        let shared = &shared[..recipe.guarantee() as usize];
        let write = |parts: [&[u8]; 3]| -> String {
            parts.concat().into_iter().map(|n| format!("w{n} ")).collect()
        };
        let one = kept(&write([&before, shared, &[]]), Tokeniser::Words, &recipe);
        let other = kept(&write([&[], shared, &after]), Tokeniser::Words, &recipe);
        prop_assert!(one.iter().any(|a| other.iter().any(|b| a.blot == b.blot)));
    }

    #[test]
    fn parts_hold_all_tiles_of_their_document_and_no_others(
        text in document(120), name in names(), recipe in recipes(), part_bytes in 1..80_usize,
    ) {
        let tokeniser = tokeniser(name);
        let (mut found, mut hashes) = (Vec::new(), Vec::new());
        let (parts, count) = shatter_parts(&text, tokeniser, &recipe, part_bytes, |hash| hashes.push(hash), |part, tile| {
            found.push((part as usize, tile));
        });
        let tokens = tokens(&text, tokeniser);
        prop_assert_eq!(count as usize, tokens.len());
        prop_assert_eq!(hashes, tokens.iter().map(|token| token.hash).collect::<Vec<u64>>());
        let tiles: Vec<_> = found.iter().map(|(_, tile)| *tile).collect();
        prop_assert_eq!(tiles, kept(&text, tokeniser, &recipe));

        let mut united = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let piece = &text[part.start as usize..part.end as usize];
            let tiles: Vec<_> = all(piece, tokeniser, part.state, &recipe)
                .into_iter()
                .map(|t| Tile {
                    first: t.first + part.first_token,
                    start: t.start + part.start,
                    end: t.end + part.start,
                    ..t
                })
                .collect();
            for (_, tile) in found.iter().filter(|(p, _)| *p == number) {
                prop_assert!(tiles.contains(tile));
            }
            united.extend(tiles);
        }
        prop_assert_eq!(united, all(&text, tokeniser, LexState::default(), &recipe));

        // A part begins with the first token at or after a multiple.
        let mut boundary = part_bytes;
        let mut begins = vec![0];
        for (number, token) in tokens.iter().enumerate() {
            if token.start as usize >= boundary {
                begins.push(number as u32);
                boundary = (token.start as usize / part_bytes + 1) * part_bytes;
            }
        }
        prop_assert_eq!(parts.iter().map(|p| p.first_token).collect::<Vec<_>>(), begins);
    }
}

#[test]
fn a_short_document_gives_its_smallest_tile_and_a_shorter_one_none() {
    let recipe = recipe(3, Blotter::Ordered, Selection::Winnow(8));
    assert_eq!(kept("one two three four", Tokeniser::Words, &recipe).len(), 1);
    assert_eq!(kept("one two three", Tokeniser::Words, &recipe).len(), 1);
    assert_eq!(kept("one two", Tokeniser::Words, &recipe).len(), 0);
    assert_eq!(kept("", Tokeniser::Words, &recipe).len(), 0);
}

#[test]
fn a_text_no_longer_than_a_part_is_one_part() {
    for text in ["", " some  words ", "..."] {
        let whole = [Part { start: 0, end: text.len() as u32, state: LexState::default(), first_token: 0 }];
        let size = text.len().max(1);
        let (parts, _) = shatter_parts(text, Tokeniser::Words, &Recipe::default(), size, |_| (), |_, _| ());
        assert_eq!(parts, whole);
    }
}

#[test]
fn a_part_may_begin_in_a_comment() {
    let rust = Language::from_name("Rust").expect("Rust");
    let text = "let x = 1; /* one /* Two */ THREE four */ let y = 2;";
    let recipe = recipe(2, Blotter::Ordered, Selection::Every);
    let code = Tokeniser::Code(rust, Comments::Keep);
    let (parts, tokens) = shatter_parts(text, code, &recipe, 25, |_| (), |_, _| ());
    assert_eq!(tokens, 10);
    assert_eq!(parts.len(), 3);
    assert_eq!(&text[parts[1].start as usize..][..13], " */ THREE fou");
    assert_ne!(parts[1].state, LexState::default());
}

/// Fingerprints are stored on disk: changing what they are needs a new format version.
#[test]
fn blots_stay_what_they_are() {
    let blots = |tokeniser, blotter| {
        let recipe = recipe(3, blotter, Selection::Winnow(4));
        kept("The cat, the Dog; the été. 漢字 /* x */", tokeniser, &recipe)
            .iter()
            .map(|tile| tile.blot.to_string())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let c = tokeniser("a.c");
    let found = [
        blots(Tokeniser::Words, Blotter::Ordered),
        blots(Tokeniser::Words, Blotter::Circular),
        blots(Tokeniser::Words, Blotter::Interleaved(2)),
        blots(c, Blotter::Ordered),
    ];
    assert_eq!(
        found,
        ["a7e45be8cf9 dacf2826d1d", "096a94299d7 0e1916f8b98", "f1fcefecbd8", "adf70b6ec94 e7f305fcc2b"]
    );
}
