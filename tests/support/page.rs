//! The page of figures, `assets/figures.md`: what a measurement prints goes there too, when it is asked for.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

thread_local! {
    /// What was measured since the last section was published.
    static LINES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Prints a line of a table, with the arguments of `format!`, and keeps it for the page.
#[allow(unused_macros, reason = "each test program uses a part")]
macro_rules! figure {
    ($($part:tt)*) => {
        $crate::support::page::line(format!($($part)*))
    };
}
pub(crate) use figure;

/// See [`figure`].
pub fn line(line: String) {
    println!("{line}");
    LINES.with_borrow_mut(|lines| lines.push(line));
}

/// Puts the lines so far in the place of the table under a heading of the page, when `DUPI_FIGURES_PAGE` is `write`.
pub fn publish(heading: &str) {
    publish_on("figures.md", heading);
}

/// The same on another page of `assets`.
pub fn publish_on(name: &str, heading: &str) {
    let lines = LINES.take();
    if std::env::var("DUPI_FIGURES_PAGE").is_ok_and(|asked| asked == "write") {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name);
        let page = fs::read_to_string(&path).unwrap();
        fs::write(path, with_table(&page, heading, &lines)).unwrap();
    }
}

/// A page with another table under a heading.
fn with_table(page: &str, heading: &str, table: &[String]) -> String {
    let title = format!("## {heading}");
    let mut before: Vec<&str> = page.lines().collect();
    let start = before.iter().position(|line| *line == title).expect("the page has the heading");
    let is_row = |line: &&str| line.starts_with('|');
    let first = start + before[start..].iter().position(is_row).expect("a table stands under the heading");
    let length = before[first..].iter().take_while(|line| is_row(line)).count();
    before.splice(first..first + length, table.iter().map(String::as_str));
    before.join("\n") + "\n"
}

#[test]
fn a_table_takes_the_place_of_the_one_under_its_heading() {
    let page = "# P\n\n## A\n\n| a |\n| - |\n\n## B\ntext\n\n| b |\n\nend\n";
    let table = ["| c |".to_owned(), "| d |".to_owned()];
    assert_eq!(
        with_table(page, "B", &table),
        "# P\n\n## A\n\n| a |\n| - |\n\n## B\ntext\n\n| c |\n| d |\n\nend\n"
    );
}
