//! Tests of the whole screen: reactions to keys, mouse and session updates, and snapshots.

mod aside;
mod bounds;
pub(super) mod choosing;
mod clusters;
mod copies;
mod criteria;
mod exclude;
mod first_look;
mod held_keys;
mod holding;
mod keys;
pub(super) mod live;
mod news;
mod overlay;
mod printing;
pub(super) mod reading;
mod review;
pub(super) mod screen;
mod selecting;
mod state;
mod typing;
mod update;
