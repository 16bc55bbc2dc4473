use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use proptest::prelude::*;

use super::*;

fn pressed(code: KeyCode, modifiers: KeyModifiers) -> TerminalInput {
    TerminalInput::Input(Input::Key(KeyEvent::new(code, modifiers)))
}

fn plain(code: KeyCode) -> TerminalInput {
    pressed(code, KeyModifiers::NONE)
}

fn letter(letter: char) -> TerminalInput {
    plain(KeyCode::Char(letter))
}

fn alt(letter: char) -> TerminalInput {
    pressed(KeyCode::Char(letter), KeyModifiers::ALT)
}

fn ctrl(letter: char) -> TerminalInput {
    pressed(KeyCode::Char(letter), KeyModifiers::CONTROL)
}

fn pasted(text: &str) -> TerminalInput {
    TerminalInput::Input(Input::Paste(text.to_owned()))
}

fn mouse(kind: MouseEventKind, column: u16, row: u16) -> TerminalInput {
    TerminalInput::Input(Input::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }))
}

/// What is sent for what.
fn known() -> Vec<(&'static [u8], TerminalInput)> {
    let left = MouseButton::Left;
    let (shift, control) = (KeyModifiers::SHIFT, KeyModifiers::CONTROL);
    vec![
        (b"q", letter('q')),
        (b"G", pressed(KeyCode::Char('G'), shift)),
        ("é".as_bytes(), letter('é')),
        ("€".as_bytes(), letter('€')),
        ("𝄞".as_bytes(), letter('𝄞')),
        (b"\r", plain(KeyCode::Enter)),
        (b"\t", plain(KeyCode::Tab)),
        (b"\x7f", plain(KeyCode::Backspace)),
        (b"\x03", ctrl('c')),
        (b"\n", ctrl('j')),
        (b"\0", ctrl(' ')),
        (b"\x1f", ctrl('7')),
        (b"\x1bx", alt('x')),
        ("\u{1b}ß".as_bytes(), alt('ß')),
        (b"\x1b\x7f", pressed(KeyCode::Backspace, KeyModifiers::ALT)),
        (b"\x1b[A", plain(KeyCode::Up)),
        (b"\x1bOA", plain(KeyCode::Up)),
        (b"\x1b[H", plain(KeyCode::Home)),
        (b"\x1b[Z", pressed(KeyCode::BackTab, shift)),
        (b"\x1b[1;5C", pressed(KeyCode::Right, control)),
        (b"\x1b[1;2:1R", pressed(KeyCode::F(3), shift)),
        (b"\x1bOP", plain(KeyCode::F(1))),
        (b"\x1b[[A", plain(KeyCode::F(1))),
        (b"\x1b[11~", plain(KeyCode::F(1))),
        (b"\x1b[24~", plain(KeyCode::F(12))),
        (b"\x1b[3;5~", pressed(KeyCode::Delete, control)),
        (b"\x1b[6~", plain(KeyCode::PageDown)),
        (b"\x1b[27u", plain(KeyCode::Esc)),
        (b"\x1b[97;5u", ctrl('a')),
        (b"\x1b[<0;10;20M", mouse(MouseEventKind::Down(left), 9, 19)),
        (b"\x1b[<0;10;20m", mouse(MouseEventKind::Up(left), 9, 19)),
        (b"\x1b[<32;1;1M", mouse(MouseEventKind::Drag(left), 0, 0)),
        (b"\x1b[<64;1;2M", mouse(MouseEventKind::ScrollUp, 0, 1)),
        (b"\x1b[32;30;40M", mouse(MouseEventKind::Down(left), 29, 39)),
        (b"\x1b[M `\xff", mouse(MouseEventKind::Down(left), 63, 222)),
        (b"\x1b[I", TerminalInput::Input(Input::FocusGained)),
        ("\u{1b}[200~as\nit \u{1b}[20 é\u{1b}\u{1b}[201~".as_bytes(), pasted("as\nit \u{1b}[20 é\u{1b}")),
        (b"\x1b]11;rgb:0/0/0\x07", TerminalInput::Answer("11;rgb:0/0/0".to_owned())),
        (b"\x1b]11;#ffffff\x1b\\", TerminalInput::Answer("11;#ffffff".to_owned())),
    ]
}

