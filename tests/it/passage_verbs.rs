//! `passages`, `like` and the taboo list, as a script calls them on texts that were copied and edited.

use crate::support::Home;
use serde_json::{Value, json};

const NOTICE: &str = "Anyone who holds this little notice may copy it, carry it over mountains, read it aloud in \
    taverns, translate it into forgotten tongues, sing it beside a river, bury it under an oak and dig it up \
    again in spring, provided that nobody sells honey by its light or blames its author for the weather.";

/// The notice with some words put for others.
fn edited(words: &[(&str, &str)]) -> String {
    words.iter().fold(NOTICE.to_owned(), |text, (old, new)| {
        assert!(text.contains(old));
        text.replacen(old, new, 1)
    })
}

/// Two copies of the notice with two words changed, and a text of its own.
fn corpus() -> Home {
    let home = Home::new();
    home.write("old/a.txt", format!("Printed in the year of the goat. {NOTICE} Here ends the page."));
    let copy = edited(&[("taverns", "markets"), ("oak", "old elm")]);
    home.write("new/b.txt", format!("Something altogether different comes first:\n\n{copy}\nAnd then more."));
    home.write("c.txt", "A text that stands alone, whatever its words may be, and that nobody ever copied.");
    home
}

#[test]
fn edited_copies_are_one_passage_and_exact_ones_its_pieces() {
    let home = corpus();
    let near = home.rows(&["passages"]);
    assert_eq!(near.len(), 1, "{near:?}");
    assert_eq!((&near[0]["copies"], &near[0]["documents"]), (&Value::from(2), &Value::from(2)));
    let alike =
        near[0]["occurrences"].as_array().unwrap().iter().map(|copy| copy["similarity"].as_f64().unwrap());
    let alike: Vec<f64> = alike.collect();
    assert!(alike.contains(&1.0) && alike.iter().any(|&alike| (0.9..1.0).contains(&alike)), "{alike:?}");
    let exact = home.rows(&["passages", "--members", "--gap", "0", "--min-tokens", "12"]);
    assert!(exact.len() > 1 && exact.iter().all(|row| row["similarity"] == 1.0), "{exact:?}");
    assert_eq!(home.rows(&["passages", "--members", "--max-gap", "0", "--min-length", "12"]), exact);
}

#[test]
fn the_edits_of_a_copy_are_shown() {
    let home = corpus();
    let found = &home.rows(&["passages", "--edits"])[0];
    let edited =
        found["occurrences"].as_array().unwrap().iter().find(|copy| copy["similarity"] != 1.0).unwrap();
    let path = edited["path"].as_str().unwrap();
    let text = std::fs::read_to_string(home.at(path)).unwrap();
    let edits: Vec<(&str, &str)> = edited["edits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| {
            let (start, end) = (edit["start"].as_u64().unwrap(), edit["end"].as_u64().unwrap());
            assert_eq!(text[start as usize..end as usize], *edit["text"].as_str().unwrap());
            (edit["text"].as_str().unwrap(), edit["instead_of"].as_str().unwrap())
        })
        .collect();
    // Which of the two is compared with the other, the text does not tell.
    let there = [("taverns", "markets"), ("oak", "old elm")];
    let back = there.map(|(old, new)| (new, old));
    assert!(edits == there || edits == back, "{edits:?}");
    let shown = home.stdout(&["passages", "--edits"]);
    assert!(shown.contains("[-taverns-]{+markets+}") || shown.contains("[-markets-]{+taverns+}"), "{shown}");
}

#[test]
fn the_overlap_that_is_demanded_decides_what_is_a_copy() {
    let home = Home::new();
    home.write("whole.txt", NOTICE);
    // Every third sentence part is another one in the longer copy.
    let longer = edited(&[
        ("carry it over mountains", "carry it over seven wide mountains in winter"),
        ("sing it beside a river", "sing it, when the moon is high, beside a river"),
        ("bury it under an oak", "bury it without any witness under an oak"),
    ]);
    home.write("longer.txt", longer);
    let copies = |arguments: &[&str]| {
        let found = home.rows(&[&["passages"], arguments].concat());
        found.iter().filter(|row| row["tokens"].as_u64().unwrap() > 45).count()
    };
    assert_eq!(copies(&["--min-overlap", "0.6"]), 1);
    assert_eq!(copies(&["--min-overlap", "0.95"]), 0, "only equal pieces are left");
    // All of the shorter one stands in the longer.
    assert_eq!(copies(&["--min-overlap", "0.95", "--one-sided"]), 1);
    let refused = home.run(&["passages", "--min-overlap", "2"]);
    assert!(refused.stderr.contains("write a number from 0 to 1"));
}

