//! Byte classes of eight bytes at once (SIMD within a register): where a run of word bytes ends and the next
//! begins.
//!
//! Most words are shorter than eight bytes, so their end is found without a loop with an unpredictable exit.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;

/// The eight bytes at `at`, little-endian; `None` within eight bytes of the end of the text.
#[inline]
pub(super) fn load(bytes: &[u8], at: usize) -> Option<u64> {
    let (chunk, _) = bytes.get(at..)?.split_first_chunk::<8>()?;
    Some(u64::from_le_bytes(*chunk))
}

/// The high bit of each byte that is an ASCII letter or digit.
#[inline]
pub(super) fn alnum(chunk: u64) -> u64 {
    // Each byte has seven bits: adding 0x80 − n sets the high bit of bytes ≥ n, without carries.
    let low = chunk & !HIGH;
    let at_least = |bytes: u64, n: u8| bytes + u64::from(0x80 - n) * ONES;
    let folded = low | (0x20 * ONES);
    let letter = at_least(folded, b'a') & !at_least(folded, b'z' + 1);
    let digit = at_least(low, b'0') & !at_least(low, b'9' + 1);
    (letter | digit) & !chunk & HIGH
}

/// The high bit of each byte that is an ASCII letter, a digit or `_`.
#[inline]
pub(super) fn identifier(chunk: u64) -> u64 {
    let low = chunk & !HIGH;
    // 0x80 − x keeps the high bit only if x is zero.
    let underscore = HIGH - (low ^ (u64::from(b'_') * ONES));
    alnum(chunk) | underscore & !chunk & HIGH
}

/// The high bit of each byte outside ASCII.
#[inline]
pub(super) fn high(chunk: u64) -> u64 {
    chunk & HIGH
}

/// How many bytes precede the first one whose high bit is set in `mask` (8 if there is none).
#[inline]
pub(super) fn before(mask: u64) -> usize {
    (mask.trailing_zeros() / 8) as usize
}

/// The high bit of each byte whose high bit is not set in `mask`.
#[inline]
pub(super) fn invert(mask: u64) -> u64 {
    !mask & HIGH
}

/// ASCII letters in lower case; digits unchanged. The result for other bytes is meaningless.
#[inline]
pub(super) fn fold(chunk: u64) -> u64 {
    chunk | (0x20 * ONES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_in_every_place_is_classified_as_by_the_standard_library() {
        for place in 0..8 {
            for byte in 0..=u8::MAX {
                let mut bytes = *b"a.Z\xff9 \x80z";
                bytes[place] = byte;
                let chunk = load(&bytes, 0).expect("eight bytes");
                let masks = [alnum(chunk), identifier(chunk), high(chunk)].map(u64::to_le_bytes);
                for (i, b) in bytes.iter().enumerate() {
                    let alnum = b.is_ascii_alphanumeric();
                    assert_eq!(masks[0][i], 0x80 * u8::from(alnum));
                    assert_eq!(masks[1][i], 0x80 * u8::from(alnum || *b == b'_'));
                    assert_eq!(masks[2][i], 0x80 * u8::from(!b.is_ascii()));
                }
            }
        }
    }

    #[test]
    fn runs_are_counted_from_the_first_byte() {
        let chunk = load(b"one, two", 0).expect("eight bytes");
        assert_eq!(before(invert(alnum(chunk))), 3);
        assert_eq!(before(alnum(chunk)), 0);
        assert_eq!(before(0), 8);
        assert_eq!(load(b"one, two", 1), None);
        assert_eq!(fold(chunk).to_le_bytes(), *b"one, two");
    }
}
