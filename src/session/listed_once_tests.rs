//! A change of the folder lists the rows of a view once.

use std::fs;
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::worker::shared::IndexerMessage;
use crate::worker::signals::Concern;
use crate::{Options, Phase, Request, SearchState, Session, Subject, Update, View, Watch};
use dupi_base::corpus::{Corpus, WatchEvent};
use dupi_base::storage::Folder;

#[test]
fn a_change_lists_the_rows_of_a_view_once() {
    for of in [
        Subject::Blots,
        Subject::Passages,
        Subject::Documents,
        Subject::Files,
        Subject::Taboo,
        Subject::Clusters,
        Subject::Review,
    ] {
        let place = tempfile::tempdir().unwrap();
        let at = place.path().join("corpus");
        fs::create_dir(&at).unwrap();
        let text: String = (0..60).map(|number| format!("word{number} ")).collect();
        let write = |name: &str| fs::write(at.join(name), format!("{name} {text}")).unwrap();
        ["a", "b"].into_iter().for_each(write);
        let home = Folder::new(place.path().join("index"));
        let options = Options { memory: 1 << 24, threads: 2, watch: Watch::Off, ..Options::new(home) };
        let (sender, updates) = channel();
        let corpus = Corpus::resolve(std::slice::from_ref(&at)).unwrap();
        let session = Session::start(corpus, options, move |update| drop(sender.send(update)));
        session.send(Request::Rows(View { of, wanted: 10, ..View::default() }));
        // Until a change is indexed, and a search of what it made of the documents has ended.
        let wait = || {
            let (mut is_indexed, mut is_searched) = (false, of == Subject::Blots);
            while !is_indexed || !is_searched {
                match updates.recv_timeout(Duration::from_secs(60)).unwrap() {
                    Update::Changed(_) => (is_indexed, is_searched) = (false, of == Subject::Blots),
                    Update::Progress(of) => {
                        is_indexed = of.phase == Phase::Idle && !of.merging && of.documents > 0;
                    }
                    Update::Searching(SearchState::Idle)
                    | Update::Comparing(SearchState::Idle)
                    | Update::Reviewing(SearchState::Idle) => is_searched = true,
                    _ => {}
                }
            }
        };
        wait();
        let lists = || session.shared.signals.count(Concern::Rows);
        for name in ["c", "d"] {
            let before = lists();
            write(name);
            session.shared.tell_indexer(IndexerMessage::Changed(WatchEvent::Rescan));
            // What was told before the change is told.
            while !matches!(updates.recv_timeout(Duration::from_secs(60)).unwrap(), Update::Changed(_)) {}
            wait();
            assert_eq!(lists() - before, 1, "{of:?}, {name}");
        }
        session.stop();
    }
}