#[test]
fn a_badly_read_page_is_found_with_the_profile_for_it() {
    let home = Home::new();
    home.write("clean.txt", format!("Page one. {NOTICE} The end of it."));
    // Of each three words the second is misread.
    let misread = NOTICE.split(' ').enumerate().map(|(number, word)| match number % 3 {
        1 if number % 4 != 1 => format!("{word}q"),
        _ => word.to_owned(),
    });
    home.write(
        "scan.txt",
        format!("Another beginning. {} And another end.", misread.collect::<Vec<_>>().join(" ")),
    );
    home.stdout(&["index", "--profile", "ocr"]);
    let found = home.rows(&["passages"]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0]["similarity"].as_f64().unwrap() < 0.9);
    assert_eq!(home.rows(&["passages", "--min-overlap", "0.95"]), Vec::<Value>::new());
}

#[test]
fn paths_choose_and_context_is_shown() {
    let home = corpus();
    let count = |pattern: &str| home.rows(&["passages", "--path", pattern]).len();
    assert_eq!([count("old/**"), count("*.txt"), count("c.txt"), count("elsewhere/")], [1, 1, 0, 0]);
    let found = &home.rows(&["passages", "--context", "2"])[0];
    let copy = |path: &str| {
        let copies = found["occurrences"].as_array().unwrap();
        copies.iter().find(|copy| copy["path"] == path).unwrap().clone()
    };
    assert_eq!(
        (&copy("old/a.txt")["before"], &copy("old/a.txt")["after"]),
        (&"the goat. ".into(), &". Here ends".into())
    );
    assert_eq!(copy("new/b.txt")["before"], "comes first:\n\n");
    let shown = home.stdout(&["passages", "--context", "2"]);
    assert!(shown.contains("… comes first:") && shown.contains("%)"), "{shown}");
    assert!(found["occurrences"][0].get("before").is_some());
    assert!(home.rows(&["passages"])[0]["occurrences"][0].get("before").is_none());
}

