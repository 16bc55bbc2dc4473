//! The phrases of licences and mail, found in a passage whatever stands between the words, as three words in a row.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

const PHRASES: &str = include_str!("../../../assets/phrases.txt");
const APACHE: &str = include_str!("../../../LICENSE-APACHE");

/// Words between phrases that count with them.
const GAP: usize = 3;
/// Fewer words of a phrase in a row do not count: they may stand anywhere.
const LEAST: usize = 7;

/// Which phrases words belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phrases {
    /// Those of licences.
    Licence,
    /// Those that stand in mail.
    Mail,
}

/// Hashes that are as good as any need no other hash.
#[derive(Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0 << 8 | u64::from(*byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

type Known = HashMap<u64, Phrases, BuildHasherDefault<AsIs>>;

/// Every three words that follow each other in a known phrase.
static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let mut known = Known::default();
    let mut learn = |text: &str, which: Phrases| {
        let words: Vec<u64> = words(text).map(|(hash, _)| hash).collect();
        known.extend(words.windows(3).map(|three| (together(three), which)));
    };
    let mut which = Phrases::Licence;
    for line in PHRASES.lines().filter(|line| !line.starts_with('#')) {
        match line {
            "[licence]" => which = Phrases::Licence,
            "[mail]" => which = Phrases::Mail,
            phrase => learn(phrase, which),
        }
    }
    learn(APACHE, Phrases::Licence);
    known
});

/// The words of a text, in small letters: the hash and the length of each (FNV-1a; Fowler, Noll and Vo 1991).
fn words(text: &str) -> impl Iterator<Item = (u64, u32)> {
    let is_solid = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    let words = text.as_bytes().split(move |byte| !is_solid(byte)).filter(|word| !word.is_empty());
    words.map(|word| {
        let hash = word.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
        });
        (hash, word.len() as u32)
    })
}

fn together(three: &[u64]) -> u64 {
    let mixed = three.iter().fold(0, |sum: u64, hash| sum.rotate_left(21).wrapping_mul(5) ^ hash);
    mixed ^ mixed >> 29
}

/// Which phrases most of each line belongs to.
pub(super) fn of_lines<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<Option<Phrases>> {
    // Where the words of each line end.
    let (mut hashes, mut lengths, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for line in lines {
        for (hash, length) in words(line) {
            hashes.push(hash);
            lengths.push(length);
        }
        ends.push(hashes.len());
    }
    let mut of: Vec<Option<Phrases>> = vec![None; hashes.len()];
    for (at, three) in hashes.windows(3).enumerate() {
        if let Some(&which) = KNOWN.get(&together(three)) {
            of[at..at + 3].fill(Some(which));
        }
    }
    close_gaps(&mut of);
    let mut start = 0;
    let most = |end: usize| {
        let own = std::mem::replace(&mut start, end)..end;
        let share = |which: Option<Phrases>| -> u32 {
            own.clone().filter(|&at| which.is_none() || of[at] == which).map(|at| lengths[at]).sum()
        };
        [Phrases::Licence, Phrases::Mail].into_iter().find(|which| share(Some(*which)) * 2 > share(None))
    };
    ends.into_iter().map(most).collect()
}

/// Fills short gaps between words of phrases, and drops short runs of such words.
fn close_gaps(of: &mut [Option<Phrases>]) {
    let mut last: Option<usize> = None;
    for at in 0..of.len() {
        if of[at].is_some() {
            if let Some(last) = last.filter(|last| at - last - 1 <= GAP) {
                let which = of[last];
                of[last + 1..at].fill(which);
            }
            last = Some(at);
        }
    }
    for run in of.chunk_by_mut(|a, b| a.is_some() == b.is_some()) {
        if run.len() < LEAST {
            run.fill(None);
        }
    }
}
