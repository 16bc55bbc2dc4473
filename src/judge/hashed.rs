//! Maps whose keys are hashes already: ids of passages, and hashes of paths.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map by hashes.
pub type HashedMap<K, V> = HashMap<K, V, BuildHasherDefault<HashedKey>>;

/// A fast hasher for keys that are hashes.
#[derive(Clone, Copy, Debug, Default)]
pub struct HashedKey(u64);

impl Hasher for HashedKey {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        // Keys of a map may agree in their highest or lowest bits.
        let mixed = u128::from(self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        self.0 = (mixed >> 64) as u64 ^ mixed as u64;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::{BuildHasher, BuildHasherDefault};

    use super::*;

    #[test]
    fn keys_that_differ_in_few_bits_have_different_hashes() {
        let hash = |key: (u64, bool)| BuildHasherDefault::<HashedKey>::default().hash_one(key);
        let keys = (0..64).map(|bit| 1 << bit).chain([0]).flat_map(|key| [(key, false), (key, true)]);
        let all: Vec<u64> = keys.map(hash).collect();
        let low: HashSet<u64> = all.iter().map(|hash| hash & 0xffff).collect();
        let high: HashSet<u64> = all.iter().map(|hash| hash >> 48).collect();
        assert!(low.len() > all.len() - 3 && high.len() > all.len() - 3);
    }
}
