//! Finds approximate passages: copies with small differences, each verified against its group.
//!
//! - [`seeds`]: which short runs of tokens are repeated, and where?
//! - [`chain`]: which seeds are together more than chance?
//! - [`extend`]: how far do two texts agree around a seed?
//! - `ahead`: where can they not agree again?
//! - [`mod@resume`]: where do they agree again behind a difference?
//! - [`ends`]: where may a copy end?
//! - [`compare`]: are the texts around two places copies of each other?
//! - [`grow`]: which copies does a passage have?
//! - [`batches`]: which seeds are probed, and which passages grow, at the same time?
//! - [`seed_marks`]: which seeds are left while passages grow?
//! - [`step_budgets`]: how many steps of comparison does each document get?
//! - [`mod@common_ranges`]: which ranges of the representative do groups of copies share?
//! - [`trim`]: which run of a member is its copy of such a range, and is it still similar enough?
//! - [`representative`]: which copy are the others compared with?
//! - [`complete`]: which further copies does a passage have, now that another copy represents it?
//! - [`part`]: which part of an agreement is similar enough?
//! - [`apart`]: which copies of a group overlap?
//! - [`mod@remainder`]: which exact repeats are not together in one of the passages?
//! - [`mod@distinct`] and [`mod@containing`]: which groups are contained in others?
//!
//! # The rules of the search
//!
//! 1. **Seeds.** A comparison begins at a run of 4 or 5 equal tokens ([`seeds::SeedLengths`]), as in BLAST (Altschul and
//!    others, “Basic local alignment search tool”, 1990). Seeds are tried in the order of the text; a seed within a copy
//!    is done. Outside of noisy text a seed counts only in a chain of several near one diagonal ([`chain`]). Where only the
//!    surroundings of repeated tiles were read, a seed has up to 8 tokens and needs no chain.
//! 2. **Extension.** From a seed both texts are followed to both sides. At a difference, the nearest place is taken at
//!    which they agree again, with at most `gap` tokens between; where no single run tells it, the next tokens are aligned
//!    ([`mod@resume`]). One of the texts may have a longer insertion: up to six gaps, at most half as long as what agrees
//!    before it, with at most `gap` tokens opposite. Unlike text in both is not crossed.
//!    - **Score.** A token that agrees adds its weight. One that differs subtracts four fifths of it, or less if the
//!      similarity that is asked is below .44; but the tokens of one difference count at most one and a half times the mean
//!      weight each, since a misread word or a new name is rare because it differs. Equal runs end at their highest score
//!      (X-drop, Zhang and others 2000). So with a lower overlap, a larger gap, or when one side suffices, they extend as
//!      far or farther.
//!    - **Poor parts.** The score may fall by three gaps of rare tokens below its highest value. Where it falls by more
//!      than one, a sixth of the tokens since then must agree, by their weight: words that two unlike texts have in common
//!      by chance do not make them one copy with what follows.
//!    - **Ends.** Of the last tokens of a copy more than half agree, and behind an insertion more agrees than it has
//!      ([`ends`]). There a token that differs counts in full: an end pays for itself, as the ends of a maximal scoring
//!      segment do (Ruzzo and Tompa, “A linear time algorithm for finding all maximal scoring subsequences”, 1999).
//! 3. **What is measured.** Two texts are copies if the similarity that is asked is reached twice: by the tokens that agree
//!    as a share of the longer text (of the shorter one if one side suffices), and by their weights, by which rare tokens
//!    count more; those that differ weigh at most three quarters of the mean. If a whole chain does not reach it, its
//!    longest part around the seed that does is the copy ([`part`]). The first of the two numbers is the one that is shown;
//!    no copy of a row is below what was asked.
//! 4. **Groups.** Every copy is compared with the representative of its group, the copy nearest to all others. A copy may
//!    lead to further candidates, but only the comparison with the representative decides: a group is not a chain of
//!    similar pairs. A group grows around its first copy; where another one is nearer to all others, its representative is
//!    compared with what lies outside of the group too ([`mod@complete`]).
//! 5. **What is shown.** The copies of a row have no token in common ([`apart`]). Copies of an exact repeat that do not
//!    overlap each other are together in one row, except for `gap` tokens at either end of each: what no single row has
//!    is a row of its own ([`mod@remainder`]).
//! 6. **What a row depends on.** On the texts that it touches, and on the weights of their tokens. These count in steps,
//!    so that other files hardly ever change them ([`weights`]).
//! 7. **One document.** `like` runs this search for a text and one document at a time ([`super::like`]). So it says of two
//!    texts what the search for all passages says of them.
//!
//! So in two texts that have one passage in common, whatever is found with stricter options is found with looser ones. With
//! many texts this holds for exact repeats only: a copy that a stricter search compares with one representative may be
//! compared with another one in a looser search, and all pairs cannot be compared in linear time.

