//! What a verb prints: lines for people, or one JSON object a line. Nothing that a person sees commands the
//! terminal, wherever it comes from.

use std::io::{self, BufWriter, StdoutLock, Write};

use serde::Serialize;

use super::error::CliError;
use crate::storage::printable;

/// Standard output.
pub struct Output {
    writer: BufWriter<StdoutLock<'static>>,
    json: bool,
}

impl Output {
    /// Output for people, or as JSON.
    pub fn new(json: bool) -> Self {
        Self { writer: BufWriter::new(io::stdout().lock()), json }
    }

    /// Prints one thing: as JSON, or as `text` has it.
    pub fn item<T: Serialize>(&mut self, item: &T, text: impl FnOnce(&T) -> String) -> Result<(), CliError> {
        if self.json {
            serde_json::to_writer(&mut self.writer, item).map_err(|error| CliError::Output(error.into()))?;
            self.writer.write_all(b"\n").map_err(CliError::Output)
        } else {
            self.text(&text(item))
        }
    }

    /// Prints text for people, whatever the kind of output.
    pub fn text(&mut self, text: &str) -> Result<(), CliError> {
        self.exact(&printable(text))
    }

    /// Prints text for other programs, byte by byte.
    pub fn exact(&mut self, text: &str) -> Result<(), CliError> {
        self.writer.write_all(text.as_bytes()).map_err(CliError::Output)
    }

    /// Sends out what is still held back.
    pub fn finish(mut self) -> Result<(), CliError> {
        self.writer.flush().map_err(CliError::Output)
    }
}
