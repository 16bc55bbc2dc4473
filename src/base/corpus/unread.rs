//! Collects the files that could not be read during a query. Their text may be missing in the answer.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::SkipReason;
use crate::storage::shown;

/// How many files a message names.
const NAMED: usize = 3;
/// How many files are remembered. Beyond that, only the fact that there are more.
const COUNTED: usize = 10_000;

/// The files that could not be read. Clones share one list.
#[derive(Clone, Debug, Default)]
pub struct Unread(Arc<Mutex<UnreadFiles>>);

#[derive(Debug, Default)]
struct UnreadFiles {
    /// Path, reason, and whether it was reported.
    files: BTreeMap<PathBuf, (String, bool)>,
    has_more: bool,
}

impl Unread {
    /// Records a file, relative to the corpus's base, that exists but could not be read. Files that vanished or are
    /// no longer text are not recorded: nothing of them is missing.
    pub fn note(&self, path: &Path, reason: &SkipReason) {
        if !reason.is_refusal() {
            return;
        }
        let mut list = self.list();
        if list.files.contains_key(path) {
            return;
        }
        if list.files.len() < COUNTED {
            list.files.insert(path.to_owned(), (reason.to_string(), false));
        } else {
            list.has_more = true;
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list().files.is_empty()
    }

    /// A sentence about the files that were not reported before.
    pub fn take_message(&self) -> Option<String> {
        let mut list = self.list();
        let mut named = String::new();
        let mut count = 0;
        for (path, (reason, is_reported)) in
            list.files.iter_mut().filter(|(_, (_, is_reported))| !is_reported)
        {
            if count < NAMED {
                // Writing to a string cannot fail.
                let _ = write!(named, "{}{} ({reason})", if count > 0 { ", " } else { "" }, shown(path));
            }
            (count, *is_reported) = (count + 1, true);
        }
        let more = if list.has_more { "more than " } else { "" };
        let files = if count == 1 { "file" } else { "files" };
        let others = if count > NAMED { " and others" } else { "" };
        (count > 0).then(|| {
            format!(
                "{more}{count} {files} could not be read, and their text may be missing: \
                 {named}{others}; correct the cause and try again"
            )
        })
    }

    /// Clears the list.
    #[cfg(any(test, feature = "testing"))]
    pub fn forget(&self) {
        *self.list() = UnreadFiles::default();
    }

    fn list(&self) -> MutexGuard<'_, UnreadFiles> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_is_reported_once_and_a_vanished_one_never() {
        let unread = Unread::default();
        unread.note(Path::new("gone"), &SkipReason::Vanished);
        unread.note(Path::new("binary"), &SkipReason::Binary);
        assert_eq!(unread.take_message(), None);
        for name in ["d", "b\u{1b}", "a", "c", "a"] {
            unread.note(Path::new(name), &SkipReason::NotNow("why".into()));
        }
        let sentence = unread.take_message().unwrap();
        assert!(sentence.starts_with("4 files could not be read"), "{sentence}");
        let names =
            "a (cannot be read now: why), b\\x1b (cannot be read now: why), c (cannot be read now: why) and";
        assert!(sentence.contains(names), "{sentence}");
        assert_eq!(unread.take_message(), None);
        unread.note(Path::new("e"), &SkipReason::Unreadable("why".into()));
        assert!(unread.take_message().unwrap().starts_with("1 file could not be read"));
    }
}