#[test]
fn like_finds_edited_copies_and_adds_nothing_to_the_index() {
    let home = corpus();
    home.stdout(&["index"]);
    let probe = edited(&[("forgotten tongues", "seven languages"), ("spring", "autumn")]);
    let given = home.run_with(&["like", "-", "--json"], format!("A letter. {probe} Farewell!").as_bytes());
    let found = given.stdout;
    let found: Vec<Value> = found.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let paths: Vec<&str> = found.iter().map(|row| row["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["old/a.txt", "new/b.txt"]);
    for row in &found {
        let spans = row["spans"].as_array().unwrap();
        assert_eq!(spans.len(), 1, "one run across the differences: {spans:?}");
        assert!((0.8..1.0).contains(&spans[0]["similarity"].as_f64().unwrap()));
        assert_eq!(spans[0]["start"], 10);
    }
    assert_eq!(home.rows(&["inspect"])[0]["documents"], 3);
    let first = &home.run_with(&["like", "-", "--json", "--gap", "0"], probe).rows()[0];
    assert!(first["spans"].as_array().unwrap().len() > 1, "exact runs end at differences: {first}");
}

#[test]
fn a_document_made_taboo_hides_its_text_now_and_in_files_to_come() {
    let home = corpus();
    home.write("NOTICE", NOTICE);
    assert_eq!(home.rows(&["passages"]).len(), 1);
    // The name of a file means its text.
    home.stdout(&["taboo", "add", "NOTICE"]);
    assert_eq!(home.rows(&["passages"]), Vec::<Value>::new());
    assert_eq!(home.rows(&["passages", "--taboo"]).len(), 1);
    for (name, year) in [("later/d.txt", 1811), ("later/e.txt", 1812)] {
        home.write(name, format!("Printed for the second time in {year}, by the widow. {NOTICE}"));
    }
    assert_eq!(home.rows(&["passages"]), Vec::<Value>::new(), "a new line on top does not bring it back");
    let own = "but this sentence is new and long enough to be a passage of its own right, for it goes on and on \
        through twenty, thirty and more words before anyone can think of ending it in peace";
    for name in ["later/d.txt", "later/e.txt"] {
        home.write(name, format!("{NOTICE} {own}"));
    }
    let left = home.rows(&["passages"]);
    assert_eq!(left.len(), 1);
    assert_eq!(left[0]["copies"], 2);
}

const LOOP: &str = "for (boat = first; boat; boat = boat->next) {
\t\tif (boat->length > harbour->tide && boat->weight < crane->lift)
\t\t\tlist_add_tail(&boat->list, &harbour->boats);
\t\tnotify_watch(harbour, boat, crane);
\t\tlast = boat->owner;
\t}";

/// Two files of source code, with a loop that begins inside a line of the second one.
fn harbour() -> Home {
    let home = Home::new();
    home.write("a.c", format!("int dock(struct boat *boat)\n{{\n\t{LOOP}\n\treturn one;\n}}\n"));
    home.write("b.c", format!("void moor(void)\n{{\n\tif (two) {LOOP} while (three);\n}}\n"));
    home.write("notes/c.txt", format!("# On boats\n\nThree words here: {NOTICE}\n"));
    home.write("notes/d.txt", format!("{NOTICE}\n"));
    home
}

#[test]
fn lines_of_a_copy_are_whole_or_it_begins_or_ends_inside_them() {
    let home = harbour();
    let found = home.rows(&["passages"]);
    let of = |path: &str| {
        let mut copies = found.iter().flat_map(|row| row["occurrences"].as_array().unwrap());
        copies.find(|copy| copy["path"] == path).unwrap().clone()
    };
    let lines = |first: u32, last: u32, begins_inside: bool, ends_inside: bool| json!({"first": first, "last": last, "begins_inside": begins_inside, "ends_inside": ends_inside});
    assert_eq!(of("a.c")["lines"], lines(3, 8, false, false));
    assert_eq!(of("b.c")["lines"], lines(3, 8, true, true));
    assert_eq!(of("notes/c.txt")["lines"], lines(3, 3, true, false));
    assert_eq!(of("notes/d.txt")["lines"], lines(1, 1, false, false));
    let within = ["a.c", "b.c", "notes/c.txt", "notes/d.txt"].map(|path| of(path)["within"].clone());
    assert_eq!(
        within,
        [json!("int dock(struct boat *boat)"), json!("void moor(void)"), json!("On boats"), json!(null)]
    );
    for path in ["a.c", "b.c"] {
        let text = std::fs::read_to_string(home.at(path)).unwrap();
        let at = |field: &str| of(path)[field].as_u64().unwrap() as usize;
        assert!(text[at("start")..at("end")].starts_with("for (boat"), "the tokens stay exact");
    }
    let shown = home.stdout(&["passages"]);
    for place in
        ["\ta.c:3-8 in int dock(struct boat *boat)\n", "\tb.c:3:11-8:", "\tnotes/c.txt:3:19 in On boats\n"]
    {
        assert!(shown.contains(place), "{place}: {shown}");
    }
}

#[test]
fn people_see_some_copies_of_a_passage_and_how_many_more_there_are() {
    let home = Home::new();
    for number in 0..9 {
        home.write(&format!("{number}.txt"), NOTICE);
    }
    let count = |arguments: &[&str]| {
        let shown = home.stdout(&[&["passages"], arguments].concat());
        (shown.matches(".txt:1:1").count(), shown.contains("\tand 2 more; --copies all lists them\n"))
    };
    assert_eq!([count(&[]), count(&["--copies", "all"])], [(9, false), (9, false)]);
    assert_eq!(count(&["--copies", "7"]), (7, true));
    let listed = |arguments: &[&str]| {
        let found = &home.rows(&[&["passages"], arguments].concat())[0];
        (found["occurrences"].as_array().unwrap().len(), found["copies"].as_u64().unwrap())
    };
    assert_eq!([listed(&[]), listed(&["--copies", "2"])], [(9, 9), (2, 9)]);
    let mut screen = home.open((160, 24), &["passages"], &[]);
    screen.wait_for_text("and 4 more; --copies all lists them");
    assert_eq!(screen.text().matches(".txt:1:1").count(), 5, "{}", screen.text());
}
