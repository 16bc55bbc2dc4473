//! The criteria by which two runs are copies of each other.

use crate::blot::Recipe;

/// The criteria by which two runs are copies of each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// The fewest tokens of each run.
    pub least: u32,
    /// The least share of each run that agrees, 0 to 1. Rare tokens count more than frequent ones.
    pub overlap: f32,
    /// Whether `overlap` applies only to the run of which the larger share agrees.
    pub one_sided: bool,
    /// The most consecutive tokens that may differ between tokens that agree; 0 for equal copies only.
    pub gap: u32,
}

impl Measure {
    /// Whether two runs are copies of each other. `shortest` is the length of the shorter one, `agreeing` the weight of
    /// the tokens that agree, and `lost` the weight of those that differ in each run.
    pub fn is_met_by(&self, shortest: usize, agreeing: u32, lost: [u32; 2]) -> bool {
        let lost = if self.one_sided { lost[0].min(lost[1]) } else { lost[0].max(lost[1]) };
        let overlap = agreeing as f32 / (agreeing + lost).max(1) as f32;
        shortest >= self.least as usize && overlap >= self.overlap
    }

    /// The default for texts indexed with a recipe. A recipe that guarantees short runs, such as the profile `ocr`, is
    /// for noisy text, in which a larger share of a copy may differ.
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
