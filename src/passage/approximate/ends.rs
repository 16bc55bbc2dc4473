//! Where one side of an agreement may end.
//!
//! The score by which a side is extended forgives a little, so that a part in which less than half agrees is crossed. At an
//! end nothing is forgiven: of its last tokens more than half must agree, by their weight, or else a copy would take in
//! unlike lines around it that happen to have a few words in common. And behind an insertion, more must agree than it has.

/// The number of tokens, of both texts together, that count as the last ones of an end.
const LAST: usize = 16;

/// Where runs of equal tokens ended on one side, each with its strict score: a token that differs counts as much as one that
/// agrees.
pub struct Ends {
    /// The last places, as tokens of both texts, with the strict scores there, overwritten in turn.
    known: [(usize, f64); LAST],
    count: usize,
    /// The greatest strict score before an insertion.
    owed: f64,
}

impl Default for Ends {
    /// A side that begins where nothing is extended yet.
    fn default() -> Self {
        Self { known: [(0, 0.0); LAST], count: 1, owed: f64::NEG_INFINITY }
    }
}

impl Ends {
    /// Whether the side may end at `place`, the number of tokens of both texts before it, given its strict score there.
    /// Places ascend.
    pub fn may_end(&mut self, place: usize, score: f64) -> bool {
        let known = &self.known[..self.count.min(LAST)];
        let is_less = |&(before, of): &(usize, f64)| place - before > LAST || of < score;
        let may_end = score > self.owed && known.iter().all(is_less);
        self.known[self.count % LAST] = (place, score);
        self.count += 1;
        may_end
    }

    /// An insertion begins where the strict score is `score`.
    pub fn owe(&mut self, score: f64) {
        self.owed = self.owed.max(score);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_tokens_pay_for_their_differences_and_what_is_farther_is_forgiven() {
        let mut ends = Ends::default();
        assert!(ends.may_end(10, 5.0));
        assert!(!ends.may_end(20, 4.0), "more differs than agrees since");
        assert!(ends.may_end(28, 4.5), "the first end is far away");
        assert!(!ends.may_end(30, 4.5));
        assert!(!Ends::default().may_end(4, 0.0), "the start counts as an end");
    }

    #[test]
    fn behind_an_insertion_more_agrees_than_it_has() {
        let mut ends = Ends::default();
        assert!(ends.may_end(60, 30.0));
        ends.owe(30.0);
        assert!(!ends.may_end(100, 20.0) && !ends.may_end(200, 30.0));
        assert!(ends.may_end(210, 35.0));
    }
}
