//! What makes two runs copies of each other.

use crate::blot::Recipe;

/// What makes two runs copies of each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// The fewest tokens of either.
    pub least: u32,
    /// The least share of either that agrees, 0 to 1; rare tokens count more than frequent ones.
    pub overlap: f32,
    /// Whether it is the share of the one of which more agrees.
    pub one_sided: bool,
    /// The most tokens that differ between tokens that agree; 0 for copies that are equal.
    pub gap: u32,
}

impl Measure {
    /// Whether two runs are copies of each other, the shorter one of so many tokens: by the weight of what
    /// agrees, and of what differs in either.
    pub fn is_met_by(&self, shortest: usize, agreeing: u32, lost: [u32; 2]) -> bool {
        let lost = if self.one_sided { lost[0].min(lost[1]) } else { lost[0].max(lost[1]) };
        let overlap = agreeing as f32 / (agreeing + lost).max(1) as f32;
        shortest >= self.least as usize && overlap >= self.overlap
    }

    /// What is usual for texts that were indexed so: where short runs are looked for, as with the profile `ocr`,
    /// much of a copy may differ.
    pub fn usual(recipe: &Recipe) -> Self {
        const SHORT: u32 = 10;
        let overlap = if recipe.guarantee() < SHORT { 0.4 } else { 0.6 };
        Self { overlap, ..Self::default() }
    }
}

impl Default for Measure {
    fn default() -> Self {
        Self { least: 25, overlap: 0.6, one_sided: false, gap: 8 }
    }
}
