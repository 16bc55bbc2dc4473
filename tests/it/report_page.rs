//! The page of a report in a browser: 10,000 rows, hostile texts, keys, filter, differences, dark and light.

use std::fs;

use dupi::report::{CopyRow, DocumentName, FORMATS, OccurrenceRow, Part, PassageRow, ReportSettings};

use crate::browser::Browser;
use dupi::judge::location::CoveredLines;

const HOSTILE: &str = "</script><script>window.owned=1</script><img src=x onerror=window.owned=2> <!--";

fn copy(path: &str, line: u32, text: Option<&str>) -> CopyRow {
    let path = DocumentName::new(path.as_ref(), None);
    CopyRow {
        at: OccurrenceRow {
            path,
            part: Part { start: 0, end: 9, line, column: 1, end_line: line + 2, end_column: 4 },
        },
        lines: CoveredLines { first: line, last: line + 2, begins_inside: false, ends_inside: false },
        within: text.map(|_| HOSTILE.to_owned()),
        is_code: true,
        similarity: if text.is_some() { 0.9 } else { 1.0 },
        text: text.map(str::to_owned),
        ..CopyRow::default()
    }
}

fn row(number: usize, text: String, occurrences: Vec<CopyRow>) -> PassageRow {
    let id = format!("{number:016x}");
    PassageRow {
        family: id.clone(),
        id,
        unit: "passage",
        tokens: 30,
        copies: occurrences.len(),
        documents: 2,
        folders: 1,
        similarity: 1.0,
        score: 30,
        deletable_lines: 3,
        worth: 1234,
        text,
        occurrences,
        ..PassageRow::default()
    }
}

/// A page of many rows, of which the first has a copy that differs and the second one is hostile.
fn page(rows: usize) -> Vec<u8> {
    let html = FORMATS.iter().find(|format| format.name == "html").unwrap();
    let (mut report, mut out) = ((html.report)(&ReportSettings::default()), Vec::new());
    report.begin(&mut out).unwrap();
    for number in 0..rows {
        let row = match number {
            0 => {
                let copies = vec![
                    copy("src/a.c", 7, None),
                    copy("src/b.c", 70, Some("one TWO\n  three five six seven")),
                    copy("src/c.c", 9, None),
                ];
                row(number, "one two three four six".to_owned(), copies)
            }
            1 => row(number, HOSTILE.to_owned(), vec![copy(HOSTILE, 1, None), copy("x", 1, Some(HOSTILE))]),
            _ => {
                let name = |side: &str| format!("{side}/{number}.c");
                let copies = vec![copy(&name("left"), 1, None), copy(&name("right"), 2, None)];
                row(number, format!("text {number} of many\nrows"), copies)
            }
        };
        report.row(&row, &mut out).unwrap();
    }
    report.end(&mut out).unwrap();
    out
}

#[test]
#[ignore = "needs chromium; .ci/run runs it"]
fn the_page_is_used_with_the_keyboard_and_nothing_in_a_text_is_markup() {
    let place = crate::tempdir().unwrap();
    let file = place.path().join("report.html");
    fs::write(&file, page(10_000)).unwrap();
    let mut browser = Browser::start(&place.path().join("browser"));
    browser.prefer("light");
    browser.open(&file);
    assert_eq!(browser.value("count.textContent"), "10000 rows");
    let drawn = browser.value("list.children.length").as_u64().unwrap();
    assert!((1..2_000).contains(&drawn), "{drawn} rows are drawn at once");

    // The first row is chosen and unfolded; its differences are marked on both sides.
    browser.press("j");
    browser.press("Enter");
    let chosen = "document.querySelector('.chosen')";
    assert_eq!(browser.value(&format!("{chosen}.querySelectorAll('pre').length")), 2);
    assert_eq!(
        browser.value(&format!("[...{chosen}.querySelectorAll('del')].map(e => e.textContent).join('|')")),
        "four "
    );
    let marked =
        browser.value(&format!("[...{chosen}.querySelectorAll('ins')].map(e => e.textContent).join('|')"));
    assert_eq!(marked, "five |seven", "case and white space are no differences");
    let pressed = format!("{chosen}.querySelector('[aria-pressed=true]').textContent");
    assert_eq!(browser.value(&pressed), "src/b.c:70-72 (90 %)");
    browser.press("n");
    assert_eq!(browser.value(&pressed), "src/c.c:9-11");
    assert_eq!(browser.value(&format!("{chosen}.querySelectorAll('ins').length")), 0);
    browser.press("p");
    assert_eq!(browser.value(&pressed), "src/b.c:70-72 (90 %)");
    browser.press("Enter");
    assert_eq!(browser.value(&format!("{chosen}.querySelectorAll('pre').length")), 0);

    // The hostile row is there as text, and ran nothing.
    browser.press("j");
    browser.press("Enter");
    assert_eq!(browser.value(&format!("{chosen}.querySelector('pre').textContent")), HOSTILE);
    assert_eq!(browser.value("document.querySelectorAll('img').length"), 0);
    assert_eq!(browser.value("typeof window.owned"), "undefined");

    // A row is unfolded by a click too.
    browser.value("list.children[4].firstChild.click()");
    assert_eq!(browser.value("list.children[4].querySelectorAll('pre').length"), 2);

    // The last of all rows is reached, and the filter answers while it is typed.
    browser.press("G");
    assert_eq!(
        browser.value(&format!("{chosen}.querySelector('.words').textContent")),
        "text 9999 of many\nrows"
    );
    browser.press("/");
    browser.write("left/77 many");
    assert_eq!(browser.value("count.textContent"), "111 of 10000 rows");
    browser.press("Escape");
    assert_eq!(browser.value("document.activeElement === filter"), false);
    assert_eq!(
        browser.value("document.querySelector('.chosen .what').textContent.includes('left/77.c:1-3')"),
        true
    );
    let took = "(() => { const from = performance.now(); filter.value = 'text'; select(); return performance.now() - from })()";
    let took = browser.value(took).as_f64().unwrap();
    assert!(took < 2_000.0, "{took} ms for a letter of the filter");

    // Dark and light follow the system until they are switched.
    let colour = "getComputedStyle(document.body).backgroundColor";
    assert_eq!(browser.value(colour), "rgb(255, 255, 255)");
    browser.prefer("dark");
    assert_eq!(browser.value(colour), "rgb(20, 23, 28)");
    browser.press("t");
    assert_eq!(browser.value(colour), "rgb(255, 255, 255)");

    let outside: Vec<&String> =
        browser.requests.iter().filter(|url| !url.ends_with("/report.html")).collect();
    assert!(outside.is_empty() && !browser.requests.is_empty(), "{outside:?}");
}
