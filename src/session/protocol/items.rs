//! The rows of lists, as plain data. What each kind of row does is in a file of its own below `rows`.

use std::path::PathBuf;
use std::sync::Arc;

use super::subject::Subject;
use dupi_index::query::blot_rows::BlotRun;
use dupi_index::query::filter::ReviewState;
use dupi_index::query::{ByteSpan, Occurrence};
use dupi_index::taboo::{TabooEntry, TabooScope};
use dupi_judge::aside::AsideSummary;
use dupi_judge::kind::Kind;
use dupi_judge::known::News;
use dupi_judge::passages::PassageId;
use dupi_passage::unit::Unit;
use dupi_review::review::Verdict;

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Adjacent blots.
    Row(Arc<BlotRun>),
    /// A passage.
    Passage(Arc<ListedPassage>),
    /// The line of a kind that is set aside.
    Aside(Arc<ListedAside>),
    /// A document.
    Document(Arc<ListedDocument>),
    /// A cluster of documents or folders.
    Cluster(Arc<ListedCluster>),
    /// A member of a cluster.
    Member(Arc<ListedMember>),
    /// What a change copies, or changes on one side only.
    Review(Arc<ListedReview>),
    /// A folder or a file in it.
    Folder(Arc<ListedFolder>),
    /// A taboo text.
    Taboo(Arc<ListedTaboo>),
}

impl Item {
    /// The subject of the lists that have such rows.
    pub fn subject(&self) -> Subject {
        match self {
            Self::Row(_) => Subject::Blots,
            Self::Passage(_) | Self::Aside(_) => Subject::Passages,
            Self::Document(_) => Subject::Documents,
            Self::Cluster(_) | Self::Member(_) => Subject::Clusters,
            Self::Review(_) => Subject::Review,
            Self::Folder(_) => Subject::Files,
            Self::Taboo(_) => Subject::Taboo,
        }
    }
}

/// The line of a kind that is set aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedAside {
    /// The kind, with its counts.
    pub summary: AsideSummary,
    /// Whether its passages are listed below the line.
    pub is_open: bool,
    /// Whether all passages to be listed below it are loaded.
    pub is_whole: bool,
}

/// A row of a passage.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedPassage {
    /// Its identity.
    pub id: PassageId,
    /// What its copies are.
    pub unit: Unit,
    /// The number of its copies.
    pub copies: u64,
    /// The number of documents that have a copy.
    pub documents: u32,
    /// The number of tokens of the representative.
    pub tokens: u32,
    /// The number of tokens that keeping one copy would save.
    pub score: u64,
    /// The number of whole lines that could be deleted if only one copy were kept.
    pub lines: u64,
    /// The information, in bits, that keeping one copy would save.
    pub worth: u64,
    /// The mean similarity of the copies, 0 to 1.
    pub similarity: f64,
    /// The path of the representative's document.
    pub path: PathBuf,
    /// Where the representative stands in the text of that file.
    pub span: ByteSpan,
    /// The text of the representative (its first few hundred bytes).
    pub text: String,
    /// The line or sentence of the representative that tells most about it (at most its first few hundred bytes).
    pub headline: String,
    /// What its text is, if that is known.
    pub kind: Option<Kind>,
    /// How many other passages its family has, if it is the head.
    pub members: u64,
    /// The name of the language of its document when it is source code.
    pub language: Option<String>,
    /// What is new in it since the screen was left.
    pub news: Option<News>,
    /// Whether the user pinned the copy that its text, place and similarity are of.
    pub pinned: bool,
    /// Whether the taboo list hides it.
    pub taboo: bool,
    /// The number of copies with which it was accepted, if it was; with more copies it is open again.
    pub accepted: Option<u64>,
    /// Whether it is marked to be fixed.
    pub is_to_fix: bool,
}

/// A document with the share of its tokens that lies in passages.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedDocument {
    /// Its file, relative to the corpus's base.
    pub path: PathBuf,
    /// Which record of the file it is, from 1; `None` for a whole file.
    pub record: Option<u32>,
    /// The number of its tokens.
    pub tokens: u64,
    /// The number of its tokens that lie in passages.
    pub duplicated: u64,
    /// The number of copies of passages in it, without those that lie within longer ones.
    pub copies: u64,
    /// The document that shares the most tokens of passages with it.
    pub partner: Option<PartnerDocument>,
    /// Whether the list is sorted by partner and the partner is above this row.
    pub is_below: bool,
    /// The name of the language when it is source code.
    pub language: Option<String>,
}

/// The document that shares the most with another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartnerDocument {
    /// Its file, relative to the corpus's base.
    pub path: PathBuf,
    /// Which record of the file it is, from 1; `None` for a whole file.
    pub record: Option<u32>,
    /// The number of tokens of the other document that lie in passages of both.
    pub tokens: u64,
}

