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
fn a_problem_is_pointed_out_below_its_term() {
    let text = "free copies:>x é pth:src -tokens:>3";
    let (_, problems) = parse(text, &SavedFilters::default());
    let pointed = problems[1].pointed_out(text);
    assert_eq!(pointed, format!("{text}\n                 ^^^^^^^"));
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
fn every_kind_can_be_asked_for() {
    for kind in Kind::ALL {
        assert_eq!(parse(&format!("kind:{kind}"), &SavedFilters::default()).0.kinds(), [kind]);
        assert!(NAMES.iter().any(|name| name.wants.contains(kind.name())), "{kind}");
    }
}

/// Pathological filters of about this number of bytes, as a paste may produce them.
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
