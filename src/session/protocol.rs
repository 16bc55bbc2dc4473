//! What a front end and a session say to each other: requests, updates, and the rows, previews and states that these
//! carry. Plain data, below everything else in the session.

pub use activity::{Activity, Event, Happening, IndexState, SegmentState, SkippedGroup};
pub use hidden::{Difference, Hidden, counted};
pub use item::{DocumentRow, FolderRow, Item, ItemId, PartnerDocument, PassageRow, TabooRow};
pub use names::Names;
pub use requests::Request;
pub use shown::{Beside, DocumentView, Duplicated, Listing, Preview, WouldHide};
pub use updates::{Became, PassageSearch, TELL, Update, Written};
pub use view::{Sort, Subject, View};

mod activity;
mod hidden;
mod item;
mod names;
mod requests;
mod shown;
mod updates;
mod view;
