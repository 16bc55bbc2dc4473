//! Previews: the copies of a row in their documents, verified and compared, and everything else in a document that is
//! duplicated.

pub(super) mod copies;
mod copies_within;
mod copy_places;
mod duplicated;
mod heat;
pub(super) mod loading;
mod paired_copies;
