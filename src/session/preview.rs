//! Previews: the copies of a row in their documents, verified and compared, and everything else in a document that is
//! duplicated.

pub mod copies;
mod copies_within;
pub mod copy_places;
mod document;
mod duplicated;
mod heat;
mod hidden_runs;
pub mod loading;
mod parts;
