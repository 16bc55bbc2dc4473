//! Numbers as bytes: varints (LEB128, by the crate integer-encoding), and numbers of fixed width. Reading checks the
//! length and never panics.

use integer_encoding::VarInt;

/// Appends a varint.
pub fn put(bytes: &mut Vec<u8>, number: u64) {
    let mut varint = [0; 10];
    let len = number.encode_var(&mut varint);
    bytes.extend_from_slice(&varint[..len]);
}

/// Appends a varint of a number that may be negative.
pub fn put_signed(bytes: &mut Vec<u8>, number: i64) {
    put(bytes, (number << 1 ^ number >> 63) as u64);
}

/// Appends eight bytes.
pub fn put_fixed(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend_from_slice(&number.to_le_bytes());
}

/// Reads numbers from bytes. `None` when they end too early or are no number of the type.
pub struct NumberReader<'a>(pub &'a [u8]);

impl NumberReader<'_> {
    /// The next byte.
    pub fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// The next varint.
    pub fn number(&mut self) -> Option<u64> {
        // Most are one byte.
        let first = *self.0.first()?;
        if first < 0x80 {
            self.0 = &self.0[1..];
            return Some(u64::from(first));
        }
        let (number, len) = u64::decode_var(self.0)?;
        self.0 = &self.0[len..];
        Some(number)
    }

    /// The next varint, of at most 32 bits.
    pub fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    /// The next varint that may be negative.
    pub fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// The next eight bytes.
    pub fn fixed(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    /// The next varint, as the count of things of which each takes a byte or more: so it cannot be large without them.
    pub fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.0.len()).then_some(count)
    }

    /// Whether all bytes were read.
    pub fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_are_read_back(numbers: Vec<u64>, signed: Vec<i64>) {
            let mut bytes = Vec::new();
            numbers.iter().for_each(|&number| put(&mut bytes, number));
            signed.iter().for_each(|&number| put_signed(&mut bytes, number));
            put_fixed(&mut bytes, 7 << 60);
            let mut reader = NumberReader(&bytes);
            for number in numbers {
                prop_assert_eq!(reader.number(), Some(number));
            }
            for number in signed {
                prop_assert_eq!(reader.signed(), Some(number));
            }
            prop_assert_eq!(reader.fixed(), Some(7 << 60));
            prop_assert!(reader.is_at_end() && reader.number().is_none() && reader.byte().is_none());
        }

        #[test]
        fn no_bytes_do_harm(bytes: Vec<u8>) {
            let mut reader = NumberReader(&bytes);
            while reader.signed().is_some() {}
            prop_assert!(NumberReader(&bytes).count().is_none_or(|count| count < bytes.len()));
        }
    }
}
