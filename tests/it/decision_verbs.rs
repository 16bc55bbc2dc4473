//! Decisions from a script: taken, listed, explained, undone and taken again, whoever took them.

use crate::support::Home;
use serde_json::Value;

const NOTICE: &str = "Anyone may copy this notice, read it aloud in taverns, sing it beside a river and bury it under \
    an oak, provided that nobody sells honey by its light or blames its author for the weather.";
const VERSE: &str = "Nine grey herons stood along the mole and watched the ferry leave without them, and not one of \
    them moved before the evening tide had covered all of the sand.";

/// Two texts in two documents each.
fn corpus() -> Home {
    let home = Home::new();
    for (name, text) in [("a", NOTICE), ("b", NOTICE), ("c", VERSE), ("d", VERSE)] {
        home.write(&format!("{name}.txt"), format!("{name}1 {name}2 {name}3. {text}"));
    }
    home.stdout(&["index"]);
    home
}

/// How many passages are left.
fn passages(home: &Home) -> usize {
    home.rows(&["passages", "--no-update"]).len()
}

#[test]
fn taboo_decisions_are_undone_and_done_again_step_by_step() {
    let home = corpus();
    for nothing in ["undo", "redo", "log"] {
        assert_eq!(home.code(&["taboo", nothing]), Some(1), "{nothing}");
    }
    home.stdout(&["taboo", "add", NOTICE]);
    home.stdout(&["taboo", "add", VERSE]);
    assert_eq!(passages(&home), 0);
    let undone = home.stdout(&["taboo", "undo"]);
    assert!(undone.starts_with("undone: taboo \"Nine grey herons"), "{undone}");
    assert_eq!(passages(&home), 1);
    home.stdout(&["taboo", "undo"]);
    assert_eq!((home.code(&["taboo", "undo"]), passages(&home)), (Some(1), 2));
    let again = home.stdout(&["taboo", "redo"]);
    assert!(again.starts_with("redone: taboo \"Anyone may copy"), "{again}");
    assert_eq!(passages(&home), 1);
    // After another decision there is nothing more to do again.
    home.stdout(&["taboo", "remove", "1"]);
    assert_eq!((home.code(&["taboo", "redo"]), passages(&home)), (Some(1), 2));
    assert!(home.stdout(&["taboo", "undo"]).starts_with("undone: no longer taboo \"Anyone"));
    assert_eq!(passages(&home), 1);
}

#[test]
fn the_log_has_every_step_the_oldest_first_and_says_which_are_undone() {
    let home = corpus();
    home.stdout(&["taboo", "add", NOTICE]);
    home.stdout(&["taboo", "reason", "1", "a proverb"]);
    home.stdout(&["accept", "add", "Nine grey"]);
    home.stdout(&["taboo", "undo"]);
    let log = home.stdout(&["taboo", "log"]);
    // The day and the time of day come first.
    let said: Vec<&str> = log.lines().map(|line| line.splitn(3, ' ').nth(2).unwrap()).collect();
    for (line, start) in
        said.iter().zip(["taboo \"Anyone", "changed taboo \"Anyone", "undone: accepted \"Nine"])
    {
        assert!(line.starts_with(start), "{log}");
    }
    assert_eq!(said.len(), 3);
    let steps = home.rows(&["taboo", "log"]);
    let undone: Vec<bool> = steps.iter().map(|step| step["undone"].as_bool().unwrap_or(false)).collect();
    assert_eq!(undone, [false, false, true], "{steps:?}");
}

#[test]
fn the_reason_of_an_entry_is_written_changed_and_taken_away() {
    let home = corpus();
    home.stdout(&["taboo", "add", NOTICE]);
    let reason = || home.rows(&["taboo", "list"])[0].get("reason").cloned().unwrap_or(Value::Null);
    assert_eq!(reason(), Value::Null);
    for (entry, words) in [("1", "a licence"), (NOTICE, "our own licence")] {
        home.stdout(&["taboo", "reason", entry, words]);
        assert_eq!(reason(), words);
    }
    assert!(home.stdout(&["taboo", "list"]).contains("(our own licence)"));
    home.stdout(&["taboo", "reason", "1", " "]);
    assert_eq!(reason(), Value::Null);
    home.stdout(&["taboo", "undo"]);
    assert_eq!(reason(), "our own licence");
    for missing in ["0", "2", "no such text"] {
        assert_eq!(home.code(&["taboo", "reason", missing, "why"]), Some(1), "{missing}");
    }
}

