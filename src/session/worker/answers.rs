//! The small threads of a session: the preview, the question which commits lines come from, the activity, and a look at the
//! lists of decisions. Each answers the last request, and abandons it when a newer one arrives.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::shared::SharedSession;
use super::signals::Concern;
use crate::preview::copies::Copies;
use crate::preview::loading::is_in_reach;
use crate::protocol::{Activity, BlameAnswer, BlamedLines, IndexState, Update};
use dupi_base::storage::shown;
use dupi_index::index::IndexError;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::Occurrence;
use dupi_index::query::page::DocumentReader;
use dupi_review::change::ChangeError;
use dupi_review::change::repository::Repository;

/// Answers requests for previews until the session stops.
pub(crate) fn answer_previews(shared: &SharedSession) {
    let mut copies: Option<Copies> = None;
    shared.follow(Concern::Preview, |seen| {
        if let Err(error) = preview(shared, &mut copies, seen) {
            shared.send(Update::Notice(error.to_string()));
        }
        shared.report_unread();
        None
    });
}

fn preview(shared: &SharedSession, copies: &mut Option<Copies>, seen: u64) -> Result<(), IndexError> {
    let (found, asked, taboo, is_shown_too) = {
        let state = shared.state();
        let is_shown_too = state.asked.view.as_ref().is_some_and(|view| view.show_taboo);
        (state.found(), state.asked.preview.clone(), state.taboo(), is_shown_too)
    };
    let (Some(found), Some((item, current))) = (found, asked) else { return Ok(()) };
    let shown = if is_shown_too { Arc::default() } else { Arc::clone(&taboo) };
    // Only rows of documents and folders need the shares.
    let known = found.known.as_ref().filter(|_| item.share().is_some());
    let shares = known.map(|known| known.shares(&shown));
    let old = copies.take();
    let copies = copies.insert(match old {
        // The copies are the same; a reason or a count of the row may have changed.
        Some(mut old) if old.is_of(&found, shares.as_ref(), &item) => {
            (old.item, old.of) = (item, (found, shares));
            old
        }
        old => Copies::new(&found, shares, item, old)?,
    });
    copies.load(&taboo, current, |preview| {
        let is_newest = shared.signals.is_newest(Concern::Preview, seen);
        if is_newest {
            shared.send(Update::Preview(Arc::new(preview)));
        }
        is_newest
    })?;
    shared.state().waits_for_folder = copies.is_out_of_reach;
    if copies.is_out_of_reach && is_in_reach(&copies.of.0.snapshot) {
        // The folder came back before `waits_for_folder` was set.
        shared.signals.raise(&[Concern::Preview]);
    }
    Ok(())
}

/// Says which commits the lines of the copy that was asked about last come from, until the session stops.
pub(crate) fn answer_blame(shared: &SharedSession) {
    shared.follow(Concern::Blame, |seen| {
        let (snapshot, at) = {
            let state = shared.state();
            (state.snapshot.clone(), state.asked.blame.clone())
        };
        let at = at?;
        let is_wanted = || shared.signals.is_newest(Concern::Blame, seen);
        let lines = match blamed(&snapshot?, &at, &is_wanted) {
            Ok(lines) => Ok(lines),
            Err(ChangeError::Stopped) => return None,
            Err(ChangeError::NoRepository(path)) => {
                Err(format!("{} is in no git repository, which would know that.", shown(&path)))
            }
            Err(ChangeError::NoGit) => {
                Err("There is no program git, which knows that; install it.".to_owned())
            }
            Err(error) => Err(error.to_string()),
        };
        shared.send(Update::Blame(Arc::new(BlameAnswer { at, lines })));
        None
    });
}

/// Where the lines of a copy come from.
fn blamed(
    snapshot: &Snapshot,
    at: &Occurrence,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Vec<BlamedLines>, ChangeError> {
    let (repository, below) = Repository::of_file(&snapshot.manifest().corpus.absolute(&at.path), is_wanted)?;
    let file = DocumentReader::new(snapshot).file(&at.path);
    let file = file.map_err(|reason| ChangeError::File(at.path.clone(), reason))?;
    let lines = at.line.saturating_sub(1)..at.end_line;
    let question = repository.blame(&below, &file.text, std::slice::from_ref(&lines))?;
    Ok(question.ask_while(is_wanted)?.of(&lines))
}

/// Sends the activity while it is shown, until the session stops.
pub(crate) fn answer_activity(shared: &SharedSession) {
    let mut index: Option<Arc<IndexState>> = None;
    shared.follow(Concern::Activity, |_| {
        let (is_shown, snapshot) = {
            let state = shared.state();
            (state.asked.activity, state.snapshot.clone())
        };
        if !is_shown {
            return None;
        }
        index = snapshot.map(|snapshot| {
            let generation = snapshot.manifest().generation;
            let known = index.take().filter(|index| index.generation == generation);
            known.unwrap_or_else(|| Arc::new(IndexState::of(&snapshot)))
        });
        let activity = Activity { index: index.clone(), ..shared.log().shown.clone() };
        shared.send(Update::Activity(Arc::new(activity)));
        None
    });
}

/// The interval at which the lists of decisions are checked.
const TICK: Duration = Duration::from_secs(1);

/// Reads the lists of decisions again when they change, until the session stops: a verb, another session or an editor may
/// change them. It does not wait for the indexer.
pub(crate) fn follow_decisions(shared: &SharedSession) {
    shared.follow(Concern::Decisions, |_| {
        look_at_decisions(shared);
        Some(Instant::now() + TICK)
    });
}

fn look_at_decisions(shared: &SharedSession) {
    let known = shared.state().decisions.clone();
    if let Some(known) = known.filter(|known| !known.is_newest()) {
        shared.read_decisions(|newest| newest.unwrap_or(&known).renewed());
    }
}
