//! A made corpus of short news texts, the same on every machine: reports of random sentences, some of them reposted
//! under another title, with what stands around real ones: bylines, datelines, mail headers, signatures, disclaimers,
//! tables of results, forecasts and notices of rights.

use std::sync::LazyLock;

/// How many texts there are.
pub const TEXTS: usize = 2500;

/// A text of the corpus.
pub struct Text {
    /// Where it stands in the corpus.
    pub path: String,
    /// What stands there.
    pub text: String,
}

/// Random numbers that are the same everywhere (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn of<'t>(&mut self, words: &[&'t str]) -> &'t str {
        words[self.below(words.len())]
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// Parts of sentences.
struct Words {
    places: Vec<&'static str>,
    names: Vec<&'static str>,
    bodies: Vec<&'static str>,
    deeds: Vec<&'static str>,
    things: Vec<&'static str>,
    clauses: Vec<&'static str>,
    sayings: Vec<&'static str>,
}

/// The parts of `news.txt`, each list below its name.
static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut lists = include_str!("news.txt").split("# ").skip(1).map(|list| list.lines().skip(1).collect());
    let [places, names, bodies, deeds, things, clauses, sayings] =
        std::array::from_fn(|_| lists.next().unwrap());
    Words { places, names, bodies, deeds, things, clauses, sayings }
});
const OUTLETS: [&str; 4] = ["The Coast Courier", "North Shore Wire", "Valley Gazette", "Evening Beacon"];
const RIGHTS: [&str; 3] = [
    "Copyright {year} {outlet}. All rights reserved. This material may not be published, broadcast, rewritten or redistributed \
     without prior written permission of the publisher.",
    "(c) {year} {outlet}. This article is distributed under the Creative Commons Attribution 4.0 International licence: you are \
     free to share and adapt the material, provided that you give appropriate credit, provide a link to the licence, and indicate \
     if changes were made.",
    "© {outlet} {year}. Permission is granted to members of the agency to reproduce this report in whole or in part, provided \
     that this notice is preserved. The report is supplied as is, without warranty of any kind.",
];
const DISCLAIMER: &str = "This e-mail and any files transmitted with it are confidential and intended solely for the use of the \
    individual or entity to whom they are addressed. If you have received this e-mail in error, please notify the sender \
    immediately and delete it from your system.";
const FOLLOW: &str = "You receive this message because you subscribed to the daily digest of {outlet}. To unsubscribe, or to change \
    how often you hear from us, follow the link in your first welcome message or write to desk@{host}.";

