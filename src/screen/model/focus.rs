//! The pane that receives the keys.

/// The pane that receives keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// The list.
    #[default]
    Rows,
    /// The document.
    Document,
}
