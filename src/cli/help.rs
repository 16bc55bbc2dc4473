//! `help`, `completions` and `man`: the verbs in groups, the chapters of the guide, the keys, what a shell completes, and
//! the manual pages. All is made from the command line, of which a verb gets a copy.

use std::fs;
use std::path::PathBuf;

use clap::{Arg, Args, Command, ValueEnum};
use clap_complete::{Shell, generate};
use clap_complete_nushell::Nushell;

use super::args::path;
use super::error::CliError;
use super::output::{Outcome, print_bytes, print_exact};
use dupi_screen::key_table;

/// `help`.
#[derive(Debug, Args)]
pub struct HelpArgs {
    /// A topic such as filters, keys or all, or the words of a verb
    #[arg(value_name = "TOPIC")]
    pub words: Vec<String>,
}

/// `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: ShellName,
}

/// A shell that can complete arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShellName {
    /// bash.
    Bash,
    /// zsh.
    Zsh,
    /// fish.
    Fish,
    /// PowerShell.
    #[value(name = "powershell")]
    PowerShell,
    /// Elvish.
    Elvish,
    /// Nushell.
    Nushell,
}

/// `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write the page of the program and those of all verbs to this folder
    #[arg(long, value_name = "DIR", value_parser = path())]
    pub dir: Option<PathBuf>,
}

/// The groups of verbs. The last one is shown by `help all` only.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Verbs", &["passages", "near", "review", "history", "like", "documents", "files"]),
    ("Decisions", &["taboo", "accept", "kind", "exclude", "filter"]),
    ("The index and the program", &["index", "inspect", "clean", "config", "completions", "man", "help"]),
    ("Blots, clusters and other machines", &["extract", "blot", "unblot", "simhash", "segment", "spark"]),
];

/// Headings of options that the short help leaves out: those that many verbs have.
const SHARED: [&str; 8] =
    ["Index", "Recipe", "Files", "Files of the index", "Log", "Passages", "Screen", "Spark"];
/// The most characters of an option's description in the short help.
const SHORT: usize = 56;
/// The most characters of a verb's description in the groups.
const SHORT_ABOUT: usize = 80;
/// What may end the part of a description that can stand alone.
const CLAUSE_ENDS: [&str; 6] = [". ", "; ", ": ", " (", " [", ", such as "];

/// The command line with the groups of verbs for people, without those for clusters.
pub(super) fn grouped(command: Command) -> Command {
    with_groups(command, &GROUPS[..3])
}

/// The command line as `-h` shows it: with a short help that fits on a screen.
pub(super) fn brief(command: Command) -> Command {
    brief_verb(grouped(command), NAME)
}

fn with_groups(mut command: Command, groups: &[(&str, &[&str])]) -> Command {
    let about = |name: &str| {
        let verb = command.find_subcommand(name);
        let about = verb.and_then(Command::get_about).map(ToString::to_string).unwrap_or_default();
        format!("  {name:<12} {}\n", first_clause(&about, &CLAUSE_ENDS[..2], SHORT_ABOUT))
    };
    let texts: Vec<String> = groups
        .iter()
        .map(|(heading, verbs)| {
            format!("{heading}:\n{}", verbs.iter().map(|verb| about(verb)).collect::<String>())
        })
        .collect();
    let texts = texts.join("\n");
    // They are in the groups.
    for verb in command.get_subcommands_mut() {
        *verb = verb.clone().hide(true);
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n       dupi-tui VERB …\n\n{texts}\n{{all-args}}{{after-help}}"
    ))
}

/// A command whose options have one line each; those that many verbs share are left out.
fn brief_verb(command: Command, name: &str) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    let mut command = command.mut_args(brief_argument).after_help(format!("All of it: {name} --help"));
    for verb in names {
        let name = format!("{name} {verb}");
        command = command.mut_subcommand(&verb, |verb| brief_verb(verb, &name));
    }
    command
}

fn brief_argument(argument: Arg) -> Arg {
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let heading = argument.get_help_heading().unwrap_or_default();
    let is_shared =
        SHARED.iter().any(|shared| heading == *shared || heading.starts_with(&format!("{shared} (")));
    let is_hidden = is_shared || argument.is_hide_set();
    let argument = argument.help(first_clause(&help, &CLAUSE_ENDS, SHORT)).hide(is_hidden);
    match argument.get_action().takes_values() {
        true => argument.hide_possible_values(true).hide_env(true).hide_default_value(true),
        false => argument,
    }
}

