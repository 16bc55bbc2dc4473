//! SpotSigs: documents that resemble each other by their spot signatures (Theobald, Siddharth, Paepcke, “SpotSigs:
//! robust and efficient near duplicate detection in large web collections”, SIGIR 2008).
//!
//! Running text has stop words, and banners, menus and lists of links have few. So a signature is a stop word with the
//! content words behind it, and what surrounds a text hardly counts. [`signatures`] makes the signatures of a document,
//! [`IdfBounds`] leaves out those that are too frequent or too rare.
//!
//! The paper compares documents by an inverted index of their rarest signatures, and skips those whose lengths exclude
//! a match. [`jaccard`](super::jaccard) does the same for any bags, so [`pairs`](super::jaccard::pairs) finds the pairs: all
//! with a resemblance of at least a threshold, like a comparison of each document with each.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use rayon::prelude::*;

use crate::features::FeatureSets;
use dupi_text::token::Words;

/// The threshold with the best results in the paper.
pub const USUAL_THRESHOLD: f64 = 0.44;
/// The lists of the program, with their source.
const LISTS: &str = include_str!("../../assets/antecedents.txt");

/// What a spot signature takes behind a stop word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Every how many-th content word is taken, from 1.
    pub distance: u16,
    /// How many content words are taken. With 0, no signature begins with the word, and chains skip it.
    pub chain: u16,
}

impl Default for Spot {
    /// Two content words, each the next one.
    fn default() -> Self {
        Self { distance: 1, chain: 2 }
    }
}

/// The stop words of a language or of the user, by the hashes of their tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Antecedents {
    spots: HashMap<u64, Spot>,
}

/// Why a list of antecedents cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AntecedentsError {
    /// A language without a list.
    #[error("there are no antecedents for {given}; choose {}", Antecedents::languages().join(", "))]
    Language {
        /// What was asked for.
        given: String,
    },
    /// A line of a user's list.
    #[error(
        "line {line} of the antecedents is not a word, a distance from 1 and a length from 0, such as `the 1 2`"
    )]
    Line {
        /// Its number, from 1.
        line: usize,
    },
}

impl Antecedents {
    /// The languages that have a list.
    pub fn languages() -> Vec<&'static str> {
        sections().map(|(language, _)| language).collect()
    }

    /// The stop words of a language, named in English.
    pub fn of_language(language: &str) -> Result<Self, AntecedentsError> {
        let of = sections().find(|(name, _)| name.eq_ignore_ascii_case(language));
        let (_, list) = of.ok_or_else(|| AntecedentsError::Language { given: language.to_owned() })?;
        let mut found = Self::default();
        found.add_section(list);
        Ok(found)
    }

    /// The stop words of all languages. A word that begins signatures in one of them does so.
    pub fn of_all_languages() -> Self {
        let mut found = Self::default();
        sections().for_each(|(_, list)| found.add_section(list));
        found
    }

    /// A list of the user: a word a line, optionally with the distance and the length of its chain (see [`Spot`]).
    /// Lines that are empty or begin with `#` are skipped.
    pub fn parse(list: &str) -> Result<Self, AntecedentsError> {
        let mut found = Self::default();
        for (line, text) in (1..).zip(list.lines().map(str::trim)) {
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let (word, spot) = parse_line(text).ok_or(AntecedentsError::Line { line })?;
            found.spots.insert(word, spot);
        }
        Ok(found)
    }

    /// The spot of a token; `None` for a content word.
    pub fn spot(&self, token: u64) -> Option<Spot> {
        self.spots.get(&token).copied()
    }

    /// All stop words with their spots, by their hashes.
    pub(super) fn sorted(&self) -> Vec<(u64, Spot)> {
        let mut all: Vec<(u64, Spot)> = self.spots.iter().map(|(word, spot)| (*word, *spot)).collect();
        all.sort_unstable_by_key(|(word, _)| *word);
        all
    }

    fn add_section(&mut self, list: &str) {
        let (antecedents, skipped) = list.split_once("\n- ").unwrap_or((list, ""));
        for token in Words::new(antecedents) {
            self.spots.insert(token.hash, Spot::default());
        }
        for token in Words::new(skipped) {
            self.spots.entry(token.hash).or_insert(Spot { chain: 0, ..Spot::default() });
        }
    }
}

