//! Shows a row in its documents: finds and verifies its copies, compares them, and looks for everything else in a
//! document that is duplicated.

pub mod copies;
mod copies_within;
pub mod copy_places;
mod document;
mod duplicated;
mod heat;
mod hidden_runs;
pub mod loading;
mod parts;