/// The beginning of a description that can stand alone: up to one of these ends, or if it is longer, to a comma.
fn first_clause(text: &str, ends: &[&str], most: usize) -> String {
    let text = text.lines().next().unwrap_or_default();
    let ends = ends.iter().filter_map(|end| text.find(end));
    let clause = &text[..ends.min().unwrap_or(text.len())];
    let is_long = clause.chars().count() > most;
    let comma = clause.rmatch_indices(", ").map(|(at, _)| at).find(|at| *at <= most);
    let end = comma.filter(|_| is_long).unwrap_or(clause.len());
    clause[..end].to_owned()
}

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
pub(super) fn help(args: &HelpArgs, command: Command) -> Result<Outcome, CliError> {
    let words: Vec<&str> = args.words.iter().map(String::as_str).collect();
    let text = match words[..] {
        [] => format!("{}\n{}", grouped(command).render_long_help(), topics()),
        ["all"] => format!("{}\n{}", with_groups(command, &GROUPS).render_long_help(), topics()),
        ["keys"] => key_table(),
        _ => chapter_or_verb(&words, command).ok_or_else(|| unknown(&words))?,
    };
    print_exact(&text)?;
    Ok(Outcome::Done)
}

/// A chapter, with where the options of its verb are, or the help of a verb.
fn chapter_or_verb(words: &[&str], mut command: Command) -> Option<String> {
    command.build();
    let verb = words.iter().try_fold(&mut command, |verb, word| verb.find_subcommand_mut(word));
    match (CHAPTERS.iter().find(|(name, _)| words == [*name]), verb) {
        (Some((name, text)), Some(_)) => Some(format!("{text}\nIts options: dupi-tui {name} --help\n")),
        (Some((_, text)), None) => Some((*text).to_owned()),
        (None, verb) => verb.map(|verb| verb.render_long_help().to_string()),
    }
}

fn unknown(words: &[&str]) -> CliError {
    let words = words.join(" ");
    CliError::Failed(format!("there is no topic and no verb `{words}`; `dupi-tui help` lists them"))
}

/// The topics, in a sentence.
fn topics() -> String {
    let names: Vec<&str> = CHAPTERS.iter().map(|(name, _)| *name).collect();
    format!("Topics of `dupi-tui help TOPIC`: keys, all (all verbs), {}.\n", names.join(", "))
}

/// The name of the program.
const NAME: &str = env!("CARGO_PKG_NAME");

/// Prints a script for a shell.
pub(super) fn completions(args: &CompletionsArgs, mut command: Command) -> Result<Outcome, CliError> {
    let mut script = Vec::new();
    let shell = match args.shell {
        ShellName::Bash => Shell::Bash,
        ShellName::Zsh => Shell::Zsh,
        ShellName::Fish => Shell::Fish,
        ShellName::PowerShell => Shell::PowerShell,
        ShellName::Elvish => Shell::Elvish,
        ShellName::Nushell => {
            generate(Nushell, &mut command, NAME, &mut script);
            print_bytes(&script)?;
            return Ok(Outcome::Done);
        }
    };
    generate(shell, &mut command, NAME, &mut script);
    print_bytes(&script)?;
    Ok(Outcome::Done)
}

/// Prints the manual page of the program, or writes it and those of all verbs to a folder.
pub(super) fn man(args: &ManArgs, command: Command) -> Result<Outcome, CliError> {
    match &args.dir {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page).map_err(CliError::Output)?;
            print_bytes(&page)?;
        }
        Some(folder) => {
            let failed = CliError::write(folder);
            fs::create_dir_all(folder).map_err(failed)?;
            clap_mangen::generate_to(command, folder).map_err(failed)?;
        }
    }
    Ok(Outcome::Done)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::program::Cli;

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
        let mut command = brief(Cli::command());
        command.build();
        check(&mut command, "dupi-tui");
    }

    #[test]
    fn every_verb_is_in_one_group() {
        let grouped = with_groups(Cli::command(), &GROUPS).render_long_help().to_string();
        for verb in Cli::command().get_subcommands() {
            let name = format!("\n  {} ", verb.get_name());
            assert_eq!(grouped.matches(&name).count(), 1, "{name}\n{grouped}");
        }
    }

    #[test]
    fn topics_verbs_and_keys_are_printed_and_others_are_refused() {
        let printed = |words: &[&str]| chapter_or_verb(words, Cli::command());
        assert!(printed(&["filters"]).is_some_and(|text| !text.contains("--help")));
        assert!(printed(&["review"]).is_some_and(|text| text.ends_with("dupi-tui review --help\n")));
        assert!(printed(&["taboo", "add"]).is_some_and(|text| text.contains("--reason")));
        assert!(
            printed(&["taboo"]).is_some_and(|text| text.contains("Usage")) && printed(&["nonsuch"]).is_none()
        );
        assert!(key_table().contains("two copies side by side"));
        assert!(unknown(&["nonsuch"]).to_string().contains("dupi-tui help"));
    }

    #[test]
    fn a_description_is_cut_where_it_can_end() {
        for (text, expected) in [
            ("The fewest tokens [default: 25]", "The fewest tokens"),
            ("Only the first N", "Only the first N"),
            ("Which rows: all, or some. More of it", "Which rows"),
            (
                "Only passages that pass a filter and are of some kind, such as `ext:c copies:>5 -path:vendor`",
                "Only passages that pass a filter and are of some kind",
            ),
        ] {
            assert_eq!(first_clause(text, &CLAUSE_ENDS, SHORT), expected);
        }
    }
}
