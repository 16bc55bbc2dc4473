//! Which rows are findings, and what they say as such.

use super::blots::{OccurrenceRow, SnippetRow};
use super::finding::{DOCUMENTS, FOLDERS, Finding, PASSAGE, Place, Rule, SHARE, SHARED};
use super::like::LikeRow;
use super::name::DocumentName;
use super::near::{NearClusterRow, NearPairRow, NearTreesRow};
use super::passages::{CopyRow, PassageRow};
use super::row::ReportRow;
use super::shares::{DocumentShareRow, FolderShareRow, percent};
use super::short::in_short;
use dupi_base::config::{Kind, Size};
use dupi_passage::unit::Unit;

impl ReportRow {
    /// The row as a finding, if it is one.
    pub fn finding(&self) -> Option<Finding<'_>> {
        Some(match self {
            Self::Passage(row) => row.into(),
            Self::Snippet(row) => row.into(),
            Self::Document(row) => row.into(),
            Self::Folder(row) => row.into(),
            Self::Like(row) => row.into(),
            Self::Review(row) => row.into(),
            Self::NearCluster(row) => row.into(),
            Self::NearPair(row) => row.into(),
            Self::NearTrees(row) => row.into(),
            Self::Blot(_)
            | Self::BlotName(_)
            | Self::Tile(_)
            | Self::Summary(_)
            | Self::Inspection(_)
            | Self::Skipped(_)
            | Self::Taboo(_)
            | Self::Hidden(_)
            | Self::Hiding(_)
            | Self::Suppressed(_)
            | Self::Decision(_)
            | Self::Accepted(_)
            | Self::Kind(_)
            | Self::Excluded(_)
            | Self::Filter(_)
            | Self::History(_) => return None,
        })
    }
}

/// A finding with nothing but its rule, its name and its words.
fn plain<'a>(rule: &'static Rule, id: impl Into<std::borrow::Cow<'a, str>>, summary: String) -> Finding<'a> {
    Finding {
        rule,
        id: id.into(),
        summary,
        text: "",
        kind: None,
        tokens: None,
        worth: None,
        share: None,
        copies: 0,
        places: Vec::new(),
    }
}

/// The duplicated share of a number of tokens, in words.
fn duplicated(part: u64, tokens: u64) -> String {
    format!("{} of {tokens} tokens are duplicated", percent(part, tokens))
}

/// A name for what has no contents of its own: made from its rule and its paths.
fn id_of(rule: &Rule, paths: &[&DocumentName]) -> String {
    let mut bytes = rule.id.as_bytes().to_vec();
    for path in paths {
        bytes.push(0);
        bytes.extend(path.spelled().as_bytes());
    }
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&bytes))
}

impl<'a> Place<'a> {
    /// A part of a document.
    pub(super) fn of(at: &'a OccurrenceRow) -> Self {
        Self { part: Some(at.part), ..Self::whole(&at.path) }
    }
}

impl<'a> From<&'a CopyRow> for Place<'a> {
    fn from(copy: &'a CopyRow) -> Self {
        Self {
            similarity: Some(copy.similarity),
            note: copy.within.as_deref().map(Into::into),
            text: copy.text.as_deref(),
            ..Self::of(&copy.at)
        }
    }
}

impl<'a> From<&'a PassageRow> for Finding<'a> {
    fn from(row: &'a PassageRow) -> Self {
        let is_document = row.unit == Unit::Document.name();
        let rule = match &row.trees {
            Some(_) => &FOLDERS,
            None if is_document => &DOCUMENTS,
            None => &PASSAGE,
        };
        let places = match &row.trees {
            Some(trees) => {
                let folder = |path| Place { is_folder: true, similarity: Some(1.0), ..Place::whole(path) };
                trees.folders.iter().map(folder).collect()
            }
            None => row.occurrences.iter().map(Place::from).collect(),
        };
        Self {
            text: &row.text,
            kind: row.kind.map(Kind::name),
            tokens: Some(u64::from(row.tokens)),
            worth: Some(row.worth),
            copies: row.copies as u64,
            places,
            ..plain(rule, &row.id, row.summary())
        }
    }
}

impl<'a> From<&'a SnippetRow> for Finding<'a> {
    fn from(row: &'a SnippetRow) -> Self {
        Self {
            text: &row.text,
            copies: row.occurrences.len() as u64,
            places: row.occurrences.iter().map(Place::of).collect(),
            ..plain(&PASSAGE, &row.blot, format!("{} copies", row.occurrences.len()))
        }
    }
}

