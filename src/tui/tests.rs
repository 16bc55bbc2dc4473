//! Tests of the whole screen: reactions to keys, mouse and session updates, and snapshots.

mod bounds;
pub mod choosing;
mod copies;
mod held_keys;
mod keys;
pub mod live;
mod overlay;
pub mod reading;
pub mod screen;
mod selecting;
mod state;
mod typing;
mod update;