#[test]
fn what_is_sent_is_heard_however_it_is_cut() {
    let now = Instant::now();
    for (bytes, heard) in known() {
        assert_eq!(
            Decoder::default().take(bytes, now),
            std::slice::from_ref(&heard),
            "{}",
            bytes.escape_ascii()
        );
        for cut in 1..bytes.len() {
            let mut decoder = Decoder::default();
            let mut all = decoder.take(&bytes[..cut], now);
            assert_eq!((&all[..], decoder.patience(now).is_some()), (&[][..], true));
            all.extend(decoder.take(&bytes[cut..], now + Duration::from_millis(20)));
            assert_eq!(all, std::slice::from_ref(&heard), "{} cut at {cut}", bytes.escape_ascii());
        }
        let mut decoder = Decoder::default();
        let mut all = Vec::new();
        for (byte, number) in bytes.iter().zip(0..) {
            all.extend(decoder.take(&[*byte], now + Duration::from_millis(20) * number));
        }
        assert_eq!(all, [heard], "{} byte by byte", bytes.escape_ascii());
    }
}

#[test]
fn what_is_never_finished_ends_in_time_and_is_a_key_or_nothing() {
    let now = Instant::now();
    for (bytes, expected) in [
        (&b"\x1b"[..], vec![plain(KeyCode::Esc)]),
        (b"\x1b\x1b", vec![plain(KeyCode::Esc), plain(KeyCode::Esc)]),
        (b"\x1b[", vec![alt('[')]),
        (b"\x1b]", vec![alt(']')]),
        (b"\x1bO", vec![pressed(KeyCode::Char('O'), KeyModifiers::ALT | KeyModifiers::SHIFT)]),
        (b"\x1b[<0;1", vec![]),
        (b"\x1b[?", vec![]),
        (b"\x1b[M !", vec![]),
        (b"\x1b[[", vec![]),
        (b"\x1b]11;rgb:", vec![]),
        (b"\x1b]11;rgb:\x1b", vec![]),
        (b"\xe2\x82", vec![]),
        (b"\x1b\xf0\x9d", vec![]),
        (b"\x1b[200~", vec![]),
        (b"\x1b[200~half\x1b[20", vec![pasted("half")]),
    ] {
        let mut decoder = Decoder::default();
        let mut all = decoder.take(bytes, now);
        let patience = decoder.patience(now).unwrap();
        assert!(patience <= Duration::from_millis(500), "{}", bytes.escape_ascii());
        let just_before = now + patience - Duration::from_millis(1);
        all.extend(decoder.expire(just_before));
        assert!(decoder.patience(just_before).is_some(), "{}", bytes.escape_ascii());
        all.extend(decoder.expire(now + patience));
        assert_eq!((all, decoder.patience(now)), (expected, None), "{}", bytes.escape_ascii());
        // The time counts even if the input was not polled meanwhile.
        let mut decoder = Decoder::default();
        decoder.take(bytes, now);
        let all = decoder.take(b"q", now + patience);
        assert_eq!(all.last(), Some(&letter('q')), "{}", bytes.escape_ascii());
    }
}

#[test]
fn ctrl_c_is_heard_at_once() {
    let now = Instant::now();
    for bytes in [&b"\x1b["[..], b"\x1b[<0;1", b"\x1b[?", b"\x1b[M ", b"\x1b[[", b"\x1b]1", b"\xe2", b"\x1bO"]
    {
        let mut decoder = Decoder::default();
        decoder.take(bytes, now);
        let heard = decoder.take(b"\x03", now);
        assert_eq!(heard.last(), Some(&ctrl('c')), "{}", bytes.escape_ascii());
        assert_eq!(decoder.patience(now), None);
    }
}

