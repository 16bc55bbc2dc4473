//! The thread that sends the activity of the session while a front end shows it.

use std::sync::Arc;

use super::shared::SharedSession;
use crate::protocol::{Activity, IndexState, Update};

/// Sends the activity while it is shown, until the session stops.
pub(crate) fn answer_activity(shared: &SharedSession) {
    let mut index: Option<Arc<IndexState>> = None;
    let mut seen = 0;
    while let Some(now) = shared.activity.wait(seen) {
        seen = now;
        let snapshot = {
            let state = shared.state();
            if !state.shows_activity {
                continue;
            }
            state.snapshot.clone()
        };
        index = snapshot.map(|snapshot| {
            let generation = snapshot.manifest().generation;
            let known = index.take().filter(|index| index.generation == generation);
            known.unwrap_or_else(|| Arc::new(IndexState::of(&snapshot)))
        });
        let log = shared.log();
        let activity = Activity {
            progress: log.progress.clone(),
            index: index.clone(),
            folders: log.folders,
            trouble: log.trouble.clone(),
            events: log.events.iter().cloned().collect(),
        };
        drop(log);
        shared.send(Update::Activity(Arc::new(activity)));
    }
}
