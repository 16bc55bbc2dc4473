//! Bit codes of numbers, least significant bit first: the codes of a block.
//!
//! - Rice code (Rice and Plaut 1971): the gaps between sorted fingerprints have a geometric distribution, and
//!   Rice's code comes within a few hundredths of a bit of their entropy.
//! - Minimal binary code: a number below n in ⌊log₂ n⌋ or ⌈log₂ n⌉ bits.
//! - Elias' gamma code, for small counts.
//! - Binary interpolative code (Moffat and Stuiver 2000) for ascending numbers: the middle one first, in the range
//!   that is possible given the outer ones and the count; runs of consecutive numbers cost almost nothing.
//!
//! Codes of whole bytes, such as the varints of the crate integer-encoding, are not used here: a varint rounds a gap
//! up to a multiple of seven bits and adds one bit to each seven, and in a list of consecutive parts it takes eight
//! bits a part instead of almost none. The directory of a run, the table of a segment and the lengths that frame
//! both have a fixed width, because they are searched without being decoded. Varints are used where numbers are small,
//! are kept in memory and are read in order: for the spans of tokens in `passage::gather`.
//!
//! A reader never reads beyond its bytes: there it returns zeros, and [`BitReader::is_within`] becomes `false`.

/// Writes a sequence of numbers.
#[derive(Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that are not in `bytes` yet, and their number, below 64.
    pending: u64,
    count: u32,
}

impl BitWriter {
    /// Writes a value of `width` bits, at most 56.
    #[inline]
    pub(super) fn bits(&mut self, value: u64, width: u32) {
        debug_assert!(width <= 56 && value >> width == 0);
        self.pending |= value << self.count;
        self.count += width;
        if self.count >= 64 {
            self.bytes.extend_from_slice(&self.pending.to_le_bytes());
            self.count -= 64;
            self.pending = value >> (width - self.count);
        }
    }

    /// Writes zeros, then a one.
    #[inline]
    fn unary(&mut self, mut zeros: u64) {
        while zeros >= 32 {
            self.bits(0, 32);
            zeros -= 32;
        }
        self.bits(1 << zeros, zeros as u32 + 1);
    }

    /// A number in Rice's code.
    #[inline]
    pub(super) fn rice(&mut self, value: u64, parameter: u32) {
        self.unary(value >> parameter);
        self.bits(value & low_mask(parameter), parameter);
    }

    /// A number from 1 in Elias' gamma code.
    pub(super) fn gamma(&mut self, value: u64) {
        let width = value.ilog2();
        self.unary(u64::from(width));
        self.bits(value & low_mask(width), width);
    }

    /// A number below `range` in minimal binary code.
    #[inline]
    pub(super) fn minimal(&mut self, value: u32, range: u32) {
        debug_assert!(value < range);
        let Minimal { width, short, .. } = Minimal::below(range);
        let value = u64::from(value);
        if value < short {
            self.bits(value, width - 1);
        } else {
            let long = value + short;
            self.bits(long >> 1, width - 1);
            self.bits(long & 1, 1);
        }
    }

    /// Writes ascending numbers from `low` to `end` (exclusive) in interpolative code.
    pub(super) fn interpolative(&mut self, values: &[u32], low: u32, end: u32) {
        let Some((middle, low_here, range)) = middle_of(values.len(), low, end) else { return };
        let value = values[middle];
        self.minimal(value - low_here, range);
        self.interpolative(&values[..middle], low, value);
        self.interpolative(&values[middle + 1..], value + 1, end);
    }

    /// The bytes; the last one is padded with zeros.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let rest = self.count.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&self.pending.to_le_bytes()[..rest]);
        self.bytes
    }
}

/// Reads the numbers of a [`BitWriter`].
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    /// The position in bits.
    at: usize,
}

impl<'a> BitReader<'a> {
    /// A reader at the first bit.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Whether all bits that were read are within the bytes.
    #[inline]
    pub(super) fn is_within(&self) -> bool {
        self.at <= self.bytes.len() * 8
    }

