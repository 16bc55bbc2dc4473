//! Tests of the whole screen: reactions to keys, mouse and session updates, and snapshots.

pub(crate) mod aside;
pub(super) mod choosing;
pub(crate) mod clusters;
pub(crate) mod copies;
pub(crate) mod criteria;
pub(crate) mod held_keys;
pub(crate) mod holding;
pub(super) mod live;
pub(crate) mod overlay;
mod plays;
pub(crate) mod printing;
pub(super) mod reading;
pub(crate) mod review;
pub(super) mod screen;
pub(crate) mod selecting;
pub(crate) mod state;
pub(crate) mod typing;
pub(crate) mod update;
