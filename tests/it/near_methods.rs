//! The methods of `near` beside exact Jaccard.

use crate::near_verbs::{corpus, near};
use crate::support::Home;

#[test]
fn minhash_finds_what_jaccard_finds_and_can_say_how_much_it_misses() {
    let home = corpus();
    for more in [&[][..], &["--pairs"], &["--bag", "--shingle", "2"], &["--threshold", "0.7", "--pairs"]] {
        let of = |method| near(&home, &[&["--method", method], more].concat());
        assert_eq!(of("minhash"), of("jaccard"), "{more:?}");
    }
    let estimated = near(&home, &["--method", "minhash", "--no-verify", "--pairs"]);
    assert_eq!(estimated.len(), 4);
    let similarity = estimated[1]["similarity"].as_f64().unwrap();
    assert!((similarity - 0.9032).abs() < 0.15, "{similarity}");
    let output = home.run(&["near", "--method", "minhash", "--explain"]);
    let said = output.stderr;
    assert!(said.contains(" bands of ") && said.contains("1.00: 100.0 %"), "{said}");
}

#[test]
fn simhash_finds_more_at_a_greater_distance() {
    let home = corpus();
    let pairs = |distance: &str, more: &[&str]| {
        near(&home, &[&["--method", "simhash", "--pairs", "--distance", distance], more].concat())
    };
    assert_eq!(pairs("0", &[]).len(), 1);
    let mut before = 1;
    for distance in ["3", "8", "12", "16", "20", "24"] {
        let found = pairs(distance, &["--shingle", "1"]);
        let least = 1.0 - distance.parse::<f64>().unwrap() / 64.0;
        assert!(found.iter().all(|pair| pair["similarity"].as_f64().unwrap() > least - 0.0001), "{found:?}");
        assert!(found.len() >= before, "{distance}");
        before = found.len();
    }
    assert!(before >= 4);
    let like = ["--method", "simhash", "--like", "v/first.txt", "--shingle", "1", "--distance", "24"];
    let found = near(&home, &like);
    assert_eq!(found[0]["partner"], "v/first.txt");
    assert!(found.len() >= 3);
}

/// Two articles on pages with different menus, a translation of which nothing is the same, and a page with one of the menus.
fn pages() -> Home {
    let home = Home::new();
    let article = "The mayor opened the bridge on a rainy Monday. A band of the fire brigade played, and the first \
        lorry crossed the river at noon. There was a speech by the engineer, who had built it in a year.";
    let menu = "Home News Sport Weather Contact Imprint Login Search Archive Jobs Shop Newsletter ";
    home.write("one.txt", format!("{menu}{article}"));
    home.write(
        "two.txt",
        format!("Start Politics Culture Science Travel Cars Money {article} Share Print Mail"),
    );
    home.write(
        "german.txt",
        "Der Bürgermeister hat die Brücke an einem Montag eröffnet, und die Feuerwehr spielte.",
    );
    home.write("menu.txt", format!("{menu}The shop is closed."));
    home
}

#[test]
fn spotsigs_sees_the_article_and_not_the_menu() {
    let home = pages();
    let pairs = |more: &[&str]| near(&home, &[&["--method", "spotsigs", "--pairs"], more].concat());
    let found = pairs(&[]);
    assert_eq!(found.len(), 1);
    assert_eq!((&found[0]["path"], &found[0]["partner"]), (&"one.txt".into(), &"two.txt".into()));
    let similarity = |rows: &[serde_json::Value]| rows[0]["similarity"].as_f64().unwrap();
    let by_shingles = similarity(&near(&home, &["--pairs", "--threshold", "0.1"]));
    assert!(similarity(&found) > by_shingles, "{found:?} {by_shingles}");
    assert_eq!(similarity(&pairs(&["--antecedents", "english"])), similarity(&found));
    home.write("lists/own.list", "# mine\nthe 1 1\na 2 1\n");
    assert_eq!(pairs(&["--antecedents", "lists/own.list"]).len(), 1);
    let run = |more: &[&str]| home.run(&[&["near", "--method", "spotsigs", "--pairs"], more].concat()).code;
    assert_eq!(run(&["--antecedents", "german"]), Some(1));
    assert_eq!(run(&["--idf-min", "0.9"]), Some(1), "only signatures of one document are left");
    assert_eq!(run(&["--idf-max", "0.1"]), Some(1), "only signatures of all documents are left");
    home.write("lists/wrong.list", "the one two\n");
    let wrong = home.run(&["near", "--method", "spotsigs", "--antecedents", "lists/wrong.list"]);
    assert!(wrong.stderr.contains("line 1 of the antecedents"));
    let like = near(&home, &["--method", "spotsigs", "--like", "one.txt"]);
    assert_eq!(like.len(), 2);
    assert_eq!(like[1]["partner"], "two.txt");
}