#[test]
fn what_nobody_knows_is_nothing_and_what_follows_is_heard() {
    let now = Instant::now();
    for bytes in [
        &b"\x1b[<0;0;0M"[..],
        b"\x1b[<0;1M",
        b"\x1b[<999;1;1M",
        b"\x1b[M\x20\x20\x20",
        b"\x1b[99999~",
        b"\x1b[1;1$y",
        b"\x1b[?62;4c",
        b"\x1b[201~",
        b"\x1b[57399u",
        b"\x1b[[Z",
        b"\x80\xff\xc0",
        &[&b"\x1b]1"[..], &[0xff; 256]].concat(),
        &[&b"\x1b["[..], &b"1;".repeat(200), b"~"].concat(),
    ] {
        let heard = Decoder::default().take(&[bytes, b"q"].concat(), now);
        assert_eq!(heard, [letter('q')], "{}", bytes.escape_ascii());
    }
    assert_eq!(Decoder::default().take(b"\x1b]q", now), [alt(']'), letter('q')]);
    assert_eq!(Decoder::default().take(b"\xe2q", now), [letter('q')]);
}

#[test]
fn a_paste_that_falls_silent_is_taken_and_goes_on_unless_a_key_comes() {
    let now = Instant::now();
    let later = now + PASTE;
    let torn = || {
        let mut decoder = Decoder::default();
        decoder.take(b"\x1b[200~some text", now);
        assert_eq!(decoder.expire(later), [pasted("some text")]);
        decoder
    };
    assert_eq!(torn().take(b"q", later), [letter('q')]);
    assert_eq!(torn().take(b"\x1b[B", later), [plain(KeyCode::Down)]);
    assert_eq!(torn().take("é".as_bytes(), later), [letter('é')]);
    assert_eq!(torn().take(b"\x03", later), [ctrl('c')]);
    assert_eq!(torn().take(b"\x03\x03", later), [ctrl('c'), ctrl('c')]);
    let up = || mouse(MouseEventKind::ScrollUp, 99, 29);
    assert_eq!(torn().take(b"\x1b[<64;100;30M\x1b[<64;100;30M", later), [up(), up()]);
    assert_eq!(torn().take(b"te\x1b[201~q", later), [pasted("te"), letter('q')]);
    assert_eq!(torn().take(b"\x1b[201~q", later), [letter('q')]);
    for more in ["to be taboo\n", "tu", "\ntu", "\r\ntu", "\ttu"] {
        let mut decoder = torn();
        assert_eq!(decoder.take(b"", later), []);
        assert_eq!(decoder.take(more.as_bytes(), later), [], "{more:?}");
        assert_eq!(decoder.expire(later + PASTE), [pasted(more)]);
        // It is torn once more.
        assert_eq!(decoder.take(more.as_bytes(), later + PASTE), [], "{more:?}");
    }
    let mut decoder = torn();
    assert_eq!(decoder.take(b"a lot of text follows here", later), []);
    assert_eq!(decoder.take(b"q\x1b[201~", later), [pasted("a lot of text follows hereq")]);
}

#[test]
fn of_a_paste_without_measure_the_beginning_is_kept() {
    let now = Instant::now();
    let bytes = [&b"\x1b[200~"[..], &vec![b'x'; 3 << 20], b"\x1b[201~q"].concat();
    let heard = Decoder::default().take(&bytes, now);
    let [TerminalInput::Input(Input::Paste(text)), last] = &heard[..] else {
        panic!("{} events", heard.len())
    };
    assert_eq!((text.len(), last), (1 << 20, &letter('q')));
}

proptest! {
    #[test]
    fn no_bytes_are_too_much_and_none_makes_it_deaf(
        pieces in proptest::collection::vec(
            prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..12),
                (0..known().len(), 0..8_usize).prop_map(|(which, length)| {
                    let bytes = known()[which].0;
                    bytes[..length.min(bytes.len())].to_vec()
                }),
            ],
            0..12,
        ),
        waits in proptest::collection::vec(0..300_u64, 12),
    ) {
        let mut decoder = Decoder::default();
        let mut now = Instant::now();
        for (bytes, wait) in pieces.iter().zip(waits) {
            now += Duration::from_millis(wait);
            decoder.take(bytes, now);
            prop_assert!(decoder.patience(now).is_none_or(|patience| patience <= PASTE));
        }
        now += PASTE;
        let heard = decoder.take(b"q", now);
        prop_assert_eq!(heard.last(), Some(&letter('q')));
    }
}
