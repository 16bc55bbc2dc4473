//! What a user does, step by step, as a table: what is pressed or typed, and what the screen then shows.

use super::Screen;

/// How long a picture of a text that is being typed stays, in milliseconds.
const TYPED: u16 = 110;

/// One step.
pub struct Act {
    /// What is done.
    pub does: Do,
    /// What the screen then shows; behind a `!`, what it shows no more.
    pub shows: &'static [&'static str],
    /// How long a picture of it stays, in milliseconds.
    pub stays: u16,
}

/// What is done.
#[derive(Clone, Copy)]
pub enum Do {
    /// Nothing but waiting.
    Look,
    /// Keys by name, with blanks between them.
    Press(&'static str),
    /// Text into a line that shows it.
    Type(&'static str),
}

/// Shorter in tables.
pub const fn act(does: Do, shows: &'static [&'static str], stays: u16) -> Act {
    Act { does, shows, stays }
}

/// Does it all. After each step, and each typed character, `seen` is called with how long a picture stays.
pub fn play(screen: &mut Screen, acts: &[Act], mut seen: impl FnMut(&mut Screen, u16)) {
    for act in acts {
        match act.does {
            Do::Look => {}
            Do::Press(keys) => screen.press(keys),
            Do::Type(text) => {
                for (at, character) in text.char_indices() {
                    let typed = &text[..at + character.len_utf8()];
                    screen.send(&character.to_string());
                    screen.wait_for_text(typed);
                    if typed != text {
                        seen(screen, TYPED);
                    }
                }
            }
        }
        for shown in act.shows {
            match shown.strip_prefix('!') {
                Some(gone) => screen.wait_for_no(gone),
                None => screen.wait_for_text(shown),
            }
        }
        if act.stays > 0 {
            seen(screen, act.stays);
        }
    }
}
