//! Sums by numbers, of which few have one at a time.

/// A sum for each number below a limit.
pub(super) struct Sums {
    of: Vec<u64>,
    /// The numbers that have one.
    numbers: Vec<u32>,
}

impl Sums {
    /// Zero for each number below `limit`.
    pub(super) fn new(limit: usize) -> Self {
        Self { of: vec![0; limit], numbers: Vec::new() }
    }

    /// Adds to the sum of a number; `more` is not 0.
    pub(super) fn add(&mut self, number: u32, more: u64) {
        let sum = &mut self.of[number as usize];
        if *sum == 0 {
            self.numbers.push(number);
        }
        *sum += more;
    }

    /// The numbers with their sums, in no order. None has one afterwards.
    pub(super) fn take(&mut self) -> impl Iterator<Item = (u32, u64)> {
        let of = &mut self.of;
        self.numbers.drain(..).map(|number| (number, std::mem::take(&mut of[number as usize])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_taken_once() {
        let mut sums = Sums::new(9);
        for _ in 0..2 {
            [(3, 1), (8, 7), (3, 4)].into_iter().for_each(|(number, more)| sums.add(number, more));
            let mut taken: Vec<_> = sums.take().collect();
            taken.sort_unstable();
            assert_eq!(taken, [(3, 5), (8, 7)]);
            assert_eq!(sums.take().count(), 0);
        }
    }
}
