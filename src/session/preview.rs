//! Previews: the copies of a row in their documents, verified and compared, and everything else in a document that is
//! duplicated.

pub(super) mod copies;
mod copies_within;
pub(super) mod copy_places;
mod document;
mod duplicated;
mod heat;
mod hidden_runs;
pub(super) mod loading;
mod parts;
mod review_copies;
mod whole_documents;
mod within;
