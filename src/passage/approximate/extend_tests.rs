use super::*;

fn text(words: &str) -> Vec<u64> {
    words.bytes().map(u64::from).collect()
}

fn extend(a: &str, b: &str, at: (usize, usize)) -> Agreement {
    let (a, b) = (text(a), text(b));
    let measure = Measure { gap: 3, ..Measure::default() };
    Pair { a: &a, b: &b, measure, weights: &Weights::equal() }.extend(at.0, at.1, 1)
}

#[test]
fn differences_are_bridged_and_ends_trimmed() {
    let found = extend("xyzabcdefghijklmnopquvw", "rsabcdeXghijmnopqtttt", (4, 3));
    assert_eq!((found.a.clone(), found.b.clone()), (3..20, 2..17));
    assert_eq!(found.matches, 14);
    assert_eq!((found.agreeing, found.differing), (14 * 16, 3 * 16));
    assert_eq!(found.equal, [(3, 2, 5), (9, 8, 4), (15, 12, 5)]);
    assert_eq!((found.place_of(4), found.place_of(15), found.place_of(14)), (3, 12, 12));
    assert_eq!((found.place_from(12), found.place_from(3)), (15, 4));
}

#[test]
fn what_differs_longer_than_the_gap_ends_the_copy() {
    let found = extend("abcdefgh____klmnop", "abcdefgh....klmnop", (2, 2));
    assert_eq!(found.a, 0..8);
    let found = extend("abcdefgh___klmnop", "abcdefgh...klmnop", (2, 2));
    assert_eq!(found.a, 0..17);
}

#[test]
fn a_difference_of_one_gap_is_crossed_whatever_similarity_is_asked() {
    let (a, b) = (text("abcd_efgh_ijkl_mnop"), text("abcd.efgh.ijkl.mnop"));
    for percent in 5..=95 {
        let measure = Measure { gap: 1, overlap: percent as f32 / 100.0, ..Measure::default() };
        let found = Pair { a: &a, b: &b, measure, weights: &Weights::equal() }.extend(6, 6, 1);
        assert_eq!(found.a, 0..19, "{percent} %");
    }
}

const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

#[test]
fn behind_a_long_agreement_one_text_may_have_a_long_insertion() {
    let (one, other) = LETTERS.split_at(26);
    let added = format!("{one}0123456789{other}");
    assert_eq!(extend(&added, LETTERS, (2, 2)).equal, [(0, 0, 26), (36, 26, 26)]);
    assert_eq!(extend(LETTERS, &added, (2, 2)).equal, [(0, 0, 26), (26, 36, 26)]);
    assert_eq!(extend(&added, LETTERS, (40, 30)).equal, [(0, 0, 26), (36, 26, 26)], "from either side");
    let short = format!("{one}0123456789{}", &other[..9]);
    assert_eq!(extend(&short, &LETTERS[..35], (2, 2)).a, 0..26, "less agrees behind it than it has");
    let early = format!("{}0123456789{}", &one[..19], &LETTERS[19..35]);
    assert_eq!(extend(&early, &LETTERS[..35], (2, 2)).a, 0..19, "it is longer than half of what agrees");
    let long = format!("{LETTERS}{}{LETTERS}", "_".repeat(19));
    assert_eq!(extend(&long, &LETTERS.repeat(2), (2, 2)).a, 0..52, "it is longer than six gaps");
}

#[test]
fn unlike_text_in_both_is_not_crossed() {
    let (one, other) = LETTERS.split_at(26);
    let (added, replaced) = (format!("{one}0123456789{other}"), format!("{one}!$%&/{other}"));
    assert_eq!(extend(&added, &replaced, (2, 2)).a, 0..26);
    let near = format!("{one}!$%{other}");
    assert_eq!(extend(&added, &near, (2, 2)).a, 0..62, "a gap is");
}

#[test]
fn a_few_tokens_in_common_do_not_make_unlike_text_alike() {
    let (one, other) = LETTERS.split_at(26);
    let between = |inner: &str| format!("{one}{inner}{other}");
    let found = extend(&between("012+345678"), &between("!$%+&/()=?"), (2, 2));
    assert_eq!(found.a, 0..26, "one in ten agrees");
    let found = extend(&between("0+1*2#34"), &between("!+$*%#&/"), (2, 2));
    assert_eq!(found.a, 0..60, "three in eight agree");
}

#[test]
fn a_copy_does_not_begin_with_unlike_text() {
    let alike = "abcdefghijklmnopqrstuvw";
    let found = extend(&format!("XY1ZV2..{alike}"), &format!("UW1ST2__{alike}"), (12, 12));
    assert_eq!(found.a.start, 8);
}

#[test]
fn both_sides_go_through_differences() {
    let found = extend("abcdXefghijklmYnopq", "abcdefghijklmnopq", (9, 8));
    assert_eq!((found.a.clone(), found.b.clone(), found.matches), (0..19, 0..17, 17));
    assert_eq!(found.equal, [(0, 0, 4), (5, 4, 9), (15, 13, 4)]);
    assert_eq!(found.place_of(12), 11);
}
