//! An index that was joined from segments is opened, watched and changed by the screen.

use std::fs;

use crate::support::Home;

#[test]
fn an_index_of_segments_is_opened_watched_and_changed() {
    let ferry = "Nobody who crosses the river by the old ferry has ever asked the keeper why the bell is rung twice at dusk, \
                 and he has never told anybody of his own accord, not even his sons.";
    let harbour = "On the third day the wind turned north and the harbour froze, so that the boats stood on the ice like \
                   furniture in a room that has not been lived in for a very long time.";
    let home = Home::new();
    let write = |name: &str, text: &str| {
        home.write(name, format!("This is {name}.\n{text}\nIt ends here: {name}.\n"));
    };
    write("a.txt", ferry);
    write("b.txt", ferry);
    write("c.txt", harbour);
    home.stdout(&["segment", "plan", "--tasks", "3", "--out", "../plan"]);
    for task in ["0", "1", "2"] {
        home.stdout(&["segment", "build", "--plan", "../plan", "--task", task, "--out", "../segments"]);
    }
    home.stdout(&["segment", "adopt", "../segments", "--plan", "../plan"]);
    let mut screen = home.open((120, 30), &[], &[]);
    screen.wait_for("what the segments have", |shown| {
        shown.contains("3 documents · watching")
            && shown.contains("Nobody who")
            && shown.contains("row 1 of 1")
    });
    write("d.txt", harbour);
    screen.wait_for("a row of a segment and a new file", |shown| {
        shown.contains("4 documents") && shown.contains("On the third day") && shown.contains("row 1 of 2")
    });
    fs::remove_file(home.at("a.txt")).unwrap();
    screen.wait_for("one row less", |shown| shown.contains("3 documents") && shown.contains("row 1 of 1"));
    write("b.txt", harbour);
    screen.wait_for("one more copy", |shown| shown.contains("copy 1 of 3"));
    screen.send("q");
    assert_eq!(screen.wait_for_end(), 0);
    let as_it_is = home.stdout(&["passages", "--no-update", "--members"]);
    home.stdout(&["index", "--rebuild"]);
    assert_eq!(as_it_is, home.stdout(&["passages", "--no-update", "--members"]));
}
