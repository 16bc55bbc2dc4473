//! The phrases of licences and mail, found in a passage whatever stands between the words, as three words in a row.

use std::sync::LazyLock;

const PHRASES: &str = include_str!("../../../assets/phrases.txt");
const APACHE: &str = include_str!("../../../LICENSE-APACHE");

/// The bytes that most words take at least, with what stands between them.
const USUAL_WORD: usize = 5;
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

/// Three words in a row, by their hash. One bit rejects most of those that are unknown.
struct Phrasebook {
    /// Sorted by hash.
    known: Vec<(u64, Phrases)>,
    /// A bit for each value of the first bits of a hash, set if a known one has it.
    may_know: Vec<u64>,
}

/// Bits of a hash that are looked at first.
const FIRST_BITS: u32 = 17;

impl Phrasebook {
    fn new(mut known: Vec<(u64, Phrases)>) -> Self {
        known.sort_by_key(|(hash, _)| *hash);
        let mut may_know = vec![0; 1 << (FIRST_BITS - 6)];
        for &(hash, _) in &known {
            let (word, bit) = Self::place(hash);
            may_know[word] |= bit;
        }
        Self { known, may_know }
    }

    fn place(hash: u64) -> (usize, u64) {
        let first = hash >> (u64::BITS - FIRST_BITS);
        ((first >> 6) as usize, 1 << (first & 63))
    }

    fn find(&self, hash: u64) -> Option<Phrases> {
        let (word, bit) = Self::place(hash);
        if self.may_know[word] & bit == 0 {
            return None;
        }
        self.known.binary_search_by_key(&hash, |(hash, _)| *hash).ok().map(|at| self.known[at].1)
    }
}

/// Every three words that follow each other in a known phrase.
static KNOWN: LazyLock<Phrasebook> = LazyLock::new(|| {
    let mut known = Vec::new();
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
    Phrasebook::new(known)
});

/// The words of a text, in small letters: a hash and the length of each. Eight letters are mixed at once: most words
/// have no more.
fn words(text: &str) -> impl Iterator<Item = (u64, u32)> {
    let mut bytes = text.bytes().map(|byte| SMALL[usize::from(byte)]);
    std::iter::from_fn(move || {
        let first = bytes.find(|&byte| byte != 0)?;
        let (mut hash, mut letters, mut length) = (0, u64::from(first), 1);
        for byte in bytes.by_ref().take_while(|&byte| byte != 0) {
            if length % 8 == 0 {
                hash = mixed(hash, std::mem::take(&mut letters));
            }
            letters = letters << 8 | u64::from(byte);
            length += 1;
        }
        Some((mixed(hash, letters), length))
    })
}

fn mixed(hash: u64, letters: u64) -> u64 {
    let product = (hash.rotate_left(29) ^ letters).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product ^ product >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// The small letter or digit that a byte stands for, or the byte itself if it is part of another character; 0 for
/// others.
static SMALL: [u8; 256] = {
    let mut small = [0; 256];
    let mut byte = 1;
    while byte < small.len() {
        let this = byte as u8;
        if this.is_ascii_alphanumeric() || !this.is_ascii() {
            small[byte] = this.to_ascii_lowercase();
        }
        byte += 1;
    }
    small
};

fn together(three: &[u64]) -> u64 {
    let mixed = three.iter().fold(0, |sum: u64, hash| sum.rotate_left(21).wrapping_mul(5) ^ hash);
    mixed ^ mixed >> 29
}

/// Whether three words in a row of some lines are known. Most texts have none.
fn has_any<'t>(lines: impl Iterator<Item = &'t str>) -> bool {
    let (known, mut three, mut words_before) = (&*KNOWN, [0; 3], 0);
    for (hash, _) in lines.flat_map(words) {
        three = [three[1], three[2], hash];
        words_before += 1;
        if words_before > 2 && known.find(together(&three)).is_some() {
            return true;
        }
    }
    false
}

/// Which phrases most of each line belongs to.
pub(super) fn of_lines<'t>(lines: impl Iterator<Item = &'t str> + Clone) -> Vec<Option<Phrases>> {
    if !has_any(lines.clone()) {
        return lines.map(|_| None).collect();
    }
    let usual = lines.clone().map(str::len).sum::<usize>() / USUAL_WORD;
    let (mut hashes, mut lengths) = (Vec::with_capacity(usual), Vec::with_capacity(usual));
    // Where the words of each line end.
    let mut ends = Vec::new();
    for line in lines {
        for (hash, length) in words(line) {
            hashes.push(hash);
            lengths.push(length);
        }
        ends.push(hashes.len());
    }
    let mut of: Vec<Option<Phrases>> = vec![None; hashes.len()];
    for (at, three) in hashes.windows(3).enumerate() {
        if let Some(which) = KNOWN.find(together(three)) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_runs_of_letters_and_digits_in_any_case() {
        let hashes = |text: &str| words(text).map(|(hash, _)| hash).collect::<Vec<_>>();
        let lengths = |text: &str| words(text).map(|(_, length)| length).collect::<Vec<_>>();
        assert_eq!(lengths(" ab\tX9.é-\0c "), [2, 2, 2, 1]);
        assert_eq!(lengths(""), [0; 0]);
        assert_eq!(hashes("/* The GPL, */"), hashes("the gpl"));
        assert_ne!(hashes("the gpl"), hashes("the mpl"));
    }

    #[test]
    fn only_lines_of_phrases_have_them() {
        let lines = [
            "int a;",
            "Permission is hereby granted, free of charge, to any person",
            "obtaining a copy of this software",
            "return a;",
        ];
        let licence = Some(Phrases::Licence);
        assert_eq!(of_lines(lines.into_iter()), [None, licence, licence, None]);
        assert_eq!(of_lines(lines[..1].iter().copied()), [None]);
    }
}
