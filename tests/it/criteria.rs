//! What counts as a passage is changed on the screen: it is told what would be found, and then shown.

use crate::shown::{Shown, words};
use crate::support::Home;
use dupi::config::PassageCriteria;
use dupi::session::{Request, TrialState, Update};

/// What is found with some criteria.
fn tried(shown: &Shown, criteria: PassageCriteria) -> TrialState {
    shown.ask(Request::TryCriteria(Some(criteria)));
    shown.wait("the number of passages", |update| match update {
        // Others may come of what was asked before.
        Update::Tried(of, state) if of == criteria && !matches!(state, TrialState::At(_)) => Some(state),
        _ => None,
    })
}

fn at_least(tokens: u32) -> PassageCriteria {
    PassageCriteria { min_tokens: Some(tokens), ..PassageCriteria::default() }
}

#[test]
fn what_is_tried_is_counted_and_what_is_applied_is_shown() {
    let (long, short) = (words("otter", 40), words("vole", 15));
    let mut shown = Shown::new(&[
        ("a", format!("one {long}")),
        ("b", format!("two {long}")),
        ("c", format!("one {short}")),
        ("d", format!("two {short} six {short}")),
    ]);
    shown.rows(&[2]);
    assert_eq!(tried(&shown, at_least(12)), TrialState::Found { passages: 2, families: 2 });
    assert_eq!(tried(&shown, at_least(41)), TrialState::Found { passages: 0, families: 0 });
    // It is only shown when it is applied.
    shown.ask(Request::TryCriteria(None));
    shown.write("e", &format!("six {long}"));
    shown.rows(&[3]);
    shown.ask(Request::Criteria(at_least(12)));
    shown.rows(&[3, 3]);
    // What was tried last is shown without another search.
    let across = PassageCriteria { gap: Some(0), across: Some(true), ..at_least(14) };
    assert_eq!(tried(&shown, across), TrialState::Found { passages: 2, families: 2 });
    shown.ask(Request::Criteria(across));
    shown.rows(&[3, 3]);
    // Changes are followed with the same criteria.
    shown.write("f", &format!("ten {short}"));
    shown.rows(&[4, 3]);
    shown.ask(Request::Criteria(PassageCriteria::default()));
    shown.rows(&[3]);
    shown.open();
    shown.rows(&[3]);
}

#[test]
fn criteria_are_given_as_options_and_those_of_the_form_are_remembered() {
    let home = Home::new();
    for (name, first) in [("a.txt", "one"), ("b.txt", "two")] {
        home.write(name, format!("{first} {}", words("vole", 15)));
    }
    let text = "vole0 vole1";
    let mut screen = home.open((120, 30), &["--min-tokens", "12"], &[]);
    screen.wait_for("the passage", |shown| shown.contains(text) && shown.contains("row 1 of 1"));
    screen.send("q");
    assert_eq!(screen.wait_for_end(), 0);
    // An option is not remembered.
    let mut screen = home.open((120, 30), &[], &[]);
    screen.wait_for_text("Nothing long is written");
    screen.send("W");
    screen.wait_for_text("This is how it is now.");
    screen.send("--");
    screen.wait_for_text("With these: 1 passage in 1 family.");
    screen.send("\r");
    screen.wait_for("the passage", |shown| shown.contains(text) && shown.contains("row 1 of 1"));
    screen.send("q");
    assert_eq!(screen.wait_for_end(), 0);
    let mut screen = home.open((120, 30), &[], &[]);
    screen.wait_for("the passage", |shown| shown.contains(text) && shown.contains("row 1 of 1"));
    screen.send("q");
    assert_eq!(screen.wait_for_end(), 0);
}
