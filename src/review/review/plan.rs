//! What is reviewed, and how copies are searched.

use std::sync::Arc;

use super::source::ReviewedChange;
use dupi_judge::kind::Kind;
use dupi_judge::kind::patterns::KindPatterns;
use dupi_judge::search::SearchSettings;
use dupi_passage::Measure;
use dupi_text::blot::Recipe;

/// What is reviewed.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewPlan {
    /// The change.
    pub change: ReviewedChange,
    /// The fewest tokens of a passage.
    pub least: u32,
    /// How much of two copies agrees; `None` for what is usual with the recipe.
    pub overlap: Option<f32>,
    /// Whether that applies only to the copy of which the larger share agrees.
    pub one_sided: bool,
    /// The most consecutive tokens that may differ between tokens that agree.
    pub gap: u32,
    /// The least information, in bits, that keeping one copy of a passage would save.
    pub min_worth: u64,
    /// Passages of these kinds are set aside; `None` for those of the settings and decisions.
    pub aside: Option<Vec<Kind>>,
}

impl Default for ReviewPlan {
    /// What the branch adds, uncommitted changes too.
    fn default() -> Self {
        let Measure { least, one_sided, gap, .. } = Measure::default();
        let change = ReviewedChange::Range(None);
        Self { change, least, overlap: None, one_sided, gap, min_worth: 0, aside: None }
    }
}

impl ReviewPlan {
    /// How passages are searched in an index with a recipe, within `memory` bytes.
    pub fn search(&self, recipe: &Recipe, memory: u64, patterns: &Arc<KindPatterns>) -> SearchSettings {
        let overlap = self.overlap.unwrap_or(Measure::usual(recipe).overlap);
        let measure = Measure { least: self.least, overlap, one_sided: self.one_sided, gap: self.gap };
        SearchSettings { measure, across: false, consistent: false, memory, patterns: Arc::clone(patterns) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_default_copies_are_searched_as_in_the_list_of_passages() {
        let recipe = Recipe::default();
        let search = ReviewPlan::default().search(&recipe, 1, &Arc::default());
        assert_eq!(search.measure, Measure::usual(&recipe));
    }
}
