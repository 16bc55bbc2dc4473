//! Hashes of numbers.

/// A bijection whose result has no visible structure: the finaliser of MurmurHash3 (Appleby 2011).
#[inline]
pub fn avalanche(mut number: u64) -> u64 {
    number = (number ^ (number >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    number = (number ^ (number >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    number ^ (number >> 33)
}

/// A cheaper bijection, of which only the upper bits are mixed well (Fibonacci hashing: Knuth, “The Art of Computer
/// Programming” 3, 6.4).
#[inline]
pub fn scatter(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
