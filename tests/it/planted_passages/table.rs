//! How much is found of corpora of full size, as tables of means over seeds, and why the rest is not.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{
    Case, HEAVY, LIGHT, MANY_HEAVY, MANY_HEAVY_OCR, MANY_WORN, MISREAD, TWO_HEAVY, TWO_HEAVY_OCR, TWO_WORN,
    TWO_WORN_OCR, USUAL, World,
};
use crate::planted::{Label, Noise, Place, Plan};
use crate::scored::{Score, Scorer};
use crate::support::page::{figure, publish, publish_on};
use dupi::passage::Measure;
use dupi::passage::align::{TABLE, matched_within};
use dupi::passage::approximate::seeds::{SeedLengths, Seeds};
use dupi::passage::gather::Gathered;
use dupi::passage::like::{Probe, like};
use dupi::token::{LexState, Tokeniser};

const MANY_WORN_OCR: Case = Case { noise: MANY_WORN.noise, least: Score::ANY, ..MANY_HEAVY_OCR };

/// The same noise in copies of passages with five copies each.
const FIVE: (usize, usize) = (5, 5);
const FIVE_HEAVY: Case = Case { copies: FIVE, least: Score::ANY, ..MANY_HEAVY };
const FIVE_WORN: Case = Case { copies: FIVE, least: Score::ANY, ..MANY_WORN };

const WORN_LETTERS: Case = Case { noise: Noise::Letters(0.05), least: Score::ANY, ..TWO_WORN_OCR };
const WORSE_LETTERS: Case = Case { noise: Noise::Letters(0.10), least: Score::ANY, ..TWO_WORN_OCR };

/// Who searches.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Asked {
    Passages,
    /// The same with this `--min-overlap`.
    Overlap(f32),
    /// The same with this `--gap`.
    Gap(u32),
    /// Each document that has the first copy of a passage is given to `like`.
    Like,
}

impl World<'_> {
    /// What `like` finds for the documents with the first copies: rows of two places.
    fn liked(&self) -> Vec<Vec<Place>> {
        let recipe = &self.snapshot.manifest().recipe;
        let measure = self.usual();
        let mut first: Vec<usize> = Vec::new();
        let mut groups = Vec::new();
        for label in &self.planted.labels {
            if !groups.contains(&label.group) {
                groups.push(label.group);
                first.push(label.place.document);
            }
        }
        first.sort_unstable();
        first.dedup();
        let rows = |document: usize| {
            let (name, text) = &self.planted.documents[document];
            let probe = Probe::new(Tokeniser::Words.tokens(text, LexState::default()), recipe);
            let found = like(&self.snapshot, &probe, measure, 20).unwrap();
            let others = found.into_iter().flat_map(|found| found.shared);
            let others = others.filter(|run| run.occurrence.path.to_str() != Some(name.as_str()));
            let place = |document, bytes: Range<u64>| Place {
                document,
                bytes: bytes.start as usize..bytes.end as usize,
            };
            let row = |run: dupi::passage::like::SharedRun| {
                let path = run.occurrence.path.to_str().unwrap();
                let names = &self.planted.documents;
                let other = names.binary_search_by(|(name, _)| name.as_str().cmp(path)).unwrap();
                let span = run.occurrence.span;
                vec![place(document, run.span.start..run.span.end), place(other, span.start..span.end)]
            };
            others.map(row).collect::<Vec<_>>()
        };
        first.into_iter().flat_map(rows).collect()
    }

    /// Why a pair of copies is not covered: the first reason that holds.
    fn reason(
        &self,
        measure: Measure,
        scorer: &Scorer,
        rows: &[Vec<Place>],
        pair: [&Label; 2],
    ) -> &'static str {
        let recipe = &self.snapshot.manifest().recipe;
        let text = |label: &Label| {
            let text = &self.planted.documents[label.place.document].1[label.place.bytes.clone()];
            let tokens = Tokeniser::Words.tokens(text, LexState::default());
            tokens.iter().map(|token| token.hash).collect::<Vec<u64>>()
        };
        let [a, b] = pair.map(text);
        let touches = |row: &Vec<Place>| {
            let is_in = |label: &Label| {
                let own = scorer.tokens_in(&label.place);
                let of = row.iter().filter(|place| place.document == label.place.document);
                of.map(|place| scorer.tokens_in(place))
                    .any(|run| run.start.max(own.start) < run.end.min(own.end))
            };
            pair.iter().all(|label| is_in(label))
        };
        if rows.iter().any(touches) {
            return "found in part";
        }
        if a.len().min(b.len()) < measure.least as usize {
            return "shorter than asked";
        }
        let matches = matched_within(&a, &b, TABLE).len() as u32;
        if measure.similarity(matches, [a.len() as u32, b.len() as u32]) < measure.overlap {
            return "less alike than asked";
        }
        let texts = [(0, a.as_slice()), (1, b.as_slice())];
        let gathered = Gathered::of_tokens(texts).unwrap();
        let lengths = SeedLengths::for_recipe(recipe, measure.least);
        let seeds = Seeds::find(&gathered, lengths, 1 << 20, &|_| Ok(())).unwrap();
        let in_first = |seed: u32| (seeds.seeds[seed as usize].place as usize) < a.len();
        let pairs: Vec<(u32, u32)> = (0..seeds.seeds.len() as u32)
            .filter(|&one| in_first(one))
            .flat_map(|one| {
                seeds.named(seeds.seeds[one as usize].name).iter().map(move |&other| (one, other))
            })
            .filter(|&(_, other)| !in_first(other))
            .collect();
        if pairs.is_empty() {
            "no seed"
        } else if !pairs.iter().any(|&(one, other)| seeds.are_chained(one, other, measure.gap)) {
            "no chain of seeds"
        } else {
            "lost later: its similar parts are too short, or are not joined"
        }
    }
}

