//! Dialogue with the user: the prompt, the overlay, and the last message.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::{Prompt, TabooDialog};
use crate::corpus::Skipped;
use crate::session::Request;
use crate::tui::action::KeyContext;
use crate::tui::input_line::InputLine;

/// What is asked and said.
#[derive(Default)]
pub struct Dialogue {
    /// What is being typed.
    pub prompt: Option<Prompt>,
    /// What was asked for last to be written to a file, in words that write over what is there.
    pub writing: Option<Request>,
    /// What lies over the screen.
    pub overlay: Option<Overlay>,
    /// What is laid there as soon as nothing is typed and nothing else lies there.
    pub waiting: Vec<Overlay>,
    /// The last thing that was said, and when.
    pub message: Option<(String, Duration)>,
}

/// What lies over the screen.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// The keys of a place, scrolled by so many lines.
    Help(KeyContext, usize),
    /// The files left out, scrolled by so many lines; `None` until they are known.
    Skipped(Option<Arc<Vec<Skipped>>>, usize),
    /// The index does not fit the options: a sentence.
    Mismatch(String),
    /// Actions by name: what is typed, and which of those that fit is chosen.
    Palette(InputLine, usize),
    /// Saved filters, and which one is chosen.
    Filters(usize),
    /// What a taboo decision would hide, before it is taken.
    Before(TabooDialog),
    /// A file is there already: write over it?
    Replace(Request, PathBuf),
}