    /// The next bits, at least 57, without advancing.
    #[inline]
    fn peek(&self) -> u64 {
        let byte = self.at / 8;
        let word = match self.bytes.get(byte..byte + 8) {
            Some(eight) => u64::from_le_bytes(eight.try_into().unwrap_or_default()),
            None => self.tail(byte),
        };
        word >> (self.at % 8)
    }

    #[cold]
    fn tail(&self, byte: usize) -> u64 {
        let rest = self.bytes.get(byte..).unwrap_or_default();
        rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
    }

    /// Reads a number of `width` bits, at most 56.
    #[inline]
    pub(super) fn bits(&mut self, width: u32) -> u64 {
        let value = self.peek() & low_mask(width);
        self.at += width as usize;
        value
    }

    /// Reads zeros up to a one, or up to the end, and returns their number.
    #[inline]
    fn unary(&mut self) -> u64 {
        let zeros = self.peek().trailing_zeros();
        if zeros < 56 {
            self.at += zeros as usize + 1;
            return u64::from(zeros);
        }
        self.long_unary()
    }

    #[cold]
    fn long_unary(&mut self) -> u64 {
        let mut sum = 0;
        loop {
            let zeros = self.peek().trailing_zeros().min(56);
            sum += u64::from(zeros);
            if zeros < 56 {
                self.at += zeros as usize + 1;
                return sum;
            }
            self.at += 56;
            if !self.is_within() {
                return sum;
            }
        }
    }

    /// A number in Rice's code.
    #[inline]
    pub(super) fn rice(&mut self, parameter: u32) -> u64 {
        let high = self.unary();
        high << parameter | self.bits(parameter)
    }

    /// Reads up to two ones and returns their number. Fewer than two are followed by a zero.
    #[inline]
    pub(super) fn ones(&mut self) -> u32 {
        let ones = self.peek().trailing_ones().min(2);
        self.at += (ones + u32::from(ones < 2)) as usize;
        ones
    }

    /// Reads a number in Elias' gamma code; 0 for an invalid code.
    pub(super) fn gamma(&mut self) -> u64 {
        match self.unary() as u32 {
            width @ 0..=56 => 1 << width | self.bits(width),
            _ => 0,
        }
    }

    /// A number below `range` in minimal binary code.
    #[inline]
    pub(super) fn minimal(&mut self, range: u32) -> u32 {
        let (value, width) = Minimal::below(range).decode(self.peek());
        self.at += width as usize;
        value
    }

    /// Reads a number in Rice's code, a zero bit, and a number in minimal binary code: the form of most lists.
    /// Returns `None` without advancing if the next bits have another form or do not fit into one word.
    #[inline]
    pub(super) fn rice_zero_minimal(&mut self, parameter: u32, minimal: &Minimal) -> Option<(u64, u32)> {
        let word = self.peek();
        let zeros = word.trailing_zeros();
        let before = zeros + 1 + parameter;
        if before + 1 + minimal.width > 56 || word >> before & 1 == 1 {
            return None;
        }
        let first = u64::from(zeros) << parameter | word >> (zeros + 1) & low_mask(parameter);
        let (second, width) = minimal.decode(word >> (before + 1));
        self.at += (before + 1 + width) as usize;
        Some((first, second))
    }

    /// Fills a slice with ascending numbers from `low` to `end` (exclusive), for any bits.
    pub(super) fn interpolative(&mut self, values: &mut [u32], low: u32, end: u32) {
        let Some((middle, low_here, range)) = middle_of(values.len(), low, end) else { return };
        let value = low_here + self.minimal(range);
        values[middle] = value;
        self.interpolative(&mut values[..middle], low, value);
        self.interpolative(&mut values[middle + 1..], value + 1, end);
    }
}

#[inline]
fn low_mask(width: u32) -> u64 {
    (1 << width) - 1
}

/// The minimal binary code of a range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Minimal {
    /// The width of the longer codes.
    width: u32,
    /// How many numbers have codes that are shorter by one bit.
    short: u64,
    last: u32,
}

impl Minimal {
    /// The code of the numbers below `range`, which must not be 0.
    #[inline]
    pub(super) fn below(range: u32) -> Self {
        let width = u64::from(range).next_power_of_two().trailing_zeros().max(1);
        Self { width, short: (1 << width) - u64::from(range), last: range - 1 }
    }

