//! A corpus of made-up text with planted passages, so that it is known what stands where more than once.
//!
//! The words of a made-up language follow Zipf's law, and each has a few that like to follow it. A document
//! is host text, and between it copies of passages, each with noise of its own. The same seed gives the
//! same corpus.
#![allow(dead_code, reason = "each test program uses a part")]

use std::collections::{HashMap, HashSet};
use std::ops::{Range, RangeInclusive};

/// Different words of the language.
const WORDS: usize = 30_000;
/// How many words like to follow a word, and how often one of them does.
const FOLLOWERS: (usize, f64) = (5, 0.35);

/// What is planted.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Plans that differ in it alone give different corpora of the same kind.
    pub seed: u64,
    /// How many documents there are.
    pub documents: usize,
    /// How many passages are planted.
    pub groups: usize,
    /// The fewest and the most copies of a passage.
    pub copies: (usize, usize),
    /// How copies differ from the passage.
    pub noise: Noise,
}

/// How a copy differs from what it was copied from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Noise {
    /// This share of the words is edited: seven of ten replaced, the others lost or followed by a new one.
    Edit(f64),
    /// One character is wrong in this share of the words.
    Ocr(f64),
    /// This share of the letters is wrong.
    Letters(f64),
}

/// The corpus, and what was planted in it.
#[derive(Clone, Debug)]
pub struct Planted {
    /// Names and texts.
    pub documents: Vec<(String, String)>,
    /// Every planted copy.
    pub labels: Vec<Label>,
}

/// A planted copy.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Which passage it is a copy of.
    pub group: usize,
    /// Where it stands.
    pub place: Place,
}

/// Some bytes of a document, which is named by its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub document: usize,
    pub bytes: Range<usize>,
}

/// What a document is written from.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The passage that it is a copy of; `None` for host text.
    pub group: Option<usize>,
    pub words: Vec<String>,
}

impl Plan {
    /// The corpus.
    pub fn grow(&self) -> Planted {
        let mut language = Language::new(self.seed);
        let mut documents: Vec<Vec<Piece>> =
            (0..self.documents).map(|_| vec![language.host(20..=60)]).collect();
        for group in 0..self.groups {
            let len = language.random.within(30..=160);
            let passage = language.text(len);
            for _ in 0..language.random.within(self.copies.0..=self.copies.1) {
                let document = &mut documents[language.random.below(self.documents)];
                let words = language.copy(&passage, self.noise);
                document.extend([Piece { group: Some(group), words }, language.host(20..=80)]);
            }
        }
        language.write(&documents)
    }
}

/// A made-up language, and one who writes it.
pub struct Language {
    random: Random,
    /// The most frequent first.
    words: Vec<String>,
    /// For each word how often it and those before it come.
    sums: Vec<f64>,
    followers: HashMap<usize, Vec<usize>>,
}

