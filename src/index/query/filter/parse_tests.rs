use super::super::{Quantity, Values, complete};
use super::*;

fn problems(text: &str, saved: &[(&str, &str)]) -> Vec<(Range<usize>, String)> {
    let saved = saved.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
    parse(text, &saved).1.into_iter().map(|problem| (problem.span, problem.sentence)).collect()
}

#[test]
fn every_example_is_understood() {
    for name in NAMES {
        assert_eq!(problems(name.example, &[]), [], "{}", name.example);
    }
}

#[test]
fn an_invalid_term_is_reported_with_its_position_and_the_others_apply() {
    let text = "free copies:>x é pth:src -tokens:>3";
    let (filter, problems) = parse(text, &SavedFilters::default());
    assert_eq!(filter.terms.len(), 3);
    let places: Vec<&str> = problems.iter().map(|problem| &text[problem.span.clone()]).collect();
    assert_eq!(places, ["copies:>x", "pth:src"]);
    assert_eq!(problems[0].sentence, "copies:>x: expected a number, as in copies:>5");
    assert_eq!(problems[1].sentence, "pth: unknown term; did you mean path:, as in path:src/**?");
    let pointed = problems[1].pointed_out(text);
    assert_eq!(pointed, format!("{text}\n                 ^^^^^^^"));
}

#[test]
fn every_mistake_has_a_sentence_with_a_way_out() {
    for (text, part) in [
        ("path:", "path: expected a name or a pattern, as in path:src/**"),
        ("path:a[", "as in path:src/**"),
        ("ext:,", "as in ext:"),
        ("lang:,,", "as in lang:"),
        ("state:,", "open, fix, accepted or taboo"),
        ("is:,", "as in is:near"),
        ("lang:rsut", "did you mean Rust?"),
        ("lang:qqqqqq", "unknown language qqqqqq, as in lang:rust"),
        ("kind:,", "kind:,: expected code, prose, comment"),
        ("kind:licence,foo", "unknown kind foo; expected code, prose, comment, licence"),
        ("kind:license", "unknown kind license (did you mean licence?); expected"),
        ("state:near", "open, fix, accepted or taboo"),
        ("is:nice", "as in is:near"),
        ("passage:123", "sixteen digits"),
        ("passage:+123456789abcdef", "sixteen digits"),
        ("blot:0123456789ab", "eleven at most, as in blot:0123456789a"),
        ("blot:x", "digits of a blot"),
        ("-", "-path:vendor"),
        ("\"", "words are missing"),
        ("zzz:x", "in quotes"),
        ("@", "@mine"),
        ("@nobody", "@ on the screen"),
        ("docs>5", "docs:>5"),
        ("-Copies<=3", "copies:<=3"),
        ("copies:5..2", "did you mean copies:2..5?"),
        ("path:[", "path:src/**; invalid pattern: unclosed character class"),
    ] {
        let found = problems(text, &[]);
        assert!(found.len() == 1 && found[0].1.contains(part), "{text}: {found:?}");
        assert_eq!(found[0].0, 0..text.len());
    }
}

#[test]
fn words_that_only_look_like_terms_are_words() {
    for text in ["docs", "docs>many", "a>5", "docs->x", "x=3", "path>3", "'docs>5"] {
        assert_eq!(problems(text, &[]), [], "{text}");
    }
}

#[test]
fn a_quote_that_is_not_closed_is_reported_and_extends_to_the_end() {
    let (filter, problems) = parse("x path:\"a b", &SavedFilters::default());
    assert_eq!((filter.terms.len(), problems.len(), problems[0].span.clone()), (2, 1, 7..8));
    assert!(problems[0].sentence.contains("close it"));
    assert!(parse("x path:\"a b\"", &SavedFilters::default()).1.is_empty());
}

#[test]
fn terms_that_do_not_apply_to_the_rows_are_reported_and_ignored() {
    let saved = [("half".to_owned(), "share:>50".to_owned())].into_iter().collect();
    let lacking = [TermKind::Number(Quantity::Share)];
    let (filter, problems) = parse_for("docs:>2 share:>50 @half", &saved, &lacking);
    assert_eq!(filter.least(Quantity::Documents), 3);
    let said: Vec<&str> = problems.iter().map(|problem| problem.sentence.as_str()).collect();
    let sentence = "share: does not apply here; it applies to documents and files";
    assert_eq!(said, [sentence, &format!("in @half: {sentence}")]);
    assert!(parse("share:>50", &saved).1.is_empty());
}

#[test]
fn saved_filters_stand_for_their_terms_and_may_not_contain_themselves() {
    let saved = [("a", "x @b"), ("b", "copies:>2 @c"), ("c", "@a"), ("bad", "copies:many")];
    let found = problems("y @a", &saved);
    assert_eq!(
        found,
        [(2..4, "in @c: @a: a saved filter cannot contain itself (@a → @b → @c → @a)".to_owned())]
    );
    let found = problems("@bad", &saved);
    assert_eq!(found[0].1, "in @bad: copies:many: expected a number, as in copies:>5");
    assert!(problems("@nad", &saved)[0].1.contains("did you mean @bad?"));
}

