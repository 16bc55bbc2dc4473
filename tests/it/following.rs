//! A session follows its folder through everything that editors, tools and clocks do to files.

use std::fs;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::followed::{Followed, content};
use dupi::corpus::Corpus;
use dupi::index::writer::{Commit, IndexWriter};
use dupi::ingest::Phase;
use dupi::storage::Folder;

#[test]
fn files_are_followed_through_what_editors_do() {
    let followed = Followed::new();
    followed.write("a", 1);
    followed.write("b", 1);
    followed.check("two new files");
    fs::write(followed.outside("draft"), content(2)).unwrap();
    fs::rename(followed.outside("draft"), followed.at("a")).unwrap();
    followed.check("a file renamed over another");
    fs::rename(followed.at("b"), followed.at("b~")).unwrap();
    followed.write("b", 2);
    followed.check("a backup, and the file anew");
    fs::remove_file(followed.at("b~")).unwrap();
    followed.check("a file removed");
}

#[test]
fn folders_are_followed_as_they_move_come_and_go() {
    let followed = Followed::new();
    for number in 0..4 {
        followed.write(&format!("one/deep/{number}"), number);
    }
    followed.check("a folder in a folder");
    fs::rename(followed.at("one"), followed.at("two")).unwrap();
    followed.check("a folder renamed");
    followed.write("two/deep/0", 7);
    followed.check("a file changed in a renamed folder");
    fs::rename(followed.at("two/deep"), followed.outside("away")).unwrap();
    followed.check("a folder moved out");
    fs::rename(followed.outside("away"), followed.at("back")).unwrap();
    followed.check("a folder moved in");
    fs::remove_dir_all(followed.at("back")).unwrap();
    followed.check("a folder removed");
    followed.write("back/again", 3);
    followed.write("two/again", 3);
    followed.check("a folder made again");
    followed.write("back/again", 4);
    followed.check("a file changed in a folder made again");
}

#[test]
fn a_change_that_keeps_size_and_time_is_seen() {
    let mut followed = Followed::new();
    let long_ago = SystemTime::now() - Duration::from_secs(3600);
    let write = |followed: &Followed, seed: u8, time: SystemTime| {
        followed.write("a", seed);
        fs::File::options().write(true).open(followed.at("a")).unwrap().set_modified(time).unwrap();
    };
    followed.write("b", 3);
    let now = SystemTime::now();
    write(&followed, 1, now);
    followed.check("a file");
    write(&followed, 3, now);
    followed.check("changed within the same tick");
    write(&followed, 1, long_ago);
    followed.check("the clock went back");
    write(&followed, 3, long_ago);
    followed.check("another content with the same old time");
    followed.close();
    let soon = SystemTime::now() + Duration::from_secs(3600);
    write(&followed, 1, soon);
    followed.open();
    followed.check("a time that is not yet");
    followed.close();
    write(&followed, 3, soon);
    followed.open();
    followed.check("another content with the same time to come, while nobody looked");
    followed.close();
    let walked = Some(i64::try_from(soon.duration_since(UNIX_EPOCH).unwrap().as_nanos()).unwrap());
    IndexWriter::open(&Folder::new(followed.outside("index")))
        .unwrap()
        .commit(Commit { walked, ..Commit::default() })
        .unwrap();
    write(&followed, 1, soon);
    followed.open();
    followed.check("another content with the same time, after a walk by a clock that was set back since");
}

#[test]
fn what_cannot_be_reached_for_a_while_keeps_its_documents() {
    let mut followed = Followed::new();
    followed.write("a", 1);
    followed.write("b", 1);
    followed.check("two files");
    followed.close();
    let documents = |followed: &Followed| followed.snapshot().totals().documents;
    fs::rename(followed.at(""), followed.outside("elsewhere")).unwrap();
    assert!(Corpus::resolve(&[followed.at("")]).is_err());
    assert_eq!(documents(&followed), 2);
    fs::rename(followed.outside("elsewhere"), followed.at("")).unwrap();
    followed.open();
    fs::rename(followed.at(""), followed.outside("elsewhere")).unwrap();
    followed.wait(
        "a sentence that the folder is gone",
        |progress| matches!(&progress.phase, Phase::Failed(sentence) if sentence.contains("cannot reach")),
    );
    assert_eq!(documents(&followed), 2);
    fs::rename(followed.outside("elsewhere"), followed.at("")).unwrap();
    followed.write("c", 1);
    followed.check("the folder is back, with a new file");
}
