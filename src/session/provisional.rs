//! Stands in for what is being built.
use super::{Hidden, Item};
/// What goes on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Activity {}
/// What a decision would hide.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WouldHide {
    /// In numbers.
    pub hidden: Hidden,
    /// Other rows that would vanish.
    pub rows: Vec<Item>,
}
