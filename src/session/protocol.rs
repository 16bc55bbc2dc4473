//! The messages between a front end and a session: requests, updates, and the rows, lists, previews and states in them.
//! Plain data without threads or files.

pub use activity::{Activity, ActivityEvent, ActivityKind, IndexState, Names, SegmentSummary, SkippedGroup};
pub use items::{
    ClusterFolder, HiddenCounts, Item, Likeness, ListedAside, ListedCluster, ListedDocument, ListedFolder,
    ListedMember, ListedPassage, ListedReview, ListedTaboo, PartnerDocument,
};
pub use listing::{ClusterFacts, Comparison, Listing, ReviewFacts, TabooDifference, View};
pub(super) use listing::{SEND_INTERVAL, counted};
pub use messages::{DecisionResult, Request, SearchState, TrialState, Update, WriteResult};
pub use shown::{
    BlameAnswer, CounterpartView, DocumentView, Duplicated, PlacesAnswer, Preview, RowPlace, RowPlaces,
    TabooPreview,
};
pub use subject::{ItemId, Sort, Subject, member_hash};

pub use dupi_review::change::blame::BlamedLines;

mod activity;
mod items;
mod listing;
mod messages;
mod shown;
mod subject;