fn sentence(numbers: &mut Numbers) -> String {
    let (body, deed, thing) =
        (numbers.of(&WORDS.bodies), numbers.of(&WORDS.deeds), numbers.of(&WORDS.things));
    let (clause, place, name) =
        (numbers.of(&WORDS.clauses), numbers.of(&WORDS.places), numbers.of(&WORDS.names));
    let said = match numbers.below(5) {
        0 => format!("In {place}, {body} {deed} {thing}, {clause}."),
        1 => format!(
            "{body} {deed} {thing} {clause}, said {name}, who speaks for {}.",
            numbers.of(&WORDS.bodies)
        ),
        2 => format!("According to {name}, {body} of {place} {deed} {thing}."),
        3 => format!("{name} told reporters that {body} {deed} {thing} {clause}."),
        _ => format!(
            "\u{201c}{},\u{201d} said {name} of {place}, where {body} {deed} {thing}.",
            numbers.of(&WORDS.sayings)
        ),
    };
    let mut letters = said.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn report(numbers: &mut Numbers) -> Vec<String> {
    let paragraphs = 2 + numbers.below(4);
    (0..paragraphs)
        .map(|_| (0..1 + numbers.below(3)).map(|_| sentence(numbers)).collect::<Vec<_>>().join(" "))
        .collect()
}

fn forecast(numbers: &mut Numbers) -> String {
    let (low, high) = (3 + numbers.below(9), 13 + numbers.below(12));
    format!(
        "Weather for {}: a dry start with patchy cloud, then freshening winds from the {} and a chance of showers along the \
         coast by evening. Highs of {high} degrees inland and {low} near the water. Small craft should take care beyond the \
         breakwater after dark.",
        numbers.of(&WORDS.places),
        numbers.of(&["north", "east", "south-west", "west"]),
    )
}

fn results(numbers: &mut Numbers) -> String {
    let mut table =
        String::from("Team                P   W   D   L   Pts\n--------------------------------------\n");
    for row in 0..8 {
        let place = WORDS.places[(row * 3 + numbers.below(2)) % WORDS.places.len()];
        let (won, drawn) = (numbers.below(10), numbers.below(6));
        let points = won * 3 + drawn;
        table += &format!(
            "{place:<18} {:>2}  {won:>2}  {drawn:>2}  {:>2}   {points:>2}\n",
            16,
            16 - won.min(10) - drawn
        );
    }
    table
}

fn mail_head(numbers: &mut Numbers, number: usize, title: &str) -> String {
    let host = numbers.of(&["coastcourier.example", "northshore.example", "valleygazette.example"]);
    format!(
        "From: News Desk <desk@{host}>\nTo: subscribers@{host}\nSubject: {title}\nDate: {}, {} Mar 2024 06:0{}:00 +0000\n\
         Message-ID: <{number:06}.digest@{host}>\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\
         Content-Transfer-Encoding: 8bit\nList-Id: Daily digest <digest.{host}>\nPrecedence: bulk\n\n",
        numbers.of(&["Mon", "Tue", "Wed", "Thu", "Fri"]),
        1 + numbers.below(28),
        numbers.below(10),
    )
}

fn signature(numbers: &mut Numbers) -> String {
    let name = WORDS.names[numbers.below(4)];
    let outlet = numbers.of(&OUTLETS);
    format!(
        "-- \n{name}, night editor\n{outlet}, 14 Quay Street, Aldermouth AM1 4QS\nphone +44 1632 960 {:03}, fax +44 1632 960 199\n\
         desk@coastcourier.example | www.coastcourier.example\n",
        numbers.below(4) * 11,
    )
}

fn front_matter(numbers: &mut Numbers, title: &str) -> String {
    format!(
        "---\nlayout: post\ntitle: \"{title}\"\nauthor: {}\ncategories: [news, coast]\ntags: [harbour, council, region]\n\
         comments: false\nlanguage: en\nsource: wire\npublished: true\n---\n\n",
        numbers.of(&WORDS.names),
    )
}

fn quoted(paragraphs: &[String], name: &str) -> String {
    let lines = paragraphs.iter().flat_map(|paragraph| {
        let words: Vec<&str> = paragraph.split(' ').collect();
        words
            .chunks(11)
            .map(|line| format!("> {}\n", line.join(" ")))
            .chain(["> \n".to_owned()])
            .collect::<Vec<_>>()
    });
    format!("On Thursday, {name} wrote:\n{}\n", lines.collect::<String>())
}

/// The texts of the corpus, in the order of their paths.
pub fn texts() -> Vec<Text> {
    let mut numbers = Numbers(2500);
    let mut kept: Vec<Vec<String>> = Vec::new();
    (0..TEXTS).map(|number| text(&mut numbers, number, &mut kept)).collect()
}

fn text(numbers: &mut Numbers, number: usize, kept: &mut Vec<Vec<String>>) -> Text {
    let is_repost = kept.len() > 20 && numbers.one_in(6);
    let paragraphs = if is_repost { kept[numbers.below(kept.len())].clone() } else { report(numbers) };
    let title = format!("{} and {}", numbers.of(&WORDS.places), numbers.of(&WORDS.things));
    let (outlet, name, place) = (numbers.of(&OUTLETS), numbers.of(&WORDS.names), numbers.of(&WORDS.places));
    let year = ["2021", "2022", "2023", "2024"][number * 4 / TEXTS];
    let fill = |text: &str| {
        text.replace("{year}", year).replace("{outlet}", outlet).replace("{host}", "coastcourier.example")
    };
    let form = numbers.below(10);
    let mut text = match form {
        0 | 1 => mail_head(numbers, number, &title),
        2 => front_matter(numbers, &title),
        _ => format!("{title}\n\nBy {name}, {outlet}\n{} (NSW) - ", place.to_uppercase()),
    };
    if form == 0 && !kept.is_empty() {
        let answered = kept[numbers.below(kept.len())].clone();
        text += &quoted(&answered, name);
    }
    text += &paragraphs.join("\n\n");
    text += "\n\n";
    if is_repost && numbers.one_in(2) {
        text += &format!("{}\n\n", sentence(numbers));
    }
    match numbers.below(8) {
        0 => text += &format!("{}\n\n", forecast(numbers)),
        1 => text += &format!("{}\n", results(numbers)),
        _ => {}
    }
    match form {
        0 | 1 => text += &format!("{}\n{DISCLAIMER}\n\n{}\n", signature(numbers), fill(FOLLOW)),
        _ => text += &format!("{}\n", fill(RIGHTS[numbers.below(RIGHTS.len())])),
    }
    if !is_repost {
        kept.push(paragraphs);
    }
    let extension = match form {
        0 | 1 => "eml",
        2 => "md",
        _ => "txt",
    };
    Text { path: format!("{year}/{number:04}.{extension}"), text }
}
