//! Syntax colours, from a thread of their own: text is shown at once, its colours when they are ready.
//!
//! Only the lines around those on the screen are coloured. A document is parsed from some lines above
//! them, not from its beginning, so that the end of a long file has its colours as soon as its start.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use ratatui::style::Color;
use syntect::highlighting::{HighlightIterator, HighlightState, Highlighter as Colours, Theme};
use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};
use two_face::theme::EmbeddedThemeName;

use super::Document;
use super::event::Event;

/// How many lines above the first one that is asked for are parsed, to know where it stands.
const RUN_UP: usize = 400;
/// A longer line is left plain: it is no code that somebody wrote.
const LONG: usize = 2 << 10;

/// Lines of a document that want colours.
#[derive(Clone, Debug)]
pub struct Job {
    /// The document.
    pub document: Document,
    /// The lines, from 0.
    pub lines: Range<usize>,
}

/// Colours of some lines.
#[derive(Clone, Debug)]
pub struct Highlighted {
    /// The document.
    pub document: Document,
    /// The lines, from 0.
    pub lines: Range<usize>,
    /// For each of them, stretches of it: where each ends, in bytes of the line, and its colour.
    pub colours: Vec<Vec<(usize, Color)>>,
}

/// The thread that makes colours.
pub struct Highlighter {
    jobs: Sender<Job>,
}

impl Highlighter {
    /// Starts it.
    pub fn start(events: Sender<Event>, light: bool) -> Self {
        let (jobs, inbox) = channel();
        thread::spawn(move || work(&inbox, &events, light));
        Self { jobs }
    }

    /// Asks for colours. Only the newest job counts.
    pub fn send(&self, job: Job) {
        // A highlighter that is gone only means text without colours.
        let _ = self.jobs.send(job);
    }
}

fn work(inbox: &Receiver<Job>, events: &Sender<Event>, light: bool) {
    let Ok(mut job) = inbox.recv() else { return };
    let syntaxes = two_face::syntax::extra_newlines();
    let name = if light { EmbeddedThemeName::InspiredGithub } else { EmbeddedThemeName::Base16OceanDark };
    let themes = two_face::theme::extra();
    let theme = themes.get(name);
    loop {
        while let Ok(newer) = inbox.try_recv() {
            job = newer;
        }
        let colours = colour(&syntaxes, theme, &job);
        let Job { document, lines } = job;
        if let Some(colours) = colours
            && events.send(Event::Highlighted(Highlighted { document, lines, colours })).is_err()
        {
            return;
        }
        job = match inbox.recv() {
            Ok(next) => next,
            Err(_) => return,
        };
    }
}

fn colour(syntaxes: &SyntaxSet, theme: &Theme, job: &Job) -> Option<Vec<Vec<(usize, Color)>>> {
    let syntax = syntax_of(syntaxes, &job.document.path, &job.document.text)?;
    let colours = Colours::new(theme);
    let mut parse = ParseState::new(syntax);
    let mut state = HighlightState::new(&colours, ScopeStack::new());
    let mut coloured = Vec::with_capacity(job.lines.len());
    for number in job.lines.start.saturating_sub(RUN_UP)..job.lines.end {
        let line = line_of(&job.document, number)?;
        let mut ends = Vec::new();
        if line.len() <= LONG {
            let parsed = parse.parse_line(line, syntaxes).ok()?;
            let mut end = 0;
            for (style, piece) in HighlightIterator::new(&mut state, &parsed, line, &colours) {
                end += piece.len();
                let colour = style.foreground;
                ends.push((end, Color::Rgb(colour.r, colour.g, colour.b)));
            }
        }
        if job.lines.contains(&number) {
            coloured.push(ends);
        }
    }
    Some(coloured)
}

fn syntax_of<'s>(syntaxes: &'s SyntaxSet, path: &Path, text: &str) -> Option<&'s SyntaxReference> {
    let name = path.file_name()?.to_str()?;
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or(name);
    let first_line = text.lines().next().filter(|line| line.len() <= LONG).unwrap_or_default();
    syntaxes
        .find_syntax_by_extension(name)
        .or_else(|| syntaxes.find_syntax_by_extension(extension))
        .or_else(|| syntaxes.find_syntax_by_first_line(first_line))
        .filter(|syntax| syntax.name != "Plain Text")
}

/// A line with its end, as the grammars want it.
fn line_of(document: &Arc<crate::session::DocumentView>, number: usize) -> Option<&str> {
    let start = *document.line_starts.get(number)? as usize;
    let end = document.line_starts.get(number + 1).map_or(document.text.len(), |&next| next as usize);
    document.text.get(start..end)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::session::DocumentView;

    #[test]
    fn code_gets_colours_and_prose_none() {
        let (events, inbox) = channel();
        let highlighter = Highlighter::start(events, false);
        let document = |path: &str, text: &str| {
            let line_starts =
                std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
            Arc::new(DocumentView {
                path: path.into(),
                text: text.into(),
                line_starts,
                ..DocumentView::default()
            })
        };
        highlighter.send(Job { document: document("a.txt", "fn f() {}\n"), lines: 0..1 });
        highlighter.send(Job { document: document("a.rs", "fn f() {}\n// x\n"), lines: 1..2 });
        let Ok(Event::Highlighted(found)) = inbox.recv_timeout(Duration::from_secs(30)) else {
            panic!("no colours")
        };
        assert_eq!((found.lines.clone(), found.colours.len()), (1..2, 1));
        assert_eq!(found.colours[0].last().map(|stretch| stretch.0), Some(5));
    }
}
