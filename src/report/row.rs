//! All kinds of rows.

use serde::Serialize;

use super::blots::{BlotName, BlotRow, SnippetRow, TileRow};
use super::decisions::{AcceptedRow, DecisionRow, ExcludedRow, FilterRow, KindRow, TabooRow};
use super::hidden::{HiddenRow, HidingRow};
use super::history::HistoryRow;
use super::index::{InspectionRow, SkippedRow, SummaryRow};
use super::like::LikeRow;
use super::near::{NearClusterRow, NearPairRow, NearTreesRow};
use super::passages::PassageRow;
use super::readable::{Readable, Reading};
use super::review::ReviewRow;
use super::shares::{DocumentShareRow, FolderShareRow};
use super::suppressed::SuppressedRow;

/// A row of a report. A format writes every kind; where it needs more than the fields and the text for people, it
/// matches on the kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum ReportRow {
    /// `extract`.
    Blot(BlotRow),
    /// `extract --blots-only`.
    BlotName(BlotName),
    /// `blot`.
    Tile(TileRow),
    /// `unblot`.
    Snippet(SnippetRow),
    /// `passages`.
    Passage(PassageRow),
    /// `documents`.
    Document(DocumentShareRow),
    /// `files`.
    Folder(FolderShareRow),
    /// `like`.
    Like(LikeRow),
    /// `review`.
    Review(ReviewRow),
    /// `history`.
    History(HistoryRow),
    /// `near`.
    NearCluster(NearClusterRow),
    /// `near --pairs` and `near --like`.
    NearPair(NearPairRow),
    /// `near --method identical`.
    NearTrees(NearTreesRow),
    /// `index`.
    Summary(SummaryRow),
    /// `inspect`.
    Inspection(InspectionRow),
    /// `inspect --skipped`.
    Skipped(SkippedRow),
    /// `taboo list`.
    Taboo(TabooRow),
    /// `taboo report`: what all entries hide together.
    Hidden(HiddenRow),
    /// `taboo report`: what an entry hides.
    Hiding(HidingRow),
    /// `taboo report`: what a mark in the source hides.
    Suppressed(SuppressedRow),
    /// `taboo log`.
    Decision(DecisionRow),
    /// `accept list`.
    Accepted(AcceptedRow),
    /// `kind list`.
    Kind(KindRow),
    /// `exclude list`.
    Excluded(ExcludedRow),
    /// `filter list`.
    Filter(FilterRow),
}

impl Readable for ReportRow {
    fn reading(&self) -> Reading {
        match self {
            Self::Blot(row) => row.reading(),
            Self::BlotName(row) => row.reading(),
            Self::Tile(row) => row.reading(),
            Self::Snippet(row) => row.reading(),
            Self::Passage(row) => row.reading(),
            Self::Document(row) => row.reading(),
            Self::Folder(row) => row.reading(),
            Self::Like(row) => row.reading(),
            Self::Review(row) => row.reading(),
            Self::History(row) => row.reading(),
            Self::NearCluster(row) => row.reading(),
            Self::NearPair(row) => row.reading(),
            Self::NearTrees(row) => row.reading(),
            Self::Summary(row) => row.reading(),
            Self::Inspection(row) => row.reading(),
            Self::Skipped(row) => row.reading(),
            Self::Taboo(row) => row.reading(),
            Self::Hidden(row) => row.reading(),
            Self::Hiding(row) => row.reading(),
            Self::Suppressed(row) => row.reading(),
            Self::Decision(row) => row.reading(),
            Self::Accepted(row) => row.reading(),
            Self::Kind(row) => row.reading(),
            Self::Excluded(row) => row.reading(),
            Self::Filter(row) => row.reading(),
        }
    }
}
