//! Identifiers of the views, in the order of their keys.

use crate::action::KeyContext;
use dupi_session::Subject;

/// A view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViewPage {
    /// The rows of a subject, with a preview of the selected one.
    List(Subject),
    /// The activity of the program.
    Activity,
}

impl ViewPage {
    /// The key context of the view.
    pub fn key_context(self) -> KeyContext {
        match self {
            Self::List(of) => KeyContext::list(of),
            Self::Activity => KeyContext::ACTIVITY,
        }
    }
}
