//! State of the dialog that previews a taboo decision.

use std::sync::Arc;

use crate::session::{Item, TabooPreview};
use crate::tui::input_line::InputLine;

/// A taboo decision that is not taken yet.
#[derive(Clone, Debug)]
pub struct TabooDialog {
    /// The chosen rows.
    pub rows: Vec<Item>,
    /// The typed reason.
    pub reason: InputLine,
    /// What the decision would hide, once it is known.
    pub hides: Option<Arc<TabooPreview>>,
    /// The first visible line.
    pub first: usize,
}
