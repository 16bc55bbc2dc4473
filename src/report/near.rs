//! Rows of `near`.

use serde::Serialize;

use super::finding::{DOCUMENTS, FOLDERS, Finding, Place};
use super::words::{alike, rounded, tenths};
use crate::format::{Reading, ReportRow};
use crate::words::DocumentName;
use dupi_base::config::Size;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::documents::Document;
use dupi_near::found::{Found, NearCluster};
use dupi_near::trees::{DifferenceKind, TreeCluster, TreeDifference, TreeFolder};

/// How many differences of a folder people see.
const SHOWN: usize = 10;

/// `near`: documents that are similar to each other.
#[derive(Debug, Serialize)]
pub struct NearClusterRow {
    /// Its name, made from the text of the representative.
    pub id: String,
    /// What is similar: documents.
    pub unit: &'static str,
    /// How many there are.
    pub documents: usize,
    /// The smallest similarity of two of them, 0 to 1, if it was computed.
    pub least: Option<f64>,
    /// The bytes of all but the representative.
    pub saving: u64,
    /// The representative, and then the others, the most similar first.
    pub members: Vec<NearMemberRow>,
    /// Whether they are identical by the method, not just similar by 1.
    #[serde(skip)]
    pub is_identical: bool,
}

/// A document of a cluster.
#[derive(Debug, Serialize)]
pub struct NearMemberRow {
    /// The document.
    pub path: DocumentName,
    /// Its similarity to the representative, 0 to 1.
    pub similarity: f64,
    /// How many tokens it has.
    pub tokens: u32,
    /// How many bytes it has.
    pub bytes: u64,
}

impl NearClusterRow {
    /// The row of a cluster. `is_identical` tells whether the method finds identical documents only.
    pub fn new(snapshot: &Snapshot, found: &Found, cluster: &NearCluster, is_identical: bool) -> Self {
        let member = |member: &dupi_near::found::Member| {
            let document = &found.documents[member.document as usize];
            NearMemberRow {
                path: name(snapshot, document),
                similarity: share(member.similarity),
                tokens: document.tokens,
                bytes: document.bytes,
            }
        };
        Self {
            id: format!("{:016x}", cluster.id),
            unit: "documents",
            documents: cluster.members.len(),
            least: cluster.least.map(share),
            saving: cluster.saving,
            members: cluster.members.iter().map(member).collect(),
            is_identical,
        }
    }
}

impl ReportRow for NearClusterRow {
    fn reading(&self) -> Reading {
        let Self { id, documents, saving, .. } = self;
        let least = match self.least {
            Some(_) if self.is_identical => ", all the same".to_owned(),
            Some(least) => format!(", least alike {:.0} %", (least * 100.0).floor()),
            None => String::new(),
        };
        let member = |member: &NearMemberRow| format!("\t{}{}\n", member.path, alike(member.similarity));
        let members: String = self.members.iter().map(member).collect();
        Reading::Lines(format!("{id} {documents} documents{least}, {} to save\n{members}", Size(*saving)))
    }

    fn finding(&self) -> Option<Finding<'_>> {
        let places = self
            .members
            .iter()
            .map(|member| Place { similarity: Some(member.similarity), ..Place::whole(&member.path) });
        let how = if self.is_identical { "identical" } else { "similar" };
        let summary = format!("{} {how} documents, {} to save", self.documents, Size(self.saving));
        let copies = self.documents as u64;
        Some(Finding { copies, places: places.collect(), ..Finding::new(&DOCUMENTS, &self.id, summary) })
    }
}

/// `near --pairs` and `near --like`: two similar documents.
#[derive(Debug, Serialize)]
pub struct NearPairRow {
    /// How similar they are, 0 to 1.
    pub similarity: f64,
    /// One document, or the file that was given.
    pub path: DocumentName,
    /// The other document.
    pub partner: DocumentName,
}

impl NearPairRow {
    /// The row of two documents.
    pub fn new(similarity: f32, path: DocumentName, partner: DocumentName) -> Self {
        Self { similarity: share(similarity), path, partner }
    }

    /// The similarity for people; below 1 it is never 100 %.
    fn percent(&self) -> String {
        tenths((self.similarity * 1000.0).floor() as u64)
    }
}

impl ReportRow for NearPairRow {
    fn reading(&self) -> Reading {
        Reading::cells([
            (">similarity", &self.percent()),
            ("document", &self.path),
            ("partner", &self.partner),
        ])
    }

