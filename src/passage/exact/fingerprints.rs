//! Fingerprints of runs of tokens: polynomials of the tokens, which can be rolled from one run to the next.

/// The base of the rolling fingerprint. Any number that is 5 modulo 8 will do.
pub(super) const BASE: u64 = 0x0bad_5eed_cafe_f00d;

/// The arithmetic of fingerprints, which are polynomials of the tokens.
pub(super) trait Arithmetic {
    fn plus(a: u64, b: u64) -> u64;
    fn minus(a: u64, b: u64) -> u64;
    fn times(a: u64, b: u64) -> u64;
}

/// Modulo 2⁶⁴, the fastest. There are texts with equal fingerprints for every base, the words of Thue and Morse (Pachocki,
/// Radoszewski, “Where to use and how not to use polynomial string hashing”, 2013), but only from 1024 tokens on.
pub(super) struct Binary;

impl Arithmetic for Binary {
    #[inline]
    fn plus(a: u64, b: u64) -> u64 {
        a.wrapping_add(b)
    }

    #[inline]
    fn minus(a: u64, b: u64) -> u64 {
        a.wrapping_sub(b)
    }

    #[inline]
    fn times(a: u64, b: u64) -> u64 {
        a.wrapping_mul(b)
    }
}

/// Modulo the prime 2⁶¹ − 1, for windows of any length.
pub(super) struct Mersenne;

const PRIME: u64 = (1 << 61) - 1;

impl Arithmetic for Mersenne {
    #[inline]
    fn plus(a: u64, b: u64) -> u64 {
        // `a` is below the prime; `b` may be a token of any size.
        let sum = a + b % PRIME;
        if sum >= PRIME { sum - PRIME } else { sum }
    }

    #[inline]
    fn minus(a: u64, b: u64) -> u64 {
        Self::plus(a, PRIME - b)
    }

    #[inline]
    fn times(a: u64, b: u64) -> u64 {
        let product = u128::from(a % PRIME) * u128::from(b % PRIME);
        Self::plus((product as u64) & PRIME, (product >> 61) as u64)
    }
}

/// An odd number with well-mixed bits, as in Fibonacci hashing.
pub(super) const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes the bits of a fingerprint.
#[inline]
pub(super) fn spread(fingerprint: u64) -> u64 {
    let product = fingerprint.wrapping_mul(SPREAD);
    product ^ product >> 32
}

/// The fingerprint of some tokens.
pub(super) fn fingerprint<A: Arithmetic>(tokens: &[u64]) -> u64 {
    tokens.iter().fold(0, |print, &token| A::plus(A::times(print, BASE), token))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fingerprint after removing the first token and appending another.
    fn rolled<A: Arithmetic>(tokens: &[u64], next: u64) -> u64 {
        let leaving = tokens.iter().fold(1, |power, _| A::times(power, BASE));
        let print = A::plus(A::times(fingerprint::<A>(tokens), BASE), next);
        A::minus(print, A::times(tokens[0], leaving))
    }

    #[test]
    fn rolling_fingerprints_equal_direct_ones() {
        let tokens = [u64::MAX, 0, PRIME, PRIME + 1, 1 << 63, 42, u64::MAX - 1, PRIME - 1];
        let next = tokens.len() - 1;
        assert_eq!(rolled::<Binary>(&tokens[..next], tokens[next]), fingerprint::<Binary>(&tokens[1..]));
        let (rolled, whole) =
            (rolled::<Mersenne>(&tokens[..next], tokens[next]), fingerprint::<Mersenne>(&tokens[1..]));
        assert_eq!(rolled % PRIME, whole % PRIME);
        assert!(rolled < PRIME && whole < PRIME, "one number for one fingerprint");
    }
}
