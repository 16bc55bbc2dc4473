//! The messages between a front end and a session: requests, updates, and the rows, lists, previews and states in them.
//! Plain data without threads or files.

pub use activity::*;
pub use items::*;
pub use listing::*;
pub use messages::*;
pub use shown::*;
pub use subject::*;

pub use dupi_review::change::blame::BlamedLines;

mod activity;
mod items;
mod listing;
mod messages;
mod shown;
mod subject;
