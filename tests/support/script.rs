//! Scripts: text files of steps with what comes of each, in cases that begin with a heading `## …`. What stands before the
//! first heading is done at the begin of each case. Lines behind a step that begin with `|`, `!` or `=` are what comes of it;
//! in them `…` stands for any text, and alone in a line for any lines. `DUPI_TRANSCRIPTS=write` writes down what comes now,
//! for a reader of the difference.
#![allow(dead_code, reason = "each test program uses a part")]

use std::fs;
use std::path::Path;
use std::thread;

/// Plays all cases of a script, each from a beginning of its own, and compares what comes of their steps.
pub(crate) fn check<S>(
    path: &Path,
    begin: impl Fn() -> S + Sync,
    step: impl Fn(&mut S, &str) -> Vec<String> + Sync,
) {
    let text = fs::read_to_string(path).unwrap();
    let mut parts: Vec<Vec<&str>> = vec![Vec::new()];
    for line in text.lines() {
        if line.starts_with("## ") {
            parts.push(Vec::new());
        }
        parts.last_mut().unwrap().push(line);
    }
    // A table is one case.
    let (head, cases) = if parts.len() == 1 { (&Vec::new(), &parts[..]) } else { (&parts[0], &parts[1..]) };
    let play_case = |case: &Vec<&str>| {
        let mut state = begin();
        (play(&mut state, head, &step), play(&mut state, case, &step))
    };
    let share = cases.len().div_ceil(thread::available_parallelism().map_or(1, Into::into)).max(1);
    let played: Vec<(Vec<String>, Vec<String>)> = thread::scope(|scope| {
        let play_share = |share: &'_ [Vec<&str>]| share.iter().map(play_case).collect::<Vec<_>>();
        let running: Vec<_> =
            cases.chunks(share).map(|share| scope.spawn(move || play_share(share))).collect();
        running.into_iter().flat_map(|share| share.join().unwrap()).collect()
    });
    let first = played.first().map(|(head, _)| head.clone()).unwrap_or_default();
    let now: Vec<String> = first.into_iter().chain(played.into_iter().flat_map(|(_, case)| case)).collect();
    let now = now.join("\n") + "\n";
    if now == text {
        return;
    }
    if std::env::var("DUPI_TRANSCRIPTS").is_ok_and(|asked| asked == "write") {
        fs::write(path, now).unwrap();
        return;
    }
    let mut said = String::new();
    for (number, (line, was)) in (1..).zip(now.lines().zip(text.lines())).filter(|(_, (a, b))| a != b).take(9)
    {
        said += &format!("line {number}\n  was {was}\n  is  {line}\n");
    }
    panic!("{}: something else, first\n{said}", path.display());
}

/// A table in a file of this crate: lines of a word and a text, each with the answers to it. In the texts `\n`, `\t`, `\r`,
/// `\0`, `\e`, `\\` and `\u{…}` are characters.
pub(crate) fn table(path: &str, answers: impl Fn(&str, &str) -> Vec<String> + Sync) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let step = |(): &mut (), line: &str| {
        let (word, text) = line.split_once(' ').unwrap_or((line, ""));
        let is_remark = word.is_empty() || word.starts_with('#');
        let told = if is_remark { Vec::new() } else { answers(word, &unescaped(text)) };
        told.iter().map(|answer| outcome('|', answer)).collect()
    };
    check(&path, || (), step);
}

fn unescaped(text: &str) -> String {
    let mut letters = text.chars();
    let mut whole = String::new();
    while let Some(letter) = letters.next() {
        let behind = if letter == '\\' { letters.clone().next() } else { None };
        let meant = match behind {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some('0') => '\0',
            Some('e') => '\u{1b}',
            Some('\\') => '\\',
            Some('u') => {
                let code: String = letters.by_ref().skip(2).take_while(|letter| *letter != '}').collect();
                whole.push(char::from_u32(u32::from_str_radix(&code, 16).unwrap()).unwrap());
                continue;
            }
            _ => {
                whole.push(letter);
                continue;
            }
        };
        letters.next();
        whole.push(meant);
    }
    whole
}

/// Does some steps, and returns them with what comes of them now.
fn play<S>(state: &mut S, lines: &[&str], step: impl Fn(&mut S, &str) -> Vec<String>) -> Vec<String> {
    let mut now = Vec::new();
    let mut rest = lines;
    while let Some((line, behind)) = rest.split_first() {
        now.push((*line).to_owned());
        let is_outcome = |line: &&&str| line.starts_with(['|', '!', '=']);
        let (expected, behind) = behind.split_at(behind.iter().take_while(is_outcome).count());
        rest = behind;
        let came = step(state, line);
        match matches(expected, &came) {
            true => now.extend(expected.iter().map(|line| (*line).to_owned())),
            false => now.extend(came),
        }
    }
    now
}

/// A line of what comes of a step, behind its sign.
pub(crate) fn outcome(sign: char, line: &str) -> String {
    let escaped = |letter: char| match letter {
        '\t' => "\t".to_owned(),
        letter if letter.is_control() => letter.escape_default().to_string(),
        letter => letter.to_string(),
    };
    let line: String = line.chars().map(escaped).collect();
    if line.is_empty() { sign.to_string() } else { format!("{sign} {line}") }
}

/// Whether lines are as expected.
fn matches(expected: &[&str], came: &[String]) -> bool {
    match (expected.split_first(), came.split_first()) {
        (None, rest) => rest.is_none(),
        (Some((&line, behind)), rest) if [&line[..1], " …"].concat() == line => {
            matches(behind, came)
                || rest.is_some_and(|(first, rest)| first.starts_with(&line[..1]) && matches(expected, rest))
        }
        (Some((line, behind)), Some((first, rest))) => has_form(line, first) && matches(behind, rest),
        (Some(_), None) => false,
    }
}

/// Whether a line has a form in which `…` stands for any text.
fn has_form(form: &str, line: &str) -> bool {
    let Some((start, forms)) = form.split_once('…') else { return form == line };
    let Some(mut rest) = line.strip_prefix(start) else { return false };
    let parts: Vec<&str> = forms.split('…').collect();
    let (end, between) = parts.split_last().unwrap();
    for part in between {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(end)
}