fn parse_line(line: &str) -> Option<(u64, Spot)> {
    let mut fields = line.split_whitespace();
    let mut words = Words::new(fields.next()?);
    let word = words.next().filter(|_| words.next().is_none())?;
    let mut number = |usual| fields.next().map_or(Some(usual), |field| field.parse().ok());
    let Spot { distance, chain } = Spot::default();
    let spot = Spot { distance: number(distance).filter(|&distance| distance > 0)?, chain: number(chain)? };
    fields.next().is_none().then_some((word.hash, spot))
}

/// The lists of the program by the names of their languages.
fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    LISTS.split("\n[").skip(1).filter_map(|section| section.split_once("]\n"))
}

/// Which signatures count, by their inverse document frequency: log(n / df) / log(n) for a signature that df of n
/// documents have. It is 1 for a signature of one document, and 0 for one of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IdfBounds {
    /// The smallest that counts: a larger one leaves out more frequent signatures.
    pub min: f64,
    /// The largest that counts: a smaller one leaves out more rare signatures.
    pub max: f64,
}

impl Default for IdfBounds {
    /// All signatures count.
    fn default() -> Self {
        Self { min: 0.0, max: 1.0 }
    }
}

impl IdfBounds {
    /// Whether a signature with this document frequency counts.
    pub(super) fn is_within(self, documents: f64, frequency: f64) -> bool {
        let idf = if documents > 1.0 { (documents / frequency).ln() / documents.ln() } else { 1.0 };
        // A logarithm's last digit must not decide.
        idf >= self.min - 1e-12 && idf <= self.max + 1e-12
    }

    /// The bags without the signatures that do not count. The documents keep their numbers.
    pub fn apply(self, bags: &FeatureSets) -> FeatureSets {
        let is_within = |frequency: usize| self.is_within(bags.len() as f64, frequency as f64);
        let mut all: Vec<u64> =
            (0..bags.len()).flat_map(|document| bags.features(document)).copied().collect();
        all.par_sort_unstable();
        let equal = all.chunk_by(|a, b| a == b);
        let kept: Vec<u64> = equal.filter(|equal| is_within(equal.len())).map(|equal| equal[0]).collect();
        drop(all);
        let mut bounded = FeatureSets::default();
        for document in 0..bags.len() {
            bounded.add_kept(bags.get(document), |feature| kept.binary_search(&feature).is_ok());
        }
        bounded
    }
}

/// The spot signatures of a document, given the hashes of its tokens, in the order of the text. One begins at each
/// antecedent, and has content words that follow, at a fixed distance from each other, until the chain is complete; an incomplete
/// chain at the end of the document gives none. Content words are the tokens that are no stop words of the list. (Of
/// “at a rally to kick off a weeklong campaign”: `a:rally:kick` and `a:weeklong:campaign`.)
pub fn signatures(tokens: &[u64], antecedents: &Antecedents) -> Vec<u64> {
    let (mut content, mut begun) = (Vec::new(), Vec::new());
    for &token in tokens {
        match antecedents.spot(token) {
            None => content.push(token),
            Some(spot) if spot.chain > 0 => begun.push((token, spot, content.len())),
            Some(_) => {}
        }
    }
    let signature = |&(antecedent, spot, behind): &(u64, _, usize)| {
        let Spot { distance, chain } = spot;
        let (distance, chain) = (usize::from(distance), usize::from(chain));
        let chain = content.get(behind..behind + distance * chain)?.chunks(distance);
        // Cyclic, so that the order of the words matters.
        let join = |hash: u64, words: &[u64]| hash.rotate_left(1) ^ words.last().copied().unwrap_or_default();
        Some(chain.fold(antecedent, join))
    };
    begun.iter().filter_map(signature).collect()
}
