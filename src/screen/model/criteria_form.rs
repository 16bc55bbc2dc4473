//! State of the form that changes what counts as a passage.

use dupi_base::config::PassageCriteria;
use dupi_session::TrialState;

/// The form: criteria that are not applied yet.
#[derive(Clone, Debug, PartialEq)]
pub struct CriteriaForm {
    /// The criteria.
    pub criteria: PassageCriteria,
    /// The chosen line.
    pub line: usize,
    /// The usual least similarity in this corpus, in percent.
    pub usual_overlap: u32,
    /// How far the search with them is; `None` while they are those that are applied.
    pub trial: Option<TrialState>,
}

/// The lines of the form.
pub(crate) const CRITERIA: [Criterion; 4] =
    [Criterion::MinTokens, Criterion::Gap, Criterion::MinOverlap, Criterion::Across];

/// A line of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// The fewest tokens.
    MinTokens,
    /// The most consecutive tokens that differ.
    Gap,
    /// The least similarity, in percent.
    MinOverlap,
    /// Whether copies must be in two documents.
    Across,
}

/// The numbers where nothing else is said.
const TOKENS: u32 = 25;
const GAP: u32 = 8;

impl CriteriaForm {
    /// The form with the criteria that are applied.
    pub fn new(criteria: PassageCriteria, usual_overlap: u32) -> Self {
        Self { criteria, line: 0, usual_overlap, trial: None }
    }

    /// The chosen line.
    pub fn criterion(&self) -> Criterion {
        CRITERIA[self.line.min(CRITERIA.len() - 1)]
    }

    /// What a line says, and its value.
    pub fn words(&self, of: Criterion) -> (&'static str, String) {
        let PassageCriteria { min_tokens, gap, min_overlap, across } = self.criteria;
        match of {
            Criterion::MinTokens => ("fewest tokens", min_tokens.unwrap_or(TOKENS).to_string()),
            Criterion::Gap => match gap.unwrap_or(GAP) {
                0 => ("most tokens that differ in a row", "0, equal copies only".to_owned()),
                gap => ("most tokens that differ in a row", gap.to_string()),
            },
            Criterion::MinOverlap => {
                let percent = min_overlap.map(|percent| format!("{percent} %"));
                ("least similarity", percent.unwrap_or_else(|| "as usual".to_owned()))
            }
            Criterion::Across => {
                let is_across = across.unwrap_or(false);
                ("only with copies in two documents", if is_across { "yes" } else { "no" }.to_owned())
            }
        }
    }

    /// Changes the value of the chosen line by `steps`; the least similarity by 5 %, or 10 % for more steps.
    pub fn step(&mut self, steps: i32) {
        let moved = |number: Option<u32>, usual: u32, by: i32, least: u32, most: u32| {
            Some(number.unwrap_or(usual).saturating_add_signed(by).clamp(least, most))
        };
        let PassageCriteria { min_tokens, gap, min_overlap, across } = &mut self.criteria;
        match CRITERIA[self.line.min(CRITERIA.len() - 1)] {
            Criterion::MinTokens => {
                *min_tokens = moved(*min_tokens, TOKENS, steps, 1, PassageCriteria::MOST_TOKENS);
            }
            Criterion::Gap => *gap = moved(*gap, GAP, steps, 0, PassageCriteria::MOST_GAP),
            Criterion::MinOverlap => {
                let percent = steps.clamp(-2, 2) * 5;
                *min_overlap = moved(*min_overlap, self.usual_overlap, percent, 0, 100);
            }
            Criterion::Across => *across = Some(!across.unwrap_or(false)),
        }
    }

    /// Sets the value of the chosen line to the usual one.
    pub fn clear(&mut self) {
        let PassageCriteria { min_tokens, gap, min_overlap, across } = &mut self.criteria;
        match CRITERIA[self.line.min(CRITERIA.len() - 1)] {
            Criterion::MinTokens => *min_tokens = None,
            Criterion::Gap => *gap = None,
            Criterion::MinOverlap => *min_overlap = None,
            Criterion::Across => *across = None,
        }
    }
}
