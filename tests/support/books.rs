//! Books that were transcribed by a machine, and have texts in common, as books of hours have prayers.
//!
//! Each text is in two books or more, in another order in each, between text that only one book has. Each book has a hand
//! of its own: which letters the machine confuses in it, which ending is abbreviated, how often a letter is misread, and
//! how often a word is split or joined to the next. The same seed gives the same books.
#![allow(dead_code, reason = "each test program uses a part")]

use std::collections::{BTreeMap, BTreeSet};

use crate::planted::{Language, Piece, Place, Planted, Random};
use crate::scored::Scorer;

/// What is confused in some books: letters as in old types and hands, a lost letter, and an abbreviated ending.
const CONFUSED: [(&str, &str); 8] =
    [("s", "f"), ("v", "u"), ("i", "j"), ("c", "t"), ("m", "rn"), ("e", "ae"), ("n", ""), ("us", "q")];
/// In a book that confuses some letters, a word that has them is written with the others at most this often.
const MOST_CONFUSED: f64 = 0.5;

/// How a book is written.
struct Hand {
    /// What is confused, and how often.
    confused: Vec<(&'static str, &'static str, f64)>,
    /// How often a letter is misread.
    misread: f64,
    /// How often a long word is split, and a word joined to the one before it.
    split: f64,
    joined: f64,
}

impl Hand {
    fn new(random: &mut Random) -> Self {
        let often = |random: &mut Random| {
            if random.happens(0.5) { random.unit() * MOST_CONFUSED } else { 0.0 }
        };
        let confused = CONFUSED.into_iter().map(|(from, to)| (from, to, often(random))).collect();
        let mut between = |least: f64, most: f64| least + (most - least) * random.unit();
        Self {
            confused,
            misread: between(0.01, 0.035),
            split: between(0.02, 0.04),
            joined: between(0.02, 0.04),
        }
    }

    /// What the machine reads.
    fn transcribed(&self, words: &[String], random: &mut Random) -> Vec<String> {
        let mut read: Vec<String> = Vec::new();
        for word in words {
            let mut word = word.clone();
            for &(from, to, often) in &self.confused {
                if word.len() > 2 && word.contains(from) && random.happens(often) {
                    word = word.replacen(from, to, 1);
                }
            }
            let word = random.worn(&word, self.misread);
            match read.last_mut() {
                _ if word.len() > 4 && random.happens(self.split) => {
                    let (start, end) = word.split_at(random.within(1..=word.len() - 1));
                    read.extend([start.to_owned(), end.to_owned()]);
                }
                Some(last) if random.happens(self.joined) => *last += &word,
                _ if word.is_empty() => {}
                _ => read.push(word),
            }
        }
        read
    }
}

/// So many books with so many texts in common, of 20 to 300 words. A text is in two books or more, most in two or three.
pub fn transcribed(seed: u64, books: usize, texts: usize) -> Planted {
    let mut language = Language::new(seed);
    let mut random = Random(seed * 77 + 5);
    let hands: Vec<Hand> = (0..books).map(|_| Hand::new(&mut random)).collect();
    let mut of_book: Vec<Vec<usize>> = vec![Vec::new(); books];
    let texts: Vec<Vec<String>> = (0..texts).map(|_| language.text(random.within(20..=300))).collect();
    for text in 0..texts.len() {
        let count = 2 + (random.unit() * random.unit() * 0.9 * books as f64) as usize;
        let mut others: Vec<usize> = (0..books).collect();
        for _ in 0..count.min(books) {
            of_book[others.swap_remove(random.below(others.len()))].push(text);
        }
    }
    let mut documents = Vec::new();
    for (hand, mut own) in hands.iter().zip(of_book) {
        let mut pieces = vec![language.host(200..=400)];
        while !own.is_empty() {
            let text = own.swap_remove(random.below(own.len()));
            let words = hand.transcribed(&texts[text], &mut random);
            pieces.extend([Piece { group: Some(text), words }, language.host(100..=600)]);
        }
        documents.push(pieces);
    }
    language.write(&documents)
}

/// What was found of texts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundTexts {
    /// Texts of which some row has half of two copies.
    pub texts: usize,
    /// The median number of rows that have ten words or more of two copies of a text.
    pub rows: usize,
    /// The share of the reported words that lie in the texts.
    pub inside: f64,
}

/// What some rows have of the texts.
pub fn found_texts(planted: &Planted, all: &[Vec<Place>]) -> FoundTexts {
    const WORDS: usize = 10;
    let scorer = Scorer::new(planted);
    let labels: Vec<_> = planted.labels.iter().map(|label| (label, scorer.tokens_in(&label.place))).collect();
    let mut rows_of: BTreeMap<usize, usize> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for row in all {
        // For each text the copies of which the row has some, and half.
        let mut copies: BTreeMap<usize, [BTreeSet<usize>; 2]> = BTreeMap::new();
        for place in row {
            let run = scorer.tokens_in(place);
            for (label, own) in labels.iter().filter(|(label, _)| label.place.document == place.document) {
                let common = run.end.min(own.end).saturating_sub(run.start.max(own.start));
                for (some, least) in
                    copies.entry(label.group).or_default().iter_mut().zip([WORDS, own.len() / 2])
                {
                    if common >= least {
                        some.insert(place.document);
                    }
                }
            }
        }
        for (text, [some, half]) in copies {
            if some.len() > 1 {
                *rows_of.entry(text).or_default() += 1;
            }
            if half.len() > 1 {
                found.insert(text);
            }
        }
    }
    let mut counts: Vec<usize> = rows_of.values().copied().collect();
    counts.sort_unstable();
    let rows = counts.get(counts.len() / 2).copied().unwrap_or(0);
    FoundTexts { texts: found.len(), rows, inside: scorer.score(all).inside }
}