    /// Decodes the number at the beginning of some bits. Also returns the width of its code.
    #[inline]
    fn decode(&self, bits: u64) -> (u32, u32) {
        let value = bits & low_mask(self.width - 1);
        let is_long = value >= self.short;
        let long = (value << 1 | bits >> (self.width - 1) & 1).wrapping_sub(self.short);
        let value = if is_long { long } else { value };
        // Greater than `last` only in corrupt blocks.
        (value.min(u64::from(self.last)) as u32, self.width - u32::from(!is_long))
    }
}

/// For `count` ascending numbers in a range: the index of the middle one, its smallest possible value, and how many
/// values are possible. `None` if there are no numbers, or more than the range has.
#[inline]
fn middle_of(count: usize, low: u32, end: u32) -> Option<(usize, u32, u32)> {
    let room = end.checked_sub(low)?.checked_sub(count as u32)?;
    let middle = count / 2;
    (count > 0).then(|| (middle, low + middle as u32, room + 1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Debug)]
    enum Number {
        Bits(u64, u32),
        Rice(u64, u32),
        Gamma(u64),
        Minimal(u32, u32),
        Ascending(Vec<u32>, u32),
    }

    fn numbers() -> impl Strategy<Value = Vec<Number>> {
        let number = prop_oneof![
            (any::<u64>(), 0_u32..=56)
                .prop_map(|(value, width)| Number::Bits(value & low_mask(width), width)),
            (0_u64..1 << 20, 8_u32..40).prop_map(|(value, parameter)| Number::Rice(value, parameter)),
            (0_u64..3000, 0_u32..4).prop_map(|(value, parameter)| Number::Rice(value, parameter)),
            (1_u64..1 << 40).prop_map(Number::Gamma),
            (1_u32..1 << 26, any::<prop::sample::Index>())
                .prop_map(|(range, at)| Number::Minimal(at.index(range as usize) as u32, range)),
            (proptest::collection::btree_set(0_u32..300, 0..60), 0_u32..9).prop_map(|(values, room)| {
                let end = values.last().map_or(0, |last| last + 1) + room;
                Number::Ascending(values.into_iter().collect(), end)
            }),
        ];
        proptest::collection::vec(number, 0..60)
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(numbers in numbers()) {
            let mut writer = BitWriter::default();
            for number in &numbers {
                match number {
                    Number::Bits(value, width) => writer.bits(*value, *width),
                    Number::Rice(value, parameter) => writer.rice(*value, *parameter),
                    Number::Gamma(value) => writer.gamma(*value),
                    Number::Minimal(value, range) => writer.minimal(*value, *range),
                    Number::Ascending(values, end) => writer.interpolative(values, 0, *end),
                }
            }
            let bytes = writer.finish();
            let mut reader = BitReader::new(&bytes);
            for number in &numbers {
                match number {
                    Number::Bits(value, width) => prop_assert_eq!(reader.bits(*width), *value),
                    Number::Rice(value, parameter) => prop_assert_eq!(reader.rice(*parameter), *value),
                    Number::Gamma(value) => prop_assert_eq!(reader.gamma(), *value),
                    Number::Minimal(value, range) => prop_assert_eq!(reader.minimal(*range), *value),
                    Number::Ascending(values, end) => {
                        let mut read = vec![0; values.len()];
                        reader.interpolative(&mut read, 0, *end);
                        prop_assert_eq!(&read, values);
                    }
                }
            }
            prop_assert!(reader.is_within());
        }

        #[test]
        fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..40), range in 1_u32..1 << 26) {
            let mut reader = BitReader::new(&bytes);
            while reader.is_within() {
                reader.rice(20);
                reader.gamma();
                prop_assert!(reader.minimal(range) < range);
                let mut values = [0; 9];
                reader.interpolative(&mut values, 0, range);
                prop_assert!(range < 9 || values.is_sorted_by(|a, b| a < b) && values[8] < range);
            }
        }
    }

    #[test]
    fn consecutive_numbers_cost_nothing() {
        let mut writer = BitWriter::default();
        writer.interpolative(&(0..1000).collect::<Vec<_>>(), 0, 1000);
        assert!(writer.finish().is_empty());
    }
}
