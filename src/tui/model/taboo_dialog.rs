//! State of the dialog that previews a taboo decision.

use std::sync::Arc;

use crate::session::{Item, WouldHide};
use crate::tui::input_line::InputLine;

/// A taboo decision that is not taken yet.
#[derive(Clone, Debug)]
pub struct TabooDialog {
    /// The rows.
    pub rows: Vec<Item>,
    /// The reason, as it is typed.
    pub reason: InputLine,
    /// What would vanish with them, once it is known.
    pub hides: Option<Arc<WouldHide>>,
    /// The line of that which stands on top.
    pub first: usize,
}
