use proptest::prelude::*;

use super::*;

fn symbols(text: &str) -> Vec<String> {
    cells(text).map(|cell| cell.symbol.into_owned()).collect()
}

#[test]
fn what_would_command_the_terminal_is_shown_instead() {
    assert_eq!(symbols("a\u{1b}[m"), ["a", "␛", "[", "m"]);
    assert_eq!(symbols("\0\u{7f}\r"), ["␀", "␡", "␍"]);
    assert_eq!(symbols("\u{202e}x\u{9b}"), ["<202e>", "x", "<9b>"]);
}

#[test]
fn what_cannot_be_seen_is_shown() {
    for hidden in [
        '\u{200b}',
        '\u{ad}',
        '\u{2028}',
        '\u{2060}',
        '\u{feff}',
        '\u{fff9}',
        '\u{3164}',
        '\u{e0041}',
        '\u{e000}',
    ] {
        let shown = format!("<{:x}>", u32::from(hidden));
        assert_eq!(symbols(&format!("a{hidden}b")), ["a", &shown, "b"]);
    }
    assert_eq!(symbols("a\u{200d}"), ["a", "<200d>"]);
    assert_eq!(symbols("a\u{fe0f}"), ["a", "<fe0f>"]);
    assert_eq!(symbols("\u{378}\u{1160}\u{1f1e9}"), ["<378>", "<1160>", "<1f1e9>"]);
    assert_eq!(symbols("\u{fffd}"), ["\u{fffd}"]);
}

#[test]
fn tabs_and_wide_characters_take_their_columns() {
    let widths = |text: &str| cells(text).map(|cell| cell.width).collect::<Vec<_>>();
    assert_eq!(widths("a\tb"), [1, 7, 1]);
    assert_eq!(widths("東e\u{301}"), [2, 1]);
}

#[test]
fn an_emoji_is_shown_without_what_terminals_disagree_on() {
    assert_eq!(symbols("👩‍👩‍👧!"), ["👩", "👩", "👧", "!"]);
    assert_eq!(symbols("👍🏽❤️1️⃣"), ["👍", "❤", "1\u{20e3}"]);
    assert_eq!(symbols("🇩🇪🇫"), ["🇩🇪", "<1f1eb>"]);
    assert_eq!(symbols("葛\u{e0100}"), ["葛"]);
}

#[test]
fn letters_keep_their_marks_and_joiners_that_mean_something() {
    assert_eq!(symbols("का"), ["का"]);
    assert_eq!(symbols("ی\u{200c}خ"), ["ی\u{200c}", "خ"]);
    assert_eq!(symbols("\u{1112}\u{1161}\u{11ab}"), ["\u{1112}\u{1161}\u{11ab}"]);
    assert_eq!(symbols("שלום").len(), 4);
}

#[test]
fn what_is_piled_up_on_a_letter_is_counted() {
    let pile = format!("a{}b", "\u{301}".repeat(1000));
    assert_eq!(symbols(&pile), ["a\u{301}\u{301}\u{301}\u{301}", "<+996>", "b"]);
    let large = format!("a{}", "\u{301}".repeat(100_000));
    assert!(symbols(&large).len() < 60 && symbols(&large).iter().all(|symbol| symbol.len() <= LONGEST));
    assert_eq!(symbols("\u{301}x"), ["<301>", "x"]);
}

/// What terminals do who add up the widths of all characters.
fn columns_in_a_terminal(symbol: &str) -> usize {
    let mut terminal = vt100::Parser::new(2, 80, 0);
    // This one takes the character that stands for nonsense for nonsense.
    let symbol = symbol.replace('\u{fffd}', "?");
    terminal.process(symbol.as_bytes());
    usize::from(terminal.screen().cursor_position().1)
}

#[test]
fn the_cursor_is_where_we_think_it_is() {
    for nasty in "a\u{200d}b|e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}|👩‍👩‍👧|👍🏽|❤️|⌚︎|1️⃣|🇩🇪🇫🇷🇩|का की कु|க்ஷ|\
        ក្រុង|ကြောင်း|ทำ|\u{1112}\u{1161}\u{11ab}|\u{1100}\u{1100}\u{1161}|\u{1161}|한글|ﷺ|לְשָׁלוֹם|\
        العَرَبِيَّة|لا|\u{600}1|ᠮᠣᠩᠭᠣᠯ\u{180b}|\u{fff9}a\u{fffa}b\u{fffb}|\u{e000}|\u{10ffff}|\
        \u{1face}|𝒳|☺\u{fe0e}|🏴\u{e0067}\u{e007f}|\u{2f800}|･ﾟ|½Åß|\u{3000}|꧁|𓀀|⸻|\u{fdfd}"
        .split('|')
    {
        for cell in cells(nasty).filter(|cell| !cell.symbol.contains(['\u{ff9e}', '\u{ff9f}'])) {
            assert_eq!(columns_in_a_terminal(&cell.symbol), cell.width, "{nasty:?}: {cell:?}");
        }
    }
}

#[test]
fn cut_text_says_so() {
    assert_eq!(
        (line(" a \n b ", 9), line("abcdef", 4), fit("abcd", 4)),
        ("a b".into(), "abc…".into(), "abcd".into())
    );
    assert_eq!((fit_end("some/deep/file", 10), fit_end("file", 9)), ("…deep/file".into(), "file".into()));
    assert_eq!(["j ↓ Ctrl-n", "Ctrl-Home g"].map(|keys| fit_whole(keys, 9)), ["j ↓", "Ctrl-Home"]);
    assert_eq!((fit("東京", 3), fit("x", 0), fit_end("xy", 0)), ("東…".into(), String::new(), String::new()));
}

/// Characters of the kinds that make trouble, between plain ones.
fn nasty() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        any::<char>(),
        proptest::char::range('a', 'e'),
        proptest::char::range('\u{300}', '\u{310}'),
        proptest::char::range('\u{900}', '\u{97f}'),
        proptest::char::range('\u{1100}', '\u{11ff}'),
        proptest::char::range('\u{200b}', '\u{200f}'),
        proptest::char::range('\u{fe00}', '\u{fe0f}'),
        proptest::char::range('\u{1f1e6}', '\u{1f1ff}'),
        proptest::char::range('\u{1f3f0}', '\u{1f44f}'),
        proptest::char::range('\u{e0020}', '\u{e007f}'),
    ];
    proptest::collection::vec(character, 0..40).prop_map(String::from_iter)
}

proptest! {
    #[test]
    fn no_text_reaches_the_terminal_as_a_command(text in nasty(), width in 0_usize..30) {
        let mut before = None;
        for cell in cells(&text) {
            let symbol = &*cell.symbol;
            prop_assert!(symbol.chars().all(|c| !c.is_control() && (!is_hidden(c) || symbol.len() > c.len_utf8())), "{cell:?}");
            prop_assert!(cell.width >= 1 && before < Some(cell.byte) && symbol.len() <= LONGEST);
            prop_assert!(cell.width <= 2 || symbol.is_ascii(), "{cell:?}");
            let is_of_katakana = symbol.contains(['\u{ff9e}', '\u{ff9f}']);
            prop_assert!(is_of_katakana || columns_in_a_terminal(symbol) == cell.width, "{cell:?}");
            prop_assert!(is_of_katakana || symbol.width() == cell.width, "{cell:?}");
            before = Some(cell.byte);
        }
        for cut in [fit(&text, width), line(&text, width), fit_end(&text, width)] {
            let columns: usize = cells(&cut).map(|cell| cell.width).sum();
            prop_assert!(columns <= width, "{cut:?}");
        }
    }
}
