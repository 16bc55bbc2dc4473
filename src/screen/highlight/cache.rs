//! Cache of recent syntax colours, keyed by a hash of their input; the least recently used go first.

use super::job::LineColours;

/// The largest number of coloured ranges in the cache: about a megabyte.
const MOST: usize = 60_000;

/// Recent colours.
#[derive(Default)]
pub(super) struct ColourCache {
    /// Least recently used first.
    known: Vec<(u64, LineColours)>,
}

impl ColourCache {
    /// The colours of a key.
    pub(super) fn get(&mut self, key: u64) -> Option<LineColours> {
        let at = self.known.iter().position(|(known, _)| *known == key)?;
        let found = self.known.remove(at);
        let lines = found.1.clone();
        self.known.push(found);
        Some(lines)
    }

    /// Adds colours.
    pub(super) fn put(&mut self, key: u64, lines: LineColours) {
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
mod tests {
    use std::sync::Arc;

    use ratatui::style::Color;

    use super::*;

    #[test]
    fn what_was_used_last_is_kept_and_there_is_an_end_to_it() {
        let mut cache = ColourCache::default();
        let lines = |count: usize| Arc::new(vec![vec![(1, Color::Reset); 98]; count]);
        cache.put(1, lines(200));
        cache.put(2, lines(200));
        assert!(cache.get(1).is_some());
        cache.put(3, lines(300));
        assert_eq!((cache.get(1).is_some(), cache.get(2).is_some()), (true, false));
        cache.put(4, lines(1000));
        assert!(cache.known.is_empty());
    }
}
