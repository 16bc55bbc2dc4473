//! Until the fast search is there.

use super::equal::Equal;
use super::features::FeatureSets;
use super::pair::Pair;
use crate::passage::{PassageError, Tick};

/// All pairs whose resemblance is `threshold` or more.
pub fn pairs(
    sets: &FeatureSets,
    equal: &Equal,
    threshold: f64,
    tick: &Tick,
) -> Result<Vec<Pair>, PassageError> {
    tick(0.0)?;
    let mut pairs = Vec::new();
    for (number, &a) in equal.distinct.iter().enumerate() {
        for &b in &equal.distinct[number + 1..] {
            let similarity = sets.resemblance(a as usize, b as usize);
            if similarity >= threshold && similarity > 0.0 {
                pairs.push(Pair { a, b, similarity: similarity as f32 });
            }
        }
    }
    Ok(pairs)
}
