//! Syntax highlighting on a thread of its own: text is drawn at once, and coloured when the colours are ready.
//!
//! Only the lines around the visible ones are coloured. Parsing starts some lines above them, not at the beginning of
//! the document, so that the end of a long file is coloured as fast as its start. A request names what is on the screen:
//! one document, or two that are compared, of which the first one is coloured first. Only the newest request counts: an
//! older one is abandoned. Recent results are cached under a hash of the parsed text, so that going back costs nothing
//! and no document is kept in memory for it.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use ratatui::style::Color;
use syntect::highlighting::Highlighter as Colours;
use syntect::highlighting::{HighlightIterator, HighlightState};
use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};
use two_face::theme::EmbeddedLazyThemeSet;
use xxhash_rust::xxh3::Xxh3Default;

use crate::document::Document;
use crate::theme::{Rgb, SyntaxPaint};

/// The number of lines above the requested ones that are parsed for context.
const RUN_UP: usize = 400;
/// Longer lines stay plain: they are not written by hand.
const LONG: usize = 2 << 10;

/// A request, with its number: what is on the screen, and how it is coloured.
type ColourRequest = (u64, Vec<HighlightJob>, SyntaxPaint);

/// The highlighting thread.
pub(crate) struct Highlighter {
    requests: Sender<ColourRequest>,
    /// The number of the newest request.
    newest: Arc<AtomicU64>,
}

impl Highlighter {
    /// Starts the thread; `tell` receives the colours.
    pub(crate) fn start(tell: impl Fn(Highlighted) + Send + 'static) -> Self {
        let (requests, inbox) = channel::<ColourRequest>();
        let newest = Arc::<AtomicU64>::default();
        let wanted = Arc::clone(&newest);
        thread::spawn(move || {
            let mut painter: Option<Painter> = None;
            while let Ok(first) = inbox.recv() {
                let (number, jobs, paint) = inbox.try_iter().last().unwrap_or(first);
                // Loading the grammars takes time, and prose never needs them.
                let painter = painter.get_or_insert_with(Painter::load);
                let is_wanted = || wanted.load(Ordering::Relaxed) == number;
                for job in jobs.into_iter().take_while(|_| is_wanted()) {
                    if let Some(colours) = painter.colour(&job, paint, &is_wanted) {
                        tell(Highlighted { job, colours });
                    }
                }
            }
        });
        Self { requests, newest }
    }

    /// Requests colours of what is on the screen, in this order; replaces an older request.
    pub(crate) fn send(&self, jobs: Vec<HighlightJob>, paint: SyntaxPaint) {
        let number = self.newest.fetch_add(1, Ordering::Relaxed) + 1;
        let _ = self.requests.send((number, jobs, paint));
    }
}

impl Drop for Highlighter {
    fn drop(&mut self) {
        // No request is wanted any more.
        self.newest.fetch_add(1, Ordering::Relaxed);
    }
}

/// Grammars, themes and cache.
struct Painter {
    syntaxes: SyntaxSet,
    themes: EmbeddedLazyThemeSet,
    cache: ColourCache,
    /// The number of parsed lines.
    parsed: usize,
}

impl Painter {
    fn load() -> Self {
        let (syntaxes, themes) = (two_face::syntax::extra_newlines(), two_face::theme::extra());
        Self { syntaxes, themes, cache: ColourCache::default(), parsed: 0 }
    }

