//! What changed last in the corpus, and when, as the header says it.

use std::time::Duration;

use crate::text::several;

/// The last change of the corpus.
#[derive(Default)]
pub struct FolderChanges {
    /// Whether the index was brought up to date once: what is read before that is no change.
    is_followed: bool,
    /// How many files changed, and when; several commits in a row are one change.
    last: Option<(u64, Duration)>,
    /// Whether the last change is complete.
    is_over: bool,
}

impl FolderChanges {
    /// Adds files that changed.
    pub fn add(&mut self, files: u64, now: Duration) {
        if files > 0 && self.is_followed {
            let before = self.last.filter(|_| !self.is_over).map_or(0, |(before, _)| before);
            (self.last, self.is_over) = (Some((before + files, now)), false);
        }
    }

    /// The index is up to date.
    pub fn end(&mut self) {
        (self.is_followed, self.is_over) = (true, true);
    }

    /// In words: `3 files changed 2 min ago`.
    pub fn words(&self, now: Duration) -> Option<String> {
        let (files, at) = self.last?;
        let minutes = now.saturating_sub(at).as_secs() / 60;
        let when = match minutes {
            0 => "just now".to_owned(),
            1..60 => format!("{minutes} min ago"),
            60..2880 => format!("{} h ago", minutes / 60),
            _ => format!("{} days ago", minutes / 1440),
        };
        Some(format!("{} changed {when}", several(files, "file")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_said_and_when() {
        let minutes = |minutes: u64| Duration::from_secs(minutes * 60);
        let mut changes = FolderChanges::default();
        changes.add(12_000, minutes(0));
        assert_eq!(changes.words(minutes(1)), None, "the first reading is no change");
        changes.end();
        changes.add(1, minutes(1));
        assert_eq!(changes.words(minutes(1)).as_deref(), Some("1 file changed just now"));
        changes.add(2, minutes(2));
        changes.end();
        assert_eq!(changes.words(minutes(4)).as_deref(), Some("3 files changed 2 min ago"));
        assert_eq!(changes.words(minutes(302)).as_deref(), Some("3 files changed 5 h ago"));
        assert_eq!(changes.words(minutes(10_000)).as_deref(), Some("3 files changed 6 days ago"));
        changes.add(1_500, minutes(10_001));
        assert_eq!(changes.words(minutes(10_001)).as_deref(), Some("1,500 files changed just now"));
    }
}
