//! Documents some of which are revisions of others, so that it is known which documents are nearly the same. The originals
//! are made up, or texts of files.

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use dupi::near::error::PairLimit;
use dupi::near::features::FeatureSets;
use dupi::near::jaccard;
use dupi::near::pairs::Equal;
use dupi::sketch::shingles;
use dupi::token::{LexState, Tokeniser};

use crate::planted::{Language, Noise};

/// Words that stand between others in English; spot signatures begin at some of them.
pub const FUNCTION_WORDS: [&str; 40] = [
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

/// The words of texts that have nothing to do with each other.
pub type Texts = Vec<Vec<String>>;

/// The texts of a folder's files of prose, as many as `most`, spread over all. Texts with a resemblance to another one of
/// .1 or more, by shingles of three words, are left out with that one: they may be revisions of each other already.
pub fn unrelated(folder: &Path, most: usize) -> Texts {
    let mut paths = Vec::new();
    list(folder, &mut paths);
    paths.sort();
    let mut texts: Vec<String> = paths.iter().filter_map(|path| fs::read_to_string(path).ok()).collect();
    texts.retain(|text| (80..2000).contains(&text.split_whitespace().count()));
    let mut sets = FeatureSets::default();
    for text in &texts {
        let tokens: Vec<u64> =
            Tokeniser::Words.tokens(text, LexState::default()).iter().map(|token| token.hash).collect();
        sets.add_set(shingles(&tokens, NonZeroUsize::new(3).unwrap()));
    }
    let equal = Equal::find(&sets);
    let mut is_alone = vec![false; texts.len()];
    equal.distinct.iter().for_each(|&number| is_alone[number as usize] = true);
    equal.groups.iter().for_each(|group| is_alone[group[0] as usize] = false);
    for pair in jaccard::pairs(&sets, &equal, 0.1, &PairLimit::for_list(u64::MAX), &|_| Ok(())).unwrap() {
        is_alone[pair.a as usize] = false;
        is_alone[pair.b as usize] = false;
    }
    let words = |text: &String| text.split_whitespace().map(str::to_owned).collect();
    let alone: Texts =
        texts.iter().zip(is_alone).filter(|(_, is_alone)| *is_alone).map(|(text, _)| words(text)).collect();
    let step = (alone.len() / most).max(1);
    alone.into_iter().step_by(step).take(most).collect()
}

/// The files of prose below a folder.
fn list(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            list(&path, paths);
        } else if path.extension().is_some_and(|end| ["md", "rst", "txt"].iter().any(|prose| end == *prose)) {
            paths.push(path);
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
    /// So many made-up texts of 80 to 300 words, a quarter of which have one revision each.
    pub fn grow(seed: u64, originals: usize, revision: Revision) -> Self {
        let mut language = Language::new(seed).with_words(&FUNCTION_WORDS);
        let words: Texts = (0..originals).map(|number| language.text(80 + number * 97 % 221)).collect();
        Self::of(language, &words, revision)
    }

    /// The same with texts that are given.
    pub fn of_texts(seed: u64, originals: &Texts, revision: Revision) -> Self {
        Self::of(Language::new(seed).with_words(&FUNCTION_WORDS), originals, revision)
    }

    fn of(mut language: Language, originals: &Texts, revision: Revision) -> Self {
        let sites: Vec<[Vec<String>; 2]> =
            (0..10).map(|_| [(); 2].map(|()| language.text(AROUND / 2))).collect();
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
            originals.iter().enumerate().map(|(number, words)| post(number, words)).collect();
        let mut pairs = BTreeSet::new();
        for (number, original) in originals.iter().enumerate().step_by(4) {
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

    /// Of pairs that were found, the share that is right, which is 1 of none; and of the right ones the share that was
    /// found.
    pub fn score(&self, found: &BTreeSet<(u32, u32)>) -> (f64, f64) {
        let right = found.intersection(&self.pairs).count() as f64;
        let precision = if found.is_empty() { 1.0 } else { right / found.len() as f64 };
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
