//! The rows of a view with what is told about all of them, whatever type the rows have: a file of a kind of row makes
//! such a list without knowing the other kinds.

use std::time::Duration;

use super::hidden::Hidden;
use super::view::View;
use crate::index::ranking::SPREAD;
use crate::query::filter::Problem;

/// How often an answer that grows is told.
pub const TELL: Duration = Duration::from_millis(60);

/// The rows of a view, as far as they are loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct RowList<I> {
    /// What was asked for.
    pub view: View,
    /// The generation it was answered from.
    pub generation: u64,
    /// The rows.
    pub rows: Vec<I>,
    /// What of the filter could not be understood; the rest of it holds.
    pub problems: Vec<Problem>,
    /// Passages are not found yet: meanwhile these are rows of blots where passages were asked for, and none
    /// where documents or files were.
    pub is_provisional: bool,
    /// Why there are none: a sentence.
    pub trouble: Option<String>,
    /// There are no more rows than these.
    pub complete: bool,
    /// The share of all rows looked at so far, 0 to 1.
    pub searched: f64,
    /// Blots that occur twice or more, in all.
    pub repeated: u64,
    /// The df that σ stands for.
    pub cut: Option<u32>,
    /// How many blots stand in 1 document, in 2 to 3, in 4 to 7, and so on.
    pub spread: [u64; SPREAD],
    /// The greatest df of a blot.
    pub greatest: u32,
    /// What is taboo among what was looked at.
    pub hidden: Hidden,
    /// Some that pass the filter are taboo, and so not among the rows; known where there is no row.
    pub hides_matches: bool,
    /// Of documents and files: how many tokens lie in passages, and how many there are, in all that is
    /// listed: the corpus, or the folder.
    pub share: Option<(u64, u64)>,
}

impl<I> Default for RowList<I> {
    fn default() -> Self {
        Self {
            view: View::default(),
            generation: 0,
            rows: Vec::new(),
            problems: Vec::new(),
            is_provisional: false,
            trouble: None,
            complete: false,
            searched: 0.0,
            repeated: 0,
            cut: None,
            spread: Default::default(),
            greatest: 0,
            hidden: Hidden::default(),
            hides_matches: false,
            share: None,
        }
    }
}
