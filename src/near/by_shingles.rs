//! Similar documents by the resemblance of their shingles.

use super::by_features::{self, FeatureRule};
use super::error::NearError;
use super::found::Found;
use super::settings::{NearSettings, Shingling};
use super::sketch::features;
use dupi_index::index::search::Tick;
use dupi_index::index::snapshot::Snapshot;

/// The memory that the features of a document and their index take, for each of its tokens.
pub(super) const BYTES_A_TOKEN: u64 = 24;

pub(super) fn find(
    snapshot: &Snapshot,
    shingling: Shingling,
    settings: &NearSettings,
    tick: &Tick,
) -> Result<Found, NearError> {
    let rule = FeatureRule {
        make: &|tokens| features(tokens, shingling),
        are_bags: shingling.bag,
        choose: &|all| all,
        bytes_a_token: BYTES_A_TOKEN,
    };
    by_features::find(snapshot, &rule, settings, tick)
}
