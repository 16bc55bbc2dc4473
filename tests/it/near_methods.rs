//! The methods of `near` beside exact Jaccard.

use crate::near_verbs::{corpus, near};

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
    let said = String::from_utf8(output.stderr).unwrap();
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
