//! The pane that receives the keys.

/// Where keys go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// The list of rows.
    #[default]
    Rows,
    /// The document.
    Document,
}
