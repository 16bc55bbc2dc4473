//! Similar documents by the resemblance of their spot signatures.

use super::by_features::{self, FeatureRule};
use super::error::NearError;
use super::found::Found;
use super::settings::{NearSettings, SpotRule};
use super::spotsigs::signatures;
use dupi_index::index::search::Tick;
use dupi_index::index::snapshot::Snapshot;

/// The memory for each token: in running text about a third of them begin a signature.
pub(super) const BYTES_A_TOKEN: u64 = 8;

pub(super) fn find(
    snapshot: &Snapshot,
    spots: &SpotRule,
    settings: &NearSettings,
    tick: &Tick,
) -> Result<Found, NearError> {
    let rule = FeatureRule {
        make: &|tokens| signatures(tokens, &spots.antecedents),
        are_bags: true,
        choose: &|all| spots.idf.apply(all),
        bytes_a_token: BYTES_A_TOKEN,
    };
    by_features::find(snapshot, &rule, settings, tick)
}
