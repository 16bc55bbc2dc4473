//! Rows of `documents` and `files`: which share of a document or folder is duplicated.

use serde::Serialize;

use super::name::DocumentName;
use super::readable::{Readable, Reading};

/// `documents`: a document with how much of it stands elsewhere too.
#[derive(Debug, Serialize)]
pub struct DocumentShareRow {
    /// The document.
    pub path: DocumentName,
    /// The share of its tokens that lie in passages.
    pub share: f64,
    /// How many tokens these are.
    pub duplicated: u64,
    /// How many tokens it has.
    pub tokens: u64,
    /// How many copies of passages stand in it, those not counted that lie within longer ones.
    pub copies: u64,
    /// The document that has the most of these tokens too.
    pub partner: Option<PartnerRow>,
    /// The language of source code.
    pub language: Option<String>,
}

impl Readable for DocumentShareRow {
    fn reading(&self) -> Reading {
        let partner = self.partner.as_ref();
        Reading::Cells {
            headings: &[">share", ">duplicated", ">tokens", ">copies", "document", ">shared", "partner"],
            cells: vec![
                percent(self.duplicated, self.tokens),
                self.duplicated.to_string(),
                self.tokens.to_string(),
                self.copies.to_string(),
                self.path.to_string(),
                partner.map(|partner| partner.tokens.to_string()).unwrap_or_default(),
                partner.map(|partner| partner.path.to_string()).unwrap_or_default(),
            ],
        }
    }
}

/// A document that shares passages with another.
#[derive(Debug, Serialize)]
pub struct PartnerRow {
    /// The document.
    pub path: DocumentName,
    /// How many tokens of the other document lie in passages that both have.
    pub tokens: u64,
}

/// `files`: a folder or file with how much of it stands elsewhere too.
#[derive(Debug, Serialize)]
pub struct FolderShareRow {
    /// Where it lies; the whole corpus is the empty path.
    pub path: DocumentName,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// The share of its tokens that lie in passages.
    pub share: f64,
    /// How many tokens these are.
    pub duplicated: u64,
    /// How many tokens it has.
    pub tokens: u64,
    /// How many copies of passages stand in it, those not counted that lie within longer ones.
    pub copies: u64,
    /// How many documents lie in it.
    pub documents: u64,
}

impl Readable for FolderShareRow {
    fn reading(&self) -> Reading {
        let name = self.path.to_string();
        let name =
            if name.is_empty() { ".".to_owned() } else { name + if self.is_folder { "/" } else { "" } };
        Reading::Cells {
            headings: &[">share", ">duplicated", ">tokens", ">copies", ">documents", "path"],
            cells: vec![
                percent(self.duplicated, self.tokens),
                self.duplicated.to_string(),
                self.tokens.to_string(),
                self.copies.to_string(),
                self.documents.to_string(),
                name,
            ],
        }
    }
}

/// A share, for people; what is not all is never 100 %.
pub(super) fn percent(part: u64, of: u64) -> String {
    let thousandths = part * 1000 / of.max(1);
    format!("{}.{} %", thousandths / 10, thousandths % 10)
}

/// A share, to four digits.
pub fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}
