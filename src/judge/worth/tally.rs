//! Numbers for different keys, in an open table.

/// The different keys of something, numbered as they come.
#[derive(Default)]
pub(super) struct Tally {
    /// For each place of the table the number of what stands there, from 1; 0 where nothing does.
    table: Vec<u32>,
    keys: Vec<u64>,
}

impl Tally {
    /// Removes all, and makes room for `most`.
    pub(super) fn clear(&mut self, most: usize) {
        let size = (most * 2).next_power_of_two();
        self.table.clear();
        self.table.resize(size, 0);
        self.keys.clear();
    }

    /// The keys, by their numbers.
    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The number of a key.
    pub(super) fn find(&self, key: u64) -> Option<usize> {
        self.place(key).1
    }

    /// The number of a key; a new one has the next.
    pub(super) fn number(&mut self, key: u64) -> usize {
        let (at, known) = self.place(key);
        known.unwrap_or_else(|| {
            self.keys.push(key);
            self.table[at] = self.keys.len() as u32;
            self.keys.len() - 1
        })
    }

    fn place(&self, key: u64) -> (usize, Option<usize>) {
        let mask = self.table.len() - 1;
        let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        loop {
            match self.table[at] {
                0 => return (at, None),
                number if self.keys[number as usize - 1] == key => return (at, Some(number as usize - 1)),
                _ => at = (at + 1) & mask,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_one_number() {
        let mut tally = Tally::default();
        for most in [300, 3] {
            tally.clear(most);
            let keys: Vec<u64> = (0..most as u64).map(|key| key << 32 | (key + 1)).collect();
            for round in 0..2 {
                for (number, &key) in keys.iter().enumerate() {
                    assert_eq!(tally.find(key), (round == 1).then_some(number));
                    assert_eq!(tally.number(key), number);
                }
            }
            assert_eq!(tally.keys(), keys);
        }
    }
}
