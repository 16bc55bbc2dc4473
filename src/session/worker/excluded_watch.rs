//! The thread that has the index follow the list of files that are left out, whoever changed the list.

use std::sync::Arc;

use super::shared::SharedSession;
use dupi_base::corpus::{Corpus, WatchEvent};

/// Reports the files and folders that come to the list, or leave it, as changed, until the session stops.
pub(crate) fn follow_exclusions(shared: &SharedSession, corpus: &Corpus, changed: impl Fn(WatchEvent)) {
    let mut seen = 0;
    while let Some(now) = shared.excluded.wait(seen) {
        seen = now;
        let (before, list) = {
            let mut state = shared.state();
            let Some(decisions) = &state.decisions else { continue };
            let list = Arc::clone(decisions.excluded());
            (state.indexed_without.replace(Arc::clone(&list)), list)
        };
        let paths = before.map(|before| before.difference(&list)).unwrap_or_default();
        if !paths.is_empty() {
            changed(WatchEvent::Paths(paths.iter().map(|path| corpus.absolute(path)).collect()));
        }
    }
}