#[test]
fn what_was_reviewed_is_accepted_by_its_text_its_id_or_its_blot_and_opened_again() {
    let home = corpus();
    assert_eq!(home.code(&["accept", "list"]), Some(1));
    assert_eq!(home.code(&["accept", "add", ""]), Some(2));
    let said = home.stdout(&["accept", "add", "Anyone  may\ncopy", "--reason", "it is wanted"]);
    assert!(
        said.starts_with("accepted passage:") && said.contains(" with 2 copies: Anyone may copy"),
        "{said}"
    );
    let verse =
        home.rows(&["passages"]).into_iter().find(|row| row["text"].as_str().unwrap().contains("herons"));
    let id = verse.unwrap()["id"].as_str().unwrap().to_owned();
    home.stdout(&["accept", "add", &id]);
    let blot = home.stdout(&["extract", "-b"]).lines().next().unwrap().to_owned();
    home.stdout(&["accept", "add", &format!("blot:{blot}")]);
    let listed = home.rows(&["accept", "list"]);
    assert_eq!(listed.len(), 3, "{listed:?}");
    assert_eq!((&listed[0]["number"], &listed[0]["copies"]), (&Value::from(1), &Value::from(2)));
    assert_eq!((&listed[0]["reason"], &listed[1]["reason"]), (&Value::from("it is wanted"), &Value::Null));
    assert_eq!(listed[1]["of"], format!("passage:{id}"));
    assert_eq!(listed[2]["of"], format!("blot:{blot}"));
    assert!(home.stdout(&["accept", "list"]).contains("(it is wanted)"));
    assert_eq!(home.code(&["accept", "remove", " "]), Some(2));
    let open = |state: &str| home.rows(&["passages", "--filter", state]).len();
    assert_eq!((open("state:accepted"), open("state:open")), (2, 0));
    // Once more is the same entry.
    home.stdout(&["accept", "add", &id]);
    assert_eq!(home.rows(&["accept", "list"]).len(), 3);
    for named in [&format!("blot:{blot}"), "Nine grey", "1"] {
        assert!(home.stdout(&["accept", "remove", named]).starts_with("open again: "), "{named}");
    }
    assert_eq!((open("state:accepted"), open("state:open")), (0, 2));
    assert_eq!(home.code(&["accept", "remove", "1"]), Some(1));
    assert_eq!(home.code(&["accept", "add", "no text begins like this"]), Some(1));
}

#[test]
fn clusters_are_accepted_by_the_ids_that_near_prints() {
    let home = Home::new();
    let text = |name: &str| (0..60).map(|number| format!("{name}{number} ")).collect::<String>();
    for folder in ["one", "two"] {
        ["x", "y"].iter().for_each(|file| home.write(&format!("{folder}/{file}.txt"), text(file)));
    }
    home.write("a.txt", text("near"));
    home.write("b.txt", text("near") + "with a longer end");
    let id = |method: &str, unit: &str| {
        let all = home.rows(&["near", "--method", method]);
        let row = all.iter().find(|row| row["unit"] == unit && row["id"].is_string());
        row.unwrap()["id"].as_str().unwrap().to_owned()
    };
    let trees = id("identical", "folders");
    let near = home.rows(&["near", "--path", "b.txt"])[0]["id"].as_str().unwrap().to_owned();
    let said = home.stdout(&["accept", "add", &format!("cluster:{near}")]);
    assert_eq!(said, format!("accepted cluster:{near} with 2 copies: b.txt\n"));
    let said = home.stdout(&["accept", "add", &trees, "--reason", "a release"]);
    assert_eq!(said, format!("accepted cluster:{trees} with 2 copies: one\n"));
    let listed = home.rows(&["accept", "list"]);
    assert_eq!(
        (&listed[1]["of"], &listed[1]["reason"]),
        (&Value::from(format!("cluster:{trees}")), &Value::from("a release"))
    );
    assert_eq!(home.code(&["accept", "add", "cluster:0123456789abcdef"]), Some(1));
    assert_eq!(home.code(&["accept", "add", &format!("passage:{near}")]), Some(1));
    assert_eq!(home.code(&["kind", "set", &format!("cluster:{near}"), "prose"]), Some(2));
    for id in [near, format!("cluster:{trees}")] {
        assert!(home.stdout(&["accept", "remove", &id]).starts_with("open again: cluster:"), "{id}");
    }
    assert_eq!(home.code(&["accept", "list"]), Some(1));
}

#[test]
fn what_was_accepted_is_open_again_when_it_gains_a_copy() {
    let home = corpus();
    home.stdout(&["accept", "add", "Nine grey"]);
    let accepted = || home.rows(&["passages", "--filter", "state:accepted"]).len();
    assert_eq!(accepted(), 1);
    home.write("e.txt", format!("One more of them. {VERSE}"));
    assert_eq!(accepted(), 0);
}