#[test]
fn filters_that_grow_without_end_are_cut() {
    let names: Vec<(String, String)> =
        (0..40).map(|number| (format!("f{number}"), format!("@f{0} @f{0}", number + 1))).collect();
    let saved: SavedFilters = names.into_iter().chain([("f40".to_owned(), "x".to_owned())]).collect();
    let (filter, problems) = parse("@f0", &saved);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(filter.texts.len() <= Filter::MAX_TERMS);
    let long = "a ".repeat(100);
    assert!(parse(&long, &saved).1[0].sentence.contains("at most 64 terms"));
}

#[test]
fn taboo_rows_are_wanted_when_they_are_asked_for() {
    let saved: SavedFilters = [("t".to_owned(), "is:taboo".to_owned())].into_iter().collect();
    let wants = |text: &str| parse(text, &saved).0.wants_taboo();
    assert!(wants("is:taboo") && wants("x state:open,taboo") && wants("@t"));
    assert!(!wants("-is:taboo") && !wants("state:open") && !wants("-@t") && !wants("taboo"));
}

#[test]
fn kinds_are_asked_for_unless_they_are_negated() {
    let saved: SavedFilters = [("k".to_owned(), "kind:data,Code".to_owned())].into_iter().collect();
    let kinds = |text: &str| parse(text, &saved).0.kinds();
    assert_eq!(kinds("x kind:licence @k"), [Kind::Licence, Kind::Data, Kind::Code]);
    assert_eq!([kinds("-kind:data"), kinds("-@k"), kinds("x")].concat(), []);
    for kind in Kind::ALL {
        assert_eq!(kinds(&format!("kind:{kind}")), [kind]);
        assert!(NAMES.iter().any(|name| name.wants.contains(kind.name())), "{kind}");
    }
}

#[test]
fn the_least_number_is_what_terms_say_outright() {
    let saved: SavedFilters = [("s".to_owned(), "docs:7..9".to_owned())].into_iter().collect();
    let least = |text: &str| parse(text, &saved).0.least(Quantity::Documents);
    assert_eq!(["docs:>2 docs:<9", "@s docs:>3", "docs:5"].map(least), [3, 7, 5]);
    assert_eq!(["", "copies:>5", "-docs:>5", "-@s", "docs:<5"].map(least), [0; 5]);
}

#[test]
fn what_is_typed_is_marked() {
    let text = "-path:src x 'y copies:z @a";
    let (_, problems) = parse(text, &SavedFilters::default());
    let marked: Vec<(&str, SyntaxKind)> =
        syntax(text, &problems).into_iter().map(|(span, mark)| (&text[span], mark)).collect();
    let expected = [
        ("-", SyntaxKind::Minus),
        ("path:", SyntaxKind::Name),
        ("src", SyntaxKind::Value),
        ("x", SyntaxKind::Word),
        ("'y", SyntaxKind::Exact),
        ("copies:z", SyntaxKind::Wrong),
        ("@a", SyntaxKind::Wrong),
    ];
    assert_eq!(marked, expected);
}

/// Pathological filters of about so many bytes, as a paste may produce them.
fn pasted(bytes: usize) -> Vec<String> {
    let times = |text: &str| text.repeat(bytes / text.len());
    vec![
        times("ab"),
        times("\""),
        times("a:\"\""),
        times("x "),
        format!("'{}", times("ab")),
        format!("\"{}\"", times("ab ")),
        format!("path:{}", times("*a")),
        format!("path:{}", times("{a,")),
        format!("lang:{}", times("q,")),
        format!("lang:{}", times("q")),
        times("-@m "),
        times("q:"),
    ]
}

/// Everything that a key press in the filter line does with it.
fn read_all(text: &str) {
    let saved = [("m".to_owned(), "tokens:>5".to_owned())].into_iter().collect();
    let (_, problems) = parse(text, &saved);
    syntax(text, &problems);
    let values = Values { languages: &[], extensions: &[], folders: &[], saved: &saved, lacking: &[] };
    complete(text, text.len(), &values);
    complete(text, text.len() / 2, &values);
}

#[test]
fn a_filter_of_any_length_is_read_or_refused() {
    for text in pasted(2 << 10) {
        read_all(&text);
    }
    for text in pasted(1 << 20) {
        read_all(&text);
        let problems = problems(&text, &[]);
        assert!(problems[0].1.contains("at most 4096 bytes"), "{}", problems[0].1);
    }
    let long = "x ".repeat(Filter::MAX_BYTES);
    let (span, sentence) = &problems("a @long", &[("long", &long)])[0];
    assert_eq!((span.clone(), sentence.starts_with("in @long: a filter has at most")), (2..7, true));
}

#[test]
#[ignore = "a figure: cargo test --release --lib longest_filters -- --ignored --nocapture"]
fn longest_filters_are_read_within_a_frame() {
    for text in pasted(Filter::MAX_BYTES).into_iter().chain(pasted(100_000)) {
        let begun = std::time::Instant::now();
        read_all(&text);
        let took = begun.elapsed();
        let begin: String = text.chars().take(12).collect();
        println!("{begin}… {} bytes: {:.2} ms", text.len(), took.as_secs_f64() * 1e3);
        assert!(took.as_millis() < 16, "{begin}");
    }
}
