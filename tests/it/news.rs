//! The made news texts, from which some of the labelled passages were drawn.

use std::collections::HashSet;

use crate::made_news::{TEXTS, texts};

#[test]
fn the_news_texts_are_the_same_each_time_and_differ_from_each_other() {
    let made = texts();
    assert_eq!(made.len(), TEXTS);
    let is_same =
        made.iter().zip(texts()).all(|(one, other)| one.path == other.path && one.text == other.text);
    assert!(is_same);
    let paths: HashSet<&str> = made.iter().map(|text| text.path.as_str()).collect();
    let distinct: HashSet<&str> = made.iter().map(|text| text.text.as_str()).collect();
    assert_eq!((paths.len(), distinct.len()), (TEXTS, TEXTS));
}

#[test]
fn the_news_texts_share_whole_paragraphs() {
    let made = texts();
    let (mut seen, mut reposted) = (HashSet::new(), 0);
    for text in &made {
        let long = text.text.split("\n\n").filter(|paragraph| paragraph.len() > 80);
        let mut is_reposted = false;
        for paragraph in long.filter(|paragraph| !paragraph.contains("opyright") && !paragraph.contains('©'))
        {
            is_reposted |= !seen.insert(paragraph);
        }
        reposted += usize::from(is_reposted);
    }
    assert!((TEXTS / 10..TEXTS).contains(&reposted), "{reposted} of {TEXTS}");
}
