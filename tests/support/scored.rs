//! How well some passages agree with what was planted, counted in tokens that are found here anew: runs of
//! letters.
#![allow(dead_code, reason = "each test program uses a part")]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use crate::planted::{Place, Planted};

/// How good a search was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The share of the planted copies that were found: some passage holds at least half of the tokens of
    /// this copy, and of another one of the same group.
    pub found: f64,
    /// The same with seven tenths of the tokens.
    pub covered: f64,
    /// The share of the found copies that stand in the passage that holds most of their group.
    pub grouped: f64,
    /// The share of the reported tokens that lie in planted copies.
    pub inside: f64,
    /// How many tokens the ends of a copy are off on average, in the run that tells it best. Infinite where
    /// no copy was told.
    pub ends: f64,
}

impl Score {
    /// What any search reaches.
    pub const ANY: Self = Self { found: 0.0, covered: 0.0, grouped: 0.0, inside: 0.0, ends: f64::INFINITY };

    /// Whether it is nowhere worse than another.
    pub fn reaches(&self, least: &Self) -> bool {
        self.found >= least.found
            && self.covered >= least.covered
            && self.grouped >= least.grouped
            && self.inside >= least.inside
            && self.ends <= least.ends
    }
}

/// A planted corpus in tokens.
pub struct Scorer<'a> {
    planted: &'a Planted,
    /// Where the tokens of each document stand.
    words: Vec<Vec<Range<usize>>>,
    /// The tokens of each label.
    tokens: Vec<Range<usize>>,
    /// The labels of each document.
    labels: Vec<Vec<usize>>,
}

impl<'a> Scorer<'a> {
    /// Prepares to compare passages with a corpus.
    pub fn new(planted: &'a Planted) -> Self {
        let words = planted.documents.iter().map(|(_, text)| words_of(text)).collect();
        let mut scorer = Self { planted, words, tokens: Vec::new(), labels: Vec::new() };
        scorer.labels.resize(planted.documents.len(), Vec::new());
        for (number, label) in planted.labels.iter().enumerate() {
            scorer.tokens.push(scorer.tokens_in(&label.place));
            scorer.labels[label.place.document].push(number);
        }
        scorer
    }

    /// The tokens that lie in a place, by their numbers in the document.
    pub fn tokens_in(&self, place: &Place) -> Range<usize> {
        let words = &self.words[place.document];
        let start = words.partition_point(|word| word.start < place.bytes.start);
        let end = words.partition_point(|word| word.end <= place.bytes.end);
        start..end.max(start)
    }

    /// Scores some passages, each told as its copies.
    pub fn score(&self, passages: &[Vec<Place>]) -> Score {
        let mut found = BTreeSet::new();
        // For each group the most of its copies that one passage holds.
        let mut most: HashMap<usize, usize> = HashMap::new();
        // For each copy the run that tells it best: how much of it is held, and how far its ends are off.
        let mut best: HashMap<usize, (usize, usize)> = HashMap::new();
        for passage in passages {
            let mut held: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
            for place in passage {
                let run = self.tokens_in(place);
                for &label in &self.labels[place.document] {
                    let own = &self.tokens[label];
                    let common = run.end.min(own.end).saturating_sub(run.start.max(own.start));
                    if common * 2 < own.len() {
                        continue;
                    }
                    let group = self.planted.labels[label].group;
                    held.entry(group).or_default().insert(label);
                    let off = run.start.abs_diff(own.start) + run.end.abs_diff(own.end);
                    let known = best.entry(label).or_insert((common, off));
                    if common > known.0 || common == known.0 && off < known.1 {
                        *known = (common, off);
                    }
                }
            }
            for (group, labels) in held.into_iter().filter(|(_, labels)| labels.len() > 1) {
                let most = most.entry(group).or_default();
                *most = labels.len().max(*most);
                found.extend(labels);
            }
        }
        let off: usize = best.values().map(|(_, off)| off).sum();
        Score {
            found: share(found.len(), self.planted.labels.len()),
            covered: share(self.covered(passages).len(), self.planted.labels.len()),
            grouped: share(most.values().sum(), found.len()),
            inside: self.inside(passages),
            ends: if best.is_empty() { f64::INFINITY } else { share(off, best.len() * 2) },
        }
    }

    /// The copies of which some passage has seven tenths, and of another one of the same group.
    pub fn covered(&self, passages: &[Vec<Place>]) -> BTreeSet<usize> {
        let held = |passage: &Vec<Place>| {
            let mut of_groups: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
            for place in passage {
                let run = self.tokens_in(place);
                for &label in &self.labels[place.document] {
                    let own = &self.tokens[label];
                    let common = run.end.min(own.end).saturating_sub(run.start.max(own.start));
                    if common * 10 >= own.len() * 7 {
                        of_groups.entry(self.planted.labels[label].group).or_default().insert(label);
                    }
                }
            }
            of_groups.into_values().filter(|labels| labels.len() > 1).flatten().collect::<Vec<_>>()
        };
        passages.iter().flat_map(held).collect()
    }

    fn inside(&self, passages: &[Vec<Place>]) -> f64 {
        let planted = self.marked(self.planted.labels.iter().map(|label| &label.place));
        let reported = self.marked(passages.iter().flatten());
        let inside = reported.intersection(&planted).count();
        share(inside, reported.len())
    }

    /// The tokens that lie in some places, each with its document.
    fn marked<'p>(&self, places: impl Iterator<Item = &'p Place>) -> HashSet<(usize, usize)> {
        places.flat_map(|place| self.tokens_in(place).map(|token| (place.document, token))).collect()
    }

    /// The labels that a passage's copies are, one each; `None` if some end of a copy is more than `slack`
    /// tokens off.
    pub fn labels_of(&self, passage: &[Place], slack: usize) -> Option<Vec<usize>> {
        let mut labels = Vec::new();
        for place in passage {
            let run = self.tokens_in(place);
            let is_it = |own: &Range<usize>| {
                run.start.abs_diff(own.start) <= slack && run.end.abs_diff(own.end) <= slack
            };
            let of = &self.labels[place.document];
            labels.push(*of.iter().find(|&&label| is_it(&self.tokens[label]))?);
        }
        labels.sort_unstable();
        Some(labels)
    }

    /// The words of a place, folded.
    pub fn folded(&self, place: &Place) -> Vec<String> {
        let text = &self.planted.documents[place.document].1;
        let words = &self.words[place.document][self.tokens_in(place)];
        words.iter().map(|word| text[word.clone()].to_ascii_lowercase()).collect()
    }
}

/// Where runs of letters stand.
fn words_of(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_alphabetic()) {
        match words.last_mut() {
            Some(word) if word.end == at => word.end += 1,
            _ => words.push(at..at + 1),
        }
    }
    words
}

/// A part of a whole; none of nothing.
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}