mod ahead;
pub mod apart;
pub mod batches;
pub mod chain;
pub mod common_ranges;
pub mod compare;
pub mod complete;
pub mod containing;
pub mod distinct;
pub mod ends;
pub mod extend;
pub mod grow;
pub mod pair_counts;
pub mod part;
pub mod remainder;
pub mod representative;
pub mod resume;
pub mod seed_marks;
pub mod seeds;
pub mod step_budgets;
pub mod trim;
pub mod weights;

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::bounds::Bounds;
use super::gather::Gathered;
use super::group::RunGroup;
use super::measure::Measure;
use super::{PassageError, Tick, exact};
use crate::storage::memory;
use apart::set_apart;
use batches::grown;
use distinct::{add, drop_held, unite_equal};
use remainder::remainder;
use seeds::{SeedLengths, Seeds};
use weights::Weights;

/// The approximate passages around seeds, in no order. Every exact repeat is in one of them. `weights` are those of the
/// tokens, usually in the gathered texts.
pub fn passages(
    gathered: &Gathered,
    measure: Measure,
    seed: SeedLengths,
    weights: &Weights,
    bounds: &Bounds,
    tick: &Tick,
) -> Result<Vec<RunGroup>, PassageError> {
    let shared = SharedProgress { tick, share: AtomicU32::new(0) };
    let equal = |searches| exact::passages(gathered, measure.least, bounds, searches, &|_| shared.still());
    let first = if bounds.is_tight() { Some(equal(1)?) } else { None };
    // Not beside the exact search: both use all cores, and much memory.
    let seeds = Seeds::find(gathered, seed, bounds.windows(2), &|share| shared.at(share * 0.2))?;
    if gathered.is_large() {
        memory::trim();
    }
    // Growing leaves a core idle for a part of the time; the exact search uses it if there is memory for both.
    let (equal, grown) = rayon::join(
        || first.map_or_else(|| equal(2), Ok),
        || grown(gathered, measure, seeds, weights, bounds, &|share| shared.at(0.2 + share * 0.8)),
    );
    let (mut groups, mut equal) = (grown?, equal?);
    unite_equal(&mut groups);
    let measure = measure.roughly();
    all_apart(&mut groups, &measure);
    all_apart(&mut equal, &measure);
    let add_remainder = |groups: &mut Vec<RunGroup>| {
        let remainder = remainder(groups, &equal, measure.gap);
        add(groups, remainder, measure.gap);
        all_apart(groups, &measure);
    };
    add_remainder(&mut groups);
    drop_held(&mut groups, measure.gap);
    // A dropped group may have been the only one with all of some exact repeat.
    add_remainder(&mut groups);
    Ok(groups)
}

/// Sets the copies of each group apart, and drops the groups of which one copy is left.
fn all_apart(groups: &mut Vec<RunGroup>, measure: &Measure) {
    groups.par_iter_mut().for_each(|group| set_apart(group, measure));
    groups.retain(|group| group.runs.len() > 1);
}

/// Progress of two concurrent searches: that of the longer one is reported.
struct SharedProgress<'a> {
    tick: &'a Tick<'a>,
    share: AtomicU32,
}

impl SharedProgress<'_> {
    fn at(&self, share: f64) -> Result<(), PassageError> {
        self.share.store((share as f32).to_bits(), Ordering::Relaxed);
        self.still()
    }

    fn still(&self) -> Result<(), PassageError> {
        (self.tick)(f64::from(f32::from_bits(self.share.load(Ordering::Relaxed))))
    }
}
