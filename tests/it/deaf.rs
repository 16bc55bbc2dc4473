//! Whatever a terminal sends, and however little of it arrives at a time, the screen goes on listening.

use std::time::{Duration, Instant};

use crate::support::{Home, Screen};

/// A mouse report, an answer that nobody asked for, Alt-[, and a paste; and how long the rest is waited for.
const UNFINISHED: [(&[u8], u64); 4] =
    [(b"\x1b[<0;1", 200), (b"\x1b[?", 200), (b"\x1b[", 200), (b"\x1b[200~half of it", 400)];

fn open(home: &Home) -> Screen {
    let text = "this text stands in all of the letters, word for word, and that is twelve or more of them; \
                whoever finds it is asked to send it back unread to the office of the harbour";
    for name in ["ann", "bob"] {
        home.write(&format!("{name}.txt"), format!("it is {name}\n\n{text}\n"));
    }
    let mut screen = home.open((100, 30), &[], &[]);
    screen.wait_for("the copies", |text| text.contains("watching") && text.contains("copy 1 of"));
    screen
}

/// Sends what is never finished, and lets the time pass that it may take.
fn send_unfinished(screen: &mut Screen, (bytes, wait): (&[u8], u64)) {
    screen.send_bytes(bytes);
    screen.wait_until_read();
    screen.take_until(Instant::now() + Duration::from_millis(wait));
}

#[test]
fn what_is_never_finished_is_in_the_way_of_no_key() {
    let home = Home::new();
    let mut screen = open(&home);
    for unfinished in UNFINISHED {
        send_unfinished(&mut screen, unfinished);
        // On a busy machine what was sent may come so late that the key still belongs to it.
        screen.send_until("5", "Nothing is taboo");
        send_unfinished(&mut screen, unfinished);
        screen.send_until("1", "copy 1 of");
    }
    // Ctrl-C is waited for by nothing.
    screen.send_bytes(b"\x1b[<0;1\x03");
    assert_eq!(screen.wait_for_end(), 0);
}

#[test]
fn keys_mouse_and_pastes_are_understood() {
    let home = Home::new();
    let mut screen = open(&home);
    screen.press("F1");
    screen.wait_for_text("passages: whole stretches");
    screen.press("q /");
    screen.paste("größ");
    screen.send("e €");
    screen.wait_for_text("größe €");
    screen.press("Left");
    screen.press("Alt-Backspace");
    screen.wait_for_no("größe");
    screen.press("Esc Esc");
    screen.wait_for_text("copy 1 of");
    screen.press("Alt-[");
    let (column, line) = screen.find("bob.txt").unwrap();
    screen.click((column, line));
    screen.wait_for_text("copy 2 of");
    screen.press("q");
    assert_eq!(screen.wait_for_end(), 0);
}
