//! `help`: the verbs in groups, the chapters of the guide, and the keys.

use super::args::{Cli, HelpArgs};
use super::error::CliError;
use super::outcome::Outcome;
use super::output::print_exact;
use dupi_screen::key_table;

/// The chapters of the guide, by their topics.
const CHAPTERS: [(&str, &str); 12] = [
    ("screen", include_str!("../../assets/guide/screen.md")),
    ("verbs", include_str!("../../assets/guide/verbs.md")),
    ("filters", include_str!("../../assets/guide/filters.md")),
    ("passages", include_str!("../../assets/guide/passages.md")),
    ("near", include_str!("../../assets/guide/near.md")),
    ("review", include_str!("../../assets/guide/review.md")),
    ("reports", include_str!("../../assets/guide/reports.md")),
    ("settings", include_str!("../../assets/guide/settings.md")),
    ("cluster", include_str!("../../assets/guide/cluster.md")),
    ("index", include_str!("../../assets/guide/index.md")),
    ("limits", include_str!("../../assets/guide/limits.md")),
    ("development", include_str!("../../assets/guide/development.md")),
];

/// Prints what was asked for: a chapter goes before the verb of the same name.
pub(super) fn run(args: &HelpArgs) -> Result<Outcome, CliError> {
    let words: Vec<&str> = args.words.iter().map(String::as_str).collect();
    let text = match words[..] {
        [] => format!("{}\n{}", Cli::grouped().render_long_help(), topics()),
        ["all"] => format!("{}\n{}", Cli::with_all_verbs().render_long_help(), topics()),
        ["keys"] => key_table(),
        _ => chapter(&words).or_else(|| help_of(&words)).ok_or_else(|| unknown(&words))?,
    };
    print_exact(&text)?;
    Ok(Outcome::Done)
}

/// A chapter, and where the options of its verb are.
fn chapter(words: &[&str]) -> Option<String> {
    let [topic] = words else { return None };
    let (_, text) = CHAPTERS.iter().find(|(name, _)| name == topic)?;
    let is_verb = help_of(words).is_some();
    let options = if is_verb { format!("\nIts options: dupi-tui {topic} --help\n") } else { String::new() };
    Some(format!("{text}{options}"))
}

/// The help of a verb, or of one below it.
fn help_of(words: &[&str]) -> Option<String> {
    let mut command = Cli::with_all_verbs();
    command.build();
    let verb = words.iter().try_fold(&mut command, |verb, word| verb.find_subcommand_mut(word))?;
    Some(verb.render_long_help().to_string())
}

fn unknown(words: &[&str]) -> CliError {
    let words = words.join(" ");
    CliError::Usage(format!("there is no topic and no verb `{words}`; `dupi-tui help` lists them"))
}

/// The topics, in a sentence.
fn topics() -> String {
    let names: Vec<&str> = CHAPTERS.iter().map(|(name, _)| *name).collect();
    format!("Topics of `dupi-tui help TOPIC`: keys, all (all verbs), {}.\n", names.join(", "))
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::*;

    /// The most lines of the short help of a verb, on a terminal of 100 columns.
    const MOST: usize = 40;

    #[test]
    fn the_short_help_of_every_verb_fits_on_a_screen() {
        fn check(command: &mut Command, name: &str) {
            let help = command.clone().term_width(100).render_help().to_string();
            let lines = help.lines().count();
            assert!(
                lines <= MOST,
                "{name} -h has {lines} lines:
{help}"
            );
            for verb in command.get_subcommands_mut().filter(|verb| verb.get_name() != "help") {
                let name = format!("{name} {}", verb.get_name());
                check(verb, &name);
            }
        }
        let mut command = Cli::brief();
        command.build();
        check(&mut command, "dupi-tui");
    }

    #[test]
    fn every_verb_is_in_one_group() {
        let grouped = Cli::with_all_verbs().render_long_help().to_string();
        for verb in Cli::with_all_verbs().get_subcommands() {
            let name = format!("\n  {} ", verb.get_name());
            assert_eq!(grouped.matches(&name).count(), 1, "{name}\n{grouped}");
        }
    }

    #[test]
    fn topics_verbs_and_keys_are_printed_and_others_are_refused() {
        assert!(chapter(&["filters"]).is_some_and(|text| !text.contains("--help")));
        assert!(chapter(&["review"]).is_some_and(|text| text.ends_with("dupi-tui review --help\n")));
        assert!(help_of(&["taboo", "add"]).is_some_and(|text| text.contains("--reason")));
        assert!(chapter(&["taboo"]).is_none() && help_of(&["nonsuch"]).is_none());
        assert!(key_table().contains("two copies side by side"));
        assert!(unknown(&["nonsuch"]).to_string().contains("dupi-tui help"));
    }
}