/// Searches a planted corpus. The reasons are counted for pairs of copies.
fn scored(case: &Case, asked: Asked, plan: &Plan, reasons: &mut BTreeMap<&'static str, usize>) -> Score {
    let planted = plan.grow();
    let world = World::with(&planted, case.profile);
    let measure = match asked {
        Asked::Overlap(overlap) => Measure { overlap, ..world.usual() },
        Asked::Gap(gap) => Measure { gap, ..world.usual() },
        Asked::Passages | Asked::Like => world.usual(),
    };
    let rows = if asked == Asked::Like { world.liked() } else { world.places_by(measure) };
    let scorer = Scorer::new(&planted);
    if case.copies == (2, 2) && !matches!(asked, Asked::Gap(_)) {
        let covered = scorer.covered(&rows);
        for group in 0..plan.groups {
            let numbered = planted.labels.iter().enumerate().filter(|(_, label)| label.group == group);
            let (numbers, labels): (Vec<usize>, Vec<&Label>) = numbered.unzip();
            if let [one, other] = labels[..] {
                let is_covered = numbers.iter().all(|number| covered.contains(number));
                let reason =
                    if is_covered { "found" } else { world.reason(measure, &scorer, &rows, [one, other]) };
                *reasons.entry(reason).or_default() += 1;
            }
        }
    }
    scorer.score(&rows)
}

/// The seeds of `DUPI_SEED`.
pub(crate) fn seeds() -> Vec<u64> {
    let seeds = std::env::var("DUPI_SEED").unwrap_or_else(|_| "1".to_owned());
    seeds.split(',').map(|seed| seed.trim().parse().unwrap()).collect()
}

/// The mean of some shares as a percentage, and the least and the most of them.
pub(crate) fn spread(shares: &[f64]) -> String {
    let of = |share: f64| share * 100.0;
    let mean = of(shares.iter().sum::<f64>() / shares.len() as f64);
    let least = of(shares.iter().copied().fold(f64::INFINITY, f64::min));
    let most = of(shares.iter().copied().fold(0.0, f64::max));
    if shares.len() > 1 { format!("{mean:.1} % ({least:.1}–{most:.1})") } else { format!("{mean:.1} %") }
}

/// The table for users of what `--gap` changes.
fn publish_gaps(covered: &BTreeMap<(String, String), f64>) {
    let gaps = [2, 3, 4, 8];
    figure!("| copies, each edited in | {} |", gaps.map(|gap| format!("`--gap {gap}`")).join(" | "));
    figure!("| --- |{}", " ---: |".repeat(gaps.len()));
    for noise in ["15 % of the words edited", "20 % of the words edited"] {
        for copies in ["2 copies", "5 copies"] {
            let of = |gap| {
                let name = if gap == 8 { String::new() } else { format!(", `--gap {gap}`") };
                let share = covered[&(noise.to_owned(), format!("{copies}, `default`{name}"))];
                format!("{share:.0} %")
            };
            figure!("| {copies}, {} | {} |", noise.trim_end_matches(" edited"), gaps.map(of).join(" | "));
        }
    }
    publish_on("near-passages.md", "What each option changes");
}

/// The table for users: how many copies were found by seven tenths of their words.
fn publish_brief(covered: &BTreeMap<(String, String), f64>) {
    let of = |copies: &str| ["default", "ocr", "like"].map(|name| format!("{copies} copies, `{name}`"));
    let searches = [of("2"), of("5 to 12")].concat();
    figure!("| each copy edited in | {} |", searches.join(" | "));
    figure!("| --- |{}", " ---: |".repeat(searches.len()));
    for noise in ["15 % of the words edited", "20 % of the words edited"] {
        let of = |search: &String| {
            let known = covered.get(&(noise.to_owned(), search.clone()));
            known.map_or("–".to_owned(), |share| format!("{share:.0} %"))
        };
        let row: Vec<String> = searches.iter().map(of).collect();
        figure!("| {} | {} |", noise.trim_end_matches(" edited"), row.join(" | "));
    }
    publish_on("near-passages.md", "What is found");
}

