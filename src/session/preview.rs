//! Previews: the copies of a row in their documents, verified and compared, and everything else in a document that is
//! duplicated.

pub(super) mod copies;
mod copy_places;
mod duplicated;
mod heat;
mod known_places;
pub(super) mod loading;
mod variants;
mod words;
