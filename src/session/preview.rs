//! Shows a row in its documents: finds and verifies its copies, compares them, and looks for everything else in a
//! document that is duplicated.

pub mod copies;
mod document;
mod duplicated;
mod heat;
mod hidden_runs;
pub mod loading;
mod parts;
pub mod places;
mod within;