    fn finding(&self) -> Option<Finding<'_>> {
        let summary = format!("2 documents, {} similar", self.percent());
        let place = |path, similarity| Place { similarity: Some(similarity), ..Place::whole(path) };
        let places = vec![place(&self.path, 1.0), place(&self.partner, self.similarity)];
        let id = DOCUMENTS.id_of(&[&self.path, &self.partner]);
        Some(Finding { copies: 2, places, ..Finding::new(&DOCUMENTS, id, summary) })
    }
}

/// `near --method identical`: folders with the same contents, or almost.
#[derive(Debug, Serialize)]
pub struct NearTreesRow {
    /// Its name, made from the contents of the first folder.
    pub id: String,
    /// What is similar: folders.
    pub unit: &'static str,
    /// The bytes of all folders but the first one.
    pub saving: u64,
    /// The folder that the others are compared with, and then these, the most similar first.
    pub folders: Vec<NearFolderRow>,
}

/// One of these folders.
#[derive(Debug, Serialize)]
pub struct NearFolderRow {
    /// Where it lies.
    pub path: DocumentName,
    /// How many files lie in it, at any depth.
    pub files: u32,
    /// Their bytes.
    pub bytes: u64,
    /// Which share of the documents of it and of the first folder are the same, 0 to 1.
    pub similarity: f64,
    /// What differs from the first folder.
    pub differences: Vec<NearDifferenceRow>,
}

/// A document that differs.
#[derive(Debug, Serialize)]
pub struct NearDifferenceRow {
    /// Where it lies in the folder.
    pub path: DocumentName,
    /// Whether it was changed, added, or is missing.
    pub how: &'static str,
}

impl From<&TreeCluster> for NearTreesRow {
    fn from(tree: &TreeCluster) -> Self {
        let difference = |of: &TreeDifference| NearDifferenceRow {
            path: DocumentName::new(&of.path, of.record),
            how: match of.kind {
                DifferenceKind::Changed => "changed",
                DifferenceKind::Added => "added",
                DifferenceKind::Missing => "missing",
            },
        };
        let folder = |of: &TreeFolder| NearFolderRow {
            path: DocumentName::new(&of.path, None),
            files: of.files,
            bytes: of.bytes,
            similarity: share(of.share),
            differences: of.differences.iter().map(difference).collect(),
        };
        let id = format!("{:016x}", tree.id);
        Self { id, unit: "folders", saving: tree.saving, folders: tree.folders.iter().map(folder).collect() }
    }
}

impl ReportRow for NearTreesRow {
    fn reading(&self) -> Reading {
        let Self { id, saving, folders, .. } = self;
        let is_same = folders.iter().all(|folder| folder.differences.is_empty());
        let how = if is_same { "the same" } else { "almost the same" };
        let files = folders.first().map_or(0, |folder| folder.files);
        let mut lines =
            format!("{id} {} folders are {how}: {files} files, {} to save\n", folders.len(), Size(*saving));
        for folder in folders {
            let differing = match folder.differences.len() {
                0 => String::new(),
                count => format!("{}, {count} differ", alike(folder.similarity)),
            };
            lines.push_str(&format!("\t{}/{differing}\n", folder.path));
            for NearDifferenceRow { path, how } in folder.differences.iter().take(SHOWN) {
                lines.push_str(&format!("\t\t{how} {path}\n"));
            }
            if let Some(more) = folder.differences.len().checked_sub(SHOWN).filter(|more| *more > 0) {
                lines.push_str(&format!("\t\tand {more} more; --json lists them\n"));
            }
        }
        Reading::Lines(lines)
    }

    fn finding(&self) -> Option<Finding<'_>> {
        let places = self.folders.iter().map(|folder| Place {
            is_folder: true,
            similarity: Some(folder.similarity),
            ..Place::whole(&folder.path)
        });
        let (copies, files) = (self.folders.len(), self.folders.first().map_or(0, |folder| folder.files));
        let summary = format!("{copies} similar folders of {files} files, {} to save", Size(self.saving));
        let places = places.collect();
        Some(Finding { copies: copies as u64, places, ..Finding::new(&FOLDERS, &self.id, summary) })
    }
}

/// A similarity, to four digits; one below 1 is never rounded to 1.
fn share(similarity: f32) -> f64 {
    let rounded = rounded(f64::from(similarity));
    if similarity < 1.0 { rounded.min(0.9999) } else { rounded }
}

/// The name of a document.
pub fn name(snapshot: &Snapshot, document: &Document) -> DocumentName {
    let record = snapshot.document(document.id).record;
    DocumentName::new(snapshot.path(snapshot.file_of(document.id)), (record > 0).then_some(record))
}
