//! The thread that asks which commits lines come from: about the copy that was asked about last.

use std::sync::Arc;

use super::shared::SharedSession;
use crate::protocol::{BlameAnswer, BlamedLines, Update};
use dupi_base::storage::shown;
use dupi_index::index::snapshot::Snapshot;
use dupi_index::query::Occurrence;
use dupi_index::query::page::DocumentReader;
use dupi_review::change::ChangeError;
use dupi_review::change::repository::Repository;

/// Answers until the session stops. A newer question ends the one before.
pub(crate) fn answer_blame(shared: &SharedSession) {
    let mut seen = 0;
    while let Some(now) = shared.blame.wait(seen) {
        seen = now;
        let (snapshot, at) = {
            let state = shared.state();
            (state.snapshot.clone(), state.blame.clone())
        };
        let (Some(snapshot), Some(at)) = (snapshot, at) else { continue };
        let is_wanted = || shared.blame.is_newest(seen) && !shared.is_stopped();
        let lines = match blamed(&snapshot, &at, &is_wanted) {
            Ok(Some(lines)) => Ok(lines),
            Ok(None) | Err(ChangeError::Stopped) => continue,
            Err(ChangeError::NoRepository(path)) => {
                Err(format!("{} is in no git repository, which would know that.", shown(&path)))
            }
            Err(ChangeError::NoGit) => {
                Err("There is no program git, which knows that; install it.".to_owned())
            }
            Err(error) => Err(error.to_string()),
        };
        shared.send(Update::Blame(Arc::new(BlameAnswer { at, lines })));
    }
}

/// Where the lines of a copy come from; `None` if that is no longer wanted.
fn blamed(
    snapshot: &Snapshot,
    at: &Occurrence,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Option<Vec<BlamedLines>>, ChangeError> {
    let (repository, below) = Repository::of_file(&snapshot.manifest().corpus.absolute(&at.path), is_wanted)?;
    let file = DocumentReader::new(snapshot).file(&at.path);
    let file = file.map_err(|reason| ChangeError::File(at.path.clone(), reason))?;
    let lines = at.line.saturating_sub(1)..at.end_line;
    let question = repository.blame(&below, &file.text, std::slice::from_ref(&lines))?;
    let Some(blame) = question.ask_while(is_wanted)? else { return Ok(None) };
    let lines = blame.of(&lines).into_iter();
    Ok(Some(lines.map(|(commit, lines)| BlamedLines { lines, commit: commit.cloned() }).collect()))
}
