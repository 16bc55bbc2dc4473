//! Runs of tokens, and the criteria by which two of them are copies of each other.

use dupi_text::blot::Recipe;

/// The tokens that differ weigh at most this many quarters of the mean each.
const MOST_QUARTERS: u64 = 3;

/// A run of gathered tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenRun {
    /// The place of its first token.
    pub place: u32,
    /// How many tokens it has.
    pub tokens: u32,
    /// Its similarity to the representative, 0 to 1.
    pub similarity: f32,
}

impl TokenRun {
    /// The place after its last token.
    pub fn end(&self) -> u32 {
        self.place + self.tokens
    }
}

/// The criteria by which two runs are copies of each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// The fewest tokens of each run.
    pub least: u32,
    /// The least similarity, 0 to 1: the share of each run that agrees. It is demanded twice: of the tokens, which is the
    /// similarity that is shown, and of their weights, by which rare tokens count more than frequent ones. Tokens that
    /// differ weigh at most three quarters of the mean each: a misread word or a new name is rare because it differs.
    pub overlap: f32,
    /// Whether `overlap` applies only to the run of which the larger share agrees.
    pub one_sided: bool,
    /// The most consecutive tokens that may differ between tokens that agree, in both runs; one alone may have a longer
    /// insertion. 0 for equal copies only.
    pub gap: u32,
}

/// What two runs share.
#[derive(Clone, Copy, Debug)]
pub struct Shared {
    /// How many tokens each run has.
    pub lengths: [u32; 2],
    /// How many tokens agree.
    pub matches: u32,
    /// Their weight.
    pub agreeing: u32,
    /// The weight of the tokens that differ, as [`Measure::lost`] counts it.
    pub lost: u32,
    /// The mean weight of a token.
    pub mean: u32,
}

impl Measure {
    /// Whether two runs are copies of each other.
    pub fn is_met_by(&self, shared: &Shared) -> bool {
        let Shared { lengths, matches, agreeing, lost, mean } = *shared;
        let differing = u64::from(self.compared_len(lengths).saturating_sub(matches));
        let most = u64::from(mean) * differing * MOST_QUARTERS / 4;
        let lost = u64::from(lost).min(most) as f32;
        let agreeing = agreeing as f32;
        let by_weight = agreeing / (agreeing + lost).max(1.0);
        lengths[0].min(lengths[1]) >= self.least
            && by_weight >= self.overlap
            && self.similarity(matches, lengths) >= self.overlap
    }

    /// The weight of the tokens that differ: `differing` of both runs together, or that of the run that loses less, given
    /// what each loses, if one side suffices.
    pub fn lost(&self, differing: u32, [a, b]: [u32; 2]) -> u32 {
        if self.one_sided { a.min(b) } else { differing }
    }

    /// The similarity of two runs by their lengths and the number of tokens that agree.
    pub fn similarity(&self, matches: u32, lengths: [u32; 2]) -> f32 {
        matches as f32 / self.compared_len(lengths).max(1) as f32
    }

    /// The length of the run that the similarity is a share of: the longer one, or the shorter one if one side suffices.
    pub fn compared_len(&self, [a, b]: [u32; 2]) -> u32 {
        if self.one_sided { a.min(b) } else { a.max(b) }
    }

    /// The same for copies of which the ends may be lost to differences: the passage itself must be as long as is asked, a
    /// copy of it four fifths of that.
    pub fn roughly(&self) -> Self {
        Self { least: self.least - self.least / 5, ..*self }
    }

    /// The default for texts indexed with a recipe. A recipe that guarantees short runs, such as the profile `ocr`, is
    /// for noisy text, in which a larger share of a copy may differ. Where all names are one, many tokens agree by chance.
    pub fn usual(recipe: &Recipe) -> Self {
        const SHORT: u32 = 10;
        let overlap = match recipe.guarantee() {
            _ if recipe.tokens.folding().identifiers => 0.8,
            ..SHORT => 0.4,
            _ => 0.6,
        };
        Self { overlap, ..Self::default() }
    }
}

impl Default for Measure {
    fn default() -> Self {
        Self { least: 25, overlap: 0.6, one_sided: false, gap: 8 }
    }
}
