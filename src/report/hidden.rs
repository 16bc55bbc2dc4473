//! Rows of `taboo report`: how much is hidden, by what, and since when.

use serde::Serialize;

use super::readable::{Readable, Reading};
use dupi_base::storage::one_line;

/// What all entries hide together.
#[derive(Debug, Serialize)]
pub struct HiddenRow {
    /// How many passages are hidden.
    pub hidden: u64,
    /// How many there are, hidden ones too.
    pub passages: u64,
    /// How many copies the hidden ones have.
    pub copies: u64,
    /// In how many documents these stand.
    pub documents: u64,
    /// How many entries the lists have.
    pub entries: usize,
    /// How many further passages marks in the source suppress.
    pub suppressed: u64,
}

impl Readable for HiddenRow {
    fn reading(&self) -> Reading {
        let Self { hidden, passages, copies, documents, entries, suppressed } = self;
        let by_marks = match suppressed {
            0 => String::new(),
            count => format!("; {count} more are suppressed by dupi:ignore"),
        };
        let texts = if *entries == 1 { "text" } else { "texts" };
        Reading::Lines(format!(
            "{hidden} of {passages} passages are hidden, with {copies} copies in {documents} documents, by {entries} \
             {texts} of the taboo list{by_marks}\n"
        ))
    }
}

/// What an entry hides: alone, or as one without which a passage would not be hidden.
#[derive(Debug, Serialize)]
pub struct HidingRow {
    /// Its number in its list, from 1.
    pub number: usize,
    /// Whether it is an entry for all corpora.
    pub all_corpora: bool,
    /// When it was added.
    pub since: String,
    /// Why.
    pub reason: Option<String>,
    /// How many passages it hides.
    pub hidden: u64,
    /// How many copies these have.
    pub copies: u64,
    /// In how many documents these stand.
    pub documents: u64,
    /// Its text.
    pub text: String,
}

impl Readable for HidingRow {
    fn reading(&self) -> Reading {
        Reading::Cells {
            headings: &[">hidden", ">copies", ">documents", "since", "list", ">number", "text", "reason"],
            cells: vec![
                self.hidden.to_string(),
                self.copies.to_string(),
                self.documents.to_string(),
                self.since.clone(),
                if self.all_corpora { "all corpora" } else { "this corpus" }.to_owned(),
                self.number.to_string(),
                one_line(&self.text, 60),
                one_line(self.reason.as_deref().unwrap_or_default(), 60),
            ],
        }
    }
}
