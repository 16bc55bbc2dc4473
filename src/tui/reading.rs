//! How documents are read: what is searched for in them, how they are wrapped, and how much of the screen is theirs.

mod search;

use std::collections::BTreeMap;

pub use search::{Matches, Next, Search, Wanted};

use serde::{Deserialize, Serialize};

use super::model::Scroll;
use crate::session::DocumentView;

/// What a reader has chosen.
#[derive(Default)]
pub struct Reading {
    /// Whether long lines are wrapped, by kind of document: a language, or prose. Where nothing is said, prose
    /// is wrapped and code is not.
    pub wraps: BTreeMap<String, bool>,
    /// What is searched for in the document.
    pub search: Option<Search>,
    /// Where it was jumped to last: to which byte, and how the document stood then.
    pub jumped: Option<(Scroll, usize)>,
    /// How the screen is divided.
    pub split: Split,
    /// What the mouse holds.
    pub held: Option<Held>,
}

/// How the panes share the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Split {
    /// How much of the width the list has, in thousandths; `None` for what is usual.
    pub list: Option<u16>,
    /// How many lines the copies have; `None` for what is usual.
    pub copies: Option<u16>,
    /// The document has the screen to itself, as long as keys go there.
    pub is_zoomed: bool,
}

/// What the mouse holds while its button is down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// The line between the list and the document.
    Divider,
    /// The line between the copies and the document.
    Rule,
    /// The margin that maps the document.
    Strip,
}

impl Reading {
    /// Whether long lines of a document are wrapped.
    pub fn wraps(&self, document: &DocumentView) -> bool {
        self.wraps.get(kind(document)).copied().unwrap_or(document.language.is_none())
    }

    /// Wraps long lines of documents of a kind, or not.
    pub fn wrap(&mut self, document: &DocumentView, wraps: bool) {
        self.wraps.insert(kind(document).to_owned(), wraps);
    }

    /// What was found in a document.
    pub fn matches(&self, document: &DocumentView) -> Option<&Matches> {
        self.search.as_ref()?.matches(document)
    }
}

fn kind(document: &DocumentView) -> &str {
    document.language.unwrap_or("prose")
}