impl Language {
    /// A language of this seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let mut known = HashSet::new();
        let mut words = Vec::new();
        while words.len() < WORDS {
            let word = random.word();
            if known.insert(word.clone()) {
                words.push(word);
            }
        }
        words.sort_by_key(String::len);
        let sums = (0..WORDS).scan(0.0, |sum, rank| {
            *sum += 1.0 / (rank as f64 + 2.7);
            Some(*sum)
        });
        Self { random, words, sums: sums.collect(), followers: HashMap::new() }
    }

    /// The same language with other words for its most frequent ones.
    pub fn with_words(mut self, words: &[&str]) -> Self {
        for (own, word) in self.words.iter_mut().zip(words) {
            (*word).clone_into(own);
        }
        self
    }

    /// So many words in line.
    pub fn text(&mut self, len: usize) -> Vec<String> {
        let mut last = None;
        let word = |_| {
            let rank = match last {
                Some(last) if self.random.happens(FOLLOWERS.1) => self.follower(last),
                _ => self.rank(),
            };
            last = Some(rank);
            self.words[rank].clone()
        };
        (0..len).map(word).collect()
    }

    /// Text that is no copy.
    pub fn host(&mut self, len: RangeInclusive<usize>) -> Piece {
        let len = self.random.within(len);
        Piece { group: None, words: self.text(len) }
    }

    /// A copy with noise.
    pub fn copy(&mut self, words: &[String], noise: Noise) -> Vec<String> {
        let mut copy = Vec::new();
        for word in words {
            match noise {
                Noise::Edit(share) if self.random.happens(share) => {
                    let other = self.rank();
                    match self.random.unit() {
                        ..0.7 => copy.push(self.words[other].clone()),
                        ..0.85 => {}
                        _ => copy.extend([word.clone(), self.words[other].clone()]),
                    }
                }
                Noise::Ocr(share) if self.random.happens(share) => copy.push(self.random.misread(word)),
                Noise::Letters(share) => copy.push(self.random.worn(word, share)),
                _ => copy.push(word.clone()),
            }
        }
        copy
    }

    /// Documents of some pieces, with sentences and lines. A piece without a word is not labelled.
    pub fn write(&mut self, documents: &[Vec<Piece>]) -> Planted {
        let mut planted = Planted { documents: Vec::new(), labels: Vec::new() };
        for (document, pieces) in documents.iter().enumerate() {
            let mut page = Page::new(self.random.within(50..=90));
            for Piece { group, words } in pieces {
                let spans: Vec<_> = words.iter().map(|word| page.write(word, &mut self.random)).collect();
                if let (Some(group), [first, ..]) = (*group, &spans[..]) {
                    let bytes = first.start..spans[spans.len() - 1].end;
                    planted.labels.push(Label { group, place: Place { document, bytes } });
                }
            }
            planted.documents.push((format!("{document:04}.txt"), page.text + "\n"));
        }
        planted
    }

    /// A word by its frequency.
    fn rank(&mut self) -> usize {
        let at = self.random.unit() * self.sums[WORDS - 1];
        self.sums.partition_point(|&sum| sum <= at)
    }

    /// One of the words that like to follow a word.
    fn follower(&mut self, of: usize) -> usize {
        if !self.followers.contains_key(&of) {
            let followers = (0..FOLLOWERS.0).map(|_| self.rank()).collect();
            self.followers.insert(of, followers);
        }
        self.followers[&of][self.random.below(FOLLOWERS.0)]
    }
}

/// A text while it is written.
struct Page {
    text: String,
    width: usize,
    column: usize,
    begins_sentence: bool,
}

impl Page {
    fn new(width: usize) -> Self {
        Self { text: String::new(), width, column: 0, begins_sentence: true }
    }

    /// Writes a word, and perhaps a mark behind it. Says where the word stands.
    fn write(&mut self, word: &str, random: &mut Random) -> Range<usize> {
        if !self.text.is_empty() {
            let is_full = self.column + word.len() >= self.width;
            self.text.push(if is_full { '\n' } else { ' ' });
            self.column = if is_full { 0 } else { self.column + 1 };
        }
        let start = self.text.len();
        self.text.push_str(word);
        if self.begins_sentence {
            self.text[start..=start].make_ascii_uppercase();
        }
        let end = self.text.len();
        self.column += word.len();
        let mark = random.unit();
        self.begins_sentence = mark < 0.06;
        match mark {
            ..0.06 => self.text.push('.'),
            ..0.12 => self.text.push(','),
            _ => {}
        }
        start..end
    }
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to 1, without it.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// From 0 up to `end`, without it.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// A number of a range.
    pub fn within(&mut self, range: RangeInclusive<usize>) -> usize {
        range.start() + self.below(range.end() - range.start() + 1)
    }

    /// Whether something happens that has this probability.
    pub fn happens(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    fn of(&mut self, letters: &str) -> char {
        char::from(letters.as_bytes()[self.below(letters.len())])
    }

    /// One to four syllables, few more often than many.
    fn word(&mut self) -> String {
        let more = (-(1.0 - self.unit()).ln() / 0.9) as usize;
        let mut word = String::new();
        for _ in 0..=more.min(3) {
            word.extend([self.of("bcdfghjklmnprstvz"), self.of("aeiou")]);
        }
        if self.happens(0.4) {
            word.push(self.of("nrstl"));
        }
        word
    }

    /// A word with one wrong letter.
    fn misread(&mut self, word: &str) -> String {
        let wrong = self.below(word.len());
        self.with_another_letter(word, wrong)
    }

    /// A word of which each letter is wrong with some probability.
    pub fn worn(&mut self, word: &str, share: f64) -> String {
        let mut worn = word.to_owned();
        for at in 0..word.len() {
            if self.happens(share) {
                worn = self.with_another_letter(&worn, at);
            }
        }
        worn
    }

    fn with_another_letter(&mut self, word: &str, at: usize) -> String {
        let others = "abcdefghijklmnopqrstuvwxyz".replace(&word[at..=at], "");
        format!("{}{}{}", &word[..at], self.of(&others), &word[at + 1..])
    }
}