/// A row of a cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedCluster {
    /// Its name, made from the text of the representative.
    pub id: u64,
    /// What its members have in common.
    pub likeness: Likeness,
    /// How many members it has.
    pub copies: u64,
    /// The bytes that keeping one of them would save.
    pub wasted: u64,
    /// The mean similarity of the others to the representative, 0 to 1.
    pub mean: f32,
    /// The smallest similarity of two members, as far as it is known, 0 to 1.
    pub least: f32,
    /// The representative: a document or folder, relative to the corpus's base.
    pub path: PathBuf,
    /// Which record of the file it is, from 1; `None` for a whole file.
    pub record: Option<u32>,
    /// How many tokens the representative has; 0 for a folder.
    pub tokens: u64,
    /// The bytes of the representative.
    pub bytes: u64,
    /// How many files lie in the first folder; 0 for documents.
    pub files: u64,
    /// The folders, as far as they are named.
    pub folders: Arc<Vec<ClusterFolder>>,
    /// The names of all members, the representative first.
    pub members: Arc<Vec<u64>>,
    /// Whether its members are listed below it.
    pub is_open: bool,
    /// With how many members it was accepted, if it was.
    pub accepted: Option<u64>,
}

/// A folder of a row of folders.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterFolder {
    /// Its path, relative to the corpus's base.
    pub path: PathBuf,
    /// Which share of its documents and those of the first folder are the same, 0 to 1.
    pub share: f32,
    /// How many documents differ from the first folder.
    pub differences: u64,
}

/// What the members of a cluster have in common. They are listed in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    /// They are folders with the same contents, or almost.
    Trees,
    /// They are identical documents.
    Identical,
    /// They are similar documents.
    Similar,
}

/// A document or folder of a cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedMember {
    /// The name of the cluster.
    pub cluster: u64,
    /// Its path, relative to the corpus's base.
    pub path: PathBuf,
    /// Which record of the file it is, from 1; `None` for a whole file or a folder.
    pub record: Option<u32>,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// Whether it represents the cluster.
    pub is_representative: bool,
    /// Its similarity to the representative, 0 to 1.
    pub similarity: f32,
    /// How many tokens it has; 0 for a folder.
    pub tokens: u64,
    /// Its bytes.
    pub bytes: u64,
    /// How many files lie in it; 0 for a document.
    pub files: u64,
    /// For a folder, how many documents differ from the first one.
    pub differences: u64,
}

/// A row of a review.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedReview {
    /// The identity of the passage, or of what drifted.
    pub id: PassageId,
    /// What it is.
    pub verdict: Verdict,
    /// What was decided about it.
    pub state: ReviewState,
    /// With how many copies it was accepted, if it was; with more it is open again.
    pub accepted: Option<u64>,
    /// The passage; `None` for what drifted.
    pub passage: Option<Arc<ListedPassage>>,
    /// How many copies there are,
    pub copies: u64,
    /// how many of them the change touches,
    pub changed: u64,
    /// and how many there were before.
    pub before: u64,
    /// How many documents have a copy.
    pub documents: u64,
    /// How many tokens a copy has.
    pub tokens: u32,
    /// The information, in bits, that keeping one copy would save; 0 for what drifted.
    pub worth: u64,
    /// The first copy that the change touches.
    pub at: Occurrence,
    /// The copy to use instead; of what drifted, the first copy that was left as it was.
    pub original: Option<Occurrence>,
    /// The beginning of its text.
    pub text: String,
    /// The line that tells most about it; of what drifted, the first line that the others lack.
    pub headline: String,
}

/// A folder or file with the share of its tokens that lies in passages.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedFolder {
    /// Relative to the corpus's base.
    pub path: PathBuf,
    /// Whether it can be entered.
    pub is_folder: bool,
    /// The number of documents in it.
    pub documents: u64,
    /// The number of their tokens.
    pub tokens: u64,
    /// The number of their tokens that lie in passages.
    pub duplicated: u64,
    /// The number of copies of passages in it, without those that lie within longer ones.
    pub copies: u64,
}

/// An entry of the taboo list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedTaboo {
    /// The entry.
    pub entry: TabooEntry,
    /// Which list it is from.
    pub scope: TabooScope,
    /// The number of tokens of its text.
    pub tokens: u32,
    /// What it hides now: passages, or rows of blots if it hides no passage; `None` until it is counted, for which the
    /// passages must be known. A row that several entries hide only together counts for each entry that is needed to
    /// hide it.
    pub hides: Option<HiddenCounts>,
}

/// What the taboo list hides of the rows of a view. For passages, all known ones are counted; for blots, those that were
/// looked at so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HiddenCounts {
    /// The number of rows.
    pub rows: u64,
    /// The number of copies (of documents, where copies were not counted).
    pub copies: u64,
    /// The number of documents of all these rows together; for blots, the sum over the rows.
    pub documents: u64,
}

impl HiddenCounts {
    /// Whether nothing is hidden.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
