//! The stop words that spot signatures begin with.

use std::collections::HashMap;

use dupi_text::token::Words;

/// The lists of the program, with their source.
const LISTS: &str = include_str!("../../../assets/antecedents.txt");

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
    pub(crate) fn sorted(&self) -> Vec<(u64, Spot)> {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use xxhash_rust::xxh3::xxh3_64;

    use super::*;

    fn hash(word: &str) -> u64 {
        Words::new(word).next().unwrap().hash
    }

    #[test]
    fn each_language_has_antecedents_and_words_that_are_only_skipped() {
        let languages = ["English", "German", "French", "Spanish", "Italian", "Portuguese", "Dutch"];
        assert_eq!(Antecedents::languages(), languages);
        for (language, word, skipped) in [
            ("english", "The", "of"),
            ("German", "dem", "zwischen"),
            ("French", "était", "avec"),
            ("Spanish", "está", "entre"),
            ("Italian", "è", "perché"),
            ("Portuguese", "são", "não"),
            ("Dutch", "het", "omdat"),
        ] {
            let found = Antecedents::of_language(language).unwrap();
            assert_eq!(found.spot(hash(word)), Some(Spot::default()), "{word}");
            assert_eq!(found.spot(hash(skipped)).map(|spot| spot.chain), Some(0), "{skipped}");
            assert_eq!(found.spot(hash("Elefant")), None);
        }
        let all = Antecedents::of_all_languages();
        assert!(["the", "dem", "het"].iter().all(|word| all.spot(hash(word)) == Some(Spot::default())));
        let said = Antecedents::of_language("Klingon").unwrap_err().to_string();
        assert!(said.contains("Klingon") && said.contains("English, German"), "{said}");
    }

    /// How many words the published lists have, and the sum of the xxh3-64 of them: no word is ours.
    #[test]
    fn the_words_of_a_language_are_those_of_the_published_list() {
        let published = [
            ("English", 153, 0x044e_e573_64ca_da61),
            ("German", 236, 0x368c_6bc4_bf4c_e6f5),
            ("French", 170, 0x4bb1_5a76_dc96_77da),
            ("Spanish", 315, 0x4c40_4192_6eb1_5623),
            ("Italian", 279, 0xb15e_452f_e5da_323e),
            ("Portuguese", 207, 0x443c_daa0_b9cb_169d),
            ("Dutch", 101, 0xc89c_e8ee_7eac_c36c),
        ];
        for ((language, list), (name, words, sum)) in sections().zip(published) {
            let sorted: BTreeSet<&str> = list.split_whitespace().filter(|word| *word != "-").collect();
            let hashes = sorted.iter().map(|word| xxh3_64(word.as_bytes()));
            let found = hashes.fold(0, u64::wrapping_add);
            assert_eq!((language, sorted.len(), found), (name, words, sum), "{language}: {found:#018x}");
        }
    }

    #[test]
    fn a_list_of_the_user_has_words_with_distances_and_lengths() {
        let list = Antecedents::parse("# mine\nThe\n\n IS 2 3 \nof 1 0\nwas 4\r\n").unwrap();
        for (word, distance, chain) in [("the", 1, 2), ("is", 2, 3), ("of", 1, 0), ("was", 4, 2)] {
            assert_eq!(list.spot(hash(word)), Some(Spot { distance, chain }), "{word}");
        }
        for wrong in ["two-words", "the 0", "the x", "the 1 2 3", "the -1", "...", "the 1 70000"] {
            let said = Antecedents::parse(&format!("a\n{wrong}")).unwrap_err();
            assert_eq!(said, AntecedentsError::Line { line: 2 }, "{wrong}");
        }
    }
}