/// `DUPI_SEED` is one seed, or several with commas.
#[test]
#[ignore = "large; run it optimised: cargo test --release --test it planted_passages -- --ignored --nocapture"]
fn full_size() {
    let seeds = seeds();
    let mut missed = Vec::new();
    figure!(
        "| a passage has, asked | noise | half of a copy found | seven tenths | of these in one row | reported text within copies | ends off by |"
    );
    figure!("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    let mixed = [LIGHT, USUAL, HEAVY, MISREAD].map(|case| (case, Asked::Passages));
    let default = [TWO_HEAVY, TWO_WORN, MANY_HEAVY, MANY_WORN].map(|case| (case, Asked::Passages));
    let ocr =
        [TWO_HEAVY_OCR, TWO_WORN_OCR, MANY_HEAVY_OCR, MANY_WORN_OCR].map(|case| (case, Asked::Passages));
    let letters = [
        (WORN_LETTERS, Asked::Passages),
        (WORSE_LETTERS, Asked::Passages),
        (WORSE_LETTERS, Asked::Overlap(0.3)),
    ];
    let liked = [TWO_HEAVY, TWO_WORN, MANY_HEAVY, MANY_WORN].map(|case| (case, Asked::Like));
    let five = [FIVE_HEAVY, FIVE_WORN].map(|case| (case, Asked::Passages));
    let with_gap = |gap| [TWO_HEAVY, TWO_WORN, FIVE_HEAVY, FIVE_WORN].map(|case| (case, Asked::Gap(gap)));
    let gaps = [2, 3, 4].map(with_gap).concat();
    let mut brief: BTreeMap<(String, String), f64> = BTreeMap::new();
    let mut reasons: Vec<(String, BTreeMap<&'static str, usize>)> = Vec::new();
    for (case, asked) in [&mixed[..], &default, &five, &gaps, &ocr, &letters, &liked].concat() {
        let noise = match case.noise {
            Noise::Edit(share) => format!("{:.0} % of the words edited", share * 100.0),
            Noise::Ocr(share) => format!("a wrong letter in {:.0} % of the words", share * 100.0),
            Noise::Letters(share) => format!("{:.0} % of the letters wrong", share * 100.0),
        };
        let name = match asked {
            Asked::Passages => format!("`{}`", case.profile),
            Asked::Overlap(overlap) => format!("`{}`, `--min-overlap {overlap}`", case.profile),
            Asked::Gap(gap) => format!("`{}`, `--gap {gap}`", case.profile),
            Asked::Like => "`like`".to_owned(),
        };
        let mut of_case = BTreeMap::new();
        let of = |&seed: &u64| scored(&case, asked, &case.plan(seed, 2000, 300), &mut of_case);
        let scores: Vec<Score> = seeds.iter().map(of).collect();
        let mean = |figure: fn(&Score) -> f64| scores.iter().map(figure).sum::<f64>() / scores.len() as f64;
        let figures: [fn(&Score) -> f64; 4] =
            [|score| score.found, |score| score.covered, |score| score.grouped, |score| score.inside];
        let [found, covered, grouped, inside] = figures.map(|figure| mean(figure) * 100.0);
        let copies = match case.copies {
            (least, most) if least == most => format!("{least} copies"),
            (least, most) => format!("{least} to {most} copies"),
        };
        // A pair at a time, `like` makes no rows.
        let grouped = if asked == Asked::Like { "–".to_owned() } else { format!("{grouped:.1} %") };
        figure!(
            "| {copies}, {name} | {noise} | {found:.1} % | {} | {grouped} | {inside:.1} % | {:.1} words |",
            spread(&scores.iter().map(|score| score.covered).collect::<Vec<_>>()),
            mean(|score| score.ends)
        );
        brief.insert((noise.clone(), format!("{copies}, {name}")), covered);
        if !of_case.is_empty() {
            reasons.push((format!("{name}, {noise}"), of_case));
        }
        if asked == Asked::Passages {
            let wrong = seeds.iter().zip(scores).filter(|(_, score)| !score.reaches(&case.least));
            missed.extend(wrong.map(|(seed, score)| (case, *seed, score)));
        }
    }
    publish("Edited copies");
    let columns = [
        "found",
        "found in part",
        "less alike than asked",
        "no seed",
        "no chain of seeds",
        "lost later: its similar parts are too short, or are not joined",
        "shorter than asked",
    ];
    figure!("| of pairs of copies | {} |", columns.join(" | "));
    figure!("| --- |{}", " ---: |".repeat(columns.len()));
    for (name, counts) in &reasons {
        let all: usize = counts.values().sum();
        let share = |column: &&str| {
            format!("{:.1} %", counts.get(column).copied().unwrap_or(0) as f64 / all as f64 * 100.0)
        };
        figure!("| {name} | {} |", columns.iter().map(share).collect::<Vec<_>>().join(" | "));
    }
    publish("What is missed of two copies");
    publish_brief(&brief);
    publish_gaps(&brief);
    assert!(missed.is_empty(), "{missed:#?}");
}