    /// The colours of some lines; `None` for prose and for abandoned jobs.
    fn colour(
        &mut self,
        job: &HighlightJob,
        paint: SyntaxPaint,
        is_wanted: &dyn Fn() -> bool,
    ) -> Option<LineColours> {
        // Without colours nothing needs to be parsed.
        paint.syntax_colour(Rgb(0, 0, 0))?;
        let Self { syntaxes, themes, cache, parsed } = self;
        let syntax = syntax_of(syntaxes, &job.document.path, &job.document.text)?;
        let from = job.lines.start.saturating_sub(RUN_UP);
        let key = key(job, from, syntax, paint);
        if let Some(known) = cache.get(key) {
            return Some(known);
        }
        let colours = Colours::new(themes.get(paint.syntax()));
        let mut parse = ParseState::new(syntax);
        let mut state = HighlightState::new(&colours, ScopeStack::new());
        let mut coloured = Vec::with_capacity(job.lines.len());
        // A theme has few colours, and converting one is not cheap.
        let mut known: HashMap<Rgb, Option<Color>> = HashMap::new();
        for number in from..job.lines.end {
            if !is_wanted() {
                return None;
            }
            let line = line_of(&job.document, number)?;
            let mut ends = Vec::new();
            if line.len() <= LONG {
                *parsed += 1;
                let ops = parse.parse_line(line, syntaxes).ok()?;
                let mut end = 0;
                for (style, piece) in HighlightIterator::new(&mut state, &ops, line, &colours) {
                    end += piece.len();
                    let wanted = Rgb(style.foreground.r, style.foreground.g, style.foreground.b);
                    ends.push((end, wanted));
                }
            }
            if job.lines.contains(&number) {
                let shown = ends.into_iter().filter_map(|(end, of)| {
                    let colour = *known.entry(of).or_insert_with(|| paint.syntax_colour(of));
                    Some((end, colour?))
                });
                coloured.push(shown.collect());
            }
        }
        let lines = Arc::new(coloured);
        cache.put(key, Arc::clone(&lines));
        Some(lines)
    }
}

/// A hash of everything that the colours depend on: text, syntax and palette.
fn key(job: &HighlightJob, from: usize, syntax: &SyntaxReference, paint: SyntaxPaint) -> u64 {
    let mut hash = Xxh3Default::new();
    for number in from..job.lines.end {
        hash.update(line_of(&job.document, number).unwrap_or_default().as_bytes());
    }
    let about = format!("{} {} {} {paint:?}", syntax.name, job.lines.start - from, job.lines.len());
    hash.update(about.as_bytes());
    hash.digest()
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

/// A line including its line ending, as syntect expects it.
fn line_of(document: &Arc<dupi_session::DocumentView>, number: usize) -> Option<&str> {
    let start = *document.line_starts.get(number)? as usize;
    let end = document.line_starts.get(number + 1).map_or(document.text.len(), |&next| next as usize);
    document.text.get(start..end)
}

/// A request for colours.
#[derive(Clone, Debug)]
pub struct HighlightJob {
    /// The document.
    pub document: Document,
    /// The lines, from 0.
    pub lines: Range<usize>,
    /// Whether it is the reference copy of a comparison.
    pub is_beside: bool,
}

impl HighlightJob {
    /// Whether the lines of another one are among its own.
    pub fn covers(&self, other: &Self) -> bool {
        let (own, wanted) = (&self.lines, &other.lines);
        self.is_beside == other.is_beside
            // Newer versions of a document share the text.
            && Arc::ptr_eq(&self.document.text, &other.document.text)
            && own.start <= wanted.start
            && wanted.end <= own.end
    }
}

/// For each line its coloured ranges: end (in bytes of the line) and colour.
pub(crate) type LineColours = Arc<Vec<Vec<(usize, Color)>>>;

/// The colours of some lines.
#[derive(Clone, Debug)]
pub struct Highlighted {
    /// What was requested.
    pub job: HighlightJob,
    /// The ranges of each line.
    pub colours: LineColours,
}

/// The largest number of coloured ranges in the cache: about a megabyte.
const MOST: usize = 60_000;

/// Recent colours.
#[derive(Default)]
pub(crate) struct ColourCache {
    /// Least recently used first.
    known: Vec<(u64, LineColours)>,
}

impl ColourCache {
    /// The colours of a key.
    pub(crate) fn get(&mut self, key: u64) -> Option<LineColours> {
        let at = self.known.iter().position(|(known, _)| *known == key)?;
        let found = self.known.remove(at);
        let lines = found.1.clone();
        self.known.push(found);
        Some(lines)
    }

    /// Adds colours.
    pub(crate) fn put(&mut self, key: u64, lines: LineColours) {
        self.known.push((key, lines));
        let mut room = MOST;
        let fits = |(_, lines): &&(u64, LineColours)| {
            let size: usize = lines.iter().map(|line| line.len() + 2).sum();
            room = room.saturating_sub(size);
            room > 0
        };
        let kept = self.known.iter().rev().take_while(fits).count();
        self.known.drain(..self.known.len() - kept);
    }
}

#[cfg(test)]
#[path = "highlight/tests.rs"]
mod tests;
