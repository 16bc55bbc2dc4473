//! Which members are connected: disjoint sets as a forest (Tarjan, “Efficiency of a good but not linear set union
//! algorithm”, 1975). The root of a tree is its smallest member, so the trees do not depend on the order of the pairs.

/// Disjoint sets of the numbers below a limit.
#[derive(Clone, Debug)]
pub(super) struct Forest {
    parents: Vec<usize>,
}

impl Forest {
    /// Each number in a set of its own.
    pub(super) fn new(members: usize) -> Self {
        Self { parents: (0..members).collect() }
    }

    /// The smallest member of a number's set.
    pub(super) fn root(&mut self, mut member: usize) -> usize {
        while self.parents[member] != member {
            // Path halving.
            self.parents[member] = self.parents[self.parents[member]];
            member = self.parents[member];
        }
        member
    }

    /// Joins the sets of two numbers. Returns whether they were different sets.
    pub(super) fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b)] = a.min(b);
        a != b
    }
}
