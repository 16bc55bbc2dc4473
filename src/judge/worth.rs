//! What a passage is worth: the information, in bits, that keeping one copy of it would save.
//!
//! With t₁ … tₙ the tokens of the representative,
//!
//! ```text
//! worth = Σ over the copies but the representative: own(c) · Σ over the tokens tᵢ that c has too: bits(tᵢ)
//! bits(tᵢ) = −log₂ max( p(tᵢ | tᵢ₋₁),  seen(tᵢ₋₁ tᵢ) / (seen(tᵢ₋₁) + 1),  seen(tᵢ) / i )
//! ```
//!
//! - p is what other texts make likely: the self-information of Shannon (“A mathematical theory of communication”,
//!   1948) under a model of pairs of tokens that is described in [`model`].
//! - seen counts in what stands before tᵢ in the representative: what a passage says again and again counts next to
//!   nothing, as in a code that learns while it reads (Rissanen, “Universal coding, information, prediction, and
//!   estimation”, 1984).
//! - own is the part of a copy that lies in no copy before it.
//!
//! Of the copies that differ [`COMPARED`] are looked at, and stand for the others.
//!
//! It is a property of what was gathered, and so the same for any number of threads and any order of arrival. A file
//! with nothing in it that stands elsewhere is not gathered and changes nothing. When another directory of the kernel,
//! 5 % of the text, was added to `fs/`, half of the worths there changed by less than 0.3 %, 95 of 100 by less than
//! 0.9 %, and 99 by less than 3.3 %.

mod model;
mod places;
mod sorting;
#[cfg(test)]
mod tests;
mod text;

use dupi_base::parallel;
use dupi_base::storage::memory::trim;
use dupi_passage::TokenRun;
use dupi_passage::gather::Gathered;
use dupi_passage::group::RunGroup;
use model::Model;
use places::Again;
use text::Text;

/// The part of the memory that counting may take: 1 / this.
const COUNTING_SHARE: u64 = 6;
/// The most differing copies of a passage that are compared, taken evenly from all.
const COMPARED: usize = 16;

/// The worth of each group, in bits.
pub(super) fn of(gathered: &Gathered, groups: &[RunGroup], memory: u64) -> Vec<u64> {
    if groups.is_empty() {
        return Vec::new();
    }
    let again = Again::from_groups(groups, gathered.len());
    let model = Model::count(gathered, &again, memory / COUNTING_SHARE);
    drop(again);
    if gathered.is_large() {
        trim();
    }
    parallel::map_init(groups, Text::default, |text, _, group| worth(gathered, &model, text, group))
}

fn worth(gathered: &Gathered, model: &Model, text: &mut Text, group: &RunGroup) -> u64 {
    let representative = group.representative as usize;
    let bits = text.read(gathered, model, &group.runs[representative]);
    let mut reached = 0;
    let mut own = |run: &TokenRun| {
        let from = run.place.max(reached).min(run.end());
        reached = reached.max(run.end());
        f64::from(run.end() - from) / f64::from(run.tokens)
    };
    let parts: Vec<f64> = group.runs.iter().map(&mut own).collect();
    let differs = |(number, run): &(usize, &TokenRun)| *number != representative && run.similarity < 1.0;
    let differing: Vec<(usize, &TokenRun)> = group.runs.iter().enumerate().filter(differs).collect();
    let step = differing.len().div_ceil(COMPARED).max(1);
    let compared = differing.iter().step_by(step);
    let agreeing: f64 = compared.clone().map(|(_, run)| text.agreeing(gathered, model, run)).sum();
    let agreeing = agreeing / compared.len().max(1) as f64;
    let of_differing: f64 = differing.iter().map(|&(number, _)| parts[number]).sum();
    let of_equal = parts.iter().sum::<f64>() - of_differing - 1.0;
    (of_equal.max(0.0) * bits + of_differing * agreeing).round() as u64
}