impl<'a> From<&'a DocumentShareRow> for Finding<'a> {
    fn from(row: &'a DocumentShareRow) -> Self {
        let partner = row.partner.as_ref();
        let summary = duplicated(row.duplicated, row.tokens);
        let partner =
            partner.map(|partner| Place { tokens: Some(partner.tokens), ..Place::whole(&partner.path) });
        let own = Place { tokens: Some(row.duplicated), ..Place::whole(&row.path) };
        Self {
            tokens: Some(row.tokens),
            share: Some(row.share),
            copies: 1 + u64::from(partner.is_some()),
            places: [Some(own), partner].into_iter().flatten().collect(),
            ..plain(&SHARE, id_of(&SHARE, &[&row.path]), summary)
        }
    }
}

impl<'a> From<&'a FolderShareRow> for Finding<'a> {
    fn from(row: &'a FolderShareRow) -> Self {
        let summary = duplicated(row.duplicated, row.tokens);
        let own = Place { tokens: Some(row.duplicated), is_folder: row.is_folder, ..Place::whole(&row.path) };
        Self {
            tokens: Some(row.tokens),
            share: Some(row.share),
            copies: 1,
            places: vec![own],
            ..plain(&SHARE, id_of(&SHARE, &[&row.path]), summary)
        }
    }
}

impl<'a> From<&'a LikeRow> for Finding<'a> {
    fn from(row: &'a LikeRow) -> Self {
        let places = row.spans.iter().map(|span| Place {
            similarity: Some(span.similarity),
            tokens: Some(u64::from(span.tokens)),
            ..Place::of(&span.at)
        });
        Self {
            share: Some(row.covered),
            copies: row.spans.len() as u64,
            places: places.collect(),
            ..plain(
                &SHARED,
                id_of(&SHARED, &[&row.path]),
                format!("has {:.1} % of the text", row.covered * 100.0),
            )
        }
    }
}

impl<'a> From<&'a NearClusterRow> for Finding<'a> {
    fn from(row: &'a NearClusterRow) -> Self {
        let places = row
            .members
            .iter()
            .map(|member| Place { similarity: Some(member.similarity), ..Place::whole(&member.path) });
        let how = if row.is_identical { "identical" } else { "similar" };
        let summary = format!("{} {how} documents, {} to save", row.documents, Size(row.saving));
        Self { copies: row.documents as u64, places: places.collect(), ..plain(&DOCUMENTS, &row.id, summary) }
    }
}

impl<'a> From<&'a NearPairRow> for Finding<'a> {
    fn from(row: &'a NearPairRow) -> Self {
        let summary = format!("2 documents, {} similar", row.percent());
        let partner = Place { similarity: Some(row.similarity), ..Place::whole(&row.partner) };
        let own = Place { similarity: Some(1.0), ..Place::whole(&row.path) };
        Self {
            copies: 2,
            places: vec![own, partner],
            ..plain(&DOCUMENTS, id_of(&DOCUMENTS, &[&row.path, &row.partner]), summary)
        }
    }
}

impl<'a> From<&'a NearTreesRow> for Finding<'a> {
    fn from(row: &'a NearTreesRow) -> Self {
        let places = row.folders.iter().map(|folder| Place {
            is_folder: true,
            similarity: Some(folder.similarity),
            ..Place::whole(&folder.path)
        });
        let files = row.folders.first().map_or(0, |folder| folder.files);
        let summary =
            format!("{} similar folders of {files} files, {} to save", row.folders.len(), Size(row.saving));
        Self {
            copies: row.folders.len() as u64,
            places: places.collect(),
            ..plain(&FOLDERS, &row.id, summary)
        }
    }
}

impl PassageRow {
    /// How many copies there are, how long they are and what they are worth.
    pub(super) fn summary(&self) -> String {
        let copies = match &self.trees {
            Some(trees) => format!("{} identical folders of {} documents", self.copies, trees.documents),
            None if self.unit == Unit::Document.name() => format!("{} identical documents", self.copies),
            None => format!("{} copies in {} documents", self.copies, self.documents),
        };
        format!("{copies}, {} tokens, {} bits", self.tokens, in_short(self.worth))
    }
}
