//! Tests of the whole screen: what keys, the mouse and the session's updates do to it, and pictures of it.

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
