//! The messages between a front end and a session: requests, updates, and the lists, previews and states in them. Plain
//! data without threads or files.

pub use activity::{Activity, ActivityEvent, ActivityKind, IndexState, SegmentSummary, SkippedGroup};
pub use blame::{BlameAnswer, BlamedLines};
pub use document::{DocumentView, Duplicated};
pub(super) use hidden::counted;
pub use hidden::{HiddenCounts, TabooDifference};
pub(super) use listing::SEND_INTERVAL;
pub use listing::{ClusterFacts, Comparison, ReviewFacts, RowList};
pub use names::Names;
pub use places::{PlacesAnswer, RowPlace, RowPlaces};
pub use requests::Request;
pub use shown::{CounterpartView, Preview, TabooPreview};
pub use subject::{ItemId, Sort, Subject, member_hash};
pub use updates::{DecisionResult, SearchState, TrialState, Update, WriteResult};
pub use view::View;

mod activity;
mod blame;
mod document;
mod hidden;
mod listing;
mod names;
mod places;
mod requests;
mod shown;
mod subject;
mod updates;
mod view;
