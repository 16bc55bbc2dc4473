//! The form of a kept file: numbers, and sections that are read in parallel, each with its checksum.
//!
//! ```text
//! magic · format version u32 · count of numbers u32 · count of sections u32
//! numbers    u64 each
//! directory  (length u64 · checksum u64) per section
//! checksum of everything before it u64
//! sections
//! ```

use xxhash_rust::xxh3::xxh3_64;

const MAGIC: &[u8; 8] = b"dupi kep";
/// The version of the form of these files.
///
/// 2: all files of the corpus are named, the result may be an amended one, and what marks suppress is in it. 3: so are all
/// copies of passages with suppressed ones.
const VERSION: u32 = 3;
const HEAD: usize = 20;

/// The beginning of a file with these numbers and sections; the sections follow it.
pub(super) fn head(numbers: &[u64], sections: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for number in [VERSION, numbers.len() as u32, sections.len() as u32] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    let of_section = |section: &Vec<u8>| [section.len() as u64, xxh3_64(section)];
    for number in numbers.iter().copied().chain(sections.iter().flat_map(of_section)) {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    let sum = xxh3_64(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

/// The checksum of the beginning of a file, which has those of the sections: it names the file by what it holds. 0 if it is
/// no beginning.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    Sections::end_of_head(bytes).and_then(|end| bytes.get(end..end + 8)).map_or(0, word)
}

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// The numbers and sections of a file. The sections are not checked yet.
pub(super) struct Sections<'a> {
    pub(super) numbers: Vec<u64>,
    sections: Vec<(&'a [u8], u64)>,
}

impl<'a> Sections<'a> {
    /// Reads the beginning of a file; `None` if it is damaged, of another version, or no such file.
    pub(super) fn of(bytes: &'a [u8]) -> Option<Self> {
        let end = Self::end_of_head(bytes)?;
        let (checked, rest) = bytes.split_at_checked(end)?;
        let (sum, mut rest) = rest.split_first_chunk()?;
        if xxh3_64(checked) != u64::from_le_bytes(*sum) {
            return None;
        }
        let [_, numbers, sections] = Self::counts(bytes)?;
        let mut words = checked[HEAD..].chunks_exact(8).map(word);
        let numbers = words.by_ref().take(numbers as usize).collect();
        let mut all = Vec::with_capacity(sections as usize);
        for _ in 0..sections {
            let (section, behind) = rest.split_at_checked(usize::try_from(words.next()?).ok()?)?;
            rest = behind;
            all.push((section, words.next()?));
        }
        rest.is_empty().then_some(Self { numbers, sections: all })
    }

    /// The version, and how many numbers and sections there are.
    fn counts(bytes: &[u8]) -> Option<[u32; 3]> {
        let head = bytes.get(..HEAD).filter(|head| head.starts_with(MAGIC))?;
        let count = |at: usize| word(&head[at..at + 4]) as u32;
        Some([count(8), count(12), count(16)])
    }

    /// Where the checksum of the beginning stands; `None` for a file of another version.
    fn end_of_head(bytes: &[u8]) -> Option<usize> {
        let [version, numbers, sections] = Self::counts(bytes)?;
        let end = (sections as usize).checked_mul(16)?.checked_add((numbers as usize).checked_mul(8)?)?;
        if version == VERSION { end.checked_add(HEAD) } else { None }
    }

    /// How many sections there are.
    pub(super) fn len(&self) -> usize {
        self.sections.len()
    }

    /// A section; `None` if it is damaged.
    pub(super) fn get(&self, number: usize) -> Option<&'a [u8]> {
        let &(section, sum) = self.sections.get(number)?;
        (xxh3_64(section) == sum).then_some(section)
    }

    /// How many bytes the sections have from a number on.
    pub(super) fn bytes(&self, from: usize) -> usize {
        self.sections.iter().skip(from).map(|(section, _)| section.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_byte_and_every_cut_is_noticed() {
        let sections = [b"one".to_vec(), Vec::new(), b"three".to_vec()];
        let whole = [head(&[7, u64::MAX], &sections), sections.concat()].concat();
        let read = |bytes: &[u8]| {
            let read = Sections::of(bytes)?;
            let all: Option<Vec<Vec<u8>>> = (0..read.len()).map(|at| Some(read.get(at)?.to_vec())).collect();
            Some((read.numbers, all?))
        };
        assert_eq!(read(&whole), Some((vec![7, u64::MAX], sections.to_vec())));
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                assert_eq!(read(&bytes), None, "bit {bit} of byte {at}");
            }
            assert_eq!(read(&whole[..at]), None, "{at} bytes");
        }
        assert_eq!(read(&[&whole[..], b"x"].concat()), None);
    }
}
