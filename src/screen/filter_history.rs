//! The filters of earlier times: `↑` in the filter brings them, the newest first.

/// The largest number of kept filters.
const MOST: usize = 50;

/// Earlier filters, the newest first, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilterHistory {
    filters: Vec<String>,
}

/// How far a line has gone back from its typed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryWalk {
    /// The text that was typed; it comes back below the newest filter.
    typed: String,
    /// The number of steps back.
    steps: usize,
}

impl FilterHistory {
    /// Saved filters, the newest first.
    pub fn new(saved: Vec<String>) -> Self {
        let mut history = Self::default();
        saved.iter().rev().for_each(|filter| history.add(filter));
        history
    }

    /// Adds a filter as the newest one.
    pub fn add(&mut self, filter: &str) {
        let filter = filter.trim();
        if !filter.is_empty() {
            self.filters.retain(|other| other != filter);
            self.filters.insert(0, filter.to_owned());
            self.filters.truncate(MOST);
        }
    }

    /// The filters, the newest first.
    pub fn filters(&self) -> &[String] {
        &self.filters
    }

    /// The text one step away from that of a line, to older or to newer filters, with the walk from there; `None` at
    /// either end. A filter that equals the typed text is passed over.
    pub fn step(
        &self,
        walk: Option<&HistoryWalk>,
        text: &str,
        is_older: bool,
    ) -> Option<(String, HistoryWalk)> {
        let from = walk.cloned().unwrap_or_else(|| HistoryWalk { typed: text.to_owned(), steps: 0 });
        let steps = if is_older { from.steps + 1 } else { from.steps.checked_sub(1)? };
        let mut earlier = self.filters.iter().filter(|filter| *filter != from.typed.trim());
        let text = match steps {
            0 => from.typed.clone(),
            _ => earlier.nth(steps - 1)?.clone(),
        };
        Some((text, HistoryWalk { steps, ..from }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_kept_once_and_the_oldest_go_first() {
        let mut history = FilterHistory::new((0..60).map(|number| format!("word{number}")).collect());
        assert_eq!((history.filters().len(), history.filters()[0].as_str()), (MOST, "word0"));
        history.add(" word3 ");
        history.add("  ");
        assert_eq!(history.filters()[..3], ["word3", "word0", "word1"]);
        assert_eq!(history.filters().len(), MOST);
        assert_eq!(FilterHistory::new(history.filters().to_vec()), history);
    }

    #[test]
    fn steps_lead_to_older_filters_and_back_to_the_typed_text() {
        let history = FilterHistory::new(["c", "b ", "a"].map(str::to_owned).to_vec());
        let mut walk = None;
        let mut step = |is_older| {
            let (text, next) = history.step(walk.as_ref(), "b ", is_older)?;
            walk = Some(next);
            Some(text)
        };
        assert_eq!(step(false), None);
        let texts = [true, true, true, false, false, false].map(&mut step);
        assert_eq!(texts.map(Option::unwrap_or_default), ["c", "a", "", "c", "b ", ""]);
        assert_eq!(FilterHistory::default().step(None, "", true), None);
    }
}
