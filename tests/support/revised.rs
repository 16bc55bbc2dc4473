//! Documents of made-up text, some of which are revisions of others, so that it is known which documents are nearly the same.

use std::collections::BTreeSet;

use crate::planted::{Language, Noise};

/// Words that stand between others in English; spot signatures begin at some of them.
const FUNCTION_WORDS: [&str; 40] = [
    "the", "of", "and", "to", "a", "in", "that", "is", "was", "it", "for", "on", "as", "with", "be", "by",
    "at", "this", "are", "from", "an", "or", "have", "not", "which", "has", "had", "their", "were", "been",
    "its", "but", "who", "will", "would", "there", "can", "all", "one", "do",
];
/// Words of the texts that all documents of a site have.
const AROUND: usize = 60;

/// How a revision differs from its original.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Revision {
    /// This share of the words is edited.
    Edited(f64),
    /// The sentences stand in another order.
    Moved,
    /// It stands on another site: each site has a text before and one behind all its documents.
    Reposted,
}

impl Revision {
    /// What the table calls it.
    pub fn name(self) -> String {
        match self {
            Self::Edited(share) => format!("{:.0} % of the words edited", share * 100.0),
            Self::Moved => "sentences moved".to_owned(),
            Self::Reposted => "boilerplate around".to_owned(),
        }
    }
}

/// Texts, and which of them belong together.
pub struct Revised {
    pub texts: Vec<String>,
    /// By their places, the smaller first.
    pub pairs: BTreeSet<(u32, u32)>,
}

impl Revised {
    /// So many texts of 80 to 300 words, a quarter of which have one revision each.
    pub fn grow(seed: u64, originals: usize, revision: Revision) -> Self {
        let mut language = Language::new(seed).with_words(&FUNCTION_WORDS);
        let sites: Vec<[Vec<String>; 2]> =
            (0..10).map(|_| [(); 2].map(|()| language.text(AROUND / 2))).collect();
        let words: Vec<Vec<String>> =
            (0..originals).map(|number| language.text(80 + number * 97 % 221)).collect();
        let post = |number: usize, words: &[String]| {
            let site = &sites[number % sites.len()];
            let parts = if revision == Revision::Reposted {
                [&site[0][..], words, &site[1]]
            } else {
                [&[], words, &[]]
            };
            parts.map(|part| part.join(" ")).join("\n")
        };
        let mut texts: Vec<String> =
            words.iter().enumerate().map(|(number, words)| post(number, words)).collect();
        let mut pairs = BTreeSet::new();
        for (number, original) in words.iter().enumerate().step_by(4) {
            let copy = match revision {
                Revision::Edited(share) => language.copy(original, Noise::Edit(share)),
                Revision::Moved => moved(original),
                Revision::Reposted => original.clone(),
            };
            pairs.insert((number as u32, texts.len() as u32));
            texts.push(post(number + 3, &copy));
        }
        Self { texts, pairs }
    }

    /// Of pairs that were told, the share that is right, which is 1 of none; and of the right ones the share that was told.
    pub fn score(&self, told: &BTreeSet<(u32, u32)>) -> (f64, f64) {
        let right = told.intersection(&self.pairs).count() as f64;
        let precision = if told.is_empty() { 1.0 } else { right / told.len() as f64 };
        (precision, right / self.pairs.len() as f64)
    }
}

/// Sentences of 8 to 18 words, each third of them first, then the others from the last.
fn moved(words: &[String]) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut rest = words;
    while !rest.is_empty() {
        let (sentence, behind) = rest.split_at((8 + sentences.len() * 7 % 11).min(rest.len()));
        sentences.push(sentence);
        rest = behind;
    }
    let firsts = sentences.iter().step_by(3);
    let others =
        sentences.iter().enumerate().rev().filter(|(at, _)| at % 3 > 0).map(|(_, sentence)| sentence);
    firsts.chain(others).copied().flatten().cloned().collect()
}
