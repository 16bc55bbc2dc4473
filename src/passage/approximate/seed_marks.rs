//! What is known of seeds while passages grow, one after the other. The seeds themselves are only read then, so that the next
//! ones can be probed at the same time.

use super::seeds::Seeds;

/// The marks of the passages that grow, in batches of seeds.
pub struct SeedMarks {
    /// For each name, the last passage in which it occurred.
    met: Vec<u32>,
    /// The number of the current passage, from 1.
    passage: u32,
    /// The number of the current batch.
    pub batch: u32,
    /// For each name, how many seeds are left, also during a batch.
    left: Vec<u32>,
    /// Names with seeds that are done and not dropped yet.
    done: Vec<u32>,
}

impl SeedMarks {
    /// Before the first passage.
    pub fn of(seeds: &Seeds) -> Self {
        Self {
            met: vec![0; seeds.left.len()],
            passage: 0,
            batch: 0,
            left: seeds.left.clone(),
            done: Vec::new(),
        }
    }

    /// Begins another passage.
    pub fn begin(&mut self) {
        self.passage += 1;
    }

    /// The number of the current passage.
    pub fn passage(&self) -> u32 {
        self.passage
    }

    /// Whether a name is new in the current passage. Marks it, so the next call returns false.
    pub fn is_new(&mut self, name: u32) -> bool {
        std::mem::replace(&mut self.met[name as usize], self.passage) != self.passage
    }

    /// The seeds of a name that are neither done nor in the current passage, ascending, instead of those in `open`.
    pub fn open(&mut self, seeds: &Seeds, name: u32, open: &mut Vec<u32>) {
        let named = seeds.named(name);
        let mut left = 0;
        open.clear();
        open.extend(named.iter().copied().filter(|&seed| {
            let is_left = !seeds.is_done(seed);
            left += u32::from(is_left);
            is_left && !seeds.is_taken(seed, self.passage)
        }));
        if left < std::mem::replace(&mut self.left[name as usize], left) {
            self.done.push(name);
        }
    }

    /// An upper bound of the number of seeds of a name that are left.
    pub fn left(&self, name: u32) -> u32 {
        self.left[name as usize]
    }

    /// Ends a batch: drops the seeds that are done of the names that were looked at.
    pub fn end_batch(&mut self, seeds: &mut Seeds) {
        self.done.drain(..).for_each(|name| seeds.drop_done(name));
    }
}
